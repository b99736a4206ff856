"""Site templates for very many pages: a sample of each site's pages -> learnt rules, which then apply to all of them.

The sample of a site is its pages with the smallest hashes of their URLs: the same pages in any order, on any number of
machines, and as few for a site with a third of all pages as for any other. A source passes on only pages that are
among the smallest seen so far of their site, about k (1 + ln(n / k)) of n, and holds numbers, no pages, to know it.
"""

from __future__ import annotations

import heapq
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from webclean.batch.readers import read_rows
from webclean.batch.sources import Position, Row
from webclean.batch.work import PRELOAD, Plan
from webclean.errors import WebcleanError
from webclean.files import TEMPORARY, write_whole
from webclean.parse import find_canonical_link
from webclean.parse.url import find_registered_domain
from webclean.pipeline import Cleaner
from webclean.rules.files import write_yaml
from webclean.sites.site_rules import learn_site, write_site_rules
from webclean.workers import WorkerPool, WorkLimits

FOLDER: Final = "rules"
"""Folder of the output that holds the learnt rules, laid out as one for `--rules`."""
_TIMES: Final = 20
"""Pages' worth of time that learning one site may take."""


@dataclass(frozen=True, slots=True)
class LearntSite:
    """What was learnt of one site. text: its rule file, '' if it has no rules. problem: why it has none."""

    site: str
    n_pages: int
    n_rules: int
    text: str = ""
    problem: str = ""


def sample_source(plan: Plan, number: int, n_pages: int) -> Iterator[Row]:
    """`{site, rank, url, charset, packed}` of the pages of a source that may be among the sample of their site."""
    smallest: dict[str, list[int]] = {}  # site -> a heap of negative ranks, the largest rank first
    for row in read_rows(plan.sources[number], plan.job.reading, Position()):
        html = row["html"]
        url = row["url"] or (find_canonical_link(html) if html and plan.job.shape.canonical else None)
        site = find_registered_domain(url) if url else ""
        if not html or not url or not site:
            continue
        rank = rank_page(url)
        heap = smallest.setdefault(site, [])
        if len(heap) >= n_pages and rank >= -heap[0]:
            continue
        (heapq.heappush if len(heap) < n_pages else heapq.heapreplace)(heap, -rank)
        packed = zlib.compress(html, 1)
        yield {"site": site, "rank": rank, "url": url, "charset": row.get("charset"), "packed": packed}


def rank_page(url: str) -> int:
    """A number below 2 ** 63 that is as good as random, and the same everywhere."""
    return int.from_bytes(blake2b(url.encode(errors="replace"), digest_size=8).digest(), "big") >> 1


def choose_sample(rows: Iterable[Row], n_pages: int) -> list[Row]:
    """The sample of one site, of all that sources passed on: no page twice."""
    chosen = {(row["rank"], row["url"]): row for row in rows}
    return [chosen[key] for key in sorted(chosen)[:n_pages]]


@dataclass(frozen=True, slots=True, eq=False)
class LearnSite:
    """Rules from the sample of one site; run in a worker, for these are pages as any others."""

    cleaner: Cleaner

    def __call__(self, sample: list[Row]) -> LearntSite:
        """sample: of one site, in the order of ranks."""
        settings = self.cleaner.rules.sites
        site = sample[0]["site"]
        clustering = learn_site(self._analyse(sample), settings)
        rules = write_site_rules(clustering, settings)
        n_pages = clustering.site.n_pages
        header = f"Learnt from {n_pages} pages by `webclean batch --learn-sites`."
        text = write_yaml({"rules": rules}, header=header) if rules else ""
        return LearntSite(site, n_pages, len(rules), text)

    def _analyse(self, sample: list[Row]) -> Iterator[tuple[str, Any]]:
        for row in sample:
            try:
                html = zlib.decompress(row["packed"])
                yield row["url"], self.cleaner.clean(html, url=row["url"], charset=row["charset"]).analysis
            except WebcleanError:
                continue


def open_learners(plan: Plan, jobs: int | None) -> WorkerPool[list[Row], LearntSite]:
    limits = WorkLimits(_TIMES * plan.job.limits.seconds, plan.job.limits.memory_mb)
    return WorkerPool(LearnSite(plan.job.cleaner), jobs=jobs, limits=limits, preload=PRELOAD)


def keep_learnt(output: Path, site: str, outcome: Any) -> LearntSite:
    """Write the rule file of a site, if there is something in it. outcome: of a worker."""
    if outcome.failure is not None:
        return LearntSite(site, 0, 0, problem=f"{outcome.failure.kind}: {outcome.failure.message}")
    learnt: LearntSite = outcome.value
    if learnt.text:
        with write_whole(output / FOLDER / "sites" / f"{site}.yaml", "w", encoding="utf-8") as file:
            file.write(learnt.text)
    return replace(learnt, text="")  # that of all sites would be much


def learn_here(plan: Plan, n_pages: int, jobs: int | None = None) -> list[LearntSite]:
    """The embedded engine: samples are sorted by site in a file, and learnt site by site."""
    store = plan.job.output / f".samples{TEMPORARY}"
    least = plan.job.cleaner.rules.sites.min_pages
    try:
        with closing(sqlite3.connect(store)) as table, open_learners(plan, jobs) as pool:
            table.execute("pragma journal_mode = off")
            table.execute("create table pages (site text, rank integer, url text, charset text, packed blob)")
            for number in range(len(plan.sources)):
                rows = sample_source(plan, number, n_pages)
                table.executemany("insert into pages values (:site, :rank, :url, :charset, :packed)", rows)
            samples = (sample for sample in _read_samples(table, n_pages) if len(sample) >= least)
            return [keep_learnt(plan.job.output, sample[0]["site"], outcome) for sample, outcome in pool.map(samples)]
    finally:
        store.unlink(missing_ok=True)


def _read_samples(table: sqlite3.Connection, n_pages: int) -> Iterator[list[Row]]:
    table.row_factory = sqlite3.Row
    found = (dict(row) for row in table.execute("select * from pages order by site"))
    for _, rows in groupby(found, key=lambda row: str(row["site"])):
        yield choose_sample(rows, n_pages)


def add_learnt_rules(cleaner: Cleaner, output: Path) -> Cleaner:
    """The same cleaner with the rules that were learnt, which are over its folders and under its files."""
    folder = output / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    return Cleaner(
        rules=[*cleaner.book.folders[1:], folder, *cleaner.book.files],
        profile=cleaner.profile,
        parser=cleaner.parser,
        method=cleaner.method,
        limits=cleaner.limits,
        on_limit=cleaner.on_limit,
        platforms=cleaner.platforms,
    )
