"""The posts of a thread, of whatever board: where they are, by runs of alike elements.

The core lists the runs of a page and what their units show (`core/posts.py`); here stand what it is given, what
makes a run one of posts, which of several runs it is, and then who wrote each post, when, and what it says:

    div.topic > div.post > div.inner      three runs: those with the most running text are near to each other
                                          those of `div.inner` have a date, and no person
                                          those of `div.post` have both, and are the widest

A part stands in all posts of a board at one place: in an element of the same tag and class, inside of one such.

    <div id=p7> <a class=avatar>Ann</a> <i>Guru</i> <b>7 votes</b> <time>2 May</time> <div class=body>No, never.</div>

The body is told by the running text of most posts. Of what stands outside of it each short text may be the name of the
writer: that at the place which says most often that it names a person, in most posts, and not the same one in all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.page_words import find_names
from webclean.features.words import split_name
from webclean.matching.conditions import join_texts, read_date, read_text
from webclean.matching.expressions import compile_pattern
from webclean.model import Document, Post, Rows
from webclean.parse.columns import climb, find_attribute, find_texts, list_distinct, read_attribute, read_attributes
from webclean.parse.tags import CODE, FORMATTING, tag_mask
from webclean.rules.page_schema import Tools
from webclean.rules.rule_schema import cached_per_rule_set
from webclean.rules.segments_schema import PostSearch, Segments

_PART: Final = (FORMATTING | tag_mask("a span strong time label img input button wbr abbr cite mark q br")).view(
    np.uint8
)
"""Tags of what is a part of a line, and no unit."""
_APART: Final = "\n|\n"
"""Between texts that are searched at once: no date goes over it."""
_NUMBERED: Final = re.compile(r"[-_]?\d+")
_TOLD: Final = 2
"""What a unit with a date or a person is marked by."""
_CLASSES: Final = 3
"""Classes of a name that count: what follows them are sizes and colours."""
_MOST_NAMES: Final = 1 << 14
"""Names that are remembered, more than the pages of a site have."""
_BODY_SHARE: Final = 0.9
"""Of the running text of a post: a signature or a note about an edit may be more than nothing."""
_SHORT_SHARE: Final = 0.6
"""Of the words of a post without running text, outside of links: who wrote it and when are words, too."""
_MOST_WORDS: Final = 4
"""Words of a name."""
_MOST_NAMED: Final = 0.8
"""Of the posts that most share a name of an element around their bodies: the innermost such is the body."""
_LEVELS: Final = 3
"""Elements around a text that may say that it names a person; farther out they are of the whole post."""


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


@cached_per_rule_set
def _compile_signs(rules: PostSearch) -> Callable[[str], NameSigns]:
    """What the rule set says of a name of tag and class, remembered: pages of a site share most of theirs."""
    is_state, is_post = compile_pattern(rules.states).search, compile_pattern(rules.named).search
    authors = frozenset(rules.authors.split())

    @lru_cache(maxsize=_MOST_NAMES)
    def describe(name: str) -> NameSigns:
        tag, *classes = name.split()
        bare = (_NUMBERED.sub("", one.lower()) for one in classes)
        lasting = [one for one in bare if one and not is_state(one)]
        said = " ".join(classes)
        is_person = not authors.isdisjoint(split_name(said))
        return NameSigns(" ".join([tag, *lasting[:_CLASSES]]), bool(is_post(said)), is_person, not classes)

    return describe


def describe_names(columns: PageColumns, rules: PostSearch) -> list[NameSigns]:
    """What each name of tag and class of a page says."""
    names = find_names(columns).list_classes()
    return [NameSigns("", False, False, True), *map(_compile_signs(rules), names[1:])]


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
    rows = np.array(find_attribute(document, "href"), dtype=np.int64)
    values, number = list_distinct(document, rows, "href")
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
    near = [run for run in posts if run.running >= rules.close * most]
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
    if chosen is None or _has_own_headlines(columns, chosen, headlines, rules):
        return np.zeros((2, 0), dtype=np.int64)
    units = chosen.units
    # those with text, from the first to the last with a date or a person, if any has one
    told = (units[2] >= _TOLD).nonzero()[0]
    units = units[:, told[0] : told[-1] + 1] if len(told) else units
    first, end, _ = units[:, units[2] % _TOLD > 0]
    # posts may be nested, as replies are on some boards: then a post ends where the next one begins
    return np.array([first, np.minimum(end, np.append(first[1:], end[-1:]))])


def _is_of_posts(run: Run, rules: PostSearch) -> bool:
    is_named, is_signed = run.named >= rules.signed, run.signed >= rules.signed
    shows = run.dated >= rules.dated or is_signed or is_named
    if run.units.shape[1] < rules.units:
        # a run of two units must show all three signs
        shows = run.named + run.signed + run.dated >= 3
    says = run.said >= rules.said and run.link_share < rules.link_share
    # units with headlines and without a writer are a list of stories
    return shows and says and (run.headed < rules.headed or is_named or is_signed)


def _has_own_headlines(columns: PageColumns, run: Run, headlines: Rows, rules: PostSearch) -> bool:
    """Whether most units have a linked headline that no other unit has, as stories do: those of posts repeat that of
    the thread. headlines: int64, the blocks that are linked headlines.

    In the list of a board the headline may stand before the unit, which is the first text of the topic:

        <li> <a>The ferry is back</a> <div class=detail> It left at noon. <a>Ann</a> 16:10 </div> </li>
    """
    first, end, _ = run.units
    begin, until = first, end
    # few units hold a headline: looked for is one between the unit before, or the one around both, and the unit
    if run.headed < rules.headed:
        begin, until = np.minimum(first, np.append(first[:1], np.maximum.accumulate(end)[:-1])), first
    rows, texts = columns.row[headlines], columns.blocks.text
    said = [texts[at].rpartition(": ")[2] for at in headlines.tolist()]
    unit = np.searchsorted(begin, rows, side="right") - 1
    inside = (unit >= 0) & (rows < until[unit])
    units_of: dict[str, set[int]] = {}
    for text, number in zip(said, unit.tolist(), strict=True):
        units_of.setdefault(text, set()).add(number)
    own = {min(units) for units in units_of.values() if len(units) == 1}
    return 2 * len(own & set(unit[inside].tolist())) > len(first)


@cached_per_page
def find_bodies(columns: PageColumns, rules: PostSearch) -> Rows:
    """int64 [n_posts]: the element of each post that holds what its writer says there; -1 where none does."""
    posts = columns.post_rows
    columns.view("words")  # measured, which the core asks for
    bodies: Rows = core.find_bodies(columns.document.page, np.ascontiguousarray(posts), _BODY_SHARE, True)
    # the whole post holds the name of its writer, too
    bodies[bodies == posts[0]] = -1
    number, names = number_elements(columns, rules)
    chains: list[list[int]] = []
    for body, first in zip(bodies.tolist(), posts[0].tolist(), strict=True):
        chains.append([number.item(at) for at in climb(columns.document, body, first)])
    # a post of one paragraph is found as that paragraph: what is around those of the others tells its body
    n_posts = Counter(name for chain in chains for name in set(chain) if " " in names[name])
    most = max(n_posts.values(), default=0)
    if 2 * most <= np.count_nonzero(bodies >= 0):
        return bodies
    inner = next(name for chain in chains for name in chain if n_posts[name] >= _MOST_NAMED * most)
    rows = np.append((number == inner).nonzero()[0], len(number))
    found = rows[np.searchsorted(rows[:-1], posts[0], side="right")]
    # its name may be that of the head, too: of a body that is known, it is what is around that
    around = rows[np.maximum(0, np.searchsorted(rows[:-1], bodies, side="right") - 1)]
    is_around = (around > posts[0]) & (around <= bodies) & (bodies < columns.document.end[np.minimum(around, bodies)])
    return np.where(is_around, around, np.where((bodies < 0) & (found < posts[1]), found, bodies))


class _Text(NamedTuple):
    """A short text of a post. place: the names of its element and of the one around. level: how much says that it is
    the name of a person."""

    post: int
    text: str
    row: int
    place: tuple[int, int]
    level: int


def read_found_posts(columns: PageColumns, rules: Segments, tools: Tools, dates: Any) -> tuple[Post, ...]:
    """The posts that no rule names, in document order. dates: the expression of a date."""
    document, bodies = columns.document, find_bodies(columns, rules.posts)
    if not np.count_nonzero(bodies >= 0):
        # in a chat nobody may write a sentence: the longest text is what is said
        where = np.ascontiguousarray(columns.post_rows)
        bodies = core.find_bodies(document.page, where, _SHORT_SHARE, False)
        bodies[bodies == where[0]] = -1
    texts = list(_list_texts(columns, bodies, rules, dates))
    authors = _choose_authors(texts, columns.post_rows.shape[1])
    written = _choose_dates(columns, bodies, rules, dates)
    made = []
    for number, (first, end) in enumerate(columns.post_rows.T.tolist()):
        author, date, body = authors.get(number), written.get(number, -1), bodies.item(number)
        heads = () if author is None or body < 0 else (author.row, *([date] if date >= 0 else []))
        made.append(
            Post(
                first=first,
                end=end,
                author=author.text if author else None,
                date=None if date < 0 else read_date(document, date, end, tools, dates),
                url=_read_address(columns, first, date),
                text=None if body < 0 else read_text(document, body, end),
                heads=heads,
                said=body,
            )
        )
    return tuple(made)


def _list_texts(columns: PageColumns, bodies: Rows, rules: Segments, dates: Any) -> Iterator[_Text]:
    """The texts of the posts outside of their bodies that may be the names of their writers."""
    document, classes, names = columns.document, find_names(columns).classes, number_elements(columns, rules.posts)[0]
    persons = set(list_people(columns, rules.posts).tolist())
    told = describe_names(columns, rules.posts)
    by_line, ends = compile_pattern(rules.posts.by_line), compile_pattern(rules.records.byline_end)
    is_label = compile_pattern(rules.posts.labels).search
    for number, (first, end) in enumerate(columns.post_rows.T.tolist()):
        body = bodies.item(number)
        after = document.end.item(body) if body >= 0 else -1
        follows = False
        for node in find_texts(document, first, end):
            row = document.text_owner.item(node)
            text = join_texts(document, [node], first)
            if not text or (body >= 0 and body <= row < after):
                continue
            said = by_line.match(text)
            name = text[said.end() :] if said else text
            level = 3 if follows or (said and name) else 0
            follows = bool(said) and not name
            name = ends.split(name)[0].strip(" :,;|·•–—@") if said else name.strip(" :,;|·•–—")
            # one letter stands for a picture that a member has not
            if not 2 <= len(name) <= rules.posts.name_chars or not any(map(str.isalpha, name)):
                continue
            if is_label(name) or dates.search(name) or len(name.split()) > _MOST_WORDS:
                continue
            for at in islice(climb(document, row, first - 1), _LEVELS):
                level = max(level, 4 if at in persons else 2 if told[classes[at]].names_person else 0)
            around = max(0, document.parent.item(row))
            yield _Text(number, name, row, (names.item(row), names.item(around)), level)


def _choose_authors(texts: list[_Text], n_posts: int) -> dict[int, _Text]:
    """Number of a post -> the name of its writer."""
    by_place: dict[tuple[int, int], dict[int, _Text]] = {}
    bare = {(_drop_digits(text.text), text.post) for text in texts}
    n_said = Counter(text for text, _ in bare)
    begun = set()
    for text in texts:
        # where nothing says that it is one, a name is the first text that is no label of all posts
        if text.level == 0 and text.post not in begun and 2 * n_said[_drop_digits(text.text)] <= max(2, n_posts):
            begun.add(text.post)
            text = text._replace(level=1)  # noqa: PLW2901
        # the first text of a place: those behind it are of the same line
        by_place.setdefault(text.place, {}).setdefault(text.post, text)

    def rate(found: dict[int, _Text]) -> float:
        level = sum(text.level for text in found.values()) / len(found)
        differ = len({text.text for text in found.values()}) > 1 or n_posts == 1
        return level + 2 * len(found) / n_posts + differ

    return max((found for found in by_place.values() if _may_be_names(found, n_posts)), key=rate, default={})


def _drop_digits(text: str) -> str:
    return "".join(sign for sign in text if not sign.isdecimal())


def _may_be_names(found: dict[int, _Text], n_posts: int) -> bool:
    """Whether texts at a place may be the names of writers: something says so, or they begin nearly all posts."""
    differ = len({text.text for text in found.values()}) > 1
    level = max(text.level for text in found.values())
    # the same word in most posts is a label or a rank of the board, unless a link leads to that person
    is_label = not differ and 2 * len(found) > n_posts > 1 and level < 4
    return not is_label and (level > 1 or (level == 1 and differ and len(found) >= max(3, 0.8 * n_posts)))


def _choose_dates(columns: PageColumns, bodies: Rows, rules: Segments, dates: Any) -> dict[int, int]:
    """Number of a post -> the element that says when it was written."""
    document, names = columns.document, number_elements(columns, rules.posts)[0]
    firsts, ends = columns.post_rows
    rows = np.unique(list_dated(columns, rules.posts))
    posts = np.searchsorted(firsts, rows, side="right") - 1
    is_other = compile_pattern(rules.records.other_date).search
    by_place: dict[tuple[int, int], dict[int, int]] = {}
    for row, number in zip(rows.tolist(), posts.tolist(), strict=True):
        if number < 0 or row >= ends[number]:
            continue
        body, around = bodies.item(number), max(0, document.parent.item(row))
        nodes = _list_in(document, row)
        line = join_texts(document, nodes, row)
        # `Joined` may stand before the day, in an element of its own
        before = document.text[nodes[0] - 1] if len(nodes) and nodes[0] else ""
        line = line if any(map(str.isdecimal, before)) else f"{before} {line}"
        if (body >= 0 and body <= row < document.end[body]) or is_other(line):
            continue
        by_place.setdefault((names.item(row), names.item(around)), {}).setdefault(number, row)
    chosen: dict[int, int] = {}

    def rate(found: dict[int, int]) -> int:
        # `126 months` says how long somebody is a member, where a day stands beside it
        days = [row for row in found.values() if dates.search(join_texts(document, _list_in(document, row), row))]
        return len(found) + len(days)

    for found in sorted(by_place.values(), key=rate, reverse=True):
        for number, row in found.items():
            chosen.setdefault(number, row)
    return chosen


def _list_in(document: Document, row: int) -> Sequence[int]:
    """The text nodes in an element."""
    return find_texts(document, row, document.end.item(row))


def _read_address(columns: PageColumns, first: int, date: int) -> str | None:
    """The link of the date, which leads to the post; else the name of its element."""
    document = columns.document
    link = document.link.item(date) if date >= 0 else -1
    target = (read_attribute(document, link, "href") or "").strip() if link >= first else ""
    name = (read_attribute(document, first, "id") or "").strip()
    leads = target and not target.lower().startswith("javascript:")
    return target if leads else (f"#{name}" if name else None)
