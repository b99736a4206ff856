"""What is said of a page is said by what was learnt without its site; what is written is read back as it was."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from webclean.rules import load_rules
from webclean.rules.page_schema import WordGroup, WordPoints
from webclean.workbench.labelled_pages import LabelledPage

pytest.importorskip("scipy")

from webclean.laboratory.harness import (
    LabelledPages,
    cross_validate,
    format_share,
    list_folds,
    say,
    write_rules,
    write_word_points,
)


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


def test_shares_and_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert [format_share(own) for own in ([True, False, True], [])] == ["0.667 of 3", "none"]
    say("read")
    assert capsys.readouterr().err.endswith(" s  read\n")


def test_words_learnt_anew_leave_those_given_by_hand(tmp_path: Path) -> None:
    learnt = tmp_path / "word_points.yaml"
    learnt.write_text(write_word_points(WordPoints(names=(WordGroup(points=1.0, words="river"),)), "Words."))
    found = load_rules(learnt).word_points
    assert [group.words for group in found.names] == ["river"]
    assert (found.words, found.headings) == ((), ())
    assert found.changes == load_rules().word_points.changes
    assert found.changes.names


@pytest.mark.parametrize("word", ["shop", "og:type", "no", "Yes", "1st", "über", "a b", "x:", 'a"b', "~", ""])
def test_what_is_written_is_read_back_with_its_notes(word: str) -> None:
    value = {word: {"points": {"forum": -0.25, "article": 2.0}}, "c": [0.5, 1.0]}
    text = write_rules(
        [(("a", "b"), value, {"c": "some of them (share)"}), (("a", "d"), {"e": [1.0]}, {})], "Words.", ["a.b"]
    )
    assert text.startswith("# Words.\nreplaces: [a.b]\na:\n  b:\n")
    assert text.endswith("    c: [0.5, 1]  # some of them (share)\n  d:\n    e: [1]\n")
    assert yaml.safe_load(text) == {"replaces": ["a.b"], "a": {"b": value, "d": {"e": [1]}}}
