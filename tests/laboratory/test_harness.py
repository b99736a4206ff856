"""What is said of a page is said by what was learnt without its site."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")

from webclean.laboratory.harness import LabelledPages, Learnt, cross_validate, format_share, list_folds, start_clock
from webclean.workbench.labelled_pages import LabelledPage


def test_each_part_is_held_out_once() -> None:
    assert list(list_folds(np.array([1, 0, 1, 4]))) == [([0, 2, 3], [1]), ([1, 3], [0, 2]), ([0, 1, 2], [3])]
    said = cross_validate(np.array([1, 0, 1, 4]), tuple, lambda learnt, row: (row, learnt))
    assert said == [(0, (1, 3)), (1, (0, 2, 3)), (2, (1, 3)), (3, (0, 1, 2))]


def make_pages(*corpora: str) -> tuple[LabelledPage, ...]:
    """Two pages of each of ten sites, of two types in turn."""
    return tuple(
        LabelledPage(
            str(i), f"https://site{i // 2}.org/{i}", b"", "", ("article", "forum")[i % 2], None, None, None, False,
            corpus=corpora[i // 2 % len(corpora)],
        )
        for i in range(20)
    )  # fmt: skip


def test_pages_of_a_site_share_a_fold_and_corpora_are_told_apart() -> None:
    pages = LabelledPages(make_pages("one", "two"), by_corpus=True)
    assert pages.corpora == ("one", "two")
    assert pages.corpus.tolist() == [0, 0, 1, 1] * 5
    assert (pages.fold[::2] == pages.fold[1::2]).all()
    held = [pages.corpus[pages.fold == fold].tolist() for fold in range(5)]
    assert all(sorted(own) == [0, 0, 1, 1] for own in held)
    assert pages.types[:2].tolist() == ["article", "forum"]


def test_one_file_is_what_was_named_and_several_stand_in_it(tmp_path: Path) -> None:
    assert list(Learnt("", lambda: {"": "a: 1\n"}).save(tmp_path / "one.yaml")) == [tmp_path / "one.yaml"]
    several = Learnt("", lambda: {"x.yaml": "b: 1\n", "y.yaml": "c: 1\n"})
    assert list(several.save(tmp_path)) == [tmp_path / "x.yaml", tmp_path / "y.yaml"]
    assert (tmp_path / "y.yaml").read_text() == "c: 1\n"


def test_shares_and_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert [format_share(own) for own in ([True, False, True], [])] == ["0.667 of 3", "none"]
    start_clock()("read")
    start_clock(quiet=True)("unread")
    assert capsys.readouterr().err == "    0.0 s  read\n"
