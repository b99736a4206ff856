"""Labelled pages: readers, folds by site, and scores of a text against its truth."""
