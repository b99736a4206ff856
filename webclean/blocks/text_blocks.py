"""Document -> text blocks: runs of text that no block boundary interrupts, with the counts of each; and the tree of
structure blocks that they stand in.

A text block is a maximal run of text nodes that have the same nearest block element, with no block element starting
between them. Two or more `br` in a row also end a block: pages without `p` separate paragraphs that way.

    <div>Ann <i>and</i> Bob<p>Hello</p>bye</div>     three blocks: "Ann and Bob", "Hello", "bye"
    <p>one<br><br>two<br>three</p>                   two blocks: "one", "two three"

A permalink sign, such as the `#` in `<h2>Setup <a href="#setup">#</a></h2>`, belongs to no block: it is of no use to a
reader of the text. It is a link without letters and digits in a heading or caption that has other text. Nor does a
button there belong to one (`<h2>Setup <button>Copy link</button></h2>`).

Nor do hidden parts of a block that shows other text: in headings all, elsewhere short ones that are no sentence, for
long ones are what `read more` shows, and sentences are notes. What `aria-hidden` marks belongs to none where its block
says the same in a part for screen readers (`core/text_nodes.py`).

    <h3>Leave a reply <a style="display: none">Cancel</a></h3>                    "Leave a reply"
    <b><i aria-hidden=true>$24</i> <i class=sr-only>$24</i></b>                   "$24"

A space is put between inline elements without white space between them (`</span><span>`) if one of them is a button or
a time, has a class or an id, floats, has space around it or is laid out by the element around it (flex, grid): then
they are separate items, such as tags of a post. None is put before a sign
that closes what stands before it (`19</span><span>.99`), nor between the parts of a function's signature
(`cache</span><span>(`). Other elements are mostly one text that an editor cut anywhere, even inside a word. In code all
white space is the author's, so none is added (`core/text_blocks.py`).

What a character is to the counts is a set of bits: `.` is PUNCTUATION and STOP at once. The marks are those of Western,
Greek, Armenian, East and South-East Asian, Arabic, Indic and Ethiopic scripts. CLOSING includes opening quotation
marks, since German closes a quotation with “, and Danish and Czech books with «.

The structure-block tree is of the patent (A2, step 102), and so are its largest blocks (A3, step 103). A structure
block is an element that divides a page (`statistics.block_tags`: containers, lists and tables, but not paragraphs,
headings and list items, which are content of a block) with displayed text in its subtree. Structure blocks nest as
their elements do, so the tree is a table in document order. For `body(p, div(div, div))`:

    index   element   parent   end    children
    0       body      -1       4      1
    1       div        0       4      2, 3
    2       div        1       3
    3       div        1       4

`end` closes a subtree: everything below block `i` is the slice `i:end[i]`. Neither white space nor hidden text is
counted.

A structure block is *valid* when it holds more than `min_chars` visible characters that are in no further valid block
inside it: its own text. No text is counted in two blocks, and those in a block too small to be valid belong to the next
valid one around it. Candidates for the largest and the second-largest block are the *text* blocks: those with at least
`text_ratio` characters of own text for each character of link text in it. For `text_ratio` 2 and `min_chars` 20:

    div           420    own text: its paragraphs and the label
      p           400
      div          20    a label, not valid: counted in the block around it
      ul           30    valid, but all of it links: no candidate

Reading: the patent's walk lets a block compete when none is inside it and "reports upward". Taken by the letter, an
article of any length with one box of 30 characters inside never competes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page
from webclean.errors import RuleError
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.parse.columns import find_attribute, find_nearest, list_classes, list_holding, read_attributes, sum_before
from webclean.parse.tags import BLOCK, CODE, HEADING, N_CODES, tag_mask
from webclean.rules.page_schema import Statistics

SPACE: Final = 1
"""White space: the characters for which `str.isspace` is true."""
UNSPACED: Final = 2
"""Characters of scripts without spaces between words (radicals, ideographs, kana): each one counts as a word."""
PUNCTUATION: Final = 4
STOP: Final = 8
"""Ends a sentence if white space, a closing quotation mark or bracket, or the end of the text follows."""
CLOSING: Final = 16
FULL_STOP: Final = 32
"""Ends a sentence whatever follows; a row of them ends one sentence."""
LONE_STOP: Final = 64
"""Ends a sentence whatever follows, even where several stand in a row."""
SYLLABIC: Final = 128
"""Thai, Lao, Burmese and Khmer, written without spaces between words: about four signs make a word."""

_MEMBERS: Final = {
    SPACE: "\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
    UNSPACED: (
        "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
        "\U00020000-\U0003ffff"
    ),
    PUNCTUATION: (
        "!-#%-*,-/:;?@[-]_{}¡§«¶·»¿\u037e\u0387։،؛؟۔।॥၊။።-፧។-៖‐-‧‰-⁞、-〃〈-】〔-〟・！-＃％-＊，-／：；？＠［-］＿｛｝｡-･"
    ),
    STOP: ".!?…",
    CLOSING: "\"'”’“‘»«›)]",
    FULL_STOP: "。！？．｡",
    LONE_STOP: "۔؟।॥։።፧။។",
    SYLLABIC: "\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1780-\u17d3",
}
"""Kind -> its characters, written as in a regular expression's set: single ones, and ranges `first-last`."""


@lru_cache(maxsize=1)
def list_kinds() -> NDArray[np.uint8]:
    """uint8 [0x110000]: the kind of every code point, made once."""
    table = np.zeros(0x110000, dtype=np.uint8)
    for kind, members in _MEMBERS.items():
        for first, last in re.findall(r"(.)(?:-(.))?", members, re.DOTALL):
            table[ord(first) : ord(last or first) + 1] |= kind
    table.setflags(write=False)
    return table


def _list_flags() -> NDArray[np.uint8]:
    flags = np.zeros(N_CODES, dtype=np.uint8)
    masks = {
        "block": BLOCK,
        "break": tag_mask("br"),
        # only in these does a sign link an element to itself; elsewhere `#` may be text
        "naming": HEADING | tag_mask("dt caption figcaption legend summary"),
        "button": tag_mask("button"),
        "spaced": tag_mask("code pre kbd samp tt var"),  # by their author
        "item": tag_mask("button time"),
    }
    for name, mask in masks.items():
        flags[mask] |= core.TAG_FLAGS[name]
    # an element that HTML does not define is a part that a script draws
    flags[0] |= core.TAG_FLAGS["item"]
    return flags


_SPACE_STYLE: Final = re.compile(
    r"(?i)(?:margin|padding)(?:-(?:left|right|inline)[\w-]*)?\s*:[^;]*?(?:[3-9]|\d\d)(?:\.\d+)?px|(?:margin|padding)[\w-]*\s*:[^;]*?(?:[1-9]|\.[2-9])\d*r?em"
)
_ROWS: Final = re.compile(r"(?i)display\s*:\s*(?:inline-)?(?:flex|grid)\b")
_HIDDEN: Final = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden")
_STYLES: Final = {
    "float": ("apart", re.compile("")),
    "margin": ("apart", _SPACE_STYLE),
    "padding": ("apart", _SPACE_STYLE),
    "block": ("apart", re.compile(r"(?i)display\s*:\s*(?:inline-)?block")),
    "flex": ("rows", _ROWS),
    "grid": ("rows", _ROWS),
    "none": ("hiding", _HIDDEN),
    "hidden": ("hiding", _HIDDEN),
}
"""What a style may have -> what it says of its element, and the style that says so. An inline element stands apart from
its neighbours where it floats, is a block or keeps more space around it than there is between letters."""
_SOUGHT: Final = core.LiteralSet([*_STYLES], [*range(len(_STYLES))], [False] * len(_STYLES))
_TOLD: Final = tuple(_STYLES.values())
_ROW_NAMES: Final = frozenset(("flex", "inline-flex", "d-flex", "d-inline-flex", "grid", "inline-grid", "d-grid"))
"""How a class of the common style sheets says that what an element holds are boxes (CSS Flexbox, 4)."""
_TAG_FLAGS: Final = _list_flags()
"""uint8 [N_CODES]: what the core knows of each tag."""
_COLUMNS: Final = (
    *("row", "first", "last", "n_chars", "n_link_chars", "n_words", "n_link_words", "n_punctuation", "n_sentences"),
    *("block_of", "gap", "visible"),
)
"""Of `TextBlocks`, which has those of its page under the same names."""


def find_text_blocks(document: Document) -> TextBlocks:
    """Divide the document's text into text blocks and count their characters, words and sentences."""
    page, styled = document.page, _list_styled(document)
    floating, laid_out = styled["apart"], styled["rows"]
    # most pages have none of them, though a part of another name
    for part in {name.rpartition("-")[2] for name in _ROW_NAMES if name in list_classes(document)}:
        named = list_holding(document, "class", part)
        # templates repeat their classes
        known = {names for names in {names for _, names in named} if not _ROW_NAMES.isdisjoint(names.split())}
        laid_out = laid_out + [row for row, names in named if names in known]
    if laid_out:
        floating = floating + np.isin(document.parent, laid_out).nonzero()[0].tolist()
    hiding, silent = list_hiding(document).tolist(), list_silent(document)
    core.divide_text(page, document.attrs.found, hiding, silent, floating, list_kinds(), _TAG_FLAGS)
    return TextBlocks(text=page.block_texts, **{name: page.view(name) for name in _COLUMNS})


@cached_per_page
def _place_lines(document: Document, blocks: TextBlocks) -> tuple[Rows, Rows]:
    """int64 [n_blocks], both rising: the places of the first and the last text node of each text block.

    A place is how many elements start before the text; where none starts between two texts, elements end between them,
    so the later one is of an element around the other's, whose row is lower.
    """
    n = len(document) + 1
    first, last = ((document.text_next[at] * n - document.text_owner[at]) for at in (blocks.first, blocks.last - 1))
    return first, last


def find_lines(document: Document, blocks: TextBlocks, rows: Any, ends: Any = None) -> Rows:
    """int64 [2, n]: the first of the text blocks that lie inside of each element, and the one after the last of them.

    rows: of the elements, one or n. ends: the rows before which the texts end, where that is not with the element.

    `blocks.row` is no place in the page: a text behind an inner element is of the outer one, whose row is lower. Nor
    does it tell what lies in inline elements.

        <div>four <p>five</p> six <p>seven</p> eight</div>      rows 0 1 0 2 0
    """
    rows, n = np.asarray(rows, dtype=np.int64), len(document) + 1
    ends = document.end[rows] if ends is None else np.asarray(ends, dtype=np.int64)
    first, last = _place_lines(document, blocks)
    begin = first.searchsorted(rows * n, "right")
    # a line that only begins in an inline element is not inside
    return np.array((begin, np.maximum(begin, last.searchsorted(ends * n - rows, "right"))))


@cached_per_page
def list_hiding(document: Document) -> Rows:
    """Rows of the elements with the `hidden` attribute or an inline style that hides them."""
    return np.array([*find_attribute(document, "hidden"), *_list_styled(document)["hiding"]], dtype=np.intp)


@cached_per_page
def list_silent(document: Document) -> list[int]:
    """Rows of the elements that are hidden from screen readers (WAI-ARIA, `aria-hidden`)."""
    return [row for row, value in list_holding(document, "aria-hidden", "true") if value == "true"]


@cached_per_page
def _list_styled(document: Document) -> dict[str, list[int]]:
    """What `_STYLES` tells -> rows of the elements of which it does."""
    found: dict[str, list[int]] = {"apart": [], "rows": [], "hiding": []}
    # one look for all of them, for most pages have none, and no strings are made of the other styles
    hits = _SOUGHT.find_rows(document.attrs.found, "style")
    styles = read_attributes(document, [row for row, _ in hits], "style")
    for (row, number), style in zip(hits, styles, strict=True):
        told, sign = _TOLD[number]
        if sign.search(style):
            found[told].append(row)
    return found


def sum_subtrees(
    document: Document, rows: NDArray[np.signedinteger], values: NDArray[np.generic]
) -> NDArray[np.float64]:
    """float64 [n_elements]: for every element, the sum of the values in its subtree, its own included.

    The subtree of row i is the slice `i:end[i]`, so each sum is a difference of two prefix sums. For the tree
    `div(p, p), p` in rows 0 to 3 with `end` 3, 2, 3, 4:

        values       0  5  7  2
        running   0  0  5 12 14      sum of row 0 = running[3] - running[0] = 12

    rows: int [n], the element of each value; an element may occur several times. values: [n].
    """
    running = sum_before(np.bincount(rows, values, minlength=len(document)))
    summed: NDArray[np.float64] = running[document.end] - running[:-1]
    return summed


@dataclass(frozen=True, slots=True, eq=False)
class StructureTree:
    """The structure blocks of a page; n of them, in document order.

    row: int64 [n], the element. parent: int64 [n], index of the nearest structure block around it, or -1. end: int64
    [n], one past the last structure block inside. n_chars, n_link_chars: int64 [n], sums over the subtree. block_of:
    int64 [n_elements], the innermost structure block around each element, itself included, or -1. chars_below,
    link_chars_below: int64 [n_elements], sums over the subtree of every element.
    """

    row: Rows
    parent: Rows
    end: Rows
    n_chars: Rows
    n_link_chars: Rows
    block_of: Rows
    chars_below: Rows
    link_chars_below: Rows

    def __len__(self) -> int:
        return len(self.row)

    def list_children(self, block: int) -> list[int]:
        """The structure blocks directly inside a block."""
        found, at = [], block + 1
        while at < self.end[block]:
            found.append(at)
            at = int(self.end[at])
        return found


@cached_per_page
def build_structure_tree(document: Document, blocks: TextBlocks, block_tags: tuple[str, ...]) -> StructureTree:
    """Select the structure blocks with displayed text, and sum the characters of their text blocks. O(elements)."""
    chars = _sum_visible(document, blocks, blocks.n_chars)
    link_chars = _sum_visible(document, blocks, blocks.n_link_chars)
    is_block = mask_tags(block_tags)[document.tag] & (chars > 0)
    row = is_block.nonzero()[0]
    # one more entry, so that the index -1 (no block around) reads -1
    index = np.full(len(document) + 1, -1)
    index[row] = np.arange(len(row))
    block_of = index[find_nearest(document.parent, is_block)]
    above = document.parent[row]
    parent = np.where(above >= 0, block_of[above], -1)
    end = np.searchsorted(row, document.end[row])
    return StructureTree(row, parent, end, chars[row], link_chars[row], block_of, chars, link_chars)


def _sum_visible(document: Document, blocks: TextBlocks, values: Rows) -> Rows:
    return sum_subtrees(document, blocks.row, np.where(blocks.visible, values, 0)).astype(np.int64)


@lru_cache(maxsize=32)
def mask_tags(names: tuple[str, ...]) -> Mask:
    """bool [N_CODES] of the named tags. Raises `RuleError` for a name that HTML does not define."""
    unknown = [name for name in names if name not in CODE]
    if unknown:
        raise RuleError(f"not HTML elements: {', '.join(unknown)}", key="statistics.block_tags")
    return tag_mask(" ".join(names))


@dataclass(frozen=True, slots=True, eq=False)
class BlockStatistics:
    """The valid blocks and the two largest of them.

    tree: the structure-block tree. row: int64 [n], elements of the valid structure blocks in document order. n_chars:
    int64 [n_elements], characters of own text, 0 where an element is no valid block. owner: int64 [n_elements], row of
    the valid block that an element belongs to, itself included, or -1. largest, second: the elements with the most
    characters of own text among the text blocks, the first of equal ones; -1 for none.
    """

    tree: StructureTree
    row: Rows
    n_chars: Rows
    owner: Rows
    largest: int
    second: int

    def list_own(self, blocks: TextBlocks, row: int) -> Rows:
        """int64 [n]: the visible text blocks that are own text of a valid block."""
        found: Rows = ((self.owner[blocks.row] == row) & blocks.visible).nonzero()[0]
        return found

    def is_notice(self, blocks: TextBlocks, row: int, pattern: Any) -> bool:
        """Whether texts that match make up most of a block's own text: then it is the copyright notice.

        "Photo (c) Reuters" under a picture makes no notice of an article.
        """
        own = self.list_own(blocks, row)
        matched = sum(int(blocks.n_chars[at]) for at in own.tolist() if pattern.search(blocks.text[at]))
        return 2 * matched > int(self.n_chars[row])


def compute_statistics(document: Document, blocks: TextBlocks, rules: Statistics) -> BlockStatistics:
    """The valid blocks and the two largest text blocks of a page."""
    tree = build_structure_tree(document, blocks, rules.block_tags)
    own, own_links = _subtract_valid(tree, rules.min_chars)
    valid = own > rules.min_chars
    row = tree.row[valid]
    n_chars = np.zeros(len(document), dtype=np.int64)
    n_chars[row] = own[valid]
    candidates = (valid & (own >= rules.text_ratio * own_links)).nonzero()[0]
    order = np.argsort(-own[candidates], kind="stable")[:2]
    largest, second = [*tree.row[candidates[order]].tolist(), -1, -1][:2]
    owner = find_nearest(document.parent, n_chars > 0)
    return BlockStatistics(tree, row, n_chars, owner, largest, second)


def _subtract_valid(tree: StructureTree, min_chars: int) -> tuple[Rows, Rows]:
    """int64 [n_structure_blocks]: characters and link characters in no valid block further inside."""
    own, links, parents = tree.n_chars.tolist(), tree.n_link_chars.tolist(), tree.parent.tolist()
    n_chars, n_links = own.copy(), links.copy()
    # from the leaves up: what is in valid blocks inside is known before a block is asked
    taken, taken_links = [0] * len(own), [0] * len(own)
    for block in range(len(own) - 1, -1, -1):
        own[block] -= taken[block]
        links[block] -= taken_links[block]
        above = parents[block]
        if above < 0:
            continue
        is_valid = own[block] > min_chars
        taken[above] += n_chars[block] if is_valid else taken[block]
        taken_links[above] += n_links[block] if is_valid else taken_links[block]
    return np.array(own, dtype=np.int64), np.array(links, dtype=np.int64)
