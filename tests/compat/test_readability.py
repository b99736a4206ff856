"""readability-lxml's `Document` by webclean."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from lxml import html as lxml_html

from webclean.compat import Document

NEWS = Path(__file__).resolve().parents[2] / "fixtures" / "content" / "news-en-harbour" / "input.html"
BARE = "<p>A page that has no title, and nobody who signs it, but enough words to be read as a text.</p>"


def test_summary_is_a_document_with_the_article() -> None:
    document = Document(NEWS.read_bytes(), url="https://example.org/a/")
    root = lxml_html.document_fromstring(document.summary())
    assert [child.tag for child in root] == ["body"]
    text = root.text_content()
    assert "Contractors had been due to move on to the north quay" in text
    assert "Skip to main content" not in text
    assert {"script", "style", "nav"}.isdisjoint({element.tag for element in root.iter()})


def test_a_partial_summary_is_one_division() -> None:
    document = Document(NEWS.read_bytes())
    part = document.summary(html_partial=True)
    assert part.startswith("<div>")
    assert part.endswith("</div>")
    assert document.summary() == f"<html><body>{part}</body></html>"


def test_titles_are_that_of_the_element_and_that_of_the_article() -> None:
    document = Document(NEWS.read_text(encoding="utf-8"))
    assert document.title() == "Harbour wall repairs pushed back to spring after second survey | The Saltmarsh Herald"
    assert document.short_title() == "Harbour wall repairs pushed back to spring after second survey"
    assert document.author() == "Imogen Tarrant"
    assert Document(NEWS.read_bytes()).encoding == "utf-8"


def test_what_a_page_does_not_have_is_said_as_readability_says_it() -> None:
    document = Document(BARE)
    assert (document.title(), document.author()) == ("[no-title]", "[no-author]")


def test_content_is_all_that_the_page_shows() -> None:
    document = Document(NEWS.read_bytes(), url="https://example.org/a/")
    content = document.content()
    assert "Skip to main content" in content
    assert "Rosalind Peake" in content
    assert "<script" not in content
    assert content.startswith("<body>")


def test_links_are_absolute_where_the_url_is_known() -> None:
    page = BARE.replace("a text", '<a href="/text">a text</a>')
    assert 'href="https://example.org/text"' in Document(page, url="https://example.org/a/").summary()


def test_arguments_are_those_of_readability() -> None:
    theirs = pytest.importorskip("readability").Document
    for name in ("__init__", "title", "short_title", "summary", "content"):
        ours, original = (inspect.signature(getattr(kind, name)) for kind in (Document, theirs))
        assert [(one.name, one.default) for one in ours.parameters.values()] == [
            (one.name, one.default) for one in original.parameters.values()
        ], name
