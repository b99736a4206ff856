"""Evidence in how the page is built: headings, links, media, controls, and siblings that repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.blocks.structure import sum_subtrees
from webclean.classify.evidence.registry import PageMaterial, evidence
from webclean.model import Rows
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
    "time": "time elements",
    "svg": "drawings",
    "label": "labels of controls",
    "iframe": "frames",
    "nav": "nav elements",
    "table": "tables",
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


@evidence("elements", "elements of the page")
def element_count(page: PageMaterial) -> float:
    return len(page.document)


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

    rows: int32 [n], the members. n_words, n_links, n_images: float64 [n_elements], sums over subtrees.
    n_groups: how many groups of at least `repeat_members` there are.
    """

    rows: Rows
    n_words: np.ndarray[tuple[int], np.dtype[np.float64]]
    n_links: np.ndarray[tuple[int], np.dtype[np.float64]]
    n_images: np.ndarray[tuple[int], np.dtype[np.float64]]
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
    every = np.arange(len(document), dtype=np.int32)
    n_words = sum_subtrees(document, page.blocks.row, page.n_words)
    n_links = sum_subtrees(document, every, document.link == every)
    n_images = sum_subtrees(document, every, document.tag == CODE["img"])
    rows = np.flatnonzero((n_words >= rules.repeat_words) & (n_links >= 1) & (document.parent >= 0))
    none = np.zeros(0, dtype=np.int32)
    if len(rows) < rules.repeat_members:
        return Repetition(none, n_words, n_links, n_images, 0)
    key = document.parent[rows].astype(np.int64) * N_CODES + document.tag[rows]
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    weight = np.bincount(group, n_words[rows]) * np.where(size >= rules.repeat_members, np.minimum(size, 8), 0)
    best = int(weight.argmax())
    members = rows[group == best].astype(np.int32) if weight[best] > 0 else none
    return Repetition(members, n_words, n_links, n_images, int((size >= rules.repeat_members).sum()))


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


@evidence("words", "median words of a member of that group")
@_describe
def repeat_words(found: Repetition, page: PageMaterial) -> float:
    return float(np.median(found.n_words[found.rows]))


@evidence("links", "median links of a member of that group")
@_describe
def repeat_links(found: Repetition, page: PageMaterial) -> float:
    return float(np.median(found.n_links[found.rows]))


@evidence("share", "members of that group with an image")
@_describe
def repeat_images(found: Repetition, page: PageMaterial) -> float:
    return float((found.n_images[found.rows] > 0).mean())


@evidence("prices", "amounts of money in that group / members")
@_describe
def repeat_prices(found: Repetition, page: PageMaterial) -> float:
    if not any(sign in page.text for sign in page.rules.money_signs):
        return 0.0
    first, end = found.rows[0], page.document.end[found.rows[-1]]
    low, high = np.searchsorted(page.blocks.row, (first, end))
    text = "\n".join(page.blocks.text[low:high])[: page.rules.sample_chars]
    return page.count_pattern("price", text) / len(found.rows)


@evidence("groups", "groups of siblings with words and a link")
def repeat_group_count(page: PageMaterial) -> float:
    return find_repetition(page).n_groups
