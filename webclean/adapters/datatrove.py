"""datatrove: an extractor, used where its `Trafilatura` is. Needs the extra `datatrove`.

datatrove hands an extractor the markup of a document alone, in a process of its own with a timeout, so that rules of a
site do not apply and links stay relative; `WebcleanPages` knows the URL and adds what is known of the page as metadata.
"""

from __future__ import annotations

from typing import Any

from datatrove.data import Document
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.filters.base_filter import BaseFilter

from webclean.errors import WebcleanError
from webclean.pipeline import Cleaner

_FIELDS = ("title", "date", "author", "page_type", "page_label", "confidence")


class Webclean(BaseExtractor):
    """The main text of each document's HTML. profile: a layer of rules, such as `precision`. markdown: instead of text.
    timeout: seconds for a document, and for the first one with the time that reading the rules takes."""

    name = "🧹 webclean"

    def __init__(self, profile: str = "corpus", markdown: bool = False, timeout: float = 10, **options: Any) -> None:
        super().__init__(timeout)
        self.profile, self.markdown, self.options = profile, markdown, options
        self._cleaner: Cleaner | None = None

    def extract(self, text: str) -> str:
        """The text of a page; '' for what is none."""
        if self._cleaner is None:
            self._cleaner = Cleaner(profile=self.profile, **self.options)
        if not text:
            return ""
        page = self._cleaner.clean(text)
        return page.to_markdown(include_links=False, include_images=False) if self.markdown else page.text


class WebcleanPages(BaseFilter):
    """Cleans documents in place, with their `url`, and keeps those of which enough is text.

    The metadata gets title, date, author, type and `confidence`, the estimated F1 of the text. A document is dropped,
    and says why in `filter_reason`, if it cannot be cleaned, has fewer than min_words words, or a confidence under
    min_confidence. It runs in the process of the pipeline, within webclean's own limits of time and memory.
    """

    name = "🧹 webclean pages"

    def __init__(
        self,
        profile: str = "corpus",
        min_words: int = 1,
        min_confidence: float = 0.0,
        exclusion_writer: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(exclusion_writer)
        self.profile, self.min_words, self.min_confidence, self.options = profile, min_words, min_confidence, options
        self._cleaner: Cleaner | None = None

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Whether the document is kept; its text and metadata are replaced."""
        if self._cleaner is None:
            self._cleaner = Cleaner(profile=self.profile, **self.options)
        url = doc.metadata.get("url")
        try:
            page = self._cleaner.clean(doc.text, url=url)
            found = {name: getattr(page, name) for name in _FIELDS}
            doc.text = page.text
        except WebcleanError as error:
            return False, f"webclean: {error}"
        doc.metadata |= {**found, "page_type": str(page.page_type)}
        if len(doc.text.split()) < self.min_words:
            return False, "too_few_words"
        return (True, "") if page.confidence >= self.min_confidence else (False, "low_confidence")
