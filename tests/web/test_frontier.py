"""Links by what they promise of a topic. The scores of texts are small enough to be worked out by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

import webclean
from webclean.errors import InputError
from webclean.model import Block, Link, Reason, Record, Role
from webclean.rules import load_rules
from webclean.rules.segments_schema import Frontier
from webclean.web.frontier import (
    RankedLink,
    find_terms,
    list_candidates,
    rank_links,
    score_signals,
    score_texts,
    split_words,
)

SITE = "https://x.example"


@dataclass
class Parts:
    """What two blocks hold."""

    texts: Sequence[str] = ("ferry news", "sun and rain")
    headings: Sequence[str] = ("menu", "ferry")
    links: Sequence[tuple[Link, ...]] = (
        (Link(f"{SITE}/a", "ferry"),),
        (Link(f"{SITE}/ferry", "weather"), Link(f"{SITE}/c", "rain"), Link(f"{SITE}/d", "ferry")),
    )
    records: Sequence[tuple[Record, ...]] = ((), (Record("Rain", f"{SITE}/c", "stops the ferry"), Record("Sun")))
    importance: Sequence[float] = (0.5, 0.2)
    xpaths: Sequence[tuple[str, ...]] = ((), ())
    reasons: Sequence[tuple[Reason, ...]] = ((), ())


def make_blocks(**parts: Any) -> list[Block]:
    made = Parts(**parts)
    return [Block(f"b{n}", role, True, None, n, made) for n, role in enumerate((Role.NAVIGATION, Role.CONTENT))]


def make_page(weights: Frontier, **parts: Any) -> Any:
    """What ranking asks of a page."""
    rules = SimpleNamespace(segments=SimpleNamespace(frontier=weights))
    return SimpleNamespace(analysis=SimpleNamespace(rules=rules), blocks=make_blocks(**parts), language="en")


@pytest.fixture
def weights() -> Frontier:
    """A prime for each part, so that a sum says what it is made of."""
    return msgspec.structs.replace(
        load_rules().segments.frontier,
        anchor=2.0,
        neighbours=3.0,
        window=1,
        record=5.0,
        heading=7.0,
        block=11.0,
        url=13.0,
        importance=17.0,
        noise=("navigation",),
        noise_share=0.1,
    )


def test_texts_are_scored_by_bm25_the_best_is_1_and_none_of_the_words_is_0() -> None:
    # equal lengths, so the parts of BM25+ are 1 + 2 x 2.5 / 3.5 and 1 + 2.5 / 2.5; half the smaller is taken off each
    assert score_texts(["ferry ferry", "ferry boat", "sun rain"], ["ferry"]) == pytest.approx([1.0, 0.7, 0.0])
    assert score_texts(["ferry", "sun"], ["ferry"]).tolist() == [1.0, 0.0]
    assert score_texts(["sun", "rain"], ["ferry"]).tolist() == [0.0, 0.0]
    assert score_texts(["", "..."], ["ferry"]).tolist() == [0.0, 0.0]


def test_each_part_has_its_weight(weights: Frontier) -> None:
    blocks = make_blocks()
    found = score_signals(blocks, list_candidates(blocks), ["ferry"], weights)
    assert {name: points.tolist() for name, points in found.items()} == {
        "anchor": [2, 0, 0, 2],
        "neighbours": [0, 0, 1.5, 0],
        "record": [0, 0, 5, 0],
        "heading": [0, 7, 7, 7],
        "block": [11, 0, 0, 0],
        "url": [0, 13, 0, 0],
        "noise role": pytest.approx([-1.3, 0, 0, 0]),
        "importance": pytest.approx([8.5, 3.4, 3.4, 3.4]),
    }


def test_links_are_ranked_by_the_sum_and_say_why(weights: Frontier) -> None:
    page = make_page(weights)
    ranked = rank_links(page, "ferry")
    assert [(link.url.removeprefix(SITE), link.block) for link in ranked] == [
        ("/ferry", 1),
        ("/a", 0),
        ("/c", 1),
        ("/d", 1),
    ]
    assert [link.score for link in ranked] == [1.0, round(20.2 / 23.4, 4), round(16.9 / 23.4, 4), round(12.4 / 23.4, 4)]
    assert ranked[0].text == "weather"
    assert [(reason.stage, reason.rule, reason.points) for reason in ranked[0].reasons] == [
        ("frontier", "heading", 7.0),
        ("frontier", "url", 13.0),
        ("frontier", "importance", 3.4),
    ]
    page.blocks = make_blocks(links=((), ()))
    assert rank_links(page, "ferry") == ()
    with pytest.raises(InputError, match="at least one word"):
        rank_links(page, "...")


def test_links_that_promise_nothing_keep_the_order_of_the_page_and_score_0(weights: Frontier) -> None:
    ranked = rank_links(make_page(msgspec.structs.replace(weights, importance=0.0)), "volcano")
    assert [link.url.removeprefix(SITE) for link in ranked] == ["/a", "/ferry", "/c", "/d"]
    assert {(link.score, link.reasons) for link in ranked} == {(0.0, ())}


def test_an_address_is_a_candidate_once_with_its_longest_anchor_at_its_first_place() -> None:
    links = (
        (Link(f"{SITE}/a", "more"), Link("#top", "to the top"), Link("mailto:a@x.example", "write to us")),
        (Link(f"{SITE}/b", "boats"), Link(f"{SITE}/a", "more about ferries"), Link(f"{SITE}/a", "ferry, more of it ")),
    )
    records = ((), (Record("Ferries", f"{SITE}/a", "They run daily."),))
    assert list_candidates(make_blocks(links=links, records=records)) == [
        RankedLink(f"{SITE}/a", "more about ferries", "Ferries They run daily.", 0),
        RankedLink(f"{SITE}/b", "boats", "", 1),
    ]


def test_words_are_letters_long_numbers_and_pairs_of_unspaced_scripts() -> None:
    assert split_words("Zürich 2024, 12 x_y") == ["zürich", "2024", "x", "y"]
    assert split_words("港口時刻 港") == ["港口", "口時", "時刻", "港"]


def test_terms_of_words_of_texts_and_of_pages() -> None:
    assert find_terms("The ferry, and a ferry to it", 9) == ["ferry", "the", "and"]
    assert find_terms("The ferry, and a ferry to it", 2) == ["ferry", "the"]
    assert find_terms("go to", 9) == ["go", "to"]
    assert find_terms("go to it now", 9) == ["now"]
    assert find_terms("go to 港口 now", 9) == ["港口", "now"]
    assert find_terms(["ferry harbour", "harbour"], 1) == ["harbour"]
    page = webclean.clean("<title>Lock</title><h1>Lock</h1><p>The lock was dug by hand, and the lock is deep.</p>")
    assert find_terms(page, 1) == ["lock"]
    assert find_terms([page, "hand hand hand hand hand"], 1) == ["hand"]


def test_words_are_compared_by_their_stems_in_the_language_of_the_page() -> None:
    for language, topic, anchor in (
        ("en", "tide tables of the harbour", "Tides number 4"),
        ("de", "Fahrpläne der Häfen", "Der Fahrplan im Hafen"),
        ("es", "horarios de mareas", "El horario de la marea"),
    ):
        text = "" if language != "en" else "The ferry leaves the quay at noon, as it has for years. "
        page = webclean.clean(
            f"<html lang={language}><title>x</title><h1>x</h1><p>{text}</p><ul><li><a href=/a/1>{anchor}</a></ul>",
            url=SITE,
        )
        assert rank_links(page, topic)[0].score > 0, language


def test_scores_of_two_pages_can_be_compared() -> None:
    def rank(*anchors: str) -> list[float]:
        links = "".join(f"<li><a href=/{n}/{n}>{anchor}</a></li>" for n, anchor in enumerate(anchors))
        page = webclean.clean(f"<html lang=en><title>Port</title><h1>Port</h1><ul>{links}</ul>", url=SITE)
        return [link.score for link in rank_links(page, "tide tables harbour")]

    whole, part, none = rank("Tide tables of the harbour"), rank("Coffee tables"), rank("The choir")
    assert whole[0] == 1.0 > part[0] > none[0] == 0.0


def test_a_page_that_says_nothing_of_the_topic_scores_nothing() -> None:
    lists = "".join(f"<ul><li><a href=/{at}/{at}>Tea number {at} of the harbour shop</a></ul>" for at in range(9))
    page = webclean.clean(f"<title>Shop</title><h1>Shop</h1>{lists}", url=SITE)
    ranked = rank_links(page, "zeppelin")
    assert ranked
    assert {link.score for link in ranked} == {0.0}
