"""The search for regions, and for facts in a row, by hand-made plans."""

import numpy as np
import pytest

from tests.decide.test_regions import read_columns
from webclean import core
from webclean.decide.corrections import find_fact_lists
from webclean.features.page_words import find_name_words, find_names, find_words
from webclean.features.words import cut_words, make_word_set
from webclean.parse.tags import CODE, N_CODES
from webclean.rules.decide_schema import FactLists

LIMITS = {"most_kept": np.ones(2), "most_words": np.full(2, 100.0), "link_share": np.zeros(2)}


def make_set(*words: str) -> object:
    return make_word_set(cut_words(list(words)).key).compiled


def find(markup: str, **limits: float) -> list[tuple[int, int, int, object, float]]:
    """The regions of a page; names: `talk` is of kind 0, `ads` of kind 1, and so is the heading `See also`."""
    columns = read_columns(markup)
    columns.view("words")
    rank = np.full(N_CODES, 7)
    rank[[CODE["h2"], CODE["h3"]]] = 2, 3
    may_be = np.ones(N_CODES, dtype=np.uint8)
    may_be[[CODE["html"], CODE["body"]]] = 0
    own = {name: np.full(2, limits.get(name, values[0])) for name, values in LIMITS.items()}
    plan = core.RegionPlan(
        number_of={"a": 0, "b": 1},
        words_before=5.0,
        heading_chars=20,
        may_be=may_be,
        whole_page=1 - may_be,
        rank=rank,
        in_names=make_set("talk", "ads"),
        begin_headings=make_set("see"),
        find_in_names=lambda names: next((("ab"[word == "ads"], word) for word in names.split()), None),
        find_in_heading=lambda text: "b" if text == "See also" else None,
        after_text=np.zeros(2, dtype=np.uint8),
        **own,
    )
    names, texts = find_name_words(columns), find_words(columns)
    kept = np.ones(len(columns.blocks), dtype=bool)
    attributes = columns.document.attrs.found, find_names(columns).index, names.text, names.key
    found: list[tuple[int, int, int, object, float]] = plan.find(
        columns.document.page, kept, -1, attributes, (texts.text, texts.key)
    )
    return found


def test_an_outermost_element_is_found_by_its_name() -> None:
    page = "<p>One</p><div class=talk><p class=talk>Two</p><p>Three</p></div><p id=ads>Four</p>"
    assert find(page) == [(0, 1, 3, "talk", 0.0), (1, 3, 4, "ads", 0.0)]


def test_a_role_that_reads_as_a_class_is_no_name() -> None:
    assert find("<p role=talk>One</p><p class=talk>Two</p>") == [(0, 1, 2, "talk", 0.0)]


def test_a_heading_reaches_to_the_next_of_its_rank() -> None:
    page = "<h3>See also</h3><p>One two three</p><h3>Four</h3><p>Five</p>"
    assert find(page) == [(1, 0, 2, 0, 0.0)]
    assert find(page.replace("See also", "See this")) == []


@pytest.mark.parametrize("limit", [{"most_words": 1.0}, {"most_kept": 0.2}])
def test_what_is_too_large_is_no_region(limit: dict[str, float]) -> None:
    assert find("<p>One</p><div class=talk>Two three</div>", **limit) == []


@pytest.mark.parametrize(
    ("text", "is_fact"),
    [
        ("Date: 5", True),
        ("Date:5", False),
        ("Date:May", True),
        ("日期：5", True),
        ("Date:", False),
        ("10: x", False),
        ("_x: 5", True),
        ("Datum12: 5", False),
        ("No value", False),
    ],
)
def test_a_fact_is_a_short_label_a_colon_and_a_value(text: str, is_fact: bool) -> None:
    rules = FactLists(most_chars=20, label_chars=6, least=1)
    assert find_fact_lists(read_columns(f"<p>{text}</p>"), rules) == [(0, 1)] * is_fact
