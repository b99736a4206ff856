"""Rules that change the page before it is cut."""

from pathlib import Path

import msgspec
import pytest

import webclean
from webclean.blocks.text_blocks import find_text_blocks
from webclean.errors import LimitExceeded
from webclean.matching.conditions import edit_elements, replace_markup
from webclean.model import Source
from webclean.parse import parse_page
from webclean.rules.rule_schema import Rule


def make_rules(**rules: object) -> dict[str, Rule]:
    return msgspec.convert(rules, dict[str, Rule])


def test_markup_is_replaced_where_the_url_fits() -> None:
    source = Source("a<br><br>b", "utf-8", "text", 9)
    rules = make_rules(
        here={"when": {"url": "/a$"}, "action": {"replace": {"find": "<br><br>", "by": "<p>"}}},
        there={"when": {"url": "/b$"}, "action": {"replace": {"find": "a", "by": "z"}}},
    )
    assert replace_markup(source, rules, "https://x.org/a", 100).markup == "a<p>b"
    assert replace_markup(source, rules, None, 100) is source


def test_a_replacement_cannot_outgrow_the_limit() -> None:
    rules = make_rules(bomb={"action": {"replace": {"find": "a", "by": "a" * 1000}}})
    with pytest.raises(LimitExceeded):
        replace_markup(Source("a" * 1000, "utf-8", "text", 1000), rules, None, 10_000)
    source, rules = (
        Source("abcabc", "utf-8", "text", 6),
        make_rules(r={"action": {"replace": {"find": "ab", "by": "xyz"}}}),
    )
    assert replace_markup(source, rules, None, 8).markup == "xyzcxyzc"
    with pytest.raises(LimitExceeded, match=r"max_bytes.*8.*7"):
        replace_markup(source, rules, None, 7)


def test_rules_that_are_off_or_ask_for_elements_change_no_markup() -> None:
    source, edit = Source("aaa", "utf-8", "text", 3), {"replace": {"find": "a", "by": "b"}}
    rules = make_rules(
        off={"action": edit, "enabled": False},
        asks={"when": {"url": "x", "page_contains": "a"}, "action": edit},
        other={"when": {"text": "a"}, "action": "drop"},
    )
    assert replace_markup(source, rules, "https://x.org/", 100) is source


def test_an_unwrapped_element_no_longer_separates() -> None:
    document = parse_page("<p>one</p><div class=word>two</div> three <div>four <div class=word>five <p>six</div></div>")
    assert len(find_text_blocks(document)) == 6
    rules = make_rules(words={"when": {"selector": ".word"}, "action": "unwrap"})
    assert find_text_blocks(edit_elements(document, rules)).text == ["one", "two three", "four five", "six"]


def test_a_cleaner_applies_both(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "rules:\n  sign: {action: {replace: {find: XX, by: forest}}}\n"
        "  word: {when: {selector: div.word}, action: unwrap}\n"
    )
    html = "<p>A walk through the XX takes an hour, and a <div class=word>path</div> leads back to the old mill.</p>"
    page = webclean.clean(html, rules=rules)
    assert page.analysis.columns.blocks.text[0] == "A walk through the forest takes an hour, and a"
    assert page.analysis.columns.blocks.text[1] == "path leads back to the old mill."


def test_dropped_images_are_in_no_output_and_no_field(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "rules:\n  pixel: {when: {selector: '//img[contains(@src, \"/ads/\")]'}, action: drop_images}\n"
        "  box: {when: {selector: .shop}, action: drop_images}\n"
    )
    html = (
        "<article><h1>The old mill</h1><p>The mill has stood at the ford for three hundred years, and it grinds on.</p>"
        "<p><img src=/ads/boots.jpg width=300 height=200> A walk to the mill takes an hour, along the river.</p>"
        "<p><img src=/mill.jpg width=300 height=200> The wheel was repaired in spring, by the miller himself.</p>"
        "<p class=shop><img src=/shop.jpg width=300 height=200> In summer the yard is open to all who walk by.</p>"
        "</article>"
    )
    plain, ruled = (webclean.clean(html, url="https://a.org/", rules=given) for given in (None, rules))
    assert ruled.text == plain.text
    for page, expected in ((plain, ["ads/boots", "mill", "shop"]), (ruled, ["mill"])):
        assert [image.url for image in page.fields.images] == [f"https://a.org/{name}.jpg" for name in expected]
        for written in (page.to_markdown(), page.to_html(), page.to_mobile_html()):
            assert [name for name in ("ads/boots", "mill", "shop") if f"/{name}.jpg" in written] == expected


@pytest.mark.parametrize(
    ("action", "more"),
    [
        ("unwrap", {"enabled": False}),
        ("drop_images", {"enabled": False}),
        ("unwrap", {"when": {"selector": "div", "page_lacks": "p"}}),
        ("unwrap", {"when": {"selector": "div", "url": "y.org"}}),
        ("drop", {}),
    ],
)
def test_a_page_is_changed_only_by_rules_that_apply(action: str, more: dict[str, object]) -> None:
    document = parse_page("<div>a<p>b<img src=i.png></div>", url="https://x.org/")
    rules = make_rules(r={"when": {"selector": "div"}, "action": action, **more})
    edited = edit_elements(document, rules)
    for column in ("tag", "block", "displayed"):
        assert getattr(edited, column).tolist() == getattr(document, column).tolist()


def test_an_unwrapped_body_is_of_the_root_and_the_root_stays() -> None:
    document = parse_page("<b>a</b><p>c <b>d</b></p>")
    names = ["html", "head", "body", "b", "p", "b"]
    assert (list(document.names), document.block.tolist()) == (names, [0, 0, 2, 2, 4, 4])
    for selector, blocks in (
        ("body", [0, 0, 0, 0, 4, 4]),
        ("html", [0, 0, 2, 2, 4, 4]),
        ("p, html", [0, 0, 2, 2, 2, 2]),
    ):
        edited = edit_elements(document, make_rules(r={"when": {"selector": selector}, "action": "unwrap"}))
        assert edited.block.tolist() == blocks, selector
        assert document.block.tolist() == [0, 0, 2, 2, 4, 4]


def test_dropped_images_alone_are_not_displayed() -> None:
    document = parse_page("<div><p>a<img src=i.png><video></video></p></div><img src=j.png>")
    rules = make_rules(r={"when": {"selector": "div"}, "action": "drop_images"})
    hidden = document.displayed & ~edit_elements(document, rules).displayed
    assert [document.attrs[row].get("src") for row in hidden.nonzero()[0]] == ["i.png"]
