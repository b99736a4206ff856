"""`webclean clean`: pages in, their content out."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Annotated, Any, Final

from webclean.batch.sources import URLS_HELP, PageUrls, list_page_files, name_page, read_url_list
from webclean.cli import EMPTY, FailEmpty, Option, UsageError, command, page_options
from webclean.cli.page_options import PageOptions, Rendered, RenderPage
from webclean.cli.terminal import Progress, tell_empty, tell_skipped
from webclean.errors import InputError, NotAPageError
from webclean.page import FORMATS
from webclean.page.formats import describe_page_schema, list_switches
from webclean.parse.url import check_page_url, is_of_web, split_url
from webclean.storage import write_whole

_SHORT: Final = {"md": "markdown", "txt": "text", "htm": "html"}
"""Other names of formats."""


@dataclass(frozen=True, slots=True)
class _Switches(Option):
    """The flags of all formats, each with the formats that take it; the value are those that were given."""

    def add_to(self, holder: Any, name: str, kind: Any, default: Any) -> None:
        """Add one after the other."""
        for one in list_switches():
            told = f"{'no ' if one.default else ''}{one.description} ({', '.join(one.formats)})"
            holder.add_argument(one.flag, help=told, action="append_const", const=one.flag, dest=name, default=[])


@dataclass(frozen=True, slots=True)
class Inputs:
    """Which pages are cleaned."""

    pages: Annotated[
        tuple[str, ...],
        Option(
            "a file, a URL, a folder as --input-dir, or - for standard input (default: the pipe)", "PAGE", nargs="*"
        ),
    ] = ()
    input_dir: Annotated[
        Path | None,
        "all HTML files in a folder, also packed (.gz, .zst); one that --urls does not name has the URL of its "
        "canonical link, if it has one",
        "DIR",
    ] = None
    urls: Annotated[Path | None, URLS_HELP, "FILE"] = None


@dataclass(frozen=True, slots=True)
class ManyPages:
    """How many pages are cleaned."""

    jobs: Annotated[int | None, "worker processes, 0: none (default: one for each CPU if pages are many)", "N"] = None
    quiet: Annotated[bool, "no progress"] = False


@dataclass(frozen=True, slots=True)
class Written:
    """What is written of a page."""

    switches: Annotated[tuple[str, ...], _Switches("")] = ()
    schema: Annotated[bool, "only print the JSON Schema of json and jsonl"] = False

    def choose(self, name: str) -> dict[str, bool]:
        """The switches of a format, by the names of its options."""
        return {one.name: one.default != (one.flag in self.switches) for one in list_switches() if name in one.formats}


@command()
def clean(
    *,
    inputs: Inputs,
    format: Annotated[  # noqa: A002  the name of the option
        str,
        Option(
            "what is written", None, "-f,--format", choices=tuple(FORMATS), read=lambda word: _SHORT.get(word, word)
        ),
    ] = "text",
    output: Annotated[Path | None, "a file, or a folder for many pages", "PATH", "-o,--output"] = None,
    fail_empty: FailEmpty = False,
    join: Annotated[bool, "fetch the other pages of the same text too (single page, or next pages)"] = False,
    many: Annotated[ManyPages, "many pages"],
    written: Annotated[Written, "what is written"],
    options: PageOptions,
) -> int:
    """Clean pages: files, URLs, or - for standard input. One page goes to standard output or to -o FILE; many pages go
    to -o FOLDER, one file each, or to one file of JSON lines. A page that fails is named on standard error and the
    others go on. Rules of a site apply to pages with a URL (--url, --urls). A page of a folder (--input-dir) that
    is given none has the URL of its canonical link; webclean.clean in Python does not do that.

    examples:
      webclean clean page.html
      webclean clean https://example.org/news/1 --format markdown
      curl -s https://example.org | webclean clean - --url https://example.org --format json
      webclean clean https://example.org/story --join       all parts of a text that is spread over pages
      webclean clean --input-dir pages/ -o text/
      webclean clean pages/*.html --format jsonl -o pages.jsonl

    exit codes: 0 done, 1 a page failed, 2 wrong usage or rules, or an input that is no page, 3 a text is empty or
    next to it (with --fail-empty)
    """
    if written.schema:
        print(json.dumps(describe_page_schema(), indent=1))
        return 0
    names, files, others, input_dir = _list_names(inputs.pages, inputs.input_dir)
    _check_usage(len(names), options.source.url, format, output)
    cleaner, in_folder = options.cleaning.build_cleaner(options.source.reading), frozenset(map(str, files))
    found = PageUrls(read_url_list(inputs.urls), input_dir, in_folder)
    render = RenderPage(cleaner, options, found, format, written.choose(format), join)
    if format != "jsonl" and not (output is not None and (len(names) > 1 or input_dir is not None or output.is_dir())):
        code = _write_one(names[0], render, output, quiet=many.quiet)
    else:
        report = Report(names, in_folder, format, many, list(map(str, others)))
        code = _write_many(report, render, output, input_dir)
    found.warn([cleaner.book])
    return 0 if code == EMPTY and not fail_empty else code


def _list_names(pages: Sequence[str], input_dir: Path | None) -> tuple[list[str], list[Path], list[Path], Path | None]:
    """The pages that are cleaned, those of them that are of the folder, what else is in it, and the folder, which may
    be the only page that is named. Raises `UsageError`."""
    if input_dir is None and len(pages) == 1 and Path(*pages).is_dir():
        pages, input_dir = (), Path(*pages)
    files, others = list_page_files(input_dir) if input_dir else ([], [])
    names = [*map(page_options.complete_name, pages), *map(str, files)]
    if not names and not input_dir and page_options.is_piped():
        # `curl ... | webclean clean` names no page
        names = ["-"]
    if not names and others:
        tell_skipped(list(map(str, others)))
    if not names:
        raise UsageError(f"no HTML files in {input_dir}" if input_dir else "no page: name a file, a URL, or -")
    return names, files, others, input_dir


def _write_many(report: Report, render: RenderPage, output: Path | None, input_dir: Path | None) -> int:
    """A file for each page, or one line of JSON; says what was done, also when it is stopped. Gives the exit code."""
    found, is_lines = page_options.render_pages(report.names, render, report.many.jobs), report.format == "jsonl"
    try:
        if is_lines or output is None:
            with open_output(output) as lines:
                for name, rendered in found:
                    if report.take(name, rendered):
                        lines.write(rendered.written or "")
                        # whoever reads the lines gets each as soon as its page is cleaned
                        lines.flush()
        else:
            targets = plan_targets(report.names, output, input_dir, FORMATS[report.format].suffix)
            for (name, rendered), target in zip(found, targets, strict=True):
                if report.take(name, rendered):
                    write_file(target, rendered.written or "")
    except KeyboardInterrupt:
        report.finish()
        # a file of JSON lines appears when it is whole, so nothing of it is there yet
        where = "nothing is" if is_lines and output is not None else f"{report.n_written} are"
        print(
            f"webclean: stopped after {report.n_taken} of {len(report.names)} pages; {where} written", file=sys.stderr
        )
        raise
    report.finish()
    return 1 if report.n_failed else EMPTY if report.empty else 0


@dataclass(slots=True)
class Report:
    """What came of many pages: told as it comes, with progress on a terminal.

    in_folder: files of the input folder. What stands there and is no page is skipped; what the user named and is no
    page is a failure. skipped: what was skipped, with the reason if it was read. empty: pages whose text is empty or
    next to it, and why.
    """

    names: list[str]
    in_folder: frozenset[str]
    format: str
    many: ManyPages
    skipped: list[str]
    empty: list[tuple[str, str]] = field(default_factory=list)
    n_taken: int = 0
    n_written: int = 0
    n_failed: int = 0
    progress: Progress = field(init=False)

    def __post_init__(self) -> None:
        self.progress = Progress(len(self.names), "quiet" if self.many.quiet else "line")

    def take(self, name: str, rendered: Rendered) -> bool:
        """Whether there is something to write. Raises `NotAPageError` for the only page."""
        is_written, is_no_page = rendered.written is not None, rendered.kind == "not_a_page"
        self.n_taken += 1
        self.n_written += is_written
        errors: list[str] = []
        if rendered.empty is not None:
            self.empty.append((name, rendered.empty))
        elif is_no_page and name in self.in_folder:
            self.skipped.append(rendered.message)
        elif is_no_page and self.names == [name] and self.format == "jsonl":
            # the only page: its error is that of the command (code 2), as with the other formats
            raise NotAPageError(rendered.message)
        elif not is_written:
            tell_failure(name, rendered)
            self.n_failed += 1
            errors = [rendered.kind]
        self.progress.count(errors=errors)
        return is_written

    def finish(self) -> None:
        """Say what was skipped and how many failed."""
        self.progress.finish()
        if self.skipped:
            tell_skipped(self.skipped)
        if self.empty and not self.many.quiet:
            tell_empty(self.empty)
        if self.n_failed and len(self.names) > 1:
            print(f"webclean: {self.n_failed} of {len(self.names)} pages failed", file=sys.stderr)


def _check_usage(n_pages: int, url: str | None, form: str, output: Path | None) -> None:
    """Raises `UsageError` if the arguments contradict each other."""
    try:
        check_page_url(url)
    except InputError as wrong:
        raise UsageError(f"--url: {wrong}") from wrong
    if n_pages > 1 and url:
        raise UsageError("--url is for one page")
    if n_pages > 1 and form != "jsonl" and output is None:
        raise UsageError("many pages: say where to with -o FOLDER, or --format jsonl")
    if n_pages > 1 and form != "jsonl" and output is not None and output.is_file():
        raise UsageError(f"many pages, but {output} is a file")


def _write_one(name: str, render: RenderPage, output: Path | None, *, quiet: bool) -> int:
    rendered = render(name)
    if rendered.kind == "not_a_page":
        raise NotAPageError(rendered.message)
    if rendered.written is None:
        tell_failure(name, rendered)
        return 1
    if not quiet:
        page_options.tell_warnings(name, rendered.warnings)  # before the text, above which they are seen
    if output is None:
        sys.stdout.write(rendered.written)
    else:
        write_file(output, rendered.written)
    return EMPTY if rendered.empty else 0


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
        path = name_page(Path(name))
        if is_of_web(name):
            parts = split_url(name)
            written = re.sub(r"[^\w.-]+", "_", f"{parts.netloc}{parts.path}{parts.query}").strip("_.")
            target = folder / (written[:150] or "page")
        elif name != "-" and input_dir is not None and path.is_relative_to(input_dir):
            # a file of the input folder keeps its path in it
            target = folder / path.relative_to(input_dir).with_suffix("")
        else:
            target = folder / ("stdin" if name == "-" else path.stem)
        unique, number = target.with_name(target.name + suffix), 1
        # two pages of different folders may have one name: the second becomes name-2
        while unique in taken:
            number += 1
            unique = target.with_name(f"{target.name}-{number}{suffix}")
        taken.add(unique)
        yield unique
