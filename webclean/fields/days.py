"""The statements of dates of a page -> its days: one candidate each, compared with each other.

A day of modification is none of publication, and one that only a sentence tells of is neither where another is stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

import msgspec

from webclean.fields.candidates import Candidate, score_candidates
from webclean.fields.date_text import FoundDate
from webclean.model import FieldValue
from webclean.rules.fields_schema import DateRules

PUBLISHED: Final = frozenset(("meta_published", "json_ld_published", "itemprop_published", "text_published"))
_MODIFIED: Final = frozenset(("meta_modified", "json_ld_modified", "itemprop_modified", "text_modified"))
"""Features that state explicitly that a day is the one of modification."""
_LABELLED_MODIFIED: Final = frozenset(("text_modified", "time_modified"))
_STATED: Final = PUBLISHED | {"time_published"}
_OF_PROSE: Final = frozenset(
    (
        "text",
        "text_short",
        "text_first",
        "text_first_below",
        "text_in_landmark",
        "text_in_link",
        "text_modified",
        "text_distance",
    )
)
"""Features of a day that stands in sentences alone, without a label."""
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


def choose_modified(candidates: list[Candidate], rules: DateRules) -> FieldValue:
    """Date of modification: of the days with points, that with most."""
    ranks = score_candidates(candidates, rules.modified_card)
    rated = [(rank, candidate) for rank, candidate in zip(ranks, candidates, strict=True) if rank > 0]
    if not rated:
        return FieldValue(None)
    # of equals the later one: what was changed last is the modification
    best = max(rated, key=lambda item: (item[0], item[1].value))[1]
    return FieldValue(best.value, best.source, 0.9 if len(rated) == 1 else 0.7)


def count_unstated(candidates: Sequence[Candidate]) -> float:
    """The number of days, 0 where one is stated as publication: of many days that a page shows, none may be its own."""
    stated = any(not PUBLISHED.isdisjoint(candidate.features) for candidate in candidates)
    return 0.0 if stated else float(len(candidates))


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


def compare_days(found: dict[date, Candidate]) -> None:
    """Add the features that compare the days of a page.

    These are: the earliest and the latest of the days in meta elements, JSON-LD, microdata and labels; days stated only
    as modification while another one is stated as publication; whether meta elements distinguish the two. A meta
    element that only may state modification is ignored on a day that another one states as publication.
    """
    for candidate in (one for one in found.values() if "meta_like_published" in one.features):
        # `date` holds a word for either: what a second meta element says counts
        candidate.features.pop("meta_like_modified", None)
    if len(found) < 2:
        return  # one day is compared with none
    strong = [
        day
        for day, candidate in found.items()
        if any(
            name.startswith(("meta_", "json_ld_", "itemprop_", "time_published", "text_published"))
            and "_of_part" not in name
            and "_otherwise" not in name
            for name in candidate.features
        )
    ]
    # of one day neither tells anything
    if len(strong) > 1:
        found[min(strong)].features["earliest"] = 1.0
        found[max(strong)].features["latest"] = 1.0
    # in running text a day is that of what the text tells of, unless nothing else says when it was published
    if any(not _STATED.isdisjoint(candidate.features) for candidate in found.values()):
        for candidate in found.values():
            if "text" in candidate.features and candidate.features.keys() <= _OF_PROSE:
                candidate.features["told_beside_stated"] = 1.0
    # a modification is seldom the day that people name, unless no other one is stated
    published = {day for day, candidate in found.items() if not PUBLISHED.isdisjoint(candidate.features)}
    in_meta = any("meta_published" in candidate.features for candidate in found.values())
    # of two days that lines of text label, each is what its label says
    labelled = any({"text_published", "text_line"} <= candidate.features.keys() for candidate in found.values())
    modified_in_meta = [day for day, candidate in found.items() if "meta_modified" in candidate.features]
    of_page = any("page_published" in candidate.features for candidate in found.values())
    for day, candidate in found.items():
        features = candidate.features
        if published and day not in published and not _MODIFIED.isdisjoint(features):
            if "text" in features and "text_modified" not in features:
                features["modified_shown_plain"] = 1.0
            else:
                features["only_modified"] = 1.0
                features |= {"surely_modified": 1.0} if of_page or labelled else {}
                if not _LABELLED_MODIFIED.isdisjoint(features):
                    features["said_modified_beside_meta" if in_meta else "said_modified"] = 1.0
        if "meta_published" in features and modified_in_meta and day not in modified_in_meta:
            features["meta_tells_both"] = 1.0
