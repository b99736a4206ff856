"""Published and modified date (patent S305: by date-time patterns).

Candidates are days. Whatever states a day speaks for it: meta elements, JSON-LD, microdata, `time` elements, the URL,
and
text, with its label and its distance from the title. The card weighs them; the most precise statement of the day is
the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Final

from webclean.fields.card import Candidate, choose_candidate, score_candidate
from webclean.fields.date_text import (
    DateReader,
    FoundDate,
    compile_dates,
    is_past,
    read_dates,
    read_iso,
    read_relative,
)
from webclean.fields.evidence import Evidence, split_tokens
from webclean.fields.scan import compile_finder
from webclean.model import FieldValue
from webclean.parse import read_attribute
from webclean.parse.url import find_host
from webclean.rules.fields_schema import DateRules

_LABEL_CHARS: Final = 40
_MAX_TIMES: Final = 200
_MAX_DATED_TEXTS: Final = 120
_URL_DATE: Final = re.compile(r"[/._-]((?:19|20)\d\d)[/._-]?(0?[1-9]|1[0-2])[/._-]?([0-2]\d|3[01])(?=[/._-]|$)")


@dataclass(frozen=True, slots=True)
class DateContext:
    """What dates are read with: compiled templates, day and month order, the reference, and the row of the title or
    -1."""

    reader: DateReader
    month_first: bool
    reference: datetime
    relative: bool
    anchor: int


class DayPool:
    """Candidates by day; the value is the most precise statement of the first source that has a time."""

    def __init__(self, context: DateContext) -> None:
        self.found: dict[date, Candidate] = {}
        self.context = context

    def add(self, found: FoundDate | None, source: str, *features: str, row: int = -1) -> Candidate | None:
        if found is None or not is_past(found, self.context.reference) or found.day < self.context.reader.earliest:
            return None
        known = self.found.setdefault(found.day, Candidate(found.iso, source, row=row))
        if len(found.iso) > len(known.value):
            known.value = found.iso
        for feature in features:
            known.features[feature] = 1.0
        return known

    def read(self, text: str) -> FoundDate | None:
        """The first date of a value: ISO 8601, else the first template that fits."""
        context = self.context
        return read_iso(text) or next(read_dates(text, context.reader, context.month_first), None)


def is_month_first(language: str, url: str, rules: DateRules) -> bool:
    """Whether 3/4/2024 is March the fourth: by language, unless its region or the country of the host says
    otherwise."""
    code, _, region = language.replace("_", "-").lower().partition("-")
    country = find_host(url).rpartition(".")[2]
    if region in rules.day_first_regions or country in rules.day_first_regions:
        return False
    return code in rules.month_first_languages or not code


def find_dates(
    evidence: Evidence,
    rules: DateRules,
    kind: dict[str, float],
    anchor: int,
    language: str,
    reference: datetime,
    relative: bool,
    chosen: FieldValue | None = None,
) -> tuple[FieldValue, FieldValue]:
    """(published, modified). anchor: row of the title or -1; relative: read `3 hours ago` against the reference."""
    reader = prepare_reader(rules)
    order = is_month_first(language, evidence.document.url or "", rules)
    pool = DayPool(DateContext(reader, order, reference, relative, anchor))
    candidates = collect_dates(evidence, rules, pool.context)
    published = choose_candidate(candidates, rules.card, describe_choice(candidates, kind))[1]
    if chosen:
        found = pool.read(chosen.value or "")
        published = FieldValue(found.iso, chosen.source, 1.0) if found else published
    rated = [
        (rank, candidate)
        for candidate in candidates
        if (rank := score_candidate(candidate.features, rules.modified_card)) > rules.modified_card.cut
    ]
    if not rated:
        return published, FieldValue(None)
    best = max(rated, key=lambda item: (item[0], item[1].value))[1]
    return published, FieldValue(best.value, best.source, 0.9 if len(rated) == 1 else 0.7)


def describe_choice(candidates: list[Candidate], kind: dict[str, float]) -> dict[str, float]:
    """Features of the page that speak for any answer."""
    return {**kind, "n_candidates": float(len(candidates))}


_readers: dict[int, tuple[DateRules, DateReader]] = {}


def prepare_reader(rules: DateRules) -> DateReader:
    """The compiled templates of a rule set, kept; the rules are held too, so that their identity stays theirs."""
    known = _readers.get(id(rules))
    if known is None or known[0] is not rules:
        if len(_readers) >= 64:
            _readers.clear()
        known = _readers[id(rules)] = (rules, compile_dates(rules))
    return known[1]


def collect_dates(evidence: Evidence, rules: DateRules, context: DateContext) -> list[Candidate]:
    """Every day that something on the page states, with its features."""
    pool = DayPool(context)
    _add_metas(pool, evidence, rules)
    _add_things(pool, evidence, rules)
    _add_properties(pool, evidence, rules)
    _add_times(pool, evidence, rules)
    _add_texts(pool, evidence, rules)
    found = _URL_DATE.search(evidence.document.url or "")
    if found:
        pool.add(pool.read("-".join(part.zfill(2) for part in found.groups())), "url", "url")
    return _compare_days(pool.found)


def _add_metas(pool: DayPool, evidence: Evidence, rules: DateRules) -> None:
    for kind, names in (("published", rules.metas_published), ("modified", rules.metas_modified)):
        for i, (name, text) in enumerate(evidence.read_meta(names)):
            first = (f"meta_{kind}_first",) if i == 0 else ()
            pool.add(pool.read(text), f"meta {name}", f"meta_{kind}", *first)


def _add_things(pool: DayPool, evidence: Evidence, rules: DateRules) -> None:
    seen: set[str] = set()
    for thing in evidence.things:
        far = thing.role in rules.json_ld_reference_roles
        for kind, keys in (("published", rules.json_ld_published), ("modified", rules.json_ld_modified)):
            for key in keys:
                for text in thing.texts(key)[:1]:
                    feature = f"json_ld_{kind}_of_part" if far else f"json_ld_{kind}"
                    extra = (f"{feature}_first",) if feature not in seen else ()
                    seen.add(feature)
                    pool.add(pool.read(text), f"json-ld {key}", feature, *extra)


def _add_properties(pool: DayPool, evidence: Evidence, rules: DateRules) -> None:
    for kind, names in (("published", rules.properties_published), ("modified", rules.properties_modified)):
        for name in names:
            for i, row in enumerate(evidence.properties.get(name.lower(), ())[:20]):
                if evidence.document.names[row] != "meta":
                    first = (f"itemprop_{kind}_first",) if i == 0 else ()
                    pool.add(
                        pool.read(read_machine_value(evidence, row)),
                        f"itemprop {name}",
                        f"itemprop_{kind}",
                        *first,
                        row=row,
                    )


def read_machine_value(evidence: Evidence, row: int) -> str:
    """`datetime` or `content` of an element, else its text."""
    for name in ("datetime", "content"):
        value = read_attribute(evidence.document, row, name)
        if value and value.strip():
            return value.strip()
    return evidence.read_text(row)


def _add_times(pool: DayPool, evidence: Evidence, rules: DateRules) -> None:
    """`time` elements: the words of their classes and of the elements around them, their place and their distance."""
    document, published, modified = evidence.document, set(rules.published_words), set(rules.modified_words)
    anchor = pool.context.anchor
    for i, row in enumerate(evidence.rows_of("time")[:_MAX_TIMES]):
        found = pool.read(read_machine_value(evidence, row)) or pool.read(evidence.read_text(row))
        words, above = set(), row
        for _ in range(3):
            if above >= 0:
                words.update(split_tokens(evidence.classes[above]))
                above = int(document.parent[above])
        features = ["time"]
        if "pubdate" in document.attrs[row] or words & published:
            features.append("time_published")
        if words & modified:
            features.append("time_modified")
        if i == 0:
            features.append("time_first")
        if evidence.in_landmark[row]:
            features.append("time_in_landmark")
        if document.link[row] >= 0:
            features.append("time_in_link")
        candidate = pool.add(found, "time", *features, row=row)
        if candidate and anchor >= 0:
            _keep_nearest(candidate, "time_distance", row - anchor)


def _keep_nearest(candidate: Candidate, name: str, distance: int) -> None:
    known = candidate.features.get(name)
    if known is None or abs(distance) < abs(known):
        candidate.features[name] = float(distance)


def list_dated_texts(evidence: Evidence, reader: DateReader) -> Iterator[tuple[int, str]]:
    """(block, text) of the text blocks that may hold a date."""
    texts = evidence.columns.blocks.text
    for i in islice(evidence.text_scan.find_texts(reader.dates.loose), _MAX_DATED_TEXTS):
        yield i, texts[i]


def _add_texts(pool: DayPool, evidence: Evidence, rules: DateRules) -> None:
    context, blocks = pool.context, evidence.columns.blocks
    labels = [
        ("text_published", compile_finder(rules.published_labels)),
        ("text_modified", compile_finder(rules.modified_labels)),
    ]
    other, n_dates = compile_finder(rules.other_labels), 0
    for i, text in list_dated_texts(evidence, context.reader):
        row = int(blocks.row[i])
        for found in read_dates(text, context.reader, context.month_first):
            before = text[max(0, found.start - _LABEL_CHARS) : found.start]
            if len(before) < 3 and i:
                before = blocks.text[i - 1][-_LABEL_CHARS:] + " " + before
            if other.search(before):
                continue
            features = ["text"] + [name for name, label in labels if label.search(before)]
            features += ["text_first"] if n_dates == 0 else []
            n_dates += 1
            if evidence.in_landmark[row]:
                features.append("text_in_landmark")
            if blocks.n_link_chars[i] * 2 > blocks.n_chars[i]:
                features.append("text_in_link")
            if len(text) < 60:
                features.append("text_short")
            candidate = pool.add(found, "text", *features, row=row)
            if candidate and context.anchor >= 0:
                _keep_nearest(candidate, "text_distance", int(evidence.block_position[i]) - context.anchor)
    if context.relative:
        _add_relative(pool, evidence)


def _add_relative(pool: DayPool, evidence: Evidence) -> None:
    context, blocks = pool.context, evidence.columns.blocks
    for i, text in enumerate(blocks.text):
        if len(text) < 60 and (found := read_relative(text, context.reader, context.reference)):
            candidate = pool.add(found, "relative text", "relative", row=int(blocks.row[i]))
            if candidate and context.anchor >= 0:
                _keep_nearest(candidate, "text_distance", int(evidence.block_position[i]) - context.anchor)


def _compare_days(found: dict[date, Candidate]) -> list[Candidate]:
    """Add which day is the earliest and the latest of those that metas, JSON-LD, microdata or labels state."""
    strong = [
        day
        for day, candidate in found.items()
        if any(
            name.startswith(("meta_", "json_ld_", "itemprop_", "time_published", "text_published"))
            for name in candidate.features
        )
    ]
    if len(strong) > 1:
        found[min(strong)].features["earliest"] = 1.0
        found[max(strong)].features["latest"] = 1.0
    return list(found.values())
