"""Sources -> slices, each read, cleaned and written by one worker, so that one large file is the work of all cores.

A slice of a web archive is a range of bytes: the records that begin in it, found by who reads them, as Hadoop splits
its files. A slice of a Parquet file is some of its row groups, one of page files some of the files. What cannot be
divided (JSON lines, lists of URLs, standard input, archives that are packed as a whole) is read by one process, which
hands the pages to all workers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Final

from webclean.batch.archives import has_seekable_records
from webclean.batch.sources import PageSource, pack_files
from webclean.files import find_path

_SLICES: Final = 64
"""Slices that the inputs of a job are cut into, at least, where that is not below the least of bytes or files: enough
for the cores of a machine, and no more files than needed."""
_SLICE_BYTES: Final = (1 << 20, 64 << 20)
"""The least is some twenty pages: at the end of a job workers wait for each other for half a slice, and of 300 pages in
five slices two workers do three and two, which makes them 1.7 times as fast as one."""
_SLICE_FILES: Final = 16
_LARGE_GROUP: Final = 16
"""Slices' worth of bytes in one slice of a Parquet file from which on its pages are handed out instead."""


def cut_sources(sources: Iterable[PageSource], slice_bytes: int | None = None) -> tuple[PageSource, ...]:
    """The sources cut into slices that workers read by themselves, so that one large file is the work of all of them.

    The same inputs give the same slices on every machine. slice_bytes: of one, if not chosen by the size of all.
    """
    listed = tuple(sources)
    least, most = _SLICE_BYTES
    size = slice_bytes or min(most, max(least, sum(one.n_bytes for one in listed) // _SLICES))
    n_files = max(_SLICE_FILES, sum(len(one.paths) for one in listed if one.kind == "files") // _SLICES)
    return tuple(part for one in listed for part in _cut_source(one, size, n_files))


def _cut_source(source: PageSource, size: int, n_files: int) -> list[PageSource]:
    if source.kind == "files":
        return pack_files(source.paths, n_files)
    if source.paths[0] == "-" or source.kind not in ("warc", "parquet"):
        return [replace(source, is_handed=True)]
    if source.n_bytes <= size:
        return [source]
    return _cut_archive(source, size) if source.kind == "warc" else _cut_table(source, size)


def _cut_archive(source: PageSource, size: int) -> list[PageSource]:
    """By bytes; which records begin there is found out by who reads it."""
    if not has_seekable_records(source.paths[0]):
        return [replace(source, is_handed=True)]
    n = -(-source.n_bytes // size)
    bounds = [source.n_bytes * k // n for k in range(n + 1)]
    return [replace(source, n_bytes=end - first, first=first, end=end) for first, end in pairwise(bounds)]


def _cut_table(source: PageSource, size: int) -> list[PageSource]:
    """By row groups, as many as it takes to a size. A group of its size or more is cheaper read once than by many."""
    import pyarrow as pa  # noqa: PLC0415  an extra
    import pyarrow.parquet as pq  # noqa: PLC0415  an extra

    try:
        with find_path(source.paths[0]).open("rb") as opened:
            file = pq.read_metadata(opened)
    except (OSError, pa.ArrowException):  # its row will say so
        return [source]
    bounds, n_bytes, sizes = [0], 0, []
    for group in range(file.num_row_groups):
        columns = file.row_group(group)
        n_bytes += sum(columns.column(number).total_compressed_size for number in range(columns.num_columns))
        if n_bytes >= size or group == file.num_row_groups - 1:
            sizes.append(n_bytes)
            bounds.append(group + 1)
            n_bytes = 0
    if not sizes or max(sizes) > _LARGE_GROUP * size:
        return [replace(source, is_handed=True)]
    spans = zip(pairwise(bounds), sizes, strict=True)
    return [replace(source, n_bytes=n_bytes, first=first, end=end) for (first, end), n_bytes in spans]
