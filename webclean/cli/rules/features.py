"""`webclean rules features`: the features that cards, trees and rules refer to by name."""

from __future__ import annotations

import argparse
from typing import Any

from webclean.workbench.descriptions import describe_features


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("features", help="the features that rules and cards may name (Markdown)")
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Print the reference page."""
    print(describe_features(), end="")
    return 0
