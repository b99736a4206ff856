"""The table of formats: what it says is what the command line, the documentation and `CleanPage` know."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import msgspec
import pytest

import webclean
from webclean.cli import main
from webclean.page.formats import COLUMNS, FORMATS, RENDERINGS, Format, TextOptions, list_switches

USAGE = Path(__file__).resolve().parents[2] / "docs" / "usage.md"
PAGE = f"<h1>The weir</h1><p>{'It was built in a dry summer. ' * 20}</p>"
TITLES = {"json": "JSON", "jsonl": "JSON", "html": "HTML", "markdown": "Markdown"}


class LoudOptions(TextOptions, frozen=True, kw_only=True):
    """Options of a format that a test adds."""

    twice: bool = False


@pytest.mark.parametrize("name", sorted({switch.name for switch in list_switches()}))
def test_an_option_is_documented_with_its_formats(name: str) -> None:
    row = re.search(rf"^\| `{name}` \| ([^|]+) \|", USAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert row is not None
    formats = {TITLES.get(form, form) for switch in list_switches() if switch.name == name for form in switch.formats}
    assert set(row[1].split(", ")) - {"`to_dict`"} == formats


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_a_method_takes_the_options_of_its_format(name: str) -> None:
    taken = list(inspect.signature(getattr(webclean.CleanPage, f"to_{name}")).parameters)
    assert taken[1:] == list(inspect.signature(FORMATS[name].options).parameters)


def test_switches_have_flags_of_their_own() -> None:
    flags = [switch.flag for switch in list_switches()]
    assert len(set(flags)) == len(flags)
    assert {"--no-links", "--with-title", "--no-title", "--reasons", "--fragment"} <= set(flags)


def test_text_and_markdown_are_columns_and_markup_stands_beside_the_text() -> None:
    assert list(COLUMNS) == ["text", "markdown"]
    assert list(RENDERINGS) == ["markdown", "html", "mobile"]


def test_json_is_the_page_as_plain_values() -> None:
    page = webclean.clean(PAGE)
    assert json.loads(page.render("json")) == msgspec.convert(page.to_dict(), dict)
    assert json.loads(page.render("jsonl", source="a.html", include_markdown=True)) == {
        "source": "a.html",
        **page.to_dict(include_markdown=True),
    }


def test_a_format_in_the_table_is_known_everywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(page: webclean.CleanPage, shown: LoudOptions) -> str:
        text = page.to_text(include_title=shown.include_title).upper()
        return f"{text}\n{text}" if shown.twice else text

    monkeypatch.setitem(FORMATS, "loud", Format("loud", ".loud", "text/loud", LoudOptions, write))
    page = webclean.clean(PAGE)
    assert page.render("loud") == page.text.upper()
    assert page.render("loud", twice=True).startswith(page.text.upper() + "\n")
    (tmp_path / "weir.html").write_text(PAGE)
    assert main(["clean", str(tmp_path / "weir.html"), "--format", "loud", "--no-tables"]) == 0
    assert capsys.readouterr().out == page.text.upper() + "\n"
    assert main(["clean", "--input-dir", str(tmp_path), "--format", "loud", "-o", str(tmp_path / "made")]) == 0
    assert (tmp_path / "made" / "weir.loud").read_text() == page.text.upper() + "\n"
