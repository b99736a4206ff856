"""Each page type has its own treatment: what a handler does beyond the cards, and that it says so."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

import webclean
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
