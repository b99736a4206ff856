"""`webclean rules`: see, check, test, compare, tune, start and import rule sets."""

from __future__ import annotations

from typing import Final

from webclean.cli.commands import Family
from webclean.cli.rules.look import check, features, schema, show, test
from webclean.cli.rules.trials import diff, tune
from webclean.cli.rules.write import annotate, import_ftr, new

_EXAMPLES = """examples:
  webclean rules show --effective https://news.example/a/1    every value, and the file it is from
  webclean rules new page.html --url https://news.example/a/1 -o my/sites/news.example.yaml
  webclean rules test my/sites/news.example.yaml
  webclean rules diff shipped my/ --data pages/
"""
_LISTED: Final = (show, check, test, diff, tune, new, annotate, import_ftr, schema, features)
rules: Final = Family("rules", "WHAT", _LISTED, _EXAMPLES)
