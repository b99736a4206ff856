"""A parser is one file behind the seam of `webclean.parse.engines`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import webclean
from webclean.parse import ENGINES
from webclean.parse.columns import ParsedNodes
from webclean.parse.engines import Engine
from webclean.parse.limits import Budget
from webclean.parse.prepare import FoundTags

PACKAGE = Path(webclean.__file__).parent
IMPORTERS = {
    "turbohtml": {"parse/engines/turbo.py", "parse/snippets.py", "parse/encoding.py"},
    "html5lib": {"parse/engines/html5.py"},
}
"""Package of a parser -> the files that may import it, as docs/architecture.md names them."""
ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"
PAGE = """<title>Mill</title><h1>The old mill</h1><nav><a href=/a>News</a> <a href=/b>Sports</a></nav>
<article><p>A walk through the forest takes an hour, and a path leads back to the old mill by the river.</p>
<p>It was built of oak in the last century, and the wheel still turns when the water is high enough.</p></article>"""


def list_imported(path: Path) -> set[str]:
    """The packages that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
    return found


@pytest.mark.parametrize("parser", IMPORTERS)
def test_a_parser_is_imported_by_the_files_alone_that_the_documents_name(parser: str) -> None:
    importing = (path for path in PACKAGE.rglob("*.py") if parser in list_imported(path))
    found = {path.relative_to(PACKAGE).as_posix() for path in importing}
    assert found == IMPORTERS[parser]
    section = ARCHITECTURE.read_text(encoding="utf-8").partition("## A further parser")[2].partition("\n## ")[0]
    assert [path for path in found if f"`{path}`" not in section] == []


def test_every_engine_has_one_file() -> None:
    files = {path.stem for path in (PACKAGE / "parse" / "engines").glob("*.py")} - {"__init__", "engine"}
    homes = {engine.walk.__module__.rpartition(".")[2] for engine in ENGINES.values()}
    assert homes == files
    assert len(homes) == len(ENGINES)


def test_a_registered_engine_cleans_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def walk(markup: str, budget: Budget) -> ParsedNodes:
        seen.append(markup)
        return ENGINES["html5lib"].walk(markup, budget)

    def work_around(markup: str, found: FoundTags) -> str:
        assert not found.roots
        return markup.replace("oak", "elm")

    monkeypatch.setitem(ENGINES, "toy", Engine(walk, work_around))
    page = webclean.clean(PAGE, parser="toy")
    assert page.analysis.columns.document.engine == "toy"
    assert "built of elm" in seen[0]
    assert page.text == webclean.clean(PAGE.replace("oak", "elm")).text
    assert page.title == "The old mill"


def test_what_stands_in_noscript_is_parsed_by_the_engine_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def walk(markup: str, budget: Budget) -> ParsedNodes:
        seen.append(markup)
        return ENGINES["fast"].walk(markup, budget)

    monkeypatch.setitem(ENGINES, "toy", Engine(walk))
    words = "A walk through the forest takes an hour, and a path leads back to the old mill. " * 10
    assert "old mill" in webclean.clean(f"<body><noscript><p>{words}</noscript>", parser="toy").text
    assert len(seen) == 2
