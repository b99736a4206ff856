"""`webclean rules pack` and `unpack`: share a folder of rules as one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.rules.sharing import pack_rules, unpack_rules


def add_parser(commands: Any) -> None:
    """Add both commands."""
    pack = commands.add_parser("pack", help="put a folder of rules into one file (zip)")
    pack.add_argument("folder", type=Path)
    pack.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    pack.set_defaults(run=run_pack)
    unpack = commands.add_parser("unpack", help="unpack such a file into a rules folder")
    unpack.add_argument("pack", type=Path, metavar="FILE")
    unpack.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    unpack.set_defaults(run=run_unpack)


def run_pack(args: argparse.Namespace) -> int:
    """Pack."""
    print("\n".join(pack_rules(args.folder, args.output)))
    return 0


def run_unpack(args: argparse.Namespace) -> int:
    """Unpack."""
    print("\n".join(unpack_rules(args.pack, args.output)))
    return 0
