"""A parser is one file behind the seam of `webclean.parse.engines`, and both engines give the same columns."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import assume, example, given

import webclean
from tests.blocks.markup import MARKUP
from webclean.model import Document
from webclean.parse import ENGINES, Limits, parse_page, read_attribute, read_raw
from webclean.parse.columns import ParsedNodes
from webclean.parse.engines import Engine
from webclean.parse.limits import BATCH, Budget
from webclean.parse.prepare import FoundTags
from webclean.parse.tags import RAW_TEXT

FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))
NESTED_LINK = re.compile(r"<a\b(?:(?!</a).)*<a\b", re.DOTALL)
COLUMNS = ("tag", "parent", "end", "depth", "link", "block", "displayed")


@pytest.mark.parametrize("limits", [Limits(max_elements=10), Limits(max_seconds=0)], ids=["elements", "seconds"])
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_an_engine_stops_reading_where_the_budget_is_used_up(engine: str, limits: Limits) -> None:
    walk = ENGINES[engine].walk("<p>river</p>" * (3 * BATCH), Budget(limits, truncate=True))
    assert 10 < len(walk.names) <= BATCH


def join_text(document: Document) -> list[tuple[int, int, str]]:
    """(owner, elements before, text): neighbouring nodes joined, an engine may cut a text anywhere."""
    joined: list[tuple[int, int, str]] = []
    for owner, after, text in zip(document.text_owner, document.text_next, document.text, strict=True):
        if joined and joined[-1][:2] == (owner, after):
            joined[-1] = (owner, after, joined[-1][2] + text)
        else:
            joined.append((int(owner), int(after), text))
    return joined


def list_attributes(document: Document) -> list[dict[str, str | None]]:
    return [{name: read_attribute(document, row, name) for name in attrs} for row, attrs in enumerate(document.attrs)]


def check_equal(page: bytes | str) -> None:
    fast, reference = (parse_page(page, engine=engine) for engine in ("fast", "html5lib"))
    assert fast.names == reference.names
    for column in COLUMNS:
        assert getattr(fast, column).tolist() == getattr(reference, column).tolist(), column
    assert list_attributes(fast) == list_attributes(reference)
    assert join_text(fast) == join_text(reference)
    assert [read_raw(fast, name) for name in RAW_TEXT] == [read_raw(reference, name) for name in RAW_TEXT]
    assert fast.fallback == reference.fallback
    assert fast.source == reference.source


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_columns_are_equal_on_every_fixture(path: Path) -> None:
    check_equal(path.read_bytes())


CASES = {
    "quoted hidden input": '<table><input type="hidden" name=a><td>\u0101<INPUT TYPE="hidden"name=b></table>',
    "hidden input outside": "<form><input type='hidden' value='\u4e00'><table><tr><input type=text></table>",
    "end tag of col": "<table><col></col><col></COL ><colgroup><col></col><col></table>",
    "noscript in head and body": "<head><noscript><p>x</noscript><title>t</title><body><noscript><iframe></noscript>y",
    "json-ld": '<script type="application/ld+json">{"a": "<p>"}</script><style>p{}</style><script>x</script>',
    "foreign": '<svg xlink:href=a xml:lang=en viewbox=1><a xlink:href=b class=" x  y ">t</a><foreignObject><p>h</svg>',
    "math": "<p><math><mi>x</mi><annotation-xml encoding='text/html'><b>y</b></annotation-xml></math>",
    "colon names": "<o:p>x</o:p><fb:like href=a>y</fb:like>",
    "crossed": "<b>x<i>y</b>z</i>",
    "omitted": "<td>a<li>b<dd>c<option>d<p>e<p>f",
    "table content": "text<table>foster<tr><div>x</div><td>y</table>",
    "frameset": "<frameset><frame src=a></frameset><noframes><p>x</noframes>",
    "null and controls": "a\0b<p title='\0'>\x01\x0c</p>",
    "surrogate": "<p>\ud800x</p>",
    "token lists": "<a class='' rel='\n a\tb ' headers=' '>x</a>",
    "no value": "<input disabled hidden=''><p hidden>x",
    "after the end": "<html><body><p>x</body></html><p>y<!-- z --> ",
    "plaintext": "<p>a<plaintext><b>c</plaintext>",
    "textarea and title": "<title>a<b></title><textarea>\nb<i></textarea>x",
    "repeated roots": "<html a=1><body b=1><html a=2 c=3><body b=2 d=4>x",
    "shadow root": "<div>a</div>x",
}


@pytest.mark.parametrize("name", CASES)
def test_columns_are_equal_on_small_cases(name: str) -> None:
    check_equal(CASES[name])


@given(MARKUP)
@example("<table>x<tr><td>\u0101<input type='hidden'></table>")
def test_columns_are_equal_on_any_well_nested_markup(markup: str) -> None:
    # links in links around tables are put elsewhere by the standard that html5lib follows
    assume("<table" not in markup or not NESTED_LINK.search(markup))
    # html5lib knows the select element of 2013 only, which drops the tags inside
    check_equal(markup.replace("<select", "<span").replace("</select", "</span"))


PACKAGE = Path(webclean.__file__).parent
IMPORTERS = {
    "turbohtml": {"parse/engines/turbo.py", "parse/snippets.py", "parse/encoding.py", "outputs/block_views.py"},
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
