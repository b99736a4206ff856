"""What the texts of the posts of a thread gain and lose (`features.posts` finds the posts).

A post is content, be it short or unusual, so what its writer says rises to just above the cut:

    <li class=post>
      <b>Ann</b> <i>Master of Knots</i>          stays where the cards saw it
      <div class=body>                           the body: the innermost element with nearly all of the running text
        <p>Wax it.</p>                           said word for word by an earlier post: stays
        <p>No, never.</p>                        rises
      </div>
      <div class=signature>Two boats</div>       named as what is no part of a post: stays
      <a>Quote</a> <a>Reply</a>                  in many posts word for word: falls
    </li>

Corpora do not agree whether quotations belong to a post: what an earlier post has word for word is left to the cards.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from webclean import core
from webclean.features import PageColumns
from webclean.features.page_words import find_names, find_numbered_alike
from webclean.features.posts import find_bodies
from webclean.matching.expressions import compile_pattern
from webclean.model import Floats, Mask, Rows
from webclean.parse.columns import mark_slices
from webclean.rules.decide_schema import Posts
from webclean.rules.segments_schema import PostSearch

_LABEL_WORDS: Final = 3
"""Of the longest button or label of a board."""


class PostBlocks(msgspec.Struct, frozen=True, eq=False):
    """The text blocks of a page by its posts.

    unit: int64 [n_blocks], the post of each, -1 for none. has_body: bool [n_posts]. body: bool [n_blocks], in the body
    of one. n_said, first_said: int64 [n_blocks], the posts that say the very same text, and the first of them.
    """

    unit: Rows
    has_body: Mask
    body: Mask
    n_said: Rows
    first_said: Rows


def weigh_posts(columns: PageColumns, points: Floats, cut: float, rules: Posts, signs: PostSearch) -> Floats | None:
    """float64 [n_blocks]: what each block gains or loses; None where the page has no posts. points: so far. cut: from
    which a block is kept so far. signs: how posts are found."""
    n_posts = columns.post_rows.shape[1]
    if not n_posts:
        return None
    blocks = _place_blocks(columns, signs)
    inside = blocks.unit >= 0
    is_furniture = inside & ~blocks.body & (blocks.n_said >= max(rules.least, rules.alike * n_posts))
    is_text = _find_text(columns, rules)
    # running text in a body rises from however far below: cards take code, lists of names and slang for boilerplate
    has_body = np.append(blocks.has_body, False)[blocks.unit]
    is_near = (points > cut - rules.reach) | (blocks.body & columns.is_prose)
    rises = inside & ~is_furniture & (blocks.body | (is_text & ~has_body)) & is_near
    rises &= ~_find_named(columns, rules.apart)
    is_label, texts = compile_pattern(signs.labels).search, columns.blocks.text
    short = (rises & (columns.words <= _LABEL_WORDS)).nonzero()[0].tolist()
    rises[[at for at in short if is_label(texts[at])]] = False
    # text that an earlier post has too is a quotation, whatever class the board gives it
    rises &= blocks.first_said == blocks.unit
    gained = np.where(rises, np.maximum(0.0, cut + rules.over - points), 0.0)
    gained[is_furniture] = rules.furniture
    return gained


def _place_blocks(columns: PageColumns, signs: PostSearch) -> PostBlocks:
    """The blocks by the posts that they are in."""
    n, texts = len(columns.document), columns.blocks.text
    firsts, ends = columns.post_rows
    unit = np.searchsorted(firsts, columns.row, side="right") - 1
    unit[(unit < 0) | (columns.row >= ends[unit])] = -1
    bodies = find_bodies(columns, signs)
    has_body = bodies >= 0
    bodies = bodies[has_body]
    said: dict[str, list[int]] = {}
    inside = (unit >= 0).nonzero()[0].tolist()
    for at, number in zip(inside, unit[inside].tolist(), strict=True):
        known = said.setdefault(texts[at], [])
        if not known or known[-1] != number:
            known.append(number)
    n_said, first_said = np.zeros((2, len(texts)), dtype=np.int64)
    n_said[inside] = [len(said[texts[at]]) for at in inside]
    first_said[inside] = [said[texts[at]][0] for at in inside]
    return PostBlocks(
        unit, has_body, mark_slices(bodies, columns.document.end[bodies], n)[columns.row], n_said, first_said
    )


def _find_text(columns: PageColumns, rules: Posts) -> Mask:
    """bool [n_blocks], running text and short lines at paths with mostly running text."""
    everywhere = np.zeros(len(columns.blocks), dtype=np.int64)
    path = core.number_paths(columns.document.page, find_numbered_alike(columns), rules.levels, everywhere)
    words, prose = np.bincount(path, columns.words), np.bincount(path, columns.view("prose_words"))
    is_text = (np.bincount(path) >= rules.least) & (prose > rules.text_share * words)
    return np.asarray(columns.is_prose | is_text[path])


def _find_named(columns: PageColumns, expression: str) -> Mask:
    """bool [n_blocks]: in an element inside of a post whose tag or class an expression finds."""
    names, document = find_names(columns), columns.document
    search = compile_pattern(expression).search
    flags = np.array([search(name) is not None for name in names.list_classes()], dtype=bool)
    is_named = flags[names.classes]
    firsts, ends = columns.post_rows
    # the name of the post itself says nothing about its parts
    is_named[firsts] = False
    rows = (is_named & mark_slices(firsts, ends, len(document))).nonzero()[0]
    return mark_slices(rows, document.end[rows], len(document))[columns.row]
