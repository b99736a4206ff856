"""The points that texts in the posts of a thread gain and lose (`features.posts` finds the posts).

What the writer of a post says is content, even if it is short or unusual, so it rises to just above the cut:

    <li class=post>
      <b>Ann</b> <i>Master of Knots</i>          stays where the cards saw it
      <div class=body>                           the body: the innermost element with nearly all of the running text
        <p>Wax it.</p>                           said word for word by an earlier post: stays
        <p>No, never.</p>                        rises
      </div>
      <div class=signature>Two boats</div>       named as what is no part of a post: stays
      <a>Quote</a> <a>Reply</a>                  in many posts word for word: falls
    </li>

Labelled corpora do not agree whether quotations belong to a post, so what an earlier post says word for word is left to
the cards.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean import core
from webclean.features import PageColumns
from webclean.features.page_words import find_names, find_numbered_alike
from webclean.features.posts import find_bodies
from webclean.matching.expressions import compile_pattern
from webclean.model import Floats, Mask
from webclean.parse.columns import mark_slices
from webclean.rules.decide_schema import Posts
from webclean.rules.segments_schema import PostSearch

_LABEL_WORDS: Final = 3
"""The longest button or label of a board has so many words."""


def weigh_posts(columns: PageColumns, points: Floats, cut: float, rules: Posts, signs: PostSearch) -> Floats | None:
    """float64 [n_blocks]: what each block gains or loses; None where the page has no posts. points: so far. cut: from
    which a block is kept so far. signs: how posts are found."""
    if not columns.post_rows.size:
        return None
    firsts, ends = columns.post_rows
    document, texts = columns.document, columns.blocks.text
    unit = np.searchsorted(firsts, columns.row, side="right") - 1  # the post of each block, -1 for none
    unit[(unit < 0) | (columns.row >= ends[unit])] = -1
    inside, bodies = unit >= 0, find_bodies(columns, signs)
    has_body = np.append(bodies >= 0, False)[unit]
    bodies = bodies[bodies >= 0]
    in_body = mark_slices(bodies, document.end[bodies], len(document))[columns.row]
    said: dict[str, list[int]] = {}  # text -> the posts that say it word for word
    for at in inside.nonzero()[0].tolist():
        known = said.setdefault(texts[at], [])
        if not known or known[-1] != unit[at]:
            known.append(unit.item(at))
    most = max(rules.least, rules.alike * len(firsts))
    is_common = np.array([len(said.get(text, ())) >= most for text in texts], dtype=bool)
    is_furniture = inside & ~in_body & is_common
    # short lines are text at paths with mostly running text, as one-line answers say little
    everywhere = np.zeros(len(points), dtype=np.int64)
    path = core.number_paths(document.page, find_numbered_alike(columns), rules.levels, everywhere)
    words, prose = np.bincount(path, columns.words), np.bincount(path, columns.view("prose_words"))
    is_text = columns.is_prose | ((np.bincount(path) >= rules.least) & (prose > rules.text_share * words))[path]
    # running text in a body rises from however far below: cards take code, lists of names and slang for boilerplate
    is_near = (points > cut - rules.reach) | (in_body & columns.is_prose)
    rises = inside & ~is_furniture & (in_body | (is_text & ~has_body)) & is_near & ~_find_apart(columns, rules.apart)
    is_label = compile_pattern(signs.labels).search
    for at in rises.nonzero()[0].tolist():
        # text that an earlier post has too is a quotation, whatever class the board gives it
        is_quoted = said[texts[at]][0] != unit[at]
        rises[at] = not is_quoted and not (columns.words[at] <= _LABEL_WORDS and is_label(texts[at]))
    gained = np.where(rises, np.maximum(0.0, cut + rules.over - points), 0.0)
    gained[is_furniture] = rules.furniture
    return gained


def _find_apart(columns: PageColumns, expression: str) -> Mask:
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
