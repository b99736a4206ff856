"""Pages of a site -> clusters that share a template (source D).

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

from webclean.rules.uses_schema import Sites
from webclean.sites.profile import PageProfile
from webclean.sites.repeats import SiteRepeats
from webclean.sites.votes import Ballot, vote_for_block

Features = tuple[str, str, str]
"""Id, classes (separated by spaces) and path of a block; '' for what it has not."""


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
            core = self.repeats.find_core(page, rules)
            ballot = vote_for_block(page.document, page.blocks, core, page.rows, rules.alpha)
            self._count(ballot, self.early if len(self.pages) <= rules.early_pages else self.votes)
        self.repeats.forget()

    def tally(self, rules: Sites) -> tuple[dict[Features, Vote], int]:
        """The votes that count, and how many pages cast them."""
        n_pages = len(self.pages)
        if n_pages >= 2 * rules.early_pages:
            return self.votes, n_pages - rules.early_pages
        total: dict[Features, Vote] = {}
        for features, vote in (*self.early.items(), *self.votes.items()):
            summed = total.setdefault(features, Vote())
            summed.weight += vote.weight
            summed.n_pages += vote.n_pages
        return total, n_pages

    def _count(self, ballot: Ballot | None, votes: dict[Features, Vote]) -> None:
        if ballot is None:
            return
        vote = votes.setdefault((ballot.id, " ".join(ballot.classes), ballot.path), Vote())
        vote.weight += ballot.weight
        vote.n_pages += 1


@dataclass(slots=True)
class Vote:
    """Total weight H of the pages that voted for one <id, class, path>, and their number."""

    weight: float = 0.0
    n_pages: int = 0


class Clustering:
    """Clusters of one site, grown page by page, and the repeats of the site as a whole.

    max_posting: founders kept for one path in the index. max_candidates: founders compared with a page.
    """

    def __init__(self, rules: Sites, *, max_posting: int = 64, max_candidates: int = 16) -> None:
        self.rules = rules
        self.max_chars = rules.texts.max_chars
        self.window = round(1 / rules.count_error)
        self.max_posting = max_posting
        self.max_candidates = max_candidates
        self.site = self.begin_repeats()
        self.clusters: list[Cluster] = []
        self._postings: defaultdict[int, list[int]] = defaultdict(list)

    def begin_repeats(self) -> SiteRepeats:
        """Counts before the first page."""
        return SiteRepeats(self.max_chars, self.window)

    def add(self, page: PageProfile) -> Cluster:
        """Put one page into its cluster."""
        best, similarity = self.find(page.paths)
        if best is None:
            best, similarity = self.found(Cluster(page.paths, self.begin_repeats())), 1.0
        best.add(page, similarity, self.rules)
        self.site.add(page)
        self.site.forget()
        return best

    def found(self, cluster: Cluster) -> Cluster:
        """Register a cluster and index its founder."""
        number = len(self.clusters)
        self.clusters.append(cluster)
        for path in cluster.founder.tolist():
            posting = self._postings[path]
            if len(posting) <= self.max_posting:
                posting.append(number)
        return cluster

    def find(self, paths: NDArray[np.uint64]) -> tuple[Cluster | None, float]:
        """The most similar cluster above the threshold: first by the paths that few founders have, then by all."""
        postings = [posting for path in paths.tolist() if (posting := self._postings.get(path))]
        rare = [posting for posting in postings if len(posting) <= self.max_posting]
        best, similarity = self._compare(paths, rare)
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
