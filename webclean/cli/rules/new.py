"""`webclean rules new`: a starter site file from a page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.errors import InputError
from webclean.fetch import fetch_page
from webclean.pipeline import Cleaner
from webclean.workbench.starter import name_site, write_starter


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("new", help="write a starter site file from a page")
    parser.add_argument("page", help="a file, or a URL to fetch")
    parser.add_argument("--url", help="the URL of the page, when it is a file")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="a file, or a folder (DIR/sites/SITE.yaml)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print or write the starter; an existing file is never overwritten."""
    if args.page.startswith(("http://", "https://")):
        page = fetch_page(args.page)
    else:
        try:
            page = Cleaner().clean(Path(args.page).read_bytes(), url=args.url)
        except OSError as error:
            raise InputError(f"{args.page}: {error.strerror}") from error
    text = write_starter(page)
    if args.output is None:
        print(text, end="")
        return 0
    is_file = args.output.suffix == ".yaml"
    target = args.output if is_file else args.output / "sites" / f"{name_site(page.url)}.yaml"
    if target.exists():
        raise InputError(f"{target} exists already")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    print(target)
    return 0
