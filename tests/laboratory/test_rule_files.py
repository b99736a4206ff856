"""What is written is read back as it was, and people can read it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

pytest.importorskip("scipy")

from webclean.laboratory.harness import format_tree, quote_key, write_points, write_word_points
from webclean.rules import load_rules
from webclean.rules.card_schema import TreeNode
from webclean.rules.features_schema import WordGroup, WordPoints


def test_words_learnt_anew_leave_those_given_by_hand(tmp_path: Path) -> None:
    learnt = tmp_path / "word_points.yaml"
    learnt.write_text(write_word_points(WordPoints(names=(WordGroup(points=1.0, words="river"),)), "Words."))
    found = load_rules(learnt).word_points
    assert [group.words for group in found.names] == ["river"]
    assert (found.words, found.headings) == ((), ())
    assert found.changes == load_rules().word_points.changes
    assert found.changes.names


@pytest.mark.parametrize(("n_chars", "n_lines"), [(3, 1), (4, 2)])
def test_lines_of_words_are_at_most_116_columns_wide(n_chars: int, n_lines: int) -> None:
    words = " ".join(["ri-ver", "lake"] * 8 + ["hillside", "x" * n_chars])
    text = write_word_points(WordPoints(words=(WordGroup(points=1.0, words=words),)), "Words.")
    lines = text.partition("words: >-\n")[2].splitlines()
    assert len(lines) == n_lines
    assert max(map(len, lines)) == (116 if n_lines == 1 else 112)
    assert yaml.safe_load(text)["word_points"]["words"][0]["words"].strip() == words


def test_points_are_written_the_largest_first() -> None:
    assert write_points({"forum": -0.25, "article": 0.4, "product": 0.0}) == "{article: 0.4, product: 0, forum: -0.25}"
    assert write_points({}) == "{}"


@pytest.mark.parametrize(
    "word", ["shop", "og:type", "a-b_c.d", "no", "Yes", "true", "1st", "über", "a b", "x:", 'a"b', "~", ""]
)
def test_a_word_is_read_back_as_it_was(word: str) -> None:
    assert yaml.safe_load(f"{quote_key(word)}: 1") == {word: 1}


def test_only_words_that_need_it_are_quoted() -> None:
    assert [quote_key(word) for word in ("shop", "og:type", "on", "2nd")] == ["shop", "og:type", '"on"', '"2nd"']
    assert quote_key("über") == '"über"'


def test_a_branch_below_a_branch_is_indented() -> None:
    leaf = TreeNode(answer="a")
    inner = TreeNode(test="x >= 2", then=leaf, otherwise=TreeNode(answer="b"))
    assert list(format_tree(TreeNode(test="x >= 1", because="it splits", then=inner, otherwise=leaf))) == [
        "if: x >= 1",
        'because: "it splits"',
        "then:",
        "  if: x >= 2",
        "  then: {is: a}",
        "  else: {is: b}",
        "else: {is: a}",
    ]
