"""Rules, page -> the text blocks that each rule matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import re2

from webclean.blocks.paths import name_paths
from webclean.caching import cached_per_page
from webclean.errors import RuleError
from webclean.features import PageColumns, mark_subtrees, measure
from webclean.features.text import encode_text, touch_matches
from webclean.features.word_points import split_name
from webclean.matching.plan import plan_rules
from webclean.matching.select import select_rows
from webclean.matching.typography import fold_typography, widen_pattern
from webclean.model import Document, Mask
from webclean.parse import read_attribute_column
from webclean.rules.rule_schema import Rule, When, as_tuple

_AT_ONCE: Final = 16
_WHOLE_TEXT: Final = re.compile(r"\\[AzQ]|\(\?[a-zA-Z]*-")
_OWNED_SHARE: Final = 0.5
"""A selected inline element selects its text block if it has more than this share of the block's characters."""


@dataclass(frozen=True, slots=True)
class PageFacts:
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


@dataclass(frozen=True, slots=True, eq=False)
class RuleMatch:
    """A rule that applies to the page. blocks: bool [n_blocks], the text blocks that it matches."""

    id: str
    rule: Rule
    blocks: Mask


def match_rules(columns: PageColumns, facts: PageFacts, rules: Mapping[str, Rule]) -> list[RuleMatch]:
    """The enabled rules whose conditions about the page hold, with the blocks that each one matches (possibly none)."""
    return list(_match(columns, facts, rules)) if rules else []


def _match(columns: PageColumns, facts: PageFacts, rules: Mapping[str, Rule]) -> Iterator[RuleMatch]:
    plan = plan_rules(rules)
    absent = find_absent(plan.patterns, encode_text(columns)[0])
    for planned in plan.all:
        rule = planned.rule
        if planned.is_for_all or holds_for_page(rule.when, facts, columns.document):
            if planned.pattern in absent:
                yield RuleMatch(planned.id, rule, np.zeros(len(columns.blocks), dtype=bool))
            else:
                yield RuleMatch(planned.id, rule, match_blocks(columns, rule.when))


def holds_for_page(when: When, facts: PageFacts, document: Document | None) -> bool:
    """Whether the conditions about the page hold.

    Args:
        when: the conditions of a rule.
        facts: what is known of the page.
        document: None before the parse; then a condition that asks for elements fails.
    """
    if document is None and (when.page_contains or when.page_lacks):
        return False
    types, languages = as_tuple(when.page_type), as_tuple(when.language)
    return (
        (not types or facts.is_of_type(types))
        and (not languages or facts.language in languages)
        and (when.url is None or compile_pattern(when.url).search(facts.url or "") is not None)
        and (document is None or _holds_for_elements(when, document))
    )


def _holds_for_elements(when: When, document: Document) -> bool:
    return all(len(select_rows(document, item)) for item in as_tuple(when.page_contains)) and not any(
        len(select_rows(document, item)) for item in as_tuple(when.page_lacks)
    )


def match_blocks(columns: PageColumns, when: When) -> Mask:
    """bool [n_blocks]: the blocks for which all conditions about a block hold; all blocks when there are none."""
    blocks = columns.blocks
    matched = np.ones(len(blocks), dtype=bool)
    for name, limits in when.features.items():
        values = measure(columns, name)
        if limits.above is not None:
            matched &= values >= limits.above
        if limits.below is not None:
            matched &= values < limits.below
    if when.selector is not None:
        matched &= _find_selected(columns, as_tuple(when.selector))
    if when.outside is not None:
        matched &= ~_find_selected(columns, as_tuple(when.outside))
    if when.path is not None:
        places = frozenset(as_tuple(when.path))
        matched &= np.array([path in places for path in _name_block_paths(columns)], dtype=bool)
    if when.other_path is not None:
        others = frozenset(as_tuple(when.other_path))
        matched &= np.array([path not in others for path in _name_block_paths(columns)], dtype=bool)
    if when.token is not None:
        matched &= _blocks_under(columns, _find_token_rows(columns, as_tuple(when.token)))
    if when.exact_text is not None:
        wanted = frozenset(map(fold_typography, as_tuple(when.exact_text)))
        matched &= np.array([text in wanted for text in _fold_texts(columns)], dtype=bool)
    if when.text is not None:
        matched &= find_in_texts(columns, widen_pattern(when.text), matched)
    return matched


@cached_per_page
def _fold_texts(columns: PageColumns) -> list[str]:
    """The text of each block, as `exact_text` is compared with it."""
    return [fold_typography(text) for text in columns.blocks.text]


@cached_per_page
def _name_block_paths(columns: PageColumns) -> list[str]:
    """The tag path of each text block's element."""
    return name_paths(columns.document, columns.row)


def _find_selected(columns: PageColumns, selectors: tuple[str, ...]) -> Mask:
    return _blocks_under(columns, np.concatenate([select_rows(columns.document, item) for item in selectors]))


def _blocks_under(columns: PageColumns, rows: Any) -> Mask:
    """bool [n_blocks]: the blocks with more than `_OWNED_SHARE` of their characters in the subtrees of the rows."""
    document, blocks = columns.document, columns.blocks
    if not len(rows):
        return np.zeros(len(blocks), dtype=bool)
    roots = np.zeros(len(document), dtype=bool)
    roots[rows] = True
    inside = mark_subtrees(document, roots)[document.text_owner]
    nodes = (blocks.block_of >= 0).nonzero()[0]
    size = np.array([len("".join(document.text[node].split())) for node in nodes], dtype=np.float64)
    group = blocks.block_of[nodes]
    n_inside = np.bincount(group, size * inside[nodes], minlength=len(blocks))
    return n_inside > _OWNED_SHARE * blocks.n_chars


def _find_token_rows(columns: PageColumns, tokens: tuple[str, ...]) -> list[int]:
    wanted = {token.lower() for token in tokens}
    rows = []
    for key in ("class", "id"):
        values = read_attribute_column(columns.document, key)
        found = {value for value in set(values) if value and not wanted.isdisjoint(split_name(value))}
        rows += [row for row, value in enumerate(values) if value in found] if found else []
    return rows


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Any:
    """An RE2 expression: matching takes time linear in the text. Raises `RuleError`."""
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        (message,) = error.args
        message = message.decode() if isinstance(message, bytes) else message
        raise RuleError(f"not a regular expression of RE2: {pattern!r} ({message})") from error


@lru_cache(maxsize=4096)
def _compile_set(patterns: tuple[str, ...]) -> Any:
    """Several RE2 expressions as one automaton: it tells which of them occur in a text, not where."""
    found = re2.Set.SearchSet()
    for pattern in patterns:
        compile_pattern(pattern)
        found.Add(pattern)
    found.Compile()
    return found


@lru_cache(maxsize=4096)
def compile_test(pattern: str) -> Callable[[str], bool]:
    """Compile an RE2 expression to a function that tells whether it occurs in a text."""
    match = _compile_set((pattern,)).Match
    return lambda text: bool(match(text))


@lru_cache(maxsize=256)
def _list_sets(patterns: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    """The expressions that may be searched in joined texts, in groups of `_AT_ONCE`, each with its automaton."""
    joint = [pattern for pattern in dict.fromkeys(patterns) if not _WHOLE_TEXT.search(pattern)]
    parts = [tuple(joint[at : at + _AT_ONCE]) for at in range(0, len(joint), _AT_ONCE)]
    return [(part, _compile_set(tuple(f"(?m){pattern}" for pattern in part))) for part in parts]


def find_absent(patterns: tuple[str, ...], lines: str | bytes) -> frozenset[str]:
    """The RE2 expressions that occur in none of many texts.

    One automaton searches all of them at the cost of one. Expressions that refer to the start or end of the whole text
    (`\\A`, `\\z`) cannot be searched in joined texts, so they are never reported as absent.

    Args:
        patterns: the expressions.
        lines: the texts, each followed by a newline; bytes are in UTF-8.
    """
    absent: set[str] = set()
    for part, found in _list_sets(patterns):
        absent.update(part)
        absent.difference_update([part[number] for number in found.Match(lines) or ()])
    return frozenset(absent)


def find_in_texts(columns: PageColumns, pattern: str, wanted: Mask) -> Mask:
    """bool [n_blocks]: whether an RE2 expression occurs in the text of each wanted block.

    The joined text of the page is searched first. What is found there may go beyond the end of a block, so the blocks
    that it touches are searched one by one.
    """
    found = np.zeros(len(wanted), dtype=bool)
    likely = wanted
    if not _WHOLE_TEXT.search(pattern):
        likely = wanted & touch_matches(columns, compile_bytes(pattern, "(?m)"))
    holds, texts = compile_test(pattern), columns.blocks.text
    for block in likely.nonzero()[0].tolist():
        found[block] = holds(texts[block])
    return found


@lru_cache(maxsize=4096)
def compile_bytes(pattern: str, flags: str = "") -> Any:
    """An RE2 expression for texts in UTF-8, which it searches several times as fast as `str`. Raises `RuleError`.

    flags: such as `(?m)`, for texts on lines of their own.
    """
    compile_pattern(pattern)
    return re2.compile(f"{flags}{pattern}".encode())


def describe_conflicts(matches: Sequence[RuleMatch]) -> Iterator[str]:
    """Warnings: one line for each pair of rules of which one keeps blocks that the other drops; keep wins."""
    keeps = [match for match in matches if match.rule.effect.decide == "keep"]
    for drop in (match for match in matches if match.rule.effect.decide == "drop"):
        for keep in keeps:
            n = int((keep.blocks & drop.blocks).sum())
            if n:
                yield f"rule {keep.id!r} keeps {n} block{'s' * (n > 1)} that rule {drop.id!r} drops; keep wins"


def describe_misses(matches: Sequence[RuleMatch], site_rules: frozenset[str]) -> Iterator[str]:
    """A warning when rules of the page's site are about blocks and none of them matches any: they may be outdated."""
    about_blocks = [match for match in matches if match.id in site_rules and _selects_blocks(match.rule)]
    if about_blocks and not any(match.blocks.any() for match in about_blocks):
        yield f"none of the {len(about_blocks)} rules of this site matches: cleaned automatically"


def describe_lost_templates(matches: Sequence[RuleMatch], rules: Mapping[str, Rule]) -> Iterator[str]:
    """A warning when the site has templates and the page has none of them: it is cleaned automatically."""
    n_templates = plan_rules(rules).n_templates
    if n_templates and not any(match.rule.template for match in matches):
        yield f"none of the {n_templates} templates of this site is found: cleaned automatically"


def _selects_blocks(rule: Rule) -> bool:
    return rule.effect.decide is not None or rule.effect.points is not None
