"""Handler of index pages (patent A7).

The page is cut into semantic blocks. Important are those whose URLs vary regularly or carry marker tokens that
speak for content; they are ordered by the weights of their tokens, and the rest is dropped as noise.

    block                                      regularity   mean marker   importance = .6 * 1 + .3 * 1 + .1 * sqrt(.25)
    news.qq.com/a/20080108/000688.htm, ...     1            1  (news)     .95
    /about, /contact, /login                   0            -.77          not important

Reading: regular are at least `regular_from` of its URLs in one generated family, and tokens speak for a block from a
mean weight of `tokens_from`. One of the two is enough, unless tokens speak against a regular block; `both` asks for
both, as the patent's words do, which few lists of today's pages fulfil. Where no block is important, all are: dropping
everything would be no answer. The order is by a sum in which tokens weigh most, so that blocks with equal tokens are
ordered by regularity and size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webclean.methods.patent.marks import Marks
from webclean.methods.patent.structured_page import StructuredPage
from webclean.model import MethodBlocks, Reason, Segmentation
from webclean.segments.url_structure import UrlStructure


def mark_index(page: StructuredPage, segments: Segmentation) -> tuple[Marks, MethodBlocks]:
    """The decisions about the text blocks, and the semantic blocks in order of their importance."""
    blocks = page.columns.blocks
    owner = segments.owner[page.columns.row]
    chars = np.bincount(owner, np.where(blocks.visible, blocks.n_chars, 0), minlength=len(segments))
    urls = [page.describe_links(rows) for rows in segments.roots]
    important, why = choose_important(page, urls, chars > page.rules.statistics.min_chars)
    marks = Marks(page, Reason("patent", "A7", "in no semantic block"))
    reasons = []
    for number in range(len(segments)):
        reason = Reason("patent", "A7", f"b{number} is {'important' if important[number] else 'noise'}: {why[number]}")
        marks.set((owner == number) & blocks.visible, important[number], reason)
        reasons.append(reason)
    values = tuple(rank_block(page, *pair) for pair in zip(urls, (chars / max(1.0, chars.sum())).tolist(), strict=True))
    return marks, MethodBlocks(segments, important, tuple(reasons), values, ranked=True)


def choose_important(
    page: StructuredPage, urls: Sequence[UrlStructure], is_valid: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> tuple[tuple[bool, ...], list[str]]:
    """Whether each semantic block is important, and why. is_valid: of a proper size."""
    settings = page.settings.index
    chosen = []
    for found, valid in zip(urls, is_valid.tolist(), strict=True):
        is_regular = found.n_urls >= settings.min_urls and found.regularity >= settings.regular_from
        has_tokens = found.marker_weight >= settings.tokens_from
        speaks = is_regular and has_tokens if settings.both else has_tokens or (is_regular and found.marker_weight >= 0)
        chosen.append(bool(valid and speaks))
    why = [
        f"{found.regularity:.0%} of {found.n_urls} URLs vary regularly, mean token weight {found.marker_weight:.2f}"
        for found in urls
    ]
    if any(chosen):
        return tuple(chosen), why
    return (True,) * len(urls), [f"{text}; no block stands out, so all are shown" for text in why]


def rank_block(page: StructuredPage, urls: UrlStructure, share: float) -> float:
    """Importance of a semantic block, 0 to 1. share: of the page's text."""
    settings = page.settings.index
    value = settings.markers * urls.marker_weight + settings.regularity * urls.regularity + settings.size * share**0.5
    return float(round(min(1.0, max(0.0, value)), 3))
