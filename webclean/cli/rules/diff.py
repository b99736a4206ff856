"""`webclean rules diff`: what two rule sets make of the same pages."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from webclean.batch.sources import URLS_HELP, PageUrls, read_url_list
from webclean.cli.progress import Progress
from webclean.cli.rules.books import add_data_options, open_book
from webclean.errors import InputError
from webclean.pipeline import Cleaner
from webclean.rules.layers import list_profiles
from webclean.workbench.trials import Sample, read_samples

_DESCRIPTION = """Clean the same pages with two rule sets and show which texts change, the largest loss first; with F1
before and after where the true text is known. Exit code 1 when the mean F1 falls. Rules of a site apply to pages with a
URL: that of the data set or of --urls, else the page's canonical link."""

_EXAMPLES = """examples:
  webclean rules diff shipped my/ --data pages/                   what my rules change
  webclean rules diff my/ tuned.yaml --data pages/ --html diff.html
  webclean rules diff balanced precision --data pages/ --limit 50 two profiles, on fifty of the pages
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "diff",
        help="pages that change between two rule sets, with F1 where truth exists",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
    )
    rules = "`shipped`, a rule file or folder over the shipped rules, or a profile"
    parser.add_argument("before", metavar="A", help=rules)
    parser.add_argument("after", metavar="B", help="the same")
    add_data_options(parser)
    parser.add_argument("--urls", type=Path, metavar="FILE", help=URLS_HELP)
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the changes side by side")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the changes; exit code 1 when the mean F1 falls."""
    from webclean.workbench.trials import compare_rules, format_diff, render_diff_html  # noqa: PLC0415  an extra

    before, after = (open_cleaner(name) for name in (args.before, args.after))
    samples = read_samples(args.data, args.limit)
    urls = PageUrls(read_url_list(args.urls), args.data, frozenset(sample.id for sample in samples))
    pages = [replace(sample, url=urls.find(sample.id, sample.html, sample.url)) for sample in samples]
    urls.warn([before.book, after.book])
    found = compare_rules(before, after, _count(pages))
    print("\n".join(format_diff(found)))
    if args.html:
        args.html.write_text(render_diff_html(found, args.before, args.after), encoding="utf-8")
    return 1 if found.f1_after < found.f1_before else 0


def _count(pages: list[Sample]) -> Iterator[Sample]:
    progress = Progress(len(pages))
    for page in pages:
        yield page
        progress.count()
    progress.finish()


def open_cleaner(name: str) -> Cleaner:
    """A cleaner with the shipped rules alone, with a file or folder laid over them, or with a profile."""
    if name == "shipped":
        return Cleaner(rules=open_book([]))
    if Path(name).exists():
        return Cleaner(rules=open_book([Path(name)]))
    book = open_book([])
    profiles = list_profiles(book.folders)
    if name not in profiles:
        raise InputError(f"{name}: no such file or folder, and no profile ({', '.join(profiles)})")
    return Cleaner(rules=book, profile=name)
