"""Score cards: compiled cards give what their lines say, rules come on top, explanations agree with scores."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from tests import read_columns
from webclean.decide import (
    compute_second_share,
    cut_by_expected_f,
    decide_blocks,
    list_first_cards,
    measure_surroundings,
)
from webclean.decide.explain import explain_block
from webclean.decide.rule_matches import match_rules
from webclean.features import PageColumns, measure
from webclean.features.words import CompiledWordPoints
from webclean.matching.conditions import PageFacts
from webclean.rules import load_rules
from webclean.rules.card_schema import Card
from webclean.rules.decide_schema import ArticlePages, Corrections, Cut, PlainPages, Regions
from webclean.rules.rule_schema import Rule
from webclean.rules.schema import RuleSet

CARD = {
    "bias": -0.5,
    "lines": {
        "n_words": {"below": [4, 12], "points": [-1.0, 0.25, 1.5], "because": "long"},
        "link_density": {"below": [0.3], "points": [0.5, -2.0]},
    },
    "by_type": {"forum": {"bias": 0.75, "lines": {"n_words": {"below": [8], "points": [0.5, 0.0]}}}},
}
PAGE = """<title>On rivers</title><nav><a href=/>Home</a> <a href=/news>All the news of the week</a></nav>
<h1>On rivers</h1><p>The river rises in the hills, and it takes a long and winding way down to the sea.</p>
<div class=related><p>More</p><p>Bridges of the old town</p></div>"""
RULES = {
    "drop-related": {"when": {"token": "related"}, "action": "drop"},
    "keep-bridges": {"when": {"text": "Bridges"}, "action": "keep", "because": "bridges belong"},
}


@pytest.fixture
def columns() -> PageColumns:
    return read_columns(PAGE)


def make_card(values: object = CARD) -> Card:
    return msgspec.convert(values, Card)


def make_rules(
    card: Card | None = None, second: Card | None = None, plain: Card | None = None, article: Card | None = None
) -> RuleSet:
    shipped = msgspec.structs.replace(load_rules(), regions=Regions(), corrections=Corrections())
    return msgspec.structs.replace(
        shipped,
        score_card=card or make_card(),
        second_card=second or Card(),
        plain_card=plain or Card(),
        article_card=article or Card(),
    )


def test_keep_beats_drop_and_both_beat_the_cut(columns: PageColumns) -> None:
    rules = msgspec.structs.replace(make_rules(), rules=msgspec.convert(RULES, dict[str, Rule]))
    matches = match_rules(columns, PageFacts(), rules.rules)
    decided = decide_blocks(columns, rules, matches=matches)
    text = columns.blocks.text
    kept = {text[i] for i in np.flatnonzero(decided.kept)}
    assert "Bridges of the old town" in kept
    assert "More" not in kept
    bridges = text.index("Bridges of the old town")
    assert explain_block(columns, decided, rules, bridges).decided_by.evidence == "bridges belong"


def test_points_of_a_rule_move_the_score_only(columns: PageColumns) -> None:
    rule = {"river": {"when": {"text": "river"}, "action": {"points": -1.25}}}
    rules = msgspec.structs.replace(make_rules(), rules=msgspec.convert(rule, dict[str, Rule]))
    plain = decide_blocks(columns, rules)
    moved = decide_blocks(columns, rules, matches=match_rules(columns, PageFacts(), rules.rules))
    expected = np.where(["river" in text for text in columns.blocks.text], -1.25, 0.0)
    assert moved.score - plain.score == pytest.approx(expected)


def test_points_of_a_rule_are_seen_by_the_second_pass_and_told(columns: PageColumns) -> None:
    rule = {"river": {"when": {"text": "^The river"}, "action": {"points": -20}, "because": "too wet"}}
    around = make_card({"lines": {"own_points": {"below": [-5], "points": [-2.0, 0.0]}}})
    rules = msgspec.structs.replace(make_rules(second=around), rules=msgspec.convert(rule, dict[str, Rule]))
    plain = decide_blocks(columns, rules)
    moved = decide_blocks(columns, rules, matches=match_rules(columns, PageFacts(), rules.rules))
    river = next(i for i, text in enumerate(columns.blocks.text) if text.startswith("The river"))
    assert (moved.score - plain.score)[river] == -20 + rules.passes.second * -2.0
    told = explain_block(columns, moved, rules, river).page
    assert [(reason.rule, reason.points, reason.evidence) for reason in told] == [("rules", -20, "river: too wet")]


@pytest.mark.parametrize("shipped", [False, True])
def test_explanations_sum_to_the_score(columns: PageColumns, shipped: bool) -> None:
    rules = load_rules() if shipped else make_rules()
    decided = decide_blocks(columns, rules, {"article": 0.8}, match_rules(columns, PageFacts(), rules.rules))
    assert decided.first is not None
    for block in range(len(columns.blocks)):
        told = explain_block(columns, decided, rules, block)
        assert told.kept == decided.kept[block]
        second = compute_second_share(rules, decided.article_share, decided.plain_share)
        bias = sum(
            share * card.bias for _, card, share in list_first_cards(rules, decided.article_share, decided.plain_share)
        )
        total = (1 - second) * bias + second * rules.second_card.bias
        total += sum(reason.points or 0.0 for reason in (*told.first, *told.second, *told.page))
        assert total == pytest.approx(decided.score[block], abs=0.01)


def test_the_five_lines_of_a_pass_with_the_most_points_are_told(columns: PageColumns) -> None:
    rules = load_rules()
    decided = decide_blocks(columns, rules)
    told = explain_block(columns, decided, rules, 0)
    assert len(told.first) > 5
    assert [sum(one in told.reasons for one in part) for part in (told.first, told.second)] == [
        5,
        min(5, len(told.second)),
    ]
    assert told.reasons[0] is told.decided_by
    assert all(reason in told.reasons for reason in (*told.first[:5], *told.page))


def test_what_the_cut_decided_tells_the_distance_from_it(columns: PageColumns) -> None:
    rules = make_rules()
    decided = decide_blocks(columns, rules)
    told = [explain_block(columns, decided, rules, block) for block in range(len(columns.blocks))]
    by_cut = [one for one in told if one.decided_by.rule == "cut"]
    assert {one.kept for one in by_cut} == {True, False}
    for one in by_cut:
        assert one.decided_by.points == pytest.approx(one.score - one.cut)
        assert one.kept == ("over the cut" in one.decided_by.evidence)


def test_the_cut_keeps_a_prefix_and_more_of_it_with_a_larger_beta() -> None:
    points = np.array([3.0, -4.0, 1.0, 0.2, -1.0])
    words = np.array([10.0, 5.0, 20.0, 20.0, 20.0])
    sizes = []
    for beta in (0.5, 1.0, 2.0):
        found = cut_by_expected_f(points, words, Cut(beta=beta))
        assert found.mask.tolist() == (points >= found.cut).tolist()
        sizes.append(int(found.mask.sum()))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_a_page_without_blocks_is_decided() -> None:
    empty = read_columns("")
    assert decide_blocks(replace(empty), load_rules()).kept.tolist() == []


def test_pages_whose_names_say_nothing_are_scored_by_the_plain_card(columns: PageColumns) -> None:
    plain = make_card({"bias": 2.0, "lines": {"link_density": {"below": [0.5], "points": [0.0, -9.0]}}})
    decided = decide_blocks(columns, make_rules(plain=plain))
    assert decided.plain_share == 1.0
    assert decided.score == pytest.approx(np.where(measure(columns, "link_density") < 0.5, 2.0, -7.0))
    named = replace(columns, word_points=CompiledWordPoints(names=dict.fromkeys(["related", "nav"], 0.0)))
    rules = msgspec.structs.replace(make_rules(plain=plain), plain_pages=PlainPages(all_below=0.1, none_from=0.9))
    assert decide_blocks(named, rules).plain_share == 0.0
    unknown = replace(columns, word_points=CompiledWordPoints(names=dict.fromkeys(["nowhere", "div"], 1.0)))
    assert decide_blocks(unknown, rules).plain_share == 1.0


def test_the_article_card_decides_as_far_as_a_page_is_likely_to_be_an_article(columns: PageColumns) -> None:
    card = make_card({"bias": 2.0, "lines": {"link_density": {"below": [0.5], "points": [0.0, -9.0]}}})
    rules = msgspec.structs.replace(make_rules(article=card), article_pages=ArticlePages(share=1.0, likely_from=0.0))
    other = decide_blocks(columns, rules)
    assert other.article_share == 0.0
    certain = decide_blocks(columns, rules, {"article": 1.0})
    assert certain.article_share == 1.0
    assert certain.score == pytest.approx(np.where(measure(columns, "link_density") < 0.5, 2.0, -7.0))
    likely = decide_blocks(columns, rules, {"article": 0.25})
    assert likely.score == pytest.approx(0.25 * certain.score + 0.75 * other.score)
    halved = msgspec.structs.replace(rules, article_pages=ArticlePages(share=0.5, likely_from=0.4))
    shares = [decide_blocks(columns, halved, {"article": likely}).article_share for likely in (0.3, 0.4, 0.7, 1.0)]
    assert shares == pytest.approx([0.0, 0.0, 0.25, 0.5])


def test_the_share_of_kept_words_so_far_ends_with_one() -> None:
    one = read_columns("<p>river</p>")
    assert measure_surroundings(one, np.array([3.0]), ("kept_so_far",)).tolist() == [[1.0]]


def test_what_is_as_large_as_the_least_is_kept() -> None:
    points, words = np.array([9.0, -9.0]), np.array([10.0, 30.0])
    for least, kept in (
        ({"least_words": 10.0, "least_share": 1.0}, True),
        ({"least_words": 40.0, "least_share": 0.25}, True),
        ({"least_words": 10.5, "least_share": 0.26}, False),
    ):
        assert cut_by_expected_f(points, words, Cut(**least)).mask.tolist() == [kept, False]
