"""The words of a page by where they stand. A word is compared whole and counts once a channel.

url    words of host, path and query names, with where they stand: host:docs, in:blog, at:pricing, query:page
head   names of meta elements, what og:type and the like say, and types of JSON-LD and microdata
title  words of the title element
label  words of headings and of texts of at most four words: buttons, menus, bylines
class  words of class and id names: `related-posts_box` gives related, posts, box
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from webclean.classify.evidence.registry import PageMaterial
from webclean.model import Document
from webclean.parse import read_attribute, read_attribute_column
from webclean.parse.tags import CODE

_WORD: Final = re.compile(r"[^\W\d_]+")
_NAME_WORD: Final = re.compile(r"[a-z]+")
_SCHEMA_TYPE: Final = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]+)"')
_SHORT: Final = 4
_SPOKEN: Final = ("og:type", "generator", "twitter:card")
"""Meta elements whose first word of content is evidence, not only their presence."""


def find_url_words(page: PageMaterial) -> set[str]:
    """Words of the address."""
    if page.url is None:
        return set()
    words = {f"host:{word}" for word in _WORD.findall(page.url.netloc.lower().rpartition(".")[0])}
    for step in page.path[:-1]:
        words.update(f"in:{word}" for word in _WORD.findall(step.lower()))
    words.update(f"at:{word}" for word in _WORD.findall(page.slug))
    words.update(f"query:{part.partition('=')[0].lower()}" for part in page.url.query.split("&") if part)
    return words


def find_head_words(page: PageMaterial) -> set[str]:
    """What the head and structured data declare."""
    document = page.document
    words: set[str] = set()
    for row in np.flatnonzero(document.tag == CODE["meta"]).tolist():
        attrs = document.attrs[row]
        name = attrs.get("property") or attrs.get("name") or attrs.get("itemprop")
        if not name:
            continue
        name = (name if type(name) is str else " ".join(name)).lower()
        words.add(name)
        if name in _SPOKEN:
            said = _WORD.search((read_attribute(document, row, "content") or "").lower())
            words.add(f"{name}={said[0] if said else ''}")
        elif name.startswith("twitter:label"):
            words.add(f"label={(read_attribute(document, row, 'content') or '').lower()}")
    words.update(_find_schema_types(document))
    return words


def _find_schema_types(document: Document) -> set[str]:
    """Types of JSON-LD scripts and of microdata, `schema:Product`."""
    scripts = [text for row, text in document.raw.items() if document.names[row] == "script"]
    words = {f"schema:{kind}" for text in scripts for kind in _SCHEMA_TYPE.findall(text)}
    for kinds in set(read_attribute_column(document, "itemtype")):
        words.update(f"schema:{kind.rstrip('/').rpartition('/')[2]}" for kind in kinds.split())
    return words


def find_title_words(page: PageMaterial) -> set[str]:
    """Words of the title element."""
    return set(_WORD.findall(page.title.lower()))


def find_label_words(page: PageMaterial) -> set[str]:
    """Words of short texts and headings, and the words of the rules that mean the same in another language."""
    chosen = (page.n_words <= _SHORT) | page.is_heading
    texts = page.blocks.text
    text = "\n".join([texts[i] for i in np.flatnonzero(chosen).tolist()])[: page.rules.sample_chars]
    words = set(_WORD.findall(text.lower()))
    same = page.rules.same_words
    words.update(same[word] for word in words & same.keys())
    return words


def find_class_words(page: PageMaterial) -> set[str]:
    """Words of class and id names."""
    names: set[str] = set()
    for value in {*read_attribute_column(page.document, "class"), *read_attribute_column(page.document, "id")}:
        names.update(value.split())
    return set(_NAME_WORD.findall(" ".join(names).lower()))


CHANNELS: Final[dict[str, Callable[[PageMaterial], set[str]]]] = {
    "url": find_url_words,
    "head": find_head_words,
    "title": find_title_words,
    "label": find_label_words,
    "class": find_class_words,
}


def find_words(page: PageMaterial, channel: str) -> set[str]:
    """The words of one channel."""
    return CHANNELS[channel](page)
