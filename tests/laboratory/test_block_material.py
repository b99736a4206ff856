"""How much of each block is main content, worked out by hand, and which words stand on which blocks."""

import numpy as np
import pytest

from tests import read_columns

pytest.importorskip("rapidfuzz")
pytest.importorskip("scipy")

from webclean.laboratory import block_material
from webclean.laboratory.block_material import (
    align_words,
    choose_best_subset,
    count_words,
    label_blocks,
    resolve_labels,
    tabulate_words,
)

TEXTS = ["Home, menu", "", "The river rises", "the end"]


def test_words_of_blocks_and_truth_have_the_same_numbers() -> None:
    table = tabulate_words(TEXTS, "The RIVER ends")
    assert table.word.tolist() == [0, 1, 2, 3, 4, 2, 5]
    assert table.block.tolist() == [0, 0, 2, 2, 2, 3, 3]
    assert table.truth.tolist() == [2, 3, 6]
    assert table.wanted.tolist() == [0, 0, 1, 1, 0, 0, 1]
    assert table.n_blocks == 4


def test_precision_recall_and_f1_of_kept_blocks() -> None:
    table = tabulate_words(TEXTS, "The river ends")
    assert table.measure_prf(np.array([False, False, True, False])) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert table.measure_prf(np.array([True, True, True, True])) == pytest.approx((2 / 7, 2 / 3, 0.4))
    assert table.measure_prf(np.array([True, False, False, False]))[2] == 0.0
    assert table.measure_prf(np.zeros(4, dtype=bool)) == (0, 0, 0)
    empty = tabulate_words(TEXTS, "")
    assert empty.measure_prf(np.zeros(4, dtype=bool)) == (1, 1, 1)
    assert empty.measure_prf(np.ones(4, dtype=bool)) == (0, 0, 0)


def test_words_are_aligned_in_order() -> None:
    assert align_words(tabulate_words(["a b c", "d a"], "b c a")).tolist() == [1, 2, 4]
    assert align_words(tabulate_words(["a"], "b")).tolist() == []
    assert align_words(tabulate_words([], "b")).tolist() == []


def test_labels_are_shares_of_words_in_the_truth() -> None:
    assert label_blocks(
        tabulate_words(["menu home", "the river rises", "", "it falls now"], "the river rises it falls")
    ) == (pytest.approx([0, 1, 0, 2 / 3]))


def test_labels_are_moved_where_the_page_is_better_off() -> None:
    # two parts in another order than in the truth: the alignment uses one of them, both are wanted
    table = tabulate_words(["one two three", "four five six"], "four five six one two three")
    assert sorted(label_blocks(table).tolist()) == [0.5, 1.0]
    # a short label that also occurs in the truth is aligned, and is one word too many
    assert resolve_labels(tabulate_words(["a", "x y", "a b c"], "a b c"), np.array([1.0, 0.0, 0.6])).tolist() == (
        pytest.approx([0.5, 0.0, 0.6])
    )


def test_blocks_are_flipped_while_that_raises_f1() -> None:
    table = tabulate_words(["a b", "", "x", "c", "a b"], "a b c")
    assert choose_best_subset(table, np.zeros(5, dtype=bool)).tolist() == [True, False, False, True, False]
    assert choose_best_subset(table, np.ones(5, dtype=bool)).tolist() == [False, True, False, True, True]


def test_a_flip_that_others_made_useless_is_taken_back_in_the_next_round() -> None:
    table, none = tabulate_words(["d", "d a", "d d", "c b"], "d c a"), np.zeros(4, dtype=bool)
    assert choose_best_subset(table, none, n_rounds=1).tolist() == [True, True, False, True]
    assert choose_best_subset(table, none).tolist() == [False, True, False, True]
    # the first flip drops what the second makes room for: one round is not enough
    start = np.array([True, False, True, False, True])
    assert choose_best_subset(table, start, n_rounds=0).tolist() == start.tolist()


MARKUP = """<div class="story story-box"><h2>More news</h2><div class=story><p>Short text</p></div></div>"""


def test_words_are_counted_by_where_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_material, "MIN_SITES", 1)
    found = count_words([(read_columns(MARKUP), 0)])
    heading, text = (dict(zip(found.words, row, strict=True)) for row in found.counts.toarray().tolist())
    assert heading["names", "story"] == 1  # twice in the names of one element
    assert {word for kind, word in heading if kind == "words" and heading[kind, word]} == {"more", "news"}
    assert text["names", "story"] == 2
    assert text["names", "box"] == 1
    assert {word for kind, word in text if kind == "words" and text[kind, word]} == {"short", "text"}
    assert {word for kind, word in text if kind == "headings" and text[kind, word]} == {"more", "news"}


def test_words_of_few_sites_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_material, "MIN_SITES", 2)
    pages = []
    for site, name in enumerate(("menu", "menu", "other")):
        pages.append((read_columns(f"<div class={name}><p>Text</p></div>"), site))
    found = count_words(pages)
    assert ("names", "menu") in found.words
    assert ("names", "other") not in found.words
    assert found.counts.shape[0] == 3
    assert found.counts[:, found.words.index(("names", "menu"))].toarray().ravel().tolist() == [1, 1, 0]
    assert found.counts.max() == 1
