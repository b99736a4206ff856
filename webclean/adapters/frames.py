"""pandas, Polars, Spark: `clean_table` over their tables. Needs the extra `batch`.

Ray and pyarrow need no adapter: they hand `webclean.batch.tables.clean_table` Arrow tables, which is what it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from webclean.batch.tables import clean_table


def clean_pandas(frame: Any, **options: Any) -> Any:
    """A `pandas.DataFrame` of pages (columns `html` and, if there is one, `url`) -> one with a row for each page and
    the same index; or with a row for each block or record. options: those of `clean_table`."""
    found = clean_table(pa.Table.from_pandas(frame, preserve_index=False), **options).to_pandas()
    if options.get("rows", "pages") == "pages":
        found.index = frame.index
    return found


def clean_polars(frame: Any, **options: Any) -> Any:
    """The same of a `polars.DataFrame`; also for `LazyFrame.map_batches`."""
    import polars  # noqa: PLC0415  only this function needs it

    return polars.from_arrow(clean_table(frame.to_arrow(), **options))


def clean_batches(batches: Iterable[pa.RecordBatch], **options: Any) -> Iterator[pa.RecordBatch]:
    """The same of record batches, one after the other: for `pyspark.sql.DataFrame.mapInArrow`."""
    for batch in batches:
        yield from clean_table(pa.Table.from_batches([batch]), **options).to_batches()
