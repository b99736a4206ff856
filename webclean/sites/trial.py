"""Learnt rules and pages of the site -> the rules that help its own pages.

No page is labelled, so the measure is what learning itself takes for content: text that varies, at places that
(nearly) every page of the template has (`SiteRepeats.find_core`, with all that is known in the end). A page's score is
the F1, in words, of what is kept with that text. The rules of the site and of each template are tried in turn, on top
of those that passed; a group that lowers the mean score of the pages is left out.

    pages learnt   content block voted for   score without   with the template
    8              #story                    .71             .98    written
    8              the promotions            .71             .12    left out: the first votes knew nothing yet
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import msgspec
import numpy as np

from webclean.decide import decide_blocks
from webclean.decide.rule_matches import match_rules
from webclean.model import Mask, Rows
from webclean.page import Analysis
from webclean.rules.rule_schema import Rule
from webclean.rules.sites_schema import Sites
from webclean.sites.clusters import Cluster
from webclean.sites.pages import PageProfile


@dataclass(frozen=True, slots=True)
class SiteTrial:
    """The last pages that were learnt, `trial_pages` at most, for trying what was learnt on them."""

    settings: Sites
    pages: deque[tuple[Cluster, PageProfile, Analysis]] = field(default_factory=deque)

    def add(self, cluster: Cluster, page: PageProfile, analysis: Analysis) -> None:
        """Keep a page, and let the oldest go that is one too many."""
        self.pages.append((cluster, page, analysis))
        if len(self.pages) > self.settings.trial_pages:
            self.pages.popleft()

    def leave_out_harmful(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """The rules of the groups that lower no score; all of them where there are no pages to try them on."""
        passed: dict[str, Any] = {}
        for group in group_rules(rules):
            if not self.pages or self._score(passed | group) >= self._score(passed):
                passed |= group
        return passed

    def _score(self, rules: Mapping[str, Any]) -> float:
        made = msgspec.convert(rules, dict[str, Rule])
        return fmean(
            measure_f1(page.n_words, cluster.repeats.find_core(page, self.settings), decide_with(analysis, made))
            for cluster, page, analysis in self.pages
        )


def group_rules(rules: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rules of the site, then of each template: `site-texts-90` is of `site`, `template-2` of `template-2`."""
    groups: dict[str, dict[str, Any]] = {}
    for name, rule in rules.items():
        first, *rest = name.split("-")
        groups.setdefault(first if first == "site" else f"{first}-{rest[0]}", {})[name] = rule
    return list(groups.values())


def decide_with(analysis: Analysis, rules: Mapping[str, Rule]) -> Mask:
    """bool [n_blocks]: what is kept of a cleaned page under further rules."""
    own = msgspec.structs.replace(analysis.rules, rules={**analysis.rules.rules, **rules})
    matches = match_rules(analysis.columns, analysis.facts, own.rules)
    return decide_blocks(analysis.columns, own, analysis.classification.probabilities, matches).kept


def measure_f1(n_words: Rows, one: Mask, other: Mask) -> float:
    """F1, in words, of two choices of the text blocks of a page; 1 where both are empty."""
    both, either = float(np.sum(n_words[one & other])), float(np.sum(n_words[one]) + np.sum(n_words[other]))
    return 2 * both / either if either else 1.0
