"""The attributes of all elements of a page, of which strings are made when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast, overload

import numpy as np
from numpy.typing import NDArray

from webclean import core

TOKEN_LISTS: Final = frozenset(
    ("class", "rel", "rev", "headers", "accesskey", "dropzone", "sizes", "sandbox", "archive", "accept-charset")
)
"""Attributes whose value is a list of tokens; it is read with one space between them."""


@dataclass(frozen=True, slots=True, eq=False)
class AttributeTable(Sequence[Mapping[str, str]]):
    """Attributes by row. found: `core.Attributes`; made: what was made of it, by row."""

    found: Any
    made: dict[int, Mapping[str, str]]

    def __init__(self, page: Any) -> None:
        """page: `core.Page`."""
        object.__setattr__(self, "found", core.Attributes(page, TOKEN_LISTS))
        object.__setattr__(self, "made", {})

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, at: slice) -> list[Mapping[str, str]]: ...
    def __getitem__(self, at: int | slice) -> Mapping[str, str] | list[Mapping[str, str]]:
        if isinstance(at, slice):
            return [self[row] for row in range(*at.indices(len(self)))]
        made = self.made.get(at)
        if made is None:
            if not 0 <= at < len(self):
                raise IndexError(at)
            made = self.made[at] = self.found.read_row(at)
        return made

    def read(self, row: int, name: str) -> str | None:
        """An attribute of a row; None if it is absent."""
        value: str | None = self.found.read_one(row, name)
        return value

    def read_rows(self, rows: Iterable[int], name: str) -> list[str]:
        """An attribute of each of some rows, '' where it is absent."""
        return cast("list[str]", self.found.read_rows(list(rows), name))

    def list_values(self, name: str) -> list[str]:
        """The values of all attributes of a name, in document order."""
        return cast("list[str]", self.found.list_values(name))

    def list_holding(self, name: str, part: str) -> list[tuple[int, str]]:
        """(row, value) of the attributes of a name whose value has a part, in either case."""
        return cast("list[tuple[int, str]]", self.found.list_holding(name, part))

    def number_names(
        self, tags: list[str], wanted: NDArray[np.bool_], keys: tuple[str, ...]
    ) -> tuple[dict[str, int], NDArray[np.int64], NDArray[np.int64], int]:
        """The numbering of `parse.columns.number_names`."""
        found = self.found.number_names(tags, wanted.view(np.uint8), keys)
        return cast("tuple[dict[str, int], NDArray[np.int64], NDArray[np.int64], int]", found)

    def list_distinct(self, rows: NDArray[np.int64], name: str) -> tuple[list[str], NDArray[np.int64]]:
        """The values of `parse.columns.list_distinct`."""
        return cast("tuple[list[str], NDArray[np.int64]]", self.found.list_distinct(rows, name))

    def mark_filled(self, name: str) -> NDArray[np.uint8]:
        """uint8 [n_elements]: 1 where an element has an attribute with more than white space."""
        return cast("NDArray[np.uint8]", self.found.mark_filled(name))


@dataclass(frozen=True, slots=True, eq=False)
class AttributeRows(Mapping[str, list[int]]):
    """Attribute name -> the rows that have it, found when they are asked for."""

    table: AttributeTable
    made: dict[str, list[int]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> list[int]:
        rows = self.made.get(name)
        if rows is None:
            rows = self.made[name] = self.table.found.list_rows(name)
        if not rows:
            raise KeyError(name)
        return rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.table.found.names)

    def __len__(self) -> int:
        return len(self.table.found.names)
