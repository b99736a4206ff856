"""Document -> text blocks: runs of text that no block boundary interrupts, with the counts of each.

A text block is a maximal run of text nodes that have the same nearest block element, with no block element starting
between them. Two or more `br` in a row also end a block: pages without `p` separate paragraphs that way.

    <div>Ann <i>and</i> Bob<p>Hello</p>bye</div>     three blocks: "Ann and Bob", "Hello", "bye"
    <p>one<br><br>two<br>three</p>                   two blocks: "one", "two three"

All displayed text nodes are concatenated, each followed by a separator, and read as one array of characters
(`blocks.characters`). Each count is then a sum over a slice, and the texts are what remains of the array once
superfluous white space is removed.
"""

from __future__ import annotations

import re
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.characters import (
    CLOSING,
    FULL_STOP,
    LONE_STOP,
    PUNCTUATION,
    SPACE,
    STOP,
    SYLLABIC,
    UNSPACED,
    Characters,
    find_greek_questions,
    list_kinds,
    read_characters,
    sum_slices,
    write_characters,
)
from webclean.caching import cached_per_page
from webclean.kernels import TEXT_BLOCKS, TEXTS
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.parse.columns import find_attribute, list_holding, mark_filled
from webclean.parse.preorder import mark_slices
from webclean.parse.tags import BLOCK, CODE, HEADING, N_CODES, tag_mask

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
        flags[mask] |= TEXT_BLOCKS.TAG_FLAGS[name]
    return flags


_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_SIGNS_PER_WORD: Final = 4
"""Of scripts of South-East Asia, which set no words apart."""
_TAG_FLAGS: Final = _list_flags() if TEXT_BLOCKS else None
"""uint8 [N_CODES]: what the kernel knows of each tag."""
_BREAKS: Final = 2 * BLOCK.astype(np.int32)
_BREAKS[CODE["br"]] = 1
"""By tag code: two or more of these between two text nodes start a new block. A block element counts 2, a `br` 1."""


def find_text_blocks(document: Document) -> TextBlocks:
    """Divide the document's text into text blocks and count their characters, words and sentences."""
    found = _divide_text(document) if TEXT_BLOCKS else None
    return divide_plainly(document) if found is None else found


def _divide_text(document: Document) -> TextBlocks | None:
    """The blocks that the kernel gives, None where it gives none."""
    rows = document.tag, document.parent, document.end, document.link, document.block
    found = TEXT_BLOCKS.divide_text(
        document.text,
        rows,
        (document.text_owner, document.text_next),
        document.displayed.view(np.uint8),
        mark_filled(document, "class"),
        list_kinds(),
        _TAG_FLAGS,
    )
    if found is None:
        return None
    (row, first, last), (n_chars, n_link_chars, n_words, n_link_words, n_punctuation, n_sentences), *rest = found
    text, block_of, gap = rest
    return TextBlocks(
        row=row,
        first=first,
        last=last,
        text=text,
        n_chars=n_chars,
        n_link_chars=n_link_chars,
        n_words=n_words,
        n_link_words=n_link_words,
        n_punctuation=n_punctuation,
        n_sentences=n_sentences,
        visible=~find_hidden(document)[row],
        block_of=block_of,
        gap=gap,
    )


def divide_plainly(document: Document) -> TextBlocks:
    """The same as `find_text_blocks`, with arrays: the twin of the kernel."""
    text = document.text
    is_blank = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    node = np.flatnonzero(document.displayed[document.text_owner] & ~is_blank)
    node = node[~_find_permalinks(document, node)]
    owner = document.text_owner[node]
    page = read_characters([text[at] for at in node.tolist()])
    n_chars = sum_slices(page.is_non_space, page.start)
    opens = _find_boundaries(document, node, owner)
    apart = _find_gaps(document, page, node, owner, opens)
    glued = page.stop[:-1][~opens[1:] & ~apart[1:] & (node[1:] == node[:-1] + 1)]
    begin = np.flatnonzero(opens)
    start = page.start[begin]
    group = np.cumsum(opens) - 1
    block_of = np.full(len(document.text), -1, dtype=np.intp)
    block_of[node] = group
    gap = np.zeros(len(document.text), dtype=bool)
    gap[node] = apart
    n_words = sum_slices(_find_word_starts(page), page.start)
    linked = document.link[owner] >= 0
    row = document.block[owner[begin]]

    def total(counts: Rows) -> Rows:
        return np.bincount(group, counts, minlength=len(begin)).astype(np.int32)

    return TextBlocks(
        row=row,
        first=node[begin],
        last=node[np.append(begin[1:], len(node))[: len(begin)] - 1] + 1,
        text=_join_text(page, glued, start),
        n_chars=total(n_chars),
        n_link_chars=total(n_chars * linked),
        n_words=total(n_words),
        n_link_words=total(n_words * linked),
        n_punctuation=sum_slices(page.kinds & PUNCTUATION != 0, start),
        n_sentences=_count_sentences(page, glued, start),
        visible=~find_hidden(document)[row],
        block_of=block_of,
        gap=gap,
    )


def measure_stripped(texts: list[str]) -> Rows:
    """int64 [n_texts]: characters of each text without the white space at its ends."""
    if TEXTS:
        return cast("Rows", TEXTS.measure_stripped(texts))
    return np.fromiter(map(len, map(str.strip, texts)), dtype=np.int64, count=len(texts))


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


def _find_permalinks(document: Document, node: Rows) -> Mask:
    """bool [n_nodes]: permalink signs, such as the `#` in `<h2>Setup <a href="#setup">#</a></h2>`.

    A permalink sign is a link without letters and digits in a heading or caption that has other text. It is of no use
    to a reader of the text, so it belongs to no block.
    """
    found = np.zeros(len(node), dtype=bool)
    owner = document.text_owner[node]
    at = np.flatnonzero(_NAMING[document.tag[document.block[owner]]])
    link, block = document.link[owner[at]], document.block[owner[at]]
    if (link >= 0).any():
        has_words = np.array([any(map(str.isalnum, document.text[i])) for i in node[at].tolist()])
        in_link, in_block = np.zeros((2, len(document)), dtype=bool)  # elements with words in them
        in_link[link[has_words & (link >= 0)]] = True
        in_block[block[has_words]] = True
        found[at] = (link >= 0) & ~in_link[link] & in_block[block]
    return found


def _find_word_starts(page: Characters) -> Mask:
    """bool [n_characters]: the first character of each word; in scripts without spaces, every character.

    In Thai, Lao, Burmese and Khmer, whose characters are not words, every `_SIGNS_PER_WORD` characters.
    """
    alone = page.kinds & UNSPACED != 0
    inside = page.is_non_space & ~alone
    starts = inside | alone
    starts[1:] &= ~inside[:-1] | alone[1:]
    syllabic = page.kinds & SYLLABIC != 0
    if syllabic.any():
        at = np.arange(len(starts))
        opens = syllabic.copy()
        opens[1:] &= ~syllabic[:-1]
        run_start = np.maximum.accumulate(np.where(opens, at, 0))
        starts |= syllabic & ((at - run_start) % _SIGNS_PER_WORD == 0)
    return np.asarray(starts)


def _find_boundaries(document: Document, node: Rows, owner: Rows) -> Mask:
    """bool [n_nodes]: whether the text node starts a new block."""
    opens = np.ones(len(node), dtype=bool)
    block, after = document.block[owner], document.text_next[node]
    n_breaks = np.concatenate(([0], np.cumsum(_BREAKS[document.tag])))[after]
    opens[1:] = (block[1:] != block[:-1]) | (n_breaks[1:] > n_breaks[:-1] + 1)
    return opens


def _find_gaps(document: Document, page: Characters, node: Rows, owner: Rows, opens: Mask) -> Mask:
    """bool [n_nodes]: whether a space belongs between the node and the one before it in the same block.

    True after a `br`, between two links, and between inline elements without white space between them
    (`</span><span>`) if one of them is a button or has a class: then they are separate items, such as tags of a post.
    Elements without a class are mostly one text that an editor cut anywhere, even inside a word. In code all white
    space is the author's, so none is added.
    """
    gaps = np.zeros(len(owner), dtype=bool)
    is_non_space = page.is_non_space
    link = document.link[owner]
    n_breaks = np.append(0, np.cumsum(document.tag == CODE["br"]))[document.text_next[node]]
    gaps[1:] = (n_breaks[1:] > n_breaks[:-1]) | ((link[1:] != link[:-1]) & (link[1:] >= 0) & (link[:-1] >= 0))
    gaps &= ~opens
    touch = ~opens & ~gaps
    touch[1:] &= (node[1:] == node[:-1] + 1) & (document.end[owner[:-1]] <= owner[1:])
    touch[1:] &= is_non_space[page.stop[:-1] - 1] & is_non_space[page.start[1:]]
    at = np.flatnonzero(touch)
    if len(at):
        pairs = zip(owner[at - 1].tolist(), owner[at].tolist(), strict=True)
        gaps[at] = [_are_separate_items(document, left, right) for left, right in pairs]
    return gaps


def _are_separate_items(document: Document, left: int, right: int) -> bool:
    """Whether two adjacent inline elements are separate items rather than parts of one text.

    Compared are the ancestors of both that are children of their smallest common ancestor.
    """
    parent, end, tag, attrs = document.parent, document.end, document.tag, document.attrs
    above = int(parent[left])
    while end[above] <= right:
        left, above = above, int(parent[above])
    while parent[right] != above:
        right = int(parent[right])
    is_button = CODE["button"] in (tag[left], tag[right])
    if not (is_button or attrs[left].get("class") or attrs[right].get("class")):
        return False
    if _SPACED_BY_AUTHOR[tag[left]] or _SPACED_BY_AUTHOR[tag[right]]:
        return False
    block = document.block[above]
    while above != block:
        if _SPACED_BY_AUTHOR[tag[above]]:
            return False
        above = int(parent[above])
    return not _SPACED_BY_AUTHOR[tag[above]]


def _join_text(page: Characters, glued: Rows, start: Rows) -> list[str]:
    """The text of each block with white space normalised: one space for each run, none at the ends.

    Args:
        page: the characters of all text nodes.
        glued: int64 [n], places of the separators that vanish: those of nodes with nothing between (`<b>W</b>ord`).
        start: int64 [n_blocks], where each block starts in `page`.
    """
    is_non_space = page.is_non_space
    kept = is_non_space.copy()
    kept[1:] |= is_non_space[:-1]
    kept[glued] = False
    kept[glued + 1] |= is_non_space[glued - 1]
    codes = np.where(is_non_space, page.codes, page.codes.dtype.type(ord(" ")))[kept]
    codes[np.cumsum(sum_slices(kept, start)) - 1] = ord("\n")
    return write_characters(codes).split("\n")[:-1]


def _count_sentences(page: Characters, glued: Rows, start: Rows) -> Rows:
    """int32 [n_blocks]: sentence ends, by the rules that `blocks.characters` states for each kind of mark."""
    kinds = page.kinds
    questions = find_greek_questions(page, glued)
    if len(questions):
        kinds = kinds.copy()
        kinds[questions] |= STOP
    at = np.flatnonzero(kinds & (STOP | FULL_STOP | LONE_STOP) != 0)
    is_glued = np.zeros(len(kinds), dtype=bool)
    is_glued[glued] = True
    mark, follows = kinds[at], kinds[at + 1 + is_glued[at + 1]]
    ends = (mark & STOP != 0) & (follows & (SPACE | CLOSING) != 0)
    ends |= (mark & FULL_STOP != 0) & (follows & FULL_STOP == 0)
    ends |= mark & LONE_STOP != 0
    block = np.searchsorted(start, at[ends], side="right") - 1
    return np.bincount(block, minlength=len(start)).astype(np.int32)
