"""The page cleaner of patent CN101251855A from end to end: the method `patent`. Only its page type is learnt.

A1, parse and repair: `parse`. A2, the structure-block tree: `blocks.text_blocks`. A3, the page type by ID3: `classify`.
A4, semantic blocks: `blocks`. A5, content pages; A6, A7 and pages without an obvious feature: a handler for each, here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from msgspec import structs

from webclean.blocks.text_blocks import find_lines
from webclean.decide.rule_matches import decide_by_mask
from webclean.features import PageColumns
from webclean.features.block_features import find_links
from webclean.matching.conditions import RuleMatch
from webclean.matching.expressions import compile_pattern
from webclean.methods.patent.blocks import StructuredPage, cut_semantic_blocks
from webclean.model import BlockDecisions, FieldValue, Mask, MethodBlocks, PageType, Reason, Rows, Segmentation
from webclean.parse.tags import CODE, HEADING
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
        # pages without an obvious feature (A3) are output as normalised markup: all that they display is kept
        marks = Marks(page, Reason("patent", "A3", "hidden"))
        reason = Reason("patent", "A3", "the page has no obvious feature: all of it is kept")
        marks.set(columns.blocks.visible, True, reason)
    decided = decide_by_mask(marks.kept, matches, marks.reasons)
    return structs.replace(decided, blocks=judged or judge_blocks(columns, segments, decided.kept), title=title)


def judge_blocks(columns: PageColumns, segments: Segmentation, kept: Mask) -> MethodBlocks:
    """The semantic blocks, shown if at least half of their text is kept. kept: bool [n_text_blocks]."""
    owner, chars = segments.owner[columns.row], columns.blocks.n_chars
    total = np.bincount(owner, chars, minlength=len(segments))
    share = np.bincount(owner, chars * kept, minlength=len(segments)) / np.maximum(1, total)
    reasons = (Reason("patent", "text", f"{part:.0%} of its text is kept") for part in share.tolist())
    return MethodBlocks(segments, tuple((share >= 0.5).tolist()), tuple(reasons))


class Marks:
    """The decisions about the text blocks of one page, which later steps of a handler replace.

    kept: bool [n_blocks]. reasons: block -> the last step that decided about it.
    """

    def __init__(self, page: StructuredPage, reason: Reason) -> None:
        """All blocks start as dropped, for one reason."""
        n = len(page.columns.blocks)
        self.kept: Mask = np.zeros(n, dtype=bool)
        self.reasons: dict[int, Reason] = dict.fromkeys(range(n), reason)

    def set(self, blocks: Mask, kept: bool, reason: Reason) -> None:
        """Decide about blocks. blocks: bool [n_blocks]."""
        self.kept[blocks] = kept
        self.reasons.update(dict.fromkeys(np.flatnonzero(blocks).tolist(), reason))

    def clean_inside(self, page: StructuredPage, block: int) -> None:
        """S303 and S304: drop the noise inside an element, and captions if the rules say so."""
        inside = page.mark_under(block)
        for row, reason in find_noise(page, block).items():
            self.set(page.mark_under(row) & self.kept, False, reason)
        if not page.settings.keep_captions:
            captions = mark_captions(page) & inside & self.kept
            self.set(captions, False, Reason("patent", "S304", "the caption of an image"))


def mark_content(page: StructuredPage) -> tuple[Marks, int]:
    """Handler of content pages (patent A5, fig. 3): the decisions, and the row of the content block, or -1.

    S301 takes the largest text block; if it is the copyright notice, the second-largest, or the largest block with `p`
    nodes. S302 moves up to the parent structure block while gain(n) = text of n / text of its parent is below .65 and
    the text gained is more than half the link text gained. The visual signal takes in what looks like the block around
    it (`extend_block`), the tag sequence the other entries of a repetition (`list_repeats`). S303 and S304 clean inside
    (`find_noise`, `mark_captions`). S305, the title: `find_visual_title`; the time: the date field. S306, the text: the
    outputs.

        body   900        gain 500 / 900 is below .65; gained are 100 of text and 300 of links: 1/3, not taken
          ul   400        300 of them links
          div  500        gain 300 / 500 is below .65; gained are 200 of text and no links: taken
            p  200
            div 300       S301

    Reading: the text gained is without links. With them, its ratio to the link text would never be below 1.
    """
    start = take_largest_block(page)
    if start < 0:
        return Marks(page, Reason("patent", "S301", "the page has no text block")), -1
    marks = Marks(page, Reason("patent", "S302", "outside the content block"))
    block = expand_block(page, start)
    extended = extend_block(page, block) if page.settings.extend else {}
    repeats = list_repeats(page, block) if page.settings.extend else []
    for row, why in (extended | dict.fromkeys(repeats, "has the same tags as the block or one around it")).items():
        marks.set(page.mark_under(row), True, Reason("patent", "A4", why))
    marks.set(page.mark_under(block), True, Reason("patent", "S302", "taken in: the parent gains enough text"))
    n_chars = page.count_chars(start)
    marks.set(page.mark_under(start), True, Reason("patent", "S301", f"the largest text block, {n_chars} characters"))
    for row in (block, *repeats):
        marks.clean_inside(page, row)
    return marks, block


def take_largest_block(page: StructuredPage) -> int:
    """S301: row of the block to start from, or -1."""
    statistics = page.statistics
    is_notice = compile_pattern(page.settings.copyright)
    for row in (statistics.largest, statistics.second):
        # a short page has no longer text than its copyright notice
        if row >= 0 and not statistics.is_notice(page.columns.blocks, row, is_notice):
            return row
    with_p = np.unique(statistics.owner[page.document.tag == CODE["p"]])
    own = with_p[with_p >= 0].tolist()
    return max(own, key=lambda row: int(statistics.n_chars[row]), default=statistics.largest)


def expand_block(page: StructuredPage, start: int) -> int:
    """S302: the row reached from a structure block by moving up."""
    tree, settings = page.tree, page.settings
    block = int(tree.block_of[start])
    while tree.parent[block] >= 0:
        above = int(tree.parent[block])
        gained = int(tree.n_chars[above] - tree.n_chars[block])
        gained_links = int(tree.n_link_chars[above] - tree.n_link_chars[block])
        # an element that only wraps the block gains nothing: passed without a test
        if gained:
            gain = tree.n_chars[block] / tree.n_chars[above]
            ratio = (gained - gained_links) / max(1, gained_links)
            if gain >= settings.gain_below or ratio <= settings.gained_ratio_above:
                break
        block = above
    return int(tree.row[block])


def extend_block(page: StructuredPage, block: int) -> dict[int, str]:
    """The elements before and after a block that belong to it (patent A4, the visual signal): row of each -> why.

    block: its row. A block with little text takes in nothing. From one with enough, its siblings with text are taken
    in, outwards. Backwards: a heading of the block is taken and ends it; a change of looks ends it. Forwards: a heading
    or a change of looks ends it. Reading: a list of links ends it in both directions, since only text belongs to text.

        h2  Weather        not reached
        p   Rain.          not taken: the heading below ends it
        h1  Bridge         taken, and ends it
        div the largest block
        p   More.          taken
        h2  Related        ends it
        p   Trams.         not reached
    """
    if page.count_chars(block) < page.settings.blocks.prominent_chars:
        return {}
    siblings, found = list_text_siblings(page, block), {}
    before, after = [row for row in reversed(siblings) if row < block], [row for row in siblings if row > block]
    for place, rows in ("after", before), ("before", after):
        for row in rows:
            if page.is_link_block(row) or (place == "before" and page.starts_with_heading(row)):
                break
            if place == "after" and page.is_heading_of(row, block):
                found[row] = "the heading of the block after it"
                break
            if page.changes_looks(row, block):
                break
            found[row] = f"looks like the block {place} it"
    return found


def list_repeats(page: StructuredPage, block: int) -> list[int]:
    """The other entries, where a block is in one of several with the same tags (patent A4, the tag sequence): the posts
    of a thread, the sections of a manual. Rows, in document order.

    block: its row. From it up to the page, the first element counts with `run_length` siblings of its tag that are no
    link blocks and whose children have the same sequence of tags, runs of one tag taken once.

        li  div, p p      an entry: div, p
        li  div, p        an entry
        li  div, p p p    the block is in its second p
        li  div, p        an entry
        li  p             none: another sequence
    """
    document, tags = page.document, page.document.tag
    holding = np.flatnonzero((page.tree.chars_below > 0) & (document.block == np.arange(len(document))))
    units: dict[int, list[int]] = {}
    for above, tag in zip(document.parent[holding].tolist(), tags[holding].tolist(), strict=True):
        unit = units.setdefault(above, [])
        if unit[-1:] != [tag]:
            unit.append(tag)
    row = block
    while row > 0:
        alike = [other for other in list_text_siblings(page, row) if tags[other] == tags[row] and other in units]
        same = [other for other in alike if units[other] == units.get(row) and not page.is_link_block(other)]
        if len(same) >= page.settings.run_length:
            return same
        row = int(document.parent[row])
    return []


def list_text_siblings(page: StructuredPage, block: int) -> list[int]:
    """Rows of the block elements with text beside an element, in document order."""
    document = page.document
    parent = int(document.parent[block])
    if parent < 0:
        return []
    rows = np.arange(parent + 1, int(document.end[parent]))
    beside = (document.parent[rows] == parent) & (document.block[rows] == rows) & (rows != block)
    return [int(row) for row in rows[beside & (page.tree.chars_below[rows] > 0)]]


def find_noise(page: StructuredPage, block: int) -> dict[int, Reason]:
    """S303, for every handler that keeps texts: row of each child of a block that is noise -> why.

    The children of the element with the largest fan-out are tested: link blocks are noise, and at head and tail also
    short children, unless a run of equal structure tags makes them coherent text.

        div                 the largest fan-out: five children with text
          p  2008-01-08     noise: short, at the head
          p  long text
          ul four links     noise: less than two characters of text for each of link text
          p  long text
          p  (Editor: Li)   noise: short, at the tail

    Reading: the fan-out of an element is its number of children with text that are no link blocks. The noise at head
    and tail ends at the first child that is neither short nor a link block; a heading is never short. A link block is
    known by its text, links included, and is none of the coherent texts, whatever its tags.
    """
    settings = page.settings
    children = find_largest_fan_out(page, block)
    chars, link_chars = page.tree.chars_below[children], page.tree.link_chars_below[children]
    coherent = np.array([has_tag_run(page, int(row)) for row in children], dtype=bool)
    links = chars < settings.link_block_ratio * link_chars
    edge = links | ((chars < settings.edge_chars) & ~coherent & ~HEADING[page.document.tag[children]])
    head = np.logical_and.accumulate(edge)
    tail = np.logical_and.accumulate(edge[::-1])[::-1]
    noise = links | head | tail
    found = {}
    # if all children are noise, none is: something of the block must stay
    for at in np.flatnonzero(noise & ~noise.all()).tolist():
        why = f"a short text of {chars[at]} characters at the head or tail"
        if links[at]:
            why = f"a link block: {link_chars[at]} of {chars[at]} characters are links"
        found[int(children[at])] = Reason("patent", "S303", why)
    return found


def find_largest_fan_out(page: StructuredPage, block: int) -> Rows:
    """int64 [n]: children with text of the element that has the most of them that are no link blocks."""
    document = page.document
    rows: Rows = np.arange(block + 1, int(document.end[block]))
    rows = rows[(page.tree.chars_below[rows] > 0) & (document.block[rows] == rows)]
    if not len(rows):
        return rows
    above, tree = document.parent[rows], page.tree
    is_text = tree.chars_below[rows] >= page.settings.link_block_ratio * tree.link_chars_below[rows]
    children: Rows = rows[above == np.bincount(above, is_text).argmax()]
    return children


def has_tag_run(page: StructuredPage, row: int) -> bool:
    """Whether `run_length` consecutive children have the same structure tag, or the element is itself a `p`."""
    document, length = page.document, page.settings.run_length
    if document.tag[row] == CODE["p"]:
        return True
    below = np.arange(row + 1, int(document.end[row]))
    children = below[(document.parent[below] == row) & (document.block[below] == below)]
    return any(len(list(run)) >= length for _, run in groupby(document.tag[children].tolist()))


def mark_captions(page: StructuredPage) -> Mask:
    """S304, bool [n_blocks]: the text block after each image, if short and inside the parent of the image's block."""
    document, blocks = page.document, page.columns.blocks
    captions = np.zeros(len(blocks), dtype=bool)
    for image in np.flatnonzero(document.tag == CODE["img"]).tolist():
        following = find_lines(document, blocks, image)[0].item()
        holder = int(document.parent[document.block[image]])
        if following < len(blocks) and blocks.row[following] < document.end[max(holder, 0)]:
            captions[following] = blocks.n_chars[following] <= page.settings.caption_chars
    return captions


def find_visual_title(page: StructuredPage, content: int) -> FieldValue | None:
    """S305, the title by visual evidence: larger, bold, or on another background than the text; None if nothing is.

    content: row of the content block. Candidates are the short texts just before the content and at its start. The one
    that differs most from the look of the content wins: by size, then weight, then background; of equals the nearest
    one before the text.
    """
    settings, blocks = page.settings.title, page.columns.blocks
    text = page.looks.find_main(content)
    start = find_lines(page.document, blocks, content)[0].item()
    best: tuple[tuple[float, bool, bool], str] | None = None
    for at in range(max(0, start - settings.blocks_before), min(len(blocks), start + settings.blocks_inside)):
        n_chars = int(blocks.n_chars[at])
        # a single character is an icon or a drop cap
        if not blocks.visible[at] or not 1 < n_chars <= settings.max_chars or 2 * blocks.n_link_chars[at] > n_chars:
            continue
        look = page.looks.find_main(int(blocks.row[at]))
        size = max(1.0, round(look.size / max(1.0, text.size), 2))
        strength = (size, look.bold > text.bold, look.background != text.background)
        if strength > (1.0, False, False) and (best is None or strength >= best[0]):
            best = strength, blocks.text[at]
    if best is None:
        return None
    (ratio, bold, background), value = best
    signs = [f"{ratio:g} times as large"] * (ratio > 1) + ["bold"] * bold + ["another background"] * background
    return FieldValue(value, f"patent S305: {', '.join(signs)}", 0.5)


def mark_multi_block(page: StructuredPage, segments: Segmentation) -> Marks:
    """Handler of multi-block pages (patent A6, fig. 4): the decisions about the text blocks.

    S401 cuts the page into semantic blocks. S402 judges each by its ratio of text to link text. S403 cleans the texts
    as content is cleaned (S303, S304). S404 drops the other blocks. S405 joins the texts in reading order.

    Reading: a semantic block of a proper size is a valid one, of more than `statistics.min_chars` characters. The
    copyright notice (a block of which it is more than half) is no text, as in S301.
    """
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
            marks.set(inside, False, Reason("patent", "S404", f"b{number} is no text: {why}"))
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
    return n_chars >= page.settings.link_block_ratio * n_link_chars, why


def mark_index(page: StructuredPage, segments: Segmentation) -> tuple[Marks, MethodBlocks]:
    """Handler of index pages (patent A7): the decisions about the text blocks, and the semantic blocks by importance.

    The page is cut into semantic blocks. Important are those whose URLs vary regularly or carry marker tokens that
    speak for content; they are ordered by the weights of their tokens, and the rest is dropped as noise.

        block                                   regularity   mean marker   importance = .6 * 1 + .3 * 1 + .1 * sqrt(.25)
        news.qq.com/a/20080108/000688.htm, ...  1            1  (news)     .95
        /about, /contact, /login                0            -.77          not important
        the URLs of the first block again       1            1             not important: shown once

    Reading: regular are at least `regular_from` of its URLs in one generated family, and tokens speak for a block from
    a mean weight of `tokens_from`. One of the two is enough, unless tokens speak against a regular block; the
    patent's words ask for both, which few lists of today's pages fulfil. Where no block is important, all are:
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
        chosen.append(bool(valid and (has_tokens or (is_regular and found.marker_weight >= 0))))
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
