"""Author or authors: who is named as such by metas, JSON-LD, microdata, links, classes and by-lines.

Candidates are names with their spelling folded; several names that one source gives are also one candidate together.
What
looks like a name is told by shape (words that begin with a capital, short names in Chinese characters), never by a
list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from webclean.fields.card import Candidate, choose_candidate
from webclean.fields.evidence import Evidence
from webclean.fields.hints import find_hinting
from webclean.fields.json_ld import Thing, read_names
from webclean.fields.title import fold_text, names_site
from webclean.model import FieldValue
from webclean.parse import read_attribute
from webclean.rules.fields_schema import AuthorRules

_MAX_CHARS: Final = 250
_MAX_ROWS: Final = 40
_WORD: Final = re.compile(r"[^\W\d_][\w.'’-]*")
_UNSPACED_NAME: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff·]{2,6}|[가-힣]{2,4}")


@lru_cache(maxsize=256)
def compile_words(pattern: str) -> re.Pattern[str]:
    """A pattern of the rules, upper and lower case alike."""
    return re.compile(pattern, re.IGNORECASE)


class NamePool:
    """Candidates by folded name."""

    def __init__(self, rules: AuthorRules, anchor: int) -> None:
        self.found: dict[str, Candidate] = {}
        self.rules, self.anchor = rules, anchor
        self._prefix, self._cut = compile_words(rules.prefixes), compile_words(rules.cuts)
        self._never = compile_words(rules.never_names)

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

    def add_rows(self, evidence: Evidence, rows: Iterable[int], source: str, feature: str) -> None:
        """Elements that hold a name: their text, and the links inside on their own."""
        for i, row in enumerate(rows):
            distance = row - self.anchor if self.anchor >= 0 else None
            extra = (f"{feature}_first",) if i == 0 else ()
            text = evidence.read_text(row)
            if text and len(text) <= _MAX_CHARS:
                self.add(text, source, feature, *extra, row=row, distance=distance)


def find_author(
    evidence: Evidence,
    rules: AuthorRules,
    kind: dict[str, float],
    anchor: int,
    sites: tuple[str, ...],
    chosen: FieldValue | None = None,
) -> FieldValue:
    """The author or authors. kind: what the page says it is; anchor: row of the title or -1; `chosen` by a rule beats
    the card."""
    if chosen:
        return chosen
    candidates = collect_authors(evidence, rules, anchor, sites)
    return choose_candidate(candidates, rules.card, describe_choice(candidates, kind))[1]


def describe_choice(candidates: list[Candidate], kind: dict[str, float]) -> dict[str, float]:
    """Features of the page that speak for any answer."""
    return {**kind, "n_candidates": float(len(candidates))}


def collect_authors(evidence: Evidence, rules: AuthorRules, anchor: int, sites: tuple[str, ...]) -> list[Candidate]:
    """Every possible author with its features."""
    pool = NamePool(rules, anchor)
    _add_metas(pool, evidence, rules)
    _add_things(pool, evidence, rules)
    _add_properties(pool, evidence, rules)
    _add_links(pool, evidence, rules)
    _add_classes(pool, evidence, rules)
    _add_bylines(pool, evidence, rules)
    candidates = list(pool.found.values())
    for candidate in candidates:
        describe_name(candidate, rules, sites)
    return candidates


def _add_metas(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    for i, (name, text) in enumerate(evidence.read_meta(rules.metas)):
        pool.add(text, f"meta {name}", "meta", *(("meta_first",) if i == 0 else ()))
    same = [text for _, text in evidence.read_meta(rules.metas[:1])]
    if len(same) > 1:
        pool.add(", ".join(dict.fromkeys(same)), f"meta {rules.metas[0]}", "meta_all")
    label = compile_words(rules.card_labels)
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
            distance = row - pool.anchor if pool.anchor >= 0 else None
            inside = [inner for inner in range(row + 1, int(evidence.document.end[row])) if inner in names]
            first = ("itemprop_first",) if i == 0 else ()
            for target in inside[:1] or [row]:
                content = read_attribute(evidence.document, target, "content")
                text = content or evidence.read_text(target)
                if text and len(text) <= _MAX_CHARS:
                    pool.add(text, f"itemprop {key}", "itemprop", *first, row=target, distance=distance)


def _add_links(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    document = evidence.document
    author_url, user_url = compile_words(rules.author_urls), compile_words(rules.user_urls)
    counts = {"rel_author": 0, "author_link": 0, "user_link": 0}
    rows = evidence.rows_of("a")
    hrefs = [read_attribute(document, row, "href") or "" for row in rows]
    telling = set(find_hinting(hrefs, rules.url_hints))
    for i, (row, href) in enumerate(zip(rows, hrefs, strict=True)):
        if not href:
            continue
        kind = ""
        if i in telling:
            kind = "author_link" if author_url.search(href) else "user_link" if user_url.search(href) else ""
        rel = document.attrs[row].get("rel")
        kinds = [kind] if kind else []
        if rel and "author" in rel:
            kinds.append("rel_author")
        if not kinds or counts[kinds[-1]] >= _MAX_ROWS:
            continue
        text = evidence.read_text(row)
        if not text or len(text) > _MAX_CHARS:
            continue
        firsts = [f"{kind}_first" for kind in kinds if counts[kind] == 0]
        for kind in kinds:
            counts[kind] += 1
        place = ["link_in_landmark"] if evidence.in_landmark[row] else []
        distance = row - pool.anchor if pool.anchor >= 0 else None
        pool.add(text, "author link", *kinds, *firsts, *place, row=row, distance=distance)


def _add_classes(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    """Elements with a class that names an author or a by-line; the innermost of nested ones counts on its own."""
    classes, hints = evidence.classes, rules.class_hints
    names = sorted(set(classes))
    hinting = [names[i] for i in find_hinting(names, hints)]
    for feature, pattern in (("author_class", rules.author_classes), ("user_class", rules.user_classes)):
        search = compile_words(pattern).search
        telling = {name for name in hinting if search(name)}
        rows = [row for row, name in enumerate(classes) if name in telling] if telling else []
        rows = [row for row in rows if evidence.document.displayed[row] and row != 0][:_MAX_ROWS]
        pool.add_rows(evidence, rows, "class", feature)
        for i, row in enumerate(rows):
            links = [
                r
                for r in range(row + 1, min(int(evidence.document.end[row]), row + 40))
                if evidence.document.names[r] == "a"
            ]
            inner = [name for name in map(evidence.read_text, links[:10]) if name]
            distance = row - pool.anchor if pool.anchor >= 0 else None
            for name in inner[:1]:
                pool.add(
                    name,
                    "link in class",
                    f"{feature}_link",
                    *((f"{feature}_link_first",) if i == 0 else ()),
                    row=row,
                    distance=distance,
                )


def _add_bylines(pool: NamePool, evidence: Evidence, rules: AuthorRules) -> None:
    """Text that begins with, or holds, a by-line near the title."""
    begin, inside = compile_words(rules.byline), re.compile(rules.byline_inside)
    blocks = evidence.columns.blocks
    position = evidence.block_position
    n = 0
    for i, text in enumerate(blocks.text):
        if len(text) > _MAX_CHARS:
            continue
        distance = int(position[i]) - pool.anchor if pool.anchor >= 0 else None
        found = begin.match(text)
        value = text if found else ""
        if found and found.end() == len(text) and i + 1 < len(blocks):
            value = blocks.text[i + 1]
        feature = "byline"
        if not found:
            held = inside.search(text)
            if held:
                value, feature = held[1], "byline_inside"
        if value and len(value) <= _MAX_CHARS and n < _MAX_ROWS:
            first = (f"{feature}_first",) if n == 0 else ()
            n += 1
            place = ("byline_in_landmark",) if evidence.in_landmark[blocks.row[i]] else ()
            pool.add(value, "by-line", feature, *first, *place, row=int(blocks.row[i]), distance=distance)


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
    features["collective"] = float(bool(compile_words(rules.collective).search(name)))
    features["no_name"] = float(bool(compile_words(rules.no_names).search(name)))
    features["n_chars"] = float(len(name))
