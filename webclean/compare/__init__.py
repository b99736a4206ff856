"""Compares all methods, and other extractors if they are installed, on a folder of labelled pages."""
