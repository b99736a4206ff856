"""What all learners share: pages as columns, folds by site, answers of pages that nothing was learnt from, the end.

A learner is a function of the options of its command (the table in `laboratory.commands`) that gives a `Learnt`:

    pages    labelled (`workbench.labelled_pages`) or marked (`laboratory.marked_pages`)
    cases    what is learnt from each page, by the features that a registry lists for the card (`list_learnt`)
    scores   each page by what was learnt without its site: `cross_validate` over `list_folds`
    card     from all pages, by one of the fits of `laboratory.fitting` or a tree of `laboratory.decision_tree`
    file     by `laboratory.rule_files`, with the scores above the values
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from webclean.features import PageColumns
from webclean.model import Rows
from webclean.parse import parse_page
from webclean.pipeline import build_columns
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
