"""Many expressions are searched in all blocks together, with what each finds alone."""

from __future__ import annotations

import numpy as np
import pytest

from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns
from webclean.features.page_words import search_texts
from webclean.matching.expressions import compile_test
from webclean.parse import parse_page


def columns_of(texts: list[str]) -> PageColumns:
    document = parse_page("".join(f"<p>{text}" for text in texts))
    return PageColumns(document, find_text_blocks(document))


@pytest.mark.parametrize(
    "pattern",
    ["^the", "sea$", r"\bsea\b", "(?i)THE SEA|^town", "[^a]sea", r"sea\z", r"\Athe", "(?-m:^the)", r"\Btow", "x",
     r"a\s+s", r"(?s)the.*town", r"é\s|town\s+s|seas", "$", "nothing"],
)  # fmt: skip
def test_texts_searched_together_are_found_as_alone(pattern: str) -> None:
    columns = columns_of(["the sea", "over the sea", "town", "seas", "x", "é town", "a\tsea", "é"] * 7)
    holds, texts = compile_test(pattern), columns.blocks.text
    alone = [holds(text) for text in texts]
    found = search_texts(columns, ("(?i)town", pattern, "nowhere"))
    assert found.get(pattern, np.zeros(56)).tolist() == alone
    assert (pattern in found) == any(alone)
    assert "nowhere" not in found


@pytest.mark.parametrize("n", [0, 1, 8, 15, 16, 17, 40])
def test_many_expressions_are_found_at_once(n: int) -> None:
    patterns = tuple(f"w{i:02}$" for i in range(n))
    columns = columns_of([f"a w{i:02}" for i in range(0, n, 3)])
    found = search_texts(columns, (*patterns, r"\Anowhere", "(?-m:^nowhere)"))
    assert {pattern: rows.nonzero()[0].tolist() for pattern, rows in found.items()} == {
        pattern: [i // 3] for i, pattern in enumerate(patterns) if i % 3 == 0
    }


@pytest.mark.parametrize("pattern", [r"\Athe", r"sea\z", "(?-m:^the)"])
def test_ends_of_the_whole_text_are_sought_in_each_alone(pattern: str) -> None:
    columns = columns_of(["a the", "the sea", "sea a"] * 11)
    assert search_texts(columns, (pattern,))[pattern].tolist() == [False, True, False] * 11
