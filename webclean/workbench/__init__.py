"""What people do with rules: test, lint, compare, tune and start them. Adapters over the public pipeline."""
