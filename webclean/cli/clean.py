"""`webclean clean`: pages in, their content out."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import IO, Annotated, Any, Final

from webclean.batch.sources import URLS_HELP, PageUrls, list_page_files, name_page, read_url_list
from webclean.batch.tables import describe_error
from webclean.cli import EMPTY, FailEmpty, Option, UsageError, command
from webclean.cli.page_options import PageOptions, choose_page, clean_page, complete_name, tell_warnings
from webclean.cli.terminal import Progress, list_counts, tell_names
from webclean.errors import InputError, NotAPageError, RuleError, WebcleanError
from webclean.page import FORMATS
from webclean.page.formats import describe_page_schema, list_switches
from webclean.parse.url import check_page_url, is_of_web, split_url
from webclean.pipeline import Cleaner
from webclean.storage import write_whole
from webclean.web.joining import join_pages
from webclean.workers import WorkerPool, WorkLimits

_SHORT: Final = {"md": "markdown", "txt": "text", "htm": "html"}
"""Other names of formats."""


@dataclass(frozen=True, slots=True)
class _Switches(Option):
    """The flags of all formats, each with the formats that take it; the value are the options that were given."""

    def add_to(self, holder: Any, name: str, kind: Any, default: Any) -> None:
        """Add one after the other."""
        for one in list_switches():
            told = f"{'no ' if one.default else ''}{one.description} ({', '.join(one.formats)})"
            holder.add_argument(
                one.flag, help=told, action="append_const", const=(one.name, not one.default), dest=name, default=[]
            )


@dataclass(frozen=True, slots=True)
class ManyPages:
    jobs: Annotated[int | None, "worker processes, 0: none (default: one for each CPU if pages are many)", "N"] = None
    quiet: Annotated[bool, "no progress"] = False


@dataclass(frozen=True, slots=True)
class Written:
    switches: Annotated[tuple[tuple[str, bool], ...], _Switches("")] = ()
    schema: Annotated[bool, "only print the JSON Schema of json and jsonl"] = False


@command()
def clean(
    *,
    pages: Annotated[
        tuple[str, ...],
        Option(
            "a file, a URL, a folder as --input-dir, or - for standard input (default: the pipe)", "PAGE", nargs="*"
        ),
    ] = (),
    input_dir: Annotated[
        Path | None,
        "all HTML files in a folder, also packed (.gz, .zst); one that --urls does not name has the URL of its "
        "canonical link, if it has one",
        "DIR",
    ] = None,
    urls: Annotated[Path | None, URLS_HELP, "FILE"] = None,
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
    names, others, found = _list_names(pages, input_dir, read_url_list(urls))
    _check_usage(len(names), options.source.url, format, output)
    cleaner = options.cleaning.build_cleaner(options.source.reading)
    taken = FORMATS[format].options.__struct_fields__
    switches = {name: is_on for name, is_on in written.switches if name in taken}
    render = RenderPage(cleaner, options, found, format, switches, join)
    report = Report(names, found.in_folder, format, many.quiet, list(map(str, others)))
    _write_pages(report, render_pages(names, render, many.jobs), output, found.folder)
    found.warn(names, cleaner.book, is_known=report.is_known)
    return 1 if report.progress.errors else EMPTY if report.empty and fail_empty else 0


def _list_names(
    pages: tuple[str, ...], folder: Path | None, listed: Mapping[str, str]
) -> tuple[list[str], list[Path], PageUrls]:
    """The pages that are cleaned, what else is in the folder, which may be the only page that is named, and the URLs.
    Raises `UsageError`."""
    if folder is None and len(pages) == 1 and Path(*pages).is_dir():
        pages, folder = (), Path(*pages)
    files, others = list_page_files(folder) if folder else ([], [])
    # `curl ... | webclean clean` names no page
    named = [choose_page(None)] if not pages and folder is None else [complete_name(page) for page in pages]
    names = [*named, *map(str, files)]
    if not names:
        if others:
            tell_names(f"skipped {len(others)}", list(map(str, others)))
        raise UsageError(f"no HTML files in {folder}")
    return names, others, PageUrls(listed, folder, frozenset(map(str, files)))


def _check_usage(n_pages: int, url: str | None, form: str, output: Path | None) -> None:
    """Raises `UsageError` if the arguments contradict each other."""
    try:
        check_page_url(url)
    except InputError as wrong:
        raise UsageError(f"--url: {wrong}") from wrong
    if n_pages == 1:
        return
    if url:
        raise UsageError("--url is for one page")
    if form != "jsonl" and output is None:
        raise UsageError("many pages: say where to with -o FOLDER, or --format jsonl")
    if form != "jsonl" and output is not None and output.is_file():
        raise UsageError(f"many pages, but {output} is a file")


@dataclass(frozen=True, slots=True)
class Rendered:
    """What is written of a page; None if it failed, and why. kind: `error_kind` of the table of pages. empty: why its
    text is empty or next to it."""

    written: str | None
    kind: str = ""
    message: str = ""
    warnings: tuple[str, ...] = ()
    empty: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RenderPage:
    """Reads and cleans one page and writes it in a format with its switches; sent to workers.

    join: fetch the other pages of its text too.
    """

    cleaner: Cleaner
    options: PageOptions
    urls: PageUrls
    format: str
    switches: Mapping[str, bool]
    join: bool

    def __call__(self, name: str) -> Rendered:
        """Raises `RuleError`, for then no page can be cleaned."""
        try:
            page = clean_page(name, self.cleaner, self.options, self.urls)
            if self.join:
                allow_private = self.options.source.reading.allow_private
                page = joined = join_pages(page, cleaner=self.cleaner, allow_private=allow_private)
                for step in joined.steps:
                    print(f"webclean: {name}: {step.rule} {step.evidence}", file=sys.stderr)
            named = {"source": name} if "source" in FORMATS[self.format].options.__struct_fields__ else {}
            text = page.render(self.format, **self.switches, **named)
            written = text if not text or text.endswith("\n") else f"{text}\n"
            return Rendered(written, "", "", page.warnings, page.empty_because, page.url)
        except RuleError:  # no fault of the page
            raise
        except Exception as error:  # a fault of ours loses one page of many, which is named
            kind, message = describe_error(error)
            ours = "" if isinstance(error, WebcleanError) else "internal error, please report it: "
            return Rendered(None, kind, f"{ours}{message}")


IN_PROCESS: Final = 160
"""So many pages are cleaned in this process unless `--jobs` says otherwise. Workers compile all rules before their
first page: on two CPUs 100 pages take 3.8 s here and 4.0 s with two workers."""
_TIMES: Final = 3
"""Times the seconds that a page may take by its own clock, after which its worker is ended."""


def render_pages(names: Sequence[str], render: RenderPage, jobs: int | None) -> Iterator[Rendered]:
    """What came of each page, in order.

    jobs: worker processes; None: one for each CPU where there are many pages; 0: this process.
    """
    # standard input cannot be sent to a worker
    if jobs == 0 or "-" in names or len(names) == 1 or (jobs is None and len(names) <= IN_PROCESS):
        yield from map(render, names)
        return
    limits = WorkLimits(seconds=_TIMES * render.options.source.reading.timeout)
    with WorkerPool(render, jobs=jobs, limits=limits, preload=("webclean.warm", "webclean.cli.clean")) as pool:
        for _, outcome in pool.map(names):
            failure = outcome.failure
            if failure is not None and failure.error == "RuleError":
                # with faulty rules no page can be cleaned: one message, not one a page
                raise RuleError(failure.message)
            if failure is not None:
                yield Rendered(None, str(failure.kind), f"{failure.error}: {failure.message}".removeprefix(": "))
            elif outcome.value is not None:
                yield outcome.value


def _write_pages(report: Report, found: Iterable[Rendered], output: Path | None, input_dir: Path | None) -> None:
    """Write one page, a file for each page, or a line of JSON for each; says what was done, also when it is stopped."""
    names, is_lines = report.names, report.format == "jsonl"
    targets: Iterable[Path | None] = repeat(None if is_lines else output)
    if not is_lines and output is not None and (len(names) > 1 or input_dir is not None or output.is_dir()):
        targets = plan_targets(names, output, input_dir, FORMATS[report.format].suffix)
    try:
        with open_output(output if is_lines else None) as lines:
            for name, rendered, target in zip(names, found, targets, strict=False):
                written = report.take(name, rendered)
                if written is not None and target is not None:
                    write_file(target, written)
                elif written is not None:
                    lines.write(written)
                    # whoever reads the lines gets each as soon as its page is cleaned
                    lines.flush()
    except KeyboardInterrupt:
        report.finish()
        # a file of JSON lines appears when it is whole, so nothing of it is there yet
        where = "nothing is" if is_lines and output is not None else f"{report.n_written} are"
        told = f"webclean: stopped after {report.progress.n_pages} of {len(names)} pages; {where} written"
        print(told, file=sys.stderr)
        raise
    report.finish()


@dataclass(slots=True)
class Report:
    """What came of the pages: told as it comes, with progress on a terminal.

    in_folder: files of the input folder. What stands there and is no page is skipped; what the user named and is no
    page is a failure. skipped: what was skipped, with the reason if it was read. empty: pages whose text is empty or
    next to it, and why. is_known: some page has a URL.
    """

    names: list[str]
    in_folder: frozenset[str]
    format: str
    quiet: bool
    skipped: list[str]
    empty: list[tuple[str, str]] = field(default_factory=list)
    n_written: int = 0
    is_known: bool = False
    progress: Progress = field(init=False)

    def __post_init__(self) -> None:
        self.progress = Progress(len(self.names), quiet=self.quiet)

    @property
    def tells_warnings(self) -> bool:
        """Whether the warnings of a page are told: those of many would be too many, and JSON holds them."""
        return len(self.names) == 1 and self.format != "jsonl" and not self.quiet

    def take(self, name: str, rendered: Rendered) -> str | None:
        """What is to be written. Raises `NotAPageError` for the only page, if it is none."""
        errors: list[str] = []
        self.is_known |= rendered.url is not None
        if self.tells_warnings:
            # before the text, above which they are seen
            tell_warnings(name, rendered.warnings)
        if rendered.empty is not None:
            self.empty.append((name, rendered.empty))
        if rendered.written is not None:
            self.n_written += 1
        elif rendered.kind == "not_a_page" and name in self.in_folder:
            self.skipped.append(rendered.message)
        elif rendered.kind == "not_a_page" and len(self.names) == 1:
            # its error is that of the command (code 2)
            raise NotAPageError(rendered.message)
        else:
            place = "" if rendered.message.startswith(name) else f"{name}: "
            over = "\r" if sys.stderr.isatty() else ""  # over the progress, which is drawn again below the message
            print(f"{over}webclean: {place}{rendered.message}", file=sys.stderr)
            errors = [rendered.kind]
        self.progress.count(errors=errors)
        return rendered.written

    def finish(self) -> None:
        """Say what was skipped and how many failed."""
        self.progress.finish()
        if self.skipped:
            tell_names(f"skipped {len(self.skipped)}", self.skipped)
        # the warnings of one page say why it is empty
        if self.empty and not self.quiet and not self.tells_warnings:
            names, kinds = zip(*self.empty, strict=True)
            tell_names(f"empty or next to it: {len(names)} ({list_counts(Counter(kinds))})", names)
        n_failed = self.progress.errors.total()
        if n_failed and len(self.names) > 1:
            print(f"webclean: {n_failed} of {len(self.names)} pages failed", file=sys.stderr)


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


def write_file(path: Path | None, text: str) -> None:
    """Write a file, with missing folders above it, or to standard output."""
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
