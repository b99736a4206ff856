"""A site file tried on pages: coverage, drift and agreement, on pages of a few words."""

from typing import Any

import msgspec
import pytest

import webclean
from webclean.cli.sites import format_report
from webclean.rules import load_rules
from webclean.rules.rule_schema import Rule
from webclean.sites.site_pages import Clustering
from webclean.sites.site_rules import ClusterReport, SiteReport, check_site, expect_coverage

RULES = msgspec.structs.replace(load_rules().sites, drift_share=0.2)
TEXT = "The river rises in the hills, and it takes a long and winding way down to the sea, past eleven towns."


def make_rule(selector: str = "#story", pages: int | None = 8, of_site: int = 10, **more: Any) -> Rule:
    learnt = {"learnt": {"pages": pages, "of": pages, "site_pages": of_site}} if pages else {}
    when = {"page_contains": selector, "outside": selector}
    return msgspec.convert({"when": when, "action": {"points": -1.0}, "template": True, **learnt, **more}, Rule)


def analyse(names: str) -> list[tuple[str, Any]]:
    """`s`: a page whose content is in #story, `o`: in #other."""
    pages = []
    for number, name in enumerate(names):
        element = {"s": "story", "o": "other"}[name]
        html = f"<body><div id={element}><h1>Rivers</h1><p>{TEXT}</p><p>{TEXT} {number}</p></div><p>Salt late</p>"
        pages.append((f"{name}{number}", webclean.clean(html).analysis))
    return pages


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
    assert expect_coverage({str(i): rule for i, rule in enumerate(rules)}) == pytest.approx(share)


def test_pages_that_fit_their_template() -> None:
    repeated = msgspec.convert({"when": {"exact_text": ["Salt late", "Pepper"]}, "action": {"points": -1.0}}, Rule)
    report = check_site(analyse("sssss"), {"one": make_rule(), "texts": repeated}, RULES, Clustering(RULES))
    (cluster,) = report.clusters
    assert (cluster.number, cluster.n_pages, cluster.rule, cluster.n_fitting) == (1, 5, "one", 5)
    assert cluster.agreement == pytest.approx(1.0, abs=0.05)
    assert (report.n_texts, report.n_texts_seen) == (2, 1)
    assert (report.covered, report.expected, report.uncovered, report.drifted) == (1.0, 0.8, False, False)
    assert report.unused == []


@pytest.mark.parametrize(
    ("pages", "drifted", "uncovered"),
    [("ssss" + "o", False, False), ("sss" + "oo", True, True), ("ssso", True, False), ("s", False, False)],
)
def test_a_rule_drifts_when_it_fails_on_more_than_its_share(pages: str, drifted: bool, uncovered: bool) -> None:
    report = check_site(analyse(pages), {"one": make_rule(pages=9)}, RULES, Clustering(RULES))
    assert report.clusters[0].drifted is drifted
    assert report.covered == pages.count("s") / len(pages)
    assert report.uncovered is uncovered
    assert report.drifted is (drifted or uncovered)


def test_the_rule_that_fits_most_pages_stands_for_a_cluster() -> None:
    rules = {
        "few": make_rule("#other"),
        "most": make_rule("#story"),
        "none": make_rule("#gone"),
        "list": make_rule("p"),
    }
    report = check_site(analyse("sso"), rules, RULES, Clustering(RULES))
    assert report.clusters[0].rule == "list"  # on all three pages
    assert report.unused == ["none"]
    assert report.drifted
    del rules["list"]
    report = check_site(analyse("sso"), rules, RULES, Clustering(RULES))
    assert (report.clusters[0].rule, report.clusters[0].n_fitting) == ("most", 2)


def test_pages_without_a_rule_are_no_drift() -> None:
    report = check_site(analyse("oo"), {}, RULES, Clustering(RULES))
    assert report.clusters == [ClusterReport(1, 2, "", 0, 0.0, drifted=False)]
    assert not report.drifted
    assert (report.covered, report.expected) == (0.0, 0.0)
    assert check_site([], {}, RULES, Clustering(RULES)).covered == 0.0


def test_a_report_is_a_table_and_what_no_longer_fits() -> None:
    clusters = [ClusterReport(1, 10, "one", 9, 0.876, drifted=False), ClusterReport(2, 3, "two", 1, 0.5, drifted=True)]
    clusters.append(ClusterReport(3, 1, "", 0, 0.0, drifted=False))
    report = SiteReport(clusters, ["gone"], 5, 4, 0.5, 0.8, uncovered=True)
    assert format_report(report).splitlines() == [
        "cluster   pages    fits  agreement  rule",
        "      1      10       9       0.88  one",
        "      2       3       1       0.50  two  DRIFT: automatic cleaning takes over on the others",
        "      3       1       0             none: automatic cleaning",
        "DRIFT: gone fits no page: automatic cleaning takes over",
        "DRIFT: a template fits 50% of the pages, 80% when it was learnt: learn again",
        "repeated texts: 4 of 5 seen again",
    ]
