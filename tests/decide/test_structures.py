"""Structures: lists, figures and rows of which most is kept, and what kept text cannot be without."""

import numpy as np
import pytest

from tests import read_columns
from tests.decide.test_regions import SENTENCE, list_points
from webclean.decide.completion import complete, list_headings
from webclean.decide.corrections import correct_structures
from webclean.model import BlockDecisions, Correction
from webclean.rules import load_rules
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
        ("<p>They came.</p><h2>Quellen</h2><ul><li>Ames<li>Weil</ul>", [1.5, 0.0, 0.5, 0.0], [0, 1.0, 0, 0]),
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
    "preformatted": [
        ("<p>Installieren:</p><pre>pip install thing</pre>", [1.0, -2.0], [0, 3.0]),
        ("<p>Run it:</p><div>bash</div><div>Copy</div><pre>run</pre>", [1.0, -2.0, -2.0, -2.0], [0, 0, 0, 3.0]),
        ("<ol><li>Run it<table><tr><td><pre>1</pre><td><pre>run</pre></table></ol>", [1.0, -2.0, -2.0], [0, 3.0, 3.0]),
        ("<p>Run it:</p><pre>run</pre>", [0.0, -2.0], [0, 0]),
        ("<p>Run it:</p><pre>run</pre>", [1.0, -3.0], [0, 0]),
        ("<p>Run it:</p>" + "<p>More</p>" * 3 + "<pre>run</pre>", [1.0, *[-2.0] * 4], [0] * 5),
    ],
}


@pytest.mark.parametrize(
    ("kind", "html", "points", "gained"), [(kind, *row) for kind, rows in BELONGS.items() for row in rows]
)
def test_what_belongs_to_kept_blocks_is_kept(kind: str, html: str, points: list[float], gained: list[float]) -> None:
    """Their headings, the list that a paragraph introduces, and code."""
    rule = Structure(reach=3.0, counts=ALL)
    if kind == "headings":
        score = np.array(points)
        found = set(list_headings(read_columns(html), score, score >= 0.5, 0.5, rule))
        assert found == {at for at, points_gained in enumerate(gained) if points_gained}
    else:
        assert gain_items(html, points, Structures(**{kind: rule})) == gained


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


TOOLS = ("Sanding sponge", "Epoxy", "Brass screws", "Stainless bolts", "Fine brush", "Masking tape", "White spirit")
TORN = [1.0, -1.0, 1.0, 1.0, -2.5, 1.0, -1.0]
"""Points of seven entries: the second and the fifth were dropped between kept ones, and the last follows none."""


def keep(html: str, points: list[float], corrections: tuple[Correction, ...] = (), **types: float) -> list[bool]:
    """What is kept of a page whose blocks have some points, with the cut at 0."""
    columns, score = read_columns(html), np.array(points)
    assert len(columns.blocks) == len(points)
    decided = BlockDecisions(score, score >= 0, 0.0, type_weights=types or ARTICLE, corrections=corrections)
    kept: list[bool] = complete(columns, load_rules(), decided, ()).kept.tolist()
    return kept


@pytest.mark.parametrize(
    "html",
    [
        "<ul>{}</ul>".format("".join(f"<li class=c>{name}</li>" for name in TOOLS)),
        "<ol>{}</ol>".format("".join(f"<li class=step-{n}><p>{name}</p></li>" for n, name in enumerate(TOOLS))),
        "<div>{}</div>".format("".join(f"<div class='card wide'><span>{name}</span></div>" for name in TOOLS)),
        "<div>{}</div>".format("<hr>".join(f"<p>{name}</p>" for name in TOOLS)),
        "<table>{}</table>".format("".join(f"<tr><td>{name}</td></tr>" for name in TOOLS)),
    ],
)
def test_entries_dropped_between_kept_ones_are_kept(html: str) -> None:
    assert keep(html, TORN) == [True] * 6 + [False]
    # far below the cut, but on a page that is about its list
    far = [point if point > 0 else point - 9 for point in TORN]
    assert keep(html, far) == [point > 0 for point in TORN]
    assert keep(html, far, collection=1.0) == [True] * 6 + [False]
    # posts of a thread are decided one by one
    assert keep(html, TORN, forum=1.0) == [point > 0 for point in TORN]


def test_what_is_known_against_an_entry_stands() -> None:
    html = "<ul>{}</ul>".format("".join(f"<li>{name}</li>" for name in TOOLS))
    of_rule = Correction("rules", np.array([0, -2.0, 0, 0, 0, 0, 0]), str)
    assert keep(html, TORN, (of_rule,)) == [True, False, True, True, True, True, False]
    # where it stands says nothing of what it says
    of_place = Correction("ends", np.array([0, -2.0, 0, 0, 0, 0, 0]), str)
    assert keep(html, TORN, (of_place,)) == [True] * 6 + [False]


@pytest.mark.parametrize(
    "html",
    [
        "<ul>{}</ul>".format("".join(f"<li class={name[0]}>{name}</li>" for name in TOOLS)),
        "<table><tr>{}</tr></table>".format("".join(f"<td>{name}</td>" for name in TOOLS)),
        "<ul>{}</ul>".format(
            "".join(f"<li>{f'{name} ' * (1 + 7 * (n in (1, 4)))}</li>" for n, name in enumerate(TOOLS))
        ),
    ],
)
def test_what_is_unlike_is_no_list(html: str) -> None:
    assert keep(html, TORN) == [point > 0 for point in TORN]
