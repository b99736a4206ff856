"""`webclean clean`: pages in, their content out."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from webclean.batch.sources import URLS_HELP, PageUrls, list_page_files, name_page, read_url_list
from webclean.cli.commands import COMMANDS, EMPTY, FAIL_EMPTY, command, flag, group, option, require
from webclean.cli.pages import (
    FORMAT_OPTIONS,
    PAGE_OPTIONS,
    Rendered,
    RenderPage,
    build_cleaner,
    complete_name,
    is_piped,
    is_url,
    name_format,
    plain_arguments,
    render_pages,
    tell_warnings,
)
from webclean.cli.terminal import Progress, tell_empty, tell_skipped
from webclean.errors import InputError, NotAPageError
from webclean.files import write_whole
from webclean.page import FORMATS
from webclean.page.formats import describe_page_schema
from webclean.parse.url import check_page_url, split_url

_UNSAFE: Final = re.compile(r"[^\w.-]+")


@command(
    "clean",
    COMMANDS["clean"],
    option("pages", "a file, a URL, or - for standard input (default: the pipe)", "PAGE", nargs="*"),
    option(
        "--input-dir",
        "all HTML files in a folder, also packed (.gz, .zst); one that --urls does not name has the URL of its "
        "canonical link, if it has one",
        "DIR",
        Path,
    ),
    option("--urls", URLS_HELP, "FILE", Path),
    option("-f,--format", "what is written", type_=name_format, choices=FORMATS, default="text"),
    option("-o,--output", "a file, or a folder for many pages", "PATH", Path),
    FAIL_EMPTY,
    flag("--join", "fetch the other pages of the same text too (single page, or next pages)"),
    group(
        "many pages",
        option("--jobs", "worker processes, 0: none (default: one for each CPU if pages are many)", "N", int),
        option("--errors", "JSON lines of the pages that failed", "FILE", Path),
        flag("--quiet", "no progress"),
    ),
    group(
        "what is written",
        *FORMAT_OPTIONS,
        flag("--inline-images", "fetch the images and write them into the page (mobile)"),
        flag("--schema", "only print the JSON Schema of json and jsonl"),
    ),
    *PAGE_OPTIONS,
)
def clean(args: argparse.Namespace) -> int:
    """Clean pages: files, URLs, or - for standard input. One page goes to standard output or to -o FILE; many pages go
    to -o FOLDER, one file each, or to one file of JSON lines. A page that fails is named on standard error and the
    others go on. Rules of a site apply to pages with a URL (--url, --urls). A page of a folder (--input-dir) that
    is given none has the URL of its canonical link; webclean.clean in Python does not do that.

    examples:
      webclean clean page.html
      webclean clean https://example.org/news/1 --format markdown
      curl -s https://example.org | webclean clean - --url https://example.org --format json
      webclean clean https://example.org/story --join       all parts of a text that is spread over pages
      webclean clean https://example.org/story --format mobile --inline-images -o story.html   to read without a network
      webclean clean --input-dir pages/ -o text/
      webclean clean pages/*.html --format jsonl -o pages.jsonl

    exit codes: 0 done, 1 a page failed, 2 wrong usage or rules, or an input that is no page, 3 a text is empty or
    next to it (with --fail-empty)
    """
    if args.schema:
        print(json.dumps(describe_page_schema(), indent=1))
        return 0
    files, others = list_page_files(args.input_dir) if args.input_dir else ([], [])
    names = [*map(complete_name, args.pages), *map(str, files)]
    if not names and not args.input_dir and is_piped():
        # `curl ... | webclean clean` names no page
        names = ["-"]
    report = Report(args, names, frozenset(map(str, files)), list(map(str, others)))
    if not names and others:
        tell_skipped(report.skipped)
    check_usage(args, names)
    cleaner = build_cleaner(args)
    urls = PageUrls(read_url_list(args.urls), args.input_dir, report.in_folder)
    render = RenderPage(cleaner, plain_arguments(args), urls)
    has_folder = args.output is not None and (len(names) > 1 or args.input_dir is not None or args.output.is_dir())
    if args.format != "jsonl" and not has_folder:
        code = _write_one(names[0], render, args)
    else:
        code = _write_many(names, render, args, report)
    urls.warn([cleaner.book])
    return code


def _write_many(names: list[str], render: RenderPage, args: argparse.Namespace, report: Report) -> int:
    """A file for each page, or one line of JSON; says what was done, also when it is stopped."""
    found = render_pages(names, render, args.jobs)
    try:
        if args.format == "jsonl":
            with open_output(args.output) as lines:
                for name, rendered in found:
                    if report.take(name, rendered):
                        lines.write(rendered.written or "")
                        # whoever reads the lines gets each as soon as its page is cleaned
                        lines.flush()
        else:
            targets = plan_targets(names, args.output, args.input_dir, FORMATS[args.format].suffix)
            for (name, rendered), target in zip(found, targets, strict=True):
                if report.take(name, rendered):
                    write_file(target, rendered.written or "")
    except KeyboardInterrupt:
        report.finish()
        # a file of JSON lines appears when it is whole, so nothing of it is there yet
        where = "nothing is" if args.format == "jsonl" and args.output is not None else f"{report.n_written} are"
        print(f"webclean: stopped after {report.n_taken} of {len(names)} pages; {where} written", file=sys.stderr)
        raise
    report.finish()
    return int(bool(report.failures)) or (EMPTY if report.empty and args.fail_empty else 0)


class Report:
    """What came of many pages: told as it comes, with progress on a terminal, and in the file of errors.

    in_folder: files of the input folder. What stands there and is no page is skipped; what the user named and is no
    page is a failure. skipped: what was skipped, with the reason if it was read.
    """

    def __init__(self, args: argparse.Namespace, names: list[str], in_folder: frozenset[str], skipped: list[str]):
        self.in_folder, self.skipped = in_folder, skipped
        self.failures: list[tuple[str, Rendered]] = []
        self.empty: list[tuple[str, str]] = []
        self.n_taken = self.n_written = 0
        self._args, self._names = args, names
        self._progress = Progress(len(names), "quiet" if args.quiet else "line")

    def take(self, name: str, rendered: Rendered) -> bool:
        """Whether there is something to write. Raises `NotAPageError` for the only page."""
        self.n_taken += 1
        if rendered.written is not None:
            self.n_written += 1
            if rendered.empty is not None:
                self.empty.append((name, rendered.empty))
            self._progress.count()
            return True
        is_no_page = rendered.kind == "not_a_page"
        if is_no_page and name in self.in_folder:
            self.skipped.append(rendered.message)
            self._progress.count()
            return False
        # the only page: its error is that of the command (code 2), as with the other formats
        if is_no_page and self._names == [name] and self._args.format == "jsonl":
            raise NotAPageError(rendered.message)
        tell_failure(name, rendered)
        self.failures.append((name, rendered))
        self._progress.count(errors=[rendered.kind])
        return False

    def finish(self) -> None:
        """Say what was skipped and how many failed, and write the file of errors."""
        self._progress.finish()
        if self.skipped:
            tell_skipped(self.skipped)
        if self.empty and not self._args.quiet:
            tell_empty(self.empty)
        if self._args.errors is not None:
            with write_whole(self._args.errors, "w", encoding="utf-8", errors="replace") as file:
                for name, failed in self.failures:
                    row = {"source": name, "error_kind": failed.kind, "error": failed.message}
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if self.failures and len(self._names) > 1:
            print(f"webclean: {len(self.failures)} of {len(self._names)} pages failed", file=sys.stderr)


def check_usage(args: argparse.Namespace, names: list[str]) -> None:
    """Exit with code 2 if the arguments contradict each other."""
    error = args.parser_of_command.error
    if not names:
        error(f"no HTML files in {args.input_dir}" if args.input_dir else "no page: name a file, a URL, or -")
    try:
        check_page_url(args.url)
    except InputError as wrong:
        error(f"--url: {wrong}")
    if args.inline_images and (args.format != "mobile" or args.no_images):
        error("--inline-images is for --format mobile with its images")
    if args.inline_images:
        require("writing images into pages", "PIL")
    if len(names) > 1 and args.url:
        error("--url is for one page")
    if len(names) > 1 and args.format != "jsonl" and args.output is None:
        error("many pages: say where to with -o FOLDER, or --format jsonl")
    if len(names) > 1 and args.format != "jsonl" and args.output.is_file():
        error(f"many pages, but {args.output} is a file")


def _write_one(name: str, render: RenderPage, args: argparse.Namespace) -> int:
    rendered = render(name)
    if rendered.kind == "not_a_page":
        raise NotAPageError(rendered.message)
    if rendered.written is None:
        tell_failure(name, rendered)
        return 1
    if not args.quiet:
        tell_warnings(name, rendered.warnings)  # before the text, above which they are seen
    if args.output is None:
        sys.stdout.write(rendered.written)
    else:
        write_file(args.output, rendered.written)
    return EMPTY if rendered.empty and args.fail_empty else 0


def tell_failure(name: str, rendered: Rendered) -> None:
    """Name on standard error a page that failed."""
    place = "" if rendered.message.startswith(name) else f"{name}: "
    # the message takes the place of the progress, which is drawn again below it
    over = "\r" if sys.stderr.isatty() else ""  # over the progress line
    print(f"{over}webclean: {place}{rendered.message}", file=sys.stderr)


@contextmanager
def open_output(path: Path | None) -> Iterator[IO[Any]]:
    """Standard output, which stays open, or a file that is there when all of it is written."""
    if path is None:
        yield sys.stdout
        return
    try:
        with write_whole(path, "w", encoding="utf-8", newline="\n", errors="replace") as file:
            yield file
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def write_file(path: Path, text: str) -> None:
    """Write a file and create missing folders above it."""
    with open_output(path) as file:
        file.write(text)


def plan_targets(names: list[str], folder: Path, input_dir: Path | None, suffix: str) -> Iterator[Path]:
    """A different file in the folder for each page, named after the page."""
    taken: set[Path] = set()
    for name in names:
        target = folder / _name_target(name, input_dir)
        unique, number = target.with_name(target.name + suffix), 1
        # two pages of different folders may have one name: the second becomes name-2
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
