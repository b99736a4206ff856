"""Sections: which parts are taken, how they nest, what joins siblings without an element, what they are called."""

import copy
import pickle
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from lxml import etree, html
from page_folders import find_fixtures, read_fixture

import webclean
from webclean.model import Section
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.segments.sections import Coverage, find_parts
from webclean.segments.sections import find_groups as group_siblings


def list_all(page: webclean.CleanPage) -> list[Section]:
    return [one for section in page.sections for one in section.walk()]


def story(n: int, words: str = "A line of news that is long enough to be one") -> str:
    return f'<div class="story"><h3><a href="/news/2024/{n}">Story number {n}</a></h3><p>{words} {n}.</p></div>'


def find_groups(body: str) -> list[int]:
    """Number of parts of the groups of a page."""
    rules = load_rules().segments
    nodes = find_parts(build_columns(parse_page(f"<body>{body}</body>")), rules)
    return [len(group.parts) for group in group_siblings(nodes, rules)]


PORTAL = (
    "<body>"
    + "".join(
        f'<section class="desk"><h2>{name}</h2>{"".join(story(10 * at + n) for n in range(4))}</section>'
        for at, name in enumerate(("Politics", "Sport", "Science"))
    )
    + "</body>"
)


def test_a_portal_has_a_section_for_each_desk() -> None:
    page = webclean.clean(PORTAL, url="https://example.org/")
    desks = [section for section in list_all(page) if section.title in ("Politics", "Sport", "Science")]
    headed = {block.heading for block in page.blocks}
    assert {section.title for section in desks} | headed >= {"Politics", "Sport", "Science"}
    for section in desks:
        assert section.text.startswith(section.title)
        assert section.reasons


@pytest.mark.parametrize("fixture", find_fixtures(), ids=lambda fixture: fixture.name)
def test_sections_nest_and_hold_each_block_once(fixture: Path) -> None:
    given = read_fixture(fixture)
    page = webclean.clean(given.html, url=given.url)
    sections = list_all(page)
    held = [block.number for section in sections for block in section.blocks]
    assert len(held) == len(set(held))
    assert len({section.id for section in sections}) == len(sections)
    for section in sections:
        for inside in section.sections:
            assert inside.text in section.text
        assert all(block.text in section.text for block in section.blocks)
        assert section.importance == max(
            [block.importance for one in section.walk() for block in _list_blocks(page, one)], default=0.0
        )
        assert section.within is None or section.text in page.blocks[section.within].text
        assert section.xpaths
        assert section.reasons[0].stage == "section"


def _list_blocks(page: webclean.CleanPage, section: Section) -> Iterator[webclean.Block]:
    yield from section.blocks
    if section.within is not None:
        yield page.blocks[section.within]


def test_xpaths_hold_the_text_of_the_section() -> None:
    page = webclean.clean(PORTAL)
    tree = html.document_fromstring(PORTAL)
    for section in list_all(page):
        found = [element for path in section.xpaths for element in tree.xpath(path)]
        said = "".join("".join(etree.tostring(one, method="text", encoding="unicode").split()) for one in found)
        assert said == "".join(section.text.split())


def test_sections_survive_copying() -> None:
    sections = list_all(webclean.clean(PORTAL))
    for again in (pickle.loads(pickle.dumps(sections)), copy.deepcopy(sections)):
        assert [(one.title, one.text, one.xpaths, one.importance, one.reasons) for one in again] == [
            (one.title, one.text, one.xpaths, one.importance, one.reasons) for one in sections
        ]


def test_a_page_without_text_has_no_sections() -> None:
    assert webclean.clean("<body></body>").sections == ()


class TestCoverage:
    """`Coverage` on trees made by hand."""

    ABOVE = np.array([-1, 0, 1, 0], dtype=np.int64)  # 0 > 1 > 2, and 0 > 3
    SIZE = np.array([100.0, 60.0, 50.0, 40.0])

    def cover(self, chance: list[float], enough: float = 0.1, blocks: tuple[int, ...] = ()) -> list[float]:
        coverage = Coverage(self.ABOVE, self.SIZE, np.array(chance), 0.75)
        found = coverage.take(np.array(blocks, dtype=np.int64), enough)
        return [round(value, 3) for value in found.tolist()]

    def test_a_node_covers_what_is_close_to_it(self) -> None:
        assert self.cover([0.0, 0.3, 0.4, 0.2]) == [0.0, 0.7, 0.0, 0.2]  # 50 of 60 characters are close: one of them

    def test_what_gains_too_little_is_left(self) -> None:
        assert self.cover([0.0, 0.3, 0.4, 0.2], enough=0.5) == [0.0, 0.7, 0.0, 0.0]
        assert self.cover([0.0, 0.3, 0.4, 0.2], enough=0.8) == [0.0] * 4

    def test_blocks_cover_and_cost_nothing(self) -> None:
        assert self.cover([0.0, 0.3, 0.4, 0.2], blocks=(2,)) == [0.0, 0.0, 0.0, 0.2]


def test_alike_are_siblings_of_one_tag_and_classes_or_of_one_shape_without_classes() -> None:
    item = "<h2>Tea</h2><p>Green</p>"
    parts = (
        f"<div class=a>{item}</div><div class=a><p>Black</p><p>White</p></div>",
        f"<div>{item}</div><div>{item}</div><div><p>Red</p>{item}</div><section>{item}</section>",
        f"<ul><li class=b>{item}<li class=c>{item}<li class=b>{item}</ul>",
    )
    nodes = find_parts(build_columns(parse_page(f"<body>{''.join(parts)}</body>")), load_rules().segments)
    names, rows = nodes.page.document.names, nodes.row.tolist()
    places = [place for place, row in enumerate(rows) if names[row] in ("div", "li", "section")]
    assert [places.index(first) for first in nodes.alike[places].tolist()] == [0, 0, 2, 2, 4, 5, 6, 7, 6]


class TestGroups:
    """Siblings that belong together though no element holds them."""

    HEADED = (
        "<p>First.</p><h2>One</h2><p>Text of one.</p><p>More.</p><h3>Sub</h3><p>Text.</p>"
        "<h2>Two</h2><p>Text of two.</p>"
    )

    def test_a_heading_opens_what_follows_up_to_the_next_of_its_rank(self) -> None:
        assert find_groups(self.HEADED) == [5, 2, 2]

    def test_a_line_in_bold_is_a_heading_below_all_others(self) -> None:
        lines = "<div><b>One</b></div><div>Text</div><div><b>Two</b></div><div>Text</div>"
        assert find_groups(lines) == [2, 2]


class TestTitles:
    """What a section is called."""

    FILL = "".join(f"<p>Some words of paragraph {n}, which say little.</p>" for n in range(6))

    def titles(self, body: str) -> list[str]:
        return [section.title for section in list_all(webclean.clean(f"<body>{body}</body>"))]

    def test_a_heading_without_a_rival_leads(self) -> None:
        lead = f'<div class="a"><h2>Sport</h2>{self.FILL}</div><div class="b"><h2>Art</h2>{self.FILL}</div>'
        page = webclean.clean(f"<body>{lead}</body>")
        named = {section.title for section in list_all(page)} | {block.heading for block in page.blocks}
        assert {"Sport", "Art"} <= named

    def test_of_several_headings_none_names_the_whole(self) -> None:
        whole = f'<div id="all"><h3>Topics</h3>{self.FILL}<h3>Links</h3>{self.FILL}</div><p>After it.</p>'
        for section in list_all(webclean.clean(f"<body>{whole}</body>")):
            if "Links" in section.text.split("\n") and "Topics" in section.text.split("\n"):
                assert section.title == ""


def test_groups_are_nested_or_apart() -> None:
    nodes = find_parts(build_columns(parse_page(f"<body>{TestGroups.HEADED}</body>")), load_rules().segments)
    groups = group_siblings(nodes, load_rules().segments)
    for one, other in pairwise(groups):
        common = set(one.parts) & set(other.parts)
        assert common in (set(), set(one.parts), set(other.parts))


@pytest.mark.parametrize(
    "entry",
    [
        "<p class=t><a href=/n/{0}471>{1}</a></p><div class=c><p>{0}: {2}{2}</p></div>",
        "<div class=p><div class=h><h2><a href=/n/{0}471>{1}</a></h2><p>{0}. Ann</p></div><p>{0}: {2}</p></div>",
        "<div class=p><a href=/n/{0}471><img src=/{0}.jpg><h2>{1}</h2><div class=c><p>{0}: {2}</p></div></a></div>",
        "<dt><a href=/n/{0}471>{1}</a></dt><dd>{0}: {2}{2}</dd>",
    ],
)
@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("The ferry of pier {} is back", "It leaves at eight from the pier beside the old mill, and no one knows why."),
        ("Die Fähre von Steg {} fährt", "Sie legt um acht am Steg neben der alten Mühle ab, und alle freuen sich."),
        ("第{}号渡轮恢复通航", "早上八点从老磨坊旁边的码头出发，全镇的人都来送行，场面热闹，天气晴朗，人人高兴。"),
    ],
)
def test_a_section_that_is_most_of_an_entry_has_its_title(entry: str, title: str, text: str) -> None:
    stories = "".join(entry.format(n, title.format(n), text) for n in range(12))
    page = webclean.clean(f"<body><h1>Post</h1><div id=m>{stories}</div>", url="https://x.net/")
    sections = [one for top in page.sections for one in top.walk()]
    own = [one.title for one in sections if f"7: {text[:5]}" in one.text and f"6: {text[:5]}" not in one.text]
    assert own and set(own) == {title.format(7)}
