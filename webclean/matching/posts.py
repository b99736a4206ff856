"""The posts of a thread as rules name them (`posts:` of an action): who wrote each, when, where it is, what it says.

    posts: {each: .post, author: .username, date: time, url: h3 a, text: .content}

A part belongs to the last post that begins before it, if it is inside of that: of posts inside each other, as replies
are on some boards, a post ends where the next one begins.

Where no rule names them, posts are found by what each must show, a line that says when, in elements of one name:

    <div> <b>Ann</b> <i class="when">28/11/2025 at 7:16 pm</i> <p>The beam broke ..</p> </div>
    <div> <b>Bob</b> <i class="when">28/11/2025 at 7:22 pm</i> <p>There is one man ..</p> </div>

A post is the largest element around one of these lines that holds no other. Its writer is who is named before the line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from webclean.matching.conditions import PageFacts, holds_for_page, plan_rules
from webclean.matching.expressions import compile_pattern
from webclean.matching.select import select_rows
from webclean.model import Document, Post, Rows
from webclean.parse import read_attribute
from webclean.parse.columns import find_texts, mark_slices
from webclean.parse.controls import drop_controls
from webclean.parse.tags import CODE
from webclean.rules.page_schema import Tools
from webclean.rules.rule_schema import OneOrMoreSelectors, PostParts, Rule, as_tuple
from webclean.rules.segments_schema import DatedPosts, Segments

_DEPTH_DIGITS: Final = 4
_AGE_CHARS: Final = 30
"""A text without a date is an age (`Yesterday at 4:25 PM`) if it is no longer; `Reply #3 - Re: ...` is none."""


def find_posts(
    document: Document, facts: PageFacts, rules: Mapping[str, Rule], tools: Tools, dates: Any
) -> tuple[Post, ...]:
    """The posts that rules name on a page, in document order; of the first rule that finds some.

    tools: names of the attributes that state parts of a post. dates: the expression of a date.
    """
    for rule in plan_rules(rules).posting:
        parts = rule.effect.posts
        if parts is not None and holds_for_page(rule.when, facts, document):
            found = tuple(_read_posts(document, parts, tools, dates))
            if found:
                return found
    return ()


def _read_posts(document: Document, parts: PostParts, tools: Tools, expression: Any) -> Iterator[Post]:
    rows = _select(document, parts.each)
    replies = set(_select(document, parts.replies).tolist())
    ends = np.minimum(document.end[rows], np.append(rows[1:], len(document)))
    authors, dates, urls, texts, depths = (
        _place(document, selectors, rows, ends)
        for selectors in (parts.author, parts.date, parts.url, parts.text, parts.depth)
    )
    for number, (row, end) in enumerate(zip(rows.tolist(), ends.tolist(), strict=True)):
        author, date, url = authors.get(number), dates.get(number), urls.get(number)
        yield Post(
            first=row,
            end=end,
            author=None if author is None else _read_author(document, author, end, tools),
            date=None if date is None else _read_date(document, date, end, tools, expression),
            url=None if url is None else _read_url(document, url, tools),
            text=None if number not in texts else _read_text(document, texts[number], end),
            heads=tuple(part for part in (author, date) if part is not None),
            said=texts.get(number, -1),
            is_reply=row in replies,
            depth=_read_depth(document, depths[number], tools) if number in depths else -1,
        )


def _select(document: Document, selectors: OneOrMoreSelectors | None) -> Rows:
    """The elements that any selector matches, in document order."""
    found = [select_rows(document, selector) for selector in as_tuple(selectors)]
    return np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int64)


def _place(document: Document, selectors: OneOrMoreSelectors | None, rows: Rows, ends: Rows) -> dict[int, int]:
    """Number of a post -> the first element inside of it that matches the first selector that matches any there."""
    placed: dict[int, int] = {}
    for selector in as_tuple(selectors) if len(rows) else ():
        found = select_rows(document, selector)
        numbers = np.searchsorted(rows, found, side="right") - 1
        inside = (numbers >= 0) & (found < ends[numbers])
        for number, row in zip(numbers[inside].tolist(), found[inside].tolist(), strict=True):
            placed.setdefault(number, row)
    return placed


def _read_author(document: Document, row: int, end: int, tools: Tools) -> str | None:
    stated = map(drop_controls, _list_stated(document, row, tools.post_authors))
    return next(filter(None, stated), None) or _join_own_text(document, row, end) or None


def _read_date(document: Document, row: int, end: int, tools: Tools, dates: Any) -> str | None:
    """A time as an attribute states it, which is more exact than the text: that is often an age (`2 hours ago`). Else
    the date in the text; a short text without one is an age."""
    for stamp in map(drop_controls, _list_stated(document, row, tools.post_times)):
        if any(map(str.isdigit, stamp)):
            return stamp
    for tip in map(drop_controls, _list_stated(document, row, tools.post_time_tips)):
        if dates.search(tip):
            return tip
    text = _join_own_text(document, row, end)
    found = dates.search(text)
    if found:
        return str(found.group(0)).strip()
    return text if 0 < len(text) <= _AGE_CHARS else None


def _read_url(document: Document, row: int, tools: Tools) -> str | None:
    target = next(_list_stated(document, row, tools.post_addresses), "")
    name = (read_attribute(document, row, "id") or "").strip()
    leads = target and not target.lower().startswith("javascript:")
    return target if leads else (f"#{name}" if name else None)


def _read_depth(document: Document, row: int, tools: Tools) -> int:
    """The number in an attribute that says how deep a reply is; -1 for none."""
    values = _list_stated(document, row, tools.post_depths)
    return next((int(value) for value in values if value.isdecimal() and len(value) <= _DEPTH_DIGITS), -1)


def _list_stated(document: Document, row: int, attributes: Iterable[str]) -> Iterator[str]:
    """What some attributes of an element say, of those that say something."""
    return filter(None, ((read_attribute(document, row, name) or "").strip() for name in attributes))


def _read_text(document: Document, row: int, end: int) -> str:
    """What a post says; of one that quotes others, what it says itself."""
    stop = min(document.end.item(row), end)
    # boards put the text itself into one, too
    quotes = row + 1 + np.flatnonzero(document.tag[row + 1 : stop] == CODE["blockquote"])
    quoted = mark_slices(quotes, document.end[quotes], len(document))
    nodes = find_texts(document, row, stop)
    own = [node for node in nodes if not quoted[document.text_owner[node]]]
    return _join(document, own, row) or _join(document, nodes, row)


def _join_own_text(document: Document, row: int, end: int) -> str:
    return _join(document, find_texts(document, row, min(document.end.item(row), end)), row)


def _join(document: Document, nodes: Sequence[int], row: int) -> str:
    """The displayed texts that stand in an element, white space normalised."""
    owner, displayed = document.text_owner, document.displayed
    shown = (node for node in nodes if owner[node] >= row and displayed[owner[node]])
    return " ".join(drop_controls(" ".join([document.text[node] for node in shown])).split())


def find_dated_posts(document: Document, rules: Segments, tools: Tools, dates: Any) -> tuple[Post, ...]:
    """The posts of a page that is a thread, by their dates; none where too few things with a date have a text, as the
    topics of a board have none. dates: the expression of a date."""
    settings = rules.dated_posts
    kinds: dict[tuple[str, str], list[int]] = {}
    for row in _list_dates(document, rules, dates):
        classes = (read_attribute(document, at, "class") for at in (row, document.parent.item(row)))
        kinds.setdefault((document.names[row], next(filter(None, classes), "")), []).append(row)
    several = [rows for rows in kinds.values() if len(rows) >= settings.posts]
    return max((_read_dated(document, rows, settings, tools, dates) for rows in several), key=len, default=())


def _list_dates(document: Document, rules: Segments, dates: Any) -> Iterator[int]:
    """The elements of the displayed texts that say a date and hardly more, and not of something else, such as the day
    that somebody joined."""
    owner, displayed, before, most = document.text_owner, document.displayed, -1, rules.dated_posts.date_chars
    is_other, was_other = compile_pattern(rules.records.other_date).search, False
    for node, text in enumerate(document.text):
        # `Joined` may stand before the day, in an element of its own
        if not displayed[owner[node]] or not (line := " ".join(text[: 2 * most].split())):
            continue
        other = is_other(line) is not None
        is_dated = len(line) <= most and any(map(str.isdecimal, line)) and not (other or was_other)
        if is_dated and owner[node] != before and dates.search(line):
            before = owner.item(node)
            yield before
        was_other = other


def _read_dated(
    document: Document, rows: Sequence[int], rules: DatedPosts, tools: Tools, dates: Any
) -> tuple[Post, ...]:
    """The posts around some dates; those without a text, or far above their date, are none."""
    posts: list[Post] = []
    heads: list[list[str]] = []
    for before, row, after in zip([-1, *rows], rows, [*rows[1:], len(document)], strict=False):
        top = row
        while (above := document.parent.item(top)) > before and document.end[above] <= after:
            top = above
        end = document.end.item(top)
        head = [said for node in find_texts(document, top, row) if (said := _join(document, [node], top))]
        body = find_texts(document, document.end.item(row), end)
        if top > 0 and sum(map(len, head)) <= rules.head_chars and _says_enough(document, body, top, rules):
            date = _read_date(document, row, end, tools, dates)
            posts.append(Post(first=top, end=end, author=None, date=date, url=None, text=None))
            heads.append(head)
    if len(posts) < max(rules.posts, rules.share * len(rows)):
        return ()
    writers = _find_writers(heads, rules)
    return tuple(post._replace(author=writer) for post, writer in zip(posts, writers, strict=True))


def _says_enough(document: Document, nodes: Sequence[int], row: int, rules: DatedPosts) -> bool:
    """Whether texts in an element are as long as those of posts, and not most of it links."""
    own = [node for node in nodes if document.link[document.text_owner[node]] < 0]
    n_chars, n_own = (len(_join(document, some, row)) for some in (nodes, own))
    return n_own >= rules.text_chars and 2 * n_own > n_chars


def _find_writers(heads: Sequence[Sequence[str]], rules: DatedPosts) -> list[str | None]:
    """Who is named in each of the texts before the dates: the first short one that is no label, as `by` and `Reply 2`
    are, which most posts have."""
    counts = Counter(said for head in heads for said in set(map(_drop_digits, head)))
    labels = {said for said, n in counts.items() if 2 * n > len(heads)}

    def is_name(text: str) -> bool:
        return any(map(str.isalpha, text)) and len(text) <= rules.name_chars and _drop_digits(text) not in labels

    found = [next(filter(is_name, head), None) for head in heads]
    # above the first post the title may stand: it is no name where the others have none
    return found if 2 * sum(map(bool, found)) > len(found) else [None] * len(found)


def _drop_digits(text: str) -> str:
    return "".join(sign for sign in text if not sign.isdecimal())
