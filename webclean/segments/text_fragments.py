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

Span = tuple[int, int]


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

    texts: of each text block. starts: where each text begins in `joined`. rows: the text blocks with any run of words.

    A run is of words that follow each other, as (start, end) in the text; not those that touch another word, because a
    browser looks for whole words. Of a text only the beginning of its first run and the end of its last are read.
    """

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        shown = (any(_list_runs(text)) if _TOUCHING in text else text and not text.isspace() for text in texts)
        self.rows = [row for row, has_run in enumerate(shown) if has_run]
        self._has_run = frozenset(self.rows)
        lowered = [text.lower() for text in texts]
        # lowered first: `İ` becomes two characters, and places in the joined text would be wrong
        self.starts = np.cumsum([0] + [len(text) + 1 for text in lowered]).tolist()
        # texts are joined by a line break, which no phrase holds, so a match lies within one text
        self.joined = _APART.join(lowered)

    def write_directive(self, rows: list[int]) -> str:
        """The value of the directive for some text blocks in reading order: from the first that can be told from all
        that is before it, to the last."""
        starts = ((row, *self._find_start(row)) for row in rows)
        # if nothing tells the first text from those before it, the quotation begins with a later text
        found = next((found for found in starts if found[1] is not None), None)
        text = self.texts[rows[0] if found is None else found[0]]
        # where the first run ends
        whole = _list_runs(text)[0][-1][1] if _TOUCHING in text else len(text.rstrip())
        first, prefix, begin, stop = found or (rows[0], None, _list_first(text, 1)[0][0], whole)
        last, after = self.texts[rows[-1]], stop if first == rows[-1] else 0
        words = [word for word in _list_last(last, _FEWEST) if word[0] >= after][-_FEWEST:]
        end = last[words[0][0] : words[-1][1]] if words else ""
        return (
            (f"{_encode(prefix)}-," if prefix else "") + _encode(text[begin:stop]) + (f",{_encode(end)}" if end else "")
        )

    def _find_start(self, row: int) -> tuple[str | None, int, int]:
        """The prefix that the first words of a text block need, and where these words begin and end; None if none is
        enough."""
        text, words = self.texts[row], _list_first(self.texts[row], _WHOLE + 1)
        begin, is_whole = words[0][0], len(words) <= _WHOLE
        stop = words[-1 if is_whole else _FEWEST - 1][1]
        # nearly always the fewest words are enough
        if self._is_first("", text[begin:stop], row):
            return "", begin, stop
        for _, stop in () if is_whole else _list_first(text, _MOST)[_FEWEST:_MOST]:
            if self._is_first("", text[begin:stop], row):
                return "", begin, stop
        # a run that begins inside its text touches the word before it, so that word can be no prefix
        return (None if begin else self._find_prefix(text[begin:stop], row)), begin, stop

    def _is_first(self, prefix: str, start: str, row: int) -> bool:
        """Whether a phrase, after a prefix in the text before, is found nowhere before a text block."""
        phrase = f"{prefix}{_APART}{start}".lower() if prefix else start.lower()
        # the match begins behind the prefix
        at = self.joined.find(phrase) + (len(prefix.lower()) + 1 if prefix else 0)
        return bool(at >= self.starts[row])

    def _find_prefix(self, start: str, row: int) -> str | None:
        """The fewest words just before the start with which it is found nowhere before; None if all are not enough."""
        before = row - 1
        text = self.texts[before] if before in self._has_run else ""
        words = _list_last(text, _MOST) if text else []
        if not words or words[-1][1] != len(text):  # the last word touches another one: a browser does not see it end
            return None
        prefixes = [text[at:] for at, _ in words[::-1][:_MOST]]
        return next((prefix for prefix in prefixes if self._is_first(prefix, start, row)), None)


def _list_first(text: str, n: int) -> list[Span]:
    """The words of the first run: at most n, where no words touch."""
    if _TOUCHING in text:
        return _list_runs(text)[0]
    return [found.span() for found in islice(_WORD.finditer(text), n)]


def _list_last(text: str, n: int) -> list[Span]:
    """The last words of the last run: at least n if it has them. White space ends a word whatever was before it, so
    where no words touch the last ones are told without those before."""
    if _TOUCHING in text:
        return _list_runs(text)[-1]
    parts = text.rsplit(maxsplit=n)
    start = len(parts[0]) if len(parts) > n else 0
    return [found.span() for found in _WORD.finditer(text, start)]


def _list_runs(text: str) -> list[list[Span]]:
    """The words that follow each other without one that touches another."""
    runs: list[list[Span]] = [[]]
    for found in _WORD.finditer(text):
        if _TOUCHING in found[0]:
            runs.append([])
        else:
            runs[-1].append(found.span())
    return [run for run in runs if run]


def _encode(phrase: str) -> str:
    """A phrase in a directive, where a hyphen, a comma and an ampersand have a meaning."""
    # half a surrogate pair, which no text of a browser has, has no bytes either
    return quote(phrase, safe="", errors="replace").replace("-", "%2D")
