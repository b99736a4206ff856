"""The similarity signals, on the patent's own examples and what it warns of."""

from __future__ import annotations

from pathlib import Path

import pytest

import webclean
from webclean.features.looks import read_looks
from webclean.parse import parse_page
from webclean.segments.cut import compare_looks, find_repetition, look_alike, measure_gain
from webclean.segments.urls import (
    compare_centres,
    count_overlap,
    describe_urls,
    generalise_url,
    is_generated,
    list_url_tokens,
)

NEWS = [
    "http://news.qq.com/a/20080108/000688.htm",
    "http://news.qq.com/a/20080108/001413.htm",
    "http://news.qq.com/a/20080108/001771.htm",
]


def test_the_patents_urls_share_their_centre_and_vary_in_the_tail() -> None:
    found = describe_urls(NEWS, {"news": 1.0}, centre_share=0.5)
    assert set(found.centre) == {"news", "qq", "com", "a", "20080108", "htm"}
    assert found.regularity == 1.0
    assert found.shape == "http://news.qq.com/a/*/*.htm"
    assert found.markers == (("news", 3),)


def test_a_fragment_is_no_part_of_a_generated_url() -> None:
    assert generalise_url(f"{NEWS[0]}#top") == generalise_url(NEWS[0]) == "http://news.qq.com/a/*/*.htm"
    assert generalise_url("/a/5.html#x?id=1") == "/a/*.html"


def test_blocks_of_the_patents_urls_merge() -> None:
    blocks = [describe_urls([url, url.replace("00", "01", 1)], {}, centre_share=0.5) for url in NEWS]
    menu = describe_urls(["/about", "/contact", "/login"], {}, centre_share=0.5)
    assert compare_centres(blocks[0], blocks[1]) > 0.7
    assert compare_centres(blocks[1], blocks[2]) > 0.7
    assert compare_centres(blocks[0], menu) == 0.0


def test_overlap_counts_every_equal_pair() -> None:
    assert count_overlap(["a", "b", "a"], ["a", "a", "c"]) == 4
    assert list_url_tokens("http://news.qq.com/a/20080108/000688.htm#top") == [
        "news", "qq", "com", "a", "20080108", "000688", "htm",
    ]  # fmt: skip


@pytest.mark.parametrize("url", ["/about", "/contact.html", "http://example.org/", "/world/europe", ""])
def test_addresses_written_by_hand_have_no_family(url: str) -> None:
    assert generalise_url(url) == ""


def test_a_host_alone_is_not_generated_and_a_word_as_query_says_nothing() -> None:
    assert is_generated("/a/5.html") and is_generated("story-of-the-day.html") and is_generated("//a.example/7")
    assert (
        not is_generated("http://money.163.com/") and not is_generated("//163.com#top") and not is_generated("/world")
    )
    assert generalise_url("/2013/05/16/18294114-six?lite") == "/*/*/*/*"
    assert generalise_url("/about?print") == ""


@pytest.mark.parametrize(
    ("sequence", "unit", "n_units"),
    [
        ("p br p br br", ("p", "br"), 2),
        ("p br br p br br", ("p", "br"), 2),
        ("li li li li", ("li",), 4),
        ("dt dd dt dd dd dt dd", ("dt", "dd"), 3),
        ("h2 p p h2 p h2 p p p", ("h2", "p"), 3),
        ("h1 article article article nav", ("article",), 3),
        ("div h3 p h3 p h3 p div", ("h3", "p"), 3),
    ],
)
def test_repetition_is_found_by_extension(sequence: str, unit: tuple[str, ...], n_units: int) -> None:
    found = find_repetition(sequence.split(), agreement=0.6)
    assert found.unit == unit
    assert len(found.spans) == n_units
    assert all(first < last for first, last in found.spans)


def test_repetition_is_found_on_both_sides_of_a_given_anchor() -> None:
    found = find_repetition(["div", "h3", "p", "a", "h3", "p", "b", "h3", "p", "c"], agreement=0.6, anchor="p")
    assert (found.unit, found.spans) == (("h3", "p"), ((1, 3), (4, 6), (7, 9)))


@pytest.mark.parametrize("sequence", ["", "p", "h1 p ul table"])
def test_what_does_not_repeat_has_no_unit(sequence: str) -> None:
    assert find_repetition(sequence.split(), agreement=0.6).spans == ()


def test_gain_tells_whether_the_parent_holds_more() -> None:
    assert measure_gain(200, [50, 120]) == 0.6
    assert measure_gain(200, []) == 0.0
    assert measure_gain(0, [0]) == 0.0


STYLED = """<style>.box { background: #eee; border: 1px solid } /* .plain { color: red } */
@media print { .plain { color: red } }</style><body>
<div class=plain>One</div><div class=plain>Two</div><div class=box>Three</div>
<div style="font-weight: bold">Four</div><div><h2>Five</h2>text</div><div bgcolor=red>Six</div>"""


@pytest.mark.parametrize(
    ("before", "after", "changed", "heading"),
    [
        (0, 1, (), False),
        (1, 2, ("background", "border"), False),
        (0, 3, ("weight",), False),
        (3, 4, ("weight",), True),
        (0, 5, ("background",), False),
    ],
)
def test_looks_part_neighbours(before: int, after: int, changed: tuple[str, ...], heading: bool) -> None:
    document = parse_page(STYLED)
    rows = [row for row, name in enumerate(document.names) if name == "div"]
    found = compare_looks(document, rows[before], rows[after], read_looks(document, 10_000))
    assert found.heading == heading
    assert {aspect for aspect in found.changed if aspect != "colour"} == set(changed)
    assert found.separates == (heading or bool(found.changed))


def test_signals_merge_neighbours_only_when_the_rules_ask(tmp_path: Path) -> None:
    urls = "".join(f"<div><p><a href={url}>Story {i}</a><p>of {i}</div>" for i, url in enumerate(NEWS))
    page = f"<body><div>{urls}</div><div><p>Other words<p>and more</div><p>The end of the page, as everyone can see."
    assert len(webclean.clean(page).blocks) == 3
    fine = "segments: {cut: {method: queue, flat_height: 1, merge_share: 0}}"
    for number, (extra, n_blocks) in enumerate((("", 5), ("segments: {cut: {url: true}}", 3))):
        files = [tmp_path / f"{number}-{part}.yaml" for part in "ab"]
        files[0].write_text(fine)
        files[1].write_text(extra or "segments: {}")
        assert len(webclean.Cleaner(rules=list(files)).clean(page).blocks) == n_blocks


def test_neighbours_of_the_same_tags_merge_when_the_rules_ask(tmp_path: Path) -> None:
    parts = [f"<div><p>The {i} river rises in the hills<p>and it takes a way <b>down</b></div>" for i in (1, 2)]
    single = "<div>The long river rises</div><div>and it takes its way</div>"
    rest = "<div><p>Other words<p>and more</div><p>The end of the page, as everyone can see."
    for tags, n_blocks, n_single in (("false", 4, 5), ("true", 3, 5)):
        for height, body, n in ((1, "".join(parts), n_blocks), (0, single, n_single)):
            rules = tmp_path / f"{tags}-{height}.yaml"
            rules.write_text(
                f"segments: {{cut: {{method: queue, flat_height: {height}, merge_share: 0, tags: {tags}}}}}"
            )
            assert len(webclean.clean(f"<body><div>{body}</div>{rest}", rules=rules).blocks) == n


def test_of_markers_that_weigh_alike_the_first_one_counts() -> None:
    weights = dict.fromkeys(("news", "blog", "story"), 0.5) | dict.fromkeys(("tag", "login", "author"), -0.5)
    for first, second in (("news", "tag"), ("blog", "login"), ("story", "author")):
        assert describe_urls([f"/{first}/{second}/1"], weights, centre_share=0.5).marker_weight == 0.5
        assert describe_urls([f"/{second}/{first}/1"], weights, centre_share=0.5).marker_weight == -0.5


@pytest.mark.parametrize(
    ("after", "changed"),
    [
        ("<font size=5><b>Two</b></font>", ("size", "weight")),
        ("<span style='color: red'>Two</span>", ("colour",)),
        ("Two is mostly <b>plain</b>", ()),
    ],
)
def test_looks_are_read_off_nested_elements(after: str, changed: tuple[str, ...]) -> None:
    document = parse_page(f"<table><tr><td>One</td><td>{after}</td></table>")
    one, two = (row for row, name in enumerate(document.names) if name == "td")
    assert not look_alike(document, one, two)
    assert compare_looks(document, one, two, read_looks(document, 0)).changed == changed


def test_neighbours_without_anything_that_styles_look_alike() -> None:
    document = parse_page("<ul style='x'><li class=a>1<li class=a><i>2</i><li class=b>3<li class=a id=q>4<p class=a>5")
    rows = [row for row, name in enumerate(document.names) if name in ("li", "p")]
    assert [look_alike(document, rows[0], row) for row in rows[1:]] == [True, False, False, False]
