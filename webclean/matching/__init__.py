"""Rules against a page: selectors, conditions on features, edits of the markup."""
