"""Texts that are empty or next to it say why."""

from __future__ import annotations

from pathlib import Path

import pytest

import webclean
from webclean.cli import main

FIXTURES = Path(__file__).parents[2] / "fixtures"
SHELL = '<!doctype html><title>App</title><div id="root"></div><script src="app.js"></script>'
LOGIN = """<!doctype html><title>Members</title><form><label>Name <input name=user></label>
<label>Password <input type=password></label><button>Log in</button></form>"""
ERROR = "<!doctype html><title>404 Not Found</title><h1>Not Found</h1><p>Nothing is here.</p>"
HIDDEN = f"""<!doctype html><title>Later</title><p>We open in spring.</p>
<div hidden>{'<p><a href="/a">Home</a> <a href="/b">Contact us</a></p>' * 20}</div>"""
SHORT = "<!doctype html><title>Soon</title><p>We open in spring.</p>"


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        (b"", "not_a_page"),
        (SHELL, "script"),
        ("<!doctype html><title>Blank</title><img src=a.png>", "no_text"),
        (ERROR, "error"),
        (LOGIN, "login"),
        (HIDDEN, "hidden"),
        (SHORT, "short"),
    ],
)
def test_an_empty_text_says_why_and_is_not_trusted(markup: str | bytes, reason: str) -> None:
    page = webclean.clean(markup)
    assert page.empty_because == reason
    assert page.warnings
    assert page.confidence < 0.1
    assert page.to_dict()["empty_because"] == reason


def test_a_text_that_is_not_empty_says_nothing() -> None:
    page = webclean.clean(FIXTURES / "content/news-en-harbour/input.html")
    assert page.empty_because is None
    assert not page.warnings


def test_rules_say_what_is_next_to_empty(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("empty: {few_words: 0}\n", encoding="utf-8")
    assert webclean.clean(SHORT, rules=rules).empty_because is None


def test_the_command_line_tells_and_fails_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "shell.html"
    page.write_text(SHELL, encoding="utf-8")
    assert main(["clean", str(page)]) == 0
    assert "a browser may show more" in capsys.readouterr().err
    assert main(["clean", str(page), "--fail-empty"]) == 3
    assert main(["clean", str(page), str(page), "-f", "jsonl", "--fail-empty"]) == 3
    assert "2 script" in capsys.readouterr().err
    assert main(["clean", str(FIXTURES / "content/news-en-harbour/input.html"), "--fail-empty"]) == 0


def test_the_table_of_pages_has_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "login.html").write_text(LOGIN, encoding="utf-8")
    out = tmp_path / "out"
    assert main(["batch", str(folder), "-o", str(out), "--fail-empty", "--jobs", "1"]) == 3
    assert parquet.read_table(out / "pages").column("empty_because").to_pylist() == ["login"]
    assert "1 login" in capsys.readouterr().err
