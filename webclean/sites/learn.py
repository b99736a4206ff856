"""Pages of one site -> clusters -> a site rule file that the normal pipeline applies.

For each cluster that is large enough the feature with the largest total weight H is the extraction rule, in the order
id, class, path (source D). Past the paper: texts that repeat across the cluster's pages are boilerplate, and each rule
says on how many pages that was so. A rule names the element it looks for, so on a page without it nothing matches and
automatic cleaning takes over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from webclean.model import Document
from webclean.rules.sites_schema import Sites
from webclean.sites.clusters import Cluster, Clustering
from webclean.sites.profile import profile_page

_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*\Z")


@dataclass(frozen=True, slots=True)
class ExtractionRule:
    """Where the content of a cluster's pages is: a selector, and how many pages voted for it."""

    selector: str
    kind: str
    weight: float
    n_pages: int


def learn_site(pages: Iterable[tuple[str, Document]], rules: Sites, known: Clustering | None = None) -> Clustering:
    """Cluster pages, one at a time; with `known`, go on from what was learnt before."""
    clustering = known or Clustering(threshold=rules.similarity)
    for name, document in pages:
        clustering.add(profile_page(document, name, rules.alpha))
    return clustering


def choose_extraction_rule(cluster: Cluster, rules: Sites) -> ExtractionRule | None:
    """The feature that enough of the cluster's pages agree on: the best id, else class, else path."""
    for kind in ("id", "class", "path"):
        votes = [(weight, value) for (name, value), weight in cluster.votes.items() if name == kind]
        if not votes:
            continue
        weight, value = max(votes)
        n_pages = cluster.ballots[kind, value]
        if n_pages >= rules.min_agreement * len(cluster.pages):
            return ExtractionRule(_write_selector(kind, value), kind, float(weight), n_pages)
    return None


def _write_selector(kind: str, value: str) -> str:
    if kind == "path":
        return value
    if kind == "id":
        return f"#{value}" if _PLAIN_NAME.match(value) else f"[id={_quote(value)}]"
    return "".join(f".{name}" if _PLAIN_NAME.match(name) else f"[class~={_quote(name)}]" for name in value.split())


def _quote(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def find_repeated_texts(cluster: Cluster, rules: Sites) -> list[tuple[str, int]]:
    """(text, number of pages) of what repeats across the cluster, the most frequent first."""
    least = max(2, rules.repeated_share * len(cluster.pages))
    repeated = [
        (text, n) for text, n in cluster.texts.items() if n >= least and text and len(text) <= rules.max_text_chars
    ]
    return sorted(repeated, key=lambda item: (-item[1], item[0]))[: rules.max_repeated]


def write_site_rules(clustering: Clustering, rules: Sites) -> dict[str, Any]:
    """The `rules` section of a site file: plain values, ready for YAML."""
    made: dict[str, Any] = {}
    clusters = sorted(clustering.clusters, key=lambda cluster: -len(cluster.pages))
    for number, cluster in enumerate(clusters, start=1):
        if len(cluster.pages) >= rules.min_pages:
            made |= _write_template(f"template-{number}", cluster, rules)
            made |= _write_repeated(f"template-{number}-repeated", cluster, rules)
    return made


def _write_template(name: str, cluster: Cluster, rules: Sites) -> dict[str, Any]:
    rule = choose_extraction_rule(cluster, rules)
    if rule is None:
        return {}
    because = f"the content block of {rule.n_pages} of {len(cluster.pages)} pages of this site"
    return {
        name: {
            "when": {"selector": rule.selector},
            "action": {"points": rules.inside_points},
            "because": because,
        },
        f"{name}-outside": {
            "when": {"page_contains": rule.selector, "outside": rule.selector},
            "action": {"points": rules.outside_points},
            "because": f"outside {because}",
        },
    }


def _write_repeated(name: str, cluster: Cluster, rules: Sites) -> dict[str, Any]:
    by_count: defaultdict[int, list[str]] = defaultdict(list)
    for text, n in find_repeated_texts(cluster, rules):
        by_count[n].append(text)
    return {
        f"{name}-{n}": {
            "when": {"exact_text": texts},
            "action": {"points": rules.repeated_points},
            "because": f"this text is on {n} of {len(cluster.pages)} pages of this site",
        }
        for n, texts in by_count.items()
    }
