"""The text in the data of scripts, for pages that show next to nothing until their scripts have run.

Frameworks send a page as JSON, from which scripts make what is seen: `__NEXT_DATA__` and other scripts of the type
`application/json`; for search engines many say the text as `articleBody` of JSON-LD (https://schema.org/articleBody).
Which keys hold text is said by rules. The text, HTML or plain, becomes the body of the page; the head is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import msgspec

from webclean.blocks.noscript import find_body, graft_markup
from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Document, TextBlocks
from webclean.parse import read_data_scripts
from webclean.parse.limits import check_time
from webclean.rules.features_schema import ScriptPages

_TAG: Final = re.compile(r"<[^>]*>")
_PARAGRAPH_END: Final = re.compile(r"</p\s*>|\n", re.IGNORECASE)
_MAX_DEPTH: Final = 60
_MAX_VALUES: Final = 200_000
"""Values of one script that are looked at."""


@dataclass(frozen=True, slots=True)
class DataText:
    """A string of a text key. lists: the numbers of the lists that it is in, outermost first."""

    text: str
    n_words: int
    lists: tuple[int, ...]


def is_bare(document: Document, blocks: TextBlocks, rules: ScriptPages) -> bool:
    """Whether a page has scripts and shows next to nothing."""
    few = int(blocks.n_words[blocks.visible].sum()) <= rules.max_visible_words
    return few and "script" in document.names


def describe_script_page(document: Document, blocks: TextBlocks, rules: ScriptPages) -> Iterator[str]:
    """What a reader should know of a page that scripts fill."""
    if document.source.part == "script":
        yield "the page shows next to nothing without its scripts: the text is from their data"
    elif not document.source.part and document.source.kind == "html" and is_bare(document, blocks, rules):
        yield "the page shows next to nothing without its scripts: a browser may show more"


def find_script_page(document: Document, blocks: TextBlocks, rules: ScriptPages) -> tuple[Document, TextBlocks] | None:
    """The page in the data of its scripts; None where it shows enough itself, or no script has a text."""
    if not document.raw or find_body(document) is None or not is_bare(document, blocks, rules):
        return None
    n_visible = int(blocks.n_words[blocks.visible].sum())
    least = max(rules.min_words, rules.min_ratio * n_visible)
    best: tuple[int, int, str] = (0, -1, "")
    for row, script in read_data_scripts(document).items():
        check_time()
        n_words, markup = find_text(script, rules)
        best = max(best, (n_words, -row, markup))
    if best[0] < least:
        return None
    inner = graft_markup(document, -best[1], best[2])
    return None if inner is None else (inner, find_text_blocks(inner))


def find_text(script: str, rules: ScriptPages) -> tuple[int, str]:
    """Number of words and markup of the text in some JSON: its longest string of a text key; or all parts of one list,
    where these have more words and the longest string is one of them, or they have more than twice as many."""
    try:
        found = list(_list_texts(msgspec.json.decode(script), frozenset(rules.text_keys)))
    except (ValueError, RecursionError):
        return 0, ""
    if not found:
        return 0, ""
    longest = max(found, key=lambda one: one.n_words)
    sums: dict[int, int] = {}
    for one in found:
        for number in one.lists if one.n_words >= rules.part_words else ():
            sums[number] = sums.get(number, 0) + one.n_words
    # of lists with the same words the innermost: it was numbered last
    number = max(sums, key=lambda key: (sums[key], key)) if sums else -1
    is_whole = number not in longest.lists or len(_PARAGRAPH_END.findall(longest.text)) > 1
    if is_whole and longest.n_words * 2 >= sums.get(number, 0):
        return longest.n_words, _write_markup(longest.text)
    parts = [one for one in found if number in one.lists and one.n_words >= rules.part_words]
    return sums[number], "\n".join(_write_markup(one.text) for one in parts)


def _list_texts(data: Any, keys: frozenset[str]) -> Iterator[DataText]:
    """The strings of text keys, in the order of the data."""
    todo: list[tuple[Any, bool, tuple[int, ...]]] = [(data, False, ())]
    n_values = n_lists = 0
    while todo and n_values < _MAX_VALUES:
        value, is_text, lists = todo.pop()
        n_values += 1
        if isinstance(value, str):
            if is_text and (n_words := len(_TAG.sub(" ", value).split())):
                yield DataText(value, n_words, lists)
        elif len(lists) > _MAX_DEPTH:
            continue
        elif isinstance(value, list):
            n_lists += 1
            todo += [(one, is_text, (*lists, n_lists)) for one in reversed(value)]
        elif isinstance(value, dict):
            todo += [(one, key in keys, lists) for key, one in reversed(value.items())]


def _write_markup(text: str) -> str:
    """A string as markup: HTML as it is, plain text with a paragraph for each line."""
    if _TAG.search(text):
        return f"<div>{text}</div>"
    return "\n".join(f"<p>{escape(line, quote=False)}</p>" for line in text.splitlines() if line.strip())
