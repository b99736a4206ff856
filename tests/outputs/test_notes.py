"""Footnotes: which links lead to one, what they are called, and which links back are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

import webclean
from tests.outputs.test_flow import write_html, write_markdown

NOTE = "<ol><li id=n1>The note.</ol>"
HERE = "https://example.org/dir/page.html"


@pytest.mark.parametrize(
    "link",
    [
        "<sup><a href=#n1>1</a></sup>",
        "<sup><i><a href=#n1>1</a></i></sup>",
        "<a href=#n1>[1]</a>",
        "<a href=#n1>(1)</a>",
        "<a href=#n1 role=doc-noteref>1</a>",
        "<a href=#n1><sup>a</sup></a>",
        "<a href=#n1><i><sup>*</sup></i></a>",
        f"<sup><a href={HERE}#n1>1</a></sup>",
    ],
)
def test_a_raised_bracketed_or_named_sign_leads_to_a_footnote(link: str) -> None:
    written = write_markdown(f"<p>Said {link} so.</p>{NOTE}")
    assert written.replace("*[^1]*", "[^1]") == "Said [^1] so.\n\n[^1]: The note."


@pytest.mark.parametrize(
    "link",
    [
        "<a href=#n1>1</a>",
        "<a href=#n1 role=doc-link>1</a>",
        "<sup><b><i><a href=#n1>1</a></i></b></sup>",
        "<sup><a href=#n1>many words</a></sup>",
        "<sup><a href=#gone>1</a></sup>",
        "<sup><a href=/other#n1>1</a></sup>",
        "<sup><a href=#>1</a></sup>",
        "<sup><b href=#n1>1</b></sup>",
    ],
)
def test_other_links_are_links(link: str) -> None:
    assert write_markdown(f"<p>Said {link} so.</p>{NOTE}").endswith("\n\n1. The note.")


def test_a_footnote_stands_after_its_link_and_has_text() -> None:
    link = "<p>Said <sup><a href=#n1>1</a></sup> so.</p>"
    assert "[^1]" not in write_markdown(NOTE + link)
    assert "[^1]" not in write_markdown(f"{link}<p id=n1></p><p>The note.</p>")
    assert "[^1]" not in write_markdown("<ol><li id=n1>So <sup><a href=#n1>1</a></sup>.</ol>")


def test_a_kept_link_has_its_footnote_unless_a_rule_drops_it(tmp_path: Path) -> None:
    markup = f"<p>Said <sup><a href=#n1>1</a></sup> so.</p><p>More.</p>{NOTE}"
    assert "[^1]: The note." in write_markdown(markup, "The note")
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules:\n  no-notes: {when: {text: The note}, action: drop}\n")
    assert "The note" not in webclean.clean(f"<article>{markup}</article>", rules=rules).to_markdown()


def test_texts_around_a_side_note_are_one_paragraph() -> None:
    note = '<label>1</label><span class="sidenote">The <i>note</i>.</span>'
    assert write_markdown(f"<p>Said{note} so, and more.</p><p>Then.</p>") == (
        "Said[^1] so, and more.\n\nThen.\n\n[^1]: The *note*."
    )
    assert write_markdown(f"<p>Said.{note}</p><p>Then.</p>") == "Said.[^1]\n\nThen.\n\n[^1]: The *note*."


@pytest.mark.parametrize(
    "markup",
    [
        "<p>An area of 20 m<sup>2</sup>.</p><ol><li>One.</li><li>Two.</li></ol>",  # no notes stand there
        "<p>Said.<sup>1</sup></p><h2>Results</h2><p><sup>1</sup> Not a note.</p>",  # nor under any other heading
        "<p><sup>1</sup>In the beginning <sup>2</sup>and then.</p><p><sup>2</sup>And so on.</p>",
        "<p>See chapter <a href=#c2>2</a>.</p><h2 id=c2>Two <a href=#top>2</a></h2><p>Text.</p>",
    ],
)
def test_signs_without_a_place_for_notes_are_none(markup: str) -> None:
    assert "[^" not in write_markdown(markup)


@pytest.mark.parametrize(
    "place", ["<p id='n 1'>The note.", "<p><a name='n 1'></a>The note.", "<p><u id='n 1'>The note."]
)
def test_the_place_of_a_footnote_is_an_id_or_the_name_of_a_link(place: str) -> None:
    link = "<p>Said <sup><a href=#n%201>1</a></sup> so.</p>"
    assert write_markdown(link + place) == "Said [^1] so.\n\n[^1]: The note."
    assert "[^1]" not in write_markdown(f"{link}<p><i name='n 1'></i>The note.")
    # of equal places the first is meant, an id before a name
    first = f"[^1]: {'Another' if ' name' in place else 'The note'}."
    assert first in write_markdown(f"{link}{place}</p><p id='n 1'>Another.")


@pytest.mark.parametrize(
    ("signs", "labels"),
    [("123", "123"), ("213", "213"), ("221", "231"), ("2**", "234"), ("*1a", "123"), ("*2a", "123"), ("aaa", "123")],
)
def test_each_footnote_has_a_label_of_its_own(signs: str, labels: str) -> None:
    links = " ".join(f"x<sup><a href=#n{at}>{sign}</a></sup>" for at, sign in enumerate(signs))
    notes = "".join(f"<p id=n{at}>Note {at}.</p>" for at in range(len(signs)))
    written = " ".join(f"x[^{label}]" for label in labels)
    below = "\n\n".join(f"[^{label}]: Note {at}." for at, label in enumerate(labels))
    assert write_markdown(f"<p>{links}</p>{notes}") == f"{written}\n\n{below}"


def test_a_footnote_may_have_several_links() -> None:
    link = "<sup><a href=#n1>7</a></sup>"
    assert write_markdown(f"<p>a{link} b{link}</p>{NOTE}") == "a[^7] b[^7]\n\n[^7]: The note."


@pytest.mark.parametrize("label", ["[1] ", "(1) ", "1. ", "1) ", "1: ", " [1]  "])
def test_a_label_at_the_start_of_a_footnote_is_not_written_twice(label: str) -> None:
    markup = f"<p>Said <sup><a href=#n1>1</a></sup></p><p id=n1>{label}The note.</p>"
    assert write_markdown(markup) == "Said [^1]\n\n[^1]: The note."


@pytest.mark.parametrize("start", ["(2)", "1.The", "1 and", "2:"])
def test_another_start_of_a_footnote_is_its_text(start: str) -> None:
    markup = f"<p>Said <sup><a href=#n1>1</a></sup></p><p id=n1>{start} note.</p>"
    assert write_markdown(markup) == f"Said [^1]\n\n[^1]: {start} note."


@pytest.mark.parametrize(
    ("back", "written"),
    [
        ("<a href=#r>back</a>", "The note."),
        ("<b>^ <a href=#r>a</a></b>", "The note."),
        ("<b><i>(<a href=#r>a</a>)</i></b>", "The note."),
        ("<b>^ <a href=#r>a</a> <a href=#r>b</a></b>", "The note."),
        ("<b>see <a href=#r>a</a></b>", "The note. **see**"),
        ("<a href=#n2>on</a>", f"The note. [on]({HERE}#n2)"),
        ("<a href=#n1>here</a>", f"The note. [here]({HERE}#n1)"),
    ],
)
def test_links_back_are_left_out_with_the_signs_around_them(back: str, written: str) -> None:
    markup = f"<p id=r>Said<sup><a href=#n1>1</a></sup></p><ul><li id=n1>The note. {back}<li id=n2>x</ul>"
    assert write_markdown(markup) == f"Said[^1]\n\n- x\n\n[^1]: {written}"


@pytest.mark.parametrize(("n", "is_back"), [(9, True), (10, True), (11, False)])
def test_a_link_back_leads_near_the_link_to_the_note(n: int, *, is_back: bool) -> None:
    """Twelve elements at most: the breaks, the `sup` and the link itself; or the breaks and the place."""
    link, note = "<sup><a href=#n1>1</a></sup>", "<p id=n1>The note. <a href=#r>back</a></p>"
    before = f"<p><i id=r>x</i>{'<br>' * n}Said{link}</p>{note}"
    after = f"<p>Said{link}{'<br>' * (n + 1)}<i id=r>x</i></p>{note}"
    for markup in (before, after):
        assert ("[back]" not in write_markdown(markup)) is is_back


@pytest.mark.parametrize(
    ("text", "is_note"),
    [("x" * 3999, True), ("x" * 4000, False), ("x" + "\n" * 39_999, True), ("x" + "\n" * 40_000, False)],
    ids=["short", "long", "little space", "much space"],
)
def test_a_long_text_is_no_footnote(text: str, *, is_note: bool) -> None:
    assert ("[^1]: x" in write_markdown(f"<p>Said<sup><a href=#n1>1</a></sup></p><p id=n1>{text}</p>")) is is_note


def test_footnotes_are_linked_in_html() -> None:
    written = write_html(f"<p>Said<sup><a href=#n1>1</a></sup></p>{NOTE}")
    back = '<a href="#note-1-ref" role="doc-backlink">↩</a>'
    reference = '<sup><a href="#note-1" id="note-1-ref">[1]</a></sup>'
    assert written == f'<p>Said{reference}</p><div id="note-1">The note. {back}</div>'


def test_the_way_back_is_in_the_last_paragraph_of_a_note_and_leads_to_its_first_reference() -> None:
    reference = "<sup><a href=#n1>1</a></sup>"
    written = write_html(f"<p>Said{reference} and again{reference}</p><div id=n1><p>The note.</p><p>Its end.</p></div>")
    assert written.count('id="note-1-ref"') == 1
    assert written.endswith('<p>Its end. <a href="#note-1-ref" role="doc-backlink">↩</a></p></div>')
    assert "\u21a9" not in write_markdown(written)
    assert "[^1]: The note." in write_markdown(written)


@pytest.mark.parametrize(
    ("link", "note", "words"),
    [
        ("<span><a href=#n>1</a></span>", "<p id=n>1. Die Notiz.", "Die Notiz."),
        ("<a href=#n>1</a>", "<div id=n>[1] 注。", "注。"),
        ("<small><a href=#n>1</a></small>", "<p id=n>(1) Nota.", "Nota."),
    ],
)
def test_a_number_behind_a_text_whose_place_begins_with_it_leads_to_a_note(link: str, note: str, words: str) -> None:
    written = write_markdown(f"<p>Said.{link} And so on.</p>{note}")
    assert (
        written == f"Said.[^1] And so on.\n\n[^1]: {note.split(' ', 2)[2]}"
        if "注" not in note
        else "[^1]: 注" in written
    )


@pytest.mark.parametrize(
    "markup",
    [
        "<p><a href=#n>1</a> Introduction</p><p id=n>1. The mill.",
        "<p>See <a href=#n>1</a>.</p><h2 id=n>1. The mill</h2>",
    ],
)
def test_a_number_that_leads_to_a_part_of_the_text_stays(markup: str) -> None:
    assert "[^1]" not in write_markdown(markup)


def test_a_note_of_latexml_stands_at_the_end_once() -> None:
    mark = "<sup class=ltx_note_mark>3</sup>"
    inner = f"<span><span class=ltx_note_content>{mark}<span class=ltx_tag_note>3</span>It sank.</span></span>"
    note = f"<span class='ltx_note ltx_role_footnote'>{mark}{inner}</span>"
    assert write_markdown(f"<p>The quay{note} stays.</p>") == "The quay[^3] stays.\n\n[^3]: It sank."


@pytest.mark.parametrize(
    "opened",
    [
        "<button popovertarget=p>3</button><span popover id=p>It sank.</span>",
        "<x-tip><button aria-describedby=p>3</button><span role=tooltip id=p>It sank.</span></x-tip>",
    ],
)
def test_what_a_button_opens_behind_it_is_its_note(opened: str) -> None:
    assert write_markdown(f"<p>The quay{opened} stays.</p>") == "The quay[^3] stays.\n\n[^3]: It sank."


@pytest.mark.parametrize("label", ["<a href=#r>1</a>. ", "<a href=#r>^</a>) ", "* ", "† "])
def test_the_sign_of_a_note_and_what_stands_behind_it_is_not_written(label: str) -> None:
    markup = f"<p>The quay<sup><a id=r href=#n>1</a></sup> stays.</p><p id=n>{label}It sank.</p>"
    assert write_markdown(markup).endswith("[^1]: It sank.")
