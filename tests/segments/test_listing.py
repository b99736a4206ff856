"""Whether repeated units make a block an index."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from webclean.parse import parse_page
from webclean.rules import load_rules
from webclean.segments.listing import LinkLines, Listing, reads_as_index
from webclean.segments.units import Unit, UnitSearch

RULES = msgspec.structs.replace(
    load_rules().segments.records,
    index_units=3,
    index_link_density=0.5,
    teaser_units=5,
    teaser_coverage=0.75,
    teaser_chars=100,
)


@pytest.mark.parametrize(
    ("n_units", "n_chars", "in_all", "link_density", "expected"),
    [
        (2, 20, 20, 1.0, False),
        (3, 20, 90, 0.5, True),
        (3, 20, 20, 0.49, False),
        (5, 300, 400, 0.0, True),
        (5, 300, 401, 0.0, False),
        (4, 300, 400, 0.0, False),
        (5, 500, 500, 0.0, True),
        (5, 501, 501, 0.0, False),
    ],
)
def test_an_index_is_of_links_or_of_short_teasers(
    n_units: int, n_chars: int, in_all: int, link_density: float, expected: bool
) -> None:
    listing = Listing(np.array([[1, 2]] * n_units), n_chars)
    assert reads_as_index(listing, in_all, link_density, RULES) is expected


@pytest.mark.parametrize(
    ("entry", "leads_on"),
    [
        ("<a href=/a>Two cranes</a>", True),
        ("<a href=/2>12345</a>", False),
        ("<a href=#a>Two cranes</a>", False),
        ("<p>Two cranes</p>", False),
        ("<h3>Cranes</h3><p>They came by ship: <a href=/a>Two cranes</a></p>", False),
        ("<p><a href=/a>Cranes</a> bought</p><p>They came by ship.</p>", True),
        ("<p><a href=/a>Cranes</a> bought7</p><p>They came by ship.</p>", False),
        ("<a href=/a><p>Cranes</p></a><p>They came by ship, which took long.</p>", True),
        ("<p><a href=/2>123456</a></p>", False),
        ("<p><a href=/2>1234567</a></p>", True),
        ("<h3><a href=/a>Cranes</a></h3><p>They came by ship.</p>", True),
        ("<p><a href=/user/ann>Ann Walker</a></p><p>They came by ship, which took them long.</p>", False),
    ],
)
def test_an_entry_leads_on_by_a_title_that_links_to_a_page(entry: str, leads_on: bool) -> None:
    document = parse_page(f"<body><div>{entry}</div>", url="https://x.net/list")
    row = document.names.index("div")
    lines = LinkLines(UnitSearch(document, RULES), frozenset(("user",)))
    assert lines.leads_on(Unit(row, int(document.end[row])), ()) is leads_on


@pytest.mark.parametrize(("fewest", "lead_on"), [(0, True), (1, True), (2, True), (2.5, False), (4, False)])
def test_entries_are_read_until_enough_lead_on(fewest: float, lead_on: bool) -> None:
    entries = ("<a href=/a>Cranes</a>", "<a href=#top>To the top</a>", "<a href=/b>Bridges</a>")
    document = parse_page(f"<body>{''.join(f'<div>{entry}</div>' for entry in entries)}", url="https://x.net/list")
    units = [Unit(row, int(document.end[row])) for row, name in enumerate(document.names) if name == "div"]
    lines = LinkLines(UnitSearch(document, RULES), frozenset())
    assert lines.enough_lead_on(units, (), fewest) is lead_on
