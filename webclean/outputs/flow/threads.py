"""Who says what in a thread: a line before each post that a rule names, in place of what the page has there; and
replies within the posts that they answer, where the page only indents them.

    <tr class=comtr> <td class=ind indent=0> <a class=hnuser>ann</a> <a href=?id=1>1 hour ago</a> | parent | next
      <div class=commtext>Well said.</div>
    <tr class=comtr> <td class=ind indent=1> ...

    > **ann** · [2024-05-02](https://news.example/?id=1)
    >
    > Well said.
    >
    > > **bob** · ...

Plain text has no such lines: they are not the text of the page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import numpy as np

from webclean.model import Document, Mask, Post, TextBlocks
from webclean.outputs.flow.nodes import Node
from webclean.outputs.flow.urls import sanitise_url
from webclean.parse.preorder import mark_slices
from webclean.parse.url import find_base

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?=$|[T\s])")
_BETWEEN: Final = " · "
_FILLED: Final = frozenset(("ul", "ol", "dl", "table", "tr"))
"""Elements with nothing but items or cells, which a line stands in, not between."""
_MAX_DEPTH: Final = 20
"""Replies deeper than this are set beside those that they answer: renderers recurse."""


def find_heads(document: Document, blocks: TextBlocks, posts: Sequence[Post]) -> Mask:
    """bool [n_blocks]: the lines of posts, which have authors, that say who wrote them or when, and nothing of what the
    post says: in a chat both are one line."""
    said = np.unique([post.said for post in posts if post.said >= 0]).astype(np.int64)
    # without the place of what it says nothing tells a line above a post from the post
    rows = np.array([row for post in posts if post.said >= 0 for row in post.heads], dtype=np.int64)
    # a line holds the ranks, counts and buttons beside a name, too
    is_head = np.isin(blocks.row, document.block[rows]) & (blocks.n_sentences == 0)
    is_said = mark_slices(said, document.end[said], len(document))[blocks.row]
    return np.asarray(is_head & ~is_said & ~np.isin(blocks.row, document.block[said]), dtype=bool)


def add_heads(root: Node, document: Document, posts: Sequence[Post]) -> None:
    """Add the line of each post that the tree has text of, and set replies into what they answer, in place."""
    thread = _Thread(document, posts)
    thread.measure(root)
    thread.visit(root)


class _Thread:
    """The posts of a page, each of which gets its line once, before the first element that is all of it."""

    def __init__(self, document: Document, posts: Sequence[Post]) -> None:
        self._base = find_base(document)
        self._posts = posts
        self._firsts = [post.first for post in posts]
        self._todo = set(range(len(posts)))
        self._spans: dict[int, tuple[int, int]] = {}

    def measure(self, node: Node) -> tuple[int, int]:
        """The first and the last row of the leaves in a node, (-1, -1) where none is known; remembered."""
        found = [self.measure(child) for child in node.find_nodes()]
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
            if isinstance(child, Node) and (not is_whole or "reply" in child.attributes or node.name in _FILLED):
                self.visit(child)
            elif number in self._todo:
                self._todo.discard(number)
                children.append(self._write_head(self._posts[number]))
                depths.append(-1)
            children.append(child)
            is_reply = isinstance(child, Node) and "reply" in child.attributes and number >= 0
            depths.append(self._posts[number].depth if is_reply else -1)
        node.children[:] = _nest(children, depths)

    def _find_post(self, child: Node | str) -> tuple[int, bool]:
        """The number of the post that a child begins in, -1 for none, and whether all of it is of that or of none."""
        first, last = self._spans[id(child)] if isinstance(child, Node) else (-1, -1)
        number = bisect_right(self._firsts, first) - 1
        if number >= 0 and first < self._posts[number].end:
            return number, last < self._posts[number].end
        # what begins before a post may hold it
        return -1, bisect_right(self._firsts, last) - 1 == number

    def _write_head(self, post: Post) -> Node:
        said: list[Node | str] = [Node("strong", {}, [" ".join((post.author or "").split())])]
        if post.date:
            day = _DAY.match(post.date)
            date = day[0] if day else " ".join(post.date.split())
            url = sanitise_url(post.url, self._base) if post.url else None
            said += [_BETWEEN, Node("a", {"href": url}, [date]) if url else date]
        return Node("p", {}, said, row=post.first)


def _nest(children: list[Node | str], depths: list[int]) -> list[Node | str]:
    """Children with each one that states a depth within the last one of less, if nothing else stands between them."""
    made: list[Node | str] = []
    around: list[tuple[int, Node]] = []
    for child, depth in zip(children, depths, strict=True):
        while around and around[-1][0] >= depth:
            around.pop()
        (around[-1][1].children if around else made).append(child)
        if isinstance(child, Node) and depth >= 0 and len(around) < _MAX_DEPTH:
            around.append((depth, child))
    return made
