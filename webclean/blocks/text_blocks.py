"""Document -> text blocks: runs of text that no block boundary interrupts, with the counts of each.

A text block is a maximal run of text nodes that have the same nearest block element, with no block element starting
between them. Two or more `br` in a row also end a block: pages without `p` separate paragraphs that way.

    <div>Ann <i>and</i> Bob<p>Hello</p>bye</div>     three blocks: "Ann and Bob", "Hello", "bye"
    <p>one<br><br>two<br>three</p>                   two blocks: "one", "two three"

A permalink sign, such as the `#` in `<h2>Setup <a href="#setup">#</a></h2>`, belongs to no block: it is of no use to a
reader of the text. It is a link without letters and digits in a heading or caption that has other text. Nor does a
button there belong to one (`<h2>Setup <button>Copy link</button></h2>`).

A space is put between inline elements without white space between them (`</span><span>`) if one of them is a button or
has a class: then they are separate items, such as tags of a post. None is put before a sign that closes what stands
before it (`19</span><span>.99`), nor between the parts of a function's signature (`cache</span><span>(`). Elements
without a class are mostly one text that an editor cut anywhere, even inside a word. In code all white space is the
author's, so none is added (`core/text_blocks.py`).

What a character is to the counts is a set of bits: `.` is PUNCTUATION and STOP at once. The marks are those of Western,
Greek, Armenian, East and South-East Asian, Arabic, Indic and Ethiopic scripts. CLOSING includes opening quotation
marks, since German closes a quotation with “, and Danish and Czech books with «.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Rows, TextBlocks
from webclean.parse.columns import find_attribute, list_holding
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


def count_characters(texts: Sequence[str], kind: int) -> Rows:
    """int64 [n_texts]: the characters of each text that are of a kind, such as SPACE."""
    if not texts:
        return np.zeros(0, dtype=np.int64)
    codes = np.frombuffer("\0".join((*texts, "")).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    ends = np.cumsum([len(text) + 1 for text in texts])
    return np.add.reduceat(list_kinds().take(codes) & kind != 0, np.append(0, ends[:-1]), dtype=np.int64)


# only in these does a sign link an element to itself; elsewhere `#` may be text
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
_TAG_FLAGS: Final = _list_flags()
"""uint8 [N_CODES]: what the core knows of each tag."""
_COLUMNS: Final = (
    *("row", "first", "last", "n_chars", "n_link_chars", "n_words", "n_link_words", "n_punctuation", "n_sentences"),
    *("block_of", "gap", "visible"),
)
"""Of `TextBlocks`, which has those of its page under the same names."""


def find_text_blocks(document: Document) -> TextBlocks:
    """Divide the document's text into text blocks and count their characters, words and sentences."""
    page = document.page
    core.divide_text(page, document.attrs.found, list_hiding(document).tolist(), list_kinds(), _TAG_FLAGS)
    return TextBlocks(text=page.block_texts, **{name: page.view(name) for name in _COLUMNS})


def measure_stripped(texts: list[str]) -> Rows:
    """int64 [n_texts]: characters of each text without the white space at its ends."""
    return cast("Rows", core.measure_stripped(texts))


@cached_per_page
def list_hiding(document: Document) -> Rows:
    """Rows of the elements with the `hidden` attribute or an inline style that hides them."""
    hiding = [*list_holding(document, "style", "none"), *list_holding(document, "style", "hidden")]
    # `none` and `hidden` are in few styles, and are found without making strings of the others
    styled = [row for row, style in hiding if _HIDDEN_STYLE.search(style.lower())]
    return np.array([*find_attribute(document, "hidden"), *styled], dtype=np.intp)
