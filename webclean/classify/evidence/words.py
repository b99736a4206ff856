"""The words of a page by where they stand. A word is compared whole and counts once a channel.

url    words of host, path and query names, with where they stand: host:docs, in:blog, at:pricing, query:page
head   names of meta elements, what og:type and the like say, and types of JSON-LD
title  words of the title element
label  words of labels, parted by white space and colons: buttons, menus, bylines, headings
names  words of tags, class and id names, roles and the like, of elements with text: `relatedPosts` is related, posts
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from webclean.blocks.features.evidence import split_name
from webclean.blocks.features.names import find_names
from webclean.blocks.features.text import lower_text
from webclean.classify.evidence.registry import PageMaterial, Words
from webclean.parse import read_attribute, read_raw
from webclean.parse.tags import CODE

_WORD: Final = re.compile(r"[^\W\d_]+")
_SCHEMA_TYPE: Final = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]+)"')
_SPOKEN: Final = frozenset(("og:type", "generator", "twitter:card", "twitter:label1", "twitter:label2"))
"""Meta elements whose first word of content is evidence, not only their presence."""


def find_url_words(page: PageMaterial) -> Words:
    """Words of the address."""
    if page.url is None:
        return frozenset()
    words = {f"host:{word}" for word in _WORD.findall(page.url.host.lower().rpartition(".")[0])}
    for step in page.path[:-1]:
        words.update(f"in:{word}" for word in _WORD.findall(step.lower()))
    words.update(f"at:{word}" for word in _WORD.findall(page.slug))
    if page.url.query:
        words.update(f"query:{part.partition('=')[0].lower()}" for part in page.url.query.split("&") if part)
    return words


def find_head_words(page: PageMaterial) -> Words:
    """What the head and structured data declare."""
    document = page.document
    words: set[str] = set()
    for row in np.flatnonzero(document.tag == CODE["meta"]).tolist():
        read = document.attrs[row].get
        name = read("property") or read("name") or read("itemprop")
        if not name:
            continue
        name = (name if type(name) is str else " ".join(name)).lower()
        words.add(name)
        if name in _SPOKEN:
            said = _WORD.search((read_attribute(document, row, "content") or "").lower())
            words.add(f"{name}={said[0] if said else ''}")
    for text in read_raw(document, "script"):
        words.update(f"schema:{kind}" for kind in _SCHEMA_TYPE.findall(text))
    return words


def find_title_words(page: PageMaterial) -> Words:
    """Words of the title element."""
    return set(_WORD.findall(page.title.lower()))


def find_label_words(page: PageMaterial) -> Words:
    """Words of labels, and the words of the rules that mean the same in another language."""
    texts, n_chars, n_read = lower_text(page.columns), page.columns.n_text_chars, page.rules.sample_chars
    labels = np.flatnonzero(n_chars <= page.rules.label_chars)
    read = labels[: int((n_chars[labels] + 1).cumsum().searchsorted(n_read)) + 1]
    text = "\n".join([texts[at] for at in read.tolist()])[:n_read]
    words = set(text.replace(":", " ").split())
    same = _turn_around(tuple(page.rules.same_words.items()))
    words.update([same[word] for word in same.keys() & words])
    return words


@lru_cache(maxsize=64)
def _turn_around(same_words: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Word -> the English word that means the same."""
    return {word: meaning for meaning, words in same_words for word in words.split()}


def find_names_words(page: PageMaterial) -> Words:
    """Words of class and id names and the like."""
    return frozenset[str]().union(*map(split_name, find_names(page.columns).names))


NAMES: Final = "names"
CHANNELS: Final[dict[str, Callable[[PageMaterial], Words]]] = {
    "url": find_url_words,
    "head": find_head_words,
    "title": find_title_words,
    "label": find_label_words,
    NAMES: find_names_words,
}


def find_words(page: PageMaterial, channel: str) -> Words:
    """The words of one channel, found once a page."""
    found = page.found_words.get(channel)
    if found is None:
        found = page.found_words[channel] = CHANNELS[channel](page)
    return found
