"""All finished parts of a job -> how far it is, the pages that failed, and those whose text is nearly that of an
earlier one.

Duplicates: MinHash of the shingles of five words (Broder 1997), found by locality-sensitive hashing, by datasketch. The
signatures of pages that are no duplicates are held in memory: about 3 kB a page.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from webclean.batch.output_folder import FinishedMarks, list_part_files, read_inputs
from webclean.storage import open_unpacked, write_whole

_SHOWN: Final = ("source", "url", "error_kind", "error")


def write_errors(output: Path, path: Path) -> int:
    """Write a JSON line for each page that failed, and count them."""
    n_rows = 0
    with write_whole(path, "w", encoding="utf-8") as file:
        for part in list_part_files(output, "pages"):
            for row in read_part(part, _SHOWN, "error"):
                file.write(json.dumps({name: row[name] for name in _SHOWN}, ensure_ascii=False) + "\n")
                n_rows += 1
    return n_rows


def read_part(part: Path, names: tuple[str, ...], status: str) -> Iterator[dict[str, Any]]:
    """The rows of a part of the table of pages that have a status: `ok`, `error`, `skipped`."""
    if part.suffix == ".parquet":
        import pyarrow.parquet as pq  # noqa: PLC0415  an extra

        with part.open("rb") as file:
            yield from pq.read_table(file, columns=list(names), filters=[("status", "=", status)]).to_pylist()
        return
    with open_unpacked(part) as file:
        for line in file:
            row = json.loads(line)
            if row["status"] == status:
                yield row


def list_progress(output: Path) -> list[dict[str, Any]]:
    """How far a job is, from the marks in its folder: a row for each input (for files of pages: for each folder), with
    slices, finished ones, finished parts, pages, pages that failed by kind, and records that are no pages by reason.

    Raises `InputError` if there is no job.
    """
    inputs = read_inputs(output)
    rows: dict[str, list[dict[str, Any]]] = {}
    for (kind, path), progress in zip(inputs, FinishedMarks(output).list_progress(len(inputs)), strict=True):
        name, counts = str(Path(path).parent) if kind == "files" else path, progress.counts
        row = {"input": name, "n_slices": 1, "n_finished": int(progress.is_finished), "n_parts": progress.n_parts}
        row |= {"n_pages": counts.n_pages, "errors": dict(counts.errors), "skipped": dict(counts.skipped)}
        rows.setdefault(name, []).append(row)
    return [sum_progress(slices, name) for name, slices in rows.items()]


def sum_progress(rows: Sequence[dict[str, Any]], name: str = "all") -> dict[str, Any]:
    """Rows of progress as one."""
    summed: dict[str, Any] = {"input": name}
    for key in ("n_slices", "n_finished", "n_parts", "n_pages"):
        summed[key] = sum(row[key] for row in rows)
    for key in ("errors", "skipped"):
        summed[key] = dict(sum((Counter(row[key]) for row in rows), Counter()))
    return summed


_N_WORDS: Final = 5
"""Words of a shingle."""
_N_PERMUTATIONS: Final = 128
"""Of a signature. The standard error of an estimated similarity s is the root of s (1 - s) / 128: .035 at .8."""
SIMILARITY: Final = 0.8
"""Jaccard similarity of the shingles of two pages from which on they are near-duplicates."""


def write_duplicates(output: Path) -> int:
    """Write `duplicates/duplicates.parquet`: a row for each page that has nearly the text of an earlier one, the most
    similar of those that are no duplicates themselves. Count the rows."""
    import pyarrow as pa  # noqa: PLC0415  an extra
    import pyarrow.parquet as pq  # noqa: PLC0415  an extra

    texts = ("source", "url", "duplicate_of", "duplicate_of_url")
    schema = pa.schema([*(pa.field(name, pa.string()) for name in texts), pa.field("similarity", pa.float64())])
    rows = list(find_duplicates(_read_texts(output)))
    with write_whole(output / "duplicates" / "duplicates.parquet") as file:
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), file)
    return len(rows)


def _read_texts(output: Path) -> Iterator[dict[str, Any]]:
    for part in list_part_files(output, "pages"):
        yield from read_part(part, ("source", "url", "text", "status"), "ok")


def find_duplicates(pages: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """`{source, url, duplicate_of, duplicate_of_url, similarity}` of those that have nearly the text of an earlier one.

    pages: `{source, url, text}`; one without text is no duplicate.
    """
    from datasketch import MinHash, MinHashLSH  # noqa: PLC0415  an extra

    index = MinHashLSH(threshold=SIMILARITY, num_perm=_N_PERMUTATIONS)
    known: list[tuple[Any, str, str | None]] = []
    for page in pages:
        shingles = list_shingles(page["text"] or "")
        if not shingles:
            continue
        signature = MinHash(num_perm=_N_PERMUTATIONS, hashfunc=zlib.crc32)
        signature.update_batch(shingles)
        near = [(signature.jaccard(known[number][0]), -number) for number in index.query(signature)]
        similarity, place = max(near, default=(0.0, 0))
        if similarity >= SIMILARITY:
            _, source, url = known[-place]
            found = {"duplicate_of": source, "duplicate_of_url": url, "similarity": float(similarity)}
            yield {"source": page["source"], "url": page["url"], **found}
        else:
            index.insert(len(known), signature)
            known.append((signature, page["source"], page["url"]))


def list_shingles(text: str) -> list[bytes]:
    """All runs of five words, in lower case; the text itself if it has fewer."""
    words = text.lower().split()
    last = max(1, len(words) - _N_WORDS + 1)
    return [" ".join(words[first : first + _N_WORDS]).encode() for first in range(last)] if words else []
