"""The kernels of repeated units give what their plain twins give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.blocks.markup import MARKUP
from webclean.features import PageColumns
from webclean.features.names import find_names
from webclean.kernels import IS_COMPILED, LISTS
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.segments.listing import LinkLines, measure_links, share_plainly
from webclean.segments.tag_sequence import _make_repetition, _part_overlaps, find_anchor, find_plainly, find_repetition
from webclean.segments.unit_search import PlainSearch, UnitSearch
from webclean.segments.units import UnitSums, add_up_plainly, add_up_rows

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))
RULES = load_rules().segments.records


def check_units(page: bytes | str) -> int:
    columns: PageColumns = build_columns(parse_page(page, url="https://x.net/a/b"), load_rules())
    document, names = columns.document, find_names(columns)
    search = UnitSearch(document, RULES, names)
    quick = add_up_rows(document, search.text_length, RULES.min_units)
    plain = add_up_plainly(document, search.text_length, RULES.min_units)
    for name in UnitSums._fields:
        assert np.array_equal(getattr(quick, name), getattr(plain, name)), name
    lines = LinkLines(search, frozenset())
    measured = lines.rows, lines.chars, lines.is_lone, lines.in_heading
    assert measured == measure_links(document, search.text_chars)
    for parted in (document.block, np.where(document.block % 3 == 0, -1, document.block % 5)):
        owner = parted.astype(np.int32)
        texts = document.text_next, document.text_owner, search.text_chars
        given = search.bounds, texts, owner, search.summed.sums[0], int(owner.max()) + 1
        rows, *shared = LISTS.share_units(*given)
        expected, *others = share_plainly(*given)
        assert np.array_equal(rows, expected)
        assert shared == others
    for named in (search, UnitSearch(document, RULES)):
        assert named.units == PlainSearch(named).find(0, len(document))
    return len(search.units)


@pytest.mark.parametrize("path", FIXTURES[1::4], ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_units_are_equal_on_fixtures(path: Path) -> None:
    check_units(path.read_bytes())


@given(MARKUP)
def test_units_are_equal_on_any_tree(markup: str) -> None:
    check_units(markup)


TEXT = st.sampled_from(["Entry", "A longer headline of a story", "Reply", " ", ""])
TARGET = st.sampled_from(["/news/12", "/news/13", "/news/a-long-way-home", "/about", "#top", "javascript:void(0)"])
PART = st.one_of(
    st.builds("<a href={}>{}</a>".format, TARGET, TEXT),
    st.builds("<h3><a href={}>{}</a></h3>".format, TARGET, TEXT),
    st.builds("<{0} class={1}>{2}</{0}>".format, st.sampled_from(["p", "b", "label"]), st.sampled_from("ab"), TEXT),
    st.sampled_from(["<img src=a>", "<x-part>words</x-part>", "<y-part>words</y-part>", "<td>cell</td>"]),
)
ENTRY = st.lists(PART, max_size=3).map("".join)
KINDS = [("ul", "li"), ("div", "div"), ("table", "tr"), ("dl", "dt"), ("tr", "td"), ("x-list", "x-entry")]


def write_list(kind: tuple[str, str], entries: list[tuple[str, str]]) -> str:
    inside = "".join(f"<{kind[1]} class='{name}'>{entry}</{kind[1]}>" for name, entry in entries)
    return f"<{kind[0]}>{inside}</{kind[0]}>"


def write_lists(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    entries = st.lists(st.tuples(st.sampled_from(["", "post", "post first", "ad"]), inside), min_size=1, max_size=6)
    return st.builds(write_list, st.sampled_from(KINDS), entries)


NESTED = st.recursive(st.one_of(ENTRY, write_lists(ENTRY)), write_lists, max_leaves=24)


@given(st.lists(NESTED, min_size=1, max_size=4).map("".join))
def test_units_are_equal_on_lists_in_lists(markup: str) -> None:
    check_units(f"<body>{markup}")


def test_units_are_equal_where_nearly_all_is_repeated() -> None:
    story = "<img src=a><a href=/news/{0}>The long headline of story {0}</a>"
    line = "<a href=/news/{0}>The long headline of story {0}</a> <a href=/news/9{0}>The long headline of 9{0}</a>"
    post = "<div class=who><a href=/u/{0}>Who {0}</a></div><div class=what><a href=/p/{0}>What {0}</a></div>"
    tabs = "<ul><li><a href=/a/{0}>Thing {0}</a><li><a href=/b>Share</a><li><a href=/c/{0}>Other {0}</a></ul>"
    row = "<tr class=a><th><a href=/t/{0}>Title {0}</a></th></tr><tr class=b><td><a href=/u/{0}>{0}</a></td></tr>"
    for entry in (line, post, tabs, f"<table>{row}</table>"):
        entries = "".join(f"<div>{entry.format(i)}</div>" for i in range(5))
        assert check_units(f"<body><section><div>{story.format(7)}</div><div>{entries}</div></section>") > 2
    assert check_units(f"<body><table>{''.join(row.format(i) for i in range(6))}</table>") > 2


@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=24),
    st.sampled_from([0.0, 0.5, 0.6, 1.0]),
    st.sampled_from([None, "a", "x"]),
)
def test_repetitions_are_equal(sequence: list[str], agreement: float, anchor: str | None) -> None:
    found = find_repetition(sequence, agreement=agreement, anchor=anchor)
    if len(set(sequence)) > 1:
        assert found == find_plainly(sequence, agreement, find_anchor(sequence) if anchor is None else anchor)
    else:
        spans = [(at, at + 1) for at in range(len(sequence))]
        assert found == _make_repetition((sequence[0],), _part_overlaps(spans), len(sequence))
