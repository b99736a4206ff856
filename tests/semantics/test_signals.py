"""The similarity signals, on the patent's own examples and what it warns of."""

from __future__ import annotations

import pytest

from webclean.semantics.tags import find_repetition
from webclean.semantics.url import compare_centres, count_overlap, describe_urls, generalise_url, split_url

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


def test_blocks_of_the_patents_urls_merge() -> None:
    blocks = [describe_urls([url, url.replace("00", "01", 1)], {}, centre_share=0.5) for url in NEWS]
    menu = describe_urls(["/about", "/contact", "/login"], {}, centre_share=0.5)
    assert compare_centres(blocks[0], blocks[1]) > 0.7
    assert compare_centres(blocks[1], blocks[2]) > 0.7
    assert compare_centres(blocks[0], menu) == 0.0


def test_overlap_counts_every_equal_pair() -> None:
    assert count_overlap(["a", "b", "a"], ["a", "a", "c"]) == 4
    assert split_url("http://news.qq.com/a/20080108/000688.htm#top") == [
        "news", "qq", "com", "a", "20080108", "000688", "htm",
    ]  # fmt: skip


@pytest.mark.parametrize("url", ["/about", "/contact.html", "http://example.org/", "/world/europe", ""])
def test_addresses_written_by_hand_have_no_family(url: str) -> None:
    assert generalise_url(url) == ""


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
    found = find_repetition(sequence.split())
    assert found.unit == unit
    assert len(found.spans) == n_units
    assert all(first < last for first, last in found.spans)


@pytest.mark.parametrize("sequence", ["", "p", "h1 p ul table"])
def test_what_does_not_repeat_has_no_unit(sequence: str) -> None:
    assert find_repetition(sequence.split()).spans == ()
