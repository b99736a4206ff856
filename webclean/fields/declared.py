"""Fields that a page declares of itself, in its head or by the relation of a link; what kind of page it says it is; and
fields that selectors of the rules give, which override all other sources.

Each field is a list of (value, source) in the order in which sources are trusted: the first is the value, the others
are alternatives. What links say is read as HTML (4.6.7) and RFC 6596 (`rel=canonical`) define it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from webclean.features.links import OTHER_SITE, find_links
from webclean.fields.candidates import MAX_ALTERNATIVES
from webclean.fields.json_ld import Thing
from webclean.fields.scan import FinderSet, compile_finders
from webclean.fields.statements import PageStatements
from webclean.fields.title import fold_text, split_title
from webclean.matching.conditions import PageFacts, holds_for_page
from webclean.matching.select import select_strings, select_urls
from webclean.model import Alternate, Document, FieldValue, FieldValues
from webclean.parse import read_attribute
from webclean.parse.controls import drop_controls
from webclean.parse.url import find_host, find_registered_domain_of_host
from webclean.rules import RuleSet
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.fields_schema import FieldRules, LinkedPageRules
from webclean.rules.rule_schema import When


def rank_values(found: Sequence[tuple[str, str]], confidence: float) -> FieldValue:
    """The first value that is not empty; different values are alternatives. If sources agree, confidence is higher."""
    values: list[str] = []
    sources: dict[str, str] = {}
    for text, source in found:
        if value := " ".join(text.split()):
            values.append(value)
            sources.setdefault(value, source)
    if not values:
        return FieldValue(None)
    (best, source), *others = sources.items()
    # each source that agrees halves the doubt
    sure = 1 - (1 - confidence) * 0.5 ** (values.count(best) - 1)
    return FieldValue(best, source, sure, tuple(others[:MAX_ALTERNATIVES]))


Stated = list[tuple[str, str]]
"""(value, source), the most trusted first."""


def read_metas(statements: PageStatements, names: Sequence[str]) -> Stated:
    """What the meta elements of some names say."""
    return [(text, f"meta {name}") for name, text in statements.read_meta(names)]


def _read_things(statements: PageStatements, key: str, may: Callable[[Thing], bool]) -> Stated:
    """The first string of a key in each object of JSON-LD that may say it."""
    return [(text, f"json-ld {key}") for thing in statements.things if may(thing) for text in thing.texts(key)[:1]]


def find_description(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """The first meta element in the order of the rules, then JSON-LD of the page's own subject."""
    found = read_metas(statements, rules.description.metas)
    # deeper objects, and those that other keys lead to, describe the publisher, a video or a product of a list
    found += _read_things(
        statements,
        "description",
        lambda thing: thing.depth < 2 and thing.role not in rules.title.reference_roles,
    )
    return rank_values(found, rules.description.confidence)


_MAX_ALTERNATES: Final = 200
"""A page in all languages of the web has a hundred, each perhaps for two countries."""


def find_alternates(statements: PageStatements) -> tuple[Alternate, ...]:
    """Every `rel=alternate` and `rel=amphtml` link, each URL once."""
    found: dict[str, Alternate] = {}
    for link in statements.links:
        # `alternate stylesheet` is another look of this page
        if link.url and ("alternate" in link.rel or "amphtml" in link.rel) and "stylesheet" not in link.rel:
            kind = "amp" if "amphtml" in link.rel else ""
            found.setdefault(link.url, Alternate(link.url, link.language, link.media_type, link.title or kind))
    return tuple(found.values())[:_MAX_ALTERNATES]


def find_canonical(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """The address that the page wants to be known by, absolute if the page names a base or its own URL is known."""
    found = [(link.url, "link canonical") for link in statements.links if "canonical" in link.rel]
    stated = read_metas(statements, rules.canonical.metas)
    stated += _read_things(
        statements, "mainEntityOfPage", lambda thing: thing.depth < 2 and thing.role in ("", "@graph")
    )
    found += [(statements.absolute(text), source) for text, source in stated]
    # the page's own address comes last: without any statement it is the best that is known
    url = (statements.document.url or "").partition("#")[0]
    # some pages write an id or a bare word into og:url
    known = [(value, source) for value, source in found if value.startswith(("http://", "https://", "/"))]
    return rank_values([*known, (url, "url")], rules.canonical.confidence)


_SPLIT: Final = re.compile(r"\s*[,;、，；|]\s*")
_MAX_KEYWORDS: Final = 50
"""More are written for search engines, not about the page."""


def find_keywords(statements: PageStatements, rules: FieldRules) -> FieldValues:
    """Every keyword once, in the order of the sources; `source` names the first source."""
    found: dict[str, str] = {}
    stated = read_metas(statements, rules.keywords.metas)
    own = [thing for thing in statements.things if thing.depth < 2]
    stated += [(text, "json-ld keywords") for thing in own for text in thing.texts("keywords")]
    for text, source in stated:
        for word in _SPLIT.split(text):
            found.setdefault(word, source)
    for link in statements.links:
        if "tag" in link.rel:
            found.setdefault(statements.read_text(link.row).lstrip("#"), "link tag")
    # one letter is no keyword but what a comma too many leaves
    kept = [word for word in found if 1 < len(word) <= rules.keywords.max_chars][:_MAX_KEYWORDS]
    return FieldValues(tuple(kept), found[kept[0]] if kept else "", rules.keywords.confidence if kept else 0.0)


def find_licence(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """URL of the licence, or its text where no URL is given."""
    found = [(link.url, "link license") for link in statements.links if "license" in link.rel]
    found += _read_things(statements, "license", lambda thing: thing.depth < 2)
    found += read_metas(statements, rules.licence.metas)
    if not found and rules.licence.hosts:
        links = find_links(statements.columns)
        # a page of the site that hosts the deeds links to its own; without an address no link is known to be another's
        is_other = links.kind == OTHER_SITE if statements.document.url else np.ones(len(links.row), dtype=bool)
        targets = [links.distinct[number] for number in links.number[is_other].tolist()]
        joined = "\n".join(targets).lower()  # asked first, for hardly a page has a deed
        hosts = [host for host in map(str.lower, rules.licence.hosts) if host in joined]
        deeds = [target for target in targets if any(host in target.lower() for host in hosts)] if hosts else []
        found = [(statements.absolute(target), "link") for target in deeds]
    return rank_values(found, rules.licence.confidence)


def find_section(statements: PageStatements, rules: FieldRules, title: str | None) -> FieldValue:
    """The first source in order."""
    found = read_metas(statements, rules.section.metas)
    found += _read_things(statements, "articleSection", lambda thing: True)
    own = fold_text(title or "")
    for thing in statements.things:
        if "BreadcrumbList" in thing.types:
            # the last step may be the page itself
            steps = [name for name in _read_steps(thing.values.get("itemListElement")) if fold_text(name) != own]
            if len(steps) > 1:  # the first step is the whole site
                found.append((steps[-1], "json-ld breadcrumb"))
    return rank_values(found, rules.section.confidence)


def _read_steps(value: object) -> list[str]:
    """Names of a breadcrumb list, in order."""
    steps = []
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            inner = item.get("item")
            name = item.get("name") or (inner.get("name") if isinstance(inner, dict) else None)
            if isinstance(name, str):
                steps.append(name)
    return steps


def find_site_name(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """The name of the site, as it is written for readers."""
    # `twitter:site` is an account, which mostly has the site's name
    found = [(text.lstrip("@"), source) for text, source in read_metas(statements, rules.site_name.metas)]
    for thing in statements.things:
        if thing.role in rules.site_name.json_ld_roles or (thing.depth < 3 and "WebSite" in thing.types):
            found += [(name, f"json-ld {thing.role or 'WebSite'}") for name in thing.texts("name")[:1]]
    domain = find_registered_domain_of_host(statements.host) if statements.host else ""
    label = fold_text(domain.partition(".")[0])
    title = statements.title
    # from the end, where most sites put their name
    for start, end in reversed(split_title(title, rules.title.separators)):
        part = title[start:end].strip()
        folded = fold_text(part)
        if label and folded and (folded in label or label in folded) and len(part) <= rules.site_name.max_chars:
            found.append((part, "title"))
    if domain:
        found.append((domain, "url"))
    found = [(value, source) for value, source in found if 0 < len(value) <= rules.site_name.max_chars]
    if not found:
        return FieldValue(None)
    name, source = found[0]
    others: dict[str, str] = {}
    for value, where in found:
        if value != name:
            others.setdefault(value, where)
    # a part of `<title>` that is in the host's name may be of a brand or an author; a domain is no name for readers
    confidence = {"title": 0.7, "url": 0.4}.get(source, 0.95)
    return FieldValue(name, source, confidence, tuple(others.items())[:MAX_ALTERNATIVES])


_MAX_CHARS: Final = 60
"""Of the text of a link that says where it leads: a longer one is the title of the next article."""


def find_next_page(statements: PageStatements, rules: LinkedPageRules, labelled: Stated) -> FieldValue:
    """URL of the next page: `rel=next`, else a link whose whole text is a label for the next page."""
    related = [(link.url, "link next") for link in statements.links if "next" in link.rel]
    return _rank_links(statements, rules, [*related, *labelled])


def find_single_page(statements: PageStatements, rules: LinkedPageRules, labelled: Stated) -> FieldValue:
    """URL of the page that shows the whole text: a link whose whole text is a label for such a page."""
    return _rank_links(statements, rules, labelled)


def find_labelled_links(statements: PageStatements, *wanted: LinkedPageRules) -> list[Stated]:
    """For each of the rules, the links whose whole text is one of its labels. The page is searched once for all."""
    finders, found = _compile_link_labels(*(rules.link_text for rules in wanted)), [Stated() for _ in wanted]
    document = statements.document
    nodes = np.flatnonzero(document.link[document.text_owner] >= 0).tolist()
    for i, possible in finders.find_each(list(map(document.text.__getitem__, nodes))):
        text = document.text[nodes[i]].strip()
        if len(text) > _MAX_CHARS:
            continue
        href = read_attribute(document, int(document.link[document.text_owner[nodes[i]]]), "href")
        for number in possible if href else ():
            if finders.finders[number].exact.fullmatch(text):
                found[number].append((statements.absolute(href or ""), "link text"))
    return found


@lru_cache(maxsize=64)
def _compile_link_labels(*link_texts: str) -> FinderSet:
    return compile_finders(*(rf"^\s*(?:{text})\s*$" for text in link_texts))


def _rank_links(statements: PageStatements, rules: LinkedPageRules, found: Stated) -> FieldValue:
    """The first of the links as field value, without links to another host or to the page itself."""
    own = (statements.document.url or "").partition("#")[0]
    host = find_host(own)
    # `next` in a slider leads to the page itself, in a web ring to another site
    same = [(u, s) for u, s in found if u and u.partition("#")[0] != own and (not host or find_host(u) in ("", host))]
    return rank_values(same, rules.confidence)


_NUMBERED: Final = re.compile(r"=\d+(?:&|$)")
"""In a query that names a page: `/?p=34518` is an article, `/?utm_source=mail` the front page."""
_LONG_SLUG: Final = 3
"""Hyphens in the last part of a path that is made from a headline; names of sections have one or two."""

Kinds = Mapping[str, tuple[str, ...]]
"""Kind -> schema.org types, or words."""


def list_page_kinds(statements: PageStatements, kinds: Kinds, paths: Kinds) -> dict[str, float]:
    """`on_<kind>`, `at_<kind>` (by the words of the path) -> 1 for what holds. paths: kind -> words."""
    found = {
        f"on_{name}": 1.0 for name in _match_kinds(kinds, [kind for thing in statements.things for kind in thing.types])
    }
    shared = next((text.lower() for _, text in statements.read_meta(("og:type",))), "")
    if shared in ("article", "website"):
        found[f"on_og_{shared}"] = 1.0
    url = statements.document.url or ""
    path, _, query = url.partition("//")[2].partition("/")[2].partition("#")[0].partition("?")
    path = path.strip("/").lower()
    if url and not path and not _NUMBERED.search(query):
        found["on_front"] = 1.0
    found |= {f"at_{name}": 1.0 for name in _match_kinds(paths, path.replace(".", "/").split("/"))}
    if path.rpartition("/")[2].count("-") >= _LONG_SLUG:
        found["at_long_slug"] = 1.0
    return found


def _match_kinds(kinds: Kinds, words: Iterable[str]) -> list[str]:
    """The kinds that any of the words stands for, in the order of the rules."""
    kinds_of = _index_by_word(kinds)
    matched = {kind for word in words for kind in kinds_of.get(word, ())}
    return [kind for kind in kinds if kind in matched] if matched else []


@cached_per_rule_set
def _index_by_word(kinds: Kinds) -> dict[str, list[str]]:
    """Word -> the kinds that it stands for."""
    found: dict[str, list[str]] = {}
    for kind, words in kinds.items():
        for word in words:
            found.setdefault(word, []).append(kind)
    return found


_URLS: Final = ("next_page", "single_page")
_FIELDS: Final = ("title", "date", "author", *_URLS)
"""That selectors may give."""

Selectors = list[tuple[str, str, str]]
"""(field, selector, source)."""


def select_overrides(statements: PageStatements, facts: PageFacts, rules: RuleSet) -> dict[str, FieldValue]:
    """Field -> the first non-empty string that one of its selectors finds; URLs are absolute."""
    found: dict[str, FieldValue] = {}
    document = statements.document
    for field, selector, source in _list_selectors(document, facts, rules):
        # rules come before the section, and the first that finds something ends the search: selectors cost a tree
        if field not in found:
            if field in _URLS:
                text = next(filter(None, map(statements.absolute, select_urls(document, selector))), "")
            else:
                text = drop_controls(next(filter(None, select_strings(document, selector)), ""))
            if text:
                found[field] = FieldValue(text, source, 1.0)
    return found


def _list_selectors(document: Document, facts: PageFacts, rules: RuleSet) -> Iterator[tuple[str, str, str]]:
    """(field, selector, source), rules first."""
    of_rules, of_fields = _read_selectors(rules)
    # rules may be of one site or type of page, the section holds for all
    for when, selectors in of_rules:
        if holds_for_page(when, facts, document):
            yield from selectors
    yield from of_fields


@cached_per_rule_set
def _read_selectors(rules: RuleSet) -> tuple[list[tuple[When, Selectors]], Selectors]:
    """(condition, selectors) of each rule with selectors, and the selectors of the `fields` section."""
    of_rules: list[tuple[When, Selectors]] = []
    for name, rule in rules.rules.items():
        given = [(field, getattr(rule.effect, field), f"rule {name}") for field in _FIELDS]
        given = [item for item in given if item[1]]
        if rule.enabled and given:
            of_rules.append((rule.when, given))
    of_fields = [
        (field, selector, f"selector {selector}")
        for field in _FIELDS
        for selector in getattr(rules.fields, field).selectors
    ]
    return of_rules, of_fields
