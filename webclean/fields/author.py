"""Author or authors: who is named as such by metas, JSON-LD, microdata, links, classes and by-lines.

Candidates are names with their spelling folded; several names that one source gives are also one candidate together.
What
looks like a name is told by shape (words that begin with a capital, short names in Chinese characters), never by a
list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from webclean.fields.card import Candidate, choose_candidate
from webclean.fields.evidence import Evidence
from webclean.fields.json_ld import Thing, read_names
from webclean.fields.scan import SCAN_CHARS, compile_finder, compile_finders
from webclean.fields.title import fold_text, names_site
from webclean.model import FieldValue
from webclean.parse import read_attribute
from webclean.rules.fields_schema import AuthorRules

_MAX_CHARS: Final = 250
_MAX_ROWS: Final = 40
_FIRST_USER: Final = frozenset(("user_class_first", "user_link_first", "user_class_link_first"))
"""What speaks for the first poster of a thread; the first to comment on a page is none."""
_LINK_KINDS: Final = ("author_link", "user_link")
_SHORT_CHARS: Final = 80
_ROWS_BELOW: Final = 40
_BESIDE: Final = re.compile(r"\s*[|·•]\s*|\s+[–—-]\s+|,\s+(?=\d)")
_NUMBER: Final = re.compile(r"\d")
_PLAIN_NAME: Final = re.compile(r"(?:[^\W\d_a-z][\w.'’-]* ){1,3}[^\W\d_a-z][\w'’-]+")
_WORD: Final = re.compile(r"[^\W\d_][\w.'’-]*")
_UNSPACED_NAME: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff·]{2,6}|[가-힣]{2,4}")


class NamePool:
    """Candidates by folded name."""

    def __init__(self, rules: AuthorRules, anchor: int) -> None:
        self.found: dict[str, Candidate] = {}
        self.rules, self.anchor = rules, anchor
        self._prefix, self._cut = compile_finder(rules.prefixes).exact, compile_finder(rules.cuts)
        self._never = compile_finder(rules.never_names)

    def clean(self, text: str) -> str:
        """A name without the label before it and what follows it (dates, sections, counts)."""
        text = " ".join(text.split())[:_MAX_CHARS]
        found = self._prefix.match(text)
        if found:
            text = text[found.end() :]
        found = self._cut.search(text)
        if found and found.start() > 1:
            text = text[: found.start()]
        return text.strip(" \t,;:|/-–—·•@\"'“”()[]")

    def add(self, text: str, source: str, *features: str, row: int = -1, distance: int | None = None) -> None:
        name = self.clean(text)
        key = fold_text(name)
        if not key or "://" in name or name.isdecimal() or self._never.search(name):
            return
        known = self.found.setdefault(key, Candidate(name, source, row=row))
        if known.value.isupper() and not name.isupper():
            known.value = name
        for feature in features:
            known.features[feature] = 1.0
        if distance is not None:
            before = known.features.get("distance")
            if before is None or abs(distance) < abs(before):
                known.features["distance"] = float(distance)

    def measure(self, row: int) -> int | None:
        """Rows from the title to a row; None without a title."""
        return row - self.anchor if self.anchor >= 0 else None


def find_author(
    evidence: Evidence,
    rules: AuthorRules,
    kind: dict[str, float],
    anchor: int,
    sites: tuple[str, ...],
) -> FieldValue:
    """The author or authors. kind: what the page says it is; anchor: row of the title or -1."""
    candidates = collect_authors(evidence, rules, anchor, sites)
    return choose_candidate(candidates, rules.card, describe_choice(candidates, kind))[1]


def describe_choice(candidates: list[Candidate], kind: dict[str, float]) -> dict[str, float]:
    """Features of the page that speak for any answer."""
    return {**kind, "n_candidates": float(len(candidates))}


def collect_authors(evidence: Evidence, rules: AuthorRules, anchor: int, sites: tuple[str, ...]) -> list[Candidate]:
    """Every possible author with its features."""
    pool = NamePool(rules, anchor)
    classes = evidence.find_classes(rules.author_classes, rules.user_classes, rules.comment_classes)
    _add_metas(pool, evidence, rules)
    _add_things(pool, evidence, rules)
    _add_properties(pool, evidence, rules)
    _add_links(pool, evidence, rules)
    _add_classes(pool, evidence, *classes[:2])
    _add_signatures(pool, evidence, rules)
    _add_bylines(pool, evidence, rules)
    _add_beside_dates(pool, evidence)
    candidates = list(pool.found.values())
    comments = [(row, int(evidence.document.end[row])) for row in classes[2] if row]
    for candidate in candidates:
        describe_name(candidate, rules, sites)
        if _UNSPACED_NAME.fullmatch(candidate.value):
            candidate.features["agency"] = is_agency(candidate.value, evidence.title, rules)
        if any(start <= candidate.row < end for start, end in comments):
            candidate.features["in_comments"] = 1.0
            for name in _FIRST_USER & candidate.features.keys():
                del candidate.features[name]
    return candidates


def _add_metas(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    for i, (name, text) in enumerate(evidence.read_meta(rules.metas)):
        pool.add(text, f"meta {name}", "meta", *(("meta_first",) if i == 0 else ()))
    same = [text for _, text in evidence.read_meta(rules.metas[:1])]
    if len(same) > 1:
        pool.add(", ".join(dict.fromkeys(same)), f"meta {rules.metas[0]}", "meta_all")
    label = compile_finder(rules.card_labels)
    for i in range(1, 4):
        for (_, text), (_, value) in zip(
            evidence.read_meta((f"twitter:label{i}",)), evidence.read_meta((f"twitter:data{i}",)), strict=False
        ):
            if label.search(text):
                pool.add(value, f"meta twitter:data{i}", "twitter_label")


def _add_things(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    seen: set[str] = set()
    for thing in evidence.things:
        kind = "json_ld_of_part" if thing.role in rules.json_ld_reference_roles else "json_ld"
        for key in rules.json_ld_keys:
            names = list(dict.fromkeys(read_people(thing.values.get(key), evidence.things)))
            for name in names[:10]:
                first = () if kind in seen else (f"{kind}_first",)
                pool.add(name, f"json-ld {key}", *((kind, *first) if len(names) == 1 else (f"{kind}_one_of_several",)))
            if len(names) > 1:
                pool.add(", ".join(names[:20]), f"json-ld {key}", f"{kind}_all", *(() if kind in seen else (kind,)))
            if names:
                seen.add(kind)


def read_people(value: object, things: tuple[Thing, ...]) -> Iterator[str]:
    """Names of the people that a JSON-LD value holds or refers to by `@id`."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict) and not item.get("name") and item.get("@id"):
            for thing in things:
                if thing.values.get("@id") == item["@id"] and thing.values.get("name"):
                    yield from thing.texts("name")[:1]
                    break
        elif isinstance(item, (dict, str)):
            yield from read_names(item)


def _add_properties(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    names = set(evidence.properties.get("name", ()))
    for key in rules.properties:
        for i, row in enumerate(evidence.properties.get(key.lower(), ())[:_MAX_ROWS]):
            distance = pool.measure(row)
            inside = [inner for inner in range(row + 1, int(evidence.document.end[row])) if inner in names]
            first = ("itemprop_first",) if i == 0 else ()
            for target in inside[:1] or [row]:
                content = read_attribute(evidence.document, target, "content")
                text = content or evidence.read_text(target)
                if text and len(text) <= _MAX_CHARS:
                    pool.add(text, f"itemprop {key}", "itemprop", *first, row=target, distance=distance)


def _add_links(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    """Links to the page of an author or of a user, and those that say `rel=author`."""
    kinds_of: dict[int, list[str]] = {}
    rows, finders = list(evidence.hrefs), compile_finders(rules.author_urls, rules.user_urls)
    for i, possible in evidence.href_scan.find_each(finders):
        href = evidence.hrefs[rows[i]]
        said = (_LINK_KINDS[number] for number in possible if finders.finders[number].exact.search(href))
        if kind := next(said, ""):
            kinds_of[rows[i]] = [kind]
    for row, tokens in evidence.relations.items():
        if "author" in tokens and row in evidence.hrefs:
            kinds_of.setdefault(row, []).append("rel_author")
    counts = {"rel_author": 0, "author_link": 0, "user_link": 0}
    for row, kinds in sorted(kinds_of.items()):
        text = evidence.read_text(row) if counts[kinds[-1]] < _MAX_ROWS else ""
        if not text or len(text) > _MAX_CHARS:
            continue
        firsts = [f"{kind}_first" for kind in kinds if counts[kind] == 0]
        for kind in kinds:
            counts[kind] += 1
        place = ["link_in_landmark"] if evidence.is_in_landmark(row) else []
        pool.add(text, "author link", *kinds, *firsts, *place, row=row, distance=pool.measure(row))


def _add_classes(pool: NamePool, evidence: Evidence, authors: list[int], users: list[int]) -> None:
    """Elements with a class that names an author or a by-line; the first link inside counts on its own."""
    document = evidence.document
    for feature, found in (("author_class", authors), ("user_class", users)):
        rows = [row for row in found if document.displayed[row] and row][:_MAX_ROWS]
        for i, row in enumerate(rows):
            distance, first = pool.measure(row), [f"{feature}_first"] * (i == 0)
            text = evidence.read_text(row)
            if text and len(text) <= _MAX_CHARS:
                pool.add(text, "class", feature, *first, row=row, distance=distance)
            inside = range(row + 1, min(int(document.end[row]), row + _MAX_ROWS))
            name = next(filter(None, (evidence.read_text(r) for r in inside if document.names[r] == "a")), "")
            first = [f"{feature}_link_first"] * (i == 0)
            pool.add(name, "link in class", f"{feature}_link", *first, row=row, distance=distance)


def _add_signatures(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    """Names in the set forms in which East Asian newspapers sign: `（记者 张三 李四）`, `文/张三`, `홍길동 기자`."""
    blocks, first = evidence.columns.blocks, ["signature_first"]
    for i in evidence.text_scan.find_texts(compile_finder(rules.signature_words).loose):
        text = blocks.text[i][:SCAN_CHARS]
        found = next(filter(None, (compile_finder(form).exact.search(text) for form in rules.signatures)), None)
        if found:
            names = ", ".join(_UNSPACED_NAME.findall(found[1]))
            distance = pool.measure(int(evidence.block_position[i]))
            pool.add(names, "signature", "signature", *first, row=int(blocks.row[i]), distance=distance)
            first = []


def _add_bylines(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    """Text that begins with, or holds, a by-line."""
    begin, inside = compile_finder(f"^(?:{rules.byline})"), compile_finder(rules.byline_inside, 0)
    blocks, scan = evidence.columns.blocks, evidence.text_scan
    hits = sorted({*scan.find_texts(begin.loose), *scan.find_texts(inside.loose)})
    n = 0
    for i in hits:
        value, feature = _read_byline(blocks.text, i, begin.exact, inside.exact)
        if value and len(value) <= _MAX_CHARS and n < _MAX_ROWS:
            first = (f"{feature}_first",) if n == 0 else ()
            n += 1
            row = int(blocks.row[i])
            place = ("byline_in_landmark",) if evidence.is_in_landmark(row) else ()
            distance = pool.measure(int(evidence.block_position[i]))
            pool.add(value, "by-line", feature, *first, *place, row=row, distance=distance)


def _read_byline(texts: Sequence[str], i: int, begin: re.Pattern[str], inside: re.Pattern[str]) -> tuple[str, str]:
    """(text with the name, feature): a text that is but the label is followed by the name."""
    text = texts[i]
    if len(text) > _MAX_CHARS:
        return "", ""
    found = begin.match(text)
    if found:
        return (texts[i + 1] if found.end() == len(text) and i + 1 < len(texts) else text), "byline"
    held = inside.search(text)
    return (next(filter(None, held.groups()), ""), "byline_inside") if held else ("", "")


def _add_beside_dates(pool: NamePool, evidence: Evidence) -> None:
    """Names beside a number in a short text below the title: `Jane Doe · 3 March 2024`, `Jane Doe, 6 min read`."""
    if pool.anchor < 0:
        return
    blocks, position = evidence.columns.blocks, evidence.block_position
    below = (position >= pool.anchor) & (position <= pool.anchor + _ROWS_BELOW) & (blocks.n_chars <= _SHORT_CHARS)
    for i in np.flatnonzero(below).tolist():
        parts = _BESIDE.split(blocks.text[i])
        if len(parts) > 1 and any(_NUMBER.search(part) for part in parts):
            for name in parts:
                if _PLAIN_NAME.fullmatch(name):
                    distance = pool.measure(int(position[i]))
                    pool.add(name, "beside a date", "beside_date", row=int(blocks.row[i]), distance=distance)


def is_agency(name: str, title: str, rules: AuthorRules) -> float:
    """1 for a name in characters that ends as an agency's does, or that begins a later part of `<title>`, else 0."""
    collective = compile_finder(rules.collective).search(name) is not None
    return float(collective or re.search(rf"[\W_]{name}", title) is not None)


def describe_name(candidate: Candidate, rules: AuthorRules, sites: tuple[str, ...]) -> None:
    """Features of the name's shape."""
    name, features = candidate.value, candidate.features
    words = _WORD.findall(name)
    capitals = sum(word[0].isupper() for word in words)
    features["n_words"] = float(len(name.split()))
    features["name_like"] = float(
        (2 <= len(words) <= 5 and capitals >= 2 and capitals >= len(words) - 2) or bool(_UNSPACED_NAME.fullmatch(name))
    )
    features["list_like"] = float(len(words) > 3 and ("," in name or " and " in name or "&" in name))
    features["one_word"] = float(len(words) == 1 and " " not in name)
    features["lower_case"] = float(name.islower())
    features["has_digit"] = float(any(char.isdigit() for char in name))
    features["names_site"] = float(names_site(name, sites))
    features["collective"] = float(bool(compile_finder(rules.collective).search(name)))
    features["no_name"] = float(bool(compile_finder(rules.no_names).search(name)))
    features["n_chars"] = float(len(name))
