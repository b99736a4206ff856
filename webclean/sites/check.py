"""A site rule file and pages of the site -> for each cluster its rule, how well it fits, and whether it has drifted.

A template rule fits a page if the page has the element that it selects. It has drifted if it fits too few pages of a
cluster; such pages are cleaned automatically, and learning again gives a rule for them. Agreement is the similarity of
the element's text to what automatic cleaning keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from webclean.decide.rule_matches import match_blocks
from webclean.matching.select import select_rows
from webclean.page import Analysis
from webclean.rules.rule_schema import Rule, When, as_tuple
from webclean.rules.sites_schema import Sites
from webclean.sites.clusters import Cluster, Clustering
from webclean.sites.site_rules import measure_f1, profile_analysis


@dataclass(slots=True)
class RuleFit:
    """Pages of one cluster on which a template rule found its element, and the sum of their agreements (F1, 0..1)."""

    n_pages: int = 0
    agreement: float = 0.0


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


@dataclass(slots=True)
class SiteCheck:
    """Checks a site file against pages, which are added one at a time."""

    rules: Mapping[str, Rule]
    settings: Sites
    clustering: Clustering = field(init=False)
    fits: dict[int, dict[str, RuleFit]] = field(default_factory=dict)
    texts_seen: set[str] = field(default_factory=set)
    n_covered: int = 0

    def __post_init__(self) -> None:
        self.clustering = Clustering(self.settings)

    def add(self, name: str, analysis: Analysis) -> None:
        """Put a page into its cluster and try every template rule on it."""
        cluster = self.clustering.add(profile_analysis(name, analysis))
        fits = self.fits.setdefault(id(cluster), {})
        document = analysis.columns.document
        is_covered = False
        for rule_id, rule in self.rules.items():
            found = as_tuple(rule.when.page_contains)
            if rule.template and found and all(len(select_rows(document, item)) for item in found):
                fit = fits.setdefault(rule_id, RuleFit())
                is_covered = True
                fit.n_pages += 1
                inside = match_blocks(analysis.columns, When(selector=found))
                fit.agreement += measure_f1(analysis.columns.blocks.n_words, inside, analysis.decisions.kept)
        self.n_covered += is_covered
        self.texts_seen.update(analysis.columns.blocks.text)

    def report(self) -> SiteReport:
        """The report on the pages added so far."""
        used = {rule_id for fits in self.fits.values() for rule_id in fits}
        texts = {text for rule in self.rules.values() for text in as_tuple(rule.when.exact_text)}
        covered = self.n_covered / max(1, self.clustering.site.n_pages)
        expected = expect_coverage(self.rules)
        return SiteReport(
            clusters=[
                self._report_cluster(number, cluster)
                for number, cluster in enumerate(self.clustering.list_by_size(), start=1)
            ],
            unused=[rule_id for rule_id, rule in self.rules.items() if rule.template and rule_id not in used],
            n_texts=len(texts),
            n_texts_seen=len(texts & self.texts_seen),
            covered=covered,
            expected=expected,
            uncovered=covered < (1 - self.settings.drift_share) * expected,
        )

    def _report_cluster(self, number: int, cluster: Cluster) -> ClusterReport:
        fits = self.fits.get(id(cluster), {})
        n_pages = len(cluster.pages)
        if not fits:
            return ClusterReport(number, n_pages, "", 0, 0.0, drifted=False)
        rule_id, fit = max(fits.items(), key=lambda item: (item[1].n_pages, item[1].agreement))
        # a few pages of a cluster may never have had the element, such as an error in the same frame
        drifted = fit.n_pages < (1 - self.settings.drift_share) * n_pages
        return ClusterReport(number, n_pages, rule_id, fit.n_pages, fit.agreement / fit.n_pages, drifted)


def check_site(pages: Iterable[tuple[str, Analysis]], rules: Mapping[str, Rule], settings: Sites) -> SiteCheck:
    """Try the rules of a site file on pages of the site, cleaned without that file."""
    check = SiteCheck(rules, settings)
    for name, analysis in pages:
        check.add(name, analysis)
    return check


def expect_coverage(rules: Mapping[str, Rule]) -> float:
    """Share of the site's pages that were in clusters with a template when the rules were learnt.

    1 where rules do not say what they were learnt from, 0 without templates.
    """
    templates = [rule for rule in rules.values() if rule.template]
    shares = [rule.learnt.pages / rule.learnt.site_pages for rule in templates if rule.learnt]
    return min(1.0, sum(shares)) if len(shares) == len(templates) else 1.0
