"""Fields that a page declares of itself, in its head or by the relation of a link; its images (patent S304); what kind
of page it says it is; and fields that selectors of the rules give, which override all other sources.

Each field is a list of (value, source) in the order in which sources are trusted: the first is the value, the others
are alternatives. What links say is read as HTML (4.6.7) and RFC 6596 (`rel=canonical`) define it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from webclean.features.block_features import OTHER_SITE, find_links
from webclean.fields.candidates import MAX_ALTERNATIVES, fold_text
from webclean.fields.scan import compile_finders
from webclean.fields.statements import PageStatements, Stated, Thing
from webclean.matching.conditions import PageFacts, holds_for_page
from webclean.matching.select import select_strings, select_urls
from webclean.model import Alternate, FieldValue, FieldValues, Image, Mask
from webclean.outputs.flow.addresses import choose_source
from webclean.outputs.flow.tools import find_conventions
from webclean.parse.columns import climb, is_hidden, list_holding, read_attribute
from webclean.parse.controls import clean_line, drop_controls
from webclean.parse.tags import CODE
from webclean.parse.url import find_base, find_host
from webclean.rules import RuleSet
from webclean.rules.page_schema import FieldRules, ImageRules, LinkedPageRules
from webclean.rules.rule_schema import FIELD_SELECTORS, Rule, cached_per_rule_set


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


def _is_subject(thing: Thing, rules: FieldRules) -> bool:
    """Whether an object is the page's own subject: deeper ones, and those that other keys lead to, are the publisher
    with its logo, the author, a video or a product of a list."""
    return thing.depth < 2 and thing.role not in rules.title.reference_roles


def _read_urls(thing: Thing, key: str) -> list[str]:
    """The addresses of the images of an object, which are strings or objects."""
    value = thing.values.get(key)
    found = [
        (item.get("url") or item.get("contentUrl")) if isinstance(item, dict) else item
        for item in (value if isinstance(value, list) else [value])
    ]
    return [url for url in found if isinstance(url, str)][:1]


class Declared(NamedTuple):
    """Where a page declares a field.

    sources: `meta` for the elements that the rules of the field name, `link` with a relation, `json-ld` with a key; the
    most trusted first. may: whether an object of JSON-LD says it. read: what an object says under a key.
    """

    sources: tuple[str, ...]
    may: Callable[[Thing, FieldRules], bool] = lambda thing, _: thing.depth < 2
    read: Callable[[Thing, str], list[str]] = lambda thing, key: thing.texts(key)[:1]


DECLARED: Final = {
    "description": Declared(("meta", "json-ld description"), _is_subject),
    "canonical": Declared(
        ("link canonical", "meta", "json-ld mainEntityOfPage"),
        lambda thing, _: thing.depth < 2 and thing.role in ("", "@graph"),
    ),
    "keywords": Declared(("meta", "json-ld keywords"), read=Thing.texts),
    "section": Declared(("meta", "json-ld articleSection"), lambda *_: True),
    "licence": Declared(("link license", "json-ld license", "meta")),
    "next_page": Declared(("link next",)),
    "single_page": Declared(()),  # links say so by their text alone
    "images": Declared(("meta", "json-ld image", "link image_src"), _is_subject, _read_urls),
}
"""Section of the rules of a field -> where it is declared, if not in meta elements alone."""
_IN_METAS: Final = Declared(("meta",))


def list_declared(statements: PageStatements, rules: FieldRules, name: str) -> Stated:
    """What the page declares for a field. name: its section of the rules."""
    declared, found = DECLARED.get(name, _IN_METAS), Stated()
    for source in declared.sources:
        kind, _, key = source.partition(" ")
        if kind == "meta":
            found += statements.read_metas(getattr(rules, name).metas)
        elif kind == "link":
            found += [(link.url, source) for link in statements.links if key in link.rel]
        else:
            saying = [thing for thing in statements.things if key in thing.values and declared.may(thing, rules)]
            found += [(text, source) for thing in saying for text in declared.read(thing, key)]
    return found


def _list_addresses(statements: PageStatements, rules: FieldRules, name: str) -> Stated:
    """The same of a field of addresses, absolute; those of links are already."""
    return [
        (text if source.startswith("link") else statements.absolute(text), source)
        for text, source in list_declared(statements, rules, name)
    ]


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
    found = _list_addresses(statements, rules, "canonical")
    # the page's own address comes last: without any statement it is the best that is known
    url = (statements.document.url or "").partition("#")[0]
    # some pages write an id or a bare word into og:url
    known = [(value, source) for value, source in found if value.startswith(("http://", "https://", "/"))]
    ranked = rank_values([*known, (url, "url")], rules.canonical.confidence)
    stated = {value.partition("#")[0].partition("://")[2].rstrip("/") for value, source in known if " " in source}
    # the link and og:url may name two pages; the other one is an alternative, and neither is certain
    return replace(ranked, confidence=0.5 * ranked.confidence) if len(stated) > 1 else ranked


_SPLIT: Final = re.compile(r"\s*[,;、，；|]\s*")
_MAX_KEYWORDS: Final = 50
"""More are written for search engines, not about the page."""


def find_keywords(statements: PageStatements, rules: FieldRules) -> FieldValues:
    """Every keyword once, in the order of the sources; `source` names the first source."""
    found: dict[str, str] = {}
    for text, source in list_declared(statements, rules, "keywords"):
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
    found = list_declared(statements, rules, "licence")
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
    """What is declared, else the last step of a breadcrumb that is not the page itself."""
    found, own = list_declared(statements, rules, "section"), fold_text(title or "")
    for thing in statements.things:
        if "BreadcrumbList" in thing.types:
            items = thing.values.get("itemListElement")
            steps = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
            inner = [step.get("item") for step in steps]
            names = [
                step.get("name") or (item.get("name") if isinstance(item, dict) else None)
                for step, item in zip(steps, inner, strict=True)
            ]
            named = [name for name in names if isinstance(name, str) and fold_text(name) != own]
            if len(named) > 1:  # the first step is the whole site
                found.append((named[-1], "json-ld breadcrumb"))
    return rank_values(found, rules.section.confidence)


_MAX_LABEL_CHARS: Final = 60
"""Of the text of a link that says where it leads: a longer one is the title of the next article."""


def find_labelled_links(statements: PageStatements, *wanted: LinkedPageRules) -> list[Stated]:
    """For each of the rules, the links whose whole text is one of its labels. The page is searched once for all."""
    finders = compile_finders(*(rf"^\s*(?:{rules.link_text})\s*$" for rules in wanted))
    found = [Stated() for _ in wanted]
    document = statements.document
    nodes = np.flatnonzero(document.link[document.text_owner] >= 0).tolist()
    for i, possible in finders.find_each(list(map(document.text.__getitem__, nodes))):
        text = document.text[nodes[i]].strip()
        if len(text) > _MAX_LABEL_CHARS:
            continue
        href = read_attribute(document, int(document.link[document.text_owner[nodes[i]]]), "href")
        for number in possible if href else ():
            if finders.finders[number].exact.fullmatch(text):
                found[number].append((statements.absolute(href or ""), "link text"))
    return found


def find_linked_page(statements: PageStatements, rules: LinkedPageRules, found: Stated) -> FieldValue:
    """The first of the links as field value, without links to another host or to the page itself."""
    own = (statements.document.url or "").partition("#")[0]
    host = find_host(own)
    # `next` in a slider leads to the page itself, in a web ring to another site
    same = [(u, s) for u, s in found if u and u.partition("#")[0] != own and (not host or find_host(u) in ("", host))]
    return rank_values(same, rules.confidence)


_MAX_IMAGES: Final = 200
_MAX_CAPTION_LEVELS: Final = 4
"""Around an image: `figure > div > picture > img`, or a link in their place. Further out stands the article."""
_MAX_CAPTION_ROWS: Final = 6
"""From an image to a caption that is in no figure with it: a credit or a button stands between them, no paragraph."""
_CAPTION: Final = "caption"
_DIGITS: Final = re.compile(r"\d{1,5}")


def find_image(statements: PageStatements, rules: FieldRules, images: tuple[Image, ...]) -> FieldValue:
    """The main image: what is declared, else the first image in the text."""
    found = _list_addresses(statements, rules, "images")
    return rank_values([*found, *((image.url, "first in text") for image in images[:1])], rules.images.confidence)


def find_images(statements: PageStatements, rules: FieldRules, kept: Mask | None) -> tuple[Image, ...]:
    """Images between the first and the last kept block, without small ones and those in nav, footer or aside.

    kept: bool [n_blocks]; None for the whole page.
    """
    document = statements.document
    first, last = 0, len(document)
    if kept is not None:
        content = statements.columns.row[kept]
        if not len(content):
            return ()
        # the lead image stands before the first paragraph
        first, last = int(content[0]) - rules.images.rows_before, int(document.end[content[-1]])
    first = max(0, first)
    rows = (np.flatnonzero(document.tag[first:last] == CODE["img"]) + first).tolist()
    images = [row for row in rows if not statements.is_in_landmark(row)]
    if not images:
        return ()
    # `figcaption` elements, and elements whose class says so
    named = (row for row, _ in list_holding(document, "class", _CAPTION))
    captions = sorted({*statements.rows_of("figcaption"), *named})
    conventions, base = find_conventions(None), find_base(document)
    found: dict[str, Image] = {}
    choose = partial(choose_source, base=base, attributes=rules.images.attributes, conventions=conventions)
    for row in images:
        image = _read_image(statements, row, rules.images, captions, choose)
        if image:
            # a picture that is shown twice counts once
            found.setdefault(image.url, image)
            if len(found) == _MAX_IMAGES:
                break
    return tuple(found.values())


def _read_image(
    statements: PageStatements, row: int, rules: ImageRules, captions: Sequence[int], choose: Callable[..., str | None]
) -> Image | None:
    """An `img` with its alternative text, size and caption; None if it has no URL, is small or hidden."""
    attrs = statements.document.attrs[row]
    # 100 % is of an unknown width
    written = (value.strip() if value and "%" not in value else "" for value in map(attrs.get, ("width", "height")))
    width, height = (int(found[0]) if (found := _DIGITS.match(value)) else None for value in written)
    if is_hidden(attrs.get) or any(size is not None and size < rules.min_pixels for size in (width, height)):
        return None
    url = choose(attrs.get)
    if url is None or url.startswith("data:"):
        return None
    caption = _find_caption(statements, row, captions) if captions else ""
    return Image(url, clean_line(attrs.get("alt")), caption, width, height)


def _find_caption(statements: PageStatements, row: int, captions: Sequence[int]) -> str:
    """The `figcaption` of the figure around an image, else the text of the next possible caption near it; else ''."""
    document = statements.document
    for above in islice(climb(document, row), 1, _MAX_CAPTION_LEVELS + 1):
        end = int(document.end[above])
        if document.tag[above] == CODE["figure"]:
            inside = captions[bisect_right(captions, above) : bisect_left(captions, end)]
            return next((statements.read_text(r) for r in inside if document.names[r] == "figcaption"), "")
        following = captions[bisect_right(captions, row) :][:1]
        if following and following[0] < min(end, row + _MAX_CAPTION_ROWS):
            return statements.read_text(following[0])
    return ""


_NUMBERED: Final = re.compile(r"=\d+(?:&|$)")
"""In a query that names a page: `/?p=34518` is an article, `/?utm_source=mail` the front page."""
_LONG_SLUG: Final = 3
"""Hyphens in the last part of a path that is made from a headline; names of sections have one or two."""

Kinds = Mapping[str, tuple[str, ...]]
"""Kind -> schema.org types, or words."""


def list_page_kinds(statements: PageStatements, kinds: Kinds, paths: Kinds) -> dict[str, float]:
    """`on_<kind>`, `at_<kind>` (by the words of the path) -> 1 for what holds. paths: kind -> words."""
    types = [kind for thing in statements.things for kind in thing.types]
    found = {f"on_{name}": 1.0 for name in _match_kinds(kinds, types)}
    shared = next((text.lower() for text, _ in statements.read_metas(("og:type",))), "")
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
    is_strange = frozenset(words).isdisjoint
    return [kind for kind, own in kinds.items() if not is_strange(own)]


_URLS: Final = ("next_page", "single_page")


def select_overrides(statements: PageStatements, facts: PageFacts, rules: RuleSet) -> dict[str, FieldValue]:
    """Field -> the first non-empty string that one of its selectors finds; URLs are absolute."""
    document, found = statements.document, {}
    for name, rule in _list_selecting(rules):
        for field in FIELD_SELECTORS if holds_for_page(rule.when, facts, document) else ():
            selector = getattr(rule.effect, field)
            # the first that finds something ends the search: selectors cost a tree
            if not selector or field in found:
                continue
            if field in _URLS:
                text = next(filter(None, map(statements.absolute, select_urls(document, selector))), "")
            else:
                text = drop_controls(next(filter(None, select_strings(document, selector)), ""))
            if text:
                found[field] = FieldValue(text, f"rule {name}", 1.0)
    return found


@cached_per_rule_set
def _list_selecting(rules: RuleSet) -> list[tuple[str, Rule]]:
    """The rules, with their ids, that name a selector of a field."""
    enabled = ((name, rule) for name, rule in rules.rules.items() if rule.enabled)
    return [(name, rule) for name, rule in enabled if any(getattr(rule.effect, field) for field in FIELD_SELECTORS)]
