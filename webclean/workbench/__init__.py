"""Tools for writing rules: test, lint, compare, tune and start them. They use the public pipeline."""
