"""Whether repeated units make a block an index; stories that stand alone are entries, too."""

import msgspec
import numpy as np
import pytest

import webclean
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.segments.listing import LinkLines, Listing, reads_as_index, share_units
from webclean.segments.units import UnitSearch

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
    lines = LinkLines(UnitSearch(build_columns(document), RULES), frozenset(("user",)))
    assert list(lines.list_leading(np.array([[row, document.end[row]]]), frozenset())) == [0] * leads_on


def test_the_entries_that_lead_on_are_told_in_their_order() -> None:
    entries = ("<a href=/a>Cranes</a>", "<a href=#top>To the top</a>", "<a href=/b>Bridges</a><a href=/c>Mills</a>")
    document = parse_page(f"<body>{''.join(f'<div>{entry}</div>' for entry in entries)}", url="https://x.net/list")
    bounds = np.array([[row, document.end[row]] for row, name in enumerate(document.names) if name == "div"])
    lines = LinkLines(UnitSearch(build_columns(document), RULES), frozenset())
    assert list(lines.list_leading(bounds, frozenset())) == [0, 2]
    assert list(lines.list_leading(bounds[:0], frozenset())) == []


@pytest.mark.parametrize(("number", "block"), [("<b hidden>1722</b>", 1), ("<b>1722</b>", 0)])
def test_an_entry_begins_with_its_first_shown_text(number: str, block: int) -> None:
    entry = f"<div>{number}<h3><a href=/a>Two cranes came by ship</a></h3><p>They took three days.</p></div>"
    document = parse_page(f"<body>{entry * 4}", url="https://x.net/list")
    columns = build_columns(document)
    heads = [row for row, name in enumerate(document.names) if name == "h3"]
    owner = np.zeros(len(document), dtype=np.int32)
    owner[[*heads, *(row + 1 for row in heads)]] = 1  # each headline is in the second block
    listings = share_units(document, owner, UnitSearch(columns, RULES), 2)
    assert [len(listing) for listing in listings] == [4 * (block == 0), 4 * (block == 1)]


PAGE = "https://www.example.org/"
MENU = "<nav><ul><li><a href=/>Front</a></li><li><a href=/sport>Sport</a></li></ul></nav>"
LEAD = (
    "<div class=lead><h2><a href=/2026/05/harbour-reopens>Harbour reopens after the flood</a></h2>"
    "<p>Ships entered the old harbour again on Monday, six weeks after the water had closed it.</p></div>"
)
SECOND = (
    "<div class=lead><h2><a href=/2026/05/bridge-closed>Bridge closed for two years</a></h2>"
    "<p>The council has decided that the iron bridge will be taken down and built anew.</p></div>"
)
RELATED = "".join(f"<li><a href=/2026/05/pilots-strike-day-{n}>Pilots on strike, day {n}</a></li>" for n in range(4))


def read_titles(body: str) -> list[tuple[str, str]]:
    page = webclean.clean(f"<html><body>{MENU}<main>{body}</main></body></html>", url=PAGE)
    return [(record.title, record.summary[:5]) for block in page.blocks for record in block.records if block.kept]


HARBOUR, BRIDGE = ("Harbour reopens after the flood", "Ships"), ("Bridge closed for two years", "The c")
STRIKES = [(f"Pilots on strike, day {n}", "") for n in range(4)]
LONG = "<p>A sentence of a report that is told at length, with all that was said on that day.</p>" * 20
CELL = f"<div class=cell>{LEAD}{SECOND}</div>"


@pytest.mark.parametrize(
    ("body", "titles"),
    [
        (LEAD, [HARBOUR]),
        (LEAD + SECOND, [HARBOUR, BRIDGE]),
        # in flat rows an entry goes on to the next
        ((LEAD + SECOND).replace("<div class=lead>", "").replace("</div>", ""), [HARBOUR, BRIDGE]),
        # a headline above related links is a record beside them, a linked title of a list is none
        (LEAD.replace("</div>", f"<ul>{RELATED}</ul></div>"), [HARBOUR, *STRIKES]),
        (f"<div><h2><a href=/sections/all-about-strikes>Strikes</a></h2><ul>{RELATED}</ul></div>", STRIKES),
        # of two stories in an element that is one of few, each has its own title and teaser
        (CELL + CELL.replace("/05/", "/06/"), [HARBOUR, BRIDGE] * 2),
        (LEAD.replace("</div>", f"{LONG}</div>"), []),
    ],
)
def test_headlines_are_records_with_their_teasers(body: str, titles: list[tuple[str, str]]) -> None:
    assert read_titles(body) == titles


@pytest.mark.parametrize("target", ["#top", "javascript:open()", "mailto:desk@example.org", "/users/anna-miller-2"])
def test_a_heading_that_leads_to_no_page_is_no_story(target: str) -> None:
    assert read_titles(LEAD.replace("/2026/05/harbour-reopens", target)) == []


def test_a_heading_with_a_link_beside_what_it_says_is_no_story() -> None:
    heading = "<h2>Boats for sale in the whole region, 78553 of them <a href='/fav?id=9'>save</a></h2>"
    assert read_titles(f"<div>{heading}<p>Sail and motor boats from private sellers in the region.</p></div>") == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("16-19 June 2013", "16-19 June 2013"),
        ("20 March – 28 June 2013", "20 March – 28 June 2013"),
        ("June 16-19, 2013", "June 16-19, 2013"),
        ("Dec 30, 2019 - Jan 2, 2020", "Dec 30, 2019 - Jan 2, 2020"),
        ("vom 3. bis 5. Mai 2024", "3. bis 5. Mai 2024"),
        ("del 3 al 5 de mayo de 2024", "3 al 5 de mayo de 2024"),
        ("2024-05-01 – 2024-05-03", "2024-05-01 – 2024-05-03"),
        ("2024年5月1日至5月3日", "2024年5月1日至5月3日"),
        ("May 5, 2020 - 3 comments", "May 5, 2020"),
        ("2019-10-08 – 3 Kommentare", "2019-10-08"),
    ],
)
def test_a_range_of_dates_is_one_date(text: str, date: str) -> None:
    entries = "".join(f"<li><h3><a href=/e/conf-{n}>Conference {n}</a></h3><p>{text}</p></li>" for n in range(4))
    page = webclean.clean(f"<html><body><h1>Events</h1><ul>{entries}</ul></body></html>", url=PAGE)
    assert {record.date for block in page.blocks for record in block.records} == {date}


def test_a_rubric_beside_each_headline_is_no_headline() -> None:
    stories = "".join(
        f"<h2><a href=/2026/05/{slug}>{title}</a></h2><h2><a href=/news>News</a></h2><p>{said}</p>"
        for slug, title, said in (
            (
                "harbour-reopens",
                "Harbour reopens after the flood",
                "Ships entered the old harbour again on Monday, it says.",
            ),
            ("bridge-closed", "Bridge closed for two years", "The council has decided that the iron bridge goes."),
            ("pilots-strike-day-9", "Pilots on strike, day nine", "Nobody has flown from the island since last week."),
        )
    )
    titles = read_titles(f"<div>{stories}</div>")
    assert [title for title, _ in titles] == [
        "Harbour reopens after the flood",
        "Bridge closed for two years",
        "Pilots on strike, day nine",
    ]
