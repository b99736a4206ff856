"""Markdown -> its text, lists, code, tables, formulas, links and footnotes; and how like two of each are, 0 to 1.

The parts are those of WebMainBench (https://github.com/opendatalab/WebMainBench): text, code, tables and formulas are
scored apart, because a text without its formula still has nearly all its characters. Lists, link targets and footnotes
are added.

text     blocks with their headings, quotes and emphasis in one canonical form; edit distance
list     one line for each item, indented by its depth, with its kind; edit distance
code     fenced blocks with their language; edit distance
table    TEDS, 1 - tree edit distance / size of the larger tree, over rows and cells (arXiv:1911.10683), by apted
formula  TeX without white space; edit distance
link     targets of links and images; F1 of the two multisets
note     references to footnotes and their texts, by number, in order; edit distance over these
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from apted import APTED, Config
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from rapidfuzz.distance import Levenshtein

PARTS: Final = ("text", "list", "code", "table", "formula", "link", "note")
_READER: Final = (
    MarkdownIt("commonmark", {"html": True})
    .enable(["table", "strikethrough"])
    .use(dollarmath_plugin, double_inline=True, allow_space=False)
    .use(footnote_plugin)
)
_MARKS: Final = {"strong": "**", "em": "*", "s": "~~"}
_MAX_CELLS: Final = 600
"""Tables with more cells are compared row by row: the tree edit distance takes the cube of their number."""


@dataclass(slots=True)
class Parts:
    """What a Markdown text holds. tables: rows of cells."""

    text: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    links: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _State:
    """Where the reader of tokens is. lists: the open lists; quotes: number of open quotes."""

    found: Parts = field(default_factory=Parts)
    lists: list[str] = field(default_factory=list)
    quotes: int = 0
    heading: int = 0
    is_table: bool = False
    opens_item: bool = False


def read_parts(markdown: str) -> Parts:
    """The parts of a Markdown text, as a CommonMark parser with tables, formulas and footnotes reads it."""
    state = _State()
    for token in _READER.parse(markdown):
        _read_block(state, token)
    return state.found


def _read_block(state: _State, token: Token) -> None:
    """Enter or leave a container, or add a leaf."""
    kind = token.type
    if kind in ("bullet_list_open", "ordered_list_open"):
        state.lists.append("-" if kind.startswith("bullet") else "1.")
    elif kind in ("bullet_list_close", "ordered_list_close"):
        state.lists.pop()
    elif kind == "list_item_open":
        state.opens_item = True
    elif kind in ("blockquote_open", "blockquote_close"):
        state.quotes += 1 if token.nesting > 0 else -1
    elif kind in ("heading_open", "heading_close"):
        state.heading = int(token.tag[1]) if token.nesting > 0 else 0
    elif kind in ("table_open", "table_close"):
        state.is_table = token.nesting > 0
        state.found.tables += [[]] if state.is_table else []
    else:
        _read_leaf(state, token)


def _read_leaf(state: _State, token: Token) -> None:
    found, kind = state.found, token.type
    if kind == "tr_open":
        found.tables[-1].append([])
    elif kind == "footnote_open":
        found.notes.append(f"[^{token.meta['id'] + 1}]:")
    elif kind in ("fence", "code_block"):
        found.code.append(f"{token.info.strip()}\n{token.content.rstrip()}")
    elif kind == "math_block":
        found.formulas.append(token.content.strip())
    elif kind == "hr":
        found.text.append("---")
    elif kind == "html_block":
        _add_text(state, re.sub(r"<[^>]*>", "", token.content).strip())
    elif kind == "inline":
        _add_text(state, _read_inline(state, token.children or []))


def _add_text(state: _State, text: str) -> None:
    found = state.found
    if state.is_table:
        found.tables[-1][-1].append(text)
        return
    if not text:
        return
    if state.lists:
        marker = state.lists[-1] if state.opens_item else " "
        found.items.append(f"{'  ' * (len(state.lists) - 1)}{marker} {text}")
        state.opens_item = False
    found.text.append("> " * state.quotes + ("#" * state.heading + " " if state.heading else "") + text)


def _read_inline(state: _State, tokens: Sequence[Token]) -> str:
    """Inline tokens in one canonical form; formulas and link targets go to their own parts."""
    written = []
    for token in tokens:
        name = token.type.rpartition("_")[0]
        if token.type in ("math_inline", "math_inline_double"):
            state.found.formulas.append(token.content)
            if state.is_table:
                written.append(re.sub(r"\s", "", token.content))
        elif token.type == "image":
            state.found.links[str(token.attrs["src"])] += 1
            written.append(token.content)
        elif token.type == "link_open":
            state.found.links[str(token.attrs["href"])] += 1
        elif token.type == "code_inline":
            written.append(f"`{token.content}`")
        elif token.type in ("softbreak", "hardbreak"):
            written.append(" " if token.type == "softbreak" else "\n")
        elif token.type == "footnote_ref":
            written.append(f"[^{token.meta['id'] + 1}]")
            state.found.notes.append(written[-1])
        elif token.type == "html_inline":
            written.append("\n" if token.content.startswith("<br") else token.content)
        elif name in _MARKS:
            written.append(_MARKS[name])
        elif token.type == "text":
            written.append(token.content)
    return re.sub(r"[^\S\n]+", " ", "".join(written)).strip()


def score_parts(found: Parts, wanted: Parts) -> dict[str, float]:
    """Part -> how like the two are, of each part that either of them has."""
    scores: dict[str, float] = {}
    pairs: dict[str, tuple[list[str], list[str], str]] = {
        "text": (found.text, wanted.text, "\n\n"),
        "list": (found.items, wanted.items, "\n"),
        "code": (found.code, wanted.code, "\n\n"),
    }
    for part, (ours, theirs, between) in pairs.items():
        if ours or theirs:
            scores[part] = Levenshtein.normalized_similarity(between.join(ours), between.join(theirs))
    if found.tables or wanted.tables:
        scores["table"] = _score_tables(found.tables, wanted.tables)
    if found.formulas or wanted.formulas:
        ours, theirs = ([re.sub(r"\s", "", tex) for tex in parts.formulas] for parts in (found, wanted))
        scores["formula"] = Levenshtein.normalized_similarity("\n".join(ours), "\n".join(theirs))
    if found.links or wanted.links:
        n_same = (found.links & wanted.links).total()
        scores["link"] = 2 * n_same / (found.links.total() + wanted.links.total())
    if found.notes or wanted.notes:
        scores["note"] = Levenshtein.normalized_similarity(found.notes, wanted.notes)
    return scores


def _score_tables(found: list[list[list[str]]], wanted: list[list[list[str]]]) -> float:
    """Mean TEDS of the tables in order; a table that only one of the two has scores 0."""
    same = [score_table(ours, theirs) for ours, theirs in zip(found, wanted, strict=False)]
    return sum(same) / max(len(found), len(wanted))


@dataclass(slots=True)
class _Tree:
    """A table, row or cell, as apted compares them."""

    tag: str
    text: str = ""
    children: list[_Tree] = field(default_factory=list)


class _Costs(Config):  # type: ignore[misc]  # apted has no types
    """Costs of TEDS: two cells differ by the edit distance of their texts, other nodes fully or not at all."""

    def rename(self, node1: Any, node2: Any) -> float:
        if node1.tag != node2.tag:
            return 1.0
        return float(Levenshtein.normalized_distance(node1.text, node2.text)) if node1.tag == "td" else 0.0


def score_table(found: list[list[str]], wanted: list[list[str]]) -> float:
    """TEDS of two tables."""
    sizes = [1 + len(table) + sum(map(len, table)) for table in (found, wanted)]
    if max(sizes) > _MAX_CELLS:
        ours, theirs = ("\n".join("\t".join(line) for line in table) for table in (found, wanted))
        return float(Levenshtein.normalized_similarity(ours, theirs))
    trees = (
        _Tree("table", "", [_Tree("tr", "", [_Tree("td", cell) for cell in line]) for line in table])
        for table in (found, wanted)
    )
    distance: float = APTED(*trees, _Costs()).compute_edit_distance()
    return max(0.0, 1.0 - distance / max(sizes))
