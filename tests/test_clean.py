"""`clean` end to end on small pages."""

from __future__ import annotations

from pathlib import Path

import webclean

PAGE = """<!doctype html><title>On rivers</title><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<main><h1>On rivers</h1><p>The river rises in the hills, and it takes a long and winding way down to the sea.
It passes eleven towns on its way, and each of them has built its own bridge.</p></main>
<footer>Copyright 2024 The River Society</footer>"""


def test_keeps_the_paragraph_and_drops_the_frame() -> None:
    page = webclean.clean(PAGE)
    assert "eleven towns" in page.text
    assert "Copyright" not in page.text
    assert "News" not in page.text


def test_engines_give_the_same_text() -> None:
    assert webclean.clean(PAGE).text == webclean.clean(PAGE, parser="html5lib").text


def test_an_empty_page_has_no_feature() -> None:
    page = webclean.clean(b"")
    assert page.page_type == "no_feature"
    assert page.text == ""
    assert page.blocks == ()


def test_repairs_are_those_of_html_and_found_once() -> None:
    page = webclean.clean("<p>One.</div>")
    assert "wrong_end_tag" in [repair.kind for repair in page.repairs]
    assert page.repairs is page.repairs
    assert webclean.clean("Just text, without any markup.").repairs == ()


def test_the_text_is_with_its_tables_unless_asked_otherwise() -> None:
    said = "The ferry crosses the river once an hour, and twice on days when the market is held in the old town. "
    table = "".join(f"<tr><td>Ferry {i}</td><td>{i}:30</td></tr>" for i in range(6, 12))
    head = "<tr><th>Boat</th><th>Leaves</th></tr>"
    page = webclean.clean(
        f"<article><h1>Ferry times</h1><p>{said * 5}</p><table>{head}{table}</table><p>{said * 5}</p>"
    )
    assert "Ferry 7" in page.text
    assert page.to_text() == page.text
    assert "Ferry 7" not in page.to_text(include_tables=False)


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


def test_comments_may_be_left_out_of_renderings(tmp_path: Path) -> None:
    remark = "<p>I walked there last year with my brother, and we liked it very much indeed.</p>"
    rules = tmp_path / "rules.yaml"
    given = "{k: {when: {selector: '#said'}, action: keep}, r: {when: {selector: '#said'}, action: {role: comments}}}"
    rules.write_text(f"rules: {given}")
    page = webclean.clean(f"{PAGE}<div id=said>{remark * 3}</div>", rules=rules)
    for write in (page.to_html, page.to_markdown):
        assert "my brother" in write()
        assert "my brother" not in write(include_comments=False)
        assert "eleven towns" in write(include_comments=False)


def test_rules_of_a_language_are_those_of_its_primary_tag(tmp_path: Path) -> None:
    (tmp_path / "languages").mkdir()
    (tmp_path / "languages" / "pt.yaml").write_text("rules: {d: {when: {text: eleven towns}, action: drop}}")
    for tag, dropped in (("pt-BR", True), ("PT", True), ("en", False)):
        text = webclean.clean(f"<html lang={tag}>{PAGE}", rules=tmp_path).text
        assert ("eleven towns" not in text) is dropped, tag


def test_the_phone_page_has_links_images_and_tables(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules: {k: {when: {selector: main}, action: keep}}")
    more = "<p>See <a href=/map>the map of all bridges</a>.</p><table><tr><td>a<td>b<tr><td>c<td>d</table>"
    page = webclean.clean(PAGE.replace("</main>", f"<img src=/i.png>{more}</main>"), url="https://x.net/", rules=rules)
    written = page.to_mobile_html()
    for tag in ('href="https://x.net/map"', 'src="https://x.net/i.png"', "<td>"):
        assert tag in written
    assert "<img" not in page.to_mobile_html(include_images=False)
    for write in (page.to_html, page.to_markdown):
        for address in ("https://x.net/map", "https://x.net/i.png"):
            assert address in write()
