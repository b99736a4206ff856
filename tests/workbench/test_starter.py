"""Rules to start a site with, made of one page."""

from typing import Any

import pytest
import yaml

import webclean
from webclean.errors import InputError
from webclean.rules import load_rules
from webclean.workbench.starter import explain_generated, name_site, write_rules_for

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
    page = webclean.clean(html)
    made = write_rules_for(page, [text], [], "page.html").text or write_rules_for(page, [], [text], "page.html").text
    (rule,) = read_rules(made).values()
    return str(rule["when"]["selector"])


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


@pytest.mark.parametrize(("n_others", "selector"), [(2, "#all"), (3, "/html"), (8, "/html")])
def test_an_element_around_many_other_texts_is_not_taken_for_the_text(n_others: int, selector: str) -> None:
    others = "".join(f"<p>Other text number {i}.</p>" for i in range(n_others))
    assert select(f"<body><div id=all>{others}<p>This text alone.</p></div>", "This text").startswith(selector)


def test_each_text_has_a_rule_with_a_test() -> None:
    page = webclean.clean(PAGE, url="https://www.river-map.com/1")
    text = write_rules_for(page, ["Contact"], ["takes a long", "Twice."], "rivers.html").text
    assert text.startswith("# Rules for river-map.com, started from one page. Say why in `because`.\n")
    rules = read_rules(text)
    assert list(rules) == ["keep-1", "drop-2", "drop-3"]
    assert rules["drop-2"] == {
        "description": f"drops 3 of the {len(page.analysis.columns.blocks)} texts of this page",
        "when": {"selector": "#story"},
        "action": "drop",
        "because": "say why",
        "tests": [{"file": "rivers.html", "url": "https://www.river-map.com/1", "drop": ["takes a long"]}],
    }
    assert rules["keep-1"]["tests"][0]["keep"] == ["Contact"]
    without = read_rules(write_rules_for(webclean.clean(PAGE), ["Contact"], [], "x.html").text)
    assert without["keep-1"]["tests"][0]["url"] == "https://example.org/"
    with pytest.raises(InputError, match="no text block of the page holds 'Pepper'"):
        write_rules_for(page, ["Pepper"], [], "x.html")


def test_of_several_blocks_with_a_text_the_first_that_is_not_as_wanted_counts() -> None:
    html = PAGE.replace("Contact", "Contact Twice.").replace("Buy our map", "Twice. Buy our map")
    page = webclean.clean(html)
    texts, kept = page.analysis.columns.blocks.text, page.analysis.decisions.kept
    assert [is_kept for text, is_kept in zip(texts, kept, strict=True) if "Twice." in text] == [True, False, False]
    assert read_rules(write_rules_for(page, [], ["Twice."], "x.html").text)["drop-1"]["when"] == {"selector": "#story"}
    assert write_rules_for(page, ["Twice."], [], "x.html").text == ""
    dropped = webclean.clean(html.replace(" Twice.</p></div>", "</p></div>"))
    made = write_rules_for(dropped, ["Twice."], [], "x.html")
    assert read_rules(made.text)["keep-1"]["when"] == {"selector": "div.promo"}
    assert made.remarks == (
        "'Twice.' stands in 2 texts of the page that are not kept: the rule is for the first; quote more words to "
        "mean another",
    )


def test_a_type_becomes_a_rule_with_a_test() -> None:
    page = webclean.clean(PAGE, url="https://www.river-map.com/1", page_subtype="documentation")
    made = write_rules_for(page, ["Contact"], [], "rivers.html", "documentation")
    rules = read_rules(made.text)
    assert list(rules) == ["page-type", "keep-2"]
    assert (rules["page-type"]["when"], rules["page-type"]["action"]) == (
        {"page_contains": "#story"},
        {"page_type": "documentation"},
    )
    assert rules["page-type"]["tests"][0]["page_type"] == "documentation"


HASHED = PAGE.replace("id=story", 'id=sc-1xk2p9 class="css-1q2w3e story"').replace('"9x promo"', '"_1obkpk73"')


def test_names_that_a_build_makes_are_passed_over_and_told() -> None:
    page = webclean.clean(HASHED, url="https://www.river-map.com/1")
    story = write_rules_for(page, [], ["takes a long"], "x.html").text
    assert read_rules(story)["drop-1"]["when"] == {"selector": "div.story"}
    assert (
        "# drop-1 passes over #sc-1xk2p9 (letters and digits mixed), div.css-1q2w3e (letters and digits mixed): "
        "a build or page makes such names anew.\n"
    ) in story
    promo = write_rules_for(page, ["Buy our map"], [], "x.html").text
    assert read_rules(promo)["keep-1"]["when"] == {"selector": "/html/body[1]/div[2]/p[1]"}
    assert "keep-1 passes over div._1obkpk73 (letters and digits mixed)" in promo
    assert "Its path is not lasting either: look for a better place.\n" in promo
    footer = write_rules_for(page, ["Contact"], [], "x.html").text
    assert "passes over" not in footer


def test_a_tag_that_other_pages_have_often_is_no_name() -> None:
    html = f'<main><div class="css-1q2w3e"><p>{TEXT}</p></div></main><footer><p>Contact</p></footer>'
    assert select(html, "takes a long") == "main"
    assert select(html.replace("main", "td"), "takes a long").startswith("/html")


LIMITS = load_rules().generated_names


NAMES = """entry-content col-md-8 h2title step2go isHtml5Video backToTop goToTop navBarTop html5 sc-button css-grid mt-4
top100 post-184 article__body nytimes mw-parser-output btnlg 文章内容 überschrift xs12 2col a1b2 - 123 rhythm"""
"""Names that people write, which last."""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("_1obkpk73", "letters and digits mixed"),
        ("css-1q2w3e", "letters and digits mixed"),
        ("Header_title__1a2B3", "letters and digits mixed"),
        ("styles__Title-sc-1xk2p9-0", "letters and digits mixed"),
        ("svelte-1tky8bj", "letters and digits mixed"),
        ("astro-J7PV25F6", "letters and digits mixed"),
        ("sc-abc123", "no word after 'sc'"),
        ("CSS-aBc", "no word after 'css'"),
        ("sc-bdVaJa", "capitals at random"),
        ("kYRdUX", "capitals at random"),
        ("jsx-3847562910", "a number of 10 digits"),
        ("post-1844", "a number of 4 digits"),
        ("ember1234", "a number of 4 digits"),
        ("jss123", "no vowel"),
        ("XKCDFG", "no vowel"),
        *((name, "") for name in ("", *NAMES.split())),
    ],
)
def test_generated_names_are_told_with_what_shows_it(name: str, reason: str) -> None:
    assert explain_generated(name, LIMITS) == reason
