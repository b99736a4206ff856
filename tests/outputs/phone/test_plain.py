"""Preformatted prose becomes paragraphs; code and columns stay."""

from __future__ import annotations

from textwrap import fill

from tests.outputs.phone.made_pages import make_page, render_lines
from webclean.outputs.phone import render_phone

SAID = (
    "The ferry leaves the harbour at nine in the morning and comes back before it is dark, unless the wind is from "
    "the north, when it stays where it is and nobody gets to the island. Whoever wants to cross has to ask the "
    "harbour master, who knows how the weather will be, and to be there in good time, for the ferry does not wait. "
)
LONG = (SAID * 2).strip()


def wrap(text: str, indent: int) -> str:
    return fill(text, 72, initial_indent=" " * indent, subsequent_indent=" " * indent)


TIMES = "       day    first    last\n       Mon    09:00    17:00\n"
MANUAL = f"{wrap(LONG, 7)}\n\n       -w, --wait\n{wrap(LONG, 14)}\n\n{TIMES}"


def test_broken_lines_are_joined_and_indents_kept() -> None:
    assert render_lines(make_page(f"<p>Ferries</p><pre>{MANUAL}</pre>")) == [
        "<p>Ferries</p>",
        f"<p>{LONG}</p>",
        "<p>-w, --wait</p>",
        f'<p class="in1">{LONG}</p>',
        "<pre><code>day    first    last",
        "Mon    09:00    17:00</code></pre>",
    ]
    assert ".in1{" in render_phone(make_page(f"<pre>{MANUAL}</pre>"))


def test_indents_count_over_all_of_a_page() -> None:
    quoted = f"<pre>{wrap(LONG, 0)}</pre><blockquote><pre>{wrap(LONG, 4)}</pre></blockquote>"
    assert render_lines(make_page(quoted)) == [
        f"<p>{LONG}</p>",
        f'<blockquote><p class="in1">{LONG}</p></blockquote>',
    ]


def test_deep_indents_are_no_deeper_than_the_third() -> None:
    lines = "\n\n".join(wrap(LONG, 3 * level) for level in range(6))
    html = render_phone(make_page(f"<pre>{lines}</pre>"))
    assert [html.count(f'class="in{level}"') for level in range(5)] == [0, 1, 1, 3, 0]


def test_code_verse_and_short_prose_stay_as_they_are() -> None:
    verse = "\n".join(f"The {bird} came to the harbour and stayed," for bird in ("crane", "heron", "gull", "tern") * 8)
    code = "\n".join(
        f"    harbour.ferries[{n}].leave(at={n}, crew=[crew[{n}], crew[{n + 1}]])  # {n}" for n in range(40)
    )
    for text in (verse, code, wrap(SAID, 0), wrap(LONG * 4, 0).replace(" ", "_"), "", fill(LONG * 2, 40)):
        assert render_phone(make_page(f"<p>a</p><pre>{text}</pre>")).count("<pre>") == bool(text)


def test_prose_beside_code_stays_as_it_is() -> None:
    beside = f"<pre>{MANUAL}</pre><pre><code class=language-c>ferry(9);</code></pre>"
    assert render_phone(make_page(beside)).count("<pre>") == 2
