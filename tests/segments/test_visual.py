"""Which neighbours surely look the same, and what separates others."""

from __future__ import annotations

import pytest

from webclean.features.looks import read_looks
from webclean.parse import parse_page
from webclean.segments.cut import compare_looks, look_alike, starts_with_heading


@pytest.mark.parametrize(
    ("markup", "alike"),
    [
        ("<p>a</p><p>b</p>", True),
        ("<p class=x>a</p><p class=x>b</p>", True),
        ("<p class=x>a</p><p class=y>b</p>", False),
        ("<p class=x>a</p><p>b</p>", False),
        ("<p>a</p><div>b</div>", False),
        ("<p><i>a</i></p><p>b</p>", True),
        ("<p><b>a</b></p><p>b</p>", False),
        ("<p>a</p><p><b>b</b></p>", False),
        ("<p style=x>a</p><p>b</p>", False),
        ("<p>a</p><p><i style=x>b</i></p>", False),
        ("<p id=x>a</p><p>b</p>", False),
        ("<p><i id=x>a</i></p><p>b</p>", True),
        ("<p>a</p><p>b</p><u style=x></u>", True),
        ("<p>a</p><p><i bgcolor=x>b</i></p>", False),
    ],
)
def test_neighbours_with_nothing_that_makes_a_difference(markup: str, *, alike: bool) -> None:
    document = parse_page(f"<body>{markup}")
    before = document.names.index("body") + 1
    assert look_alike(document, before, int(document.end[before])) is alike


@pytest.mark.parametrize(
    ("markup", "changed", "heading"),
    [
        ("<p>a</p><p>b</p>", (), False),
        ("<p>a</p><p><b>b</b></p>", ("weight",), False),
        ("<p>a</p><p><font size=5 color=red>b</font></p>", ("colour", "size"), False),
        ("<p>a</p><p style='border: 1px; color: red'>b</p>", ("border", "colour"), False),
        ("<p>a</p><blockquote>b</blockquote>", ("border",), False),
        ("<p>a</p><div><div><h3>b</h3></div>c</div>", (), True),
        ("<p>a</p><div>x<h3>b</h3>c</div>", (), True),
        ("<p>a</p><div><i></i><h3>b</h3>c</div>", (), False),
        ("<p>a</p><div></div>", (), False),
    ],
)
def test_what_separates_neighbours(markup: str, changed: tuple[str, ...], *, heading: bool) -> None:
    document = parse_page(f"<body>{markup}")
    before = document.names.index("body") + 1
    after = int(document.end[before])
    found = compare_looks(document, before, after, read_looks(document, 1000))
    assert (found.changed, found.heading, found.separates) == (changed, heading, heading or bool(changed))
    assert starts_with_heading(document, after) is heading
