"""Preformatted prose, such as a manual page, a memo or a letter -> paragraphs, which fit a screen of any width.

        -i, --ignore-case                       p    -i, --ignore-case
               Ignore case distinctions in  ->  p      Ignore case distinctions in patterns and input.
               patterns and input.

Text that was broken into lines at some width is known by that: the first word of a line would not have fitted at the
end of the line before. Where most lines are so, those are joined again, and lines further in stay further in. What is
set in columns, and code, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import INLINE, LEAVES

_WIDTHS: Final = range(50, 101)
"""Characters of the longest line of text that was broken into lines."""
_BROKEN: Final = 0.5
"""Share of the lines with another of the same indent after them, at least, that are full in a text of prose."""
_FEWEST: Final = 10
"""Lines that are broken, at least."""
_WORDS: Final = 0.85
"""Share of the characters of prose that are letters, spaces, and signs between sentences, at least."""
_LONGEST: Final = 0.995
"""Quantile of the lengths of lines that is the width; single lines may stand out."""
_PROSE_SIGN: Final = re.compile(r"[^\W\d_]|[\s.,'\"’“”-]")
_COLUMNS: Final = re.compile(r"\S {3,}\S|\t\S|[|─│┌└+]-{2,}")
"""Signs of columns or of a drawing."""
_LEVELS: Final = 3
"""Indents that are told apart."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text. indent: spaces before it."""

    indent: int
    text: str


def unwrap_prose(nodes: list[Node]) -> list[Node]:
    """The nodes of a page, with paragraphs instead of preformatted text where all of it together is prose; pieces of it
    that are set in columns stay as they are. Single pieces would tell too little: code is broken at some width as well.
    """
    found = [pre for node in nodes for pre in _list_preformatted(node)]
    if any("language" in pre.attributes for pre in found):
        return nodes
    lines = [line for pre in found for line in _read_lines(pre)]
    width = _find_width([line for line in lines if line.text])
    if not width or not _is_prose(lines, width):
        return nodes
    steps = sorted({line.indent for line in lines if line.text})
    return [piece for node in nodes for piece in _unwrap(node, width, steps)]


def _list_preformatted(node: Node) -> Iterator[Node]:
    if node.name == "pre":
        yield node
    elif node.name not in LEAVES and node.name not in INLINE:
        for child in node.find_nodes():
            yield from _list_preformatted(child)


def _unwrap(node: Node, width: int, steps: Sequence[int]) -> list[Node]:
    """The node with paragraphs instead of preformatted text, which carry what the page knows of it."""
    if node.name in LEAVES - {"pre"} or node.name in INLINE:
        return [node]
    if node.name != "pre":
        children: list[Node | str] = []
        for child in node.children:
            children += [child] if isinstance(child, str) else _unwrap(child, width, steps)
        return [Node(node.name, node.attributes, children, node.is_line, node.row)]
    made: list[Node] = []
    for is_text, group in groupby(_read_lines(node), key=lambda line: bool(line.text)):
        if is_text:
            made += _set_block(list(group), width, steps, node.row)
    for piece in made:
        piece.attributes = {**node.attributes, **piece.attributes}
    return made


def _read_lines(pre: Node) -> list[Line]:
    return [_read_line(line) for line in [*str(pre.children[0]).expandtabs(8).split("\n"), ""]]


def _read_line(line: str) -> Line:
    text = line.strip()
    return Line(len(line) - len(line.lstrip()), text)


def _find_width(lines: Sequence[Line]) -> int:
    """Characters of a full line; 0 if the text is too narrow or too wide to have been broken into lines."""
    lengths = sorted(line.indent + len(line.text) for line in lines)
    width = lengths[int(_LONGEST * (len(lengths) - 1))] if lengths else 0
    return width if width in _WIDTHS else 0


def _is_prose(lines: Sequence[Line], width: int) -> bool:
    text = "".join(line.text for line in lines)
    if len(_PROSE_SIGN.findall(text)) < _WORDS * len(text):
        return False
    pairs = [(line, after) for line, after in pairwise(lines) if line.text and after.text]
    n_broken = sum(_is_broken(line, after, width) for line, after in pairs)
    return n_broken >= _FEWEST and n_broken >= _BROKEN * sum(line.indent == after.indent for line, after in pairs)


def _is_broken(line: Line, after: Line, width: int) -> bool:
    """Whether a line goes on in the next one, because the first word of that one did not fit."""
    word = after.text.split(" ", 1)[0]
    return line.indent == after.indent and line.indent + len(line.text) + 1 + len(word) > width


def _set_block(lines: list[Line], width: int, steps: Sequence[int], row: int) -> Iterator[Node]:
    """The paragraphs of lines without an empty one between them; columns as they are."""
    if any(_COLUMNS.search(line.text) for line in lines):
        margin = min(line.indent for line in lines)
        text = "\n".join(" " * (line.indent - margin) + line.text for line in lines)
        yield Node("pre", {}, [text], row=row)
        return
    held: list[Line] = []
    for line in lines:
        if held and not _is_broken(held[-1], line, width):
            yield _join_lines(held, steps, row)
            held = []
        held.append(line)
    yield _join_lines(held, steps, row)


def _join_lines(lines: Sequence[Line], steps: Sequence[int], row: int) -> Node:
    level = min(steps.index(lines[0].indent), _LEVELS)
    attributes = {"class": f"in{level}"} if level else {}
    return Node("p", attributes, [" ".join(line.text for line in lines)], row=row)
