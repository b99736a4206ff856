"""Section `concepts`: the words by which short texts of web pages say what they are, language by language."""

Concepts = dict[str, dict[str, str]]
"""Concept -> ISO 639 language code -> lower-case words and phrases, separated by commas."""
