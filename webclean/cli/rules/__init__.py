"""`webclean rules`: see, check, test, compare, tune, start, import and share rule sets. One file for each."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

_COMMANDS: Final = (
    "show",
    "check",
    "test",
    "diff",
    "tune",
    "new",
    "annotate",
    "convert",
    "import_ftr",
    "pack",
    "schema",
    "features",
)

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
    for name in _COMMANDS:
        import_module(f"webclean.cli.rules.{name}").add_parser(below)
