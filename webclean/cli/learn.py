"""`webclean learn TARGET`: rules from labelled pages. One module for each target: `learn_<target>`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

TARGETS: Final = (
    "learn_fields",
    "learn_page_type",
    "learn_roles",
    "learn_scorecard",
    "learn_splits",
    "learn_title_tree",
)
"""Modules of this package with `add_parser(targets)`, in the order `--help` lists them."""


def add_parser(commands: Any) -> None:
    """Add this command and its targets."""
    parser = commands.add_parser("learn", help="learn rules from labelled pages and write them as YAML")
    targets = parser.add_subparsers(metavar="TARGET", required=True)
    for name in TARGETS:
        import_module(f"webclean.cli.{name}").add_parser(targets)
