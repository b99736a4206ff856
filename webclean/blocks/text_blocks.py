"""Document -> leaf text blocks, with what is counted in each.

A text block is a maximal run of text with the same nearest block element and no block element starting
in between; two or more line breaks in a row end one as well (paragraphs of pages without `p`).
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.parse.columns import find_attribute, read_attribute
from webclean.parse.tags import BLOCK, CODE

# Scripts written without spaces between words: each character counts as a word.
_UNSPACED: Final = re.compile(
    r"[\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
PUNCTUATION: Final = re.compile(
    r"[!-#%-*,-/:;?@\[-\]_{}¡§«¶·»¿،؛؟۔।॥‐-‧‰-⁞、-〃〈-】〔-〟！-＃％-＊，-／：；？＠［-］＿｛｝]"
)
_SENTENCE_END: Final = re.compile(r"[.!?…](?=[\s\"'”’)\]]|$)")
_SENTENCE_SIGN: Final = re.compile(r"[。！？｡](?![。！？｡])|[۔؟।॥]")
_SPACED_BY_AUTHOR: Final = frozenset(("code", "pre", "kbd", "samp", "tt", "var"))
_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def find_text_blocks(document: Document) -> TextBlocks:
    """Cut the document's text into leaf blocks and count what is in them."""
    stripped = [text.split() for text in document.text]
    owner = document.text_owner
    seen = document.displayed[owner] if len(owner) else np.zeros(0, dtype=bool)
    full = np.fromiter(map(bool, stripped), dtype=bool, count=len(stripped))
    nodes = np.flatnonzero(seen & full)
    starts = _find_boundaries(document, nodes)
    group = np.cumsum(starts) - 1
    block_of = np.full(len(stripped), -1, dtype=np.intp)
    block_of[nodes] = group
    first = nodes[starts]
    last = nodes[np.append(starts[1:], np.ones(min(1, len(starts)), dtype=bool))] + 1
    gaps = _find_gaps(document, nodes, group)
    gap = np.zeros(len(stripped), dtype=bool)
    gap[nodes] = gaps
    text = _join_text(document.text, stripped, nodes, group, gaps, len(first))
    n_chars, n_words = _count_words(stripped, document.text, nodes)
    linked = document.link[owner[nodes]] >= 0
    row = document.block[owner[first]]

    def total(counts: Rows) -> Rows:
        return np.bincount(group, counts, minlength=len(first)).astype(np.int32)

    return TextBlocks(
        row=row,
        first=first.astype(np.intp),
        last=last.astype(np.intp),
        text=text,
        n_chars=total(n_chars),
        n_link_chars=total(n_chars * linked),
        n_words=total(n_words),
        n_link_words=total(n_words * linked),
        n_punctuation=np.array([len(PUNCTUATION.findall(t)) for t in text], dtype=np.int32),
        n_sentences=np.array([_count_sentences(t) for t in text], dtype=np.int32),
        visible=~find_hidden(document)[row] if len(row) else np.zeros(0, dtype=bool),
        block_of=block_of,
        gap=gap,
    )


def find_hidden(document: Document) -> Mask:
    """bool [n_elements]: under a `hidden` attribute or an inline style that hides."""
    styled = find_attribute(document, "style")
    roots = [row for row in styled if _HIDDEN_STYLE.search(read_attribute(document, row, "style") or "")]
    roots += find_attribute(document, "hidden")
    depth = np.zeros(len(document) + 1, dtype=np.int32)
    np.add.at(depth, roots, 1)
    np.add.at(depth, document.end[roots], -1)
    return np.cumsum(depth)[:-1] > 0


def _find_boundaries(document: Document, nodes: NDArray[np.int64]) -> Mask:
    """bool [n_nodes]: the text node starts a new block."""
    starts = np.ones(len(nodes), dtype=bool)
    if len(nodes) < 2:
        return starts
    block, after = document.block[document.text_owner[nodes]], document.text_next[nodes]
    n_blocks = np.concatenate(([0], np.cumsum(BLOCK[document.tag])))
    n_breaks = np.concatenate(([0], np.cumsum(document.tag == CODE["br"])))
    starts[1:] = (
        (block[1:] != block[:-1])
        | (n_blocks[after[1:]] > n_blocks[after[:-1]])
        | (n_breaks[after[1:]] > n_breaks[after[:-1]] + 1)
    )
    return starts


def _find_gaps(document: Document, nodes: NDArray[np.int64], group: NDArray[np.int64]) -> Mask:
    """bool [n_nodes]: apart from the node before, in the same block, though no white space need stand between.

    True after a line break, between two links, and between two inline elements that touch (`</span><span>`) when
    a class on either, or their being buttons, says that they are things of their own. Elements without a class are
    mostly runs of one text, cut anywhere by an editor, and code is spaced by its author.
    """
    gaps = np.zeros(len(nodes), dtype=bool)
    if len(nodes) < 2:
        return gaps
    owner = document.text_owner[nodes]
    link = document.link[owner]
    n_breaks = np.concatenate(([0], np.cumsum(document.tag == CODE["br"])))[document.text_next[nodes]]
    same = group[1:] == group[:-1]
    gaps[1:] = (n_breaks[1:] > n_breaks[:-1]) | ((link[1:] != link[:-1]) & (link[1:] >= 0) & (link[:-1] >= 0))
    touch = same & ~gaps[1:] & (nodes[1:] == nodes[:-1] + 1) & (document.end[owner[:-1]] <= owner[1:])
    for at in np.flatnonzero(touch).tolist():
        before, after = document.text[nodes[at]], document.text[nodes[at + 1]]
        if not (before[-1].isspace() or after[0].isspace()):
            gaps[at + 1] = _are_things_apart(document, int(owner[at]), int(owner[at + 1]))
    gaps[1:] &= same
    return gaps


def _are_things_apart(document: Document, left: int, right: int) -> bool:
    """Whether two elements that touch are more than two runs of one text."""
    parent, end, names = document.parent, document.end, document.names
    above = int(parent[left])
    while end[above] <= right:
        left, above = above, int(parent[above])
    while parent[right] != above:
        right = int(parent[right])
    pair = (left, right)
    if not any(document.attrs[row].get("class") or names[row] == "button" for row in pair):
        return False
    if any(names[row] in _SPACED_BY_AUTHOR for row in pair):
        return False
    while not BLOCK[document.tag[above]]:
        if names[above] in _SPACED_BY_AUTHOR:
            return False
        above = int(parent[above])
    return names[above] not in _SPACED_BY_AUTHOR


def _join_text(
    texts: list[str],
    stripped: list[list[str]],
    nodes: NDArray[np.int64],
    group: NDArray[np.int64],
    gaps: Mask,
    n: int,
) -> list[str]:
    """The text of each block, whitespace normalised."""
    joined = []
    bounds = np.flatnonzero(np.concatenate(([True], group[1:] != group[:-1], [True]))).tolist() if n else [0]
    rows, is_apart = nodes.tolist(), gaps.tolist()
    for start, end in pairwise(bounds):
        if end == start + 1:
            joined.append(" ".join(stripped[rows[start]]))
            continue
        parts = [texts[rows[start]]]
        for at in range(start + 1, end):
            if is_apart[at] or rows[at] > rows[at - 1] + 1:  # a node left out in between was white space
                parts.append(" ")
            parts.append(texts[rows[at]])
        joined.append(" ".join("".join(parts).split()))
    return joined


def _count_sentences(text: str) -> int:
    """Marks that end a sentence; of several in a row the last one counts."""
    n = len(_SENTENCE_END.findall(text))
    return n if text.isascii() else n + len(_SENTENCE_SIGN.findall(text))


def _count_words(stripped: list[list[str]], texts: list[str], nodes: NDArray[np.int64]) -> tuple[Rows, Rows]:
    """Characters without white space, and words, of each text node."""
    chars, words = [], []
    for node in nodes.tolist():
        tokens, text = stripped[node], texts[node]
        chars.append(len("".join(tokens)))
        if text.isascii():
            words.append(len(tokens))
        else:
            words.append(len(_UNSPACED.findall(text)) + len(_UNSPACED.sub(" ", text).split()))
    return np.array(chars, dtype=np.int32), np.array(words, dtype=np.int32)
