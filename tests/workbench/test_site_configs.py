"""Converting ftr-site-config files."""

import msgspec

from webclean.checks import find_unusable
from webclean.rules.rule_schema import Rule
from webclean.workbench.starter import BODY_POINTS, convert_site_config

CONFIG = """# a comment
title: //h1[@class='headline']
body: //div[@id='story']
body: //article
author: substring-after(//p[@class='by'], 'By ')
date: //time/@datetime
strip: //aside
strip_id_or_class: share-
strip_image_src: /pixel
prune: no
tidy: no
next_page_link: //a[@rel='next']/@href
single_page_link: //a[@class='all']/@href
if_page_contains: //div[@class='pager']
find_string: <br /><br />
replace_string: <p>
replace_string(<noscript>): <div>
http_header(user-agent): PHP/5.2
strange line
test_url: https://example.org/a
"""


def test_each_kind_of_line_becomes_a_rule_that_is_valid() -> None:
    made = convert_site_config(CONFIG)
    rules = msgspec.convert(made.rules, dict[str, Rule])
    assert list(find_unusable({"rules": made.rules})) == []
    assert rules["body-1"].action == "keep"
    assert rules["body-2"].when.page_lacks == "//div[@id='story']"
    assert rules["outside-body-2"].when.outside == "//article"
    assert rules["strip"].when.selector == ("//aside", "//*[contains(@class, 'share-') or contains(@id, 'share-')]")
    assert rules["title-1"].effect.title == "//h1[@class='headline']"
    assert rules["single-page-1"].when.page_contains == "//div[@class='pager']"
    replacements = {rule.effect.replace.find: rule.effect.replace.by for rule in rules.values() if rule.effect.replace}
    assert replacements == {"<br /><br />": "<p>", "<noscript>": "<div>"}
    assert rules["strip-image-1"].effect.drop_images
    assert rules["strip-image-1"].when.selector == "//img[contains(@src, '/pixel')]"
    assert made.test_urls == ["https://example.org/a"]


def test_what_cannot_be_said_is_reported_with_its_line() -> None:
    assert [(line, text) for line, text, _ in convert_site_config(CONFIG).left_out] == [
        (18, "http_header: PHP/5.2"),
        (19, "strange line"),
    ]


def test_replacements_without_a_pair_are_reported() -> None:
    one_more = "find_string: a\nfind_string: b\nreplace_string: c\n"
    assert convert_site_config(one_more).left_out == [
        (2, "find_string: b", "find_string and replace_string go in pairs")
    ]
    made = convert_site_config("replace_string: c\nreplace_string: d\nfind_string: a\n")
    assert [(line, text) for line, text, _ in made.left_out] == [(2, "replace_string: d")]
    assert made.rules == {"replace-1": {"action": {"replace": {"find": "a", "by": "c"}}}}


def test_conditions_are_those_of_links_alone() -> None:
    link, title = "next_page_link: //a[@rel='next']/@href\n", "title: //h1\n"
    assert "when" not in convert_site_config(link).rules["next-page-1"]
    made = convert_site_config(f"{title}{link}if_page_contains: //nav\n").rules
    assert made["next-page-1"]["when"] == {"page_contains": "//nav"}
    assert "when" not in made["title-1"]


def test_without_prune_no_the_body_is_favoured_not_forced() -> None:
    rules = convert_site_config("body: //article").rules
    assert rules["body-1"]["action"] == {"points": BODY_POINTS}


def test_nothing_raises_on_nonsense() -> None:
    assert convert_site_config("\x00:\n:::\nbody\n\ufeff").rules == {}
