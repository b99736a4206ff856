"""Pages of a site -> clusters that share a template, with the votes for their content block (source D).

    sim(i, j) = |f_i and f_j| / min(|f_i|, |f_j|)        f = the set of block paths of a page

Greedy: a page joins the most similar cluster above the threshold, or founds a new one. Our reading: a page is compared
only with the founders of the clusters, and only with those that share a path with it according to an index. So the cost
grows with the number of pages, not with its square. Paths that many founders share are the least specific and are
looked up last.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.text_blocks import sum_subtrees
from webclean.model import Document, Floats, Mask, Rows, TextBlocks
from webclean.parse import read_attribute
from webclean.parse.xpath import build_xpath
from webclean.rules.schema import Sites
from webclean.sites.site_pages import PageProfile, SiteRepeats, number_path

Features = tuple[str, str, str]
"""Id, classes (separated by spaces) and path of a block; '' for what it has not. They find it on other pages."""


def vote_for_block(
    document: Document, blocks: TextBlocks, core: Mask, rows: Rows, alpha: float
) -> tuple[Features, float] | None:
    """A page's vote for its content block, the best of the block nodes `rows` (source D): the features by which it is
    found on other pages, and its weight H; None for a page without text.

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
    classes = " ".join((read_attribute(document, row, "class") or "").split())
    name = read_attribute(document, row, "id") or ""
    return (name, classes, build_xpath(document, row)), float(weights[winner])


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

    founder: NDArray[np.uint64]
    repeats: SiteRepeats
    pages: list[str] = field(default_factory=list)
    similarity: list[float] = field(default_factory=list)
    votes: dict[Features, Vote] = field(default_factory=dict)
    early: dict[Features, Vote] = field(default_factory=dict)

    def add(self, page: PageProfile, similarity: float, rules: Sites) -> None:
        """Add a page: its name, its votes and its texts."""
        self.pages.append(page.name)
        self.similarity.append(similarity)
        self.repeats.add(page)
        if page.document is not None and page.blocks is not None:
            # after the page itself was counted, so that the first one has places that all pages have
            core = self.repeats.find_core(page, rules)
            ballot = vote_for_block(page.document, page.blocks, core, page.rows, rules.alpha)
            if ballot is not None:
                votes = self.early if len(self.pages) <= rules.early_pages else self.votes
                vote = votes.setdefault(ballot[0], Vote())
                vote.weight += ballot[1]
                vote.n_pages += 1
        self.repeats.forget()

    def has_path(self, path: str) -> bool:
        """Whether the founder has a block at an XPath."""
        return bool(np.isin(np.uint64(number_path(path)), self.founder))

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
        self.max_chars = rules.texts.max_chars
        self.window = round(1 / rules.count_error)
        self.max_posting = max_posting
        self.max_candidates = max_candidates
        self.site = SiteRepeats(self.max_chars, self.window)
        self.clusters: list[Cluster] = []
        self._postings: defaultdict[int, list[int]] = defaultdict(list)

    def add(self, page: PageProfile) -> Cluster:
        """Put one page into its cluster, or into a new one, whose founder it is."""
        best, similarity = self.find(page.paths)
        if best is None:
            best, similarity = Cluster(page.paths, SiteRepeats(self.max_chars, self.window)), 1.0
            self.clusters.append(best)
            for path in page.paths.tolist():
                posting = self._postings[path]
                if len(posting) <= self.max_posting:
                    posting.append(len(self.clusters) - 1)
        best.add(page, similarity, self.rules)
        self.site.add(page)
        self.site.forget()
        return best

    def find(self, paths: NDArray[np.uint64]) -> tuple[Cluster | None, float]:
        """The most similar cluster above the threshold: first by the paths that few founders have, then by all."""
        postings = [posting for path in paths.tolist() if (posting := self._postings.get(path))]
        rare = [posting for posting in postings if len(posting) <= self.max_posting]
        best, similarity = self._compare(paths, rare)
        # a page of hardly anything but the frame shares no other path with its template
        if best is None and len(rare) < len(postings):
            best, similarity = self._compare(paths, postings)
        return best, similarity

    def _compare(self, paths: NDArray[np.uint64], postings: list[list[int]]) -> tuple[Cluster | None, float]:
        shared: Counter[int] = Counter()
        for posting in postings:
            shared.update(posting)
        best, highest = None, self.rules.similarity
        for number, _ in shared.most_common(self.max_candidates):
            similarity = compare_paths(paths, self.clusters[number].founder)
            if similarity > highest:
                best, highest = self.clusters[number], similarity
        return best, highest

    def list_by_size(self) -> list[Cluster]:
        """The largest cluster first."""
        return sorted(self.clusters, key=lambda cluster: -len(cluster.pages))


def compare_paths(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    """Similarity of two sorted sets of paths: shared paths / paths of the smaller page; 0 for an empty one."""
    smaller = min(len(one), len(other))
    return len(np.intersect1d(one, other, assume_unique=True)) / smaller if smaller else 0.0
