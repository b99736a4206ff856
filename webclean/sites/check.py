"""A site rule file and pages of the site -> for each cluster its rule, how well it fits, and whether it has drifted.

A template rule fits a page if the page has the element that it selects. It has drifted if it fits too few pages of a
cluster; such pages are cleaned automatically, and learning again gives a rule for them. Agreement is the similarity of
the element's text to what automatic cleaning keeps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from webclean.decide.rule_matches import match_blocks
from webclean.matching.select import select_rows
from webclean.page import Analysis
from webclean.rules.rule_schema import Rule, When, as_tuple
from webclean.rules.sites_schema import Sites
from webclean.sites.clusters import Cluster, Clustering
from webclean.sites.site_rules import measure_f1, profile_analysis


@dataclass(frozen=True, slots=True)
class ClusterReport:
    """One cluster: its pages, the rule that fits most of them ('' for none), and how it fits.

    agreement: mean F1, in words, of the rule's element with what automatic cleaning keeps. drifted: the rule fails on
    more pages than `sites.drift_share` allows.
    """

    number: int
    n_pages: int
    rule: str
    n_fitting: int
    agreement: float
    drifted: bool


@dataclass(frozen=True, slots=True)
class SiteReport:
    """Clusters, the largest first; template rules that fit no page; texts listed as repeating, and those found again.

    covered: share of the pages that a template fits; expected: that share of the pages the rules were learnt from.
    uncovered: covered is so much lower that templates must be missing, as after a redesign of some pages.
    """

    clusters: list[ClusterReport]
    unused: list[str]
    n_texts: int
    n_texts_seen: int
    covered: float
    expected: float
    uncovered: bool

    @property
    def drifted(self) -> bool:
        return bool(self.unused) or self.uncovered or any(cluster.drifted for cluster in self.clusters)


def check_site(
    pages: Iterable[tuple[str, Analysis]], rules: Mapping[str, Rule], settings: Sites, clustering: Clustering
) -> SiteReport:
    """Try the rules of a site file on pages of the site, cleaned without that file. clustering: the pages are put
    into their clusters there."""
    # cluster -> rule -> agreement on each page where the rule finds its element
    fits: defaultdict[int, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    texts_seen: set[str] = set()
    n_covered = 0
    templates = {rule_id: rule for rule_id, rule in rules.items() if rule.template}
    for name, analysis in pages:
        own, columns = fits[id(clustering.add(profile_analysis(name, analysis)))], analysis.columns
        is_covered = False
        for rule_id, rule in templates.items():
            found = as_tuple(rule.when.page_contains)
            if found and all(len(select_rows(columns.document, item)) for item in found):
                is_covered = True
                inside = match_blocks(columns, When(selector=found))
                own[rule_id].append(measure_f1(columns.blocks.n_words, inside, analysis.decisions.kept))
        n_covered += is_covered
        texts_seen.update(columns.blocks.text)
    used = {rule_id for own in fits.values() for rule_id in own}
    texts = {text for rule in rules.values() for text in as_tuple(rule.when.exact_text)}
    covered, expected = n_covered / max(1, clustering.site.n_pages), expect_coverage(rules)
    clusters = enumerate(clustering.list_by_size(), start=1)
    return SiteReport(
        clusters=[_report_cluster(number, cluster, fits[id(cluster)], settings) for number, cluster in clusters],
        unused=[rule_id for rule_id in templates if rule_id not in used],
        n_texts=len(texts),
        n_texts_seen=len(texts & texts_seen),
        covered=covered,
        expected=expected,
        uncovered=covered < (1 - settings.drift_share) * expected,
    )


def _report_cluster(number: int, cluster: Cluster, fits: Mapping[str, list[float]], settings: Sites) -> ClusterReport:
    n_pages = len(cluster.pages)
    if not fits:
        return ClusterReport(number, n_pages, "", 0, 0.0, drifted=False)
    rule_id, fit = max(fits.items(), key=lambda item: (len(item[1]), sum(item[1])))
    # a few pages of a cluster may never have had the element, such as an error in the same frame
    drifted = len(fit) < (1 - settings.drift_share) * n_pages
    return ClusterReport(number, n_pages, rule_id, len(fit), sum(fit) / len(fit), drifted)


def expect_coverage(rules: Mapping[str, Rule]) -> float:
    """Share of the site's pages that were in clusters with a template when the rules were learnt.

    1 where rules do not say what they were learnt from, 0 without templates.
    """
    templates = [rule for rule in rules.values() if rule.template]
    shares = [rule.learnt.pages / rule.learnt.site_pages for rule in templates if rule.learnt]
    return min(1.0, sum(shares)) if len(shares) == len(templates) else 1.0
