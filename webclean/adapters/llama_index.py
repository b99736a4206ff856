"""LlamaIndex: a reader and a node parser that give a node for each block. Needs the extra `llama-index`.

The metadata of a node: `link` (opens the page at the block), `title`, `date`, `role`, `kept`, `importance`, `heading`
and `xpath`. An embedding sees the title and the headings of it, a language model the link to cite too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from llama_index.core.bridge.pydantic import Field
from llama_index.core.node_parser import NodeParser
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship, TextNode

from webclean.parse.url import is_of_web
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits
from webclean.web.rendering import load_pages

_KEYS: Final = ("link", "title", "date", "role", "kept", "importance", "heading", "xpath")
_UNSEEN: Final = ["date", "role", "kept", "importance", "xpath", "source"]


class WebcleanReader(BaseReader):
    """Reads pages by their URLs, which are fetched from public addresses alone, or files, by a `pathlib.Path`, as HTML.

    A page that fails is told in the log and in `failures` (source -> why), and the others go on. `WebcleanNodeParser`
    makes nodes of the documents.
    """

    def __init__(self, *, allow_private: bool = False) -> None:
        self.limits = FetchLimits(allow_private=allow_private)
        self.failures: dict[str, str] = {}

    def lazy_load_data(self, sources: Sequence[str | Path], **_: Any) -> Iterable[Document]:
        """A document with the markup of each page, and its URL or path as `source`."""
        self.failures.clear()
        for source, page in load_pages(sources, self.failures, cleaner=Cleaner(), limits=self.limits):
            yield Document(text=page.source.markup, metadata={"source": page.url or str(source)}, id_=str(source))


class WebcleanNodeParser(NodeParser):
    """Makes a node of each block of documents whose text is HTML, with their URL as `source`.

    kept_only: without menus, advertisements and other noise. max_words: of a node; longer blocks are cut between lines.
    """

    kept_only: bool = Field(default=True, description="Only blocks that belong to the main content.")
    max_words: int = Field(default=400, description="Words of a node at most.", ge=1)

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex stores the parser."""
        return "WebcleanNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:
        cleaner = Cleaner()
        return [made for node in nodes for made in self._parse_node(node, cleaner)]

    def _parse_node(self, node: BaseNode, cleaner: Cleaner) -> Iterable[TextNode]:
        source = str(node.metadata.get("source", ""))
        url = source if is_of_web(source) else None
        page = cleaner.clean(node.get_content(metadata_mode=MetadataMode.NONE), url=url)
        for row in page.passages(kept_only=self.kept_only, max_words=self.max_words):
            yield TextNode(
                id_=row["id"],
                text=row["text"],
                metadata={key: row[key] for key in _KEYS},
                excluded_embed_metadata_keys=[*_UNSEEN, "link"],
                excluded_llm_metadata_keys=_UNSEEN,
                relationships={NodeRelationship.SOURCE: node.as_related_node_info()},
            )
