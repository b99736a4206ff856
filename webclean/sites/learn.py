"""Cleaned pages of one site -> clusters -> a site rule file that the normal pipeline applies.

For each cluster that is large enough, the feature (id, else class, else path) with the largest total weight H is the
extraction rule (source D). Beyond the paper: texts that repeat are boilerplate, and so are places whose words repeat; a
place where automatic cleaning almost always decides the same way gets a rule for that decision. Each rule states the
number of pages that support it. A rule selects an element: on a page without it, automatic cleaning decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from webclean.page import Analysis
from webclean.rules.sites_schema import Places, RepeatedTexts, Sites
from webclean.sites.clusters import Cluster, Clustering
from webclean.sites.profile import PageProfile, profile_page
from webclean.sites.repeats import PlaceCount, SiteRepeats, is_digest

_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*\Z")


@dataclass(frozen=True, slots=True)
class ExtractionRule:
    """Where the content of a cluster's pages is: a selector, and how many pages voted for it."""

    selector: str
    kind: str
    weight: float
    n_pages: int


def learn_site(pages: Iterable[tuple[str, Analysis]], rules: Sites, known: Clustering | None = None) -> Clustering:
    """Cluster pages, one at a time; with `known`, go on from what was learnt before."""
    clustering = known or Clustering(rules)
    for name, analysis in pages:
        clustering.add(profile_analysis(name, analysis))
    return clustering


def profile_analysis(name: str, analysis: Analysis) -> PageProfile:
    """The profile of a cleaned page."""
    columns = analysis.columns
    return profile_page(columns.document, columns.blocks, analysis.decisions.kept, name)


def choose_extraction_rule(cluster: Cluster, rules: Sites) -> ExtractionRule | None:
    """The feature that enough pages of the cluster voted for: the best id, else the best class, else the best path."""
    for kind in ("id", "class", "path"):
        votes = [(vote.weight, value, vote.n_pages) for (name, value), vote in cluster.votes.items() if name == kind]
        if not votes:
            continue
        weight, value, n_pages = max(votes)
        if n_pages >= rules.min_agreement * len(cluster.pages):
            return ExtractionRule(_write_selector(kind, value), kind, weight, n_pages)
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


def find_repeated_texts(repeats: SiteRepeats, rules: RepeatedTexts) -> list[tuple[str, int]]:
    """(text, number of pages) of the texts that repeat in a group of pages, the most frequent first."""
    least = max(rules.min_pages, rules.share * repeats.n_pages)
    repeated = [
        (text, count.n_pages)
        for text, count in repeats.texts.items()
        if count.n_pages >= least and not is_digest(text) and count.n_words >= rules.min_words
    ]
    return sorted(repeated, key=lambda item: (-item[1], item[0]))[: rules.max_texts]


@dataclass(frozen=True, slots=True)
class PlaceVerdict:
    """A place, the verdict on it (`repeated`, `dropped`, `kept`) and the number of pages that support it."""

    path: str
    kind: str
    n_pages: int
    of_pages: int


def judge_places(repeats: SiteRepeats, rules: Places) -> list[PlaceVerdict]:
    """Verdicts on the places that have the same kind of content on page after page."""
    judged = (
        _judge_place(path, count, rules)
        for path, count in sorted(repeats.places.items())
        if count.n_pages >= rules.min_pages and count.n_words and len(path) <= rules.max_chars
    )
    return [verdict for verdict in judged if verdict is not None]


def _judge_place(path: str, count: PlaceCount, rules: Places) -> PlaceVerdict | None:
    if count.n_later and count.n_repeated >= rules.repeated_share * count.n_later:
        return PlaceVerdict(path, "repeated", count.n_pages, count.n_pages)
    if count.n_kept <= rules.dropped_share * count.n_words:
        return PlaceVerdict(path, "dropped", count.n_pages - count.n_kept_pages, count.n_pages)
    if count.n_kept >= rules.kept_share * count.n_words:
        return PlaceVerdict(path, "kept", count.n_kept_pages, count.n_pages)
    return None


def write_site_rules(clustering: Clustering, rules: Sites) -> dict[str, Any]:
    """The `rules` section of a site file: plain values, ready for YAML."""
    texts = find_repeated_texts(clustering.site, rules.texts)
    places = judge_places(clustering.site, rules.places)
    n_site = clustering.site.n_pages
    made = _write_texts("site", clustering.site, texts, rules.texts, n_site)
    made |= _write_places("site", clustering.site, places, rules.places, n_site)
    known = {text for text, _ in texts}
    judged = {verdict.path for verdict in places}
    for number, cluster in enumerate(clustering.list_by_size(), start=1):
        if len(cluster.pages) < rules.min_pages:
            break
        name = f"template-{number}"
        template = choose_extraction_rule(cluster, rules)
        if template is not None:
            made |= _write_template(name, cluster, template, rules, n_site)
            more = [item for item in find_repeated_texts(cluster.repeats, rules.texts) if item[0] not in known]
            made |= _write_texts(name, cluster.repeats, more, rules.texts, n_site, template.selector)
            own = [item for item in judge_places(cluster.repeats, rules.places) if item.path not in judged]
            made |= _write_places(name, cluster.repeats, own, rules.places, n_site, template.selector)
    return made


def _write_template(name: str, cluster: Cluster, rule: ExtractionRule, rules: Sites, n_site: int) -> dict[str, Any]:
    because = f"the content block of {rule.n_pages} of {len(cluster.pages)} pages of this site"
    return {
        name: {
            "when": {"page_contains": rule.selector, "outside": rule.selector},
            "action": {"points": rules.outside_points},
            "because": f"outside {because}",
            "template": True,
            "learnt": {"pages": rule.n_pages, "of": len(cluster.pages), "site_pages": n_site},
        }
    }


def _write_texts(
    name: str,
    repeats: SiteRepeats,
    texts: list[tuple[str, int]],
    rules: RepeatedTexts,
    n_site: int,
    selector: str | None = None,
) -> dict[str, Any]:
    """Rules for texts, grouped by how many tenths of the pages have them: at most ten rules, not thousands."""
    bands: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for text, n in texts:
        bands[10 * n // repeats.n_pages].append((text, n))
    return {
        f"{name}-texts-{10 * band}": {
            "when": _on_pages_with(selector) | {"exact_text": [text for text, _ in members]},
            "action": {"points": rules.points},
            "because": f"this text is on {_span([n for _, n in members])} of {repeats.n_pages} pages of this site",
            "learnt": {"pages": min(n for _, n in members), "of": repeats.n_pages, "site_pages": n_site},
        }
        for band, members in bands.items()
    }


def _write_places(
    name: str,
    repeats: SiteRepeats,
    places: list[PlaceVerdict],
    rules: Places,
    n_site: int,
    selector: str | None = None,
) -> dict[str, Any]:
    points = {"repeated": rules.repeated_points, "dropped": rules.dropped_points, "kept": rules.kept_points}
    reasons = {
        "repeated": "the words at this place repeat, on {n} of {of} pages of this site",
        "dropped": "dropped on {n} of {of} pages of this site that have this place",
        "kept": "kept on {n} of {of} pages of this site that have this place",
    }
    bands: defaultdict[tuple[str, int], list[PlaceVerdict]] = defaultdict(list)
    for verdict in places:
        if points[verdict.kind]:
            bands[verdict.kind, 10 * verdict.of_pages // repeats.n_pages].append(verdict)
    made: dict[str, Any] = {}
    for (kind, band), members in sorted(bands.items(), key=lambda item: (item[0][0], -item[0][1])):
        of = repeats.n_pages if kind == "repeated" else _span([verdict.of_pages for verdict in members])
        made[f"{name}-{kind}-{10 * band}"] = {
            "when": _on_pages_with(selector) | {"path": [verdict.path for verdict in members]},
            "action": {"points": points[kind]},
            "because": reasons[kind].format(n=_span([verdict.n_pages for verdict in members]), of=of),
            "learnt": {
                "pages": min(verdict.n_pages for verdict in members),
                "of": max(verdict.of_pages for verdict in members),
                "site_pages": n_site,
            },
        }
    return made


def _on_pages_with(selector: str | None) -> dict[str, Any]:
    return {} if selector is None else {"page_contains": selector}


def _span(counts: list[int]) -> str:
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}"
