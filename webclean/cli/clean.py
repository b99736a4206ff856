"""`webclean clean`: a page in, its text out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from webclean.errors import InputError
from webclean.pipeline import Cleaner


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("clean", help="clean pages", description="Clean a page and print its text.")
    parser.add_argument("page", help="a file, or - for standard input")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Clean one page."""
    try:
        html = sys.stdin.buffer.read() if args.page == "-" else Path(args.page).read_bytes()
    except OSError as error:
        raise InputError(f"{args.page}: {error.strerror}") from error
    print(Cleaner().clean(html).text)
    return 0
