"""The kernel of addresses gives what its plain twin gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean.kernels import IS_COMPILED
from webclean.segments import url_structure
from webclean.segments.url_structure import measure_urls

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")

WEIGHTS = {"news": 1.0, "tag": -0.3, "ad": -1.0, "story": 0.8, "http": 0.5, "a": 0.1}
PARTS = [
    *("/", "//", "?", "#", "=", "&", ".", "-", ":", "_", "+", " ", "\n", "%20"),
    *("a", "news", "Tag", "ad", "12", "3", ".html", "index", "story-of-a-day", "ü", "Ü", "中"),
    *("http:", "HTTPS://", "mailto:", "x.com"),
]
URL = st.lists(st.sampled_from(PARTS), max_size=9).map("".join)


@given(st.lists(st.lists(URL, max_size=6), max_size=4))
def test_measures_are_equal(targets: list[list[str]]) -> None:
    measured = measure_urls(targets, WEIGHTS)
    with pytest.MonkeyPatch.context() as without:
        without.setattr(url_structure, "URLS", None)
        assert np.array_equal(measured, measure_urls(targets, WEIGHTS))


def test_families_are_told_apart_and_markers_weighed() -> None:
    targets = [
        [f"https://x.com/News/2024/0{day}/a-story-of-{day}.html" for day in range(4)],
        ["/about", "/tag", "/a/b"],
        [f"/show?id={n}&page=2" for n in range(3)] + ["/über/12"],
        [],
    ]
    assert measure_urls(targets, WEIGHTS).tolist() == [
        [4, 3, 4, 0],
        [1, 0, 0.75, 0],
        [1, pytest.approx(-0.2 / 3), 0, 0],
    ]
