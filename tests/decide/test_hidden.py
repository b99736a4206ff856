"""What a reader unfolds is not hidden: panels of accordions and tabs."""

from __future__ import annotations

import pytest

from tests.decide.test_regions import SENTENCE, read_columns
from webclean import clean
from webclean.decide.corrections import find_hidden_blocks

BUTTON = "<button aria-expanded=false>Where?</button>"


@pytest.mark.parametrize(
    ("markup", "hidden"),
    [
        (f"<p>{SENTENCE}</p><div hidden>On board.</div>", [False, True]),
        (f"{BUTTON}<div hidden>On board.</div>", [False, False]),
        (f"{BUTTON}<div style='display: none'>On board.</div>", [False, False]),
        (f"<h3>{BUTTON}</h3><div hidden>On board.</div>", [False, False]),
        (f"<h3>{BUTTON}</h3><p>Now.</p><div hidden>On board.</div>", [False, False, True]),
        (f"<div><div><div><h3>{BUTTON}</h3></div></div></div><div hidden>On board.</div>", [False, True]),
        (f"{BUTTON}<div hidden><p>On board.</p><p hidden>Copy.</p></div>", [False, False, True]),
        (f"<div hidden>{BUTTON}<div hidden>On board.</div></div>", [True, True]),
        ("<a aria-expanded=false aria-controls=x>Where?</a><hr><p>Now.</p><p hidden id=x>Here.</p>", [False] * 3),
        ("<a aria-controls=x>Where?</a><hr><p>Now.</p><p hidden id=x>Here.</p>", [False, False, True]),
        ("<p>One</p><div role=tabpanel hidden>Two</div>", [False, False]),
    ],
)
def test_hidden_blocks_but_those_that_a_control_shows(markup: str, hidden: list[bool]) -> None:
    assert find_hidden_blocks(read_columns(f"<body>{markup}")).tolist() == hidden


def test_folded_answers_of_an_article_are_kept() -> None:
    item = f"<h3><button aria-expanded=false>Where does it rise?</button></h3><div hidden><p>{SENTENCE}</p></div>"
    text = f"<p>{SENTENCE} {SENTENCE} {SENTENCE}</p>" * 6
    article = f"<title>Rivers</title><h1>Rivers</h1>{text}{item * 2}<p>{SENTENCE} {SENTENCE}</p>"
    assert clean(article, page_subtype="article").text.count(SENTENCE) == 22
    assert clean(article.replace("aria-expanded", "data-x"), page_subtype="article").text.count(SENTENCE) == 20
