"""Structs of the sections; where in a rule file a fault is, how it is told, and which expressions are refused."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

import webclean
import webclean.rules
from webclean.errors import RuleError
from webclean.rules.python_expressions import find_expression_fault
from webclean.rules.validate import find_faults, suggest


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


SECTIONS = sorted(
    {
        struct
        for module in pkgutil.iter_modules(webclean.rules.__path__, "webclean.rules.")
        for _, struct in inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        if issubclass(struct, msgspec.Struct) and struct.__module__.startswith("webclean.")
    },
    key=lambda struct: struct.__qualname__,
)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__qualname__)
def test_sections_are_frozen(section: type[msgspec.Struct]) -> None:
    assert section.__struct_config__.frozen


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__qualname__)
def test_sections_are_made_by_name(section: type[msgspec.Struct]) -> None:
    kinds = {parameter.kind for parameter in inspect.signature(section).parameters.values()}
    assert kinds <= {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(?:a*b?)*c",
        "(a|a)*$",
        "(?:(?:ab){2,})+",
        "(?:x+ ?){3,}",
        "(a|b){50}",
        r"(a)\1",
        "(?P<x>a)(?P=x)",
        "(?=(a+)+)",
        "(",
    ],
)
def test_refused(pattern: str) -> None:
    assert find_expression_fault(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "a+b*",
        "(?:ab)+",
        "(?:by|von) [A-Z]+",
        r"(?:\d{1,2}[.]){2}",
        r"[(+|*)]+",
        r"\(+\|+",
        "(?:a+b|c+)?",
        "(?:a|b){2}",
        "x{,5}",
        "a{b}+",
    ],
)
def test_accepted(pattern: str) -> None:
    assert find_expression_fault(pattern) == ""


def test_up_to_forty_names_are_listed_and_of_more_the_closest() -> None:
    names = [f"n_words_{i:02d}" for i in range(40)]
    found = suggest("n_word_07", names)
    assert found == f"unknown key 'n_word_07'; did you mean 'n_words_07'? allowed: {', '.join(names)}"
    more = suggest("n_word_07", [*names, "other"], "feature")
    start = "unknown feature 'n_word_07'; did you mean 'n_words_07'? allowed: 41 names, the closest are n_words_07, "
    assert more.startswith(start)
    assert len(more.partition("closest are ")[2].split(", ")) == 8
    assert suggest("zzz", ["b", "a"]) == "unknown key 'zzz'; allowed: a, b"
