"""The page-type card: edges, words, and points that give the probabilities of the regression behind them."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sklearn")

from webclean.errors import InputError
from webclean.laboratory.type_cards import (
    CardExamples,
    compare_answers,
    find_type_edges,
    learn_type_card,
    weigh_pages,
)

CHANNELS = ("url", "head", "names", "label")


@pytest.mark.parametrize(
    ("values", "n_bins", "edges"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], 4, [3, 5, 7]),
        ([1, 2, 3, 4, 5, 6, 7, 8], 2, [5]),
        ([0, 0, 0, 0, 0, 1, 2, 3], 4, [1, 2, 3]),  # the lowest value is a bin of its own
        ([2, 2, 2], 4, []),
        ([np.nan, np.nan], 4, []),
        ([np.nan, 1, 3], 2, [3]),
        ([1, 1234.4, 1234.6], 2, [1230]),
        ([], 4, []),
    ],
)
def test_edges_are_quantiles_that_part_something(values: list[float], n_bins: int, edges: list[float]) -> None:
    assert find_type_edges(np.array(values, dtype=np.float64), n_bins).tolist() == edges


def make_examples(kinds: tuple[str, ...]) -> CardExamples:
    """Sixty pages, each of a site: the value and the word `w0`, `w1`, ... say the type; `all` is on every page."""
    which = [i % len(kinds) for i in range(60)]
    words: dict[str, list[set[str]]] = {name: [set() for _ in which] for name in CHANNELS}
    words["label"] = [{f"w{'abc'[k]}", "all"} if i % 10 else {"all"} for i, k in enumerate(which)]
    values = np.array([[float(k), 0.0] for k in which])
    answers, sites = np.array([kinds[k] for k in which]), np.arange(60, dtype=np.int32)
    return CardExamples(["size", "same"], values, words, answers, sites, np.ones(60), np.ones(60, dtype=bool))


@pytest.mark.parametrize("kinds", [("article", "forum"), ("article", "forum", "product")])
def test_points_speak_for_the_type_whose_pages_have_them(kinds: tuple[str, ...]) -> None:
    card = learn_type_card(make_examples(kinds), min_groups=5, strength=1.0)
    assert list(card.bias) == list(kinds)
    assert list(card.lines) == ["size"]
    assert card.lines["size"].below == tuple(float(k) for k in range(1, len(kinds)))
    for k, kind in enumerate(kinds):
        points = card.lines["size"].points[kind]
        assert points.index(max(points)) == k
        word = card.words["label"][f"w{'abc'[k]}"]
        assert max(word, key=lambda name: word[name]) == kind
    assert "all" not in card.words["label"]


def test_two_types_are_weighed_against_each_other() -> None:
    card = learn_type_card(make_examples(("article", "forum")), min_groups=5, strength=1.0)
    low, high = (card.lines["size"].points[name] for name in ("article", "forum"))
    assert [a + b for a, b in zip(low, high, strict=True)] == pytest.approx([0, 0], abs=0.011)
    assert sum(card.bias.values()) == pytest.approx(0, abs=0.011)


def test_words_are_as_many_as_asked_for_and_of_enough_sites() -> None:
    examples = make_examples(("article", "forum", "product"))
    few = learn_type_card(examples, min_groups=5, n_words=1, n_at_once=1)
    assert sum(len(words) for words in few.words.values()) == 1
    every = learn_type_card(examples, min_groups=5, n_words=3, n_at_once=1)
    assert sum(len(words) for words in every.words.values()) == 3
    none = learn_type_card(examples, min_groups=19)  # each word is on 18 sites
    assert not any(none.words.values())
    assert learn_type_card(examples, min_groups=18).words["label"]


@pytest.mark.parametrize(("rows", "found"), [(slice(None), "all are article"), (slice(0), "there are none")])
def test_pages_of_one_type_alone_are_an_error(rows: slice, found: str) -> None:
    few = make_examples(("article",)).take(list(range(60))[rows])
    with pytest.raises(InputError, match=f"two types at least, each on several sites: {found}"):
        learn_type_card(few)


def test_types_are_as_frequent_as_among_typical_pages() -> None:
    examples = replace(make_examples(("article", "forum", "product")), weight=np.array([1.0, 3.0, 1.0] * 20))
    usual = learn_type_card(examples, min_groups=5)
    typical = np.arange(60) < 30
    same = learn_type_card(replace(examples, is_typical=typical), min_groups=5)
    assert same.bias == usual.bias  # of the same shares
    few = learn_type_card(
        replace(examples, is_typical=typical & ((examples.answers != "forum") | (np.arange(60) < 6))), min_groups=5
    )
    found = {name: few.bias[name] - usual.bias[name] for name in usual.bias}
    typical_share = {"article": 10 / 26, "forum": 6 / 26, "product": 10 / 26}
    share = {"article": 1 / 5, "forum": 3 / 5, "product": 1 / 5}
    assert found == pytest.approx({name: np.log(typical_share[name] / share[name]) for name in share}, abs=0.011)
    assert (few.lines, few.words) == (usual.lines, usual.words)
    without = learn_type_card(replace(examples, is_typical=typical & (examples.answers != "forum")), min_groups=5)
    assert without.bias["forum"] == usual.bias["forum"]  # a type that no typical page has stays as it is
    none = learn_type_card(replace(examples, is_typical=np.zeros(60, dtype=bool)), min_groups=5)
    assert none.bias == usual.bias


def test_further_corpora_weigh_no_more_than_a_number_of_pages() -> None:
    corpus = np.repeat([0, 1, 2], [300, 250, 50])
    assert np.bincount(corpus, weigh_pages(corpus)).tolist() == pytest.approx([300, 200, 50])
    assert weigh_pages(np.zeros(0, dtype=np.intp)).tolist() == []


def test_agreement_by_hand() -> None:
    found = compare_answers("test", np.array(["a", "a", "b", "c"]), np.array(["a", "b", "b", "d"]))
    # F1 of a: 2 / (2 + 1), of b: 2 / (1 + 2), of c: 0
    assert found == f"  test: accuracy 0.500, macro-F1 {(2 / 3 + 2 / 3 + 0) / 3:.3f}"
