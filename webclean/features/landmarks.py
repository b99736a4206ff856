"""Features of a block's place: the elements around it, its distance from the headline, whether it is shown."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.caching import cached_per_page
from webclean.features.headline import find_headline
from webclean.features.page_columns import PageColumns
from webclean.features.registry import SCORE_CARD, feature
from webclean.features.trees import find_common, join_flags
from webclean.model import Floats, Mask, Rows
from webclean.parse.columns import count_tags, list_holding
from webclean.parse.preorder import mark_subtrees
from webclean.parse.tags import CODE, FORMATTING, tag_mask

_AROUND: Final = {
    "header": "header",
    "footer": "footer",
    "nav": "nav",
    "boilerplate": "nav footer aside",
    "main": "main",
    "article": "article",
    "input": "form button label input select textarea fieldset",
    "control": "button label summary",
}
BIT: Final = {kind: np.uint16(1 << place) for place, kind in enumerate(_AROUND)}
_BITS_OF: Final = np.bitwise_or.reduce([tag_mask(names) * BIT[kind] for kind, names in _AROUND.items()])
EMPHASIS: Final = tag_mask("b strong em i u font big")
NO_HEADLINE: Final = 9999.0, 2.0
"""Distance from the headline and share of words around it where there is none."""
_ARIA: Final = "aria-hidden"


@cached_per_page
def find_kinds_around(columns: PageColumns) -> NDArray[np.uint16]:
    """uint16 [n_elements]: one bit for each kind of `_AROUND`, set if the element or an ancestor is of that kind."""
    return join_flags(columns.document, _BITS_OF[columns.document.tag])


@cached_per_page
def count_articles(columns: PageColumns) -> int:
    """The `article` elements of the page."""
    return count_tags(columns.document)[CODE["article"]]


def _inside(columns: PageColumns, kind: str) -> Mask:
    return (find_kinds_around(columns)[columns.row] & BIT[kind]) > 0


@feature("0 or 1", "inside nav, footer or aside", learn=SCORE_CARD)
def inside_boilerplate_landmark(columns: PageColumns) -> Mask:
    return _inside(columns, "boilerplate")


@feature("0 or 1", "inside footer", learn=SCORE_CARD)
def inside_footer(columns: PageColumns) -> Mask:
    return _inside(columns, "footer")


@feature("0 or 1", "inside header", learn=SCORE_CARD)
def inside_header(columns: PageColumns) -> Mask:
    return _inside(columns, "header")


@feature("0 or 1", "inside nav", learn=SCORE_CARD)
def inside_nav(columns: PageColumns) -> Mask:
    return _inside(columns, "nav")


@feature("0 to 2", "2: inside main; 1: outside, though the page has main; 0: the page has none", learn=SCORE_CARD)
def inside_main(columns: PageColumns) -> Floats:
    inside = _inside(columns, "main")
    return np.where(inside, 2.0, 1.0 if inside.any() else 0.0)


@feature(
    "0 to 3",
    "0: no article on the page; 1: outside; 2: inside one of several; 3: inside the only one",
    learn=SCORE_CARD,
)
def inside_article(columns: PageColumns) -> Floats:
    n = count_articles(columns)
    return np.where(_inside(columns, "article"), 3.0 if n == 1 else 2.0, 1.0 if n else 0.0)


@feature("0 or 1", "inside a form, button or label", learn=())
def inside_form(columns: PageColumns) -> Mask:
    return _inside(columns, "input")


@feature(
    "0 to 3",
    "0: nothing special; 1: the first text node is emphasised; 2: it is in a control; 3: it is a heading",
    learn=SCORE_CARD,
)
def first_text_style(columns: PageColumns) -> Floats:
    document = columns.document
    owner = document.text_owner[columns.blocks.first]
    style = np.where(EMPHASIS[document.tag[owner]], 1.0, 0.0)
    style[(find_kinds_around(columns)[owner] & BIT["control"]) > 0] = 2.0
    style[columns.is_heading] = 3.0
    return style


@feature(
    "0 to 2", "2: aria-hidden around the block; 1: `hidden` or an inline style hides it; 0: shown", learn=SCORE_CARD
)
def hidden_state(columns: PageColumns) -> Floats:
    document = columns.document
    marked = [row for row, value in list_holding(document, _ARIA, "true") if value == "true"]
    if not marked:
        return np.where(columns.blocks.visible, 0.0, 1.0)
    roots = np.zeros(len(document), dtype=bool)
    roots[marked] = True
    roots &= ~FORMATTING[document.tag]
    under = mark_subtrees(document, roots)[columns.row]
    return np.where(~columns.blocks.visible, 1.0, np.where(under, 2.0, 0.0))


@feature("elements", "depth of the block's element less the depth of the page's median word", learn=SCORE_CARD)
def relative_depth(columns: PageColumns) -> Rows:
    deep = columns.document.depth[columns.row]
    order = np.argsort(deep, kind="stable")
    running = np.cumsum(columns.words[order])
    middle = order[np.searchsorted(running, running[-1:] / 2)]
    return deep - deep[middle] if len(order) else deep


@feature("share", "words before the block / words of the page")
def position(columns: PageColumns) -> Floats:
    running = np.cumsum(columns.words)
    return np.asarray((running - columns.words) / np.maximum(1, running[-1:]))


@cached_per_page
def find_shown_headline(columns: PageColumns) -> int:
    """Index of the headline's block, of the first h2 when there is none, or -1."""
    found = find_headline(columns)
    if found < 0:
        second = ((columns.tag == CODE["h2"]) & columns.blocks.visible).nonzero()[0]
        found = int(second[0]) if len(second) else -1
    return found


@feature("blocks", "blocks after the headline (the first h2 where the page has none), negative before it; 9999 without")
def after_headline(columns: PageColumns) -> Rows:
    at = find_shown_headline(columns)
    return np.full(len(columns.blocks), NO_HEADLINE[0]) if at < 0 else columns.index - at


@feature("share", "words in the smallest element around both the block and the headline / words of the page; 2 without")
def headline_container_share(columns: PageColumns) -> Floats:
    at = find_shown_headline(columns)
    if at < 0:
        return np.full(len(columns.blocks), NO_HEADLINE[1])
    return share_with(columns, int(columns.row[at]))


def share_with(columns: PageColumns, row: int) -> Floats:
    """float64 [n_blocks]: words in the smallest element around both the block and `row` / words of the page."""
    return columns.n_words_below[find_common(columns.document, row, columns.row)] / columns.n_page_words
