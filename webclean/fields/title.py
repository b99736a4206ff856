"""Title (source C, patent S305): every string that may be the title, its features, and the card that chooses.

Candidates: the parts of `<title>` and og:title that are left when ends are taken off at separators, the headings, and
what JSON-LD and microdata name. Features, after "title extraction by decision tree" (2010): similarity to `<title>`,
length, position, tag.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import numpy as np
from rapidfuzz.distance import Indel

from webclean.fields.card import Candidate, choose_candidate
from webclean.fields.evidence import Evidence
from webclean.model import FieldValue
from webclean.parse.tags import tag_mask
from webclean.parse.url import find_host, find_registered_domain_of_host
from webclean.rules.fields_schema import TitleRules

_TITLE_HEADING: Final = tag_mask("h1 h2")
_NOT_ALNUM: Final = re.compile(r"[\W_]+")
_MAX_CHARS: Final = 400
_MAX_HEADINGS: Final = 12
_MAX_PARTS: Final = 6


@lru_cache(maxsize=1024)
def fold_text(text: str) -> str:
    """Letters and digits, case folded: what two spellings of one title share."""
    return (text if text.isalnum() else _NOT_ALNUM.sub("", text)).casefold()


@lru_cache(maxsize=64)
def compile_separators(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for all separators."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@lru_cache(maxsize=64)
def split_title(title: str, separators: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Spans of the parts between separators, at most the first six."""
    spans, start = [], 0
    for found in compile_separators(separators).finditer(title):
        if found.start() > start:
            spans.append((start, found.start()))
        start = found.end()
    if start < len(title):
        spans.append((start, len(title)))
    return tuple(spans[:_MAX_PARTS])


def find_site_names(evidence: Evidence, rules: TitleRules) -> tuple[str, ...]:
    """Folded names of the site: declared ones, and the labels of the host."""
    names = [content for _, content in evidence.read_meta(rules.site_name_metas)]
    for thing in evidence.things:
        if any(kind in rules.site_types for kind in thing.types) and thing.role not in rules.subject_roles:
            names += thing.texts("name") + thing.texts("alternateName")
    host = find_host(evidence.document.url or "")
    domain = find_registered_domain_of_host(host) if host else ""
    names += [domain, domain.partition(".")[0]]
    names += [label for label in host.removesuffix(domain).split(".") if len(label) > 3]
    return tuple(dict.fromkeys(filter(None, map(fold_text, names))))


def names_site(part: str, sites: tuple[str, ...]) -> bool:
    """Whether a part of a title is the name of the site, or its initials."""
    folded = fold_text(part)
    if not folded:
        return True
    words = part.split()
    initials = "".join(word[0] for word in words if word[0].isalnum()).casefold()
    for site in sites:
        if folded == site or (len(initials) > 2 and initials == site):
            return True
        shorter, longer = (folded, site) if len(folded) < len(site) else (site, folded)
        if len(shorter) >= 4 and shorter in longer and len(shorter) >= 0.4 * len(longer):
            return True
    return False


class _Pool:
    """Candidates by what their spellings share. sites: folded names of the site; mastheads: what a heading may say that
    is only the name of the site: nothing on its front page."""

    def __init__(self, sites: tuple[str, ...], on_front: bool) -> None:
        self.found: dict[str, Candidate] = {}
        self.sites, self.mastheads = sites, frozenset(() if on_front else sites)

    def add(self, text: str, source: str, feature: str, row: int = -1, value: float = 1.0) -> None:
        text = text.strip()
        key = fold_text(text) or text
        if not text or len(text) > _MAX_CHARS:
            return
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = Candidate(text, source, row=row)
        elif known.value.isupper() and not text.isupper():
            known.value = text
        if known.row < 0:
            known.row = row
        known.features[feature] = max(known.features.get(feature, 0.0), value)


def find_title(
    evidence: Evidence,
    rules: TitleRules,
    kind: dict[str, float],
    sites: tuple[str, ...],
) -> tuple[int, FieldValue]:
    """(row of the element that shows the title, or -1; the title)."""
    candidates = collect_titles(evidence, rules, kind, sites)
    best, title = choose_candidate(candidates, rules.card)
    headings = evidence.rows_of("h1")
    anchor = best.row if best and best.row >= 0 else headings[0] if headings else -1
    return anchor, title


def collect_titles(
    evidence: Evidence, rules: TitleRules, kind: dict[str, float], sites: tuple[str, ...]
) -> list[Candidate]:
    """Every candidate with its features."""
    pool = _Pool(sites, "on_front" in kind)
    _add_headings(pool, evidence, rules)
    stated: dict[str, str] = {}
    for name, text in evidence.read_meta(rules.metas):
        stated.setdefault(text, name)
    for text, name in stated.items():
        _add_parts(pool, text, f"meta {name}", "og", rules)
    for thing in evidence.things:
        if any(kind in rules.headline_types for kind in thing.types) and thing.role not in rules.reference_roles:
            for key in rules.headline_keys:
                for text in thing.texts(key)[:1]:
                    pool.add(text, f"json-ld {key}", "json_ld" if thing.depth < 3 else "json_ld_nested")
    for name in rules.properties:
        for row in evidence.properties.get(name.lower(), ())[:5]:
            if row_is_text(evidence, row):
                pool.add(evidence.read_text(row), f"itemprop {name}", "itemprop", row)
    _add_parts(pool, evidence.title, "title", "title", rules)
    _add_texts(pool, evidence, rules)
    candidates = list(pool.found.values())
    _compare_candidates(candidates, evidence, sites, rules, kind)
    return candidates


def row_is_text(evidence: Evidence, row: int) -> bool:
    """Whether an element can hold a shown value."""
    return evidence.document.names[row] not in ("meta", "link", "img", "html", "body") and bool(
        evidence.document.displayed[row]
    )


def _add_headings(pool: _Pool, evidence: Evidence, rules: TitleRules) -> None:
    """Headings; one that says no more than the name of the site is its masthead, on all but its front page."""
    document = evidence.document
    for tag in ("h1", "h2"):
        rows = [row for row in evidence.rows_of(tag) if document.displayed[row]][:_MAX_HEADINGS]
        seen = 0
        for row in rows:
            text = evidence.read_text(row)
            if not text or fold_text(text) in pool.mastheads:
                continue
            pool.add(text, tag, tag, row)
            seen += 1
            if seen == 1:
                pool.add(text, tag, f"{tag}_first", row)
            if evidence.in_landmark[row]:
                pool.add(text, tag, f"{tag}_in_landmark", row)
            if tag == "h2" and seen >= rules.n_subheadings:
                break
        if seen == 1:
            pool.add(text, tag, f"{tag}_only", rows[-1])


def _add_texts(pool: _Pool, evidence: Evidence, rules: TitleRules) -> None:
    """Text blocks that are part of `<title>` or og:title."""
    title, blocks = evidence.title, evidence.columns.blocks
    stated = [title, *(text for _, text in evidence.read_meta(rules.metas[:1]))]
    fits = (blocks.n_chars >= rules.min_shown_chars) & (blocks.n_chars <= max(map(len, stated)))
    other = (blocks.n_link_chars * 2 > blocks.n_chars) | _TITLE_HEADING[evidence.document.tag[blocks.row]]
    every = "\n".join(stated)
    found = [i for i in np.flatnonzero(fits & ~other).tolist() if blocks.text[i] in every]
    for i in found[:_MAX_HEADINGS]:
        pool.add(blocks.text[i], "text", "text", int(blocks.row[i]))


def _add_parts(pool: _Pool, title: str, source: str, feature: str, rules: TitleRules) -> None:
    """The whole of a title, the runs of its parts from either end, and what is left without the site's names."""
    title = title[:_MAX_CHARS]
    spans = split_title(title, rules.separators)
    if not spans:
        return
    pool.add(title, source, f"{feature}_whole")
    n = len(spans)
    for i in range(1, n):
        pool.add(title[spans[0][0] : spans[i - 1][1]], f"{source} without its end", f"{feature}_start")
        named = all(fold_text(title[slice(*span)]) in pool.mastheads for span in spans[:i])
        end = f"{feature}_after_site" if named else f"{feature}_end"
        pool.add(title[spans[i][0] : spans[-1][1]], f"{source} without its beginning", end)
    for i in range(1, n - 1):
        pool.add(title[spans[i][0] : spans[i][1]], f"part of {source}", f"{feature}_middle")
    first, last = 0, n - 1
    while last > first and names_site(title[slice(*spans[last])], pool.sites):
        last -= 1
    while first < last and names_site(title[slice(*spans[first])], pool.sites):
        first += 1
    pool.add(title[spans[first][0] : spans[last][1]], f"{source} without site name", f"{feature}_without_site")
    pool.add(title[slice(*spans[first])], f"{source}, first part", f"{feature}_first_part")


def _compare_candidates(
    candidates: list[Candidate], evidence: Evidence, sites: tuple[str, ...], rules: TitleRules, kind: dict[str, float]
) -> None:
    """Features of a candidate beside the others: similarity to `<title>` and og:title, length, position, address."""
    title, shared = evidence.title, next((text for _, text in evidence.read_meta(rules.metas)), "")
    folded_title, folded_shared = fold_text(title), fold_text(shared)
    lower_title, lower_shared = title.casefold(), shared.casefold()
    parts = [title[a:b].casefold() for a, b in split_title(title, rules.separators)]
    parts += [text for c in candidates if c.row >= 0 and is_end(text := c.value.casefold(), lower_title)]
    slug = fold_text(find_slug(evidence.document.url or ""))
    separator = compile_separators(rules.separators)
    measure = Indel.normalized_similarity
    for candidate in candidates:
        features, text = candidate.features, candidate.value
        folded, lower = fold_text(text), text.casefold()
        inside = bool(folded) and folded in folded_title
        features["title_similarity"] = measure(lower, lower_title)
        features["part_similarity"] = max([measure(lower, part) for part in parts], default=0.0)
        features["inside_title"] = float(inside)
        features["inside_og"] = float(bool(folded) and folded in folded_shared)
        features["og_similarity"] = measure(lower, lower_shared)
        features["n_words"] = float(count_words(text))
        features["n_chars"] = float(len(text))
        features["slug_share"] = share_slug(text, slug)
        features["names_site"] = float(names_site(text, sites))
        if "h1" in features:
            features["h1_slug_share"] = features["slug_share"]
        features["holds_separator"] = float(separator.search(text, 1, len(text) - 1) is not None)
        for name, value in kind.items():
            if value and name.startswith("on_"):
                for stated in ("h1", "title_without_site", "og_without_site", "title_whole"):
                    if features.get(stated):
                        features[f"{stated}_{name}"] = 1.0


def is_end(text: str, title: str) -> bool:
    """Whether a title begins or ends with a text that the page shows, and does not go on with a letter."""
    if title.startswith(text):
        return not title[len(text) : len(text) + 1].isalnum()
    return title.endswith(text) and not title[-len(text) - 1].isalnum()


def find_slug(url: str) -> str:
    """The last telling part of a URL's path."""
    path = url.partition("//")[2].partition("/")[2].partition("?")[0].partition("#")[0]
    parts = [part for part in path.split("/") if sum(char.isalpha() for char in part) > 3]
    return re.sub(r"\.\w{2,5}$", "", parts[-1]) if parts else ""


def share_slug(text: str, folded_slug: str) -> float:
    """Share of a text's words that the URL's last part holds."""
    if not folded_slug:
        return 0.0
    words = [word for word in map(fold_text, text.split()) if len(word) > 2]
    return sum(word in folded_slug for word in words) / len(words) if words else 0.0


def count_words(text: str) -> int:
    """Words; in scripts without spaces two characters count as one."""
    unspaced = 0 if text.isascii() else sum(char >= "\u2e80" and char.isalnum() for char in text)
    return max(len(text.split()), (unspaced + 1) // 2)
