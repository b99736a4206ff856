"""`webclean batch`: many pages in, tables of pages, blocks and records out; `webclean crawl`: those of a site."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from webclean.batch.archives import write_response
from webclean.batch.job import Job, Plan, plan_job, run_plan, run_plan_on_ray
from webclean.batch.output_folder import FORMS, Counts
from webclean.batch.sources import KINDS as SOURCE_KINDS
from webclean.batch.sources import URLS_HELP, Position, Reading, read_url_list
from webclean.batch.tables import Columns, Shape
from webclean.cli import EMPTY, FailEmpty, Option, UsageError, command, page_options, require
from webclean.cli.page_options import Cleaning, complete_name, is_piped
from webclean.cli.terminal import Progress, list_counts, tell_names
from webclean.errors import InputError
from webclean.storage import find_path, write_whole
from webclean.web import Crawl
from webclean.workers import WorkLimits

NoCanonical = Annotated[bool, "pages do not get the URL of their canonical link"]
Languages = Annotated[str, "en,de: pages of others have a row without text", "LIST"]


@dataclass(frozen=True, slots=True)
class Input:
    input_format: Annotated[str | None, Option("of all inputs (default: by the names)", choices=SOURCE_KINDS)] = None
    urls: Annotated[Path | None, URLS_HELP, "FILE"] = None
    no_canonical: NoCanonical = False
    url_pattern: Annotated[str, "only URLs in which this matches; others are counted", "RE"] = ""
    languages: Languages = ""
    html_column: Annotated[str, "column of the pages", "NAME"] = "html"
    url_column: Annotated[str, "column of their URLs", "NAME"] = "url"
    keep: Annotated[tuple[str, ...], "copy this column into every row", "NAME"] = ()


@dataclass(frozen=True, slots=True)
class Output:
    format: Annotated[str, Option("of the files", None, "-f,--format", choices=FORMS)] = "parquet"
    blocks: Annotated[bool, "also a row for each semantic block"] = False
    records: Annotated[bool, "also a row for each record of index pages"] = False
    columns: Annotated[str, "title,text: of the pages; what no column needs is not computed", "LIST"] = ""
    block_columns: Annotated[str, "role,text: of the blocks, in the same way", "LIST"] = ""
    part_rows: Annotated[int, "records of a part", "N"] = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    jobs: Annotated[int | None, "worker processes (default: one for each CPU)", "N"] = None
    engine: Annotated[Literal["local", "ray"], "ray: on a cluster (extra ray)"] = "local"
    address: Annotated[str | None, "of the Ray cluster, or auto (default: one is started here)", "HOST:PORT"] = None
    fail_empty: FailEmpty = False
    resume: Annotated[bool, "go on with the job in OUT: do what is not finished"] = False
    memory: Annotated[int, "memory a page may take; 0: any", "MB"] = 2048
    quiet: Annotated[bool, "no progress, and nothing but errors on standard error"] = False
    reading: page_options.Reading

    def tell(self, text: str) -> None:
        """A line on standard error."""
        if not self.quiet:
            print(f"webclean: {text}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class JobOptions:
    """The options of jobs on any pages."""

    writing: Annotated[Output, "what is written"]
    running: Annotated[Running, "how it is run"]
    cleaning: Annotated[Cleaning, "how it is cleaned"]


@command()
def batch(
    *,
    inputs: Annotated[
        tuple[str, ...], Option("files, folders, patterns, or - (default: the pipe)", "INPUT", nargs="*")
    ] = (),
    output: Annotated[str | None, "a new folder, or that of a job to go on with", "OUT", "-o,--output"] = None,
    source: Annotated[Input, "what is read"],
    options: JobOptions,
) -> int:
    r"""Clean many pages. INPUT: files and folders of pages (.html, also .gz, .zst), web archives (.warc, .warc.gz),
    tables (.parquet), JSON lines (.jsonl, also .gz, .zst), lists of URLs (.txt), patterns, - for standard input.
    Needs the extra batch: pip install "webclean[batch]".

    The output is a folder: OUT/pages holds a row for each page, OUT/blocks and OUT/records those of blocks and
    records. A page that raises, hangs, crashes its process or eats its memory has a row with status `error`, and
    the others go on. Files of a part appear when the part is finished; --resume does what is left. A page without a
    URL has that of its canonical link, and its warnings say so.

    examples:
      webclean batch pages/ -o out                             a folder of pages -> out/pages/*.parquet
      webclean batch crawl-*.warc.gz -o out --blocks           web archives; with a row for each semantic block
      webclean batch crawl.warc.gz -o out --blocks --resume    go on after a stop
      webclean batch pages.parquet -o out --html-column body --url-column address --keep id
      webclean batch urls.txt -o out --format jsonl.zst        fetch the pages of a list, one a second from each host
      python -c "import duckdb; duckdb.sql(\"from 'out/pages/*.parquet' select page_type, count() group by 1\").show()"

    exit codes: 0 done, 1 pages failed (their rows say why), 2 wrong usage, rules or input, 3 a text is empty or
    next to it (with --fail-empty), 130 interrupted
    """
    inputs = inputs or (("-",) if is_piped() else ())
    if not inputs:
        raise UsageError("no input: name files, folders, or -")
    if output is None:
        raise UsageError("say where to with -o OUT")
    return _run_batch(inputs, output, source, options)


def _run_batch(inputs: tuple[str, ...], output: str, source: Input, options: JobOptions) -> int:
    """What both commands do: the job, and what is told of it."""
    writing, running = options.writing, options.running
    is_on_ray = running.engine == "ray"
    require("webclean batch", "ray" if is_on_ray else "batch", "pyarrow", "fastwarc", *["ray"] * is_on_ray)
    if writing.block_columns and not writing.blocks:
        raise UsageError("--block-columns are of the table that --blocks asks for")
    if writing.part_rows < 1 or (running.jobs is not None and running.jobs < 1):
        raise UsageError("--part-rows and --jobs are at least 1")
    plan = plan_job(_build_job(inputs, find_path(output), source, options))
    if plan.skipped and not running.quiet:
        tell_names(f"skipped {len(plan.skipped)}", plan.skipped)
    sizes, open_ones = [source.n_bytes for source in plan.sources], set(plan.list_open())
    # parts that an earlier run finished count as done, or the time left would be wrong
    done_before = sum(size for number, size in enumerate(sizes) if number not in open_ones)
    read = dict.fromkeys(open_ones, 0)
    # progress in bytes of the inputs: how many pages an archive holds is known at its end alone
    progress = Progress(max(2, sum(sizes)), quiet=running.quiet)

    def report(counts: Counts, position: Position, number: int) -> None:
        read[number] = position.n_bytes
        progress.count(counts.rows["pages"], counts.errors, done_before + sum(read.values()))

    try:
        try:
            (partial(run_plan_on_ray, address=running.address) if is_on_ray else run_plan)(plan, report)
        finally:
            progress.finish()
    # finished parts stay: the report says how to go on
    except (KeyboardInterrupt, OSError):
        _report(plan, running, is_done=False)
        raise
    counts = _report(plan, running, is_done=True)
    return int(bool(counts.errors)) or (EMPTY if counts.empty and running.fail_empty else 0)


@dataclass(frozen=True, slots=True)
class Crawling(Crawl):
    """What is crawled, and which of its pages are cleaned."""

    no_canonical: NoCanonical = False
    languages: Languages = ""


@command()
def crawl(
    *,
    starts: Annotated[
        tuple[str, ...], Option("where the crawl begins; it stays on the sites of these", "URL", nargs="+")
    ],
    output: Annotated[Path, "a new folder, or that of a job to go on with", "OUT", "-o,--output"],
    crawling: Annotated[Crawling, "what is crawled"],
    options: JobOptions,
) -> int:
    """Crawl one site, or several, and clean what was found as webclean batch does: robots.txt is obeyed, one page of a
    host is asked for at a time with a pause after it, and links marked nofollow are left. The pages as served go to
    OUT.warc.gz, which webclean batch reads again under other rules. With --topic the links that promise most on it
    are followed first, on whatever page they stand; without, all links of a page before those of the next. The
    first interrupt (Ctrl-C) ends the crawl, and what was found is cleaned. One that was killed has left its answers
    in OUT.crawl: the same command with --resume goes on without asking for them again.
    Needs the extra crawl: pip install "webclean[crawl]".

    examples:
      webclean crawl https://example.org -o out --max-pages 500
      webclean crawl https://example.org -o out --topic "tide tables of the harbour" --blocks
      webclean crawl https://example.org/docs/ -o out --follow '/docs/' --delay 3
    """
    archive = output.with_name(f"{output.name}.warc.gz")
    require("webclean crawl", "crawl", "scrapy", "pyarrow", "fastwarc")
    if crawling.max_pages < 1 or crawling.delay < 0:
        raise UsageError("--max-pages is at least 1, --delay 0")
    cache = output.with_name(f"{output.name}.crawl")
    for path, what in ((archive, "cleans what is in it"), (cache, "goes on with the crawl that was stopped")):
        if path.exists() and not options.running.resume:
            raise InputError(f"{path} exists already: --resume {what}, or name another folder")
    source = Input("warc", no_canonical=crawling.no_canonical, languages=crawling.languages)
    if archive.exists():
        return _run_batch((str(archive),), str(output), source, options)
    from webclean.web.crawl import crawl_sites  # noqa: PLC0415  an extra

    running, urls = options.running, tuple(map(complete_name, starts))
    plan = replace(crawling, urls=urls, rules=options.cleaning.rules, limits=running.reading.limits)
    progress = Progress(max(2, crawling.max_pages), quiet=running.quiet)
    if cache.exists():
        running.tell(f"goes on with the answers that are in {cache}")
    with write_whole(archive) as file:

        def take(url: str, content_type: str, body: bytes) -> None:
            write_response(file, url, content_type, body)
            progress.count()

        failed = list_counts(crawl_sites(plan, take, cache))
        progress.finish()
        shutil.rmtree(cache, ignore_errors=True)
        if not progress.n_pages:
            raise InputError(f"no page of {' '.join(urls)} could be read" + (f": {failed}" if failed else ""))
    running.tell(f"{progress.n_pages} pages in {archive}" + (f"; not taken: {failed}" if failed else ""))
    return _run_batch((str(archive),), str(output), source, options)


def _build_job(inputs: tuple[str, ...], output: Path, source: Input, options: JobOptions) -> Job:
    writing, running = options.writing, options.running
    tables = ("pages", *(kind for kind in ("blocks", "records") if getattr(writing, kind)))
    languages, columns, of_blocks = (
        tuple(filter(None, map(str.strip, names.split(","))))
        for names in (source.languages.lower(), writing.columns, writing.block_columns)
    )
    return Job(
        inputs=inputs,
        output=output,
        cleaner=options.cleaning.build_cleaner(running.reading),
        kind=source.input_format,
        form=writing.format,
        shape=Shape(tables, not source.no_canonical, languages, columns, of_blocks),
        reading=Reading(
            columns=Columns(html=source.html_column, url=source.url_column, keep=source.keep),
            urls=read_url_list(source.urls),
            folders=tuple(name for name in inputs if Path(name).is_dir()),
            allow_private=running.reading.allow_private,
            url_pattern=source.url_pattern,
        ),
        part_rows=writing.part_rows,
        jobs=running.jobs,
        # the page stops itself at its timeout; the worker is ended where it does not, so that gets more time
        limits=WorkLimits(seconds=2 * running.reading.timeout, memory_mb=running.memory or None),
        resume=running.resume,
    )


def _report(plan: Plan, running: Running, *, is_done: bool) -> Counts:
    """Say what is finished."""
    counts, tell = plan.count(), running.tell
    rows = ", ".join(f"{number} {kind}" for kind, number in counts.rows.items()) or "no pages"
    tell(f"{rows} in {plan.job.output}" + (f"; failed: {list_counts(counts.errors)}" if counts.errors else ""))
    if counts.skipped:
        tell(f"records that are no pages: {list_counts(counts.skipped)}")
    if counts.empty:
        tell(f"texts that are empty or next to it: {list_counts(counts.empty)} (column empty_because)")
    if counts.urls["canonical"]:
        tell(f"{counts.urls['canonical']} pages without a URL have that of their canonical link")
    # the most frequent disappointment: rules are there and no page says which site it is from
    n_sites = len(plan.job.cleaner.book.sites)
    if n_sites and counts.rows["pages"] and not counts.urls.total():
        tell(f"there are rules for {n_sites} sites, but no page has a URL, so none of them applies: --urls FILE")
    if not is_done:
        tell("stopped: what is told above is finished; go on by the same command with --resume")
    return counts
