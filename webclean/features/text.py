"""What several stages read of the texts of blocks: joined, in lower case, in words, and which are the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.words import Words, describe_words, find_same
from webclean.model import Floats, Rows


def count_matches(columns: PageColumns, pattern: Any) -> Floats:
    """float64 [n_blocks]: matches of an expression of RE2 for bytes that never matches a newline."""
    text, ends = encode_text(columns)
    starts = [match.start() for match in pattern.finditer(text)]
    n = len(columns.blocks)
    return np.bincount(ends.searchsorted(starts, side="right"), minlength=n).astype(np.float64)


@cached_per_page
def encode_text(columns: PageColumns) -> tuple[bytes, Rows]:
    """The joined text in UTF-8; int64 [n_blocks]: one past the newline after each block."""
    text = join_text(columns).encode("utf-8", "surrogatepass")
    if len(text) == len(join_text(columns)):
        return text, (columns.n_text_chars + 1).cumsum()
    return text, (np.frombuffer(text, dtype=np.uint8) == ord("\n")).nonzero()[0] + 1


@cached_per_page
def join_text(columns: PageColumns) -> str:
    """The text of all blocks, a newline after each."""
    return "\n".join([*columns.blocks.text, ""])


@cached_per_page
def lower_text(columns: PageColumns) -> list[str]:
    """The text of each block in lower case."""
    return [text.lower() for text in columns.blocks.text]


@cached_per_page
def cut_texts(columns: PageColumns) -> Any:
    """`core.Words`: the lower-case words of all blocks of at most `LONGEST` characters."""
    return core.cut_lower(columns.blocks.text, *describe_words())


@cached_per_page
def find_words(columns: PageColumns) -> Words:
    """The same as arrays."""
    return Words(*cut_texts(columns).take())


@cached_per_page
def find_same_text(columns: PageColumns) -> Rows:
    """int64 [n_blocks]: the first block of the page with the same text."""
    return find_same(columns.blocks.text)
