"""Features of where a block stands: inside which elements, how far from the headline, whether it is shown."""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.blocks.features.registry import PageColumns, feature, measure
from webclean.blocks.features.trees import count_ancestors, find_nearest, mark_subtrees
from webclean.model import Floats, Mask, Rows
from webclean.parse import read_attribute_column
from webclean.parse.tags import CODE, HEADING, tag_mask

_LANDMARKS: Final = {
    "header": (1, tag_mask("header")),
    "footer": (2, tag_mask("footer")),
    "nav": (3, tag_mask("nav")),
    "aside": (4, tag_mask("aside")),
}
_KINDS: Final = tuple(
    tag_mask(names)
    for names in (
        "p",
        "h1",
        "h2",
        "h3",
        "h4 h5 h6",
        "li",
        "dt dd",
        "td",
        "th",
        "pre listing xmp",
        "blockquote",
        "figure figcaption caption",
        "form fieldset legend option optgroup",
        "address footer",
        "ul ol dl menu",
        "details summary",
        "article section main",
    )
)
_BOILERPLATE: Final = tag_mask("nav footer aside")
_MAIN: Final = tag_mask("main")
_ARTICLE: Final = tag_mask("article")
_ITEM: Final = tag_mask("li dd tr")
_INPUT: Final = tag_mask("form button label input select textarea fieldset")
_QUOTE: Final = tag_mask("pre code blockquote table figure")
_EMPHASIS: Final = tag_mask("b strong em i u font big")
_TITLE_CHARS: Final = 200
_CONTROL: Final = tag_mask("button label summary")


def _inside(columns: PageColumns, mask: Mask) -> Floats:
    document = columns.document
    return mark_subtrees(document, mask[document.tag])[columns.row].astype(np.float64)


@feature(
    "code",
    "the block element: 0 div and others, 1 p, 2..5 h1 h2 h3 h4-h6, 6 li, 7 dt/dd, 8 td, 9 th, 10 pre, "
    "11 blockquote, 12 figure, 13 form part, 14 address/footer, 15 list, 16 details, 17 article/section/main",
)
def element_kind(columns: PageColumns) -> Floats:
    kind = np.zeros(len(_BOILERPLATE))
    for code, mask in enumerate(_KINDS, start=1):
        kind[mask] = code
    return np.asarray(kind[columns.document.tag[columns.row]])


@feature("0 or 1", "inside nav, footer or aside")
def inside_boilerplate_landmark(columns: PageColumns) -> Floats:
    return _inside(columns, _BOILERPLATE)


@feature("0 or 1", "inside footer")
def inside_footer(columns: PageColumns) -> Floats:
    return _inside(columns, _LANDMARKS["footer"][1])


@feature("0 or 1", "inside header")
def inside_header(columns: PageColumns) -> Floats:
    return _inside(columns, _LANDMARKS["header"][1])


@feature("0 or 1", "inside nav")
def inside_nav(columns: PageColumns) -> Floats:
    return _inside(columns, _LANDMARKS["nav"][1])


@feature("0 or 1", "inside aside")
def inside_aside(columns: PageColumns) -> Floats:
    return _inside(columns, _LANDMARKS["aside"][1])


@feature("0 to 2", "2: inside main; 1: outside, though the page has main; 0: the page has none")
def inside_main(columns: PageColumns) -> Floats:
    inside = _inside(columns, _MAIN)
    return inside + (1.0 if inside.any() else 0.0)


@feature("0 to 3", "0: no article on the page; 1: outside; 2: inside one of several; 3: inside the only one")
def inside_article(columns: PageColumns) -> Floats:
    n = int((columns.document.tag == CODE["article"]).sum())
    inside = _inside(columns, _ARTICLE)
    return np.where(inside > 0, 3.0 if n == 1 else 2.0, 1.0 if n else 0.0)


@feature("share", "words in the nearest article around the block / words of the page; 0 outside")
def article_share(columns: PageColumns) -> Floats:
    near = find_nearest(columns.document, _ARTICLE[columns.document.tag])[columns.row]
    total = max(1.0, columns.n_words_below[0])
    return np.where(near >= 0, columns.n_words_below[near] / total, 0.0)


@feature("elements", "li, dd and tr around the block")
def n_items_around(columns: PageColumns) -> Floats:
    return count_ancestors(columns.document, _ITEM[columns.document.tag])[columns.row].astype(np.float64)


@feature("0 or 1", "inside a form, button or label")
def inside_form(columns: PageColumns) -> Floats:
    return _inside(columns, _INPUT)


@feature("0 or 1", "inside pre, code, blockquote, table or figure")
def inside_quote(columns: PageColumns) -> Floats:
    return _inside(columns, _QUOTE)


@feature(
    "0 to 3", "0: nothing special; 1: the first text node is emphasised; 2: it is in a control; 3: it is a heading"
)
def first_text_style(columns: PageColumns) -> Floats:
    document = columns.document
    owner = document.text_owner[columns.blocks.first]
    tag = document.tag[owner]
    style = np.where(_EMPHASIS[tag], 1.0, 0.0)
    style = np.where(mark_subtrees(document, _CONTROL[document.tag])[owner], 2.0, style)
    return np.where(HEADING[document.tag[columns.row]], 3.0, style)


@feature("0 to 2", "2: aria-hidden around the block; 1: `hidden` or an inline style hides it; 0: shown")
def hidden_state(columns: PageColumns) -> Floats:
    document = columns.document
    aria = np.array([value == "true" for value in read_attribute_column(document, "aria-hidden")], dtype=bool)
    under = mark_subtrees(document, aria)[columns.row]
    return np.where(~columns.blocks.visible, 1.0, np.where(under, 2.0, 0.0))


@feature("elements", "depth of the block's element")
def depth(columns: PageColumns) -> Floats:
    return columns.document.depth[columns.row].astype(np.float64)


@feature("elements", "depth of the block's element less the depth of the page's median word")
def relative_depth(columns: PageColumns) -> Floats:
    deep = columns.document.depth[columns.row]
    order = np.argsort(deep, kind="stable")
    running = np.cumsum(columns.words[order])
    middle = order[np.searchsorted(running, running[-1] / 2)] if len(order) else 0
    return np.asarray(deep - deep[middle], np.float64) if len(order) else np.zeros(0)


@feature("share", "words before the block / words of the page")
def position(columns: PageColumns) -> Floats:
    running = np.cumsum(columns.words)
    return np.asarray((running - columns.words) / np.maximum(1, running[-1:]))


@feature("blocks", "blocks before the block")
def index_from_start(columns: PageColumns) -> Floats:
    return np.arange(len(columns.blocks), dtype=np.float64)


@feature("blocks", "blocks after the block")
def index_from_end(columns: PageColumns) -> Floats:
    return np.arange(len(columns.blocks), dtype=np.float64)[::-1]


def _headline(columns: PageColumns) -> int:
    """Index of the first block of the first h1 (h2 when there is none), or -1."""
    tag = columns.document.tag[columns.row]
    for name in ("h1", "h2"):
        found = np.flatnonzero((tag == CODE[name]) & columns.blocks.visible)
        if len(found):
            return int(found[0])
    return -1


@feature("blocks", "blocks after the first h1 (h2 where the page has none), negative before it; 9999 without")
def after_headline(columns: PageColumns) -> Floats:
    at = _headline(columns)
    n = len(columns.blocks)
    return np.full(n, 9999.0) if at < 0 else np.arange(n, dtype=np.float64) - at


@feature("share", "words in the smallest element around both the block and the headline / words of the page; 2 without")
def headline_container_share(columns: PageColumns) -> Floats:
    at = _headline(columns)
    if at < 0:
        return np.full(len(columns.blocks), 2.0)
    return share_with(columns, int(columns.row[at]))


@feature("elements", "levels from the headline up to the smallest element around both it and the block; 40 without")
def levels_above_headline(columns: PageColumns) -> Floats:
    at = _headline(columns)
    if at < 0:
        return np.full(len(columns.blocks), 40.0)
    row = int(columns.row[at])
    common = _find_common(columns, row)
    return np.asarray(columns.document.depth[row] - columns.document.depth[common], dtype=np.float64)


def _find_common(columns: PageColumns, row: int) -> Rows:
    """int32 [n_blocks]: the smallest element around both the block and `row`."""
    document = columns.document
    path = np.zeros(len(document), dtype=bool)
    while row >= 0:
        path[row] = True
        row = int(document.parent[row])
    return find_nearest(document, path)[columns.row]


def share_with(columns: PageColumns, row: int) -> Floats:
    """float64 [n_blocks]: words in the smallest element around both the block and `row` / words of the page."""
    common = _find_common(columns, row)
    return np.asarray(columns.n_words_below[common] / max(1.0, columns.n_words_below[0]))


@feature("words", "words of the headline and `<title>` in a block of at most 200 characters, each once")
def n_title_words(columns: PageColumns) -> Floats:
    document, blocks = columns.document, columns.blocks
    titles = [
        t for t, o in zip(document.text, document.text_owner.tolist(), strict=True) if document.names[o] == "title"
    ]
    at = _headline(columns)
    wanted = {w for t in [*titles[:1], *blocks.text[at : at + 1]] for w in t.lower().split() if len(w) > 3}
    if not wanted:
        return np.zeros(len(blocks))
    return np.array(
        [len(wanted.intersection(t.lower().split())) if len(t) <= _TITLE_CHARS else 0 for t in blocks.text], np.float64
    )


@feature("share", "words that the headline or `<title>` has too / words of the block")
def title_word_share(columns: PageColumns) -> Floats:
    return measure(columns, "n_title_words") / columns.words
