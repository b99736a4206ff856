"""The page cleaner of patent CN101251855A from end to end: the method `patent`. Only its page type is learnt.

A1, parse and repair: `parse`. A2, the structure-block tree: `blocks.text_blocks`. A3, the page type by ID3: `classify`.
A4, semantic blocks: `blocks`. A5, content pages: `content`. A6, A7 and pages without an obvious feature: a handler for
each, here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import structs

from webclean.decide import decide_by_mask
from webclean.features import PageColumns
from webclean.features.block_features import find_links
from webclean.matching.conditions import RuleMatch
from webclean.matching.expressions import compile_pattern
from webclean.methods.patent.blocks import StructuredPage, cut_semantic_blocks
from webclean.methods.patent.content import Marks, find_visual_title, mark_content
from webclean.model import BlockDecisions, Mask, MethodBlocks, PageType, Reason, Rows, Segmentation
from webclean.rules import RuleSet
from webclean.segments.urls import UrlStructure


def decide_by_patent(
    columns: PageColumns, rules: RuleSet, page_type: PageType, matches: Sequence[RuleMatch] = ()
) -> BlockDecisions:
    """Which text blocks are kept, by which step; the semantic blocks; the title of a content page.

    page_type: chooses the handler. matches: the rules that apply to the page; they have the last word.
    """
    page = StructuredPage(columns, rules)
    segments = cut_semantic_blocks(page)
    # only content pages have a title by looks, only index pages an order
    title = judged = None
    if page_type is PageType.CONTENT:
        marks, content = mark_content(page)
        title = find_visual_title(page, content) if content >= 0 else None
    elif page_type is PageType.MULTI_BLOCK:
        marks = mark_multi_block(page, segments)
    elif page_type is PageType.INDEX:
        marks, judged = mark_index(page, segments)
    else:
        marks = mark_no_feature(page)
    decided = decide_by_mask(marks.kept, matches, marks.reasons)
    return structs.replace(decided, blocks=judged or judge_blocks(columns, segments, decided.kept), title=title)


def judge_blocks(columns: PageColumns, segments: Segmentation, kept: Mask) -> MethodBlocks:
    """The semantic blocks, shown if at least half of their text is kept. kept: bool [n_text_blocks]."""
    owner, chars = segments.owner[columns.row], columns.blocks.n_chars
    total = np.bincount(owner, chars, minlength=len(segments))
    share = np.bincount(owner, chars * kept, minlength=len(segments)) / np.maximum(1, total)
    reasons = (Reason("patent", "text", f"{part:.0%} of its text is kept") for part in share.tolist())
    return MethodBlocks(segments, tuple((share >= 0.5).tolist()), tuple(reasons))


def mark_multi_block(page: StructuredPage, segments: Segmentation) -> Marks:
    """Handler of multi-block pages (patent A6, fig. 4): the decisions about the text blocks.

    S401 cuts the page into semantic blocks. S402 judges each by its ratio of text to link text. S403 cleans the texts
    as content is cleaned (S303, S304). S404 drops the other blocks. S405 joins the texts in reading order.

    Reading: a semantic block of a proper size is a valid one, of more than `statistics.min_chars` characters. The
    copyright notice (a block of which it is more than half) is no text, as in S301. `text_by_links` and `drop_others`
    switch S402 and S404.
    """
    settings = page.settings.multi_block
    marks = Marks(page, Reason("patent", "S404", "in no semantic block"))
    owner = segments.owner[page.columns.row]
    for number, rows in enumerate(segments.roots):
        inside = (owner == number) & page.columns.blocks.visible
        is_text, why = judge_text(page, inside)
        if is_text:
            marks.set(inside, True, Reason("patent", "S402", f"b{number} is a text: {why}"))
            for row in rows:
                marks.clean_inside(page, row)
        else:
            step = "S404" if settings.drop_others else "S402"
            marks.set(inside, not settings.drop_others, Reason("patent", step, f"b{number} is no text: {why}"))
    return marks


def judge_text(page: StructuredPage, inside: Mask) -> tuple[bool, str]:
    """S402: whether a semantic block is a text, and why. inside: bool [n_blocks], its text blocks."""
    blocks = page.columns.blocks
    n_chars, n_link_chars = int(blocks.n_chars[inside].sum()), int(blocks.n_link_chars[inside].sum())
    why = f"{n_chars} characters, {n_link_chars} of them links"
    if n_chars <= page.rules.statistics.min_chars:
        return False, why
    is_notice = compile_pattern(page.settings.copyright).search
    if 2 * sum(int(blocks.n_chars[i]) for i in np.flatnonzero(inside) if is_notice(blocks.text[i])) > n_chars:
        return False, "the copyright notice"
    by_links = page.settings.multi_block.text_by_links
    return not by_links or n_chars >= page.settings.link_block_ratio * n_link_chars, why


def mark_index(page: StructuredPage, segments: Segmentation) -> tuple[Marks, MethodBlocks]:
    """Handler of index pages (patent A7): the decisions about the text blocks, and the semantic blocks by importance.

    The page is cut into semantic blocks. Important are those whose URLs vary regularly or carry marker tokens that
    speak for content; they are ordered by the weights of their tokens, and the rest is dropped as noise.

        block                                   regularity   mean marker   importance = .6 * 1 + .3 * 1 + .1 * sqrt(.25)
        news.qq.com/a/20080108/000688.htm, ...  1            1  (news)     .95
        /about, /contact, /login                0            -.77          not important
        the URLs of the first block again       1            1             not important: shown once

    Reading: regular are at least `regular_from` of its URLs in one generated family, and tokens speak for a block from
    a mean weight of `tokens_from`. One of the two is enough, unless tokens speak against a regular block; `both` asks
    for both, as the patent's words do, which few lists of today's pages fulfil. Where no block is important, all are:
    dropping everything would be no answer. The order is by a sum in which tokens weigh most, so that blocks with equal
    tokens are ordered by regularity and size.
    """
    blocks = page.columns.blocks
    owner = segments.owner[page.columns.row]
    chars = np.bincount(owner, np.where(blocks.visible, blocks.n_chars, 0), minlength=len(segments))
    links = find_links(page.columns)
    # its own: the text around a list is not important by the URLs of the list, which is a block inside it
    holder = segments.owner[links.row]
    targets = [links.number[holder == number] for number in range(len(segments))]
    urls = list(map(page.describe_targets, targets))
    is_valid = chars > page.rules.statistics.min_chars
    important, why = choose_important(page, urls, is_valid)
    for number, first in find_repeated_lists(targets, is_valid).items():
        important = (*important[:number], False, *important[number + 1 :])
        why[number] = f"the links of b{first} again"
    marks = Marks(page, Reason("patent", "A7", "in no semantic block"))
    reasons = []
    for number in range(len(segments)):
        reason = Reason("patent", "A7", f"b{number} is {'important' if important[number] else 'noise'}: {why[number]}")
        marks.set((owner == number) & blocks.visible, important[number], reason)
        reasons.append(reason)
    values = tuple(rank_block(page, *pair) for pair in zip(urls, (chars / max(1.0, chars.sum())).tolist(), strict=True))
    return marks, MethodBlocks(segments, important, tuple(reasons), values, ranked=True)


def find_repeated_lists(targets: Sequence[Rows], is_valid: Mask) -> dict[int, int]:
    """Block -> the first one with the same links, two or more. targets: of each block; is_valid: of a proper size.

    Portals hold a list once for each tab or width of the screen.
    """
    first: dict[frozenset[int], int] = {}
    found = {}
    for number in np.flatnonzero(is_valid).tolist():
        own = frozenset(targets[number].tolist())
        if len(own) > 1 and first.setdefault(own, number) != number:
            found[number] = first[own]
    return found


def choose_important(
    page: StructuredPage, urls: Sequence[UrlStructure], is_valid: Mask
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


def mark_no_feature(page: StructuredPage) -> Marks:
    """Handler of pages without an obvious feature (patent A3), whose output is the normalised markup.

    The page has been repaired by the parser; all that it displays is kept, and the outputs write it as correct markup.
    """
    marks = Marks(page, Reason("patent", "A3", "hidden"))
    reason = Reason("patent", "A3", "the page has no obvious feature: all of it is kept")
    marks.set(page.columns.blocks.visible, True, reason)
    return marks
