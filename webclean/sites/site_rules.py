"""Cleaned pages of one site -> clusters -> a site rule file that the normal pipeline applies.

For each cluster that is large enough, the feature (id, else class, else path) with the largest total weight H is the
extraction rule (source D). Beyond the paper: texts that repeat are boilerplate, and so are places whose words repeat;
what varies on all pages of a template is content. Each rule states the number of pages that support it. A rule selects
an element: on a page without it, automatic cleaning decides.

No page is labelled, so whether rules help is measured by what learning itself takes for content: text that varies, at
places that (nearly) every page of the template has (`SiteRepeats.find_core`, with all that is known in the end). A
page's score is the F1, in words, of what is kept with that text. The rules of the site and of each template are tried
in turn, on top of those that passed; a group that lowers the mean score of the pages is left out.

    pages learnt   content block voted for   score without   with the template
    8              #story                    .71             .98    written
    8              the promotions            .71             .12    left out: the first votes knew nothing yet
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import msgspec

from webclean.decide import decide_blocks
from webclean.decide.rule_matches import match_rules
from webclean.page import Analysis
from webclean.rules.rule_schema import Rule
from webclean.rules.schema import Places, Sites
from webclean.sites.profiles import PageProfile, profile_page
from webclean.sites.site_pages import Cluster, Clustering, SiteRepeats, write_masked

_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*\Z")


@dataclass(frozen=True, slots=True)
class ExtractionRule:
    """Where the content of a cluster's pages is: a selector, and how many of the pages that voted support it."""

    selector: str
    n_pages: int
    of_pages: int


def learn_site(pages: Iterable[tuple[str, Analysis]], rules: Sites, trial: SiteTrial | None = None) -> Clustering:
    """Cluster pages, one at a time. `trial` is given the pages too."""
    clustering = Clustering(rules)
    for name, analysis in pages:
        page = profile_page(name, analysis)
        cluster = clustering.add(page)
        if trial is not None:
            trial.pages.append((cluster, page, analysis))
    return clustering


def choose_extraction_rule(cluster: Cluster, rules: Sites, others: Sequence[Cluster] = ()) -> ExtractionRule | None:
    """The features <id, class, path> with the largest total weight that enough pages support, applied in this order.

    The paper takes the largest total and its id wherever there is one. Here a page supports what it voted for and any
    block around that: short texts vote for the whole block, long ones for a part of it. Features that too few pages
    support, such as an id with the page's number, give way to the next, and so does a path that pages of `others`, the
    other clusters, have: `/html/body[1]/div[7]` is there on every page with twelve of them, and is another thing there.
    """
    tallied, n_voters = cluster.tally(rules)
    for best in sorted(tallied, key=lambda features: (-tallied[features].weight, features)):
        for number, kind in enumerate(("id", "class", "path")):
            value = best[number]
            votes = [
                vote
                for features, vote in tallied.items()
                if value and (features[number] == value or features[2].startswith(f"{best[2]}/"))
            ]
            n_pages = sum(vote.n_pages for vote in votes)
            # an id or class that other templates have is meant to be the same thing there; a path is so by chance
            founders = [other.founder for other in others] if kind == "path" else []
            is_own = not any(value in founder for founder in founders)
            if votes and is_own and n_pages >= rules.min_agreement * n_voters:
                selector = value
                if kind == "id":
                    selector = f"#{value}" if _PLAIN_NAME.match(value) else f"[id={_quote(value)}]"
                elif kind == "class":
                    names = value.split()
                    parts = (f".{name}" if _PLAIN_NAME.match(name) else f"[class~={_quote(name)}]" for name in names)
                    selector = "".join(parts)
                return ExtractionRule(selector, n_pages, n_voters)
    return None


def _quote(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@dataclass(frozen=True, slots=True)
class PlaceVerdict:
    """A place, the verdict on it and the number of pages that support it.

    kind: `repeated` or `varied`.
    """

    path: str
    kind: str
    n_pages: int


def judge_places(group: SiteRepeats, rules: Sites, *, is_template: bool = True) -> list[PlaceVerdict]:
    """Verdicts on the places that have the same kind of content on page after page.

    is_template: the pages share a template, so a place that varies on all of them is content.
    """
    places, found, lasting = rules.places, list[PlaceVerdict](), group.find_lasting(rules)
    for path, whole in sorted(group.places.items()):
        count = whole.leave_out(lasting[path].values()) if path in lasting else whole
        # the form of remarks tells what they are, on two pages
        n_least = 2 if count.is_remark else places.min_pages
        if count.n_pages < n_least or not count.n_words or len(path) > places.max_chars:
            continue
        kind = ""
        if is_template and count.is_remark and not group.is_core(count, rules):
            kind = "remarks"
        elif count.repeats(places):
            kind = "repeated"
        # entries of a list vary too; so does the offer of the day, outside of what holds title and content
        elif is_template and not count.is_listed(places) and 2 * count.n_beside <= count.n_pages:
            kind = "varied" if group.is_core(count, rules) and count.varies(places) else ""
        if kind:
            found.append(PlaceVerdict(path, kind, count.n_pages))
    return found


def write_site_rules(clustering: Clustering, rules: Sites) -> dict[str, Any]:
    """The `rules` section of a site file: plain values, ready for YAML."""
    found = find_templates(clustering, rules)
    own = [judge_places(cluster.repeats, rules) for _, cluster, _ in found]
    n_site = clustering.site.n_pages
    places = judge_places(clustering.site, rules, is_template=False)
    made = _write_places("site", clustering.site, n_site, places, rules.places)
    judged = {verdict.path for verdict in places}
    # of all templates: what selects the content block of one may be on the pages of another
    safe = sorted({verdict.path for verdicts in own for verdict in verdicts if verdict.kind == "varied"} - judged)
    for (name, cluster, template), verdicts in zip(found, own, strict=True):
        others = [verdict for verdict in verdicts if verdict.path not in judged]
        # against what is outside the content block, except at places that vary
        when: dict[str, Any] = {"page_contains": template.selector, "outside": template.selector}
        when |= {"other_path": safe} if safe else {}
        because = f"outside the content block of {template.n_pages} of {template.of_pages} pages of this site"
        n_pages = max(1, round(template.n_pages / template.of_pages * len(cluster.pages)))
        learnt = (n_pages, len(cluster.pages), n_site)
        made[name] = _write_rule(when, rules.outside_points, because, learnt, template=True)
        made |= _write_places(name, cluster.repeats, n_site, others, rules.places, template.selector)
        made |= _write_texts(name, cluster, others, rules, (template.selector, n_site))
    return made


def find_templates(clustering: Clustering, rules: Sites) -> list[tuple[str, Cluster, ExtractionRule]]:
    """Name, cluster and rule of each cluster that is large enough and agrees on a content block."""
    found = []
    large = [cluster for cluster in clustering.clusters if len(cluster.pages) >= rules.min_pages]
    large.sort(key=lambda cluster: -len(cluster.pages))
    for number, cluster in enumerate(large, start=1):
        rule = choose_extraction_rule(cluster, rules, [other for other in large if other is not cluster])
        if rule is not None:
            found.append((f"template-{number}", cluster, rule))
    return found


def _write_rule(
    when: Mapping[str, Any], points: float, because: str, learnt: tuple[int, int, int], **more: Any
) -> dict[str, Any]:
    """A learnt rule. learnt: the pages that support it, of how many, and those of the site."""
    of = dict(zip(("pages", "of", "site_pages"), learnt, strict=True))
    return {"when": {**when}, "action": {"points": points}, "because": because, **more, "learnt": of}


_MOST_PATTERN: Final = 980
"""Characters of the texts in an expression: a rule file may have no longer one (`rule_schema.Pattern`)."""


def _write_texts(
    name: str, cluster: Cluster, places: Sequence[PlaceVerdict], rules: Sites, of: tuple[str, int]
) -> dict[str, Any]:
    """Rules for the texts that all pages have at places that vary, such as a button beside a price; several where one
    expression cannot hold all. of: the selector of the template, and the pages of the site."""
    (selector, n_site), lasting = of, cluster.repeats.find_lasting(rules)
    texts = [(one.path, text) for one in places if one.kind == "varied" for text in sorted(lasting.get(one.path, ()))]
    # of a text that was cut the end is not known
    known = dict.fromkeys(write_masked(text) for _, text in texts if len(text) < rules.max_text_chars)
    parts: list[str] = []
    for text in (text for text in known if len(text) <= _MOST_PATTERN):
        if parts and len(parts[-1]) + len(text) < _MOST_PATTERN:
            parts[-1] += f"|{text}"
        else:
            parts.append(text)
    when = {"page_contains": selector, "path": list(dict.fromkeys(place for place, _ in texts))}
    because = "this text is on all pages, at a place that varies"
    learnt = (len(cluster.pages), len(cluster.pages), n_site)
    return {
        f"{name}-texts{f'-{number}' * (number > 1)}": _write_rule(
            when | {"text": f"^(?:{part})$"}, rules.outside_points, because, learnt
        )
        for number, part in enumerate(parts, start=1)
    }


_PLACES = {
    "repeated": "the words at this place repeat, on {n} of {of} pages of this site",
    "remarks": "what people say in turn stands here on {n} of {of} pages alone",
    "varied": "what stands at this place varies from page to page, on {n} of {of} pages of this site",
}
"""Verdict on a place -> the reason of its rule; its points are the setting of `sites.places` of that name."""


def _write_places(
    name: str,
    group: SiteRepeats,
    n_site: int,
    places: Sequence[PlaceVerdict],
    rules: Places,
    selector: str | None = None,
) -> dict[str, Any]:
    """A rule for the places of each verdict: of the site, or on the pages of a template, which have its selector."""
    made, when = dict[str, Any](), {"page_contains": selector} if selector else {}
    for kind, because in _PLACES.items():
        counts = [one.n_pages for one in places if one.kind == kind]
        if counts and (points := getattr(rules, f"{kind}_points")):
            paths, (low, high) = [one.path for one in places if one.kind == kind], (min(counts), max(counts))
            reason = because.format(n=low if low == high else f"{low} to {high}", of=group.n_pages)
            made[f"{name}-{kind}"] = _write_rule(when | {"path": paths}, points, reason, (low, high, n_site))
    return made


class SiteTrial:
    """The last pages that were learnt, `trial_pages` at most, for trying what was learnt on them."""

    def __init__(self, settings: Sites) -> None:
        self.settings = settings
        self.pages = deque[tuple[Cluster, PageProfile, Analysis]](maxlen=settings.trial_pages)

    def leave_out_harmful(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """The rules of the groups that lower no score; all of them where there are no pages to try them on."""
        passed: dict[str, Any] = {}
        for group in group_rules(rules):
            if not self.pages or self._score(passed | group) >= self._score(passed):
                passed |= group
        return passed

    def _score(self, rules: Mapping[str, Any]) -> float:
        made, scores = msgspec.convert(rules, dict[str, Rule]), []
        for cluster, page, analysis in self.pages:
            own = msgspec.structs.replace(analysis.rules, rules={**analysis.rules.rules, **made})
            matches = match_rules(analysis.columns, analysis.facts, own.rules)
            kept = decide_blocks(analysis.columns, own, analysis.classification.probabilities, matches).kept
            core, n_words = cluster.repeats.find_core(page, self.settings), page.n_words
            # F1, in words; 1 where both are empty
            both, either = float(n_words[core & kept].sum()), float(n_words[core].sum() + n_words[kept].sum())
            scores.append(2 * both / either if either else 1.0)
        return fmean(scores)


def group_rules(rules: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rules of the site, then of each template: `site-texts-90` is of `site`, `template-2` of `template-2`."""
    groups: dict[str, dict[str, Any]] = {}
    for name, rule in rules.items():
        first, *rest = name.split("-")
        groups.setdefault(first if first == "site" else f"{first}-{rest[0]}", {})[name] = rule
    return list(groups.values())
