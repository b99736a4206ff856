"""The cluster engine, on Ray Data: sources are read, cleaned and written where there is room for them.

Ray Data hands out the sources, again if their node dies; a part is made the same again, and its files appear whole. So
nothing is lost or doubled, and what is finished is marked in the same way as on one machine: the two engines can take
up each other's jobs. Inputs and output stand in a file system that all nodes see. In each actor the pages are cleaned
in a worker process of its own, since no cluster engine sets a single bad record apart.
"""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from webclean.batch.job import Plan
from webclean.batch.parts import Counts
from webclean.batch.sources import Position
from webclean.batch.templates import LearntSite, choose_sample, keep_learnt, open_learners, sample_source
from webclean.batch.work import Clean, Listener, Work, clean_sources, open_pool

if TYPE_CHECKING:
    import pyarrow as pa

_SAMPLE_ROWS: Final = 64
"""Sampled pages that leave a source together."""


class CleanSource:
    """An actor that does what is not finished of the sources that it is given, with one worker process."""

    def __init__(self, work: Work, clean: Clean | None = None) -> None:
        self._work, self._pool = work, open_pool(work, 1, clean)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """`{source}` -> the same with counts of what was done now."""
        done = Counts()
        clean_sources(self._work, [row["source"]], self._pool, lambda counts, *_: done.add(counts))
        errors = [f"{kind}\t{number}" for kind, number in done.errors.items()]
        return {"source": row["source"], "pages": done.n_pages, "errors": errors}


class SampleSource:
    """Gives the pages of a source that may be in the sample of their site."""

    def __init__(self, work: Work, n_pages: int) -> None:
        self._work, self._n_pages = work, n_pages

    def __call__(self, batch: pa.Table) -> Iterator[pa.Table]:
        import pyarrow as pa  # noqa: PLC0415  an extra

        schema = pa.schema(
            {"site": pa.string(), "rank": pa.int64(), "url": pa.string(), "charset": pa.string(), "packed": pa.binary()}
        )
        rows: list[dict[str, Any]] = []
        for number in batch.column("source").to_pylist():
            for row in sample_source(self._work, number, self._n_pages):
                rows.append(row)
                if len(rows) == _SAMPLE_ROWS:
                    yield pa.Table.from_pylist(rows, schema=schema)
                    rows = []
        yield pa.Table.from_pylist(rows, schema=schema)


class LearnGroup:
    """Learns the rules of one site from all that was sampled of it, and writes their file."""

    def __init__(self, work: Work, n_pages: int) -> None:
        self._work, self._n_pages = work, n_pages
        self._least = work.cleaner.rules.sites.min_pages
        self._pool = open_learners(work, 1)

    def __call__(self, group: pa.Table) -> pa.Table:
        """One row: the site, its pages, its rules, and the problem if it has one."""
        import pyarrow as pa  # noqa: PLC0415  an extra

        sample = choose_sample(group.to_pylist(), self._n_pages)
        site = sample[0]["site"]
        if len(sample) < self._least:
            learnt = LearntSite(site, len(sample), 0)
        else:
            learnt = keep_learnt(self._work.output, site, self._pool.run(sample))
        found = {"site": [site], "pages": [learnt.n_pages], "rules": [learnt.n_rules], "problem": [learnt.problem]}
        return pa.table(found)


def clean_on_ray(
    plan: Plan, report: Listener, *, address: str | None = None, jobs: int | None = None, clean: Clean | None = None
) -> None:
    """Do what is left of a job. address: of a running cluster; None: Ray is started here. jobs: actors at a time."""
    numbers = plan.list_open()
    sizes = [source.n_bytes for source in plan.work.sources]
    if not numbers:
        return
    with connect(address, jobs) as ray:
        # the largest sources first, so that none of them is begun when all others are done
        items = [{"source": number} for number in sorted(numbers, key=lambda number: -sizes[number])]
        sources = ray.data.from_items(items, override_num_blocks=len(items))
        actors = ray.data.ActorPoolStrategy(min_size=1, max_size=min(len(items), count_actors(ray, jobs)))
        done = sources.map(CleanSource, fn_constructor_args=(plan.work, clean), compute=actors, num_cpus=1)
        for row in done.iter_rows():
            number = row["source"]
            errors = {kind: int(n) for kind, _, n in (error.partition("\t") for error in row["errors"])}
            counts = Counts(Counter(pages=row["pages"]), Counter(errors))
            report(counts, Position(sizes[number]), number)


def learn_on_ray(work: Work, n_pages: int, *, address: str | None = None, jobs: int | None = None) -> list[LearntSite]:
    """Sample the sources, group by site, learn each and write its rules where it was learnt."""
    with connect(address, jobs) as ray:
        n_actors = count_actors(ray, jobs)
        items = [{"source": number} for number in range(len(work.sources))]
        sampled = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
            SampleSource,
            fn_constructor_args=(work, n_pages),
            batch_size=1,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=min(len(items), n_actors)),
        )
        learnt = sampled.groupby("site", num_partitions=4 * n_actors).map_groups(
            LearnGroup,
            fn_constructor_args=(work, n_pages),
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=n_actors),
        )
        found = [
            LearntSite(row["site"], row["pages"], row["rules"], problem=row["problem"]) for row in learnt.iter_rows()
        ]
    return sorted(found, key=lambda one: one.site)


@contextmanager
def connect(address: str | None, jobs: int | None) -> Iterator[Any]:
    """Ray, connected; if it was not before, it is left again."""
    import ray  # noqa: PLC0415  an extra
    import ray.data  # noqa: PLC0415

    was_there = ray.is_initialized()
    if not was_there:
        options: dict[str, Any] = {"address": address} if address else {"num_cpus": jobs, "include_dashboard": False}
        ray.init(logging_level=logging.ERROR, log_to_driver=False, **options)
    context = ray.data.DataContext.get_current()
    with contextlib.suppress(AttributeError):
        context.enable_progress_bars = False
        context.enable_operator_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield ray
    finally:
        if not was_there:
            ray.shutdown()


def count_actors(ray: Any, jobs: int | None) -> int:
    """Actors at a time: as many as asked for, or one for each CPU of the cluster."""
    return max(1, jobs or int(ray.cluster_resources().get("CPU", 1)))
