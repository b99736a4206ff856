"""Document -> text blocks: runs of text that no block boundary interrupts, with the counts of each.

A text block is a maximal run of text nodes that have the same nearest block element, with no block element starting
between them. Two or more `br` in a row also end a block: pages without `p` separate paragraphs that way.

    <div>Ann <i>and</i> Bob<p>Hello</p>bye</div>     three blocks: "Ann and Bob", "Hello", "bye"
    <p>one<br><br>two<br>three</p>                   two blocks: "one", "two three"

A permalink sign, such as the `#` in `<h2>Setup <a href="#setup">#</a></h2>`, belongs to no block: it is of no use to a
reader of the text. It is a link without letters and digits in a heading or caption that has other text. A space is
put between inline elements without white space between them (`</span><span>`) if one of them is a button or has a
class: then they are separate items, such as tags of a post. Elements without a class are mostly one text that an editor
cut anywhere, even inside a word. In code all white space is the author's, so none is added (`core/text_blocks.py`).

Texts -> one array with the class of every character, so that counting needs no Python loop.

A character's class is a set of bits: `.` is PUNCTUATION and STOP at once. Counting the punctuation of a text is then a
sum over a slice of the array.

The marks are those of Western, Greek, Armenian, East and South-East Asian, Arabic, Indic and Ethiopic scripts. CLOSING
includes opening quotation marks, since German closes a quotation with “, and Danish and Czech books with «.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.parse.columns import find_attribute, list_holding, mark_filled
from webclean.parse.preorder import mark_slices
from webclean.parse.tags import BLOCK, HEADING, N_CODES, tag_mask

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


@lru_cache(maxsize=1)
def _build_ascii_table() -> bytes:
    return list_kinds()[:256].tobytes()


def is_unspaced(codes: NDArray[np.intp]) -> Mask:
    """bool [n]: the code points that belong to scripts written without spaces."""
    return np.asarray(list_kinds().take(codes) & UNSPACED != 0)


@dataclass(frozen=True, slots=True, eq=False)
class Characters:
    """Several texts as one array: they are concatenated, each followed by a separator (a newline).

    codes: code points, uint8 [n_characters] when all are ASCII, uint32 when not. kinds: uint8
    [n_characters], sums of the constants above.
    is_non_space: bool [n_characters]. start: int64 [n_texts], where each text begins; stop: where its separator stands.
    """

    codes: NDArray[np.uint8] | NDArray[np.uint32]
    kinds: NDArray[np.uint8]
    is_non_space: Mask
    start: Rows
    stop: Rows


def read_characters(texts: Sequence[str]) -> Characters:
    """Concatenate texts and classify their characters."""
    stop = np.fromiter(map(len, texts), dtype=np.intp, count=len(texts)).cumsum() + np.arange(len(texts))
    start = np.append(0, stop + 1)[:-1]
    joined = "\n".join((*texts, ""))
    codes: NDArray[np.uint8] | NDArray[np.uint32]
    if joined.isascii():
        data = joined.encode("ascii")
        codes = np.frombuffer(data, dtype=np.uint8)
        kinds = np.frombuffer(data.translate(_build_ascii_table()), dtype=np.uint8)
    else:
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        kinds = list_kinds().take(codes)
        at = np.flatnonzero((codes == ord(";")) | (codes == ord("\u037e")))
        at = at[at > 0]
        kinds[at[_is_greek(codes[at - 1])]] |= STOP
    return Characters(codes, kinds, kinds & SPACE == 0, start, stop)


def _is_greek(codes: NDArray[np.uint8] | NDArray[np.uint32]) -> Mask:
    return np.asarray((codes >= 0x0370) & (codes <= 0x03FF) | (codes >= 0x1F00) & (codes <= 0x1FFF))


def sum_slices(values: Mask, start: Rows) -> Rows:
    """int32 [n]: the number of true values in each slice; a slice ends where the next one starts.

    start: int64 [n], rising.
    """
    if not len(start):
        return np.zeros(0, dtype=np.int32)
    return np.asarray(np.add.reduceat(values, start, dtype=np.int32))


_NAMING: Final = HEADING | tag_mask("dt caption figcaption legend summary")
_SPACED_BY_AUTHOR: Final = tag_mask("code pre kbd samp tt var")


def _list_flags() -> NDArray[np.uint8]:
    flags = np.zeros(N_CODES, dtype=np.uint8)
    masks = {
        "block": BLOCK,
        "break": tag_mask("br"),
        "naming": _NAMING,
        "button": tag_mask("button"),
        "spaced": _SPACED_BY_AUTHOR,
    }
    for name, mask in masks.items():
        flags[mask] |= core.TAG_FLAGS[name]
    return flags


_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_SIGNS_PER_WORD: Final = 4
"""Of scripts of South-East Asia, which set no words apart."""
_TAG_FLAGS: Final = _list_flags()
"""uint8 [N_CODES]: what the core knows of each tag."""
_COLUMNS: Final = (
    *("row", "first", "last", "n_chars", "n_link_chars", "n_words", "n_link_words", "n_punctuation", "n_sentences"),
    *("block_of", "gap"),
)
"""Of `TextBlocks`, which has those of its page under the same names."""


def find_text_blocks(document: Document) -> TextBlocks:
    """Divide the document's text into text blocks and count their characters, words and sentences."""
    page = document.page
    core.divide_text(page, mark_filled(document, "class"), list_kinds(), _TAG_FLAGS)
    columns = {name: page.view(name) for name in _COLUMNS}
    return TextBlocks(text=page.block_texts, visible=~find_hidden(document)[columns["row"]], **columns)


def measure_stripped(texts: list[str]) -> Rows:
    """int64 [n_texts]: characters of each text without the white space at its ends."""
    return cast("Rows", core.measure_stripped(texts))


def find_hidden(document: Document) -> Mask:
    """bool [n_elements]: the element or an ancestor is one of `list_hiding`."""
    roots = list_hiding(document)
    return mark_slices(roots, document.end[roots], len(document))


@cached_per_page
def list_hiding(document: Document) -> Rows:
    """Rows of the elements with the `hidden` attribute or an inline style that hides them."""
    hiding = [*list_holding(document, "style", "none"), *list_holding(document, "style", "hidden")]
    styled = [row for row, style in hiding if _HIDDEN_STYLE.search(style.lower())]
    return np.array([*find_attribute(document, "hidden"), *styled], dtype=np.intp)
