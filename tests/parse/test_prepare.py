"""Tags that are looked for in the markup before it is parsed."""

from __future__ import annotations

import pytest

from webclean.parse.limits import Budget
from webclean.parse.prepare import FoundTags, find_tags, prepare_markup

MARKUP = "<HTML lang=en><input><INPUT type=hidden><col><Col/><table><b class=x><b><font color=1><body>x</body>"


def test_tags_are_found_with_their_places() -> None:
    places = {name: MARKUP.index(name) for name in ("<input>", "<INPUT", "<body>")}
    assert find_tags(MARKUP) == FoundTags(
        roots=[0, places["<body>"]],
        inputs=[places["<input>"], places["<INPUT"]],
        n_columns=2,
        n_tables=1,
        n_selected=0,
        n_styled=2,
        n_tags=MARKUP.count("<"),
    )


@pytest.mark.parametrize(
    ("tag", "field"),
    [("<col >", "n_columns"), ("<col\n", "n_columns"), ("<taBle", "n_tables"), ("<selectedContent>", "n_selected")]
    + [("<Template x>", "n_templates")]
    + [(f"<{name} x>", "n_styled") for name in ("b", "s", "i", "u", "em", "tt", "big", "code", "font", "small")]
    + [(f"<{name} x>", "n_styled") for name in ("strike", "strong")],
)
def test_each_tag_is_counted_as_its_kind(tag: str, field: str) -> None:
    assert find_tags(tag * 2) == FoundTags(**{field: 2}, n_tags=2)


@pytest.mark.parametrize("tag", ["<p>", "<html-x>", "<bodyx>", "<htm>", "<colgroup>", "<b>", "<br x>", "</table>"])
def test_other_tags_are_passed_over(tag: str) -> None:
    assert find_tags(tag) == FoundTags(n_tags=1)


def test_the_selected_option_is_not_copied() -> None:
    markup = "<select><selectedcontent></selectedcontent><SelectedContent/><selectedcontents>"
    assert prepare_markup(markup, Budget()) == (
        "<select><selectedcontent-></selectedcontent-><SelectedContent-/><selectedcontents>"
    )


def test_declarative_shadow_roots_are_opened_and_other_templates_are_not() -> None:
    inner = "<template><i>row</i></template>"
    markup = f"<x-a><template shadowrootmode=open><b>in</b>{inner}</template>out</x-a></template>{inner}"
    opened = f"<x-a><shadow-root shadowrootmode=open><b>in</b>{inner}</shadow-root>out</x-a></template>{inner}"
    assert prepare_markup(markup, Budget()) == opened


def test_an_engine_changes_the_markup_that_is_left() -> None:
    seen = []

    def work_around(markup: str, found: FoundTags) -> str:
        seen.append((markup, found.n_tables))
        return markup.upper()

    assert prepare_markup("<table>x", Budget(), work_around) == "<TABLE>X"
    assert seen == [("<table>x", 1)]
    assert prepare_markup("<p>x", Budget()) == "<p>x"
