"""Finds regions below or beside an article: reader comments, lists of related and latest articles, boxes.

A region is a slice of the blocks in reading order. It is identified by a class or id (`<div id=comments>`) or by a
heading, together with what belongs to the heading:

    <div>  <h3>Comments (2)</h3>  <p>First!</p> ... </div>      the element that begins with the heading
    <p>The last paragraph.</p>
    <h3>Read also</h3> <ul>...</ul>  <h3>Weather</h3>           the heading and its siblings, up to the next one

A region lowers the points of its blocks, by how much depends on the page's type (`rules/regions.yaml`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
import numpy as np
from msgspec import structs

from webclean import core
from webclean.decide.correction import average_by_type
from webclean.decide.region_words import RegionWords, strip_text
from webclean.features import PageColumns
from webclean.features.headline import find_headline
from webclean.features.names import find_name_words, find_names
from webclean.features.page_columns import RANK
from webclean.features.text import find_words
from webclean.features.word_points import split_name
from webclean.model import Floats, Mask, Rows
from webclean.parse import read_attribute, read_attributes
from webclean.parse.tags import FORMATTING, tag_mask
from webclean.rules.decide_schema import RegionKind, Regions

_WHOLE_PAGE: Final = tag_mask("html body main")
_MAY_BE_REGION: Final = ~(_WHOLE_PAGE | FORMATTING | tag_mask("h1 head title"))
_LEAST_HEADED_WORDS: Final = 3


class Region(msgspec.Struct, frozen=True):
    """Blocks `first:last`. found_by: the name or heading of it. words_before: kept prose words before it; of a kind
    that posts of a thread may be named by, without those in regions of the kind."""

    kind: str
    first: int
    last: int
    found_by: str
    words_before: float


class _Page(msgspec.Struct, frozen=True, eq=False):
    """What the search looks at. kept: what would be kept without regions. text_before, kept_before: float64 [n + 1],
    words of kept running text, and of all that is kept, before each block; headline: its block or -1. starts: int64
    [n_blocks], the elements that start before each block.
    """

    columns: PageColumns
    text_before: Floats
    kept_before: Floats
    headline: int
    starts: Rows

    def find_slice(self, row: int) -> tuple[int, int]:
        """The blocks inside an element, from the first to the last; (0, 0) for none."""
        found: tuple[int, int] = core.find_slice(
            self.starts, self.columns.row, row, int(self.columns.document.end[row])
        )
        return found


def find_regions(columns: PageColumns, kept: Mask, rules: Regions, known: RegionWords) -> tuple[Region, ...]:
    """The regions of a page; those of one kind may nest.

    Args:
        columns: the page.
        kept: bool [n_blocks], what would be kept without regions.
        rules: section `regions`.
        known: the words that identify regions.
    """
    if not len(columns.blocks) or not rules.kinds:
        return ()
    text_before, kept_before = core.run_up(kept, columns.is_prose, columns.words)
    starts = columns.document.text_next[columns.blocks.first]
    page = _Page(columns, text_before, kept_before, find_headline(columns), starts)
    return _leave_out_own_kind(page, rules, (*_find_named(page, known, rules), *_find_headed(page, known, rules)))


def _leave_out_own_kind(page: _Page, rules: Regions, regions: tuple[Region, ...]) -> tuple[Region, ...]:
    """The same regions; what stands in others of their kind is no text before them. The comments of a thread may be
    many regions, of which the last ones would have much before them."""
    found = list(regions)
    for kind in {region.kind for region in regions if rules.kinds[region.kind].in_threads}:
        own = [number for number, region in enumerate(regions) if region.kind == kind]
        if len(own) == 1:
            continue
        text = np.diff(page.text_before)
        for number in own:
            text[regions[number].first : regions[number].last] = 0.0
        before = np.concatenate(([0.0], np.cumsum(text)))
        for number in own:
            found[number] = structs.replace(found[number], words_before=float(before[found[number].first]))
    return tuple(found)


def _find_named(page: _Page, known: RegionWords, rules: Regions) -> Iterator[Region]:
    """The outermost elements whose class or id identifies a kind and that can be a region."""
    document, table = page.columns.document, find_names(page.columns)
    candidates = np.zeros(len(table.names), dtype=bool)
    words = find_name_words(page.columns)
    candidates[words.text[known.lexicon.keys.find(words)[0]]] = True
    done = dict.fromkeys(rules.kinds, 0)
    find_kind = known.find_kind
    rows = (candidates[table.index] & _MAY_BE_REGION[document.tag]).nonzero()[0].tolist()
    if not rows:
        return
    names = (read_attributes(document, rows, "class"), read_attributes(document, rows, "id"))
    for row, classes, identifier in zip(rows, *names, strict=True):
        kind, name = find_kind(f"{classes} {identifier}") or ("", "")
        if not kind or row < done[kind]:
            continue
        first, last = page.find_slice(row)
        if _can_be(page, rules, rules.kinds[kind], first, last, named=True):
            done[kind] = int(document.end[row])
            yield Region(kind, first, last, f"named {name}", float(page.text_before[first]))


def _find_headed(page: _Page, known: RegionWords, rules: Regions) -> Iterator[Region]:
    """Short texts that announce a kind, each with what belongs to it."""
    columns = page.columns
    blocks, is_heading = columns.blocks, columns.is_heading
    is_likely = is_heading | (2 * blocks.n_link_chars < blocks.n_chars)
    is_likely &= columns.n_text_chars <= rules.heading_chars
    for block in known.first_words.list_beginning(find_words(columns), is_likely):
        kind = None if block == page.headline else known.find_in_heading(blocks.text[block])
        if kind is None:
            continue
        last = _find_end(page, block)
        whole = rules.kinds[kind]
        if not _can_be(page, rules, whole, block, last, named=bool(is_heading[block])):
            continue
        n_words, n_linked = columns.words[block:last].sum(), columns.link_words[block:last].sum()
        if n_linked >= whole.link_share * n_words:
            yield Region(kind, block, last, f"headed {blocks.text[block]}", float(page.text_before[block]))


def _find_end(page: _Page, block: int) -> int:
    """One past the last block that belongs to a heading."""
    columns, document = page.columns, page.columns.document
    row = int(columns.row[block])
    last = page.find_slice(row)[1]
    while (above := int(document.parent[row])) > 0 and not _WHOLE_PAGE[document.tag[above]]:
        wider = page.find_slice(above)
        if wider[0] < block or wider[0] <= page.headline < wider[1]:
            break
        row, last = above, wider[1]
    if columns.words[block + 1 : last].sum() < _LEAST_HEADED_WORDS:
        last = max(block + 1, page.find_slice(max(0, above))[1])
    rank = RANK[columns.tag]
    most = rank[block] if columns.is_heading[block] else 6
    following = (columns.is_heading[block + 1 : last] & (rank[block + 1 : last] <= most)).nonzero()[0]
    return block + 1 + int(following[0]) if len(following) else last


def _can_be(page: _Page, rules: Regions, kind: RegionKind, first: int, last: int, *, named: bool) -> bool:
    """Whether blocks may be a region: not the headline, not too much of the page, and the text before it."""
    if last <= first or first <= page.headline < last:
        return False
    n_kept = page.kept_before[last] - page.kept_before[first]
    if n_kept > kind.most_kept * page.kept_before[-1] or page.columns.words[first:last].sum() > kind.most_words:
        return False
    after_headline = named and 0 <= page.headline < first
    return not kind.after_text or after_headline or page.text_before[first] >= rules.words_before


def compute_region_share(
    region: Region, columns: PageColumns, rules: Regions, known: RegionWords, types: Mapping[str, float]
) -> float:
    """How far a region counts (0..1): by the page's types, and whether it may be the posts of a thread."""
    kind, threads = rules.kinds[region.kind], rules.threads
    share = average_by_type(kind.counts, types)
    of_thread = types.get(threads.type, 0.0)
    if kind.in_threads and of_thread:
        if of_thread > threads.sure_from and (_is_thread(columns, known) or _announces_posts(region, known)):
            return 0.0
        reach = max(1, threads.words_full - threads.words_from)
        share -= of_thread * (1 - min(1.0, max(0.0, (region.words_before - threads.words_from) / reach)))
    return max(0.0, share)


def _announces_posts(region: Region, known: RegionWords) -> bool:
    return not known.replies.isdisjoint(strip_text(region.found_by).split())


def _is_thread(columns: PageColumns, known: RegionWords) -> bool:
    """Whether the URL, or a class or id of html or body, has a word for a thread."""
    document = columns.document
    words = set(strip_text(document.url or "").split())
    for tag in ("html", "body"):
        row = document.names.index(tag) if tag in document.names else 0
        for key in ("id", "class"):
            words |= split_name(read_attribute(document, row, key) or "")
    return not known.threads.isdisjoint(words)
