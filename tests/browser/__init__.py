"""What a real browser makes of the pages that are written.

`WEBCLEAN_BROWSER=required` fails these tests, instead of skipping them, where Playwright or Chromium is missing.
"""
