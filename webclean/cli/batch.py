"""`webclean batch`: many pages in, tables of pages, blocks and records out; `webclean crawl`: those of a site."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final

from webclean.batch.archives import write_response
from webclean.batch.job import clean_here, clean_on_ray, learn_here, learn_on_ray, learn_sites, plan_job
from webclean.batch.parts import FORMS, Counts
from webclean.batch.reports import list_progress, sum_progress, write_duplicates, write_errors
from webclean.batch.sources import KINDS as SOURCE_KINDS
from webclean.batch.sources import URLS_HELP, Position, Reading, read_url_list
from webclean.batch.tables import KINDS, Columns, Shape, describe_table_schema
from webclean.batch.work import Job, Plan
from webclean.cli.commands import COMMANDS, EMPTY, FAIL_EMPTY, command, flag, group, option, require
from webclean.cli.pages import CLEANING, READING, build_cleaner, complete_name, is_piped, limit_fetches
from webclean.cli.terminal import Progress, list_counts, tell_skipped
from webclean.errors import InputError
from webclean.files import find_path, write_whole
from webclean.page.formats import COLUMNS
from webclean.workers import WorkLimits

_INPUT: Final = group(
    "what is read",
    option("--input-format", "of all inputs (default: by the names)", choices=SOURCE_KINDS),
    option("--urls", URLS_HELP, "FILE", Path),
    flag("--no-canonical", "pages do not get the URL of their canonical link"),
    option("--url-pattern", "only URLs in which this matches; others are counted", "RE", default=""),
    option("--languages", "en,de: pages of others have a row without text", "LIST", default=""),
    option("--html-column", "column of the pages", "NAME", default="html"),
    option("--url-column", "column of their URLs", "NAME", default="url"),
    option("--keep", "copy this column into every row", "NAME", action="append", default=[]),
)
_OUTPUT: Final = group(
    "what is written",
    option("-f,--format", f"{', '.join(COLUMNS)}: also a file for each page", choices=tuple(FORMS), default="parquet"),
    flag("--blocks", "also a row for each semantic block"),
    flag("--records", "also a row for each record of index pages"),
    flag("--no-markdown", "leave the column markdown empty"),
    option("--columns", "title,text: of the pages; what no column needs is not computed", "LIST", default=""),
    option("--block-columns", "role,text: of the blocks, in the same way", "LIST", default=""),
    option("--part-rows", "records of a part", "N", int, default=1000),
    flag("--duplicates", "also OUT/duplicates: pages with nearly the text of an earlier one"),
    option("--errors", "JSON lines of the pages that failed", "FILE", Path),
    flag("--status", "only print how far the job in OUT is, and what failed, for each input"),
    option("--schema", "only print the JSON Schema of a table", choices=KINDS),
)
_RUNNING: Final = group(
    "how it is run",
    option("--jobs", "worker processes (default: one for each CPU)", "N", int),
    option("--engine", "ray: on a cluster (extra ray)", choices=("local", "ray"), default="local"),
    option("--address", "of the Ray cluster, or auto (default: one is started here)", "HOST:PORT"),
    FAIL_EMPTY,
    flag("--resume", "go on with the job in OUT: do what is not finished"),
    option("--memory", "memory a page may take; 0: any", "MB", int, default=2048),
    flag("--quiet", "no progress, and nothing but errors on standard error"),
    option("--log", "progress as JSON lines on standard error", choices=("json",)),
    *READING,
)
_SITES: Final = group(
    "site templates",
    flag("--learn-sites", "first learn the templates of each site, into OUT/rules; then apply them"),
    option("--site-pages", "pages of a site that are learnt from", "N", int, default=60),
)


@command(
    "batch",
    COMMANDS["batch"],
    option("inputs", "files, folders, patterns, or - (default: the pipe)", "INPUT", nargs="*"),
    option("-o,--output", "a new folder, or that of a job to go on with", "OUT"),
    _INPUT,
    _OUTPUT,
    _RUNNING,
    CLEANING,
    _SITES,
)
def batch(args: argparse.Namespace) -> int:
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
    if args.schema:
        print(json.dumps(describe_table_schema(args.schema), indent=1))
        return 0
    if args.status:
        return _print_status(args)
    require("webclean batch", "pyarrow", "fastwarc", *(["ray"] if args.engine == "ray" else []))
    if args.duplicates:
        require("--duplicates", "datasketch")
    _check_usage(args)
    args.output = find_path(args.output)
    plan = plan_job(_build_job(args))
    if plan.skipped and not args.quiet:
        tell_skipped(plan.skipped)
    try:
        learn = learn_here
        if args.engine == "ray":
            learn = partial(learn_on_ray, address=args.address)
        plan = learn_sites(plan, partial(learn, jobs=args.jobs))
        _run_plan(plan, args)
    # finished parts stay: the report says how to go on
    except KeyboardInterrupt:
        _report(plan, args, is_done=False)
        return 130
    except OSError:
        _report(plan, args, is_done=False)
        raise
    if args.duplicates:
        n_found = write_duplicates(args.output)
        if not args.quiet:
            print(f"webclean: {n_found} near-duplicates of other pages", file=sys.stderr)
    counts = _report(plan, args, is_done=True)
    return int(counts.n_errors > 0) or (EMPTY if counts.empty and args.fail_empty else 0)


def _print_status(args: argparse.Namespace) -> int:
    """A line for each input of a job, which may be running, stopped or finished."""
    if args.output is None:
        args.parser_of_command.error("say of which job with -o OUT")
    rows = list_progress(find_path(args.output))
    if args.log == "json":
        print("\n".join(map(json.dumps, rows)))
        return 0
    print(f"{'slices':>13s} {'pages':>9s} {'failed':>7s}  input")
    for row in [*rows, sum_progress(rows)]:
        done = f"{row['n_finished']}/{row['n_slices']}"
        failed = f"  ({list_counts(Counter(row['errors']))})" if row["errors"] else ""
        print(f"{done:>13s} {row['n_pages']:9d} {sum(row['errors'].values()):7d}  {row['input']}{failed}")
    return 0


_OF_CRAWLS: Final = ("--no-canonical", "--languages")
"""What of the options of `batch` makes sense for pages that were just fetched."""


@command(
    "crawl",
    COMMANDS["crawl"],
    option("starts", "where the crawl begins; it stays on the sites of these", "URL", nargs="+"),
    option("-o,--output", "a new folder, or that of a job to go on with", "OUT", Path, required=True),
    group(
        "what is crawled",
        option("--max-pages", "pages that are taken", "N", int, default=100),
        option("--max-depth", "links from the start; 0: any", "N", int, default=0),
        option("--follow", "only links in whose URL this matches", "RE", default=""),
        option("--topic", "words: the links that promise most on it are followed first"),
        option("--minimum", "0 to 1: links that promise less are not followed", "SHARE", float, default=0.0),
        option("--delay", "seconds between two requests, at least", "S", float, default=1.0),
        *(one for one in _INPUT.options if one.names[0] in _OF_CRAWLS),
    ),
    _OUTPUT,
    _RUNNING,
    CLEANING,
    _SITES,
)
def crawl(args: argparse.Namespace) -> int:
    """Crawl one site, or several, and clean what was found as webclean batch does: robots.txt is obeyed, one page of a
    host is asked for at a time with a pause after it, and links marked nofollow are left. The pages as served go to
    OUT.warc.gz, which webclean batch reads again under other rules. With --topic the links that promise most on it
    are followed first, on whatever page they stand; without, all links of a page before those of the next. The
    first interrupt (Ctrl-C) ends the crawl, and what was found is cleaned.
    Needs the extra crawl: pip install "webclean[crawl]".

    examples:
      webclean crawl https://example.org -o out --max-pages 500
      webclean crawl https://example.org -o out --topic "tide tables of the harbour" --blocks
      webclean crawl https://example.org/docs/ -o out --follow '/docs/' --delay 3
    """
    if args.schema:
        return batch.run(args)
    require("webclean crawl", "scrapy", "pyarrow", "fastwarc")
    if args.max_pages < 1 or args.delay < 0:
        args.parser_of_command.error("--max-pages is at least 1, --delay 0")
    archive = args.output.with_name(f"{args.output.name}.warc.gz")
    if archive.exists() and not args.resume:
        raise InputError(f"{archive} exists already: --resume cleans what is in it, or name another folder")
    if not archive.exists():
        _crawl_into(archive, args)
    given = {"inputs": [str(archive)], "input_format": "warc", "urls": None, "url_pattern": "", "keep": []}
    given |= {"html_column": "html", "url_column": "url"}
    return batch.run(argparse.Namespace(**{**vars(args), **given}))


def _crawl_into(archive: Path, args: argparse.Namespace) -> None:
    """Crawl into a web archive and say what came of it. Raises `InputError` where no page was found."""
    from webclean.web.crawl import Crawl, crawl_sites  # noqa: PLC0415  an extra

    plan = Crawl(
        urls=tuple(map(complete_name, args.starts)),
        max_pages=args.max_pages,
        max_depth=args.max_depth,
        delay=args.delay,
        url_pattern=args.follow,
        topic=args.topic or "",
        minimum=args.minimum,
        rules=tuple(args.rules),
        limits=limit_fetches(args),
    )
    progress = Progress(max(2, args.max_pages), "quiet" if args.quiet else args.log or "line")
    with write_whole(archive) as file:

        def take(url: str, content_type: str, body: bytes) -> None:
            write_response(file, url, 200, content_type, body)
            progress.count()

        failed = list_counts(crawl_sites(plan, take))
        progress.finish()
        if not progress.n_pages:
            raise InputError(f"no page of {' '.join(plan.urls)} could be read" + (f": {failed}" if failed else ""))
    if not args.quiet:
        more = f"; not taken: {failed}" if failed else ""
        print(f"webclean: {progress.n_pages} pages in {archive}{more}", file=sys.stderr)


def _check_usage(args: argparse.Namespace) -> None:
    error = args.parser_of_command.error
    if not args.inputs and is_piped():
        args.inputs = ["-"]
    if not args.inputs:
        error("no input: name files, folders, or -")
    if args.output is None:
        error("say where to with -o OUT")
    if args.duplicates and args.format in COLUMNS:
        error(f"--duplicates reads the text of the tables, which --format {' and '.join(COLUMNS)} leave out")
    if args.block_columns and not args.blocks:
        error("--block-columns are of the table that --blocks asks for")
    if args.part_rows < 1 or (args.jobs is not None and args.jobs < 1):
        error("--part-rows and --jobs are at least 1")


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


def _build_job(args: argparse.Namespace) -> Job:
    tables = ("pages", *(kind for kind in ("blocks", "records") if getattr(args, kind)))
    languages, asked, of_blocks = map(_split, (args.languages.lower(), args.columns, args.block_columns))
    needed = ["text"] if args.duplicates else [args.format] if args.format in COLUMNS else []
    columns = tuple(dict.fromkeys([*asked, *needed])) if asked else ()
    return Job(
        inputs=tuple(args.inputs),
        output=args.output,
        cleaner=build_cleaner(args),
        kind=args.input_format,
        form=args.format,
        shape=Shape(tables, not args.no_markdown, not args.no_canonical, languages, columns, of_blocks),
        reading=Reading(
            columns=Columns(html=args.html_column, url=args.url_column, keep=tuple(args.keep)),
            urls=read_url_list(args.urls),
            folders=tuple(name for name in args.inputs if Path(name).is_dir()),
            allow_private=args.allow_private,
            url_pattern=args.url_pattern,
        ),
        part_rows=args.part_rows,
        # the page stops itself at its timeout; the worker is ended where it does not, so that gets more time
        limits=WorkLimits(seconds=2 * args.timeout, memory_mb=args.memory or None),
        resume=args.resume,
        site_pages=args.site_pages if args.learn_sites else 0,
    )


def _run_plan(plan: Plan, args: argparse.Namespace) -> None:
    sizes = [source.n_bytes for source in plan.sources]
    open_ones = set(plan.list_open())
    # parts that an earlier run finished count as done, or the time left would be wrong
    done_before = sum(size for number, size in enumerate(sizes) if number not in open_ones)
    read = dict.fromkeys(open_ones, 0)
    # of two wishes --quiet wins
    form = "quiet" if args.quiet else args.log or "line"
    # progress in bytes of the inputs: how many pages an archive holds is known at its end alone
    progress = Progress(max(2, sum(sizes)), form)

    def report(counts: Counts, position: Position, number: int) -> None:
        read[number] = position.n_bytes
        progress.count(counts.n_pages, counts.errors, done_before + sum(read.values()))

    try:
        if args.engine == "ray":
            clean_on_ray(plan, report, address=args.address, jobs=args.jobs)
        else:
            clean_here(plan, report, jobs=args.jobs)
    finally:
        progress.finish(done_before + sum(read.values()))


def _report(plan: Plan, args: argparse.Namespace, *, is_done: bool) -> Counts:
    """Say what is finished, and write what failed."""
    counts = plan.count()
    if args.errors is not None:
        write_errors(plan.job.output, args.errors)
    if args.log == "json":
        told = {name: getattr(counts, name) for name in ("rows", "errors", "urls", "skipped", "empty")}
        print(json.dumps({"event": "done" if is_done else "stopped", **told}), file=sys.stderr)
    elif not args.quiet:
        for line in _sum_up(counts, plan, is_done):
            print(f"webclean: {line}", file=sys.stderr)
    return counts


def _sum_up(counts: Counts, plan: Plan, is_done: bool) -> list[str]:
    rows = ", ".join(f"{number} {kind}" for kind, number in counts.rows.items()) or "no pages"
    lines = [f"{rows} in {plan.job.output}" + (f"; failed: {list_counts(counts.errors)}" if counts.n_errors else "")]
    if counts.skipped:
        lines.append(f"records that are no pages: {list_counts(counts.skipped)}")
    if counts.empty:
        lines.append(f"texts that are empty or next to it: {list_counts(counts.empty)} (column empty_because)")
    if counts.urls["canonical"]:
        lines.append(f"{counts.urls['canonical']} pages without a URL have that of their canonical link")
    # the most frequent disappointment: rules are there and no page says which site it is from
    n_sites = len(plan.job.cleaner.book.sites)
    if n_sites and counts.n_pages and not counts.urls.total():
        lines.append(
            f"there are rules for {n_sites} sites, but no page has a URL, so none of them applies: --urls FILE"
        )
    if not is_done:
        lines.append("stopped: what is told above is finished; go on by the same command with --resume")
    return lines
