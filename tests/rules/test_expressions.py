"""Shipped expressions: what the classes of RE2 do not know, for they know the letters of ASCII alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest

from webclean.checks import find_texts
from webclean.matching.expressions import compile_pattern
from webclean.rules import load_rules
from webclean.rules.files import find_shipped_rules, read_rule_file

parser, codes = import_module("re._parser"), import_module("re._constants")
PATTERNS = sorted(
    {
        text
        for file in find_shipped_rules().rglob("*.yaml")
        for _, text, check in find_texts(read_rule_file(file).values)
        if check == "pattern"
    }
)


def list_edges(items: Sequence[tuple[Any, Any]], at: int) -> set[int]:
    """The characters that what some items match may begin with (at 0) or end with (at -1), as far as they are known."""
    found: set[int] = set()
    for kind, about in items if at == 0 else reversed(items):
        if kind is codes.LITERAL:
            return found | {about}
        if kind is codes.BRANCH:
            return found.union(*(list_edges(list(part), at) for part in about[1]))
        if kind is codes.SUBPATTERN:
            return found | list_edges(list(about[-1]), at)
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            found |= list_edges(list(about[2]), at)
        break
    return found


def list_dead(items: Sequence[tuple[Any, Any]]) -> set[str]:
    """Letters beyond ASCII at a `\\b`: there RE2 sees no end of a word, so that the alternative is never found."""
    items, dead = list(items), set[int]()
    for i, (kind, about) in enumerate(items):
        if kind is codes.AT and about is codes.AT_BOUNDARY:
            dead |= list_edges(items[i + 1 :], 0) | list_edges(items[:i], -1)
        inside = about[1] if kind is codes.BRANCH else [about[-1]] if kind is codes.SUBPATTERN else []
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            inside = [about[2]]
        dead |= {ord(letter) for part in inside for letter in list_dead(part)}
    return {chr(sign) for sign in dead if sign > 0x7F and chr(sign).isalpha()}


@pytest.mark.parametrize("pattern", [pattern for pattern in PATTERNS if "\\b" in pattern])
def test_no_word_ends_where_its_expression_sees_no_end(pattern: str) -> None:
    plain = re.sub(r"\\[pP](?:\{\w+\}|\w)", "a", pattern).replace("\\z", "\\Z")
    assert list_dead(parser.parse(plain)) == set()


def test_an_ending_that_is_never_found_is_seen() -> None:
    assert list_dead(parser.parse(r"(?:km|\u6708|\u0433\u043e\u0434)\b")) == {"\u6708", "\u0434"}
    assert list_dead(parser.parse(r"\b(?:an|\u00e0)")) == {"\u00e0"}


@pytest.mark.parametrize(
    "text",
    [
        "\u042f \u043d\u0435 \u0445\u043e\u0447\u0443 \u0446\u0438\u0442\u0438\u0440\u043e\u0432\u0430\u0442\u044c",
        "\u6211\u4e0d\u60f3\u56de\u590d",
    ],
)
def test_a_sentence_that_ends_with_the_name_of_a_button_is_no_label(text: str) -> None:
    is_label = compile_pattern(load_rules().segments.posts.labels).search
    assert is_label(text) is None
    assert is_label("\u0426\u0438\u0442\u0438\u0440\u043e\u0432\u0430\u0442\u044c") and is_label("[\u56de\u590d]")
