"""Where F1 is lost, told by cause."""

from __future__ import annotations

import numpy as np
import pytest

from webclean.learn.card_report import CAUSES, split_loss
from webclean.learn.labels import WordTable, tabulate_words

TEXTS = ["menu home", "the river rises", "share this page", "and falls", "more stories"]
BEST = np.array([False, True, False, True, False])


def split(kept: list[bool], truth: str = "the river rises and falls") -> tuple[WordTable, dict[str, float]]:
    table = tabulate_words(TEXTS, truth)
    loss = split_loss(table, np.array(kept), BEST)
    assert loss.sum() == pytest.approx(1 - table.measure_f1(np.array(kept)))
    return table, {cause: share for cause, share in zip(CAUSES, loss.tolist(), strict=True) if share}


@pytest.mark.parametrize(("block", "cause"), [(0, CAUSES[0]), (2, CAUSES[1]), (4, CAUSES[2])])
def test_extra_text_is_told_by_its_place(block: int, cause: str) -> None:
    kept = BEST.copy()
    kept[block] = True
    assert list(split(kept.tolist())[1]) == [cause]


def test_dropped_content_and_extra_text_share_the_loss() -> None:
    _, found = split([True, True, False, False, False])
    assert set(found) == {CAUSES[0], CAUSES[3]}


def test_what_no_choice_of_blocks_reaches_is_told_apart() -> None:
    _, found = split(BEST.tolist(), "the river rises and falls in the hills behind the town")
    assert list(found) == [CAUSES[4]]


def test_pages_without_main_content_are_told_apart() -> None:
    _, found = split(BEST.tolist(), "")
    assert list(found) == [CAUSES[5]]
