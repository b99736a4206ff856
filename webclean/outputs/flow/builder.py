"""Document and kept blocks -> the tree of clean elements.

The tree contains every kept text node once, in reading order, and no other text, with these exceptions: a formula is
its TeX and MathML, not what the page draws of it; a video or an embedded page is a link with its title; the value of an
attribute may be a footnote; links back from footnotes, copies of footnotes, links to edit a section and labels of code
are left out. So are elements used only for layout, and in a container the text blocks that are dropped.

The text of most text blocks is added as a whole. Only if a block holds what a format shows (a link, a line break, an
image) or what may be a formula, the elements and text nodes of its block element are added one after the other.
Containers, such as lists, are always added element by element:

    <div><ul> <li>Ann <span>and</span> Bob</li> <li>by <a href=/c>Carl</a></li> </ul></div>

    enter ul, enter li, add block "Ann and Bob", enter li, add text "by", enter a, add text "Carl"

First the page is searched for elements that are not what their names say (`Found`). Then `core.plan_visit` lists what
is visited, and `core.build_tree` adds it to the tree. `SHAPES` says what each element becomes; `Found` answers what is
at a row: the address of a link, the source of an image, a formula in a text, preformatted text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.model import Document, Mask, Post, TextBlocks
from webclean.outputs.flow import (
    HEADINGS,
    TIGHT,
    Node,
    TreeOptions,
    bound_tree,
    gather_notes,
    mark_headers,
    quotations,
    simplify_containers,
    tools,
)
from webclean.outputs.flow.addresses import find_dropped_captions, find_objects, find_pictures, make_media, read_target
from webclean.outputs.flow.formulas import find_formulas, list_formulaic, split_formulas
from webclean.outputs.flow.notes import find_dropped_notes, find_notes
from webclean.parse import climb, count_tags, find_attribute, read_attribute, sum_before
from webclean.parse.columns import list_distinct, mark_slices
from webclean.parse.controls import clean_line
from webclean.parse.limits import check_time
from webclean.parse.tags import BLOCK, CELL, CODE, HEADING, LIST_ITEM, tag_mask
from webclean.parse.url import find_base
from webclean.storage import read_table

MAX_NESTING: Final = 40
"""Containers nested deeper than this are replaced by their content, because the renderers recurse."""
MAX_SPAN: Final = 1000
"""Maximum number of columns or rows that a cell may span (HTML 4.9.11 allows 1000 columns)."""

_ELEMENTS: Final = read_table(__file__, "elements.toml")


def _invert(table: str) -> dict[str, str]:
    """Element, or role -> what it is in the tree."""
    return {name: made for made, names in _ELEMENTS[table].items() for name in names.split()}


CONTAINERS, INLINES, _ROLES = map(_invert, ("containers", "inline", "roles"))
_PARENTS: Final = {name: tuple(above.split()) for name, above in _ELEMENTS["parents"].items()}
_SPANS: Final = {**dict.fromkeys(("td", "th"), ("colspan", "rowspan")), "ol": ("start",), "blockquote": ("callout",)}
"""Container -> its attributes: numbers, the kind of a callout."""
_NUMBERS: Final = ("colspan", "rowspan", "start")
# leaves of these are paragraphs; plain text sets those of a `div` closer
_PARAGRAPHS: Final = HEADINGS | {"p", "blockquote"}


_KINDS: Final = {
    **{name: "block" for name, code in CODE.items() if BLOCK[code]},
    **dict.fromkeys(tools.PREFORMATTED, "preformatted"),
    **_invert("kinds"),
}
"""Element -> how it is added to the tree; inline elements are not listed."""
SHAPES: Final = (
    _KINDS,
    CONTAINERS,
    INLINES,
    _PARENTS,
    _ELEMENTS["fillers"],
    _SPANS,
    HEADINGS,
    _PARAGRAPHS,
    MAX_NESTING,
)
"""What each element becomes and which may hold which, in the form that `core.build_tree` takes."""


def build_flow(
    document: Document,
    blocks: TextBlocks,
    kept: Mask,
    options: TreeOptions | None = None,
    refused: Collection[int] = (),
    posts: Sequence[Post] = (),
) -> Node:
    """The tree of clean elements of the kept text blocks; the name of its root is empty.

    With marks it also has the footnotes to which kept links refer and the captions of the pictures that are shown, even
    if their blocks are dropped, except the blocks `refused`. posts: of a thread, as rules name them, in document order;
    with marks, each begins with its author and date."""
    options = options or TreeOptions()
    posts = posts if options.marks else ()
    # without the author, that line would say less than what the page has there
    signed = [post for post in posts if post.author]
    if options.marks:
        notes = find_dropped_notes(document, blocks, kept, tools.find_conventions(options.tools))
        if count_tags(document)[CODE["figcaption"]]:
            notes |= find_dropped_captions(document, blocks, kept, options)
        notes[list(refused)] = False
        kept = kept | notes
    if signed:
        kept = kept & ~quotations.find_heads(document, blocks, signed)
    # before the page is searched: footnotes, formulas and images are dropped with the text that they are in
    filled: Mask = core.find_filled(document.page, kept)
    if not options.tables:
        small = find_small_tables(document, blocks, kept, filled, options.table_words)
        tables = (find_data_tables(document, blocks, kept, filled) | small).nonzero()[0]
        kept = kept & ~mark_slices(tables, document.end[tables], len(document))[blocks.row]
        filled = core.find_filled(document.page, kept)
    check_time()
    found = Found(document, blocks, kept, filled, options, posts)
    check_time()
    objects = sorted({*find_objects(document, blocks, kept, options), *found.pictures})
    plan = plan_visit(document, kept, options, found, objects)
    # few elements have such attributes: only those are asked for their values
    numbered = {row for key in _NUMBERS for row in find_attribute(document, key)}
    numbered |= found.callouts.keys() | found.comments
    root = cast("Node", core.build_tree(document.page, plan, SHAPES, found, numbered, Node, is_plain=options.plain))
    if found.notes.links:
        gather_notes(root, document, {found.notes.texts[row] for row in found.notes.inline}, found.notes.made)
    if signed:
        quotations.Thread(document, signed, root).visit(root)
    simplify_containers(root)
    if options.marks and found.tables.any():
        mark_headers(root)
    if found.callouts:
        quotations.mark_titles(root, found.titles)
    # a tree that was cut may end in empty containers
    if not bound_tree(root):
        simplify_containers(root)
    return root


def plan_visit(
    document: Document, kept: Mask, options: TreeOptions, found: Found, objects: list[int]
) -> tuple[Any, ...]:
    """What is added to the tree, in document order: elements with kept text, objects with their links, formulas, line
    breaks, cells, and text.

    objects: rows of what is shown beside text, such as images, in document order.

    Returns the elements, and for each the only block that is shown of it, -1 if there is more. Then the text nodes (of
    a block that is added as a whole, only the first), and for each the elements that start before it, its block or -1,
    and whether that block is added as a whole.
    """
    # references that a style sheet numbers hold no text
    empty = [row for row in found.notes.links if not found.filled[row]]
    objects = sorted({*objects, *empty}) if empty else objects
    # a price has a dollar sign too: the core checks whether a second sign can close the formula
    signs = [block for block in list_formulaic(document) if kept[block]]
    if found.lined:
        lined = document.page.view("block_of")[[*found.lined]].tolist()
        signs = sorted({*signs, *(block for block in lined if block >= 0 and kept[block])})
    plan = core.plan_visit(
        document.page,
        kept,
        found.filled,
        _list_flags(options.marks, options.links, options.plain),
        ([*found.special], [*found.directions], [*found.notes.texts], objects, [*found.formulas]),
        signs,
    )
    return cast("tuple[Any, ...]", plan)


@cache
def _list_flags(marks: bool, links: bool, plain: bool) -> NDArray[np.uint16]:
    """uint16 [N_CODES]: the flags of each tag that the core reads."""
    readings, code = tag_mask("ruby rt rp"), tag_mask("code tt samp")  # in code no sign begins a formula
    # the inline elements that change what is written
    telling = tag_mask(" ".join((*INLINES, "abbr", *(("a",) if links else ())))) if marks else readings
    # elements of one family follow each other: `dd` ends a `dt`
    family = tag_mask("li") + 2 * tag_mask("dt dd") + 3 * tag_mask("td th tr")
    flags: NDArray[np.uint16] = family.astype(np.uint16) * np.uint16(core.FLOW_FLAGS["family"] // 3)
    for name, mask in {
        # a leaf, or a container of leaves, is made of these
        "structure": tag_mask(" ".join((*CONTAINERS, *HEADINGS, *tools.PREFORMATTED))),
        "shown": telling if marks else readings | code,
        "telling": telling,
        "cell": CELL,
        "break": tag_mask("br"),
        "heading": HEADING & plain,
        "block": BLOCK,
        "may_be_lone": tag_mask(" ".join(TIGHT - {"note"})),
        # text is added to these that follows them without an element of its own
        "may_be_filled": tag_mask("li dd td"),
    }.items():
        flags[mask] |= core.FLOW_FLAGS[name]
    return flags


_GENERIC: Final = frozenset(("div", "span", "section", "aside", "p", "a"))


class Found:
    """What the elements of a page are, by row. Its methods read what is at a row: None or '' if nothing is shown there.

    filled: bool [n_elements], elements that contain kept text. tables: bool [n_elements], data tables. formulas: first
    row of each kept formula. names: row -> the element that it stands for, by its role or class. left_out: rows of text
    that is not shown: links back from notes, links to edit a section. comments: rows that become quotations and are
    comments of readers. direction: of the kept text, `ltr` or `rtl`; directions: row -> the one that it declares.
    special: rows of elements that are not what their names say: formulas, parts of footnotes, all of `names`.
    """

    def __init__(
        self,
        document: Document,
        blocks: TextBlocks,
        kept: Mask,
        filled: Mask,
        options: TreeOptions,
        posts: Sequence[Post],
    ) -> None:
        self._document, self._kept, self._options, self.filled = document, kept, options, filled
        self._base, self._conventions = find_base(document), tools.find_conventions(options.tools)
        conventions = self._conventions
        self.formulas = find_formulas(document, blocks, kept, conventions)
        self.notes = find_notes(document, blocks, kept, filled, conventions)
        self.callouts, self.titles = quotations.find_callouts(document, filled, conventions)
        named = tools.find_named(document, conventions)["text_extras"]
        self.left_out = frozenset(self.notes.back | named | tools.find_labels(document, filled, conventions))
        # a cell that holds only a formula has no text, and counts as filled
        holding = filled
        if self.formulas:
            holding = filled.copy()
            holding[[at for row in self.formulas for at in climb(document, row)]] = True
        self.tables = find_data_tables(document, blocks, kept, holding)
        self.tables |= find_small_tables(document, blocks, kept, filled, options.table_words)
        comments = quotations.find_replies(document, filled, posts) or quotations.find_comments(
            document, blocks, kept, filled, conventions
        )
        self.comments = {row for row, name in comments.items() if name == "blockquote"}
        self.pictures = find_pictures(document, kept, options)
        self.names = {
            **dict.fromkeys(self.callouts, "blockquote"),
            **_find_roles(document),
            **_find_header_cells(document),
            **quotations.find_post_names(document, posts),
            **comments,
            **quotations.find_quoted_names(document, filled),
            **tools.find_code(document, blocks, filled, conventions),
            **{row: "img" for row in self.pictures if document.names[row] not in ("img", "noscript")},
        }
        self.special = {*self.formulas, *self.left_out, *self.notes.links, *self.notes.texts, *self.names}
        # plain text says nothing of directions
        self.direction, self.directions = (
            tools.find_directions(document, blocks, kept) if options.marks else ("ltr", {})
        )
        self.lined = tools.find_kept_lines(document, conventions)

    def read_link(self, row: int) -> dict[str, str] | None:
        """The attributes of a link that is safe to follow."""
        # without links in the format, or with an unsafe address, the text of the link stays
        if not self._options.links:
            return None
        href = read_target(self._document, row, self._base)
        return {"href": href} if href else None

    def read_title(self, row: int) -> dict[str, str] | None:
        """The attributes of an abbreviation: its `title`, which says what it stands for."""
        title = clean_line(read_attribute(self._document, row, "title"))
        return {"title": title} if title else None

    def read_numbers(self, row: int, names: tuple[str, ...]) -> dict[str, str]:
        """The attributes of a container: how many columns or rows a cell spans, where a list starts, the kind of a
        callout. names: of those that are numbers."""
        if kind := self.callouts.get(row):
            return {"callout": kind}
        if row in self.comments:
            return {"reply": ""}
        found = {}
        for name in names:
            # a number of more digits is above every bound
            value = (read_attribute(self._document, row, name) or "").strip()[:6]
            # 1 is the default
            if value.isdecimal() and value.isascii() and int(value) != 1:
                found[name] = str(min(int(value), MAX_SPAN) if name != "start" else int(value))
        return found

    def read_task(self, row: int) -> str:
        """Whether the box of a task is checked."""
        return "done" if read_attribute(self._document, row, "checked") is not None else "open"

    def make_media(self, row: int) -> Node | None:
        """A link to a video, recording or embedded page."""
        return make_media(self._document, row, self._base, with_poster=self._options.images)

    def split_text(self, node: int) -> list[str | Node]:
        """The text of a node, in pieces of text, formulas and, where the page keeps them, line breaks."""
        pieces = split_formulas(self._document, node, self._conventions)
        if node not in self.lined:
            return pieces
        return [part for piece in pieces for part in (tools.split_lines(piece) if isinstance(piece, str) else (piece,))]

    def drop_label(self, text: str, label: str) -> str:
        """The first text of a footnote without its label, or what stood behind it: `[1] Accounts` -> `Accounts`."""
        sign = re.escape(label)
        found = re.match(rf"\s*(?:\[{sign}\]|\({sign}\)|(?:{sign})?[.):](?=\s|$)|[*†‡§¶]{{1,3}}(?=\s))\s*", text)
        return text[found.end() :] if found else text

    def read_preformatted(self, row: int) -> str:
        """The kept text of a preformatted element; '' if it is only the line numbers of another."""
        return tools.read_code(self._document, self._kept, row, self._conventions)

    def find_language(self, row: int) -> str:
        """The programming language of preformatted text, where the format has a place for it."""
        return tools.find_language(self._document, row, self._conventions) if self._options.marks else ""

    def is_line_of_code(self, row: int) -> bool:
        """Whether a preformatted element is one line of a text whose lines are elements of their own."""
        return tools.has_class(self._document, row, self._conventions, "code_lines")


def _find_roles(document: Document) -> dict[int, str]:
    """Row -> the element that its role makes it."""
    found: dict[int, str] = {}
    rows = find_attribute(document, "role")
    values, numbers = list_distinct(document, np.array(rows, dtype=np.int64), "role")
    roles = [value.strip().lower() for value in values]
    # most pages have roles of landmarks and buttons alone
    if "heading" not in roles and _ROLES.keys().isdisjoint(roles):
        return found
    for row, number in zip(rows, numbers.tolist(), strict=True):
        role = roles[number]
        if role == "heading":
            # level 2 where none is given (WAI-ARIA 1.2)
            level = (read_attribute(document, row, "aria-level") or "2").strip()
            found[row] = f"h{level}" if f"h{level}" in HEADINGS else "h2"
        # an element with a meaning of its own keeps it, for roles are often set wrong
        elif role in _ROLES and document.names[row] in _GENERIC:
            found[row] = _ROLES[role]
    return found


def _find_header_cells(document: Document) -> dict[int, str]:
    """Row -> `th`, for the cells of a `thead` that are written as `td`."""
    if not count_tags(document)[CODE["thead"]]:
        return {}
    cells = (document.tag == CODE["td"]).nonzero()[0]
    groups = document.parent[document.parent[cells]]
    return dict.fromkeys(cells[document.tag[groups] == CODE["thead"]].tolist(), "th")


def find_data_tables(document: Document, blocks: TextBlocks, kept: Mask, filled: Mask) -> Mask:
    """bool [n_elements]: the data tables. filled: bool [n_elements], elements that contain kept text.

    Only filled rows and cells count. A data table has at least two rows, a row with at least two cells, no heading and
    no other table inside, and no `role` of presentation. Fewer than half of its rows have a cell with several
    paragraphs, which are typical of forum posts and page columns. Rows of one cell after an empty one, as the details
    below each story of a list are, are at most one or fewer than a third. A table of a single row is data if its cells
    hold no sentences, links or preformatted text, as columns of a page, menus, and code beside its line numbers do.
    """
    found = np.zeros(len(document), dtype=bool)
    if not count_tags(document)[CODE["table"]]:
        return found
    tables = (document.tag == CODE["table"]) & filled
    if not np.count_nonzero(tables):
        return found
    # a table or heading inside: it lays out the page; sums from the start, so what is in a table is a difference of two
    disturbing = sum_before(tables | (HEADING[document.tag] & filled))
    alone = tables.nonzero()[0]
    alone = alone[disturbing[document.end[alone]] == disturbing[alone + 1]]
    if not len(alone):
        return found
    rows = blocks.row[kept]
    n_paragraphs = sum_before(np.bincount(rows[~LIST_ITEM[document.tag[rows]]], minlength=len(document)))
    is_other = kept & ((blocks.n_sentences > 0) | (blocks.n_link_words > 0) | (document.tag[blocks.row] == CODE["pre"]))
    n_other = sum_before(np.bincount(blocks.row[is_other], minlength=len(document)))
    # of all tables at once: the cells, rising, their rows, and whether each is the first of its row
    cells = ((document.tag == CODE["td"]) | (document.tag == CODE["th"])).nonzero()[0]
    lines = document.parent[cells]
    is_first, is_filled = np.ones(len(cells), dtype=bool), filled[cells]
    is_first[1:] = lines[1:] != lines[:-1]
    is_long = n_paragraphs[document.end[cells]] - n_paragraphs[cells] > 1
    for row, end in zip(alone.tolist(), document.end[alone].tolist(), strict=True):
        if (read_attribute(document, row, "role") or "").strip().lower() in ("presentation", "none"):
            continue
        own = slice(*cells.searchsorted((row, end)).tolist())
        counts = Counter(lines[own][is_filled[own]].tolist())
        is_single = len(counts) == 1 and n_other[end] == n_other[row]
        if (len(counts) > 1 or is_single) and max(counts.values()) > 1:
            n_long = len(set(lines[own][is_filled[own] & is_long[own]].tolist()))
            # in a list of stories the rows below each story begin with an empty cell
            headed = set(lines[own][is_filled[own] & is_first[own]].tolist())
            n_below = sum(n == 1 and line not in headed for line, n in counts.items())
            found[row] = 2 * n_long < len(counts) and (n_below < 2 or 3 * n_below < len(counts))
    return found


def find_small_tables(document: Document, blocks: TextBlocks, kept: Mask, filled: Mask, n_words: int) -> Mask:
    """bool [n_elements]: the tables without another inside and of whose cells none has more than so many words."""
    if not n_words:
        return np.zeros(len(document), dtype=bool)
    is_table = (document.tag == CODE["table"]) & filled
    is_cell = (document.tag == CODE["td"]) | (document.tag == CODE["th"])
    before = sum_before(np.bincount(blocks.row, blocks.n_words * kept, len(document)))
    is_long = is_cell & (before[document.end] - before[:-1] > n_words)
    disturbing = sum_before(is_table | is_long)
    found: Mask = is_table & (disturbing[document.end] == disturbing[1:])
    return found
