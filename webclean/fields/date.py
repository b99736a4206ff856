"""Published and modified date (patent S305: by date-time patterns).

Candidates are days. Each statement of a day adds features to its candidate: meta elements, JSON-LD, microdata, `time`
elements, the URL, and text with its label and its distance from the title. A card of points chooses the day; the value
is the most precise statement of that day.

The days are compared with each other: a day of modification is none of publication, and one that only a sentence tells
of is neither where another is stated.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from itertools import islice
from typing import Final

import msgspec

from webclean import core
from webclean.fields import date_text
from webclean.fields.candidates import Candidate, Pool, score_candidates
from webclean.fields.date_text import DateContext, DateReader, FoundDate
from webclean.fields.scan import TextScan, compile_finders
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.parse.columns import climb, find_attribute, list_values, read_attribute
from webclean.parse.controls import clean_line
from webclean.rules.page_schema import DateRules

_LABELS: Final = ("", "text_published", "text_modified")
_LABEL_BLOCK_CHARS: Final = 24
"""Longest text block that can be the label of the next one: a heading is none."""
_SHORT_CHARS: Final = 60
"""A shorter text is a line about the article (`Ann Lee · 3 March 2024`); a longer one tells what happened on a day."""
_EASTERNMOST: Final = timezone(timedelta(hours=14))
"""The Line Islands of Kiribati, where it is latest in the day."""
_ZONES: Final = timedelta(days=1)
"""Largest difference between the dates of one moment in two time zones."""
_MAX_CLASS_LEVELS: Final = 3
"""A `time` and two elements around it: `div.updated > span > time`. Further up the classes are those of the article."""
_OTHER_DATED: Final = frozenset(("time", "ins", "del"))
"""Elements whose `datetime` is read with their text, or says when a text was changed (HTML standard, 4.7)."""
_BEGINS: Final = frozenset("12/")
"""First characters of a date for machines."""
_HEAD_ROWS: Final = 40
"""Elements above the title that belong to it; above them stand the dates of teasers, and the clock of a board."""
_MAX_TIMES, _MAX_DATED_TEXTS = 200, 120
"""Calendars and archives have thousands of dates, none of which is the page's."""
_SENTENCE: Final = re.compile(r"\w{2}.*[.!?。！？؟।]\W*$")
"""What follows a date up to the end of a sentence."""
PUBLISHED: Final = frozenset(("meta_published", "json_ld_published", "itemprop_published", "text_published"))
_MODIFIED: Final = frozenset(("meta_modified", "json_ld_modified", "itemprop_modified", "text_modified"))
"""Features that state explicitly that a day is the one of modification."""
_IN_META: Final = frozenset(("meta_published", "meta_like_published"))
_SAID_PUBLISHED: Final = PUBLISHED | {"meta_like_published", "json_ld_published_otherwise"}
"""These, and weaker statements, which tell what a day of modification is beside."""
_LABELLED: Final = frozenset(("text_published", "text_modified", "time_modified"))
_LABELLED_MODIFIED: Final = frozenset(("text_modified", "time_modified"))
_STATED: Final = _SAID_PUBLISHED | {"time_published", "time_modified", "attribute_published"}
_FOR_MACHINES: Final = PUBLISHED - {"text_published"}
_DISTANCES: Final = frozenset(("time_distance", "text_distance"))
_OTHERS: Final = 60
"""Elements from the title from which on days without a label are those of other articles."""
_FAR: Final = 12
"""Elements from the title: lines further away may be of other things."""
_WEST_HOURS: Final = 12
_EAST_HOURS: Final = 14
"""Hours by which time zones are at most behind and ahead of UTC."""


class Statement(msgspec.Struct, frozen=True):
    """One place of the page that states a date.

    instant: the moment, if a time and a zone are written. near: (name, value) of the feature for the distance from the
    title, in elements.
    """

    found: FoundDate
    source: str
    features: tuple[str, ...]
    row: int
    instant: datetime | None
    near: tuple[str, int] | None


class DatePool(Pool):
    """Collects the statements of dates on a page, in the order in which they were found."""

    def __init__(self, context: DateContext) -> None:
        super().__init__()
        self.statements: list[Statement] = []
        self.days: set[date] = set()
        self.context = context
        self._earliest, self._latest = context.reader.earliest, context.reference.astimezone(_EASTERNMOST).date()

    def add(
        self,
        found: FoundDate | None,
        source: str,
        *features: str,
        row: int = -1,
        near: tuple[str, int] | None = None,
        time: FoundDate | None = None,
    ) -> None:
        """Keep a date unless it is too early or in the future. time: the date in the `time` element that shows it."""
        # a day after the present is an event, an offer's end, a typing error: the page cannot have been published then
        if found is None or not self._earliest <= found.day <= self._latest:
            return
        moment = time or found
        instant = moment.instant if moment.has_time else None
        # without a title there is no distance from it
        near = near if self.context.anchor >= 0 else None
        self.statements.append(Statement(found, source, features, row, instant, near))
        self.days.add(found.day)


def collect_dates(statements: PageStatements, rules: DateRules, context: DateContext) -> list[Candidate]:
    """Every day that the page states somewhere, with its features."""
    pool = DatePool(context)
    # before texts: what is stated tells how numeric dates of texts are read
    _add_stated(pool, statements, rules)
    pool.add(date_text.read_url(statements.address, context.reader), "url", "url")
    texts = read_dated_texts(statements, rules, context)
    # one date that can be read in one way only tells how to read all others of the page
    if order := date_text.infer_day_order([date for _, _, dates in texts for date in dates], pool.days):
        pool.context = msgspec.structs.replace(context, month_first=lambda: order == "month")
        other = "day?" if order == "month" else "month?"
        texts = [(i, text, [d.swapped if d.order == other else d for d in dates]) for i, text, dates in texts]
    times = _add_times(pool, statements)
    _add_attributes(pool, statements, rules)
    _add_texts(pool, statements, rules, texts, times)
    days = group_by_day(pool.statements)
    compare_days(days)
    return list(days.values())


DatedText = tuple[int, str, list[FoundDate]]
"""Number of a text block, its text, the dates in it."""


def read_dated_texts(statements: PageStatements, rules: DateRules, context: DateContext) -> list[DatedText]:
    """The text blocks near the title with a date in their first characters; of the whole page if it shows no title."""
    texts, first, last, reader = statements.columns.blocks.text, 0, len(statements.columns.blocks.text), context.reader
    if context.anchor >= 0:
        # a date far from the title is of a teaser, a comment, a year of the story
        edges = context.anchor - rules.rows_above, context.anchor + rules.rows_below + 1
        first, last = statements.block_position.searchsorted(edges).tolist()
    # every date has a day of the month in digits: most texts have none, and are not searched
    numbered = core.list_numbered(texts, first, last, rules.max_chars)
    begun = TextScan([texts[i][: rules.max_chars] for i in numbered])
    hits = (numbered[hit] for hit in islice(begun.find_texts(reader.dates.loose), _MAX_DATED_TEXTS))
    read = ((i, texts[i], list(date_text.read_dates(texts[i], reader, context.month_first))) for i in hits)
    return [item for item in read if item[2]]


def _add_stated(pool: DatePool, statements: PageStatements, rules: DateRules) -> None:
    """Add what meta elements, then JSON-LD, then microdata state."""
    document, read = statements.document, pool.context.read
    for kind, names in (("published", rules.metas_published), ("modified", rules.metas_modified)):
        for text, source in statements.read_metas(names):
            first = pool.mark_first("meta_modified_first") if kind == "modified" else ()
            pool.add(read(text), source, f"meta_{kind}", *first)
    # sites invent names (`publish_date`, `article.created`): read by their words where none is listed
    classify = pool.context.reader.classify_meta
    for name in filter(classify, statements.metas):
        for text in map(clean_line, statements.metas[name]):
            # the name is the page's own here, not one of a rule
            found = read(text) if len(text) <= date_text.MACHINE_CHARS else None
            pool.add(found, f"meta {clean_line(name)}", f"meta_like_{classify(name)}")
    of_things = ("published", rules.json_ld_published), ("modified", rules.json_ld_modified)
    page_types = frozenset(rules.json_ld_page_types)
    dated = [thing for thing in statements.things if rules.json_ld_published[0] in thing.values]
    # an article that states its day is what the page is for; without one the page is a page, which has that day alone
    page = ["page_published"] * bool(dated and all(page_types.issuperset(thing.types) for thing in dated))
    for thing in statements.things:
        # authors, comments and videos have days of their own
        for kind, keys in () if thing.role in rules.json_ld_reference_roles else of_things:
            for key in filter(thing.values.__contains__, keys):
                # `dateCreated`: of a draft, or of the template
                feature = f"json_ld_{kind}{'' if key != keys[-1] or kind == 'modified' else '_otherwise'}"
                for text in thing.texts(key)[:1]:
                    about = page if kind == "published" else pool.mark_first("json_ld_modified_first")
                    pool.add(read(text), f"json-ld {key}", feature, *about)
    for kind, names in (("published", rules.properties_published), ("modified", rules.properties_modified)):
        for name in names if statements.properties else ():
            for row in statements.properties.get(name.lower(), ())[:20]:
                # the days of meta elements were read with the other statements
                found = read(statements.read_machine_value(row)) if document.names[row] != "meta" else None
                pool.add(found, f"itemprop {name}", f"itemprop_{kind}", row=row)


def _add_times(pool: DatePool, statements: PageStatements) -> dict[int, FoundDate]:
    """Add `time` elements, with features for their classes, their place and their distance from the title.

    Returns row -> the date of the element.
    """
    document, anchor, read = statements.document, pool.context.anchor, pool.context.read
    stated: dict[int, FoundDate] = {}
    for row in statements.rows_of("time")[:_MAX_TIMES]:
        # some pages write `datetime="3 days ago"`, and the date in the text alone
        found = read(statements.read_machine_value(row)) or read(statements.read_text(row))
        if found is None:
            continue
        stated[row] = found
        features = ["time"]
        # far above the title stand clocks and teasers: none of these is the first date of the page
        if anchor < 0 or row >= anchor - _HEAD_ROWS:
            features += pool.mark_first("time_first")
        # `pubdate` was in drafts of HTML 5 until 2011
        is_published = read_attribute(document, row, "pubdate") is not None
        if kind := "published" if is_published else read_class_kind(statements, row, pool.context.reader):
            features.append(f"time_{kind}")
        if 0 <= anchor < row:
            features += pool.mark_first("time_first_below")
        pool.add(found, "time", *features, row=row, near=("time_distance", row - anchor))
    return stated


def _add_attributes(pool: DatePool, statements: PageStatements, rules: DateRules) -> None:
    """Add dates in attributes that the rules name, which scripts read."""
    document, anchor = statements.document, pool.context.anchor
    for name in filter(document.page.attribute_names.__contains__, rules.attributes):
        rows = find_attribute(document, name)
        for row, value in zip(rows[:_MAX_TIMES], list_values(document, name), strict=False):
            # links and pictures have hundreds of titles
            may_be = value.lstrip()[:1] in _BEGINS and document.names[row] not in _OTHER_DATED
            if found := date_text.read_machine_date(value) if may_be else None:
                kind = read_class_kind(statements, row, pool.context.reader) or "published"
                near = "time_distance", row - anchor
                pool.add(found, f"attribute {name}", "attribute", f"attribute_{kind}", row=row, near=near)


def _add_texts(
    pool: DatePool,
    statements: PageStatements,
    rules: DateRules,
    texts: Sequence[DatedText],
    times: Mapping[int, FoundDate],
) -> None:
    """Add dates in texts, with features for their labels, their place and their distance from the title."""
    anchor, blocks, document = pool.context.anchor, statements.columns.blocks, statements.document
    finders = compile_finders(rules.other_labels, rules.published_labels, rules.modified_labels)
    dated = {i for i, _, _ in texts}
    for i, text, dates in texts:
        row, distance = int(blocks.row[i]), int(statements.block_position[i]) - anchor
        place = ["text"]
        if statements.is_in_landmark(row):
            place.append("text_in_landmark")
        if blocks.n_link_chars[i] * 2 > blocks.n_chars[i]:
            place.append("text_in_link")
        if len(text) < _SHORT_CHARS:
            place.append("text_short")
        time = times.get(int(document.text_owner[blocks.first[i]]))
        above = blocks.text[i - 1] if i and i - 1 not in dated and len(blocks.text[i - 1]) <= _LABEL_BLOCK_CHARS else ""
        for found, matching in date_text.read_labels(above, text, dates, finders):
            if time and abs(found.day - time.day) > _ZONES:
                continue  # the element states another day, which a script will show in place of this text
            if 0 in matching:  # of something else: `© 2024`, `expires`, `last reply by`
                continue
            # a line about the article; `Das Gericht entschied am 3. Mai 2018.` is a short text, too
            is_line = len(text) < _SHORT_CHARS and not _SENTENCE.search(text, found.end)
            line = ["text_line", *["text_plain"] * (not matching)] if is_line else []
            features = place + line + [_LABELS[number] for number in matching]
            features += pool.mark_first("text_first") if anchor < 0 or distance >= -_HEAD_ROWS else []
            features += pool.mark_first("text_first_below") if min(distance, anchor) >= 0 else []
            pool.add(found, "text", *features, row=row, near=("text_distance", distance), time=time)


def read_class_kind(statements: PageStatements, row: int, reader: DateReader) -> str:
    """`published` or `modified` by the class of an element, else by the classes of the elements around it; else ''."""
    around = islice(climb(statements.document, row), _MAX_CLASS_LEVELS)
    classes = (read_attribute(statements.document, at, "class") or "" for at in around)
    return next(filter(None, map(reader.classify_name, classes)), "")


def choose_modified(candidates: list[Candidate], rules: DateRules) -> FieldValue:
    """Date of modification: of the days with points, that with most."""
    ranks = score_candidates(candidates, rules.modified_card)
    rated = [(rank, candidate) for rank, candidate in zip(ranks, candidates, strict=True) if rank > 0]
    if not rated:
        return FieldValue(None)
    # in a tie the later day wins: the last change is the modification
    best = max(rated, key=lambda item: (item[0], item[1].value))[1]
    return FieldValue(best.value, best.source, 0.9 if len(rated) == 1 else 0.7)


def group_by_day(statements: Sequence[Statement]) -> dict[date, Candidate]:
    """One candidate for each day; its value is the first of the most precise statements of that day.

    A moment can be stated in two time zones, and then on two days: `2024-03-05T01:00Z` and `2024-03-04T20:00-05:00`. It
    counts as one day: the one in the URL, else in a meta element, else in a zone other than UTC, in which machines
    write. A day that is shown without a time and differs from a meta element's moment by one, as it would in some zone,
    is merged with it if nothing else states that day, or if it is labelled as the day of publication.
    """
    in_url = {statement.found.day for statement in statements if statement.source == "url"}
    # of the days of one moment: that in the URL, then by the zone; of equals the earliest, so that order tells nothing
    best: dict[datetime, tuple[bool, int, date]] = {}
    for statement in statements:
        if statement.instant:
            own = statement.found
            # a meta element's day, then a time in a local zone, a day without time, a time in UTC
            zone = 3 if own.iso.endswith(("Z", "+00:00")) else 1 if own.has_time else 2
            rank = (own.day not in in_url, 0 if "meta_published" in statement.features else zone, own.day)
            best[statement.instant] = min(rank, best.get(statement.instant, rank))
    in_meta = {statement.found.day for statement in statements if "meta_published" in statement.features}
    beside: dict[date, date] = {}
    for instant, (_, _, day) in best.items():
        # only a meta element's moment draws other days to it: two days that a page shows may both be meant
        if instant.date() in in_meta:
            # the days on which this moment falls somewhere on earth: at 01:00 UTC it is still the day before in America
            steps = [-1] * (instant.hour < _WEST_HOURS) + [1] * (instant.hour >= 24 - _EAST_HOURS)
            near = [instant.date() + timedelta(step) for step in steps]
            # an address is made in the zone of its writer, a meta element often in UTC
            local = next((near_day for near_day in near if near_day in in_url and day not in in_url), None)
            if local and day == instant.date():
                best[instant] = (False, 0, local)
            beside |= dict.fromkeys(near, local or day)
    by_day: dict[date, list[Statement]] = {}
    for statement in statements if beside else ():
        by_day.setdefault(statement.found.day, []).append(statement)
    # a day that JSON-LD or the address states too is a day of its own
    shown = {day for day in beside if all(map(_is_shown, by_day.get(day, ())))}
    found: dict[date, Candidate] = {}
    for statement in statements:
        written = statement.found.day
        day = best[statement.instant][2] if statement.instant else written
        if written in shown or (written in beside and _is_shown(statement) and "text_published" in statement.features):
            day = beside[written]
        known = found.get(day)
        if known is None:
            known = found[day] = Candidate(day.isoformat(), statement.source, row=statement.row)
        # the longer form has the time; of a day that was merged into another it would tell a wrong one
        if day == written and len(statement.found.iso) > len(known.value):
            known.value = statement.found.iso
        known.features |= dict.fromkeys(statement.features, 1.0)
        if statement.near:
            name, distance = statement.near
            known.features[name] = min(known.features.get(name, float(distance)), float(distance), key=abs)
    return found


def _is_shown(statement: Statement) -> bool:
    """Whether a date is written on the page, without a time."""
    hidden = any(name.startswith(("meta_", "json_ld_", "url")) for name in statement.features)
    return not hidden and not statement.found.has_time


def _mark_told(days: Collection[Candidate]) -> None:
    """Mark the days that are hardly the page's own, if something else says when it was published: those that stand in
    running text alone, which tells of other things, and those without a label that stand far from the title, or for
    which no title is known, which are of other articles."""
    lines = {name for one in days if "text_line" in one.features for name in one.features}
    is_told = "text_modified" in lines or any(not _STATED.isdisjoint(one.features) for one in days)
    is_stated = any(not _FOR_MACHINES.isdisjoint(one.features) for one in days)
    # a label in a sentence counts for less than one in a line
    said = set() if "text_published" in lines else {"text_published"}
    for one in days:
        names = one.features.keys()
        in_prose = is_told and names.isdisjoint({"text_line", *said}) and all(name.startswith("text") for name in names)
        is_unlabelled = names.isdisjoint(_LABELLED) and all(name.startswith(("text", "time")) for name in names)
        near = min((abs(one.features[name]) for name in _DISTANCES & names), default=_OTHERS)
        if in_prose or (is_stated and is_unlabelled and near >= _OTHERS):
            one.features["told_beside_stated"] = 1.0


def compare_days(found: dict[date, Candidate]) -> None:
    """Add the features that compare the days of a page.

    These are: days stated only as modification while another one is stated as publication; whether meta elements
    distinguish the two. A meta element that only may state modification is ignored on a day that another one states as
    publication.
    """
    for candidate in (one for one in found.values() if "meta_like_published" in one.features):
        # `date` holds a word for either: what a second meta element says counts
        candidate.features.pop("meta_like_modified", None)
    if len(found) < 2:
        return  # one day is compared with none
    _mark_told(found.values())
    # a modification is seldom the day that people name, unless no other one is stated
    published = {day for day, candidate in found.items() if not _SAID_PUBLISHED.isdisjoint(candidate.features)}
    # `Updated 9 March` above `5 March`: the line without a label tells the publication
    changed = [day for day, candidate in found.items() if {"text_modified", "text_line"} <= candidate.features.keys()]
    # a line of its own beside the title, which says nothing more of its day
    plain = {
        day
        for day, candidate in found.items()
        if changed and day < max(changed) and "text_line" in candidate.features
        and abs(candidate.features.get("text_distance", _FAR)) < _FAR
        and candidate.features.keys().isdisjoint(_MODIFIED | {"text_in_link", "text_in_landmark"})
    }  # fmt: skip
    told_apart = bool(plain and not published)
    published = published or plain
    in_meta = any(not _IN_META.isdisjoint(candidate.features) for candidate in found.values())
    # if lines of text label two days, each day is what its label says
    labelled = told_apart or any({"text_published", "text_line"} <= one.features.keys() for one in found.values())
    modified_in_meta = [day for day, candidate in found.items() if "meta_modified" in candidate.features]
    of_page = any("page_published" in candidate.features for candidate in found.values())
    for day, candidate in found.items():
        features = candidate.features
        is_said = not _LABELLED_MODIFIED.isdisjoint(features)
        # shown without a label too: of a post that was edited on its first day
        is_plain = "text" in features and (not is_said or ("text_plain" in features and not in_meta))
        if published and day not in published and not _MODIFIED.isdisjoint(features):
            features["modified_shown_plain" if is_plain else "only_modified"] = 1.0
            if is_said and not is_plain:
                features["said_modified"] = 1.0
            if not is_plain and (of_page or labelled or (is_said and in_meta)):
                features["surely_modified"] = 1.0
        if "meta_published" in features and modified_in_meta and day not in modified_in_meta:
            features["meta_tells_both"] = 1.0
