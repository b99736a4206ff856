"""LangChain and LlamaIndex: a document or node for each block, by the examples of the docs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import webclean
from tests import write_file
from tests.adapters import need, read_example
from tests.web_sites import run_folder

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "content" / "news-en-harbour"
KEYS = {"source", "link", "title", "date", "role", "kept", "importance", "heading", "xpath"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with run_folder(FOLDER) as base:
        yield f"{base}/input.html"


def run(section: str, url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run an example with a page that is served here, and one that is saved."""
    write_file(folder / "saved" / "page.html", (FOLDER / "input.html").read_bytes())
    monkeypatch.chdir(folder)
    code = read_example(section).replace("https://example.org/tides", url)
    code = code.replace("]).load()", "], allow_private=True).load()").replace("Reader()", "Reader(allow_private=True)")
    names: dict[str, Any] = {"html": (FOLDER / "input.html").read_text(encoding="utf-8")}
    exec(code, names)
    return names


def test_langchain_has_a_document_for_each_block(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("langchain_core", "langchain")
    from webclean.adapters.langchain import WebcleanLoader

    names = run("LangChain", url, tmp_path, monkeypatch)
    page = webclean.clean(FOLDER / "input.html", url=url)
    kept = page.passages()
    loaded = WebcleanLoader([url, Path("saved/page.html")], allow_private=True).load()
    assert [one.page_content for one in loaded[: len(kept)]] == [passage["text"] for passage in kept]
    assert len(loaded) == 2 * len(kept)
    assert {one.metadata["source"] for one in loaded} == {url, "saved/page.html"}
    first = loaded[0]
    assert set(first.metadata) == KEYS
    assert first.metadata["link"] == kept[0]["link"]
    assert first.metadata["xpath"] == kept[0]["xpath"]
    transformed = names["documents"]
    assert next(one.metadata["link"] for one in transformed) == first.metadata["link"]
    assert max(len(one.page_content.split()) for one in transformed) <= 300
    everything = WebcleanLoader([url], allow_private=True, kept_only=False).load()
    assert {"navigation", "footer"} <= {one.metadata["role"] for one in everything}


def test_langchain_keeps_metadata_of_others() -> None:
    need("langchain_core", "langchain")
    from langchain_core.documents import Document

    from webclean.adapters.langchain import WebcleanTransformer

    given = Document(
        page_content="<p>The tide rises twice a day in the bay.", metadata={"crawl": 7, "source": "a.html"}
    )
    (made,) = WebcleanTransformer().transform_documents([given])
    assert (made.metadata["crawl"], made.metadata["source"]) == (7, "a.html")
    assert made.metadata["link"].startswith("#:~:text=The%20tide")


def test_llama_index_has_a_node_for_each_block(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("llama_index.core", "llama-index")
    from llama_index.core.schema import MetadataMode

    from webclean.adapters.llama_index import WebcleanNodeParser

    names = run("LlamaIndex", url, tmp_path, monkeypatch)
    nodes, documents = names["nodes"], names["documents"]
    page = webclean.clean(FOLDER / "input.html", url=url)
    kept = page.passages()
    assert [node.text for node in nodes[: len(kept)]] == [passage["text"] for passage in kept]
    assert nodes[0].source_node.node_id == documents[0].node_id == url
    assert nodes[0].next_node.node_id == nodes[1].node_id
    assert set(nodes[0].metadata) == KEYS
    assert nodes[0].metadata["link"] == kept[0]["link"]
    seen = nodes[0].get_content(metadata_mode=MetadataMode.EMBED)
    assert page.title in seen
    assert "xpath" not in seen
    assert "#:~:text=" not in seen
    assert "#:~:text=" in nodes[0].get_content(metadata_mode=MetadataMode.LLM)
    small = WebcleanNodeParser(max_words=50).get_nodes_from_documents(documents)
    assert len(small) > len(nodes)
    assert max(len(node.text.split()) for node in small) <= 50
    assert len({node.node_id for node in small}) == len(small)


def test_private_addresses_are_refused_unless_they_are_allowed(url: str) -> None:
    need("langchain_core", "langchain")
    need("llama_index.core", "llama-index")
    from webclean.adapters.langchain import WebcleanLoader
    from webclean.adapters.llama_index import WebcleanReader

    loader, reader = WebcleanLoader([url]), WebcleanReader()
    assert loader.load() == reader.load_data([url]) == []
    for failures in (loader.failures, reader.failures):
        assert "not a public address" in failures[url]


def test_loaders_go_on_after_a_page_that_fails(url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    need("langchain_core", "langchain")
    need("llama_index.core", "llama-index")
    from webclean.adapters.langchain import WebcleanLoader
    from webclean.adapters.llama_index import WebcleanReader

    page = tmp_path / "page.html"
    page.write_bytes((FOLDER / "input.html").read_bytes())
    pdf = tmp_path / "map.pdf"
    pdf.write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(range(256)) * 9)
    sources = [f"{url}/none", "page.html", Path("a\0.html"), Path("\ud800.html"), pdf, page]
    loader, reader = WebcleanLoader(sources, allow_private=True), WebcleanReader(allow_private=True)
    loaded, read = loader.load(), reader.load_data(sources)
    assert {one.metadata["source"] for one in loaded} == {str(page)}
    # a file has the address that it gives itself
    assert loaded[0].metadata["link"].startswith("https://www.saltmarshherald.example/")
    assert [one.metadata["source"] for one in read] == [loaded[0].metadata["link"].partition("#")[0]]
    for failures in (loader.failures, reader.failures):
        assert [why for source, why in failures.items() if "\0" in source or "\ud800" in source] == [
            "cannot read a\\x00.html: a NUL or half a surrogate pair is in no name of a file",
            "cannot read \\ud800.html: a NUL or half a surrogate pair is in no name of a file",
        ]
        assert len(failures) == 5
        assert "not a page" in failures[str(pdf)]
    assert caplog.text.count("left out: ") == 10
    loader.load()
    assert len(loader.failures) == 5
