"""The rows of pages that failed, of all finished parts of a job."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from webclean.batch.parts import list_part_files
from webclean.batch.readers import open_unpacked
from webclean.files import write_whole

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

        yield from pq.read_table(part, columns=list(names), filters=[("status", "=", status)]).to_pylist()
        return
    with open_unpacked(str(part)) as file:
        for line in file:
            row = json.loads(line)
            if row["status"] == status:
                yield row
