"""Drop-in replacements: the functions and classes of other extractors, with their arguments and outputs.

from webclean.compat import extract, fetch_url, extract_metadata  # instead of: from trafilatura import ...
from webclean.compat import Document  # instead of: from readability import Document
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from webclean.compat.trafilatura import (
    bare_extraction,
    baseline,
    build_trees,
    extract,
    extract_metadata,
    extract_with_metadata,
    fetch_response,
    fetch_url,
    html2txt,
    load_html,
)
from webclean.fields.statements import PageStatements
from webclean.outputs.html import render_html
from webclean.page import CleanPage
from webclean.pipeline import clean

__all__ = [
    "Document",
    "bare_extraction",
    "baseline",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "fetch_response",
    "fetch_url",
    "html2txt",
    "load_html",
]


class Document:
    """readability-lxml's `Document`: a page and its article, cleaned when a method is first called, which raises what
    `webclean.clean` raises.

    input: bytes or text of the page. url: makes links absolute and selects the rules of the site. The other arguments
    are accepted and ignored, for rules decide what is kept.
    """

    def __init__(
        self,
        input: Any,  # noqa: A002  the name that readability-lxml has
        positive_keywords: Any = None,
        negative_keywords: Any = None,
        url: str | None = None,
        min_text_length: int = 25,
        retry_length: int = 250,
        xpath: bool = False,
        handle_failures: str | None = "discard",
    ) -> None:
        self.input, self.url = input, url

    @cached_property
    def page(self) -> CleanPage:
        return clean(self.input, url=self.url)

    @property
    def encoding(self) -> str:
        return self.page.source.encoding

    def title(self) -> str:
        """The text of the `title` element, `[no-title]` without one."""
        return PageStatements(self.page.analysis.columns).title or "[no-title]"

    def short_title(self) -> str:
        """The title of the article, without the name of the site; '' if there is none."""
        return self.page.title or ""

    def author(self) -> str:
        """The author, `[no-author]` without one."""
        return self.page.author or "[no-author]"

    def summary(self, html_partial: bool = False, keep_all_images: bool = False) -> str:
        """The article as clean HTML: a document, or, if html_partial, one `div`. keep_all_images: has no effect, images
        of the article are always kept."""
        inner = self.page.to_html(include_title=False, fragment=True)
        article = f"<div>{inner}</div>"
        return article if html_partial else f"<html><body>{article}</body></html>"

    def content(self) -> str:
        """All that the page shows, as clean HTML: the element `body`."""
        (tree,) = build_trees(self.page, np.ones(len(self.page.analysis.columns.blocks), dtype=bool))
        return f"<body>{render_html(tree, fragment=True)}</body>"

    get_clean_html = content
