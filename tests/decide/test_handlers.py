"""What is done on pages of a type, and why a text is empty or next to it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

import webclean
from webclean.cli import main
from webclean.decide.explain import explain_block
from webclean.decide.handlers import find_titles_and_summaries, is_article
from webclean.rules import load_rules

LINES = [
    "Ferry back on the crossing",
    "Council votes on the levee again",
    "Otters win",
    "Hospital to reopen its ward in fall",
    "Beekeeper found",
    "Bridge gets one more year, with lights and a lane for bicycles",
    "Rents slip",
    "Swim called off over algae in the lower river",
]


def make_board() -> str:
    """An index page without any class or id: nothing but tables and links."""
    rows = "".join(f"<tr><td><a href=/2014/{i}301.html>{line}</a><td>0{i}-18" for i, line in enumerate(LINES))
    return (
        f"<body><table><tr><td><a href=/>Home</a> <a href=/s>Sport</a> <a href=/w>Weather</a></table>"
        f"<table>{rows}</table><table><tr><td>Copyright 2014 The Post</table>"
    )


def test_the_entries_of_an_important_list_share_their_fate(tmp_path: Path) -> None:
    page = webclean.clean(make_board(), page_type="index", url="http://post.example/")
    assert [line for line in LINES if line not in page.text] == []
    assert "Copyright" not in page.text
    off = tmp_path / "off.yaml"
    off.write_text("segments: {index_pages: {plain_from: 2}}")
    assert webclean.clean(make_board(), page_type="index", rules=off).text != page.text


def test_the_most_important_list_is_important(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("segments: {index_pages: {important: 1.0}}")
    page = webclean.clean(make_board(), page_type="index", url="http://post.example/", rules=rules)
    assert [line for line in LINES if line not in page.text] == []
    assert "important_list" in explain_all(page)


def test_a_page_that_lists_do_not_carry_is_left_to_the_cards(tmp_path: Path) -> None:
    text = "<p>The ferry is back on the crossing since Monday, and all the cars of the island were on it. </p>" * 20
    markup = make_board().replace("<body>", f"<body>{text}")
    assert {
        said for said in explain_all(webclean.clean(markup, page_type="index")) if said == "important_list"
    } == set()
    rules = tmp_path / "rules.yaml"
    for settings in ("text_share: 0", "text_share: 0, important: 1"):
        rules.write_text(f"segments: {{index_pages: {{{settings}}}}}")
        assert "important_list" in explain_all(webclean.clean(markup, page_type="index", rules=rules)), settings


def test_a_page_is_an_article_by_the_paragraphs_that_are_kept() -> None:
    sentence = "The ferry is back on the crossing since Monday, and all the cars of the island were on it again. "
    columns = webclean.clean(f"<p>Ferries</p><p>{sentence * 4}</p><p>More news</p>").analysis.columns
    settings = load_rules().segments.index_pages
    assert is_article(columns, np.array([True, True, True]), settings)
    assert not is_article(columns, np.array([True, False, True]), settings)


def test_paragraphs_of_an_article_may_have_short_texts_between_them() -> None:
    sentence = "The ferry is back on the crossing since Monday, and all the cars of the island were on it again. "
    columns = webclean.clean(f"<p>{sentence * 4}</p><p>Photo</p><p>{sentence * 4}</p>").analysis.columns
    settings = msgspec.structs.replace(load_rules().segments.index_pages, article_share=0.6, paragraph_gap=1)
    assert is_article(columns, np.ones(3, dtype=bool), settings)
    assert not is_article(columns, np.ones(3, dtype=bool), msgspec.structs.replace(settings, paragraph_gap=0))


def test_titles_are_half_link_text_at_least_and_summaries_long() -> None:
    texts = ["abcde <a href=/a>fghij</a>", "abcdef <a href=/a>ghij</a>", "x" * 29, "é" * 15, "x"]
    columns = webclean.clean("".join(f"<p>{text}</p>" for text in texts) + "<h2>y</h2>").analysis.columns
    assert find_titles_and_summaries(columns, 30).tolist() == [True, False, False, True, False, True]


def explain_all(page: webclean.CleanPage) -> set[str]:
    """The rules that decided the page's text blocks."""
    analysis, n = page.analysis, len(page.analysis.columns.blocks)
    return {explain_block(analysis.columns, analysis.decisions, analysis.rules, at).decided_by.rule for at in range(n)}


def test_rules_have_the_last_word_on_lists(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules:\n  no-otters: {when: {text: Otters}, action: drop}\n")
    page = webclean.clean(make_board(), page_type="index", rules=rules)
    assert "Otters" not in page.text
    assert "Beekeeper found" in page.text


def test_what_a_handler_turned_round_says_why(tmp_path: Path) -> None:
    page = webclean.clean(make_board(), page_type="index")
    analysis = page.analysis
    under = np.flatnonzero(analysis.decisions.kept & (analysis.decisions.score < analysis.decisions.cut))
    assert len(under)
    for block in under.tolist():
        said = explain_block(analysis.columns, analysis.decisions, analysis.rules, block).decided_by
        assert (said.stage, said.rule) == ("index", "important_list")


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
