"""Line density (Html2Article): the content starts at a window of lines with enough text.

The page is taken as lines: tags are removed and the line breaks of the markup kept. A page with hardly any line break
gets one before each text block. A window of `window` lines moves down. Where it has more than `head_chars` characters,
the content has begun; its first line is found by going back to two empty lines in a row, and is the current line where
there are none above. It ends where two successive
windows have at most `tail_chars` characters. With `append`, the search goes on below.
"""

from __future__ import annotations

import numpy as np

from webclean.features import PageColumns
from webclean.model import Mask, Rows
from webclean.rules.methods_schema import LineDensityMethod


def select_by_line_density(columns: PageColumns, options: LineDensityMethod) -> Mask:
    """bool [n_blocks]: text blocks with text on a selected line."""
    blocks = columns.blocks
    n_chars, first, last = lay_out_lines(columns, options.forced_break_lines)
    selected = select_lines(n_chars, options)
    running = np.concatenate(([0], np.cumsum(selected)))
    touched = running[last + 1] > running[first]
    nodes = np.flatnonzero(blocks.block_of >= 0)
    return np.bincount(blocks.block_of[nodes], touched[nodes], minlength=len(blocks)) > 0


def lay_out_lines(columns: PageColumns, forced_break_lines: int) -> tuple[Rows, Rows, Rows]:
    """Three int32: characters of each line [n_lines], first line and last line of each text node [n_texts]."""
    document, block_of = columns.document, columns.blocks.block_of
    shown = document.displayed[document.text_owner] if len(document.text) else np.zeros(0, dtype=bool)
    n_breaks = sum(text.count("\n") for text, show in zip(document.text, shown, strict=True) if show)
    forced = n_breaks < forced_break_lines
    sizes, first, last = [0], [], []
    before = -1
    for text, show, block in zip(document.text, shown.tolist(), block_of.tolist(), strict=True):
        if forced and block >= 0 and block != before:
            sizes.append(0)
            before = block
        first.append(len(sizes) - 1)
        if show:
            head, *rest = [len("".join(line.split())) for line in text.split("\n")]
            sizes[-1] += head
            sizes += rest
        last.append(len(sizes) - 1)
    return np.array(sizes, np.int32), np.array(first, np.int32), np.array(last, np.int32)


def select_lines(n_chars: Rows, options: LineDensityMethod) -> Mask:
    """bool [n_lines]: the lines of the content."""
    n, size = len(n_chars), options.window
    selected = np.zeros(n, dtype=bool)
    running = np.concatenate(([0], np.cumsum(n_chars), np.full(size, n_chars.sum())))
    window = running[size : size + n] - running[:n]
    line = 0
    while line < n:
        if window[line] <= options.head_chars:
            line += 1
            continue
        start = find_start(n_chars, line)
        stop = line + 1
        while stop < n and (window[stop] > options.tail_chars or window[stop - 1] > options.tail_chars):
            stop += 1
        selected[start:stop] = True
        if not options.append:
            break
        line = stop
    return selected


def find_start(n_chars: Rows, line: int) -> int:
    """The line below the nearest two empty lines in a row above `line`; `line` itself if there are none."""
    for start in range(line, 1, -1):
        if not n_chars[start - 1] and not n_chars[start - 2]:
            return start
    return line
