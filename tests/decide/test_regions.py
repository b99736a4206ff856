"""Regions under an article: what tells them, how far they reach, and on which pages they count."""

from collections.abc import Sized
from pathlib import Path

import numpy as np
import pytest

from tests import read_columns, read_table
from webclean import clean
from webclean.decide.explain import explain_block
from webclean.decide.regions import Region, compile_region_words, compute_region_share, find_regions
from webclean.features.words import list_phrases
from webclean.model import Correction
from webclean.rules import load_rules
from webclean.rules.decide_schema import TypeShares

HERE = Path(__file__).parent

RULES = load_rules()
KNOWN = compile_region_words(RULES.regions, RULES.concepts)
SENTENCE = "The river rises in the hills, and it takes a long and winding way down to the sea."
TEXT = f"<p>{SENTENCE}</p>" * 5
REMARK = "<p>I walked there last year with my brother, and we liked it very much.</p>"
ARTICLE = f"<title>On rivers of the north</title><h1>On rivers of the north</h1>{TEXT}"


def list_points(found: Correction | None, blocks: Sized) -> list[float]:
    """What a correction adds to the points of the blocks, 0 where there is none."""
    return found.points.tolist() if found else [0.0] * len(blocks)


def list_regions(markup: str, kind: str | None = None) -> list[Region]:
    """The regions of a page all of whose blocks would be kept."""
    columns = read_columns(markup)
    found = find_regions(columns, np.ones(len(columns.blocks), dtype=bool), RULES.regions, KNOWN)
    return [region for region in found if kind in (None, region.kind)]


def list_texts(markup: str, kind: str) -> list[list[str]]:
    texts = read_columns(markup).blocks.text
    return [texts[region.first : region.last] for region in list_regions(markup, kind)]


@pytest.mark.parametrize(*read_table(HERE / "names.tsv"))
def test_names_are_compared_as_whole_words_and_states_say_nothing(names: str, kind: str) -> None:
    found = KNOWN.find_in_names(names)
    assert (found[0] if found else "") == kind


@pytest.mark.parametrize(*read_table(HERE / "headings.tsv"))
def test_headings_announce_a_kind_in_many_languages(text: str, kind: str) -> None:
    assert KNOWN.find_in_heading(text) == (kind or None)


def test_an_element_named_so_is_a_region_once() -> None:
    page = f"{ARTICLE}<div id=comments><div class=comment>{REMARK}</div><div class=comment>{REMARK}</div></div>"
    found = list_regions(page, "comments")
    assert [(region.last - region.first, region.found_by) for region in found] == [(2, "named comments")]


def test_an_icon_that_is_not_closed_makes_no_region_of_what_follows() -> None:
    page = f"{ARTICLE}<p><i class=share></p><p>{SENTENCE}</p><p>{SENTENCE}</p>"
    assert list_regions(page, "share") == []
    assert len(list_regions(page.replace("<i class=share>", "<div class=share>"), "share")) == 1


def test_a_heading_that_begins_an_element_takes_the_element() -> None:
    page = f"<div>{ARTICLE}</div><div><div><h3>Comments (2)</h3></div>{REMARK}{REMARK}</div><p>{SENTENCE}</p>"
    assert [len(texts) for texts in list_texts(page, "comments")] == [3]


def test_a_heading_alone_in_its_element_reaches_to_the_end_of_the_one_around() -> None:
    heading = "<div><h3>46 comments on “On rivers”</h3></div>"
    page = f"<div>{ARTICLE}</div><div><p>{SENTENCE}</p>{heading}{REMARK}{REMARK}</div><p>{SENTENCE}</p>"
    assert [len(texts) for texts in list_texts(page, "comments")] == [3]


def test_a_heading_among_siblings_reaches_to_the_next_of_its_rank() -> None:
    links = "<ul><li><a href=/a>Bridges of the town</a><li><a href=/b>A mill burns down</a></ul>"
    page = f"<div>{ARTICLE}<h3>Read also</h3>{links}<h3>Sources</h3><p>{SENTENCE}</p></div>"
    assert list_texts(page, "related") == [["Read also", "Bridges of the town", "A mill burns down"]]


def test_a_heading_that_links_do_not_follow_is_part_of_the_text() -> None:
    page = f"<div>{ARTICLE}<h3>Related</h3>{TEXT}</div>"
    assert list_regions(page, "related") == []


def test_what_holds_the_headline_is_no_region() -> None:
    page = f"<body class=comments><div class='comment latest'>{ARTICLE}</div>"
    assert list_regions(page) == []


def test_comments_need_text_before_them() -> None:
    remarks = f"<div class=comments>{REMARK * 4}</div>"
    assert list_regions(f"<p>Rivers</p>{remarks}") == []
    assert len(list_regions(f"<p>Rivers</p>{TEXT}{remarks}")) == 1
    assert len(list_regions(f"<title>Rivers</title><h1>Rivers</h1>{remarks}")) == 1


def test_a_list_that_is_most_of_the_page_is_no_region() -> None:
    links = "<li><a href=/a>Bridges of the old town and its people</a>" * 120
    assert list_regions(f"{ARTICLE}<ul class=latest>{links}</ul>") == []


@pytest.mark.parametrize(
    ("types", "share"),
    [
        ({}, 0.5),
        ({"forum": 1.0}, 0.0),
        ({"article": 1.0}, 1.0),
        ({"article": 0.5, "forum": 0.25, "product": 0.25}, 0.625),
    ],
)
def test_types_are_weighed_by_their_probabilities(types: dict[str, float], share: float) -> None:
    assert TypeShares(types={"article": 1.0, "forum": 0.0}, others=0.5).average(types) == pytest.approx(share)


@pytest.mark.parametrize(
    ("url", "body", "said", "words", "weight"),
    [
        (None, "", "named comments", 200.0, 1.0),
        (None, "", "named comments", 110.0, 0.5),
        (None, "", "named comments", 0.0, 0.0),
        ("https://forum.example/5", "", "named comments", 200.0, 0.0),
        ("https://a.example/showthread.php?t=5", "", "named comments", 200.0, 0.0),
        (None, "class='viewtopic wide'", "named comments", 200.0, 0.0),
        (None, "", "headed 5 replies", 200.0, 0.0),
    ],
)
def test_the_posts_of_a_thread_are_no_comments(
    url: str | None, body: str, said: str, words: float, weight: float
) -> None:
    columns = read_columns(f"<body {body}>{ARTICLE}", url)
    region = Region("comments", 6, 9, said, words)
    types = {"forum": 0.9, "article": 0.1}
    assert compute_region_share(region, columns, RULES.regions, KNOWN, types) == pytest.approx(weight)


def test_comments_of_other_regions_are_no_text_before_a_region() -> None:
    comments = f"<div class=comments>{REMARK * 3}</div>"
    regions = list_regions(f"{ARTICLE}{comments}<p>{SENTENCE}</p>{comments}", "comments")
    sentence, before = 18.0, 5 * 18.0
    assert [region.words_before for region in regions] == [before, before + sentence]


def test_reviews_count_on_pages_of_goods_alone() -> None:
    (region,) = list_regions(f"{ARTICLE}<h3>Customer reviews</h3>{REMARK * 6}", "reviews")
    columns = read_columns(ARTICLE)

    def share(types: dict[str, float]) -> float:
        return compute_region_share(region, columns, RULES.regions, KNOWN, types)

    assert (share({"product": 1.0}), share({"article": 1.0}), share({"product": 0.5})) == (1.0, 0.0, 0.5)


def test_what_stands_beside_an_article_loses_points_unless_it_is_the_text() -> None:
    (region,) = list_regions(f"{ARTICLE}<div class=sidebar><p>{SENTENCE}</p></div>", "sidebar")
    assert RULES.regions.kinds["sidebar"].points < 0
    columns = read_columns(ARTICLE)
    assert compute_region_share(region, columns, RULES.regions, KNOWN, {"article": 1.0}) == 1.0
    assert compute_region_share(region, columns, RULES.regions, KNOWN, {"listing": 1.0}) == 0.0
    assert list_regions(f"<p>Pictures.</p><div class=sidebar>{TEXT * 6}</div>", "sidebar") == []


def test_who_wrote_a_post_loses_points_in_a_thread_alone() -> None:
    post = f"<div><p class=author>by Heron on Sunday, at ten past six</p><div class=content>{SENTENCE}</div></div>"
    found = list_regions(f"<h1>On rivers</h1>{post * 6}", "poster")
    assert [region.last - region.first for region in found] == [1] * 6
    columns = read_columns(ARTICLE)
    shares = [
        compute_region_share(found[0], columns, RULES.regions, KNOWN, {kind: 1.0}) for kind in ("forum", "article")
    ]
    assert shares == [1.0, 0.0]


def test_readers_comments_are_dropped_and_say_why() -> None:
    page = clean(f"{ARTICLE}<div class=comments><h3>2 comments</h3>{REMARK * 6}</div>", page_type="content")
    assert page.text.count(SENTENCE) == 5
    assert "my brother" not in page.text
    analysis = page.analysis
    explained = explain_block(analysis.columns, analysis.decisions, analysis.rules, len(analysis.columns.blocks) - 1)
    said = [reason for reason in explained.page if reason.rule == "regions"]
    assert [reason.evidence for reason in said] == ["comments: named comments"]
    assert all(reason.points is not None and reason.points < 0 for reason in said)
    assert said[0] in explained.reasons


def test_a_region_ends_before_an_element_that_holds_the_headline() -> None:
    lines = "<p><a href=/a>A walk along the old canal</a></p><p><a href=/b>How the mill was saved</a></p>" * 3
    related = f"<section><h2>Zobacz także</h2>{lines}</section>"
    after = f"<div>{related}<h3>On rivers of the north</h3><p>{SENTENCE}</p></div>"
    (texts,) = list_texts(f"<title>On rivers of the north</title>{TEXT * 4}{after}", "related")
    assert (texts[0], texts[-1], len(texts)) == ("Zobacz także", "How the mill was saved", 7)


def test_no_word_announces_two_kinds() -> None:
    kinds = RULES.regions.kinds.items()
    names = [(word, kind) for kind, rules in kinds for word in set(rules.names.split())]
    texts = [(text, kind) for kind, rules in kinds for own in rules.headings.values() for text in set(own)]
    phrases = [
        (phrase, kind)
        for kind, rules in kinds
        for concept in rules.concepts
        for _, _, phrase in list_phrases({concept: RULES.concepts[concept]})
    ]
    kinds_of: dict[str, set[str]] = {}
    for word, kind in (*names, *texts, *phrases):
        kinds_of.setdefault(word, set()).add(kind)
    assert {word: found for word, found in kinds_of.items() if len(found) > 1} == {}
