"""Lists and figures of which most is kept are kept as a whole."""

from __future__ import annotations

import numpy as np
import pytest

import webclean
from tests.decide.test_regions import SENTENCE, list_points, read_columns
from webclean.decide.corrections import correct_structures
from webclean.rules.decide_schema import Structure, Structures, TypeShares

ALL = TypeShares(others=1.0)
LISTS = Structures(lists=Structure(least_kept=0.5, reach=3.0, counts=ALL))
ITEMS = "".join(f"<li>The {bird} is tall" for bird in ("crane", "heron", "gull", "tern"))


def gain(html: str, points: list[float], rules: Structures = LISTS, cut: float = 0.5) -> list[float]:
    found = correct_structures(read_columns(html), np.array(points), cut, rules, {"article": 1.0})
    return list_points(found, points)


@pytest.mark.parametrize(
    ("points", "gained"),
    [
        ([3.0, 2.0, 0.0, 1.0], [0, 0, 2.0, 0]),
        ([3.0, 1.0, 0.0, -2.5], [0, 0, 2.0, 4.5]),
        ([3.0, 2.0, 1.0, -2.6], [0, 0, 0, 0]),
        ([3.0, 0.0, 0.0, 0.0], [0, 0, 0, 0]),
        ([0.5, 0.5, 0.4, 0.5], [0, 0, pytest.approx(0.1), 0]),
        ([0.0] * 4, [0] * 4),
        ([1.0] * 4, [0] * 4),
    ],
)
def test_items_rise_to_the_mean_of_the_kept_ones_if_these_are_most(points: list[float], gained: list[float]) -> None:
    assert gain(f"<ul>{ITEMS}</ul>", points) == gained


def test_a_list_of_which_nothing_is_kept_stays_as_it_is_whatever_share_is_asked_for() -> None:
    any_share = Structures(lists=Structure(least_kept=0.0, reach=3.0, counts=ALL))
    assert gain(f"<p>{SENTENCE}</p><ul>{ITEMS}</ul>", [3.0, -1.0, -1.0, -1.0, -1.0], any_share) == [0] * 5


def test_words_count_and_not_items() -> None:
    html = f"<ul><li>{SENTENCE}<li>Crane<li>Heron</ul>"
    assert gain(html, [2.0, 0.0, 0.0]) == [0, 2.0, 2.0]
    assert gain(html, [0.0, 2.0, 2.0]) == [0, 0, 0]


def test_the_innermost_structure_counts() -> None:
    html = (
        "<ul><li>One crane here<ul><li>Two tall cranes<li>One tall heron</ul><li>One gull here<li>Two terns here</ul>"
    )
    assert gain(html, [2.0, 0.0, 0.0, 2.0, 0.0]) == [0, 0, 0, 0, 2.0]


def test_blocks_of_a_list_are_compared_with_those_at_the_same_path() -> None:
    items = "<li><h3>A crane</h3><p>It is tall</p><a href=/s>Share it</a>" * 3
    low, high = [2.0, 2.0, 0.0], [2.0, 0.0, 0.0]
    assert gain(f"<ul>{items}</ul>", [*low, *high, *low]) == [0, 0, 0, 0, 2.0, 0, 0, 0, 0]


def test_items_that_their_template_numbers_are_alike() -> None:
    items = "".join(
        f"<li class=bird-{number}>The {bird} is tall" for number, bird in enumerate(("crane", "heron", "gull"))
    )
    assert gain(f"<ul>{items}</ul>", [2.0, 0.0, 2.0]) == [0, 2.0, 0]


def test_a_figure_is_one_whatever_is_in_it() -> None:
    figures = Structures(figures=Structure(least_kept=0.5, reach=3.0, counts=ALL))
    html = "<figure><blockquote>Two tall cranes came</blockquote><figcaption>Ada</figcaption></figure><p>Home</p>"
    assert gain(html, [2.0, 0.0, 0.0], figures) == [0, 2.0, 0]
    assert gain(html, [2.0, 0.0, 0.0]) == [0, 0, 0]


def test_a_type_that_counts_half_lets_blocks_rise_half_as_far() -> None:
    half = Structures(lists=Structure(least_kept=0.5, reach=3.0, counts=TypeShares(types={"article": 0.5})))
    assert gain(f"<ul>{ITEMS}</ul>", [2.0, 2.0, 0.0, 2.0], half) == [0, 0, 1.0, 0]


def test_the_reason_names_the_structure() -> None:
    rules = Structures(figures=Structure(least_kept=0.5, reach=3.0, counts=ALL), lists=LISTS.lists)
    html = f"<ul>{ITEMS}</ul><figure><p>A tall crane</p><figcaption>Two tall cranes</figcaption></figure>"
    points = np.array([2.0, 2.0, 2.0, 0.0, 2.0, 0.0])
    found = correct_structures(read_columns(html), points, 0.5, rules, {"article": 1.0})
    assert found is not None
    assert [found.tell(block) for block in (3, 5)] == [
        "in a list of which most is kept",
        "in a figure of which most is kept",
    ]


def test_a_caption_stays_with_what_it_is_about() -> None:
    quote = "<figure><blockquote><p>{}</p></blockquote><figcaption>Maeve Corrigan, Quay</figcaption></figure>"
    said = "They came on the day they had named, and the boat was in the water before the tide turned."
    html = f"<title>Boats</title><h1>Boats</h1><p>{SENTENCE}</p>{quote.format(said)}<p>{SENTENCE}</p>"
    page = webclean.clean(html, page_type="content", page_subtype="article")
    assert "Maeve Corrigan, Quay" in page.text
