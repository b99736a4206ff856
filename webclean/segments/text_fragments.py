"""Links to semantic blocks: text directives, with which a browser scrolls to a block and highlights its first words.

Follows URL Fragment Text Directives (https://wicg.github.io/scroll-to-text-fragment/), `text=start`. A browser takes
the first place of the page that matches, and looks for whole words. So a block is named by the first words of one of
its lines, by as many as are found nowhere before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby, islice
from typing import Final
from urllib.parse import quote

import numpy as np

from webclean.model import Document, TextBlocks
from webclean.parse.limits import check_time
from webclean.segments.segment_columns import SegmentColumns

DIRECTIVE: Final = "#:~:text="
_WORD: Final = re.compile(r"[^\s，。、；：！？…」』）]*[，。、；：！？…」』）]+|\S+")
"""A word; in scripts without spaces, what ends with a punctuation mark: there a browser sees the end of a word."""
_FEWEST: Final = 4
_MOST: Final = 24
"""Words of a phrase at least, if the text has them, and at most, since the address grows with each."""
_LINES: Final = 8  # of a block, that may name it


def collect_fragments(columns: SegmentColumns) -> list[str]:
    """The fragment of each semantic block, '' for one that shows no text."""
    blocks, made = columns.page.blocks, [""] * len(columns.segments)
    read_line = partial(_read_line, columns.page.document, blocks)
    # a browser does not search what is hidden
    shown = [text.lower() if seen else "" for text, seen in zip(blocks.text, blocks.visible.tolist(), strict=True)]
    # lowered first: `İ` becomes two characters. No phrase holds the line break between two texts
    joined, starts = "\n".join(shown), np.cumsum([0] + [len(text) + 1 for text in shown]).tolist()
    for number, rows in groupby(blocks.visible.nonzero()[0].tolist(), columns.segment_of.tolist().__getitem__):
        if number < 0 or made[number]:  # its text goes on after a block inside it
            continue
        check_time()
        lines = list(islice(filter(None, map(read_line, rows)), _LINES))
        tried = ((phrase, row) for row, line in lines for phrase in _list_phrases(line))
        # a page may say all of it before
        first = (phrase for phrase, row in tried if joined.find(phrase.lower()) >= starts[row])
        phrase = next(first, next(_list_phrases(lines[0][1]), "") if lines else "")
        # half a surrogate pair, which no text of a browser has, has no bytes; a hyphen has a meaning in a directive
        made[number] = DIRECTIVE + quote(phrase, safe="", errors="replace").replace("-", "%2D") if phrase else ""
    return made


def _read_line(document: Document, blocks: TextBlocks, row: int) -> tuple[int, str] | None:
    """A text block and its text, up to the word that touches the next one on the page (`text_blocks`), which a browser
    does not see end."""
    nodes = slice(int(blocks.first[row]), int(blocks.last[row]))
    gaps = (blocks.gap[nodes] & (blocks.block_of[nodes] == row)).nonzero()[0]
    if not len(gaps):
        return row, blocks.text[row]
    before = [
        document.text[node] for node in range(nodes.start, nodes.start + int(gaps[0])) if blocks.block_of[node] == row
    ]
    words = "".join(before).split()[:-1]
    return (row, " ".join(words)) if words else None


def _list_phrases(line: str) -> Iterator[str]:
    """The first words of a line, ever more of them."""
    ends = [found.end() for found in islice(_WORD.finditer(line), _MOST)]
    return (line[:end] for end in ends[_FEWEST - 1 :] or ends[-1:])
