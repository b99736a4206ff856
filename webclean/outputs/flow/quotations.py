"""Who says what: comments on a text and posts of a thread, as quotations one within the other; and notes that are set
off from the text (admonitions, alerts, hints), with their kind and their title.

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

Each post that a rule names begins with a line of who wrote it and when, in place of what the page has there, and
replies stand within the posts that they answer, where the page only indents them. Plain text has no such lines: they
are not the text of the page.

    <tr class=comtr> <td class=ind indent=0> <a class=hnuser>ann</a> <a href=?id=1>1 hour ago</a> | parent | next
      <div class=commtext>Well said.</div>                    > **ann** · [2024-05-02](https://news.example/?id=1)
    <tr class=comtr> <td class=ind indent=1> ...              >
                                                              > Well said.
                                                              >
                                                              > > **bob** · ...

    <div class="admonition warning">                          > [!warning] Mind the step
      <p class="admonition-title">Mind the step</p>           > It is higher than it looks.
      <p>It is higher than it looks.</p>
    </div>

What tools call callouts, their kinds and their titles stands in rules (`tools`: `callouts`, `callout_*`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence, Set
from itertools import islice
from typing import Final

import numpy as np

from webclean.model import Document, Mask, Post, TextBlocks
from webclean.outputs.flow import FILLED, HEADINGS, Node, fold, read_text
from webclean.outputs.flow.addresses import sanitise_url
from webclean.outputs.flow.tools import Conventions, find_named, has_class, has_text, list_children
from webclean.parse import columns
from webclean.parse.tags import CODE
from webclean.parse.url import find_base

_HEAD_ROWS: Final = 80
"""Elements of a comment among which its head is looked for: it stands before the text."""
_LISTS: Final = frozenset(("ul", "ol"))


def find_replies(document: Document, filled: Mask, posts: Sequence[Post]) -> dict[int, str]:
    """What `find_comments` gives, for the posts that rules name: which of them are replies is known."""
    replies = [post.first for post in posts if post.is_reply and filled[post.first]]
    return _drop_lists(document, filled, _drop_wrappers(document, replies))


def find_comments(
    document: Document, blocks: TextBlocks, kept: Mask, filled: Mask, conventions: Conventions
) -> dict[int, str]:
    """Row -> `blockquote`, for comments, and `div`, for lists of nothing but comments. filled: bool [n_elements],
    elements that contain kept text."""
    said = [row for row in find_named(document, conventions)["comments"] if filled[row]]
    classes = columns.read_attributes(document, said, "class")
    # a thread has one class hundreds of times
    of_comments = {value for value in set(classes) if conventions.patterns["comments"].search(value)}
    known = {row for row, value in zip(said, classes, strict=True) if value in of_comments}
    known.update(row for row, _ in columns.list_holding(document, "itemtype", "schema.org/comment"))
    known.update(row for row, role in columns.list_holding(document, "role", "comment") if role == "comment")
    known = {row for row in known if filled[row]}
    if not known:
        return {}
    # the element that begins the page's text is no comment on it
    text = (kept & (blocks.n_sentences > 0)).nonzero()[0]
    first = int(blocks.row[text[0]]) if len(text) else len(document)

    def says_who(row: int) -> bool:
        """Whether an element says who wrote it or when."""
        rows = range(row + 1, min(document.end.item(row), row + _HEAD_ROWS))
        is_head = (
            document.tag[at] == CODE["time"] or has_class(document, at, conventions, "comment_heads") for at in rows
        )
        return any(is_head)

    found = [row for row in sorted(known) if row > first and says_who(row)]
    return _drop_lists(document, filled, _drop_wrappers(document, found))


def _drop_wrappers(document: Document, found: list[int]) -> list[int]:
    """Comments without wrappers of a single comment: tools give a comment and the elements around it the same name."""
    rows: list[int] = []
    for row in found:
        around = rows[-1] if rows and row < document.end[rows[-1]] else -1
        if around < 0 or has_text(document, around, row):
            rows.append(row)
    return rows


def _drop_lists(document: Document, filled: Mask, found: list[int]) -> dict[int, str]:
    """The names of comments, and of the lists whose items are all comments; other items stay items."""
    comments = set(found)
    names: dict[int, str] = {}
    for row in found:
        above = document.parent.item(row)
        if document.names[row] != "li" or document.names[above] not in _LISTS:
            names[row] = "blockquote"
            continue
        if comments.issuperset(at for at in list_children(document, above) if filled[at]):
            names |= {row: "blockquote", above: "div"}
    return names


def find_post_names(document: Document, posts: Sequence[Post]) -> dict[int, str]:
    """Row -> `div`, for a quotation that is all that a post says, and for posts that are items of a list, with that
    list: a line with the name of its writer tells where each begins."""
    names = document.names
    items = [post.first for post in posts if post.author and names[post.first] == "li"]
    lists = {document.parent.item(row) for row in items}
    found = [*items, *(row for row in lists if names[row] in ("ul", "ol"))]
    found += [post.said for post in posts if post.said >= 0 and names[post.said] == "blockquote"]
    return dict.fromkeys(found, "div")


def find_quoted_names(document: Document, filled: Mask) -> dict[int, str]:
    """Row -> `div`, for each `cite` that a quotation begins with (`Ann wrote:`): boards give it a line of its own."""
    names: dict[int, str] = {}
    if not columns.count_tags(document)[CODE["blockquote"]]:
        return names
    for row in ((document.tag == CODE["cite"]) & filled).nonzero()[0].tolist():
        # boards have an element around all of it
        near = islice(columns.climb(document, int(document.block[row])), 2)
        quotation = next((at for at in near if document.tag[at] == CODE["blockquote"]), -1)
        # it has the first text of the quotation, and more follows there
        if quotation >= 0 and not has_text(document, quotation, row):
            nodes = columns.find_texts(document, quotation, document.end.item(quotation))
            outside = (at for at in nodes if not row <= document.text_owner[at] < document.end[row])
            names |= {row: "div"} if any(document.text[at].strip() for at in outside) else {}
    return names


_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?=$|[T\s])")
_BETWEEN: Final = " · "
_MAX_DEPTH: Final = 20
"""Replies deeper than this stand beside the comments that they answer, since renderers recurse."""


def find_heads(document: Document, blocks: TextBlocks, posts: Sequence[Post]) -> Mask:
    """bool [n_blocks]: the lines of posts, which have authors, that say who wrote them or when, and nothing of what the
    post says: in a chat both are one line."""
    said = np.unique([post.said for post in posts if post.said >= 0]).astype(np.int64)
    # without the place of what it says nothing tells a line above a post from the post
    rows = np.array([row for post in posts if post.said >= 0 for row in post.heads], dtype=np.int64)
    # a line holds the ranks, counts and buttons beside a name, too
    is_head = np.isin(blocks.row, document.block[rows]) & (blocks.n_sentences == 0)
    is_said = columns.mark_slices(said, document.end[said], len(document))[blocks.row]
    return np.asarray(is_head & ~is_said & ~np.isin(blocks.row, document.block[said]), dtype=bool)


class Thread:
    """The posts of a page. Each that its tree has text of gets its line once, before the first element that holds all
    of it, and replies are set into what they answer (`visit` of the root)."""

    def __init__(self, document: Document, posts: Sequence[Post], root: Node) -> None:
        self._base, self._posts, self._firsts = find_base(document), posts, [post.first for post in posts]
        self._todo = set(range(len(posts)))
        self._spans: dict[int, tuple[int, int]] = {}
        self._measure(root)

    def _measure(self, node: Node) -> tuple[int, int]:
        """The first and the last row of the leaves in a node, (-1, -1) where none is known; remembered."""
        found = [self._measure(child) for child in node.find_nodes()]
        rows = [row for span in (*found, (node.row, node.row)) for row in span if row >= 0]
        span = (min(rows), max(rows)) if rows else (-1, -1)
        self._spans[id(node)] = span
        return span

    def visit(self, node: Node) -> None:
        """Add the lines of the posts in a container, and set its replies into each other, in place."""
        children: list[Node | str] = []
        depths: list[int] = []
        for child in node.children:
            number, is_whole = self._find_post(child)
            if isinstance(child, Node) and (not is_whole or "reply" in child.attributes or node.name in FILLED):
                self.visit(child)
            elif number in self._todo:
                self._todo.discard(number)
                children.append(self._write_head(self._posts[number]))
                depths.append(-1)
            children.append(child)
            is_reply = isinstance(child, Node) and "reply" in child.attributes and number >= 0
            depths.append(self._posts[number].depth if is_reply else -1)
        node.children[:] = []
        around: list[tuple[int, Node]] = []  # a child that states a depth is within the last one of less
        for child, depth in zip(children, depths, strict=True):
            while around and around[-1][0] >= depth:
                around.pop()
            (around[-1][1] if around else node).children.append(child)
            if isinstance(child, Node) and depth >= 0 and len(around) < _MAX_DEPTH:
                around.append((depth, child))

    def _find_post(self, child: Node | str) -> tuple[int, bool]:
        """The number of the post that a child begins in, -1 for none, and whether all of it is of that or of none."""
        first, last = self._spans[id(child)] if isinstance(child, Node) else (-1, -1)
        number = bisect_right(self._firsts, first) - 1
        if number >= 0 and first < self._posts[number].end:
            return number, last < self._posts[number].end
        # an element that begins before a post may hold it
        return -1, bisect_right(self._firsts, last) - 1 == number

    def _write_head(self, post: Post) -> Node:
        said: list[Node | str] = [Node("strong", {}, [" ".join((post.author or "").split())])]
        if post.date:
            day = _DAY.match(post.date)
            date = day[0] if day else " ".join(post.date.split())
            url = sanitise_url(post.url, self._base) if post.url else None
            said += [_BETWEEN, Node("a", {"href": url}, [date]) if url else date]
        return Node("p", {}, said, row=post.first)


_PARTS: Final = re.compile(r"[\s_-]+")


def find_callouts(document: Document, filled: Mask, conventions: Conventions) -> tuple[dict[int, str], set[int]]:
    """Row -> kind, '' where none is known, of the callouts with kept text; the rows of what a class calls their titles.
    filled: bool [n_elements], elements that contain kept text."""
    names = frozenset(conventions.names.callouts)
    kinds: dict[int, str] = {}
    titles: set[int] = set()
    for row in sorted(find_named(document, conventions)["callouts"]):
        if not filled[row]:
            continue
        classes = (columns.read_attribute(document, row, "class") or "").lower()
        if names.isdisjoint(classes.split()):
            continue
        # the kind is that of an attribute, else the first known kind that is a part of a class
        stated = (columns.read_attribute(document, row, key) for key in conventions.names.callout_attributes)
        parts = [*(value.strip().lower() for value in stated if value), *_PARTS.split(classes)]
        kinds[row] = next((part for part in parts if part in conventions.names.callout_kinds), "")
        below = range(row + 1, document.end.item(row))
        titles.update(at for at in below if has_class(document, at, conventions, "callout_titles"))
    return kinds, titles


def mark_titles(root: Node, titles: Set[int]) -> None:
    """Say of each callout of a tree whether its first leaf is its title, in place. titles: of rows, by class."""
    for node in root.walk():
        kind = node.attributes.get("callout")
        first = node.children[0] if kind and node.children else None
        if not isinstance(first, Node):
            continue
        # a line in bold type, or the name of the kind by itself
        only = first.children[0] if first.name == "p" and len(first.children) == 1 else None
        is_title = first.name in HEADINGS or first.row in titles
        if is_title or (isinstance(only, Node) and only.name == "strong") or fold(read_text(first)) == kind:
            node.attributes["titled"] = ""
