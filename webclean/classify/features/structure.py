"""Features of a page's markup: headings, links, media, form controls and repeated siblings.

They are shares and rates, so that a short page and a long one of the same kind have the same values. Counts are only
for hand-written refinements; no card learns them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from webclean.classify.features.registry import PageView, feature
from webclean.parse.tags import CODE

_PER_BLOCK: Final = {
    "image_rate": ("images", "img"),
    "button_rate": ("buttons", "button"),
    "input_rate": ("input fields", "input"),
}
_PER_WORDS: Final = {
    "h2_rate": ("headings of the second level", "h2"),
    "code_rate": ("code and pre elements", "code pre"),
}


def _count_tags(tags: str, of: str) -> Callable[[PageView], float]:
    codes = [CODE[tag] for tag in tags.split()]

    def count(page: PageView) -> float:
        n = sum(map(page.n_tags.__getitem__, codes))
        return n / page.n_blocks if of == "blocks" else 1000 * n / page.columns.n_page_words

    return count


for _name, (_meaning, _tags) in _PER_BLOCK.items():
    feature("per block", _meaning, name=_name)(_count_tags(_tags, "blocks"))
for _name, (_meaning, _tags) in _PER_WORDS.items():
    feature("per 1,000 words", _meaning, name=_name)(_count_tags(_tags, "words"))


@feature("per block", "images inside links")
def linked_image_rate(page: PageView) -> float:
    return page.sums.n_linked_images / page.n_blocks


@feature("fields", "password fields", learn=())
def password_count(page: PageView) -> float:
    return float(sum(page.document.attrs[row].get("type") == "password" for row in page.find_rows("input")))


@feature("per 1,000 words", "headings of all levels")
def heading_rate(page: PageView) -> float:
    return 1000 * page.sums.n_headings / page.columns.n_page_words


@feature("share", "headings that are links / headings: a list of teasers has many")
def linked_heading_share(page: PageView) -> float:
    return page.sums.n_linked_headings / max(1, page.sums.n_headings)


@feature("share", "words inside siblings alike in tag and class, at least three of them / words")
def repeat_share(page: PageView) -> float:
    return page.sums.repeated_words / page.columns.n_page_words
