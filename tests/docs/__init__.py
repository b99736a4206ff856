"""The documentation: what it shows is what happens, and it lacks nothing.

`WEBCLEAN_DOCS=required` fails the tests that need the extra `docs`, instead of skipping them, where it is missing.
"""
