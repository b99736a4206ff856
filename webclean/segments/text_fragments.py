"""Links to semantic blocks: text directives, with which a browser scrolls to a block and highlights it.

Follows URL Fragment Text Directives (https://wicg.github.io/scroll-to-text-fragment/): `text=[prefix-,]start[,end]`.
A browser takes the first place of the page that matches, so the start gets as many words as it needs to be found
nowhere before, and where all words of its text block are not enough, the words before it as prefix.
"""

from __future__ import annotations

import re
from itertools import groupby, islice
from typing import Final
from urllib.parse import quote

import numpy as np

from webclean.parse.limits import check_time
from webclean.segments.segment_columns import SegmentColumns

DIRECTIVE: Final = "#:~:text="
_WORD: Final = re.compile(r"[^\s，。、；：！？…」』）]*[，。、；：！？…」』）]+|\S+")
"""A word; in scripts without spaces, what ends with a punctuation mark: there a browser sees the end of a word."""
_FEWEST: Final = 4
_MOST: Final = 24
"""Words of a phrase at least, if the text has them, and at most, since the address grows with each."""
_WHOLE: Final = 10
"""Words of a text that is quoted as a whole: with `start,end` it would be hardly shorter."""
_APART: Final = "\n"
_TOUCHING: Final = "\ufffc"
"""Stands where two words were told apart although the page has no white space between them."""
_LOOSE: Final = re.compile(f" {_TOUCHING} ?|{_TOUCHING} ")
"""Two words that were told apart and have white space between them: a phrase ends there, but the words are whole."""


def collect_fragments(columns: SegmentColumns) -> list[str]:
    """The fragment of each semantic block, '' for one that shows no text."""
    search = _Search(_list_shown(columns))
    made = [""] * len(columns.segments)
    owner = columns.segment_of.tolist()
    for number, rows in groupby(search.rows, owner.__getitem__):
        if not made[number]:  # else its text goes on after a block inside it, and its first run of lines names it
            check_time()
            made[number] = DIRECTIVE + search.write_directive(list(rows))
    return made


def _list_shown(columns: SegmentColumns) -> list[str]:
    """The text of each text block as a browser has it, '' for hidden ones."""
    blocks, document = columns.page.blocks, columns.page.document
    texts = [text if shown else "" for text, shown in zip(blocks.text, blocks.visible.tolist(), strict=True)]
    for row in np.unique(blocks.block_of[blocks.gap & (blocks.block_of >= 0)]).tolist():
        parts: list[str] = []
        # hidden text stays '': a browser does not search it
        for node in range(int(blocks.first[row]), int(blocks.last[row]) if texts[row] else 0):
            if blocks.block_of[node] == row:
                parts.append((_TOUCHING if blocks.gap[node] and parts else "") + document.text[node])
            elif document.text[node].isspace():
                parts.append(" ")
        # with a sign where two words have no white space between them
        texts[row] = _LOOSE.sub(f" {_TOUCHING} ", " ".join("".join(parts).split()))
    return texts


class _Search:
    """The text of a page, in which phrases are found as a browser finds them.

    texts: of each text block. runs: of each text block its runs of words that follow each other without one that
    touches another, because a browser looks for whole words. rows: the text blocks with any run. starts: where each
    text begins in `joined`.
    """

    def __init__(self, texts: list[str]) -> None:
        self.texts, self.runs = texts, list(map(_list_runs, texts))
        self.rows = [row for row, runs in enumerate(self.runs) if runs]
        lowered = [text.lower() for text in texts]
        # lowered first: `İ` becomes two characters, and places in the joined text would be wrong
        self.starts = np.cumsum([0] + [len(text) + 1 for text in lowered]).tolist()
        # texts are joined by a line break, which no phrase holds, so a match lies within one text
        self.joined = _APART.join(lowered)

    def write_directive(self, rows: list[int]) -> str:
        """The value of the directive for some text blocks in reading order: from the first that can be told from all
        that is before it, to the last."""
        starts = ((row, *self._find_start(row)) for row in rows)
        # if nothing tells the first text from those before it, its first run is the quotation's begin
        begun = self.runs[rows[0]][0]
        first, prefix, start = next((found for found in starts if found[2]), (rows[0], "", begun))
        runs = self.runs[rows[-1]]
        # the end of a run that the quotation begins with is looked for behind its begin
        rest = runs[-1][len(start) :] if first == rows[-1] and len(runs) == 1 else runs[-1]
        end = rest[_list_last(rest, _FEWEST)[0] :] if rest.strip() else ""
        return (f"{_encode(prefix)}-," if prefix else "") + _encode(start) + (f",{_encode(end)}" if end else "")

    def _find_start(self, row: int) -> tuple[str, str]:
        """The prefix that the first words of a text block need, and these words; '' for both if none are enough."""
        run = self.runs[row][0]
        ends = [found.end() for found in islice(_WORD.finditer(run), _MOST)]
        # nearly always the fewest words are enough
        for end in ends[-1:] if len(ends) <= _WHOLE else ends[_FEWEST - 1 :]:
            if self._is_first("", run[:end], row):
                return "", run[:end]
        # what stands before: not a word that touches the next one, which a browser does not see end
        before = self.runs[row - 1][-1] if row and self.runs[row - 1] and self.texts[row].startswith(run) else ""
        if before and self.texts[row - 1].endswith(before):
            for begin in reversed(_list_last(before, _MOST)):
                if self._is_first(before[begin:], run[:end], row):
                    return before[begin:], run[:end]
        return "", ""

    def _is_first(self, prefix: str, start: str, row: int) -> bool:
        """Whether a phrase, after a prefix in the text before, is found nowhere before a text block."""
        phrase = f"{prefix}{_APART}{start}".lower() if prefix else start.lower()
        # the match begins behind the prefix
        at = self.joined.find(phrase) + (len(prefix.lower()) + 1 if prefix else 0)
        return bool(at >= self.starts[row])


def _list_last(text: str, n: int) -> list[int]:
    """Where each of the last n words begins."""
    # white space ends a word whatever was before it, so the last ones are told without those before
    parts = text.rsplit(maxsplit=n)
    return [found.start() for found in _WORD.finditer(text, len(parts[0]) if len(parts) > n else 0)][-n:]


def _list_runs(text: str) -> list[str]:
    """The runs of words without those that touch another."""
    if _TOUCHING not in text:
        return [text.strip()] if text.strip() else []
    runs: list[list[re.Match[str]]] = [[]]
    for found in _WORD.finditer(text):
        if _TOUCHING in found[0]:
            runs.append([])
        else:
            runs[-1].append(found)
    return [text[run[0].start() : run[-1].end()] for run in runs if run]


def _encode(phrase: str) -> str:
    """A phrase in a directive, where a hyphen, a comma and an ampersand have a meaning."""
    # half a surrogate pair, which no text of a browser has, has no bytes either
    return quote(phrase, safe="", errors="replace").replace("-", "%2D")
