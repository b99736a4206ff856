"""The words of a page: the names of its elements, what repeats by them, and the texts of blocks.

**Names** (tag, class, id, role and the like) are numbered so that equal ones are compared once. Template-generated
lists repeat an element: `ul` with many `li.teaser`, `div` with many `div.comment`. Siblings are grouped by (parent,
tag, classes but for their numbers); a group of at least three is repeated. In

    <ul><li>tea <li>milk <li>green tea with milk</ul> <p>Notes</p>

the three `li` are one group: `size` 3 for each, `words` their total, `spread` the variation of their lengths. Each
block inside has its `li` as `item`; that of `p` has none (-1). Teasers of a list are nearly equal in length (low
spread), paragraphs of a text are not.

**Texts**: each meaningful word has points from the rules (`word_points`), positive for main content; the features of
`core/block_columns.py` sum them. `search_texts` finds the blocks in which each of many expressions occurs. Most need
some literal that few blocks have (`matching.expressions`): they are asked of those blocks alone. All others are asked
of each block by one automaton, which tells which of them occur in a text, at the cost of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.words import (
    NEXT_WORD,
    SUM_UNIT,
    CompiledWordPoints,
    Words,
    describe_label_words,
    describe_name_words,
    describe_words,
    split_name,
    weigh_phrases,
    weigh_words,
)
from webclean.matching.expressions import compile_literals, compile_pattern, compile_set, find_literals
from webclean.model import Document, Floats, Mask, Rows
from webclean.parse import read_attributes
from webclean.parse.tags import BLOCK, CODE, HEADING
from webclean.rules.rule_schema import cached_per_rule_set

NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop", "aria-label", "data-testid", "data-component")


class NameTable(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The distinct names of a page's elements.

    names: first '' for elements without text, then all names of tag and class alone (`div teaser`), then those with
    further attributes (`div teaser main-teaser`). index: int64 [n_elements], the number of the element's full name.
    classes: int64 [n_elements], the number of its name of tag and class alone. n_classes: names of that sort, ''
    included.
    """

    names: list[str]
    index: Rows
    classes: Rows
    n_classes: int

    def list_classes(self) -> list[str]:
        """The names that `classes` refers to."""
        return self.names[: self.n_classes]


_LEAST_REPEATED: Final = 3
"""Siblings of a group: two alike may be a heading's halves or two columns."""
_PATH_LEVELS: Final = 4
"""Elements of a tag path: with fewer, comments have the path of paragraphs; with more, each section has its own."""
_MOST_STEPS: Final = 16
"""From a repeated element to the next one around it, on the way to the outermost."""


@cache
def _make_plan() -> Any:
    kinds, base, longest, lower = describe_name_words()
    return core.NamePlan(
        keys=NAME_ATTRIBUTES,
        kinds=kinds,
        base=base,
        longest=longest,
        lower=lower,
        is_block=BLOCK.view(np.uint8),
        least=_LEAST_REPEATED,
        n_levels=_PATH_LEVELS,
        most_steps=_MOST_STEPS,
    )


@cached_per_page
def read_names(columns: PageColumns) -> Any:
    """Add to the page what the names of its elements tell (`core/names.py`). Their words, `core.Words`."""
    _ = columns.n_words_below  # elements without words have no name
    # one call for names, their words and repeats: all of them walk over the same attributes
    return core.read_names(columns.document.page, columns.document.attrs.found, _make_plan())


@cached_per_page
def find_names(columns: PageColumns) -> NameTable:
    """The names of all elements with text inside."""
    read_names(columns)
    # the columns are the core's own: nothing is copied
    page = columns.document.page
    return NameTable(page.element_names, page.view("name"), page.view("class_name"), page.n_class_names)


def find_numbered_alike(columns: PageColumns) -> Rows:
    """int64 [n_elements]: equal for elements whose classes differ in their numbers alone, such as `div box1` and
    `div box2`, or `li post-118` and `li post-97`: the members of a list that their template numbers. A number is one
    at the end of a class, after a word of three letters at least, for `q3` and `col-md-8` name things of their own."""
    read_names(columns)
    return cast("Rows", columns.document.page.view("alike"))


@cached_per_page
def find_name_words(columns: PageColumns) -> Words:
    """The lower-case words of the page's names; `text` is the number of the name."""
    return Words(*read_names(columns).take())


def find_named(
    document: Document, tokens: str, attributes: Iterable[str], refused: str | None = None
) -> frozenset[int]:
    """The elements with one of some words in attributes such as `class`.

    tokens: lower-case, separated by spaces. refused: expression for names (one class, say) by which an element is none
    of them all the same.
    """
    known, literals = _compile_tokens(tokens)
    is_refused = compile_pattern(refused).search if refused else lambda name: None
    found = set()
    for key in attributes:
        # few values hold a word at all: only those are cut into words
        rows = [row for row, _ in literals.find_rows(document.attrs.found, key)]
        for row, value in zip(rows, read_attributes(document, rows, key), strict=True) if rows else ():
            # a value may hold several names, of which one is refused: `title user-title`
            if any(not known.isdisjoint(split_name(one)) and not is_refused(one) for one in value.split()):
                found.add(row)
    return frozenset(found)


@lru_cache(maxsize=1024)
def _compile_tokens(tokens: str) -> tuple[frozenset[str], Any]:
    """The words, and `core.LiteralSet` that finds values with any of them."""
    words = tokens.split()
    return frozenset(words), core.LiteralSet(list(map(str.casefold, words)), [0] * len(words), [False] * len(words))


def count_matches(columns: PageColumns, expression: Any) -> Floats:
    """float64 [n_blocks]: matches of an expression for amounts or dates (`columns.prices_dates`); none in long blocks,
    which nobody asks about."""
    text, ends, blocks = _encode_blocks(columns)
    # one search over the whole page: a search a block costs more than what it finds
    starts = [spans[0][0] for spans in expression.list_spans(text)]
    found = blocks[ends.searchsorted(starts, side="right")]
    return np.bincount(found, minlength=len(columns.blocks)).astype(np.float64)


@cached_per_page
def _encode_blocks(columns: PageColumns) -> tuple[bytes, Rows, Rows]:
    """The joined text in UTF-8 of the blocks that are not long and have a digit, which are few; int64 [n]: one past the
    newline after each, and which blocks they are."""
    texts = columns.blocks.text
    numbered = core.list_numbered(texts, 0, len(texts), _LONGEST_COUNTED)
    blocks = [number for number in numbered if len(texts[number]) <= _LONGEST_COUNTED]
    text = "\n".join([*[texts[i] for i in blocks], ""]).encode("utf-8", "surrogatepass")
    ends = (np.frombuffer(text, dtype=np.uint8) == ord("\n")).nonzero()[0] + 1
    return text, ends, np.array(blocks, dtype=np.int64)


@cached_per_page
def join_text(columns: PageColumns) -> str:
    """The text of all blocks, a newline after each."""
    return "\n".join([*columns.blocks.text, ""])


@cached_per_page
def cut_texts(columns: PageColumns) -> Any:
    """`core.Words`: the lower-case words of all blocks of at most `LONGEST` characters."""
    return core.cut_lower(columns.blocks.text, *describe_words())


@cached_per_page
def find_words(columns: PageColumns) -> Words:
    """The same as arrays."""
    return Words(*cut_texts(columns).take())


_LONGEST_COUNTED: Final = 300  # characters, as `n_dates` states
# characters; the points of words are learnt from texts of at most so many: buttons, labels, by-lines
SHORT_TEXT: Final = 60
LONGEST_LABEL: Final = 120
"""Characters. In a longer text a phrase such as `read also` is part of a sentence and announces nothing."""
WORDS: Final = 0
HEADINGS: Final = 1
"""Rows of the points of texts: those of a word in a short text, and in a heading."""


@cached_per_rule_set
def _compile_names(points: CompiledWordPoints) -> tuple[Any, Floats, NDArray[np.uint8]]:
    """What the core looks for in names: the words, their points, and whether each is not itself an HTML tag."""
    known, weights = weigh_words(points.names)
    # a name begins with its tag: that of a `header` is no name that somebody gave
    return known.compiled, weights[0], np.array([word not in CODE for word in known.words], dtype=np.uint8)


@cached_per_page
def score_names(columns: PageColumns, points: CompiledWordPoints) -> tuple[Floats, int]:
    """float64 [n_names]: sum of the points of the words in each of the page's names; and how many different class and
    id names that name parts of pages the page has."""
    words, n_names = read_names(columns), len(columns.document.page.element_names)
    found = core.score_names(words, *_compile_names(points), n_names, SUM_UNIT)
    return cast("tuple[Floats, int]", found)


@cached_per_rule_set
def _compile_texts(points: CompiledWordPoints) -> Any:
    """What the core looks for in short texts and headings."""
    known, weights = weigh_words(points.words, points.headings)
    phrases, gives_points, of_concepts = weigh_phrases(points.concepts, points.words, points.headings)
    cut, mend = describe_label_words()
    return core.TextPlan(
        known=known.compiled,
        points=weights,
        first=phrases.first.compiled,
        whole=phrases.whole.compiled,
        lengths=sum(1 << size for size in phrases.lengths),
        longest=max(phrases.lengths),
        next_word=int(NEXT_WORD),
        gives=gives_points.view(np.uint8),
        concept_points=of_concepts,
        unit=SUM_UNIT,
        is_heading=HEADING.view(np.uint8),
        short_chars=SHORT_TEXT,
        label_chars=LONGEST_LABEL,
        cut=cut,
        mend=mend,
    )


@cached_per_page
def score_texts(columns: PageColumns, points: CompiledWordPoints) -> Floats:
    """float64 [2, n_blocks]: points of the words and concepts of each short text and heading, as WORDS and HEADINGS."""
    _ = columns.n_text_chars  # which the core reads
    found: Floats = core.score_texts(columns.document.page, cut_texts(columns), _compile_texts(points))
    return found


_AT_ONCE: Final = 16
"""Expressions of one automaton."""


def search_texts(columns: PageColumns, patterns: tuple[str, ...]) -> dict[str, Mask]:
    """Expression -> bool [n_blocks], the blocks in whose text it occurs; without those that occur in none.

    Raises:
        RuleError: for what is no expression of RE2.
    """
    texts, plan = columns.blocks.text, _plan_search(patterns)
    found: dict[str, Mask] = {}
    # compiled when a text has its literals, which most expressions never see
    hits = [
        (block, number)
        for block, number in plan.literals.find(texts)
        if compile_set((patterns[number],)).Match(texts[block].encode("utf-8", "surrogatepass"))
    ]
    for numbers, match in plan.others:
        for block, text in enumerate(texts):
            hits += [(block, numbers[at]) for at in match(text.encode("utf-8", "surrogatepass")) or ()]
    for block, number in hits:
        having = found.get(patterns[number])
        if having is None:
            having = found[patterns[number]] = np.zeros(len(texts), dtype=bool)
        having[block] = True
    return found


class _Search(NamedTuple):
    """How some expressions are searched.

    literals: finds the texts that have what is needed, by the number of the expression. others: numbers and automaton
    of the expressions of which nothing is needed.
    """

    literals: Any
    others: tuple[tuple[list[int], Callable[[bytes], list[int] | None]], ...]


@lru_cache(maxsize=256)
def _plan_search(patterns: tuple[str, ...]) -> _Search:
    needs = list(map(find_literals, patterns))
    others = [number for number, need in enumerate(needs) if need is None]
    parts = [others[at : at + _AT_ONCE] for at in range(0, len(others), _AT_ONCE)]
    return _Search(
        literals=compile_literals(needs),
        others=tuple((part, compile_set(tuple(patterns[number] for number in part)).Match) for part in parts),
    )
