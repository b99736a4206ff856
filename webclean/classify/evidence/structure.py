"""Evidence in how the page is built: headings, links, media, controls, and siblings that repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.blocks.structure import sum_subtrees
from webclean.classify.evidence.registry import PageMaterial, evidence
from webclean.model import Floats, Rows
from webclean.parse.tags import CODE, N_CODES, tag_mask

_SUBHEADING: Final = tag_mask("h2 h3")
_TITLE_LINK_WORDS: Final = 5
_COUNTED: Final = {
    "h2": "headings of the second level",
    "h3": "headings of the third level",
    "img": "images",
    "button": "buttons",
    "input": "input fields",
    "form": "forms",
    "section": "section elements",
    "ul": "bulleted lists",
    "article": "article elements",
}


def _count_tag(name: str, meaning: str) -> None:
    def count(page: PageMaterial) -> float:
        return page.count_tag(name)

    count.__name__ = f"{name}_count"
    evidence("elements", meaning)(count)


for _name, _meaning in _COUNTED.items():
    _count_tag(_name, _meaning)


@evidence("fields", "password fields")
def password_count(page: PageMaterial) -> float:
    rows = np.flatnonzero(page.document.tag == CODE["input"]).tolist()
    return float(sum(page.document.attrs[row].get("type") == "password" for row in rows))


@evidence("per 1,000 words", "headings of all levels")
def heading_rate(page: PageMaterial) -> float:
    return 1000 * float(page.is_heading.sum()) / page.total_words


@evidence("headings", "headings that are links: a list of teasers has many")
def linked_heading_count(page: PageMaterial) -> float:
    return float((page.is_heading & page.is_link).sum())


@evidence("share", "headings that are links / headings")
def linked_heading_share(page: PageMaterial) -> float:
    return linked_heading_count(page) / max(1.0, float(page.is_heading.sum()))


@evidence("words", "mean words of a heading of the second or third level; 0 without one")
def subheading_words(page: PageMaterial) -> float:
    chosen = _SUBHEADING[page.block_tag]
    return float(page.n_words[chosen].sum()) / max(1.0, float(chosen.sum()))


@evidence("links", "link blocks of five words or more: titles rather than menu items")
def long_link_count(page: PageMaterial) -> float:
    return float((page.is_link & (page.n_words >= _TITLE_LINK_WORDS)).sum())


@evidence("share", "words in link blocks of five words or more / words")
def long_link_share(page: PageMaterial) -> float:
    return float(page.n_words[page.is_link & (page.n_words >= _TITLE_LINK_WORDS)].sum()) / page.total_words


@evidence("elements", "images inside links")
def linked_image_count(page: PageMaterial) -> float:
    document = page.document
    return float(((document.tag == CODE["img"]) & (document.link >= 0)).sum())


@evidence("per 1,000 words", "code and pre elements")
def code_rate(page: PageMaterial) -> float:
    return 1000 * (page.count_tag("code") + page.count_tag("pre")) / page.total_words


@dataclass(frozen=True, slots=True, eq=False)
class Repetition:
    """The siblings of like tag, each with words and a link, that hold most of the page.

    rows: int32 [n], the members. n_words: float64 [n_elements], sums over subtrees. n_groups: how many groups of at
    least `repeat_members` there are.
    """

    rows: Rows
    n_words: Floats
    n_groups: int


def find_repetition(page: PageMaterial) -> Repetition:
    """Group children of one parent by tag; the winner has the largest words x min(members, 8)."""
    found = page.__dict__.get("repetition")
    if found is None:
        found = page.__dict__["repetition"] = _find_repetition(page)
    assert isinstance(found, Repetition)
    return found


def _find_repetition(page: PageMaterial) -> Repetition:
    document, rules = page.document, page.rules
    n_words = sum_subtrees(document, page.blocks.row, page.n_words)
    n_links = np.concatenate(([0], np.cumsum(document.link == np.arange(len(document)))))
    with_link = n_links[document.end] > n_links[:-1]
    rows = np.flatnonzero((n_words >= rules.repeat_words) & with_link & (document.parent >= 0))
    none = np.zeros(0, dtype=np.int32)
    if len(rows) < rules.repeat_members:
        return Repetition(none, n_words, 0)
    key = document.parent[rows].astype(np.int64) * N_CODES + document.tag[rows]
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    weight = np.bincount(group, n_words[rows]) * np.where(size >= rules.repeat_members, np.minimum(size, 8), 0)
    best = int(weight.argmax())
    members = rows[group == best].astype(np.int32) if weight[best] > 0 else none
    return Repetition(members, n_words, int((size >= rules.repeat_members).sum()))


def _describe(describe: Callable[[Repetition, PageMaterial], float]) -> Callable[[PageMaterial], float]:
    def compute(page: PageMaterial) -> float:
        found = find_repetition(page)
        return describe(found, page) if len(found.rows) else 0.0

    compute.__name__ = describe.__name__
    return compute


@evidence("siblings", "members of the largest group of siblings with words and a link")
@_describe
def repeat_count(found: Repetition, page: PageMaterial) -> float:
    return len(found.rows)


@evidence("share", "words of that group / words")
@_describe
def repeat_share(found: Repetition, page: PageMaterial) -> float:
    return float(found.n_words[found.rows].sum()) / page.total_words


@evidence("share", "members of that group with an image")
@_describe
def repeat_images(found: Repetition, page: PageMaterial) -> float:
    n_images = np.concatenate(([0], np.cumsum(page.document.tag == CODE["img"])))
    return float((n_images[page.document.end[found.rows]] > n_images[found.rows]).mean())


@evidence("groups", "groups of siblings with words and a link")
def repeat_group_count(page: PageMaterial) -> float:
    return find_repetition(page).n_groups
