"""`webclean rules`: see, check, test, compare, tune, start, import and share rule sets."""

from __future__ import annotations

from typing import Any, Final

from webclean.cli.rules.look import add_check, add_features, add_schema, add_show, add_test
from webclean.cli.rules.trials import add_diff, add_tune
from webclean.cli.rules.write import add_annotate, add_convert, add_import_ftr, add_new, add_pack

_COMMANDS: Final = (
    add_show,
    add_check,
    add_test,
    add_diff,
    add_tune,
    add_new,
    add_annotate,
    add_convert,
    add_import_ftr,
    add_pack,
    add_schema,
    add_features,
)
"""In the order in which `webclean rules --help` lists them."""

_EXAMPLES = """examples:
  webclean rules show --effective https://news.example/a/1    every value, and the file it is from
  webclean rules new page.html --url https://news.example/a/1 -o my/sites/news.example.yaml
  webclean rules test my/sites/news.example.yaml
  webclean rules diff shipped my/ --data pages/
"""


def add_parser(commands: Any) -> None:
    """Add this command and what is below it."""
    parser = commands.add_parser("rules", help="see, test, compare and tune rule sets", epilog=_EXAMPLES)
    below = parser.add_subparsers(metavar="WHAT", required=True)
    for add in _COMMANDS:
        add(below)
