"""What a part of a result may take: time, and characters by those of the page."""

from __future__ import annotations

from contextlib import AbstractContextManager

from webclean.model import Limits, Source
from webclean.parse.limits import Budget, limit_to


def count_input(source: Source) -> int:
    """Bytes or characters of a page, of which there are more."""
    return max(source.n_bytes, len(source.markup))


def limit_part(limits: Limits, truncate: bool, cut: list[str], n_input: int) -> AbstractContextManager[None]:
    """A budget of its own for a part of a result: of time, and of characters by those of the page."""
    return limit_to(Budget(limits, truncate, cut, n_input=n_input))
