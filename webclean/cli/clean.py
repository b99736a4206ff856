"""`webclean clean`: pages in, their content out."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from webclean.batch.page_files import list_page_files, name_page
from webclean.batch.urls import URLS_HELP, PageUrls, read_url_list
from webclean.cli.pages import add_page_options, build_cleaner, clean_page, is_piped, is_url
from webclean.cli.progress import Progress
from webclean.errors import InputError, NotAPageError, RuleError, WebcleanError
from webclean.outputs.published import describe_page_schema
from webclean.page import CleanPage
from webclean.parse.url import check_page_url, split_url
from webclean.pipeline import Cleaner
from webclean.web.joining import join_pages

_DESCRIPTION = """Clean pages: files, URLs, or - for standard input. One page goes to standard output or to -o FILE;
many pages go to -o FOLDER, one file each, or to one file of JSON lines. A page that fails is named on standard error
and the others go on. Rules of a site apply to pages with a URL (--url, --urls). A page of a folder (--input-dir) that
is given none has the URL of its canonical link; webclean.clean in Python does not do that."""

_EXAMPLES = """examples:
  webclean clean page.html
  webclean clean https://example.org/news/1 --format markdown
  curl -s https://example.org | webclean clean - --url https://example.org --format json
  webclean clean https://example.org/story --join       all parts of a text that is spread over pages
  webclean clean --input-dir pages/ -o text/
  webclean clean pages/*.html --format jsonl -o pages.jsonl

exit codes: 0 done, 1 a page failed, 2 wrong usage or rules, or an input that is no page
"""

_SUFFIX: Final = {"text": ".txt", "markdown": ".md", "html": ".html", "mobile": ".html", "json": ".json"}
_FORMATS: Final = (*_SUFFIX, "jsonl")
_SHOWN: Final = 5
"""Skipped files that are named."""
_UNSAFE: Final = re.compile(r"[^\w.-]+")


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("clean", help="clean pages", description=_DESCRIPTION, epilog=_EXAMPLES)
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE", help="a file, a URL, or - for standard input (default: the pipe)"
    )
    parser.add_argument(
        "--input-dir",
        type=Path,
        metavar="DIR",
        help="all HTML files in a folder, also packed (.gz, .zst); one that "
        "--urls does not name has the URL of its canonical link, if it has one",
    )
    parser.add_argument("--urls", type=Path, metavar="FILE", help=URLS_HELP)
    parser.add_argument("-f", "--format", choices=_FORMATS, default="text", help="what is written (default: text)")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="a file, or a folder for many pages")
    parser.add_argument(
        "--join", action="store_true", help="fetch the other pages of the same text too (single page, or next pages)"
    )
    group = parser.add_argument_group("what is written")
    group.add_argument("--no-links", action="store_true", help="no links (markdown, html)")
    group.add_argument("--no-images", action="store_true", help="no images (markdown, html, mobile)")
    group.add_argument("--no-tables", action="store_true", help="no tables of data (text, markdown, html)")
    group.add_argument("--no-comments", action="store_true", help="no comments of readers (text, markdown, html)")
    group.add_argument("--no-title", action="store_true", help="no title above the text (markdown, html)")
    group.add_argument("--with-title", action="store_true", help="the title above the text (text)")
    group.add_argument(
        "--with-metadata", action="store_true", help="title, author, date, ... before the text (text, markdown, html)"
    )
    group.add_argument("--reasons", action="store_true", help="why each block is kept or dropped (json, jsonl)")
    group.add_argument("--schema", action="store_true", help="only print the JSON Schema of json and jsonl")
    add_page_options(parser)
    parser.set_defaults(run=run, parser_of_command=parser)


def run(args: argparse.Namespace) -> int:
    """Clean the pages; 1 when any of them failed."""
    if args.schema:
        print(json.dumps(describe_page_schema(), indent=1))
        return 0
    files, others = list_page_files(args.input_dir) if args.input_dir else ([], [])
    names = [*args.pages, *map(str, files)]
    if not names and not args.input_dir and is_piped():
        names = ["-"]
    skipped = Skipped(frozenset(map(str, files)), [str(path) for path in others])
    if not names and others:
        skipped.tell()
    check_usage(args, names)
    cleaner = build_cleaner(args)
    urls = PageUrls(read_url_list(args.urls), args.input_dir, skipped.allowed)
    code = _write_all(names, cleaner, args, urls, skipped)
    urls.warn([cleaner.book])
    return code


def _write_all(names: list[str], cleaner: Cleaner, args: argparse.Namespace, urls: PageUrls, skipped: Skipped) -> int:
    if args.format == "jsonl":
        return _write_lines(names, cleaner, args, urls, skipped)
    if not _goes_to_folder(args, names):
        return _write_one(names[0], cleaner, args, urls)
    targets = plan_targets(names, args.output, args.input_dir, _SUFFIX[args.format])
    progress = Progress(len(names))
    for name, target in zip(names, targets, strict=True):
        written = render_page(name, cleaner, args, urls, skipped)
        if written is not None:
            write_file(target, written)
        progress.count(failed=written is None and not skipped.has(name))
    skipped.tell()
    return progress.finish()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Files of the input folder that are no pages.

    allowed: files that may turn out to be none. names: what was skipped, with the reason if it was read (`read`).
    """

    allowed: frozenset[str] = frozenset()
    names: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)

    def add(self, name: str, message: str) -> bool:
        """Note a file that is no page; False if it was named by the user, for then it failed."""
        if name in self.allowed:
            self.names.append(message)
            self.read.add(name)
        return name in self.allowed

    def has(self, name: str) -> bool:
        """Whether a file was read and is no page."""
        return name in self.read

    def tell(self) -> None:
        """Name on standard error what was skipped."""
        if self.names:
            more = f" and {len(self.names) - _SHOWN} more" if len(self.names) > _SHOWN else ""
            print(f"webclean: skipped {len(self.names)}: {', '.join(self.names[:_SHOWN])}{more}", file=sys.stderr)


def check_usage(args: argparse.Namespace, names: list[str]) -> None:
    """Exit with code 2 if the arguments contradict each other."""
    error = args.parser_of_command.error
    if not names:
        error(f"no HTML files in {args.input_dir}" if args.input_dir else "no page: name a file, a URL, or -")
    try:
        check_page_url(args.url)
    except InputError as wrong:
        error(f"--url: {wrong}")
    if len(names) > 1 and args.url:
        error("--url is for one page")
    if len(names) > 1 and args.format != "jsonl" and args.output is None:
        error("many pages: say where to with -o FOLDER, or --format jsonl")
    if len(names) > 1 and args.format != "jsonl" and args.output.is_file():
        error(f"many pages, but {args.output} is a file")


def _goes_to_folder(args: argparse.Namespace, names: list[str]) -> bool:
    return args.output is not None and (len(names) > 1 or args.input_dir is not None or args.output.is_dir())


def _write_one(name: str, cleaner: Cleaner, args: argparse.Namespace, urls: PageUrls) -> int:
    written = render_page(name, cleaner, args, urls)
    if written is None:
        return 1
    if args.output is None:
        sys.stdout.write(written)
    else:
        write_file(args.output, written)
    return 0


def _write_lines(names: list[str], cleaner: Cleaner, args: argparse.Namespace, urls: PageUrls, skipped: Skipped) -> int:
    """One line with a JSON object for each page."""
    progress = Progress(len(names))
    with open_output(args.output) as lines:
        for name in names:
            written = render_page(name, cleaner, args, urls, skipped if len(names) > 1 else None)
            if written is not None:
                lines.write(written)
                lines.flush()
            progress.count(failed=written is None and not skipped.has(name))
    skipped.tell()
    return progress.finish()


@contextmanager
def open_output(path: Path | None) -> Iterator[TextIO]:
    """Standard output, which stays open, or a file."""
    if path is None:
        yield sys.stdout
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w", encoding="utf-8", newline="\n", errors="replace")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    with file:
        yield file


def write_file(path: Path, text: str) -> None:
    """Write a file and create missing folders above it."""
    with open_output(path) as file:
        file.write(text)


def render_page(
    name: str, cleaner: Cleaner, args: argparse.Namespace, urls: PageUrls, skipped: Skipped | None = None
) -> str | None:
    """A page in the chosen format; None if it failed, with a message on standard error, or was skipped.

    Raises `NotAPageError` for the only page.
    """
    try:
        page = clean_page(name, cleaner, args, urls.find)
        if args.join:
            page = _join(page, name, cleaner, args)
        return _RENDERERS[args.format](page, name, args)
    except RuleError:
        raise
    except NotAPageError as error:
        if skipped is None:
            raise
        if skipped.add(name, str(error)):
            return None
        message = str(error)
    except WebcleanError as error:
        message = str(error)
    except (MemoryError, RecursionError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        message = f"internal error, please report it: {type(error).__name__}: {error}"
    place = "" if message.startswith(name) else f"{name}: "
    over = "\r" if sys.stderr.isatty() else ""  # over the progress line
    print(f"{over}webclean: {place}{message}", file=sys.stderr)
    return None


def _join(page: CleanPage, name: str, cleaner: Cleaner, args: argparse.Namespace) -> CleanPage:
    """The joined page; standard error shows for each link whether it was followed."""
    joined = join_pages(page, cleaner=cleaner, allow_private=args.allow_private)
    for step in joined.steps:
        print(f"webclean: {name}: {step.rule} {step.evidence}", file=sys.stderr)
    return joined


def _show(args: argparse.Namespace, *names: str) -> dict[str, bool]:
    return {f"include_{name}": not getattr(args, f"no_{name}") for name in names}


def _describe(page: CleanPage, name: str, args: argparse.Namespace) -> dict[str, Any]:
    return {"source": name, **page.to_dict(include_reasons=args.reasons)}


_ALL: Final = ("links", "images", "tables", "comments", "title")
_RENDERERS: Final[dict[str, Callable[[CleanPage, str, argparse.Namespace], str]]] = {
    "text": lambda page, _, args: end_line(
        page.to_text(
            **_show(args, "tables", "comments"), include_title=args.with_title, include_metadata=args.with_metadata
        )
    ),
    "markdown": lambda page, _, args: end_line(
        page.to_markdown(**_show(args, *_ALL), include_metadata=args.with_metadata)
    ),
    "html": lambda page, _, args: page.to_html(**_show(args, *_ALL), include_metadata=args.with_metadata),
    "mobile": lambda page, _, args: page.to_mobile_html(include_images=not args.no_images),
    "json": lambda page, name, args: end_line(json.dumps(_describe(page, name, args), ensure_ascii=False, indent=1)),
    "jsonl": lambda page, name, args: end_line(json.dumps(_describe(page, name, args), ensure_ascii=False)),
}


def end_line(text: str) -> str:
    """Text that ends with a line break, unless it is empty."""
    return f"{text}\n" if text else ""


def plan_targets(names: list[str], folder: Path, input_dir: Path | None, suffix: str) -> Iterator[Path]:
    """A different file in the folder for each page, named after the page."""
    taken: set[Path] = set()
    for name in names:
        target = folder / _name_target(name, input_dir)
        unique, number = target.with_name(target.name + suffix), 1
        while unique in taken:
            number += 1
            unique = target.with_name(f"{target.name}-{number}{suffix}")
        taken.add(unique)
        yield unique


def _name_target(name: str, input_dir: Path | None) -> Path:
    """A name without the suffix; for a file of an input folder, with its path in that folder."""
    if is_url(name):
        parts = split_url(name)
        return Path(_UNSAFE.sub("_", f"{parts.netloc}{parts.path}{parts.query}").strip("_.")[:150] or "page")
    if name == "-":
        return Path("stdin")
    path = name_page(Path(name))
    if input_dir is not None and path.is_relative_to(input_dir):
        return path.relative_to(input_dir).with_suffix("")
    return Path(path.stem)
