"""The published methods: their formulas on trees small enough to compute by hand, their choice on a plain page."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import webclean
from tests import read_columns
from tests.blocks.markup import MARKUP
from webclean.features import PageColumns
from webclean.methods import (
    at_least_one,
    compute_composite_density,
    count_subtrees,
    extract_content,
    find_start,
    find_subtree_maximum,
    lay_out_lines,
    select_by_line_density,
    select_lines,
)
from webclean.parse import parse_page
from webclean.pipeline import METHOD_NAMES
from webclean.rules import load_rules

RULES = load_rules()
ARTICLE = "".join(
    f"<p>Paragraph {word} says, at some length, what the {word} thing was; it ends here, after all.</p>\n"
    for word in ("first", "second", "third", "fourth", "fifth")
)
PAGE = f"""<html><body><div id=menu>
<ul><li><a href=/a>Home page</a></li><li><a href=/b>News of the day</a></li><li><a href=/c>Sports</a></li></ul></div>
<div id=story><div id=text>{ARTICLE}</div>
<div id=more><ul><li><a href=/1>Another story</a></li><li><a href=/2>One more story</a></li></ul></div></div>



<div id=foot><a href=/imprint>Imprint</a></div></body></html>"""


def make_columns(html: str) -> PageColumns:
    return read_columns(html)


def row_of(columns: PageColumns, name: str) -> int:
    return next(row for row, attrs in enumerate(columns.document.attrs) if attrs.get("id") == name)


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_every_method_keeps_the_story_of_a_plain_page(method: str) -> None:
    text = webclean.clean(PAGE, method=method).text
    assert "Paragraph third says" in text
    assert "Imprint" not in text


@pytest.mark.parametrize("method", METHOD_NAMES)
@pytest.mark.parametrize("html", ["", "<p>", "<a href=x>y</a>", "word", "<frameset><frame></frameset>"])
def test_no_method_fails_on_a_page_with_next_to_nothing(method: str, html: str) -> None:
    assert webclean.clean(html, method=method).text in ("", "y", "word")


def test_an_unknown_method_names_the_ones_that_exist() -> None:
    with pytest.raises(webclean.InputError, match="punctuation-density"):
        webclean.clean(PAGE, method="punctuation")


def test_counts_are_sums_over_the_subtree() -> None:
    columns = make_columns("<div id=x>a, b<p>c <a href=/>d!</a></p></div>")
    counts, row = count_subtrees(columns), row_of(columns, "x")
    assert counts.chars[row] == 6
    assert counts.link_chars[row] == 2
    assert counts.punctuation[row] == 2
    assert counts.tags[row] == 2
    assert counts.link_tags[row] == 1
    assert counts.paragraphs[row] == 1


def test_the_body_is_not_what_stands_before_it() -> None:
    columns = make_columns("<html><head><title>A title</title><style>p {}</style></head><body id=x><p>Text")
    assert count_subtrees(columns).body == row_of(columns, "x")


def test_composite_density_is_the_papers_formula() -> None:
    columns = make_columns("<div id=x>abcdefgh<a href=/>ij</a></div><p>klmno</p>")
    counts, row = count_subtrees(columns), row_of(columns, "x")
    c, t, lc, lt = 10, 1, 2, 1
    base = math.log(c / (c - lc) * lc + 2 / 15 * c + math.e)
    expected = c / t * math.log(c / lc * (t / lt), base)
    assert compute_composite_density(counts)[row] == pytest.approx(expected)


def test_extract_marks_the_densest_of_each_dense_subtree() -> None:
    columns = make_columns("<div id=a><p>x</p><p>y</p></div><div id=b><p>z</p></div>")
    document = columns.document
    a, b = row_of(columns, "a"), row_of(columns, "b")
    density = np.zeros(len(document))
    density[[a, a + 1, a + 2, b, b + 1]] = [3, 5, 5, 1, 2]
    density[1:3] = 1  # head and body
    # sums over children: a has 10; the smallest density between body and a is 1, so b (1) is in, and its p (2)
    assert extract_content(document, 2, density).tolist() == [a, a + 1, a + 2, b, b + 1]
    density[b] = 0.9
    # b is below the threshold: its p is not looked at, though it is above
    assert extract_content(document, 2, density).tolist() == [a, a + 1, a + 2]


def test_text_density_ends_below_a_node_that_is_not_dense() -> None:
    # the table of the module's docstring: t = 36 / 8, and 12 / 4 of div B is less though 6 / 1 of its p is more
    story, linked, short = "abcdef ghijkl", "<a href=/>abc</a> <a href=/>def</a>", "<p>opqrst</p>"
    html = f"<body><div id=a><p>{story}</p><p>{story}</p></div><div id=b>{linked}{short}<img></div>"
    columns = make_columns(html)
    counts = count_subtrees(columns)
    a, b = row_of(columns, "a"), row_of(columns, "b")
    density = counts.chars / at_least_one(counts.tags)
    assert density[[counts.body, a, a + 1, b, b + 1, b + 3]].tolist() == [4.5, 12, 12, 3, 3, 6]
    assert webclean.clean(html, method="text-density").text.split() == story.split() * 2


def test_lines_start_after_two_empty_ones_and_end_where_windows_are_empty() -> None:
    options = RULES.methods.line_density
    lines = np.array([9, 0, 0, 0, 0, 0, 30, 90, 90, 0, 80, 0, 0, 0, 0, 0, 0, 5, 0], dtype=np.int32)
    assert np.flatnonzero(select_lines(lines, options)).tolist() == list(range(3, 12))


def test_without_two_empty_lines_above_the_text_starts_at_the_current_line() -> None:
    options = RULES.methods.line_density
    # the six lines from the first hold 150 characters, those from the third 240 and begin the text
    lines = np.array([50, 0, 50, 0, 50, 0, 0, 140, 0, 90, 0, 0, 0, 0, 0, 0, 0], dtype=np.int32)
    assert np.flatnonzero(select_lines(lines, options)).tolist() == list(range(2, 11))
    assert find_start(lines, 5) == 5
    assert find_start(lines, 7) == 7
    assert find_start(lines, 9) == 7
    assert find_start(np.array([0, 0, 9, 9], dtype=np.int32), 3) == 2


def test_a_line_next_to_the_first_window_of_text_belongs_to_it() -> None:
    options = RULES.methods.line_density
    lines = np.array([0, 7, 0, 0, 5, 0, 0, 0, 0, 0, 190, 0], dtype=np.int32)
    assert np.flatnonzero(select_lines(lines, options)).tolist() == list(range(4, 12))


def test_a_page_of_one_line_is_broken_at_blocks() -> None:
    sizes, first, last = lay_out_lines(make_columns("<p>one two</p><p>three</p>"), forced_break_lines=10)
    assert sizes.tolist() == [0, 6, 5]
    assert first.tolist() == last.tolist() == [1, 2]


def test_text_on_the_first_line_may_be_content() -> None:
    columns = make_columns(f"<p>{'x' * 400}</p>" + "\n<p></p>" * 30)
    assert select_by_line_density(columns, RULES.methods.line_density).tolist() == [True]


def test_rules_have_the_last_word_on_every_method(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "rules:\n  foot: {when: {selector: '#foot'}, action: keep}\n"
        "  third: {when: {text: Paragraph third}, action: drop}\n"
    )
    text = webclean.clean(PAGE, method="text-density", rules=rules).text
    assert "Imprint" in text
    assert "Paragraph third" not in text
    assert "Paragraph second" in text


@given(MARKUP, st.integers(0, 1 << 30))
def test_the_largest_value_of_a_subtree_is_the_first_of_equals(markup: str, seed: int) -> None:
    document = parse_page(markup)
    values = np.random.default_rng(seed).integers(0, 4, len(document)).astype(np.float64)
    best = find_subtree_maximum(document.parent, values).tolist()
    for row, end in enumerate(document.end.tolist()):
        assert best[row] == max(range(row, end), key=lambda at: (values[at], -at))


def test_an_element_of_one_character_has_a_density() -> None:
    columns = make_columns("<div id=one>x<b></b><i></i></div><div id=none><b></b><i></i></div>")
    density = compute_composite_density(count_subtrees(columns))
    # C = 1, T = 2, LC = NLC = LT = 1 for none: 1/2 * log_b(1 * 2), b = ln(1 + 1/1 + e)
    assert density[row_of(columns, "one")] == pytest.approx(0.5 * math.log(2, math.log(2 + math.e)))
    assert density[row_of(columns, "none")] == 0
