"""The kernel of addresses gives what its plain twin gives."""

from __future__ import annotations

from html import escape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import webclean
from webclean.kernels import IS_COMPILED
from webclean.model import SMALL_PAGE, Floats, Segmentation
from webclean.parse.limits import Budget, Limits, limit_to
from webclean.segments import parts
from webclean.segments.segment_columns import SegmentColumns

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")

PARTS = [
    *("/", "//", "?", "#", "=", "&", ".", "-", ":", "_", "+", " ", "\n", "%20", "\x01", "\u202e"),
    *("a", "news", "Tag", "ad", "12", "3", ".html", "index", "story-of-a-day", "ü", "Ü", "中"),
    *("http:", "HTTPS://", "http://x.com", "mailto:", "x.com"),
]
URL = st.lists(st.sampled_from(PARTS), max_size=9).map("".join)
PAGE = st.sampled_from([None, "http://x.com/a/index.html", "https://y.org", "ftp:a", "//x.com/b"])


def make_columns(targets: list[list[str]], url: str | None) -> SegmentColumns:
    """A page with a list of links for each block."""
    lists = ("".join(f'<a href="{escape(target)}">a link</a>' for target in own) for own in targets)
    analysis = webclean.clean("".join(f"<section>some text {own}</section>" for own in lists), url=url).analysis
    document = analysis.columns.document
    rows = [row for row, name in enumerate(document.names) if name == "section"]
    owner = np.full(len(document), -1, dtype=np.int32)
    for number, row in enumerate(rows):
        owner[row : document.end[row]] = number
    segments = Segmentation(tuple((row,) for row in rows), (-1,) * len(rows), ("",) * len(rows), owner)
    return SegmentColumns(analysis.columns, segments, analysis.rules.segments, np.zeros(0), 0.0)


def check_targets(targets: list[list[str]], url: str | None) -> tuple[list[list[str]], Floats]:
    columns = make_columns(targets, url)
    found, measured = parts.measure_targets(columns)
    with pytest.MonkeyPatch.context() as without:
        without.setattr(parts, "URLS", None)
        same, expected = parts.measure_targets(columns)
    assert found == same
    assert np.array_equal(measured, expected)
    return found, measured


@given(st.lists(st.lists(URL, max_size=6), max_size=4), PAGE)
def test_addresses_and_measures_are_equal(targets: list[list[str]], url: str | None) -> None:
    check_targets(targets, url)


def test_families_are_told_apart_and_markers_weighed() -> None:
    targets = [
        [f"https://x.com/News/2024/0{day}/a-story-of-{day}.html" for day in range(4)],
        ["/about", "/tag", "/a/b", "http://x.com/a/b", "#top"],
        [f"/show?id={n}&page=2" for n in range(3)] + ["/über/12"],
        [],
        [f"/a/{n}" for n in range(60)],
    ]
    found, measured = check_targets(targets, "http://x.com/")
    assert found[1] == ["http://x.com/about", "http://x.com/tag", "http://x.com/a/b", "http://x.com/a/b"]
    assert measured.tolist() == [
        [4, 3, 4, 0, 50],
        [1, 0, 0.75, 0, 1],
        [1, pytest.approx(-0.3), 0, 0, 0],
    ]


def test_addresses_beyond_what_may_be_written_are_left_out() -> None:
    columns = make_columns([[f"/{n}-{'a' * 2000}" for n in range(9)] for _ in range(2)], "http://x.com/")
    with limit_to(Budget(Limits(max_output_ratio=1), truncate=True, n_output=SMALL_PAGE - 11_000)):
        found, measured = parts.measure_targets(columns)
    assert [len(own) for own in found] == measured[0].tolist() == [5, 0]
