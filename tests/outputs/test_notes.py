"""Footnotes: which links lead to one, what they are called, and which links back are left out."""

from pathlib import Path

import pytest

import webclean
from tests import write_file
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
    rules = write_file(tmp_path / "rules.yaml", "rules:\n  no-notes: {when: {text: The note}, action: drop}\n")
    assert "The note" not in webclean.clean(f"<article>{markup}</article>", rules=rules).to_markdown()


@pytest.mark.parametrize(
    "markup",
    [
        "<p>An area of 20 m<sup>2</sup>.</p><ol><li>One.</li><li>Two.</li></ol>",  # no notes stand there
        "<p>Said.<sup>1</sup></p><h2>Results</h2><p><sup>1</sup> Not a note.</p>",  # nor under any other heading
        "<p><sup>1</sup>In the beginning <sup>2</sup>and then.</p><p><sup>2</sup>And so on.</p>",
        "<p>See chapter <a href=#c2>2</a>.</p><h2 id=c2>Two <a href=#top>2</a></h2><p>Text.</p>",
        # a number that leads to a part of the text
        "<p><a href=#n>1</a> Introduction</p><p id=n>1. The mill.",
        "<p>See <a href=#n>1</a>.</p><h2 id=n>1. The mill</h2>",
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


@pytest.mark.parametrize("label", ["<a href=#r>1</a>. ", "<a href=#r>^</a>) ", "* ", "† "])
def test_the_sign_of_a_note_and_what_stands_behind_it_is_not_written(label: str) -> None:
    markup = f"<p>The quay<sup><a id=r href=#n>1</a></sup> stays.</p><p id=n>{label}It sank.</p>"
    assert write_markdown(markup).endswith("[^1]: It sank.")
