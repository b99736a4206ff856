"""What all learners share: pages as columns, folds by site, answers of pages that nothing was learnt from, files.

A learner is a function of pages, rules and the settings of its command (`laboratory.commands`) that gives a `Learnt`:

    pages    labelled (`workbench.labelled_pages`) or marked (`laboratory.marked_pages`)
    cases    what is learnt from each page, by the features that a registry lists for the card (`list_learnt`)
    scores   each page by what was learnt without its site: `cross_validate` over `list_folds`
    card     from all pages, by one of the fits of `laboratory.fitting`, or a tree
    file     YAML that people read and change, with the scores above the values (`write_cards`, `write_tree`)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean.features import PageColumns
from webclean.features.cards import Registry
from webclean.model import Rows
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules.card_schema import Card, TreeNode
from webclean.rules.files import write_yaml
from webclean.rules.page_schema import WordPoints
from webclean.storage import read_table
from webclean.workbench.labelled_pages import LabelledPage, group_pages, make_folds

_Learnt = TypeVar("_Learnt")
_Answer = TypeVar("_Answer")

N_FOLDS: Final = 5
SETTINGS: Final = read_table(__file__, "settings.toml")
"""What learning is given by hand, and the texts that learnt files begin with."""


class Learnt(NamedTuple):
    """What a learner found.

    report: the scores, on pages that nothing was learnt from. write: name of a rule file -> its text; a learner of one
    file names none, and its key is ''. Nothing is learnt from all pages before that is asked for.
    """

    report: str
    write: Callable[[], Mapping[str, str]]


_BEGAN: Final = time.monotonic()


def say(text: str) -> None:
    """A line of progress on standard error, with the seconds since the start."""
    print(f"{time.monotonic() - _BEGAN:7.1f} s  {text}", file=sys.stderr)


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


WORD_KINDS: Final = ("names", "words", "headings")
Part = tuple[tuple[str, ...], Any, Mapping[str, str]]
"""A path in the rule set, what stands there, and notes: a key inside of it -> what stands behind its first line."""


def write_cards(
    cards: Sequence[tuple[tuple[str, ...], Card, Registry]], head: str, replaced: Sequence[str] = ()
) -> str:
    """A rule file of cards, each with its path in the rule set and the features that it is written in.

    head, replaced: see `write_rules`.
    """
    parts = list[Part]()
    for path, card, known in cards:
        features = {name: known.find(name) for name in card.lines}
        # notes save readers of a card from looking its features up
        notes = {name: f"{feature.meaning} ({feature.unit})" for name, feature in features.items()}
        parts.append((path, msgspec.to_builtins(card), notes))
    return write_rules(parts, head, replaced, SETTINGS["written"]["how_to_read"])


def write_tree(path: tuple[str, ...], tree: TreeNode, head: str) -> str:
    """A rule file of a decision tree, which takes the place of that of the layers below."""
    return write_rules([(path, msgspec.to_builtins(tree), {})], head, [".".join(path)])


def write_word_points(word_points: WordPoints, head: str) -> str:
    """The `word_points` section as YAML, words of the same points together."""
    parts: list[Part] = [(("word_points",), msgspec.to_builtins(word_points), {})]
    return write_rules(parts, head, [f"word_points.{kind}" for kind in WORD_KINDS])


def write_rules(parts: Iterable[Part], head: str, replaced: Sequence[str] = (), note: str = "") -> str:
    """A rule file of parts.

    head: what the file is and how it was learnt. replaced: paths of what takes the place of the layers below, where
    something was learnt before. note: how values are read; what is learnt without one is hardly mended by hand.
    """
    mend = SETTINGS["written"]["mend"] if note else ""
    text = [f"# {line}".rstrip() for line in f"{mend}{head}{note}".splitlines()]
    text += [f"replaces: [{', '.join(replaced)}]"] if replaced else []
    opened = set[tuple[str, ...]]()
    for path, value, notes in parts:
        for depth in range(1, len(path)):
            if path[:depth] not in opened:
                opened.add(path[:depth])
                text.append(f"{'  ' * (depth - 1)}{path[depth - 1]}:")
        left = dict(notes)
        for line in write_yaml({path[-1]: _simplify(value)}).splitlines():
            told = left.pop(line.strip().partition(":")[0], "")
            text.append(f"{'  ' * (len(path) - 1)}{line}{f'  # {told}' if told else ''}")
    return "\n".join(text) + "\n"


def _simplify(value: Any) -> Any:
    """Whole numbers without a point, others with twelve digits: more are noise of the fit."""
    if isinstance(value, Mapping):
        return {name: _simplify(own) for name, own in value.items()}
    if isinstance(value, list | tuple):
        return list(map(_simplify, value))
    if isinstance(value, float):
        return int(value) if value.is_integer() else float(f"{value:.12g}")
    return value
