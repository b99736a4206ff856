"""What is looked up in a page before its tree of clean elements is built: data tables, formulas, footnotes, elements
that stand for others, and the direction in which the kept text runs (right to left for Arabic, Hebrew and the like).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import compress
from typing import Final

import msgspec
import numpy as np

from webclean.model import Document, Mask, Post, TextBlocks
from webclean.outputs.flow.code import find_code, find_labels
from webclean.outputs.flow.formulas import Formula, find_formulas, find_kept_formulas
from webclean.outputs.flow.nodes import HEADINGS, TreeOptions
from webclean.outputs.flow.notes import Notes, find_notes
from webclean.outputs.flow.quotations import Callouts, find_callouts, find_comments
from webclean.outputs.flow.tools import Conventions, find_conventions, find_named
from webclean.parse import count_tags, find_attribute, find_texts, read_attribute
from webclean.parse.columns import list_values, list_values_once
from webclean.parse.tags import CODE, HEADING, LIST_ITEM

_ROLES: Final = {
    "list": "ul", "listitem": "li", "table": "table", "row": "tr", "cell": "td", "columnheader": "th",
    "rowheader": "th", "note": "blockquote", "figure": "figure", "term": "dt", "definition": "dd",
}  # fmt: skip
"""Role (WAI-ARIA 1.2) -> the element that it stands for."""
_GENERIC: Final = frozenset(("div", "span", "section", "aside", "p", "a"))


class Found(msgspec.Struct, frozen=True, eq=False):
    """Rows and what they are.

    tables: bool [n_elements], data tables. formulas: first row of each kept formula. names: elements that stand for
    another one, by role or class. left_out: what is not shown of the text: links back from notes, links to edit a
    section. comments: quotations that are one on the text. direction: of the kept text, `ltr` or `rtl`; directions:
    what elements declare. special: elements that are not what their names say: formulas, parts of footnotes, what
    stands for others. conventions: the names that tools give the parts of what they write.
    """

    tables: Mask
    formulas: dict[int, Formula]
    notes: Notes
    left_out: Set[int]
    callouts: Callouts
    comments: Set[int]
    names: dict[int, str]
    special: set[int]
    direction: str
    directions: dict[int, str]
    conventions: Conventions


def find_structures(
    document: Document, blocks: TextBlocks, kept: Mask, filled: Mask, options: TreeOptions, posts: Sequence[Post] = ()
) -> Found:
    """filled: bool [n_elements], elements that contain kept text."""
    conventions = find_conventions(options.tools)
    formulas = find_kept_formulas(find_formulas(document, filled, conventions), document, blocks, kept)
    starts = {formula.first: formula for formula in formulas}
    notes = find_notes(document, blocks, kept, filled, conventions)
    callouts = find_callouts(document, filled, conventions)
    named = find_named(document, conventions)["text_extras"]
    left_out = frozenset(notes.back | named | find_labels(document, filled, conventions))
    tables = find_data_tables(document, blocks, kept, filled)
    comments = find_comments(document, blocks, kept, filled, tables, conventions, posts)
    names = _find_names(document, callouts) | _find_posts(document, posts) | comments
    names |= _find_quoted_names(document, filled)
    names |= find_code(document, blocks, filled, conventions)
    directions = list_directions(document) if options.marks else {}  # plain text says nothing of directions
    return Found(
        tables=tables,
        formulas=starts,
        notes=notes,
        left_out=left_out,
        callouts=callouts,
        comments={row for row, name in comments.items() if name == "blockquote"},
        names=names,
        special={*starts, *left_out, *notes.links, *notes.texts, *names},
        direction=find_direction(document, blocks, kept, directions) if options.marks else "ltr",
        directions=directions,
        conventions=conventions,
    )


def _find_names(document: Document, callouts: Callouts) -> dict[int, str]:
    found = dict.fromkeys(callouts.kinds, "blockquote")
    values, numbers = list_values_once(document, "role")
    roles = [value.strip().lower() for value in values]
    # most pages have roles of landmarks and buttons alone
    if "heading" not in roles and _ROLES.keys().isdisjoint(roles):
        return found
    for row, number in zip(find_attribute(document, "role"), numbers.tolist(), strict=True):
        role = roles[number]
        if role == "heading":
            # level 2 where none is given (WAI-ARIA 1.2)
            level = (read_attribute(document, row, "aria-level") or "2").strip()
            found[row] = f"h{level}" if f"h{level}" in HEADINGS else "h2"
        # an element with a meaning of its own keeps it, for roles are often set wrong
        elif role in _ROLES and document.names[row] in _GENERIC:
            found[row] = _ROLES[role]
    return found


def _find_posts(document: Document, posts: Sequence[Post]) -> dict[int, str]:
    """Row -> `div`, for a quotation that is all that a post says, and for posts that are items of a list, with that
    list: a line with the name of its writer tells where each begins."""
    names = document.names
    items = [post.first for post in posts if post.author and names[post.first] == "li"]
    lists = {document.parent.item(row) for row in items}
    found = [*items, *(row for row in lists if names[row] in ("ul", "ol"))]
    found += [post.said for post in posts if post.said >= 0 and names[post.said] == "blockquote"]
    return dict.fromkeys(found, "div")


def _find_quoted_names(document: Document, filled: Mask) -> dict[int, str]:
    """Row -> `div`, for each `cite` that a quotation begins with (`Ann wrote:`): boards give it a line of its own."""
    n_tags = count_tags(document)
    if not n_tags[CODE["cite"]] or not n_tags[CODE["blockquote"]]:
        return {}
    found: dict[int, int] = {}  # quotation -> the first such element in it: no other one can have its first text
    for row in ((document.tag == CODE["cite"]) & filled).nonzero()[0].tolist():
        quotation = int(document.block[row])
        # boards have an element around all of it
        if document.tag[quotation] != CODE["blockquote"]:
            quotation = int(document.parent[quotation])
        if quotation >= 0 and document.tag[quotation] == CODE["blockquote"]:
            found.setdefault(quotation, row)
    names: dict[int, str] = {}
    for quotation, row in found.items():
        nodes = find_texts(document, quotation, document.end.item(quotation))
        is_inside = (row <= document.text_owner[at] < document.end[row] for at in nodes if document.text[at].strip())
        # it has the first text of the quotation, and more follows there
        if next(is_inside, False) and not all(is_inside):
            names[row] = "div"
    return names


DIRECTIONS: Final = frozenset(("ltr", "rtl"))
# Hebrew, Arabic, Syriac, Thaana, N'Ko, and the presentation forms of the first two
_RIGHT_TO_LEFT: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAMPLE: Final = 4000
"""So many characters of the kept text are looked at."""


def find_direction(document: Document, blocks: TextBlocks, kept: Mask, declared: dict[int, str]) -> str:
    """`rtl` or `ltr`: what `html` or `body` declares, otherwise the direction of most letters. declared: by
    `list_directions`."""
    for row, value in declared.items():
        if document.names[row] in ("html", "body"):
            return value
    # of the kept text: a page in Arabic may have a menu in English
    text = "".join(compress(blocks.text, kept.tolist()))[:_SAMPLE]
    # no letter of ASCII runs from right to left
    if text.isascii():
        return "ltr"
    n_right = len(_RIGHT_TO_LEFT.findall(text))
    return "rtl" if n_right and 2 * n_right > len(_LETTER.findall(text)) else "ltr"


def list_directions(document: Document) -> dict[int, str]:
    """Row -> the direction that it declares."""
    values = zip(find_attribute(document, "dir"), list_values(document, "dir"), strict=True)
    return {row: value for row, text in values if (value := text.strip().lower()) in DIRECTIONS}


def find_data_tables(document: Document, blocks: TextBlocks, kept: Mask, filled: Mask) -> Mask:
    """bool [n_elements]: the data tables. filled: bool [n_elements], elements that contain kept text.

    Only filled rows and cells count. A data table has at least two rows, a row with at least two cells, no heading and
    no other table inside, and no `role` of presentation. Fewer than half of its rows have a cell with several
    paragraphs: such cells are typical of forum posts and page columns. In one row or fewer than a third, one cell after
    an empty one is all there is: so stand the details below each story of a list. One row alone is data where its cells
    are neither sentences nor links nor preformatted: columns of a page, menus, and code beside its line numbers are.
    """
    found = np.zeros(len(document), dtype=bool)
    if not count_tags(document)[CODE["table"]]:
        return found
    tables = (document.tag == CODE["table"]) & filled
    # sums from the start: how many there are in a table is a difference of two
    disturbing = np.concatenate(([0], np.cumsum(tables | (HEADING[document.tag] & filled))))
    rows = blocks.row[kept]
    paragraphs = np.bincount(rows[~LIST_ITEM[document.tag[rows]]], minlength=len(document))
    n_paragraphs = np.concatenate(([0], np.cumsum(paragraphs)))
    is_other = kept & ((blocks.n_sentences > 0) | (blocks.n_link_words > 0) | (document.tag[blocks.row] == CODE["pre"]))
    n_other = np.concatenate(([0], np.cumsum(np.bincount(blocks.row[is_other], minlength=len(document)))))
    for row in tables.nonzero()[0].tolist():
        end = int(document.end[row])
        # a table or heading inside: it lays out the page
        if disturbing[end] > disturbing[row + 1]:
            continue
        if (read_attribute(document, row, "role") or "").strip().lower() in ("presentation", "none"):
            continue
        tags = document.tag[row:end]
        cells = row + ((tags == CODE["td"]) | (tags == CODE["th"])).nonzero()[0]
        firsts = cells[np.unique(document.parent[cells], return_index=True)[1]]
        cells = cells[filled[cells]]
        lines = document.parent[cells].tolist()
        counts = Counter(lines)
        is_single = len(counts) == 1 and n_other[end] == n_other[row]
        if (len(counts) > 1 or is_single) and max(counts.values()) > 1:
            is_long = n_paragraphs[document.end[cells]] - n_paragraphs[cells] > 1
            n_long = len(set(compress(lines, is_long.tolist())))
            # of a list of stories, rows below each begin with an empty cell
            headed = set(document.parent[firsts[filled[firsts]]].tolist())
            n_below = sum(n == 1 and line not in headed for line, n in counts.items())
            found[row] = 2 * n_long < len(counts) and (n_below < 2 or 3 * n_below < len(counts))
    return found
