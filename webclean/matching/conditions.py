"""Conditions of rules about a whole page, and the posts of a thread that rules name.

The rules of a set are sorted once by what they ask and do (`plan_rules`), so that each stage looks only at those that
concern it.

The action `posts` says where the posts of a thread are, and in each of them who wrote it, when, where it is and what it
says:

    posts: {each: .post, author: .username, date: time, url: h3 a, text: .content}

A part belongs to the last post that begins before it, if it is inside of that post: of posts inside each other, as
replies are on some boards, a post ends where the next one begins. Posts that no rule names are found by
`features.posts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np

from webclean.matching.expressions import compile_pattern, widen_pattern
from webclean.matching.select import select_all, select_rows
from webclean.model import Document, Mask, Post, Rows
from webclean.parse.columns import find_texts, mark_slices, read_attribute
from webclean.parse.controls import drop_controls
from webclean.parse.tags import CODE
from webclean.rules.page_schema import Tools
from webclean.rules.rule_schema import OneOrMoreSelectors, PostParts, Rule, When, as_tuple, cached_per_rule_set


class PageFacts(msgspec.Struct, frozen=True):
    """What the conditions of a rule may ask about the whole page.

    page_label: the most specific name of the page's type, such as `blog`.
    """

    page_type: str | None = None
    page_subtype: str | None = None
    language: str | None = None
    url: str | None = None
    page_label: str | None = None

    def is_of_type(self, names: tuple[str, ...]) -> bool:
        """Whether one of the names is the page's type, subtype or label."""
        return self.page_type in names or self.page_subtype in names or self.page_label in names


class RuleMatch(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A rule that applies to the page. blocks: bool [n_blocks], the text blocks that it matches, at least one."""

    id: str
    rule: Rule
    blocks: Mask


def holds_for_page(when: When, facts: PageFacts, document: Document) -> bool:
    """Whether the conditions about the page hold."""
    types, languages = as_tuple(when.page_type), as_tuple(when.language)
    return (
        (not types or facts.is_of_type(types))
        and (not languages or facts.language in languages)
        and (when.url is None or compile_pattern(when.url).search(facts.url or "") is not None)
        and all(len(select_rows(document, item)) for item in as_tuple(when.page_contains))
        and not any(len(select_rows(document, item)) for item in as_tuple(when.page_lacks))
    )


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRule:
    """An enabled rule. number: its place among them. pattern: what it searches in the text of blocks, widened; None
    for nothing. is_for_all: it has no condition about the page. page_types: those that it is for; none for all.
    asks_more: it has a further condition about the page."""

    number: int
    id: str
    rule: Rule
    pattern: str | None
    is_for_all: bool
    page_types: tuple[str, ...]
    asks_more: bool

    def holds_for(self, facts: PageFacts, document: Document) -> bool:
        """Whether its conditions about the page hold."""
        # first what nearly all of them ask, which rules out most
        is_of_type = not self.page_types or facts.is_of_type(self.page_types)
        return is_of_type and (not self.asks_more or holds_for_page(self.rule.when, facts, document))


@dataclass(frozen=True, slots=True, eq=False)
class RulePlan:
    """The enabled rules of a rule set, in its order.

    all: every one. conditional: those with a condition about the page; of the others, by_pattern: expression in the
    text of blocks -> those that search it; patterns: its keys; unsearched: those that search none. naming: those that
    give the page a type, with their ids. posting: those that name posts. n_templates: how many are of templates.
    """

    all: tuple[PlannedRule, ...]
    conditional: tuple[PlannedRule, ...]
    by_pattern: Mapping[str, list[PlannedRule]]
    patterns: tuple[str, ...]
    unsearched: tuple[PlannedRule, ...]
    naming: tuple[tuple[str, Rule], ...]
    posting: tuple[Rule, ...]
    n_templates: int


_OF_PAGE: Final = ("page_type", "language", "url", "page_contains", "page_lacks")
"""Conditions about the page as a whole."""


@cached_per_rule_set
def plan_rules(rules: Mapping[str, Rule]) -> RulePlan:
    """Sort rules by what they ask and do. rules: rule id -> rule."""
    enabled = {name: rule for name, rule in rules.items() if rule.enabled}
    planned = tuple(
        PlannedRule(
            number,
            name,
            rule,
            rule.when.text and widen_pattern(rule.when.text),
            # most rules are for all pages: nothing is asked of the page for them
            not any(as_tuple(getattr(rule.when, asked)) for asked in _OF_PAGE),
            as_tuple(rule.when.page_type),
            any(as_tuple(getattr(rule.when, asked)) for asked in _OF_PAGE if asked != "page_type"),
        )
        for number, (name, rule) in enumerate(enabled.items())
    )
    for_all = [rule for rule in planned if rule.is_for_all]
    by_pattern: dict[str, list[PlannedRule]] = {}
    for rule in for_all:
        if rule.pattern is not None:
            by_pattern.setdefault(rule.pattern, []).append(rule)
    effects = [(name, rule, rule.effect) for name, rule in enabled.items()]
    return RulePlan(
        all=planned,
        conditional=tuple(rule for rule in planned if not rule.is_for_all),
        by_pattern=by_pattern,
        patterns=tuple(by_pattern),
        unsearched=tuple(rule for rule in for_all if rule.pattern is None),
        naming=tuple((name, rule) for name, rule, effect in effects if effect.page_type),
        posting=tuple(rule for _, rule, effect in effects if effect.posts),
        n_templates=sum(rule.template for rule in enabled.values()),
    )


_DEPTH_DIGITS: Final = 4
_AGE_CHARS: Final = 30
"""A text without a date is an age (`Yesterday at 4:25 PM`) if it is no longer; `Reply #3 - Re: ...` is none."""


def find_posts(
    document: Document, facts: PageFacts, rules: Mapping[str, Rule], tools: Tools, dates: Any
) -> tuple[Post, ...]:
    """The posts that rules name on a page, in document order; of the first rule that finds some.

    tools: names of the attributes that state parts of a post. dates: the expression of a date.
    """
    read = (tuple(_read_posts(document, parts, tools, dates)) for parts in _list_parts(document, facts, rules))
    return next(filter(None, read), ())


def _list_parts(document: Document, facts: PageFacts, rules: Mapping[str, Rule]) -> Iterator[PostParts]:
    """What the rules that hold for the page say of its posts."""
    for rule in plan_rules(rules).posting:
        if rule.effect.posts is not None and holds_for_page(rule.when, facts, document):
            yield rule.effect.posts


def place_posts(document: Document, facts: PageFacts, rules: Mapping[str, Rule]) -> Rows:
    """int64 [2, n_posts]: the first rows and the ends of these posts."""
    placed = (_place_posts(document, parts) for parts in _list_parts(document, facts, rules))
    return next((found for found in placed if found.size), np.zeros((2, 0), dtype=np.int64))


def _place_posts(document: Document, parts: PostParts) -> Rows:
    """int64 [2, n_posts]: the first rows and the ends; of posts inside each other one ends where the next begins."""
    rows = select_all(document, as_tuple(parts.each))
    return np.array([rows, np.minimum(document.end[rows], np.append(rows[1:], len(document)))], dtype=np.int64)


def _read_posts(document: Document, parts: PostParts, tools: Tools, expression: Any) -> Iterator[Post]:
    rows, ends = _place_posts(document, parts)
    replies = set(select_all(document, as_tuple(parts.replies)).tolist())
    authors, dates, urls, texts, depths = (
        _place(document, selectors, rows, ends)
        for selectors in (parts.author, parts.date, parts.url, parts.text, parts.depth)
    )
    for number, (row, end) in enumerate(zip(rows.tolist(), ends.tolist(), strict=True)):
        author, date, url, depth = (found.get(number) for found in (authors, dates, urls, depths))
        name = target = level = None
        if author is not None:
            stated = next(filter(None, map(drop_controls, _list_stated(document, author, tools.post_authors))), None)
            shown = find_texts(document, author, min(document.end.item(author), end))
            name = stated or join_texts(document, shown, author) or None
        if url is not None:
            target = next(_list_stated(document, url, tools.post_addresses), "")
            # a post without an address of its own is a place on the page
            if not target or target.lower().startswith("javascript:"):
                place = (read_attribute(document, url, "id") or "").strip()
                target = f"#{place}" if place else None
        if depth is not None:
            values = _list_stated(document, depth, tools.post_depths)
            level = next((value for value in values if value.isdecimal() and len(value) <= _DEPTH_DIGITS), None)
        yield Post(
            first=row,
            end=end,
            author=name,
            date=None if date is None else read_date(document, date, end, tools, expression),
            url=target,
            text=None if number not in texts else read_text(document, texts[number], end),
            heads=tuple(part for part in (author, date) if part is not None),
            said=texts.get(number, -1),
            is_reply=row in replies,
            depth=-1 if level is None else int(level),
        )


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


def read_date(document: Document, row: int, end: int, tools: Tools, dates: Any) -> str | None:
    """A time as an attribute states it, which is more exact than the text: that is often an age (`2 hours ago`). Else
    the date in the text; a short text without one is an age."""
    for stamp in map(drop_controls, _list_stated(document, row, tools.post_times)):
        if any(map(str.isdigit, stamp)):
            return stamp
    for tip in map(drop_controls, _list_stated(document, row, tools.post_time_tips)):
        if dates.search(tip):
            return tip
    text = join_texts(document, find_texts(document, row, min(document.end.item(row), end)), row)
    found = dates.search(text)
    if found:
        return str(found.group(0)).strip()
    return text if 0 < len(text) <= _AGE_CHARS else None


def _list_stated(document: Document, row: int, attributes: Iterable[str]) -> Iterator[str]:
    """What some attributes of an element say, of those that say something."""
    return filter(None, ((read_attribute(document, row, name) or "").strip() for name in attributes))


def read_text(document: Document, row: int, end: int) -> str:
    """What a post says; of one that quotes others, what it says itself."""
    stop = min(document.end.item(row), end)
    # boards put the text itself into one, too
    quotes = row + 1 + (document.tag[row + 1 : stop] == CODE["blockquote"]).nonzero()[0]
    quoted = mark_slices(quotes, document.end[quotes], len(document))
    nodes = find_texts(document, row, stop)
    own = [node for node in nodes if not quoted[document.text_owner[node]]]
    return join_texts(document, own, row) or join_texts(document, nodes, row)


def join_texts(document: Document, nodes: Sequence[int], row: int) -> str:
    """The displayed texts that stand in an element, white space normalised."""
    owner, displayed = document.text_owner, document.displayed
    shown = (node for node in nodes if owner[node] >= row and displayed[owner[node]])
    return " ".join(drop_controls(" ".join([document.text[node] for node in shown])).split())
