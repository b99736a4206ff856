"""Commands that write rule files: `webclean rules new`, `annotate` and `import-ftr`.

A site file from a page; comments above each value; site files of ftr-site-config as site rules.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from webclean.cli.commands import command, flag, option
from webclean.cli.pages import Served, complete_name, is_url
from webclean.errors import InputError
from webclean.parse import find_canonical_link
from webclean.pipeline import Cleaner
from webclean.rules.files import read_rule_file
from webclean.web.fetch import fetch_bytes
from webclean.workbench.descriptions import annotate_text
from webclean.workbench.platform_starter import name_platform, write_platform
from webclean.workbench.site_configs import Imported
from webclean.workbench.starter import StarterRules, name_site, propose_type, write_rules_for, write_starter

_FILES: Final = option("files", "rule files, changed in place", "FILE", Path, nargs="+")

_NEW_DESCRIPTION = """\
Write a rule file for the site of a page, and the page beside it, on which the tests of the rules run.
With --keep and --drop there is a rule for the element around each text that is not kept or dropped already; without
them rules to edit, switched off. Quotes, dashes and spaces of any form find each other. Names of elements that a build
or a page makes anew (css-1q2w3e) are passed over, and a comment says so. A page without --url has that of its canonical
link.

With --platform a file for the software that the pages were made with, whatever site they are of: the signs that all of
the pages have, and rules to edit. Give pages of two or three sites."""

_NEW_EXAMPLES = """examples:
  webclean rules new page.html --url https://news.example/a/1 --keep "Corrections" -o my/
  webclean rules new page.html --url https://news.example/a/1 --drop "Sign up for" --drop "Read more" -o my/
  webclean rules new page.html --url https://farm.example/t/7 --type forum -o my/      the page is of another type
  webclean rules new https://news.example/a/1                    print a file to edit
  webclean rules new --platform "Example Board" a.html b.html -o my/
"""


@command(
    "new",
    "write rules for a site from one of its pages",
    option("pages", "a file, or a URL to fetch; with --platform several", "PAGE", nargs="+"),
    option("--url", "the URL of the page, when it is a file"),
    option("--type", "the type, subtype or label that the page is to have: a rule says so", "TYPE", default=""),
    option("--platform", "start the file of a platform by this name, as its makers write it", "NAME"),
    option("--keep", "a text that must be kept", "TEXT", action="append", default=[]),
    option("--drop", "a text that must be dropped", "TEXT", action="append", default=[]),
    option("-o,--output", "a file, or a folder (DIR/sites/SITE.yaml, DIR/platforms/NAME.yaml)", "PATH", Path),
    description=_NEW_DESCRIPTION,
    examples=_NEW_EXAMPLES,
)
def new(args: argparse.Namespace) -> int:
    """Print or write the rules; an existing file is never overwritten."""
    if args.platform:
        return _new_platform(args)
    if len(args.pages) > 1:
        args.parser_of_command.error("one page of a site; several are for --platform NAME")
    read = _read_page(args.pages[0], args.url)
    cleaner = Cleaner()
    page = cleaner.clean(read.body, url=read.url, charset=read.charset, page_subtype=args.type or None)
    target = _find_target(args.output, "sites", name_site(page.url))
    beside = target.with_suffix(".html") if target else Path("page.html")
    made = (
        write_rules_for(page, args.keep, args.drop, beside.name, args.type)
        if args.keep or args.drop or args.type
        else StarterRules(write_starter(page, beside.name))
    )
    remarks = [*made.remarks]
    if page.url is None and made.text:
        remarks.append(
            "no --url, and the page does not say its address: the rules are for example.org until the file is named "
            "after the site and its tests have the URL"
        )
    proposed = "" if args.type else propose_type(page, cleaner, args.keep, args.drop)
    if proposed:
        found = page.page_subtype or page.page_type
        remarks.append(f"taken for {found}; as {proposed} the page has what is asked for: --type {proposed}")
    _write(made.text, remarks, target, {beside: read.body})
    return 0


def _new_platform(args: argparse.Namespace) -> int:
    if args.keep or args.drop or args.url or args.type:
        args.parser_of_command.error("--platform takes none of --keep, --drop, --url and --type")
    read = [_read_page(name, None) for name in args.pages]
    name = name_platform(args.platform)
    target = _find_target(args.output, "platforms", name)
    # pages of the tests stand beside the rules, as with those of sites
    files = [f"{name}-{number}.html" for number in range(1, len(read) + 1)]
    cleaner = Cleaner()
    pages = [cleaner.clean(one.body, url=one.url, charset=one.charset) for one in read]
    made = write_platform(args.platform, pages, files)
    beside = {(target or Path(name)).with_name(file): one.body for file, one in zip(files, read, strict=True)}
    _write(made.text, made.remarks, target, beside)
    return 0


def _read_page(name: str, url: str | None) -> Served:
    """A page by its URL or file; a file without a URL has that of its canonical link."""
    if is_url(complete_name(name)):
        fetched = fetch_bytes(complete_name(name))
        return Served(fetched.body, fetched.url, fetched.charset)
    try:
        body = Path(complete_name(name)).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error
    return Served(body, url or find_canonical_link(body), None)


def _find_target(output: Path | None, folder: str, name: str) -> Path | None:
    if output is None or output.suffix == ".yaml":
        return output
    return output / folder / f"{name}.yaml"


def _write(text: str, remarks: Iterable[str], target: Path | None, beside: Mapping[Path, bytes]) -> None:
    """Say the remarks, then print the rules, or write them and the pages of their tests and say where. Raises
    `InputError` where a file exists."""
    for sentence in remarks:
        print(f"webclean: {sentence}", file=sys.stderr)
    if target is None or not text:
        print(text, end="")
        return
    # all are looked at before one is written
    for path in (target, *beside):
        if path.exists():
            raise InputError(f"{path} exists already: without -o the rules are printed, to be added by hand")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    print(target)
    for path, body in beside.items():
        path.write_bytes(body)
        print(path)


@command(
    "annotate",
    "write above each value of rule files what it does",
    _FILES,
    flag("--check", "change nothing; exit code 1 where comments are not fresh"),
)
def annotate(args: argparse.Namespace) -> int:
    """Rewrite the comments that start with `#:` and name the files that changed."""
    changed = False
    for path in args.files:
        text = read_rule_file(path)
        written = annotate_text(text)
        if written == text.text:
            continue
        changed = True
        print(f"{path}: {'comments are not those of the schema' if args.check else 'comments written'}")
        if not args.check:
            path.write_text(written, encoding="utf-8")
    return 1 if changed and args.check else 0


_IMPORT_FTR_DESCRIPTION = """Convert site files of ftr-site-config (host.txt, lines of `key: value`) into site rules,
DIR/sites/SITE.yaml. Files of an earlier import are written anew, files of your own are left as they are. With -v every
line that could not be converted is named with the reason."""

_IMPORT_FTR_EXAMPLES = """examples:
  webclean rules import-ftr ftr-site-config/ -o my/
  webclean clean PAGE --url URL --rules my/
"""


@command(
    "import-ftr",
    "convert site files of ftr-site-config (host.txt)",
    option("source", "a file, or a folder of files", type_=Path),
    option("-o,--output", "a rules folder to write into", "DIR", Path, required=True),
    flag("-v,--verbose", "print every line that could not be converted"),
    description=_IMPORT_FTR_DESCRIPTION,
    examples=_IMPORT_FTR_EXAMPLES,
)
def import_ftr(args: argparse.Namespace) -> int:
    """Write one site file a site and report what could not be converted."""
    # sorted: a folder is listed in another order on other machines
    files = sorted(args.source.glob("*.txt")) if args.source.is_dir() else [args.source]
    made = Imported({}, {})
    for path in files:
        for line, text, why in made.add(path):
            if args.verbose:
                print(f"{path}:{line}: {text}: {why}")
    for path in made.write(args.output / "sites"):
        print(f"{path}: left as it is, for it is no imported file")
    counts = f"{len(files)} files, {len(made.sites)} sites, {made.n_rules} rules"
    print(f"{counts}; {made.n_left_out} lines could not be converted")
    return 0
