"""`webclean compat`: the flags of trafilatura's command line, for scripts that have them."""

from __future__ import annotations

import argparse
import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from webclean.batch.sources import PageUrls, list_page_files
from webclean.cli.clean import open_output, plan_targets, tell_failure, write_file
from webclean.cli.commands import ALLOW_PRIVATE, COMMANDS, command, flag, group, option, require
from webclean.cli.pages import (
    Rendered,
    RenderPage,
    complete_name,
    end_line,
    is_piped,
    limit_fetches,
    plain_arguments,
    read_page,
    render_pages,
)
from webclean.cli.terminal import Progress
from webclean.errors import InputError, WebcleanError
from webclean.pipeline import Cleaner

_DESCRIPTION = """What trafilatura does with pages and lists of pages, by webclean: the same flags, formats and names of
fields. Without -u, -i and --input-dir a page is read from standard input. Several pages go to -o DIR, a file each, or
one after the other to standard output. -f, --deduplicate, --config-file and --validate-tei are accepted without effect.
For crawls: webclean crawl."""

_EXAMPLES = """examples:
  webclean compat -u https://example.org/news/1 --markdown
  webclean compat -i urls.txt -o out --json --with-metadata
  webclean compat --input-dir pages/ -o out --xmltei --no-comments
  webclean compat --sitemap https://example.org --list
  curl -s https://example.org | webclean compat --precision

exit codes: 0 done, 1 a page could not be fetched or read, 2 wrong usage
"""
_FORMATS: Final = {
    "txt": ".txt", "csv": ".csv", "html": ".html", "json": ".json", "markdown": ".md", "xml": ".xml", "xmltei": ".xml",
}  # fmt: skip
"""Format -> ending of its files."""


@command(
    "compat",
    COMMANDS["compat"],
    group(
        "input",
        option("-u,--URL", "a page of the web", "URL", dest="address"),
        option("-i,--input-file", "a file with a URL in each line", "FILE", Path),
        option("--input-dir", "the HTML files of a folder", "DIR", Path),
        option("--parallel", "worker processes (default: one for each CPU if pages are many)", "N", int),
        option("-b,--blacklist", "a file with URLs that are left out", "FILE", Path),
        ALLOW_PRIVATE,
        option("--timeout", "seconds a page may take", "S", float, default=30.0),
    ),
    group(
        "output",
        option("-o,--output-dir", "a file for each page", "DIR", Path),
        flag("--list", "only print the addresses of the pages"),
    ),
    group(
        "navigation (extra crawl)",
        option("--feed", "the pages that the feeds of a site name", "URL", nargs="?", const=""),
        option("--sitemap", "the pages that the sitemaps of a site name", "URL", nargs="?", const=""),
    ),
    group(
        "extraction",
        flag("-f,--fast", "no effect"),
        flag("--formatting", "with emphasis", default=None),
        flag("--links", "with links"),
        flag("--images", "with images"),
        option("--no-comments", "without comments of readers", action="store_false", dest="comments"),
        option("--no-tables", "without tables", action="store_false", dest="tables"),
        flag("--only-with-metadata", "only pages with title, URL and date"),
        flag("--with-metadata", "with the fields of the page"),
        option("--target-language", "only pages in this language", "CODE"),
        flag("--deduplicate", "no effect"),
        option("--config-file", "no effect", "FILE"),
        flag("--precision", "less noise, possibly less text"),
        flag("--recall", "more text, possibly more noise"),
    ),
    group(
        "format",
        option("--output-format", "what is written", choices=tuple(_FORMATS), default="txt"),
        *(
            option(f"--{name}", f"--output-format {name}", action="store_const", const=name, dest="output_format")
            for name in _FORMATS
            if name != "txt"
        ),
        flag("--validate-tei", "no effect: what is written is valid"),
    ),
    option("-v,--verbose", "tell more", action="count", default=0),
    description=_DESCRIPTION,
    examples=_EXAMPLES,
)
def compat(args: argparse.Namespace) -> int:
    """Extract the pages; 1 when any of them could not be fetched or read."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO if args.verbose else logging.WARNING)
    names = _list_pages(args)
    if args.list:
        sys.stdout.writelines(f"{name}\n" for name in names)
        return 0
    extract = ExtractPage(Cleaner(), plain_arguments(args), PageUrls({}))
    targets = (
        plan_targets(names, args.output_dir, args.input_dir, _FORMATS[args.output_format]) if args.output_dir else None
    )
    progress = Progress(len(names), "line" if args.output_dir else "quiet")
    for name, rendered in render_pages(names, extract, args.parallel):
        target = next(targets) if targets else None
        progress.count(errors=[rendered.kind] if rendered.kind else ())
        if rendered.written is None:
            tell_failure(name, rendered)
        elif rendered.written and target:
            write_file(target, rendered.written)
        elif rendered.written:
            with open_output(None) as output:
                output.write(rendered.written)
    progress.finish()
    return int(progress.n_failed > 0)


def _list_pages(args: argparse.Namespace) -> list[str]:
    """URLs and files. Exits with code 2 where there is none, or more than one way to name them."""
    ways = [way for way in (args.address, args.input_file, args.input_dir) if way is not None]
    if len(ways) > 1 or (args.feed is not None and args.sitemap is not None):
        args.parser_of_command.error("-u, -i and --input-dir exclude each other, and so do --feed and --sitemap")
    if args.feed is not None or args.sitemap is not None:
        return _list_named(args)
    if not ways and not is_piped():
        args.parser_of_command.error("no page: -u URL, -i FILE, --input-dir DIR, or a pipe")
    refused = set(_read_lines(args.blacklist)) if args.blacklist else set()
    if args.input_dir:
        return list(map(str, list_page_files(args.input_dir)[0]))
    named = _read_lines(args.input_file) if args.input_file else [args.address or "-"]
    return [complete_name(name) for name in dict.fromkeys(named) if name not in refused]


def _list_named(args: argparse.Namespace) -> list[str]:
    """The URLs that feeds or sitemaps name."""
    site = args.feed or args.sitemap or args.address
    if not site:
        args.parser_of_command.error("--feed and --sitemap need a URL")
    require("--feed and --sitemap", "feedparser", "scrapy")
    from webclean.web.discovery import list_entries  # noqa: PLC0415  an extra

    is_feed = args.feed is not None
    refused = set(_read_lines(args.blacklist)) if args.blacklist else set()
    entries = list_entries(complete_name(site), limit_fetches(args), feeds=is_feed, sitemaps=not is_feed)
    return [entry.url for entry in entries if entry.url not in refused]


def _read_lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    return [line.strip() for line in lines if line.strip()]


@dataclass(frozen=True, slots=True, eq=False)
class ExtractPage(RenderPage):
    """Reads one page and writes what `webclean.compat.extract` makes of it; nothing for a page that it discards."""

    def __call__(self, name: str) -> Rendered:
        """As of `RenderPage`; a page that cannot be read is a failure, one that is discarded is none."""
        from webclean.compat import extract  # noqa: PLC0415  lxml, which other commands do not need

        args = argparse.Namespace(**{"url": None, "charset": None, **vars(self.args)})
        try:
            served = read_page(name, args)
        except WebcleanError as error:
            return Rendered(None, "unreadable", str(error))
        wanted: dict[str, Any] = {
            "favor_precision": args.precision,
            "favor_recall": args.recall,
            "include_comments": args.comments,
            "include_tables": args.tables,
            "include_images": args.images,
            "include_links": args.links,
            "include_formatting": args.formatting,
            "with_metadata": args.with_metadata,
            "only_with_metadata": args.only_with_metadata,
            "target_language": args.target_language,
            "output_format": args.output_format,
        }
        return Rendered(end_line(extract(served.body, url=served.url, **wanted) or ""))
