"""Structures: lists, figures and rows of which most is kept, and what kept text cannot be without."""

import numpy as np
import pytest

from tests import read_columns
from tests.decide.test_regions import SENTENCE, list_points
from webclean.decide.corrections import correct_structures
from webclean.rules.decide_schema import Structure, Structures, TypeShares

ARTICLE = {"article": 1.0}
ALL = TypeShares(others=1.0)
LISTS = Structures(lists=Structure(least_kept=0.5, reach=3.0, counts=ALL))
ITEMS = "".join(f"<li>The {bird} is tall" for bird in ("crane", "heron", "gull", "tern"))


def gain_items(html: str, points: list[float], rules: Structures = LISTS, cut: float = 0.5) -> list[float]:
    found = correct_structures(read_columns(html), np.array(points), np.array(points) >= cut, cut, rules, ARTICLE)
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
    assert gain_items(f"<ul>{ITEMS}</ul>", points) == gained


def test_a_list_with_a_link_is_of_other_goods() -> None:
    rules = Structures(plain_lists=Structure(least_kept=0.2, reach=3.0, counts=ALL))
    assert gain_items(f"<ul>{ITEMS}</ul>", [3.0, 0.0, 0.0, 0.0], rules) == [0, 3.0, 3.0, 3.0]
    assert gain_items(f"<ul>{ITEMS}<li><a href=/t>Tern</a></ul>", [3.0, 0.0, 0.0, 0.0, 0.0], rules) == [0] * 5


def test_a_list_of_which_nothing_is_kept_stays_as_it_is_whatever_share_is_asked_for() -> None:
    any_share = Structures(lists=Structure(least_kept=0.0, reach=3.0, counts=ALL))
    assert gain_items(f"<p>{SENTENCE}</p><ul>{ITEMS}</ul>", [3.0, -1.0, -1.0, -1.0, -1.0], any_share) == [0] * 5


def test_words_count_and_not_items() -> None:
    html = f"<ul><li>{SENTENCE}<li>Crane<li>Heron</ul>"
    assert gain_items(html, [2.0, 0.0, 0.0]) == [0, 2.0, 2.0]
    assert gain_items(html, [0.0, 2.0, 2.0]) == [0, 0, 0]


def test_the_innermost_structure_counts() -> None:
    html = "<ul><li>One crane here<ul><li>Two tall cranes<li>One tall heron</ul><li>One gull here<li>Two terns</ul>"
    assert gain_items(html, [2.0, 0.0, 0.0, 2.0, 0.0]) == [0, 0, 0, 0, 2.0]


def test_blocks_of_a_list_are_compared_with_those_at_the_same_path() -> None:
    items = "<li><h3>A crane</h3><p>It is tall</p><a href=/s>Share it</a>" * 3
    low, high = [2.0, 2.0, 0.0], [2.0, 0.0, 0.0]
    assert gain_items(f"<ul>{items}</ul>", [*low, *high, *low]) == [0, 0, 0, 0, 2.0, 0, 0, 0, 0]


def test_items_that_their_template_numbers_are_alike() -> None:
    items = "".join(
        f"<li class=bird-{number}>The {bird} is tall" for number, bird in enumerate(("crane", "heron", "gull"))
    )
    assert gain_items(f"<ul>{items}</ul>", [2.0, 0.0, 2.0]) == [0, 2.0, 0]


def test_a_figure_is_one_whatever_is_in_it() -> None:
    figures = Structures(figures=Structure(least_kept=0.5, reach=3.0, counts=ALL))
    html = "<figure><blockquote>Two tall cranes came</blockquote><figcaption>Ada</figcaption></figure><p>Home</p>"
    assert gain_items(html, [2.0, 0.0, 0.0], figures) == [0, 2.0, 0]
    assert gain_items(html, [2.0, 0.0, 0.0]) == [0, 0, 0]


def test_a_type_that_counts_half_lets_blocks_rise_half_as_far() -> None:
    half = Structures(lists=Structure(least_kept=0.5, reach=3.0, counts=TypeShares(types={"article": 0.5})))
    assert gain_items(f"<ul>{ITEMS}</ul>", [2.0, 2.0, 0.0, 2.0], half) == [0, 0, 1.0, 0]


@pytest.mark.parametrize(
    ("html", "gained"),
    [
        ("<section><p>Two cranes came.</p>Sie kommen am Abend zurück<p>They stayed.</p></section>", [0, 1.0, 0]),
        ("<div><div>Two cranes came.</div>they come back at six<h3>They stayed.</h3></div>", [0, 1.0, 0]),
        ("<div><p>Two cranes came.</p>at six<p>They stayed.</p></div>", [0, 0, 0]),
        ("<div><p>Two cranes came.</p><p>they come back at six</p><p>They stayed.</p></div>", [0, 0, 0]),
        ("<div><p>Two cranes came.</p><a href=x>they come back at six</a><p>They stayed.</p></div>", [0, 0, 0]),
    ],
)
def test_bare_text_between_two_kept_blocks_is_kept(html: str, gained: list[float]) -> None:
    rules = Structures(bare=Structure(least_words=4, reach=3.0, counts=ALL))
    assert gain_items(html, [1.0, 0.0, 0.5], rules) == gained


SUMMARY = "<summary><div><div>Delivery &amp; Returns</div></div></summary>"
LINKED = "<summary><a href=/d>Delivery</a></summary>"
TWO_LISTS = [-4.0, 0.5, -4.0, 0.5]
BELONGS = {
    "headings": [
        ("<p>They came.</p><h2>Cranes</h2><p>They stayed.</p>", [1.5, 0.0, 1.5], [0, 1.0, 0]),
        ("<p>They came.</p><h2>Cranes</h2><h3>Grey</h3><p>They stayed.</p>", [1.5, 0.0, -0.5, 1.5], [0, 1.0, 1.5, 0]),
        ("<p>They came.</p><h2>Cranes</h2><p>More on cranes</p>", [1.5, 0.0, 0.0], [0, 0, 0]),
        ("<p>They came.</p><section><h2>Cranes</h2></section><p>They stayed.</p>", [1.5, 0.0, 1.5], [0, 0, 0]),
        ("<h2>Cranes</h2><p>They stayed.</p>", [0.0, 1.5], [0, 0]),
        ("<h2>Cranes</h2><p>They stayed.</p><h2>Gulls</h2><p>They left.</p>", [0.0, *[1.5] * 3], [1.0, 0, 0, 0]),
        ("<h2>Birds</h2><p>They stayed.</p><h3>Gulls</h3><p>They left.</p>", [0.0, *[1.5] * 3], [0, 0, 0, 0]),
        ("<p>They came.</p><h2>Cranes</h2><p>They stayed.</p>", [1.5, -4.0, 1.5], [0, 0, 0]),
        ("<p>They came.</p><dl><div><dt>Crane</dt><dd>A bird.</dd></div></dl>", [1.5, -4.0, 0.5], [0, 5.0, 0]),
        ("<p>They came.</p><dl><dt>Crane<dt>Grey<dd>A bird.</dl>", [1.5, 0.0, 0.0, 0.5], [0, 1.0, 1.0, 0]),
        ("<p>They came.</p><dl><dt>Crane<dd>A bird.</dl>", [1.5, 0.0, 0.0], [0, 0, 0]),
        ("<dl><dt>Crane</dt><dd>A bird.</dd></dl>", [-4.0, 0.5], [5.0, 0]),
        ("<p>They came.</p><div><div>Why?</div><p>To fish.</p></div>", [1.5, -4.0, 0.5], [0, 5.0, 0]),
        ("<p>They came.</p><h3><button>为什么？</button></h3><p>To fish.</p>", [1.5, -4.0, 0.5], [0, 5.0, 0]),
        ("<p>They came.</p><p><a href=/w>Why?</a></p><p>To fish.</p>", [1.5, -4.0, 0.5], [0, 0, 0]),
        (f"<p>They came.</p><details>{SUMMARY}<p>By sea.</p></details>", [1.5, -4.0, 0.5], [0, 5.0, 0]),
        (f"<p>They came.</p><details>{LINKED}<p>By sea.</p></details>", [1.5, -4.0, 0.5], [0, 0, 0]),
        ("<ul><b>最低：</b><ul><li>2 GB</ul></ul><ul><b>推荐：</b><ul><li>8 GB</ul></ul>", TWO_LISTS, [5.0, 0, 5.0, 0]),
        ("<p>They came:</p><p>By sea.</p>", [-4.0, 0.5], [0, 0]),
    ],
    "introduced": [
        ("<p>Du brauchst:</p><ul><li>Harz<li>Klebeband</ul>", [1.0, 0.0, -2.0], [0, 1.0, 3.0]),
        ("<div><p>You need:</p></div><ul><li>resin<li>tape</ul>", [1.0, 0.0, -2.0], [0, 0, 0]),
        ("<p>You need:</p><ul><li>resin<li><a href=/t>tape</a></ul>", [1.0, 0.0, -2.0], [0, 0, 0]),
        ("<p>You need:</p><ul><li>resin<li>tape</ul>", [1.0, 0.0, -3.0], [0, 0, 0]),
        ("<p>You need:</p><ul><li>resin<li>tape</ul>", [0.0, 0.0, -2.0], [0, 0, 0]),
        ("<p>You need:</p><ul><li><p>resin</p><li><p>tape</p></ul>", [1.0, 0.0, -2.0], [0, 1.0, 3.0]),
        ("<p>They came.</p><ol><li><p>Why it matters</p></ol><p>They stayed.</p>", [1.0, -9.0, 1.0], [0, 10.0, 0]),
        ("<p>They came.</p><ol><li><p>Home</p></ol><div><p>They stayed.</p></div>", [1.0, -9.0, 1.0], [0, 0, 0]),
        ("<h2>You need:</h2><ul><li>resin<li>tape</ul>", [1.0, 0.0, -2.0], [0, 0, 0]),
    ],
    "signs": [
        ("<table><tr><td>Czech</td><td>✔</td><td>no</td></table>", [1.0, -1.0, -1.0], [0, 2.0, 0]),
        ("<table><tr><td>Czech</td><td>✔</td></tr><tr><td>–</td></table>", [0.0, -1.0, -1.0], [0, 0, 0]),
        ("<p>Czech</p><p>✔</p>", [1.0, -1.0], [0, 0]),
    ],
}


@pytest.mark.parametrize(
    ("kind", "html", "points", "gained"), [(kind, *row) for kind, rows in BELONGS.items() for row in rows]
)
def test_what_belongs_to_kept_blocks_is_kept(kind: str, html: str, points: list[float], gained: list[float]) -> None:
    """Their headings, the list that a paragraph introduces, and signs in their rows of tables."""
    rules = Structures(**{kind: Structure(reach=3.0, counts=ALL)})
    assert gain_items(html, points, rules) == gained


@pytest.mark.parametrize(
    ("last", "gained"),
    [
        ("<p>Share a saw.</p>", 2.5),
        ("<p>Share a saw</p>", 0),
        ("<p><a href=/s>Share a saw.</a></p>", 0),
        ("Share it.", 0),
    ],
)
def test_a_sentence_of_a_section_like_the_kept_ones_is_kept(last: str, gained: float) -> None:
    sections = f"<section><p>{SENTENCE}</p></section>" * 2
    rules = Structures(alike=Structure(least_kept=0.8, reach=3.0, counts=ALL))
    assert gain_items(f"{sections}<section>{last}</section>", [2.0, 2.0, -0.5], rules) == [0, 0, gained]


def test_the_heading_of_a_list_that_is_kept_is_kept() -> None:
    html = "<p>They came.</p><h2>Quellen</h2><ul><li>Ames, 1982<li>Weil, 1999</ul>"
    rules = Structures(headings=Structure(reach=3.0, counts=ALL))
    assert gain_items(html, [1.5, 0.0, 0.5, 0.0], rules) == [0, 1.0, 0, 0]
