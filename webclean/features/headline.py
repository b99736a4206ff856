"""The headline of a page: the line that shows its `<title>`, which on old and on foreign pages is often no `h1`.

    <title>Floods in Pskov - The Courier</title>
    <h1>The Courier</h1> ... <div class=t>Floods in Pskov</div> <p>The river ...

The headline is the `div`: `<title>` contains its text. On news pages from before 2012 in five languages that line
stands at the beginning of the text on nine pages of ten, the first `h1` on six.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.words import list_likely
from webclean.model import Document, Rows
from webclean.parse.tags import CODE, tag_mask

# Constants, for cards are learnt with these values.
_LEAST_CHARS: Final = 8
_LEAST_WORDS: Final = 3
_LEAST_SHARE: Final = 0.25
"""Of the title's characters in the line that shows it; what is shorter may be the name of a section or of the site."""
_TITLE_SHARE: Final = 0.5
"""Of the words of a heading that must be in a title that does not contain the heading as it is."""
# a longer heading is a text that is set as one
_HEADLINE_CHARS: Final = 200
_LEVEL: Final = np.sum([level * tag_mask(f"h{level}") for level in range(1, 7)], axis=0)
# each Chinese or Japanese sign, else words of four letters: shorter ones are in all titles
_TITLE_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_\u3040-\u30ff\u3400-\u9fff]{4,}")


@cached_per_page
def find_headline(columns: PageColumns) -> int:
    """The block of the line that `<title>` contains, else of the heading most like it, else of the first h1; -1
    without."""
    title = _join(read_title(columns.document))
    found = _find_contained(columns, title) if title else -1
    # the title may be shortened, or name the section: `Floods in Pskov` beside `Floods in the Pskov region: day two`
    if found < 0 and title:
        found = _find_similar(columns, title)
    if found >= 0:
        return _find_above(columns, title, found)
    return next((block for block in _list_heads(columns) if columns.tag[block] == CODE["h1"]), -1)


def read_title(document: Document) -> str:
    """The text of the first `<title>`."""
    at = (document.tag[document.text_owner] == CODE["title"]).nonzero()[0]
    return document.text[int(at[0])] if len(at) else ""


def _find_contained(columns: PageColumns, title: str) -> int:
    """The longest heading, else the longest line that is no link, of those that the title contains; the first of
    equals."""
    blocks, n = columns.blocks, len(title.replace(" ", ""))
    # what is longer cannot be in the title, what is much shorter is the name of a section or of the site
    fits = (blocks.n_chars >= _LEAST_SHARE * n) & (blocks.n_chars <= n) & blocks.visible
    likely = list_likely(blocks.text, fits, title)
    shown = [at for at in likely if _may_be_headline(columns, at) and _join(blocks.text[at]) in title]
    # a heading before a longer line: the title may be the first sentence too
    return max(shown, key=lambda at: (columns.is_heading[at], blocks.n_chars[at]), default=-1)


def _may_be_headline(columns: PageColumns, at: int) -> bool:
    """Whether a block is long enough, and a heading or not for the most part a link."""
    blocks = columns.blocks
    is_long = blocks.n_chars[at] >= _LEAST_CHARS or columns.words[at] >= _LEAST_WORDS
    return bool(is_long and (columns.is_heading[at] or 2 * blocks.n_link_chars[at] <= blocks.n_chars[at]))


def _join(text: str) -> str:
    return " ".join(text.split()).lower()


def _find_similar(columns: PageColumns, title: str) -> int:
    """The heading that shares most words with the title, if these are more than half of its own."""
    asked = set(_TITLE_WORD.findall(title))
    heads: list[int] = _list_heads(columns).tolist() if asked else []
    best, most = -1, 0.0
    for block, text in zip(heads, (columns.blocks.text[block].lower() for block in heads), strict=True):
        words = _TITLE_WORD.findall(text)
        shared = len(asked.intersection(words))
        if shared > _TITLE_SHARE * len(words) and shared * shared / len(words) > most:
            best, most = block, shared * shared / len(words)
    return best


def _find_above(columns: PageColumns, title: str, found: int) -> int:
    """The heading right before a heading, if it is of a higher level and most of its words are in the title too: the
    name of a book above that of its author."""
    before, tag = found - 1, columns.tag
    # `<h1>The Mill</h1> <h2>Ada Lind</h2>`, titled `Ada Lind: The Mill`
    if not (columns.is_heading[found] and before >= 0 and columns.is_heading[before]):
        return found
    words = _TITLE_WORD.findall(columns.blocks.text[before].lower())
    shared = len(set(words).intersection(_TITLE_WORD.findall(title)))
    return before if _LEVEL[tag[before]] < _LEVEL[tag[found]] and shared > _TITLE_SHARE * len(words) else found


def _list_heads(columns: PageColumns) -> Rows:
    return (columns.is_heading & (columns.n_text_chars < _HEADLINE_CHARS)).nonzero()[0]
