"""Which blocks a rule applies to."""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from tests import read_columns
from webclean.checks import find_unusable
from webclean.decide.rule_matches import (
    describe_conflicts,
    describe_outdated,
    list_holding,
    match_rules,
)
from webclean.features.words import split_name
from webclean.matching.conditions import PageFacts, RuleMatch
from webclean.rules.rule_schema import Rule

PAGE = """<h1>Soup</h1><div class="recipeNotes"><p>Salt late.</p><p>Serve hot, with bread and a little oil.</p></div>
<p><span class=promo>Buy our spoons</span></p><p>A long tail with <span class=promo>one</span> word inside.</p>"""
FACTS = PageFacts("content", "article", "en", "https://cook.example/soup/12", "blog")


def matched(markup: str = PAGE, **when: Any) -> list[str] | None:
    columns = read_columns(markup)
    rule = msgspec.convert({"when": when, "action": "drop"}, Rule)
    if not list_holding(columns.document, FACTS, {"r": rule}):
        assert match_rules(columns, FACTS, {"r": rule}) == []
        return None
    matches = match_rules(columns, FACTS, {"r": rule})
    return [columns.blocks.text[at] for match in matches for at in np.flatnonzero(match.blocks)]


@pytest.mark.parametrize(
    ("when", "starts"),
    [
        ({"selector": ".recipeNotes"}, ["Salt", "Serve"]),
        ({"selector": "//div/p[2]"}, ["Serve"]),
        ({"path": "html > body > div.recipeNotes > p"}, ["Salt", "Serve"]),
        ({"path": ["html > body > h1", "div.recipeNotes"]}, ["Soup"]),
        ({"other_path": ["html > body > div.recipeNotes > p", "html > body > p"]}, ["Soup"]),
        ({"token": "notes"}, ["Salt", "Serve"]),
        ({"token": ["note", "promo"]}, ["Buy"]),
        ({"text": "(?i)^buy"}, ["Buy"]),
        ({"features": {"n_words": {"above": 6}}}, ["Serve", "A long"]),
        ({"features": {"n_words": {"above": 6, "below": 8}}}, ["A long"]),
        ({"selector": ".recipeNotes", "text": "bread"}, ["Serve"]),
        ({"page_type": ["index", "article"], "url": "/soup/[0-9]+$", "text": "^Soup"}, ["Soup"]),
        ({"outside": [".recipeNotes", ".promo"]}, ["Soup", "A long"]),
        ({"page_lacks": "h6", "page_contains": ["h1", "//p"], "text": "^Soup"}, ["Soup"]),
        ({"page_contains": "h1", "text": "^Soup"}, ["Soup"]),
        ({"selector": "h1"}, ["Soup"]),
        ({"exact_text": ["Soup", "Salt"]}, ["Soup"]),
        ({"exact_text": "Salt late."}, ["Salt"]),
        ({"token": "NOTES", "features": {"n_words": {"below": 8}}}, ["Salt"]),
        ({"features": {"n_words": {"above": 7}}}, ["Serve", "A long"]),
        ({"features": {"n_words": {"below": 7}}, "outside": "div"}, ["Soup", "Buy"]),
        ({"page_type": "content", "language": ["fr", "en"], "text": "^Soup"}, ["Soup"]),
        ({"page_type": "blog", "text": "^Soup"}, ["Soup"]),
    ],
)
def test_all_conditions_must_hold(when: dict[str, Any], starts: list[str]) -> None:
    found = matched(**when)
    assert found is not None
    assert len(found) == len(starts)
    assert all(text.startswith(start) for text, start in zip(found, starts, strict=True))


@pytest.mark.parametrize("when", [{"page_type": "forum"}, {"language": "zh"}, {"url": "^ftp"}, {"page_contains": "h6"}])
def test_a_rule_for_other_pages_does_not_apply(when: dict[str, Any]) -> None:
    assert matched(**when) is None


def test_tokens_are_whole_words() -> None:
    assert split_name("padding ad-box adBanner XMLHead") == {"padding", "ad", "box", "banner", "xml", "head"}


def test_faults_are_found_before_a_page_is_seen() -> None:
    rule = {"when": {"selector": "p[", "text": "(", "features": {"n_wrds": {}}}, "action": {"title": "//h1["}}
    paths = [path for path, _ in find_unusable({"rules": {"r": rule}})]
    assert {path[-1] for path in paths} == {"selector", "text", "n_wrds", "title"}


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<p>abcd <b>efghi</b>", ["abcd efghi"]),
        ("<p>abcd <b>efgh</b>", []),
        ("<p><b>a</b>", ["a"]),
        ("<p>ab<p id=b>c", []),
        ("<h2>ab [<b>edit</b>]</h2>", []),
        ("<h2>[<b>edit</b>]</h2>", ["[edit]"]),
    ],
)
def test_an_inline_element_selects_a_block_that_is_mostly_its_own(markup: str, found: list[str]) -> None:
    assert matched(markup, selector="b") == found


def test_tokens_are_those_of_class_and_id() -> None:
    assert matched("<p id=teaser-2>a<p class=teaser>b<p class>c<p>d", token="teaser") == ["a", "b"]


def test_a_rule_that_is_off_matches_nothing() -> None:
    columns = read_columns(PAGE)
    for when in ({}, {"text": "Soup"}, {"page_type": "forum"}):
        rule = msgspec.convert({"when": when, "action": "drop", "enabled": False}, Rule)
        assert match_rules(columns, FACTS, {"r": rule}) == []


def make_match(name: str, action: object, *blocks: int, **more: object) -> RuleMatch:
    rule = msgspec.convert({"action": action, **more}, Rule)
    return RuleMatch(name, rule, np.isin(np.arange(4), blocks))


def test_rules_that_contradict_each_other_are_told() -> None:
    drop, other = make_match("d", "drop", 1, 2), make_match("o", "drop", 0)
    one, two = make_match("one", "keep", 2, 3), make_match("two", "keep", 1, 2)
    points = make_match("p", {"points": 1}, 0, 1, 2, 3)
    assert list(describe_conflicts([drop, other, points])) == []
    assert list(describe_conflicts([drop, one, other, two, points])) == [
        "rule 'one' keeps 1 block that rule 'd' drops; keep wins",
        "rule 'two' keeps 2 blocks that rule 'd' drops; keep wins",
    ]


@pytest.mark.parametrize(
    ("rules", "site", "told"),
    [
        ({"lost": "drop", "points": {"points": -1}, "title": {"title": "h1"}}, {"lost", "points", "title"}, 2),
        ({"lost": "drop", "points": {"points": -1}, "found": "keep"}, {"lost", "points"}, 2),
        ({"lost": "drop", "points": {"points": -1}, "found": "keep"}, {"lost", "points", "found"}, 0),
        ({"lost": "drop", "elsewhere": "drop"}, {"lost", "elsewhere"}, 1),
        ({"lost": "drop"}, {"other"}, 0),
        ({"title": {"title": "h1"}}, {"title"}, 0),
        ({}, {"lost"}, 0),
    ],
)
def test_rules_of_a_site_that_match_nothing_are_told(rules: dict[str, object], site: set[str], told: int) -> None:
    asks = {"lost": {"text": "salad"}, "points": {"selector": "h6"}, "elsewhere": {"url": "salad"}}
    made = {name: {"when": asks.get(name, {}), "action": action} for name, action in rules.items()}
    found = list(tell_outdated(made, frozenset(site)))
    assert found == [f"none of the {told} rules of this site matches: cleaned automatically"] * bool(told)


def tell_outdated(made: dict[str, Any], site: frozenset[str] = frozenset()) -> Iterator[str]:
    columns, rules = read_columns(PAGE), msgspec.convert(made, dict[str, Rule])
    return describe_outdated(columns.document, FACTS, rules, match_rules(columns, FACTS, rules), site)


def test_a_site_of_which_no_template_is_found_is_told() -> None:
    plain: dict[str, Any] = {"p": {"action": "keep"}}
    template = {"when": {"page_contains": "h6"}, "action": "keep", "template": True}
    told = ["none of the 1 templates of this site is found: cleaned automatically"]
    assert list(tell_outdated(plain | {"t": template})) == told
    assert list(tell_outdated(plain | {"t": template | {"when": {"page_contains": "h1", "text": "salad"}}})) == []
    assert list(tell_outdated(plain | {"t": template | {"enabled": False}})) == []


def test_texts_are_matched_whatever_the_form_of_their_quotes_dashes_and_spaces() -> None:
    page = '<p>Don’t – “salt”\u00a0it</p><p>Don\'t - "salt" it</p><p>Dont salt it</p>'
    both = ["Don’t – “salt” it", 'Don\'t - "salt" it']
    for written in both:
        assert matched(page, exact_text=written) == both
        assert matched(page, exact_text=["other", written.replace(" ", "\u00a0 ")]) == both
        assert matched(page, text=f"^{written}$") == both
    assert matched(page, exact_text="Don't - salt it") == []
