"""Which blocks a rule applies to."""

from __future__ import annotations

import time

import msgspec
import pytest

from webclean.blocks.text_blocks import find_text_blocks
from webclean.checks import find_unusable
from webclean.errors import RuleError
from webclean.features import PageColumns
from webclean.features.word_points import split_name
from webclean.matching.match import PageFacts, compile_pattern, compile_test, find_in_texts, match_rules
from webclean.parse import parse_page
from webclean.rules.rule_schema import Rule

PAGE = """<h1>Soup</h1><div class="recipeNotes"><p>Salt late.</p><p>Serve hot, with bread and a little oil.</p></div>
<p><span class=promo>Buy our spoons</span></p><p>A long tail with <span class=promo>one</span> word inside.</p>"""
FACTS = PageFacts("content", "article", "en", "https://cook.example/soup/12")


def matched(**when: object) -> list[str] | None:
    document = parse_page(PAGE)
    blocks = find_text_blocks(document)
    columns = PageColumns(document, blocks)
    rule = msgspec.convert({"when": when, "action": "drop"}, Rule)
    found = match_rules(columns, FACTS, {"r": rule})
    return [text for text, hit in zip(blocks.text, found[0].blocks, strict=True) if hit] if found else None


@pytest.mark.parametrize(
    ("when", "starts"),
    [
        ({"selector": ".recipeNotes"}, ["Salt", "Serve"]),
        ({"selector": "//div/p[2]"}, ["Serve"]),
        ({"path": "html > body > div.recipeNotes > p"}, ["Salt", "Serve"]),
        ({"path": ["html > body > h1", "div.recipeNotes"]}, ["Soup"]),
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
    ],
)
def test_all_conditions_must_hold(when: dict[str, object], starts: list[str]) -> None:
    found = matched(**when)
    assert found is not None
    assert len(found) == len(starts)
    assert all(text.startswith(start) for text, start in zip(found, starts, strict=True))


@pytest.mark.parametrize("when", [{"page_type": "forum"}, {"language": "zh"}, {"url": "^ftp"}, {"page_contains": "h6"}])
def test_a_rule_for_other_pages_does_not_apply(when: dict[str, object]) -> None:
    assert matched(**when) is None


def test_tokens_are_whole_words() -> None:
    assert split_name("padding ad-box adBanner XMLHead") == {"padding", "ad", "box", "banner", "xml", "head"}


def test_no_pattern_takes_long() -> None:
    start = time.process_time()
    assert compile_pattern("(a+)+$").search("a" * 50_000 + "b") is None
    assert time.process_time() - start < 1
    with pytest.raises(RuleError, match="RE2"):
        compile_pattern(r"(a)\1")


def test_faults_are_found_before_a_page_is_seen() -> None:
    rule = {"when": {"selector": "p[", "text": "(", "features": {"n_wrds": {}}}, "action": {"title": "//h1["}}
    paths = [path for path, _ in find_unusable({"rules": {"r": rule}})]
    assert {path[-1] for path in paths} == {"selector", "text", "n_wrds", "title"}


@pytest.mark.parametrize(
    "pattern",
    ["^the", "sea$", r"\bsea\b", "(?i)THE SEA|^town", "[^a]sea", r"sea\z", r"\Athe", "(?-m:^the)", r"\Btow", "x"],
)
def test_texts_searched_together_are_found_as_alone(pattern: str) -> None:
    texts = ["the sea", "over the sea", "town", "", "seas", "x", " town", "a\tsea"] * 7
    holds = compile_test(pattern)
    assert find_in_texts(pattern, texts).tolist() == [holds(text) for text in texts]


def test_what_is_wrong_with_an_expression_is_said_in_words() -> None:
    with pytest.raises(RuleError) as caught:
        compile_pattern("river(")
    assert str(caught.value) == "not a regular expression of RE2: 'river(' (missing ): river()"
