"""LangChain: a loader and a transformer that give a document for each block. Needs the extra `langchain`.

The metadata of a document: `source` (the URL or path), `link` (opens the page at the block), `title`, `date`, `role`,
`kept`, `importance`, `heading` and `xpath`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document

from webclean.page import CleanPage
from webclean.parse.url import is_of_web
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits
from webclean.web.rendering import load_pages

_KEYS: Final = ("link", "title", "date", "role", "kept", "importance", "heading", "xpath")


class WebcleanLoader(BaseLoader):
    """Loads pages by their URLs, which are fetched from public addresses alone, or files, by a `pathlib.Path`.

    A page that fails is told in the log and in `failures` (source -> why), and the others go on. kept_only: without
    menus, advertisements and other noise. max_words: of a document; longer blocks are cut between lines. allow_private:
    fetch from loopback and private addresses too.
    """

    def __init__(
        self,
        sources: Sequence[str | Path],
        *,
        cleaner: Cleaner | None = None,
        kept_only: bool = True,
        max_words: int = 400,
        allow_private: bool = False,
    ) -> None:
        self.sources, self.cleaner = sources, cleaner or Cleaner()
        self.kept_only, self.max_words = kept_only, max_words
        self.limits = FetchLimits(allow_private=allow_private)
        self.failures: dict[str, str] = {}

    def lazy_load(self) -> Iterator[Document]:
        self.failures.clear()
        for source, page in load_pages(self.sources, self.failures, cleaner=self.cleaner, limits=self.limits):
            yield from list_documents(page, str(source), kept_only=self.kept_only, max_words=self.max_words)


class WebcleanTransformer(BaseDocumentTransformer):
    """Turns documents whose content is HTML, with their URL as `source`, into documents for their blocks.

    What else is in their metadata stays.
    """

    def __init__(self, *, cleaner: Cleaner | None = None, kept_only: bool = True, max_words: int = 400) -> None:
        self.cleaner, self.kept_only, self.max_words = cleaner or Cleaner(), kept_only, max_words

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> list[Document]:
        """The documents of the blocks, in the order of their pages. Raises what `clean` raises."""
        return [made for document in documents for made in self._transform(document)]

    def _transform(self, document: Document) -> Iterator[Document]:
        source = str(document.metadata.get("source", ""))
        url = source if is_of_web(source) else None
        page = self.cleaner.clean(document.page_content, url=url)
        for one in list_documents(page, source, kept_only=self.kept_only, max_words=self.max_words):
            yield Document(id=one.id, page_content=one.page_content, metadata=document.metadata | one.metadata)


def list_documents(page: CleanPage, source: str, *, kept_only: bool = True, max_words: int = 400) -> list[Document]:
    return [
        Document(
            id=row["id"], page_content=row["text"], metadata={"source": source, **{key: row[key] for key in _KEYS}}
        )
        for row in page.passages(kept_only=kept_only, max_words=max_words)
    ]
