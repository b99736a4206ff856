"""A site file tried on pages of a few words: how many pages its templates fit, and drift."""

from typing import Any

import msgspec
import pytest

import webclean
from webclean.page import Analysis
from webclean.rules import load_rules
from webclean.rules.rule_schema import Rule
from webclean.sites.site_rules import check_site

RULES = msgspec.structs.replace(load_rules().sites, drift_share=0.2)
TEXT = "The river rises in the hills, and it takes a long and winding way down to the sea, past eleven towns."


def make_rule(selector: str = "#story", pages: int | None = 8, **more: Any) -> Rule:
    learnt = {"learnt": {"pages": pages, "of": pages, "site_pages": 10}} if pages else {}
    when = {"page_contains": selector, "outside": selector}
    return msgspec.convert({"when": when, "action": {"points": -1.0}, "template": True, **learnt, **more}, Rule)


def analyse(names: str) -> list[Analysis]:
    """`s`: a page whose content is in #story, `o`: in #other."""
    ids = {"s": "story", "o": "other"}
    return [webclean.clean(f"<body><div id={ids[name]}><h1>Rivers</h1><p>{TEXT}</p></div>").analysis for name in names]


@pytest.mark.parametrize(
    ("rules", "share"),
    [
        ([make_rule(pages=3), make_rule(pages=4)], 0.7),
        ([make_rule(pages=8), make_rule(pages=4)], 1.0),
        ([make_rule(pages=3), make_rule(pages=None)], 1.0),
        ([make_rule(pages=3, template=False)], 0.0),
        ([], 0.0),
    ],
)
def test_expected_coverage_is_that_of_the_pages_learnt_from(rules: list[Rule], share: float) -> None:
    report = check_site([], {str(i): rule for i, rule in enumerate(rules)}, RULES)
    assert (report.expected, report.covered, report.n_pages) == (pytest.approx(share), 0.0, 0)


@pytest.mark.parametrize(("pages", "drifted"), [("sssss", False), ("ssss" + "o", False), ("sss" + "oo", True)])
def test_a_site_drifts_when_too_few_pages_have_a_template(pages: str, drifted: bool) -> None:
    report = check_site(analyse(pages), {"one": make_rule(pages=9)}, RULES)
    assert (report.n_pages, report.fits) == (5, {"one": pages.count("s")})
    assert (report.covered, report.expected, report.drifted) == (pages.count("s") / 5, 0.9, drifted)


def test_a_template_that_no_page_has_is_drift_and_other_rules_are_none() -> None:
    rules = {"other": make_rule("#other", 1), "story": make_rule(), "list": make_rule("p", template=False)}
    assert not check_site(analyse("sso"), rules, RULES).drifted
    report = check_site(analyse("sss"), rules, RULES)
    assert (report.fits, report.covered, report.drifted) == ({"other": 0, "story": 3}, 1.0, True)
    assert not check_site(analyse("oo"), {}, RULES).drifted
