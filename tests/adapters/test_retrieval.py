"""LangChain and LlamaIndex: a document or node for each block, by the examples of the docs."""

from pathlib import Path
from typing import Any

import pytest

import webclean
from tests.adapters import need, read_example

PAGE = Path(__file__).resolve().parents[2] / "fixtures" / "content" / "news-en-harbour" / "input.html"


@pytest.mark.parametrize(
    ("module", "number", "max_words"), [("langchain_core.documents", 0, 300), ("llama_index.core.schema", 1, 400)]
)
def test_each_block_is_a_document_or_a_node(module: str, number: int, max_words: int) -> None:
    need(module, "adapters")
    page = webclean.clean(PAGE, url="https://example.org/tides")
    names: dict[str, Any] = {"pages": [page]}
    exec(read_example("LangChain, LlamaIndex", number), names)
    rows, made = page.passages(max_words=max_words), names["nodes" if number else "documents"]
    assert [getattr(one, "page_content", getattr(one, "text", "")) for one in made] == [row["text"] for row in rows]
    assert [one.metadata["link"] for one in made] == [row["link"] for row in rows]
