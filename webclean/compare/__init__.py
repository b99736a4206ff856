"""Labelled pages: readers, folds by site, scores of a text against its truth; methods and peers side by side."""
