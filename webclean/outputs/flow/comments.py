"""Comments on a text, and replies to them: quotations, one within the other as the page has them.

    <article>The text.</article>                                             The text.
    <div class=comment> <b class=author>Ann</b> <time>2 May</time>           > **Ann** 2 May
      <p>Well said.</p>                                                      >
      <div class=comment> <b class=author>Bob</b> <p>Is it?</p> </div>       > Well said.
    </div>                                                                   >
                                                                             > > **Bob**
                                                                             > >
                                                                             > > Is it?

What a class, a role (WAI-ARIA 1.3) or a type (https://schema.org/Comment) calls a comment is one where it has a head,
which says who wrote it or when, and a text stands before it: the post that a thread begins with is that text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from webclean.model import Document, Mask, Post, TextBlocks
from webclean.outputs.flow.tools import Conventions, find_named
from webclean.parse import find_texts, read_attribute, read_attributes
from webclean.parse.columns import list_holding
from webclean.parse.preorder import mark_slices
from webclean.parse.tags import CODE

_HEAD_ROWS: Final = 80
"""Elements of a comment among which its head is looked for: it stands before the text."""
_LISTS: Final = frozenset(("ul", "ol"))


def find_comments(
    document: Document,
    blocks: TextBlocks,
    kept: Mask,
    filled: Mask,
    tables: Mask,
    conventions: Conventions,
    posts: Sequence[Post] = (),
) -> dict[int, str]:
    """Row -> `blockquote`, for comments, and `div`, for lists of nothing but comments. filled: bool [n_elements],
    elements that contain kept text. tables: bool [n_elements], data tables, in which nothing is quoted. posts: those
    that rules name: which of them are replies is known."""
    replies = [post.first for post in posts if post.is_reply and filled[post.first]]
    if replies:
        return _drop_lists(document, filled, _drop_wrappers(document, replies))
    named = _list_named(document, filled, conventions)
    if not named:
        return {}
    # what begins the page's text is no comment on it
    text = np.flatnonzero(kept & (blocks.n_sentences > 0))
    first = int(blocks.row[text[0]]) if len(text) else len(document)
    data = tables.nonzero()[0]
    inside = mark_slices(data, document.end[data], len(document))
    known = set(named)
    rows = (row for row in named if row > first and not inside[row])
    found = [row for row in rows if _has_head(document, row, known, conventions)]
    return _drop_lists(document, filled, _drop_wrappers(document, found))


def _list_named(document: Document, filled: Mask, conventions: Conventions) -> list[int]:
    """Elements with kept text that are called comments, in document order."""
    said = [row for row in find_named(document, conventions)["comments"] if filled[row]]
    classes = read_attributes(document, said, "class")
    # a thread has one class hundreds of times
    named = {value for value in set(classes) if conventions.comment.search(value)}
    found = {row for row, value in zip(said, classes, strict=True) if value in named}
    found.update(row for row, value in list_holding(document, "itemtype", "schema.org/comment"))
    found.update(row for row, role in list_holding(document, "role", "comment") if role == "comment")
    return sorted(row for row in found if filled[row])


def _has_head(document: Document, row: int, known: set[int], conventions: Conventions) -> bool:
    """Whether an element says who wrote it or when, by an element that is in no reply to it."""
    at, end = row + 1, min(document.end.item(row), row + _HEAD_ROWS)
    while at < end:
        if at in known and _is_apart(document, row, at):
            at = document.end.item(at)
            continue
        if document.tag[at] == CODE["time"] or conventions.comment_head.search(
            read_attribute(document, at, "class") or ""
        ):
            return True
        at += 1
    return False


def _is_apart(document: Document, outer: int, inner: int) -> bool:
    """Whether a comment within another is a reply: something of the other stands before it."""
    return any(document.text[at].strip() for at in find_texts(document, outer, inner))


def _drop_wrappers(document: Document, found: list[int]) -> list[int]:
    """Comments without those that are all of another: tools call a comment and the elements around it alike."""
    rows: list[int] = []
    for row in found:
        around = rows[-1] if rows and row < document.end[rows[-1]] else -1
        if around < 0 or _is_apart(document, around, row):
            rows.append(row)
    return rows


def _drop_lists(document: Document, filled: Mask, found: list[int]) -> dict[int, str]:
    """The names of comments, and of the lists of which all items are such; other items stay items."""
    comments = set(found)
    names: dict[int, str] = {}
    for row in found:
        above = document.parent.item(row)
        if document.names[row] != "li" or document.names[above] not in _LISTS:
            names[row] = "blockquote"
            continue
        items = [at for at in range(above + 1, document.end.item(above)) if document.parent[at] == above and filled[at]]
        if comments.issuperset(items):
            names |= {row: "blockquote", above: "div"}
    return names
