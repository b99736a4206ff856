"""Rules against a document: selectors, expressions, conditions about the page, edits of the markup."""
