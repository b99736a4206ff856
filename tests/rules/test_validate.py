"""Where in a value or a rule file a fault is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import webclean
from webclean.errors import RuleError
from webclean.rules.validate import find_faults


@pytest.mark.parametrize(
    ("value", "kind", "places"),
    [
        ([1, "a"], tuple[int, str], []),
        (["x", "a"], tuple[int, str], [(0,)]),
        ([1, 2], tuple[int, str], [(1,)]),
        ([1, "a", "b"], tuple[int, str], [(1,), (2,)]),
        ([1, "a", 2], tuple[int, ...], [(1,)]),
        ([1, "a"], list[int], [(1,)]),
        ({"a": 1, "b": "x"}, dict[str, int], [("b",)]),
        ({"a": [1, "x"]}, dict[str, list[int]], [("a", 1)]),
        ({"a": "x"}, dict[str, int] | int, [("a",)]),
        ("x", dict[str, int] | int, [()]),
        (1, int, []),
    ],
)
def test_the_place_of_a_fault(value: object, kind: Any, places: list[tuple[object, ...]]) -> None:
    assert [path for path, _ in find_faults(value, kind, ())] == places


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "plain_card:\n  lines:\n    n_words:\n      below: [5, 2]\n      points: [1, 2, 3]\n",
            "mine.yaml:4 .*must rise",
        ),
        ("roles:\n  lines:\n    rank: {points: {novel: [1, 2, 3]}}\n", "mine.yaml:3 .*no class 'novel'"),
        ("roles:\n  bias:\n    novel: 1\n", "mine.yaml:3 .*unknown role 'novel'"),
        ("score_card:\n  words: {url: {a: 1}}\n", "mine.yaml:2 .*no 'words' here"),
        ("roles:\n  given:\n    n_lnks: {points: {form: [1]}}\n", "mine.yaml:3 .*did you mean 'n_links'"),
        ("score_card:\n  by_type:\n    forum: {lines: {n_wrds: 1}}\n", "mine.yaml:3 .*did you mean 'n_words'"),
    ],
)
def test_faults_of_a_card_have_file_line_and_key(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(RuleError, match=told):
        webclean.clean("<p>A text", rules=file)
