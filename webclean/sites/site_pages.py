"""Pages of a site: what repeats and varies in a group of pages, and their clusters (source D, Wang, Chen & Dai, 2018).

A place has one value for each different text that a page has there. What varies is measured by entropy: with c pages
for a value, N values in all (each counted once a page) and n pages that have the place,

    variation = 1 - sum over values of c * ln(c) / (N * ln(n))

which is the mean over all values of ln(n / c) / ln(n): 0 where each value is on all pages, 1 where each is on one page.
On four pages with the values a, a, b, c at a place it is 1 - 2 ln 2 / (4 ln 4) = 0.75. The sum grows by
c ln c - (c - 1) ln(c - 1) with each page, so no value must be remembered that is on one page only.

Texts are counted by lossy counting (Manku & Motwani, VLDB 2002): after every 1/error pages, whatever was found on at
most one page in 1/error is forgotten. With error = 0.01, a text that was found once in the first 100 pages is forgotten
after them. So memory grows with what repeats, not with the number of pages; a count is too low by at most error *
pages, and exact up to 1/error pages.

Pages that share a template form a cluster, whose pages vote for their content block (source D). The similarity of two
pages is

    sim(i, j) = |f_i and f_j| / min(|f_i|, |f_j|)        f = the set of block paths of a page

The search is greedy: a page joins the most similar cluster above the threshold, or founds a new one. Our reading: a
page is compared only with the founders of the clusters, and only with those that share a path with it according to an
index. So the cost grows with the number of pages, not with its square. Paths that many founders share are the least
specific and are looked up last.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from webclean.blocks.text_blocks import sum_subtrees
from webclean.model import Document, Floats, Mask, Rows, TextBlocks
from webclean.parse import climb, read_attribute
from webclean.parse.xpath import build_xpath, list_lasting
from webclean.rules.schema import Places, Sites
from webclean.sites.profiles import PageProfile

_BETWEEN: Final = "\x00"  # between a place and its text: no text of a page has it
_LEAST_WORDS: Final = 3
"""Words beside a count, for a text that says something of its own."""


@dataclass(slots=True)
class TextCount:
    """Pages with a text, and pages with it that may have been forgotten; its words, and how often a value
    stands beside it."""

    n_pages: int = 0
    missed: int = 0
    n_words: int = 0
    n_before: int = 0


@dataclass(slots=True)
class PlaceCount:
    """A place: pages with it, pages that may be forgotten; its words, kept and repeated.

    n_beside: pages on which all of it is outside the element that holds title and content.
    n_repeated: words of texts that had been on an earlier page. n_later: words on pages after the first one of the
    group, which are those that could repeat. n_listed: words in lists of links to other pages. n_remarks: words in
    remarks (`mark_remarks`). n_values, log_sum: N and the sum of c * ln(c) of the module's docstring.
    """

    n_pages: int = 0
    missed: int = 0
    n_words: int = 0
    n_kept: int = 0
    n_later: int = 0
    n_repeated: int = 0
    n_listed: int = 0
    n_values: int = 0
    log_sum: float = 0.0
    n_beside: int = 0
    n_remarks: int = 0

    @property
    def variation(self) -> float:
        """0 (the same on all pages) to 1 (new on every page); 1 where only one page has the place."""
        if self.n_pages < 2 or not self.n_values:
            return 1.0
        return 1.0 - self.log_sum / (self.n_values * math.log(self.n_pages))

    @property
    def is_remark(self) -> bool:
        """Whether it is part of remarks: a single one on a page is not known by its form."""
        return 2 * self.n_remarks >= self.n_words > 0

    def is_listed(self, rules: Places) -> bool:
        """Whether it is part of a list of links to other pages."""
        return self.n_listed >= rules.listed_share * self.n_words

    def repeats(self, rules: Places) -> bool:
        """Whether what stands there is boilerplate: its words repeat, and its values do not vary or are long.

        The publisher or the price of a product repeats on other pages by chance, a text of many words does not.
        """
        if not self.n_later or self.n_repeated < rules.repeated_share * self.n_later:
            return False
        return self.variation < rules.varied_from or self.n_words > rules.fact_words * self.n_values

    def varies(self, rules: Places) -> bool:
        """Whether it has values of its own on each page."""
        return not self.repeats(rules) and self.variation >= rules.varied_from

    def leave_out(self, texts: Collection[TextCount]) -> PlaceCount:
        """What is left without some of its texts; all of it where they are its only ones on most pages."""
        n_values = self.n_values - sum(text.n_pages for text in texts)
        n_words = sum(text.n_words for text in texts)
        left = replace(
            self,
            n_words=max(0, self.n_words - n_words),
            n_later=max(0, self.n_later - n_words),
            n_repeated=max(0, self.n_repeated - n_words),
            n_values=n_values,
            log_sum=self.log_sum - sum(_c_log_c(text.n_pages) for text in texts),
        )
        return left if n_values >= self.n_pages and left.n_words else self


@dataclass(slots=True)
class SiteRepeats:
    """Counts of one group of pages. Of texts the first `max_chars` characters are compared.

    values: a place and a text -> pages with this text at this place.
    """

    max_chars: int
    window: int
    n_pages: int = 0
    places: dict[str, PlaceCount] = field(default_factory=dict)
    values: dict[str, TextCount] = field(default_factory=dict)

    def is_index(self, rules: Sites) -> bool:
        """Whether lists of links are what the pages are for: they hold more of what varies on every page than stands
        outside, and automatic cleaning keeps most of them. Related products under a short description are more, too.

        The type of the single pages is no measure: pages of one shop template are told to be an index or not by the
        length of a description, and a template of which about half are would change its nature with each page learnt.
        """
        core = list(self.find_varied(rules).values())
        lists = [count for count in core if count.is_listed(rules.places)]
        n_words, n_kept = sum(count.n_words for count in lists), sum(count.n_kept for count in lists)
        return 2 * n_words > sum(count.n_words for count in core) and 2 * n_kept > n_words

    def find_varied(self, rules: Sites) -> dict[str, PlaceCount]:
        """The places that vary and that (nearly) every page of the group has."""
        return {
            path: count
            for path, count in self.places.items()
            if self.is_core(count, rules) and count.varies(rules.places)
        }

    def add(self, page: PageProfile) -> None:
        """Count the texts and places of one page."""
        missed = self.n_pages // self.window
        values = self._list_values(page)
        known = [value in self.values for value in values]
        marks = (mask.tolist() for mask in (page.n_words, page.kept, page.listed, page.remarks, page.beside))
        for at, (n_words, kept, listed, remark, beside) in enumerate(zip(*marks, strict=True)):
            count = self.places.setdefault(page.places[at], PlaceCount(missed=missed))
            count.n_words += n_words
            count.n_kept += n_words * kept
            count.n_listed += n_words * listed
            count.n_remarks += n_words * remark
            if self.n_pages:  # on the first page nothing can repeat
                count.n_later += n_words
                count.n_repeated += n_words * known[at]
            text = self.values.setdefault(values[at], TextCount(missed=missed))
            text.n_words += n_words
            text.n_before += beside and not known[at + 1]
        for place in set(page.places):
            self.places[place].n_pages += 1
        for place, value in set(zip(page.places, values, strict=True)):
            text, count = self.values[value], self.places[place]
            count.n_values += 1
            count.log_sum += _c_log_c(text.n_pages + 1) - _c_log_c(text.n_pages)
            text.n_pages += 1
        self.n_pages += 1

    def _list_values(self, page: PageProfile) -> list[str]:
        # `Kiln 12 of the old works` is a name
        said = [text if at == page.headline else mask_counts(text) for at, text in enumerate(page.texts)]
        return [f"{place}{_BETWEEN}{text[: self.max_chars]}" for place, text in zip(page.places, said, strict=True)]

    def find_core(self, page: PageProfile, rules: Sites) -> Mask:
        """bool [n_blocks]: text that varies, at places that (nearly) every page of the group has, outside lists.

        Comments and related articles are on some pages only. If nothing is left, it is what automatic cleaning keeps.
        """
        often, varied = max(2.0, rules.often_share * self.n_pages), self.find_varied(rules)
        # what was forgotten is rare
        n_pages = [text.n_pages if (text := self.values.get(value)) else 0 for value in self._list_values(page)]
        core = np.array([place in varied for place in page.places], dtype=bool) & (np.array(n_pages) < often)
        if not self.is_index(rules):
            core &= ~page.listed
        return core if core.any() else page.kept

    def is_core(self, count: PlaceCount, rules: Sites) -> bool:
        """Whether (nearly) every page of the group has the place.

        It may be missing on `core_misses` pages more than `core_share` allows: few pages prove nothing.
        """
        # reviews may be missing from one page of five
        misses = 0 if count.is_remark else rules.core_misses
        return count.n_pages + count.missed >= rules.core_share * self.n_pages - misses

    def find_lasting(self, rules: Sites) -> dict[str, dict[str, TextCount]]:
        """Place -> its texts, with counts masked, that (nearly) all pages have, such as a button beside a price; labels
        of values are none.
        """
        found, least = defaultdict[str, dict[str, TextCount]](dict), rules.core_share * self.n_pages
        for key, count in self.values.items():
            if count.n_pages + count.missed >= least and 2 * count.n_before < count.n_pages:
                place, text = key.split(_BETWEEN, 1)
                found[place][text] = count
        return found

    def forget(self) -> None:
        """Drop what is rare, once in `window` pages; after the last page has been asked about."""
        if self.n_pages % self.window:
            return
        passed = self.n_pages // self.window
        self.places = {key: count for key, count in self.places.items() if count.n_pages + count.missed > passed}
        self.values = {key: count for key, count in self.values.items() if count.n_pages + count.missed > passed}


_COUNT: Final = re.compile(r"(?<![\d.,:/-])\d{1,3}(?![\d.,:/-]*\d)")
"""A whole number that is no part of a price, a date or a time."""


_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2}|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+")
"""Two characters of Chinese or Japanese, or a word of other letters."""


def mask_counts(text: str) -> str:
    """A text in which counts are all the same: `Add to basket (12 left)` says the same on each page.

    One beside next to no words is a value (`Pages: 312`).
    """
    masked = _COUNT.sub("0", text)
    is_sentence = masked != text and len(_WORD.findall(text)) >= _LEAST_WORDS
    return masked if is_sentence else text


def write_masked(text: str) -> str:
    """A pattern that finds a masked text with any counts."""
    return r"\d{1,3}".join(map(re.escape, _COUNT.split(text)))


def _c_log_c(number: int) -> float:
    return number * math.log(number) if number else 0.0


Features = tuple[str, str, str]
"""Id, classes (separated by spaces) and path of a block; '' for what it has not. They find it on other pages."""


def vote_for_block(
    document: Document, blocks: TextBlocks, core: Mask, rows: Rows, alpha: float
) -> tuple[Features, float, int] | None:
    """A page's vote for its content block, the best of the block nodes `rows` (source D): the features by which it is
    found on other pages, its weight H, and its row; None for a page without text.

    For a block node b, with text and links counted over its subtree:

        p_text  = text_b / (1 + text_page)              text without link text
        p_link  = links_b / (1 + links_page)            number of links
        p_textl = text_b / (1 + text with links_b)
        H(b)    = p_text * (1 - p_link) * p_textl / (1 + size(b) * alpha)

    Our readings: the printed formula is garbled; p_link enters as 1 - p_link, so that more links mean a lower weight.
    size(b) is the share of the page's text blocks inside b (their number would put long articles at a disadvantage).
    Text is that of the template's core (`SiteRepeats.find_core`): what varies, at places that the template has on every
    page, outside lists of links. Counted over all text, the wrapper around article, promotions and comments would win.
    The page votes with H for the features <id, class, path> of its best block, together.
    """
    weights = score_vote(document, blocks, core, rows, alpha)
    if not len(rows) or weights.max() <= 0:  # all its text is links, say
        return None
    winner = int(weights.argmax())
    row = int(rows[winner])
    name, classes = (" ".join(list_lasting(read_attribute(document, row, kind) or "")) for kind in ("id", "class"))
    return (name, classes, build_xpath(document, row)), float(weights[winner]), row


def list_beside(page: PageProfile, row: int) -> set[str]:
    """The places that a page has only outside the element that holds its content block and its shown title, where both
    are found: what varies there is no fact of this page, but the offer of the day.

    row: of the content block.
    """
    document, blocks, named = page.document, page.blocks, page.headline
    if document is None or blocks is None or named < 0:
        return set()
    row = next((at for at in climb(document, row) if at <= blocks.row[named] < document.end[at]), 0)
    inside = (blocks.row >= row) & (blocks.row < document.end[row])
    return set(page.places) - {place for place, within in zip(page.places, inside.tolist(), strict=True) if within}


def score_vote(document: Document, blocks: TextBlocks, core: Mask, rows: Rows, alpha: float) -> Floats:
    """float64 [n]: H of each block node."""
    if not len(rows) or not len(blocks):
        return np.zeros(len(rows))
    text = sum_subtrees(document, blocks.row, blocks.n_chars * core)
    plain = text - sum_subtrees(document, blocks.row, blocks.n_link_chars * core)
    is_link = document.link == np.arange(len(document))
    links = sum_subtrees(document, np.flatnonzero(is_link).astype(np.int32), np.ones(int(is_link.sum())))
    n_blocks = sum_subtrees(document, blocks.row, np.ones(len(blocks)))
    p_text = plain[rows] / (1 + plain[0])
    p_link = links[rows] / (1 + links[0])
    p_textl = plain[rows] / (1 + text[rows])
    return np.asarray(p_text * (1 - p_link) * p_textl / (1 + alpha * n_blocks[rows] / n_blocks[0]), dtype=np.float64)


@dataclass(slots=True, eq=False)
class Cluster:
    """Pages with one template: the paths of its first page (the founder) and what its pages have in common.

    votes: <id, classes, path> -> what pages voted for it. early: the votes of the first pages, which could not yet know
    what varies and is on every page; they count while there are not as many others.
    """

    founder: frozenset[str]
    repeats: SiteRepeats
    pages: list[str] = field(default_factory=list)
    votes: dict[Features, Vote] = field(default_factory=dict)
    early: dict[Features, Vote] = field(default_factory=dict)

    def add(self, page: PageProfile, rules: Sites) -> None:
        """Add a page: its name, its votes and its texts."""
        self.pages.append(page.name)
        self.repeats.add(page)
        if page.document is not None and page.blocks is not None:
            # after the page itself was counted, so that the first one has places that all pages have
            core = self.repeats.find_core(page, rules)
            ballot = vote_for_block(page.document, page.blocks, core, page.rows, rules.alpha)
            if ballot is not None:
                for place in list_beside(page, ballot[2]):
                    self.repeats.places[place].n_beside += 1
                votes = self.early if len(self.pages) <= rules.early_pages else self.votes
                vote = votes.setdefault(ballot[0], Vote())
                vote.weight += ballot[1]
                vote.n_pages += 1
        self.repeats.forget()

    def tally(self, rules: Sites) -> tuple[dict[Features, Vote], int]:
        """The votes that count, and how many pages cast them."""
        n_pages = len(self.pages)
        # as many as the early ones: then the others outweigh what these could not know
        if n_pages >= 2 * rules.early_pages:
            return self.votes, n_pages - rules.early_pages
        total: dict[Features, Vote] = {}
        for features, vote in (*self.early.items(), *self.votes.items()):
            summed = total.setdefault(features, Vote())
            summed.weight += vote.weight
            summed.n_pages += vote.n_pages
        return total, n_pages


@dataclass(slots=True)
class Vote:
    """Total weight H of the pages that voted for one <id, class, path>, and their number."""

    weight: float = 0.0
    n_pages: int = 0


class Clustering:
    """Clusters of one site, grown page by page, and the repeats of the site as a whole.

    max_posting: founders kept for one path in the index: `/html/body/div` is of all, and tells none of them.
    max_candidates: founders compared with a page, those with most of its paths.
    """

    def __init__(self, rules: Sites, *, max_posting: int = 64, max_candidates: int = 16) -> None:
        self.rules = rules
        self.max_posting = max_posting
        self.max_candidates = max_candidates
        self.site = SiteRepeats(rules.max_text_chars, window=round(1 / rules.count_error))
        self.clusters: list[Cluster] = []
        self._postings: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, page: PageProfile) -> Cluster:
        """Put one page into its cluster, or into a new one, whose founder it is."""
        best = self.find(page.paths)
        if best is None:
            best = Cluster(frozenset(page.paths), SiteRepeats(self.site.max_chars, self.site.window))
            self.clusters.append(best)
            for path in page.paths:
                posting = self._postings[path]
                if len(posting) <= self.max_posting:
                    posting.append(len(self.clusters) - 1)
        best.add(page, self.rules)
        self.site.add(page)
        self.site.forget()
        return best

    def find(self, paths: tuple[str, ...]) -> Cluster | None:
        """The most similar cluster above the threshold: first by the paths that few founders have, then by all."""
        postings = [posting for path in paths if (posting := self._postings.get(path))]
        rare = [posting for posting in postings if len(posting) <= self.max_posting]
        # a page of hardly anything but the frame shares no other path with its template
        return self._compare(paths, rare) or (self._compare(paths, postings) if len(rare) < len(postings) else None)

    def _compare(self, paths: tuple[str, ...], postings: list[list[int]]) -> Cluster | None:
        shared: Counter[int] = Counter()
        for posting in postings:
            shared.update(posting)
        best, highest = None, self.rules.similarity
        for number, _ in shared.most_common(self.max_candidates):
            founder = self.clusters[number].founder
            similarity = len(founder.intersection(paths)) / min(len(founder), len(paths))
            if similarity > highest:
                best, highest = self.clusters[number], similarity
        return best
