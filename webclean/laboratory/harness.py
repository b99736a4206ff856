"""What all learners share: pages as columns, folds by site, answers of pages that nothing was learnt from, files.

A learner is a function of pages, rules and the settings of its command (`laboratory.commands`) that gives a `Learnt`:

    pages    labelled (`workbench.labelled_pages`) or marked (`laboratory.marked_pages`)
    cases    what is learnt from each page, by the features that a registry lists for the card (`list_learnt`)
    scores   each page by what was learnt without its site: `cross_validate` over `list_folds`
    card     from all pages, by one of the fits of `laboratory.fitting`, or a tree
    file     YAML that people read and change, with the scores above the values (`write_cards`, `write_tree`)
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import TextWrapper
from types import MappingProxyType
from typing import Any, Final, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean.features import PageColumns
from webclean.features.cards import Registry
from webclean.model import Rows
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules.card_schema import Bins, Card, CardLines, TreeNode
from webclean.rules.page_schema import WordPoints
from webclean.workbench.labelled_pages import LabelledPage, group_pages, make_folds

_Learnt = TypeVar("_Learnt")
_Answer = TypeVar("_Answer")
Say = Callable[[str], None]
"""Takes a line of progress."""

N_FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a learner found.

    report: the scores, on pages that nothing was learnt from. write: name of a rule file -> its text; a learner of one
    file names none, and its key is ''. Nothing is learnt from all pages before that is asked for.
    """

    report: str
    write: Callable[[], Mapping[str, str]]

    def save(self, output: Path) -> Iterator[Path]:
        """Write the rule files: one named `output`, or several into that folder."""
        # all is learnt before anything is written: a half-written folder would be a mixture of two cards
        for name, text in self.write().items():
            path = output / name if name else output
            path.write_text(text, encoding="utf-8")
            yield path


def start_clock(*, quiet: bool = False) -> Say:
    """Progress on standard error, each line with the seconds since the start."""
    began = time.monotonic()

    def say(text: str) -> None:
        if not quiet:
            print(f"{time.monotonic() - began:7.1f} s  {text}", file=sys.stderr)

    return say


@dataclass(frozen=True, eq=False)
class LabelledPages:
    """Labelled pages of one or several corpora, and which of them are held out together.

    by_corpus: whether folds have as many pages of each corpus, and not only of each page type. Columns have a row for
    each page: `group` int32, its site; `fold` int32, which pages of one site share, types spread evenly; `corpus`
    int64, the place of its corpus in `corpora`, of which the first has every page type; `types`, the labelled type.
    """

    pages: tuple[LabelledPage, ...]
    by_corpus: bool

    @cached_property
    def group(self) -> Rows:
        return group_pages(self.pages)

    @cached_property
    def fold(self) -> Rows:
        strata = [f"{page.corpus} {page.page_type}" if self.by_corpus else page.page_type for page in self.pages]
        return make_folds(self.group, strata, N_FOLDS)

    @cached_property
    def corpora(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(page.corpus for page in self.pages))

    @cached_property
    def corpus(self) -> Rows:
        return np.array([self.corpora.index(page.corpus) for page in self.pages], dtype=np.intp)

    @cached_property
    def types(self) -> NDArray[np.str_]:
        return np.array([page.page_type for page in self.pages], dtype=np.str_)


def read_columns(page: LabelledPage) -> PageColumns:
    """The columns of one page."""
    return build_columns(parse_page(page.html, url=page.url or None))


def list_folds(parts: Rows) -> Iterator[tuple[list[int], list[int]]]:
    """(rows to learn from, rows to score) for each part that is held out. parts: int [n_rows]."""
    for part in np.unique(parts).tolist():
        yield np.flatnonzero(parts != part).tolist(), np.flatnonzero(parts == part).tolist()


def cross_validate(
    parts: Rows, learn: Callable[[list[int]], _Learnt], answer: Callable[[_Learnt, int], _Answer]
) -> list[_Answer]:
    """What is said of each row by what was learnt without its part."""
    found: dict[int, _Answer] = {}
    for seen, held_out in list_folds(parts):
        learnt = learn(seen)
        found |= {row: answer(learnt, row) for row in held_out}
    return [found[row] for row in range(len(found))]


def format_share(right: Sequence[bool]) -> str:
    """The share of what is right, of how many."""
    return f"{np.mean(right):.3f} of {len(right)}" if right else "none"


_WIDTH = 116
WORD_KINDS: Final = ("names", "words", "headings")
_PLAIN_KEY: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.-]*(?::[a-z0-9_.-]+)?")
_PLAIN_TEXT: Final = re.compile(r"[\w<>=. -]+", re.ASCII)
"""Such as the test of a tree."""
# YAML 1.1 reads these as truth values, and cards have words such as `no` and `on`.
_NOT_KEYS: Final = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"))
_MEND: Final = """\
To mend a site, use `webclean rules new`, not this file: rules of a site win over every card, and no other site changes.
"""
_HOW_TO_READ: Final = """
How to read it: all start with the points of `bias`; each feature adds those of the bin that its value falls in.
  n_words:                         `below: [4, 12]` makes three bins: under 4, under 12, and the rest
    below: [4, 12]                 `points` has a number for each bin; over 0 speaks for, under 0 against
    points: [-0.9, 0.1, 0.5]       0.7 more doubles the odds, 0.7 less halves them, 0 is silent
  h1: 0.84                         a single number is for a feature that holds or does not
  points: {forum: [0, 0, 0.5]}     where there are classes, each has numbers of its own, and the largest sum wins
A feature that says nothing of a page adds nothing; nothing interacts. To change a line, write it, limits and points, in
a file of your own that is laid over this one (`--rules FILE`); `n_words: 0` silences it."""


def write_cards(
    cards: Sequence[tuple[tuple[str, ...], Card, Registry]], head: str, replaced: Sequence[str] = ()
) -> str:
    """A rule file of cards, each with its path in the rule set and the features that it is written in.

    head, replaced: see `write_rules`.
    """
    parts = [(path, format_card(card, known, 2 * len(path))) for path, card, known in cards]
    return write_rules(parts, head, replaced, _HOW_TO_READ)


def write_tree(path: tuple[str, ...], tree: TreeNode, head: str) -> str:
    """A rule file of a decision tree, which takes the place of that of the layers below."""
    return write_rules([(path, format_tree(tree, 2 * len(path)))], head, [".".join(path)])


def write_rules(
    parts: Sequence[tuple[tuple[str, ...], Iterable[str]]], head: str, replaced: Sequence[str] = (), note: str = ""
) -> str:
    """A rule file of parts, each with its path in the rule set and its lines.

    head: what the file is and how it was learnt. replaced: paths of what takes the place of the layers below, where
    something was learnt before. note: how values are read; what is learnt without one is hardly mended by hand.
    """
    text = [f"# {line}".rstrip() for line in f"{_MEND if note else ''}{head}{note}".splitlines()]
    text += [f"replaces: [{', '.join(replaced)}]"] if replaced else []
    opened = set[tuple[str, ...]]()
    for path, lines in parts:
        for depth in range(1, len(path) + 1):
            if path[:depth] not in opened:
                opened.add(path[:depth])
                text.append(f"{'  ' * (depth - 1)}{path[depth - 1]}:")
        text += lines
    return "\n".join(text) + "\n"


def format_card(card: Card, known: Registry | None, indent: int) -> Iterator[str]:
    """The lines of one card."""
    parts: dict[str, Any] = {"temperature": card.temperature} if card.temperature != 1 else {}
    parts |= _list_parts(card)
    parts["by_type"] = {kind: _list_parts(added) for kind, added in card.by_type.items()}
    parts["words"] = {channel: words for channel, words in card.words.items() if words}
    found = {name: known.find(name) for name in card.lines} if known is not None else {}
    # notes save readers of a card from looking its features up
    notes = {name: f"  # {feature.meaning} ({feature.unit})" for name, feature in found.items() if feature is not None}
    for key, part in parts.items():
        if part:
            yield from format_value(key, part, " " * indent, notes=notes if key == "lines" else {})


def _list_parts(part: CardLines) -> dict[str, Any]:
    """What is written of a part of a card."""
    found: dict[str, Any] = {"bias": part.bias} if part.bias else {}
    lines = {
        name: {key: own for key, own in msgspec.structs.asdict(line).items() if own} if isinstance(line, Bins) else line
        for name, line in part.lines.items()
    }
    return found | ({"lines": lines} if lines else {})


def format_value(
    key: str, value: Any, space: str, note: str = "", notes: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """The lines of a key and its value: lists, points of classes and leaves on one line, other mappings key by key.

    space: before the key. note: behind it. notes: key inside the value -> what stands behind that.
    """
    is_flat = not isinstance(value, dict) or "is" in value
    if is_flat or (key != "lines" and not any(isinstance(own, dict | tuple) for own in value.values())):
        yield f"{space}{quote_key(key)}: {write_value(value)}{note}"
        return
    yield f"{space}{quote_key(key)}:{note}"
    for name, own in value.items():
        yield from format_value(name, own, f"{space}  ", notes.get(name, ""))


def write_value(value: Any) -> str:
    """`0.4`, `[1, 2.5]` or `{article: 0.4, forum: -0.2}`: numbers of classes the largest first, equal ones by name."""
    if isinstance(value, dict):
        pairs = list(value.items())
        if all(isinstance(own, int | float) for own in value.values()):
            # an order of its own, so that learning anew changes the lines that changed
            pairs.sort(key=lambda item: (-item[1], item[0]))
        return "{" + ", ".join(f"{name}: {write_value(own)}" for name, own in pairs) + "}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(write_value, value))}]"
    if isinstance(value, str):
        return value if _PLAIN_TEXT.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    # without exponents, which are easily misread in a list of limits
    return np.format_float_positional(value + 0.0, precision=12, fractional=False, trim="-")


def quote_key(word: str) -> str:
    """A word as a YAML key: in quotes where YAML would read something else."""
    is_plain = _PLAIN_KEY.fullmatch(word) and word.lower() not in _NOT_KEYS
    return word if is_plain else json.dumps(word, ensure_ascii=False)


def write_word_points(word_points: WordPoints, head: str) -> str:
    """The `word_points` section as YAML: words of the same points in one folded line."""
    indent, parts = " " * 8, []
    wrap = TextWrapper(_WIDTH, indent, indent, break_long_words=False, break_on_hyphens=False)
    for kind in WORD_KINDS:
        lines = list[str]()
        for group in getattr(word_points, kind):
            lines += [f"    - points: {group.points:g}", "      words: >-", *wrap.wrap(group.words)]
        parts += [(("word_points", kind), lines)] if lines else []
    return write_rules(parts or [(("word_points",), [])], head, [f"word_points.{kind}" for kind in WORD_KINDS])


def format_tree(node: TreeNode, indent: int = 0) -> Iterator[str]:
    """The lines of a tree: branches nested, each leaf on one line."""
    for key, value in msgspec.to_builtins(node).items():
        yield from format_value(key, value, " " * indent)
