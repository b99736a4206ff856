"""Passages: blocks, long ones cut between their lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webclean
from webclean.errors import InputError
from webclean.outputs.dictionary import list_passages, split_text

PAGE = """<title>Tides</title><nav><a href=/a>Home</a> <a href=/b>Port</a> <a href=/c>News</a></nav>
<article><h1>Tides of the bay</h1>{}</article>""".format(
    "".join(
        f"<p>The tide number {n} rises in the bay of the town, as the master of the harbour wrote.</p>"
        for n in range(9)
    )
)


def test_a_text_is_cut_between_lines() -> None:
    assert list(split_text("a b\nc d\ne", 4)) == ["a b\nc d", "e"]
    assert list(split_text("a b\nc d\ne", 5)) == ["a b\nc d\ne"]
    assert list(split_text("a b c d e\nf", 2)) == ["a b", "c d", "e\nf"]
    assert list(split_text("a\nb c d", 3)) == ["a", "b c d"]


@given(st.text(alphabet="ab \n", max_size=60), st.integers(1, 7))
def test_no_word_is_lost_and_no_part_is_too_long(text: str, most: int) -> None:
    parts = list(split_text(text, most))
    assert " ".join(parts).split() == text.split()
    assert all(len(part.split()) <= most for part in parts)


def test_later_parts_of_a_block_have_a_number() -> None:
    row = {"id": "x", "text": "a\nb\nc", "role": "content"}
    assert list(list_passages([row], 1)) == [
        {"id": "x", "text": "a", "role": "content"},
        {"id": "x-1", "text": "b", "role": "content"},
        {"id": "x-2", "text": "c", "role": "content"},
    ]


def test_passages_are_those_of_kept_blocks() -> None:
    page = webclean.clean(PAGE, url="https://example.org/")
    kept = [block for block in page.ranked_blocks if block.kept and block.text]
    assert kept
    assert [one["text"] for one in page.passages()] == [block.text for block in kept]
    assert [one["xpath"] for one in page.passages()] == [block.xpaths[0] for block in kept]
    assert len(page.passages(kept_only=False)) > len(kept)
    assert max(len(one["text"].split()) for one in page.passages(max_words=20)) <= 20
    with pytest.raises(InputError, match="at least one word"):
        page.passages(max_words=0)
