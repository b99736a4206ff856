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
"""

from __future__ import annotations

import re
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.blocks.characters import (
    list_kinds,
)
from webclean.caching import cached_per_page
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.parse.columns import find_attribute, list_holding, mark_filled
from webclean.parse.preorder import mark_slices
from webclean.parse.tags import BLOCK, HEADING, N_CODES, tag_mask

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
