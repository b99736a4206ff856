"""`clean` end to end on a small page: what is kept, what its renderings have unless they are asked otherwise, and what
each part of it shows."""

import gc
import html
import re
import weakref
from pathlib import Path

import pytest

import webclean
from tests import write_file

TEXT = "The river rises in the hills, and it takes a long and winding way down to the sea, past eleven towns."
HEAD = "<title>On rivers</title><meta name=author content='Ann Walker'><meta name=date content=2024-05-02>"
REMARK = "I walked there last year with my brother, and we liked it very much indeed, all of us."
PAGE = f"""<!doctype html><html lang=en><head>{HEAD}</head><body><nav><a href="/">Home</a></nav><main><h1>On rivers</h1>
<p>{TEXT} <a href=/map>The map of all bridges</a></p><img src=/bridge.png width=400 height=300>
<table><tr><th>Town<th>Bridges<tr><td>Aston<td>2<tr><td>Belford<td>3<tr><td>Colm<td>1</table><p>{TEXT} {TEXT}</p></main>
<div id=said><p>{REMARK}</p><p>{REMARK}</p></div><footer>Copyright 2024</footer></body></html>"""
URL = "https://rivers.example/a"
RULES = """rules:
  text: {when: {selector: main}, action: keep}
  said: {when: {selector: '#said'}, action: keep}
  remarks: {when: {selector: '#said'}, action: {role: comments}}
"""


@pytest.fixture
def page(tmp_path: Path) -> webclean.CleanPage:
    rules = write_file(tmp_path / "rules.yaml", RULES)
    return webclean.clean(PAGE, url=URL, rules=rules)


PARTS = {
    "links": {"markdown": "](https://rivers.example/map)", "html": 'href="https://rivers.example/map"'},
    "images": {"markdown": "![", "html": "<img"},
    "tables": {"markdown": "| Belford", "html": "<td>Belford"},
    "comments": {"markdown": "my brother", "html": "my brother"},
    "title": {"markdown": "# On rivers", "html": "<h1>On rivers"},
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_part_is_there_unless_left_out_alone(page: webclean.CleanPage, part: str, form: str) -> None:
    write = getattr(page, f"to_{form}")
    full, without = write(), write(**{f"include_{part}": False})
    others = [pieces[form] for name, pieces in PARTS.items() if name not in (part, "title")]
    assert PARTS[part][form] in full
    assert all(piece in full and piece in without for piece in others)
    if part != "title":  # the heading of the page itself says it too
        assert PARTS[part][form] not in without


def test_the_title_is_added_where_the_page_shows_none() -> None:
    untitled = PAGE.replace("<h1>On rivers</h1>", "")
    page = webclean.clean(untitled)
    for write, heading in ((page.to_markdown, "# On rivers\n"), (page.to_html, "<h1>On rivers</h1>")):
        assert write().count(heading) == 1
        assert heading not in write(include_title=False)


def test_text_leaves_out_tables_comments_or_both(page: webclean.CleanPage) -> None:
    found = {
        (tables, comments): page.to_text(include_tables=tables, include_comments=comments)
        for tables in (True, False)
        for comments in (True, False)
    }
    assert found[True, True] == page.to_text() == page.text
    for (tables, comments), text in found.items():
        assert ("Belford" in text, "my brother" in text, "eleven towns" in text) == (tables, comments, True)


def test_a_fragment_is_the_body_of_the_document(page: webclean.CleanPage) -> None:
    whole, fragment = page.to_html(), page.to_html(fragment=True)
    assert whole.startswith("<!doctype html>")
    assert "<title>On rivers</title>" in whole
    assert 'lang="en"' in whole
    assert "<title>" not in fragment
    assert fragment.strip() in whole


def test_the_phone_page_says_what_the_page_is(page: webclean.CleanPage) -> None:
    written = page.to_mobile_html()
    for piece in (
        *("<title>On rivers</title>", 'lang="en"', "2024", "rivers.example", "my brother"),
        *('href="https://rivers.example/map"', 'src="https://rivers.example/bridge.png"', "<td>"),
    ):
        assert piece in written, piece
    # whom the page names to machines alone may be the one who runs the site
    assert "Ann Walker" not in written
    signed = webclean.clean(PAGE.replace("<h1>On rivers</h1>", "<h1>On rivers</h1><p>By Ann Walker</p>"))
    assert "Ann Walker" in signed.to_mobile_html()
    assert "<img" not in page.to_mobile_html(include_images=False)


@pytest.mark.parametrize("page_type", ["content", "index"])
def test_what_a_page_does_not_say_is_left_empty(page_type: str) -> None:
    page = webclean.clean(f"<p>{TEXT} {TEXT}</p>", page_type=page_type)
    assert (page.date, page.author, page.url) == (None, None, None)
    for written in (page.to_mobile_html(), page.to_html(), page.to_markdown()):
        assert "None" not in written
        assert "eleven towns" in written


def test_a_page_without_text_has_no_part(page: webclean.CleanPage) -> None:
    empty = webclean.clean(b"")
    assert empty.to_text(include_comments=False) == empty.to_markdown(include_comments=False) == ""
    assert (empty.title, empty.segment_of.tolist(), empty.text_block_roles) == (None, [], [])
    assert (empty.page_type, empty.text, empty.blocks) == ("no_feature", "", ())
    assert "<body" in empty.to_html()


def test_each_block_of_an_index_has_a_card_with_its_own_text(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules: {d: {when: {text: Taken}, action: drop}, k: {when: {text: River}, action: keep}}")
    parts = [f"{name} {TEXT[4:60]} {number}." for number, name in enumerate(("River", "Taken", "River", "River"))]
    body = "".join(f"<section><h2>Part {i}</h2><p>{text}</p></section><hr>" for i, text in enumerate(parts))
    page = webclean.clean(f"<title>All</title>{body}", page_type="index", rules=rules)
    cards = html.unescape(page.to_mobile_html()).split('class="card"')[1:]
    shown = [text for text in parts if text in page.text]
    assert len(shown) == 3
    assert [sum(text in card for card in cards) for text in shown] == [1, 1, 1]
    assert not any(parts[1] in card for card in cards)


def test_the_role_of_a_text_block_is_that_of_its_segment(page: webclean.CleanPage) -> None:
    texts = page.analysis.columns.blocks.text
    assert len(page.text_block_roles) == len(texts) == len(page.segment_of)
    found = {str(role) for text, role in zip(texts, page.text_block_roles, strict=True) if text == REMARK}
    assert found == {"comments"}
    for text, number in zip(texts, page.segment_of.tolist(), strict=True):
        assert re.sub(r"\s", "", text) in re.sub(r"\s", "", page.blocks[number].text)


def test_values_are_read_without_a_call_and_kept(page: webclean.CleanPage) -> None:
    for name in ("text", "fields", "blocks"):
        assert getattr(page, name) is getattr(page, name), name
    assert page.page_type == page.analysis.classification.page_type.value == "content"
    assert page.page_subtype == page.analysis.classification.page_subtype.value
    assert page.page_label == page.analysis.classification.label
    assert 0 < page.confidence <= 1
    assert 0 < page.type_confidence <= 1
    assert page.type_reasons[0].evidence
    assert (page.title, page.date, page.author) == ("On rivers", "2024-05-02", "Ann Walker")
    assert (page.language, page.url, page.source.kind, page.truncated) == ("en", URL, "html", ())
    assert page.warnings == ()
    assert page.rules_hash == page.to_dict()["rules"] == page.analysis.rules.hash


def test_a_type_without_a_subtype_has_none() -> None:
    assert webclean.clean(PAGE, page_type="index").to_dict()["page_type"] == "index"
    assert webclean.clean(b"").page_subtype is None


@pytest.mark.parametrize("part", ["text", "fields", "title", "blocks", "warnings", "to_dict", "to_markdown"])
def test_a_page_is_freed_as_soon_as_nothing_refers_to_it(part: str) -> None:
    gc.collect()
    gc.disable()
    try:
        made = webclean.clean(PAGE, url=URL)
        asked = getattr(made, part)
        if callable(asked):
            asked()
        left = weakref.ref(made), weakref.ref(made.analysis.columns)
        del made, asked
        assert [reference() for reference in left] == [None, None]
    finally:
        gc.enable()


def test_keeps_the_paragraph_and_drops_the_frame() -> None:
    page = webclean.clean(PAGE)
    assert "eleven towns" in page.text
    assert "Copyright" not in page.text
    assert "Home" not in page.text


def test_engines_give_the_same_text() -> None:
    assert webclean.clean(PAGE).text == webclean.clean(PAGE, parser="html5lib").text


def test_other_methods_than_the_cards_say_yes_or_no() -> None:
    found = {name: webclean.clean(PAGE, method=name).analysis.decisions for name in ("scorecard", "text-density")}
    assert set(found["text-density"].score.tolist()) == {0.0, 1.0}
    assert (found["text-density"].article_share, found["text-density"].plain_share) == (0.0, 0.0)
    assert not set(found["scorecard"].score.tolist()) <= {0.0, 1.0}


def test_reasons_are_told_when_asked_for() -> None:
    plain, told = (webclean.clean(PAGE).to_dict(include_reasons=asked) for asked in (False, True))
    assert webclean.clean(PAGE).to_dict() == plain
    assert "reasons" not in plain["blocks"][0]
    assert told["blocks"][0]["reasons"]


def test_rules_of_a_language_are_those_of_its_primary_tag(tmp_path: Path) -> None:
    write_file(tmp_path / "languages" / "pt.yaml", "rules: {d: {when: {text: eleven towns}, action: drop}}")
    for tag, dropped in (("pt-BR", True), ("PT", True), ("en", False)):
        text = webclean.clean(f"<html lang={tag}>{PAGE}", rules=tmp_path).text
        assert ("eleven towns" not in text) is dropped, tag
