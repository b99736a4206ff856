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

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.model import Document, Rows
from webclean.parse.tags import CODE, HEADING, tag_mask

# Constants, for cards are learnt with these values.
_LEAST_CHARS: Final = 8
_LEAST_WORDS: Final = 3
_LEAST_SHARE: Final = 0.25
"""Of the title's characters in the line that shows it; what is shorter may be the name of a section or of the site."""
_TITLE_SHARE: Final = 0.5
"""Of the words of a heading that must be in a title that does not contain the heading as it is."""
_HEADING: Final = HEADING.view(np.uint8)
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
    found = (document.tag[document.text_owner] == CODE["title"]).nonzero()[0]
    return document.text[found[0]] if len(found) else ""


def _find_contained(columns: PageColumns, title: str) -> int:
    """The longest heading, else the longest line that is no link, of those that the title contains; the first of
    equals."""
    _ = columns.words  # which the core reads
    found: int = core.find_contained(columns.document.page, title, _HEADING, _LEAST_CHARS, _LEAST_WORDS, _LEAST_SHARE)
    return found


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
