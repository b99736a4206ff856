"""`webclean rules new`: a site file from a page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from webclean.errors import InputError
from webclean.pipeline import Cleaner
from webclean.web.fetch import fetch_bytes
from webclean.workbench.starter import StarterRules, name_site, write_rules_for, write_starter

_DESCRIPTION = """Write a rule file for the site of a page, and the page beside it, on which the tests of the rules run.
With --keep and --drop there is a rule for the element around each text that is not kept or dropped already; without
them rules to edit, switched off. Quotes, dashes and spaces of any form find each other. Names of elements that a build
or a page makes anew (css-1q2w3e) are passed over, and a comment says so."""

_EXAMPLES = """examples:
  webclean rules new page.html --url https://news.example/a/1 --keep "Corrections" -o my/
  webclean rules new page.html --url https://news.example/a/1 --drop "Sign up for" --drop "Read more" -o my/
  webclean rules new https://news.example/a/1                    print a file to edit
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "new", help="write rules for a site from one of its pages", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    parser.add_argument("page", metavar="PAGE", help="a file, or a URL to fetch")
    parser.add_argument("--url", help="the URL of the page, when it is a file")
    parser.add_argument("--keep", action="append", default=[], metavar="TEXT", help="a text that must be kept")
    parser.add_argument("--drop", action="append", default=[], metavar="TEXT", help="a text that must be dropped")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="a file, or a folder (DIR/sites/SITE.yaml)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print or write the rules; an existing file is never overwritten."""
    if args.page.startswith(("http://", "https://")):
        fetched = fetch_bytes(args.page)
        body, url, charset = fetched.body, fetched.url, fetched.charset
    else:
        body, url, charset = _read_file(args.page), args.url, None
    page = Cleaner().clean(body, url=url, charset=charset)
    target = _find_target(args.output, name_site(page.url))
    beside = target.with_suffix(".html") if target else Path("page.html")
    for path in (target, beside) if target else ():
        if path is not None and path.exists():
            raise InputError(f"{path} exists already: without -o the rules are printed, to be added by hand")
    made = (
        write_rules_for(page, args.keep, args.drop, beside.name)
        if args.keep or args.drop
        else StarterRules(write_starter(page, beside.name))
    )
    for sentence in made.needless:
        print(f"webclean: {sentence}", file=sys.stderr)
    if target is None or not made.text:
        print(made.text, end="")
        return 0
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(made.text, encoding="utf-8")
    beside.write_bytes(body)
    print(target)
    print(beside)
    return 0


def _read_file(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error


def _find_target(output: Path | None, site: str) -> Path | None:
    if output is None or output.suffix == ".yaml":
        return output
    return output / "sites" / f"{site}.yaml"
