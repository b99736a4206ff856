"""Rules to start a site with, made of one page."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

import webclean
from webclean.errors import InputError
from webclean.workbench.starter import name_site, write_rules_for, write_starter

TEXT = "The river rises in the hills, and it takes a long and winding way down to the sea, past eleven towns."
PAGE = f"""<title>Rivers</title><body><nav class="menu top"><a href=/>Home page</a>
<a href=/n>News</a></nav>
<div id=story><h1>Rivers</h1><p>{TEXT}</p><p>{TEXT} Twice.</p></div>
<div class="9x promo"><p><a href=/x>Buy our map of the rivers now</a></p><p><a href=/y>And our boat</a></p></div>
<footer>Contact</footer>"""


def read_rules(text: str) -> dict[str, Any]:
    return dict(yaml.safe_load(text)["rules"])


def test_a_site_is_named_by_its_registered_domain() -> None:
    assert name_site("https://www.news.example.co.uk/a") == "example.co.uk"
    assert name_site(None) == "example.org"
    assert name_site("file:///tmp/x") == "example.org"


def select(html: str, text: str) -> str:
    rules = read_rules(write_rules_for(webclean.clean(html), [text], [], "page.html"))
    return str(rules["keep-1"]["when"]["selector"])


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("towns.  Twice", "#story"),
        ("Contact", "footer"),
        ("Buy our map", "div.promo"),  # a class that CSS would have to quote is passed over
        ("News", "nav.menu"),
    ],
)
def test_the_nearest_element_with_a_name_is_chosen(text: str, selector: str) -> None:
    assert select(PAGE, text) == selector


def test_an_element_around_many_other_texts_is_not_taken_for_the_text() -> None:
    others = "".join(f"<p>Other text number {i}.</p>" for i in range(8))
    assert select(f"<body><div id=all>{others}<p>This text alone.</p></div>", "This text").startswith("/html")
    few = "".join(f"<p>Other text number {i}.</p>" for i in range(2))
    assert select(f"<body><div id=all>{few}<p>This text alone.</p></div>", "This text") == "#all"
    three = "".join(f"<p>Other text number {i}.</p>" for i in range(3))
    assert select(f"<body><div id=all>{three}<p>This text alone.</p></div>", "This text").startswith("/html")


def test_each_text_has_a_rule_with_a_test() -> None:
    page = webclean.clean(PAGE, url="https://www.river-map.com/1")
    text = write_rules_for(page, ["Contact"], ["Buy our map", "Home page"], "rivers.html")
    assert text.startswith("# Rules for river-map.com, started from one page. Say why in `because`.\n")
    rules = read_rules(text)
    assert list(rules) == ["keep-1", "drop-2", "drop-3"]
    assert rules["drop-2"] == {
        "description": f"drops 2 of the {len(page.analysis.columns.blocks)} texts of this page",
        "when": {"selector": "div.promo"},
        "action": "drop",
        "because": "say why",
        "tests": [{"file": "rivers.html", "url": "https://www.river-map.com/1", "drop": ["Buy our map"]}],
    }
    assert rules["keep-1"]["tests"][0]["keep"] == ["Contact"]
    without = read_rules(write_rules_for(webclean.clean(PAGE), ["Contact"], [], "x.html"))
    assert without["keep-1"]["tests"][0]["url"] == "https://example.org/"
    with pytest.raises(InputError, match="no text block of the page holds 'Pepper'"):
        write_rules_for(page, ["Pepper"], [], "x.html")


def test_a_starter_has_the_content_the_largest_noise_and_a_title() -> None:
    page = webclean.clean(PAGE, url="https://www.river-map.com/1")
    text = write_starter(page, "rivers.html")
    assert "Switch a rule on" in text
    rules = read_rules(text)
    assert rules["content"]["when"] == {"selector": "#story"}
    assert rules["content"]["tests"] == [
        {"file": "rivers.html", "url": "https://www.river-map.com/1", "keep": [TEXT[:80]]}
    ]
    assert rules["noise"]["when"] == {"selector": "div.promo"}
    assert rules["title"]["action"] == {"title": "//h1"}
    assert not any(rule["enabled"] for rule in rules.values())


def test_a_page_without_text_has_a_starter_too() -> None:
    rules = read_rules(write_starter(webclean.clean("<body><div></div>"), "x.html"))
    assert rules["content"]["when"] == {"selector": "main"}
    assert rules["noise"]["when"] == {"selector": "aside"}
    assert rules["content"]["tests"] == [{"file": "x.html", "url": "https://example.org/", "keep": [""]}]
