"""How pages are cut into semantic blocks: by the card and by signals, on the patent's own examples."""

from pathlib import Path

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import webclean
from tests import write_file
from tests.blocks.markup import MARKUP, SOUP
from webclean.methods.patent.blocks import compare_centres, find_centre, find_unit, list_url_tokens
from webclean.segments.semantic_page import segment_page
from webclean.segments.urls import UrlStructure, describe_urls, generalise_url, is_generated

PAGE = """<body><header><a href=/>Harbour Post</a></header>
<nav><ul><li><a href=/a>World</a><li><a href=/b>Sport</a><li><a href=/c>Arts</a></ul></nav>
<main><div><div><h1>Ferry returns</h1><p>The ferry is back on the crossing after a long winter in the yard.
<p>It leaves at eight.</div></div><div><h2>More</h2><ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul></div></main>
<footer>© 2024 Harbour Post</footer>"""


def test_a_page_is_cut_into_its_parts_and_not_into_fragments() -> None:
    blocks = webclean.clean(PAGE).blocks
    assert [block.text.split("\n")[0] for block in blocks] == [
        "Harbour Post",
        "World",
        "Ferry returns",
        "More",
        "© 2024 Harbour Post",
    ]
    assert [block.heading for block in blocks] == ["", "", "Ferry returns", "More", ""]
    assert [len(block.links) for block in blocks] == [1, 3, 0, 2, 0]


def test_text_directly_inside_a_split_element_is_the_parent_of_what_is_below() -> None:
    items = "".join(f"<div><h2>Part {i}</h2><p>Something about part {i}.</div>" for i in range(4))
    blocks = webclean.clean(f"<body>Loose words<div>Other words {items}</div>").blocks
    text = [block.text for block in blocks]
    assert text[0] == "Loose words"
    assert text[1] == "Other words"
    assert [block.parent for block in blocks] == [None, 0, 1, 1, 1, 1]


@given(st.one_of(MARKUP, SOUP))
@settings(deadline=None, max_examples=150)
def test_blocks_hold_all_text_once_and_in_order(markup: str) -> None:
    page = webclean.clean(markup)
    said = [line for text in page.analysis.columns.blocks.text for line in text.split("\n")]
    held = [line for block in page.blocks for line in block.text.split("\n") if line]
    assert sorted(held) == sorted(said)
    for number, block in enumerate(page.blocks):
        assert block.parent is None or block.parent < number


def test_xpaths_name_the_elements_of_the_reference_tree() -> None:
    tree = html5lib.parse(PAGE, treebuilder="lxml", namespaceHTMLElements=False)
    for block in webclean.clean(PAGE).blocks:
        found = [element for xpath in block.xpaths for element in tree.xpath(xpath)]
        assert found
        text = " ".join("".join(etree.tostring(found[0], method="text", encoding="unicode", with_tail=False)).split())
        assert text.startswith(block.text.split("\n")[0])


FERRY = "<div><h2>Ferry {i}</h2><p>The ferry is back on the crossing after a long winter in the yard.</p></div>"
FERRIES = f"<body><div>{''.join(FERRY.format(i=i) for i in range(3))}</div><div><p>The end of the page</p></div>"


def count_blocks(page: str, tmp_path: Path, rules: str) -> int:
    path = write_file(tmp_path / "rules.yaml", rules)
    return len(webclean.clean(page, rules=path).blocks)


def test_a_node_is_split_above_zero_points_and_the_page_always(tmp_path: Path) -> None:
    card = "replaces: [splits]\nsplits: {{bias: {bias}, lines: {{height: {{below: [2], points: [0, {points}]}}}}}}"
    assert count_blocks(FERRIES, tmp_path, card.format(bias=-1, points=0)) == 2
    assert count_blocks(FERRIES, tmp_path, card.format(bias=-1, points=1)) == 2
    assert count_blocks(FERRIES, tmp_path, card.format(bias=-1, points=1.1)) == 4
    assert count_blocks(FERRIES, tmp_path, card.format(bias=0.1, points=0)) == 7


def test_a_long_list_of_teasers_is_one_block_whatever_people_mark() -> None:
    def count(n: int) -> int:
        entries = "".join(
            f"<div class=item><h3><a href=/s/{i}>Story {i}</a></h3><p>The ferry is back, number {i}.</p></div>"
            for i in range(n)
        )
        page = webclean.clean(f"<body><h1>News</h1><div>{entries}</div><p>The end of it</p>")
        return sum("Story" in block.text for block in page.blocks)

    assert count(7) == 1


def test_what_was_and_was_not_split_is_explained_by_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(
        "replaces: [splits]\nsplits: {bias: -2, lines: {height: {below: [2], points: [0, 3]},"
        " n_parts: {below: [3], points: [-0.5, 0]}, n_images: {below: [1], points: [-0.25, 0]}}}"
    )
    page = webclean.clean(f"<body>Loose{FERRIES.removeprefix('<body>')}", rules=path)
    told = [[reason for reason in block.reasons if reason.stage == "cut"] for block in page.blocks]
    own, story = told[0], told[1]
    assert own[0].rule == "text directly inside an element that was split"
    assert [(reason.rule, reason.points) for reason in own[1:]] == [("height", 3.0)]
    assert story[0].rule == "its 2 parts stay together: -2.75 points for a split"
    assert [(reason.rule, reason.points) for reason in story[1:]] == [("n_parts", -0.5), ("n_images", -0.25)]
    assert story[1].evidence == "n_parts = 2 (parts: of the node)"


def test_a_page_without_text_and_one_of_a_single_text() -> None:
    assert webclean.clean("<body></body>").blocks == ()
    analysis = webclean.clean("<body>One text").analysis
    segments = segment_page(analysis.columns, analysis.rules, analysis.decisions).columns.segments
    assert segments.why == ("the whole page is one block of text",)


NEWS = [
    "http://news.qq.com/a/20080108/000688.htm",
    "http://news.qq.com/a/20080108/001413.htm",
    "http://news.qq.com/a/20080108/001771.htm",
]


def test_the_patents_urls_share_their_centre_and_vary_in_the_tail() -> None:
    found = describe_urls(NEWS, {"news": 1.0})
    assert set(find_centre(list(map(list_url_tokens, NEWS)), 0.5)) == {"news", "qq", "com", "a", "20080108", "htm"}
    assert found.regularity == 1.0
    assert found.shape == "http://news.qq.com/a/*/*.htm"
    assert found.markers == (("news", 3),)


@pytest.mark.parametrize(
    ("url", "family"),
    [
        (NEWS[0], "http://news.qq.com/a/*/*.htm"),
        (f"{NEWS[0]}#top", "http://news.qq.com/a/*/*.htm"),
        ("/a/5.html#x?id=1", "/a/*.html"),
        ("story-of-the-day.html", "/*.html"),
        # a word alone as query says nothing
        ("/2013/05/16/18294114-six?lite", "/*/*/*/*"),
        *((url, "") for url in ("/about?print", "/about", "/contact.html", "http://a.example/", "/world/europe", "")),
    ],
)
def test_generated_addresses_are_of_a_family_and_those_written_by_hand_of_none(url: str, family: str) -> None:
    assert generalise_url(url) == family
    assert is_generated(url) == bool(family)


@pytest.mark.parametrize("url", ["http://money.163.com/", "//163.com#top"])
def test_a_host_alone_is_not_generated(url: str) -> None:
    assert generalise_url(url)
    assert not is_generated(url)


def test_blocks_of_the_patents_urls_merge() -> None:
    def find(*urls: str) -> UrlStructure:
        return UrlStructure(find_centre(list(map(list_url_tokens, urls)), 0.5))

    blocks = [find(url, url.replace("00", "01", 1)) for url in NEWS]
    menu = find("/about", "/contact", "/login")
    assert compare_centres(blocks[0], blocks[1]) > 0.7
    assert compare_centres(blocks[1], blocks[2]) > 0.7
    assert compare_centres(blocks[0], menu) == 0.0


def test_an_address_has_tokens_between_slashes_and_dots() -> None:
    assert list_url_tokens("http://news.qq.com/a/20080108/000688.htm#top") == [
        "news", "qq", "com", "a", "20080108", "000688", "htm",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sequence", "unit"),
    [
        ("p br p br br", "p br"),
        ("p br br p br br", "p br"),
        ("li li li li", "li"),
        ("dt dd dt dd dd dt dd", "dt dd"),
        ("h2 p p h2 p h2 p p p", "h2 p"),
        ("h1 article article article nav", "article"),
        ("div h3 p h3 p h3 p div", "h3 p"),
        *((sequence, "") for sequence in ("", "p", "h1 p ul table")),
    ],
)
def test_a_unit_is_found_by_extension(sequence: str, unit: str) -> None:
    assert " ".join(find_unit(sequence.split(), 0.6)) == unit


def test_of_markers_that_weigh_alike_the_first_one_counts() -> None:
    weights = dict.fromkeys(("news", "blog", "story"), 0.5) | dict.fromkeys(("tag", "login", "author"), -0.5)
    for first, second in (("news", "tag"), ("blog", "login"), ("story", "author")):
        assert describe_urls([f"/{first}/{second}/1"], weights).marker_weight == 0.5
        assert describe_urls([f"/{second}/{first}/1"], weights).marker_weight == -0.5


def test_many_paragraphs_beside_each_other_are_one_text_from_heading_to_heading() -> None:
    def cut(n: int) -> tuple[webclean.Block, ...]:
        texts = [f"<p>Part {i}: the ferry crosses at {i} past the hour, and waits for no one.</p>" for i in range(n)]
        winter = f"<h2>In winter</h2>{''.join(texts[4:7])}<pre>ice 3 cm</pre>"
        return webclean.clean(
            f"<h1>Ferries</h1>{''.join(texts[:4])}{winter}<h3>In spring</h3>{''.join(texts[7:])}"
        ).blocks

    assert len(cut(9)) == 13
    blocks = cut(12)
    assert [block.text.split("\n")[0] for block in blocks] == ["Ferries", "In winter", "In spring"]
    assert [len(block.xpaths) for block in blocks] == [5, 5, 6]
