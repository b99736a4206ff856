"""The posts of a thread, of whatever board: where they are, by runs of alike elements.

The core lists the runs of a page and what their units show (`core/posts.py`); here stand what it is given, what
makes a run one of posts, and which of several runs it is:

    div.topic > div.post > div.inner      three runs: those with the most running text are near to each other
                                          those of `div.inner` have a date, and no person
                                          those of `div.post` have both, and are the widest
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.page_words import find_names
from webclean.features.words import split_name
from webclean.matching.expressions import compile_pattern
from webclean.model import Rows
from webclean.parse import find_attribute, read_attributes
from webclean.parse.columns import list_values_once
from webclean.parse.tags import CODE, FORMATTING, tag_mask
from webclean.rules.rule_schema import cached_per_rule_set
from webclean.rules.segments_schema import PostSearch

_PART: Final = (FORMATTING | tag_mask("a span strong time label img input button wbr abbr cite mark q br")).view(
    np.uint8
)
"""Tags of what is a part of a line, and no unit."""
_APART: Final = "\n|\n"
"""Between texts that are searched at once: no date goes over it."""
_NUMBERED: Final = re.compile(r"[-_]?\d+")
_TOLD: Final = 2
"""What a unit with a date or a person is marked by."""
_STRADDLING: Final = 0.6
"""Of the units of one run that begin in a unit of the other and end behind it."""
_CLASSES: Final = 3
"""Classes of a name that count: what follows them are sizes and colours."""
_MOST_NAMES: Final = 1 << 14
"""Names that are remembered, more than the pages of a site have."""


class Run(NamedTuple):
    """A run of alike elements, as `core.RunSearch` gives it: units, int64 [3, n]; shares of them; running words."""

    units: Rows
    dated: float
    signed: float
    named: float
    said: float
    headed: float
    link_share: float
    running: float


class NameSigns(NamedTuple):
    """What a name of tag and class says. lasting: it without numbers and states. is_bare: it has no class."""

    lasting: str
    names_post: bool
    names_person: bool
    is_bare: bool


class _Names:
    """What the rule set says of names of tag and class, remembered: pages of a site share most of theirs."""

    def __init__(self, rules: PostSearch) -> None:
        self._is_state, self._is_post = compile_pattern(rules.states).search, compile_pattern(rules.named).search
        self._authors = frozenset(rules.authors.split())
        self._known: dict[str, NameSigns] = {}

    def describe(self, name: str) -> NameSigns:
        if name not in self._known:
            if len(self._known) >= _MOST_NAMES:
                self._known.clear()
            tag, *classes = name.split()
            bare = (_NUMBERED.sub("", one.lower()) for one in classes)
            lasting = [one for one in bare if one and not self._is_state(one)]
            said = " ".join(classes)
            is_person = not self._authors.isdisjoint(split_name(said))
            self._known[name] = NameSigns(
                " ".join([tag, *lasting[:_CLASSES]]), bool(self._is_post(said)), is_person, not classes
            )
        return self._known[name]


@cached_per_rule_set
def _plan_names(rules: PostSearch) -> _Names:
    return _Names(rules)


def describe_names(columns: PageColumns, rules: PostSearch) -> list[NameSigns]:
    """What each name of tag and class of a page says."""
    names = find_names(columns).list_classes()
    return [NameSigns("", False, False, True), *map(_plan_names(rules).describe, names[1:])]


@cached_per_page
def number_elements(columns: PageColumns, rules: PostSearch) -> tuple[Rows, list[str]]:
    """int64 [n_elements]: number of the name of each element without what differs from post to post; the names."""
    numbers: dict[str, int] = {}
    told = [numbers.setdefault(signs.lasting, len(numbers)) for signs in describe_names(columns, rules)]
    return np.array(told, dtype=np.int64)[find_names(columns).classes], list(numbers)


def find_post_rows(columns: PageColumns, rules: PostSearch) -> Rows:
    """int64 [2, n_posts]: the first rows and the ends of the posts of a page, in document order; none where no run is
    one of posts."""
    columns.view("words")
    document = columns.document
    classes, n = find_names(columns).classes, len(document)
    told, (number, _) = describe_names(columns, rules), number_elements(columns, rules)
    marks = np.zeros((4, n), dtype=np.uint8)
    marks[2], marks[1], marks[3] = np.array([signs[1:] for signs in told], dtype=np.uint8)[classes].T
    marks[1, list_people(columns, rules)] = 1
    marks[0, list_dated(columns, rules)] = 1
    search = core.RunSearch(document.page, number, marks, _PART, 2, rules.words, rules.title_chars)
    found, headlines = search.search(), search.headlines
    return _choose(columns, list(map(Run._make, found)), np.array(headlines, dtype=np.int64), rules)


def list_people(columns: PageColumns, rules: PostSearch) -> Rows:
    """The links that lead to somebody's page, and what is marked up as an author."""
    document = columns.document
    marked = find_attribute(document, "itemprop")
    authors = [
        row
        for row, value in zip(marked, read_attributes(document, marked, "itemprop"), strict=True)
        if value == "author"
    ]
    values, number = list_values_once(document, "href")
    rows = np.array(find_attribute(document, "href"), dtype=np.int64)
    is_person = np.zeros(len(values) + 1, dtype=bool)
    is_person[_search(values, compile_pattern(rules.people))] = True
    links = rows[is_person[number]]
    return np.concatenate([links[document.tag[links] == CODE["a"]], np.array(authors, dtype=np.int64)])


def list_dated(columns: PageColumns, rules: PostSearch) -> Rows:
    """The elements of the short texts that say when, and those for a time."""
    document = columns.document
    short = np.array(core.list_short_texts(document.page, rules.date_chars), dtype=np.int64)
    texts = [document.text[at] for at in short.tolist()]
    said = {*_search(texts, columns.prices_dates.date_texts), *_search(texts, compile_pattern(rules.ages))}
    return np.concatenate([document.text_owner[short[sorted(said)]], (document.tag == CODE["time"]).nonzero()[0]])


def _search(texts: list[str], expression: Any) -> list[int]:
    """Numbers of the texts in which an expression occurs."""
    ends = np.cumsum([len(text) + len(_APART) for text in texts])
    starts = [found.start() for found in expression.finditer(_APART.join(texts))]
    return sorted(set(np.searchsorted(ends, starts, side="right").tolist()))


def _choose(columns: PageColumns, runs: list[Run], headlines: Rows, rules: PostSearch) -> Rows:
    """The units of the run that is the posts."""
    posts = [run for run in runs if _is_of_posts(run, rules)]
    most = max((run.running for run in posts), default=0.0)
    rich = near = [run for run in posts if run.running >= rules.close * most]
    dated = [run for run in near if run.dated >= rules.dated]
    both = [run for run in dated if run.signed >= rules.signed]
    near = both or dated or near
    shown = max((run.dated + run.signed + run.said for run in near), default=0.0)
    near = [run for run in near if run.dated + run.signed + run.said >= shown - rules.clear]
    most_units = max((run.units.shape[1] for run in near), default=0)
    near = [run for run in near if run.units.shape[1] >= rules.as_many * most_units]
    # the widest: what stands beside a text belongs to its post
    widths = [int((run.units[1] - run.units[0]).sum()) for run in near]
    chosen = near[int(np.argmax(widths))] if near else None
    if chosen is None or (chosen.headed >= rules.headed and _has_own_headlines(columns, chosen, headlines)):
        return np.zeros((2, 0), dtype=np.int64)
    first, end, _ = _begin_with_heads(chosen, rich)
    # of posts inside each other, as replies are on some boards, a post ends where the next one begins
    return np.array([first, np.minimum(end, np.append(first[1:], end[-1:]))])


def _begin_with_heads(chosen: Run, runs: list[Run]) -> Rows:
    """int64 [3, n_posts]: the units of a run with text, or of one whose units begin above its own and end inside.

    Of siblings that repeat, `head text head text head text`, both `head text` and `text head` are runs. A board has
    its heads above its texts where the first run begins earlier on the page, but for what has no date and no writer.
    """
    units = _trim(chosen.units)
    for run in runs:
        other = _trim(run.units)
        if not other.shape[1] or other[0, 0] >= units[0, 0]:
            continue
        at = np.maximum(0, np.searchsorted(other[0], units[0], side="right") - 1)
        straddles = (other[0, at] < units[0]) & (units[0] < other[1, at]) & (other[1, at] < units[1])
        # the last post has no head behind it
        if straddles.sum() >= max(2, _STRADDLING * units.shape[1]):
            return other
    return units


def _trim(units: Rows) -> Rows:
    """The units with text, from the first to the last with a date or a person, if any has one."""
    told = (units[2] >= _TOLD).nonzero()[0]
    units = units[:, told[0] : told[-1] + 1] if len(told) else units
    return units[:, units[2] % _TOLD > 0]


def _is_of_posts(run: Run, rules: PostSearch) -> bool:
    is_named, is_signed = run.named >= rules.signed, run.signed >= rules.signed
    shows = run.dated >= rules.dated or is_signed or is_named
    if run.units.shape[1] < rules.units:
        # of two units all must tell
        shows = run.named + run.signed + run.dated >= 3
    says = run.said >= rules.said and run.link_share < rules.link_share
    # what has headlines and no writer is a list of stories
    return shows and says and (run.headed < rules.headed or is_named or is_signed)


def _has_own_headlines(columns: PageColumns, run: Run, headlines: Rows) -> bool:
    """Whether most units have a linked headline that no other unit has, as stories do: those of posts repeat that of
    the thread. headlines: int64, the blocks that are linked headlines."""
    first, end, _ = run.units
    rows, texts = columns.row[headlines], columns.blocks.text
    said = [texts[at].rpartition(": ")[2] for at in headlines.tolist()]
    unit = np.searchsorted(first, rows, side="right") - 1
    inside = (unit >= 0) & (rows < end[unit])
    units_of: dict[str, set[int]] = {}
    for text, number in zip(said, unit.tolist(), strict=True):
        units_of.setdefault(text, set()).add(number)
    own = {min(units) for units in units_of.values() if len(units) == 1}
    return 2 * len(own & set(unit[inside].tolist())) > len(first)
