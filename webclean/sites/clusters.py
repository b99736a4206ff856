"""Pages of a site -> clusters that share a template (source D).

    sim(i, j) = |f_i and f_j| / min(|f_i|, |f_j|)        f = the set of block paths of a page

Greedy: a page joins the most similar cluster above the threshold or founds one. Reading: a page is compared with the
founders of the clusters, and only with those that an index of paths brings up, so that the cost grows with the number
of pages and not with its square. Paths that many founders share tell nothing and are left out of the index.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webclean.sites.profile import PageProfile


@dataclass(slots=True)
class Cluster:
    """Pages with one template: the founder's paths and what its pages have in common."""

    founder: NDArray[np.uint64]
    pages: list[str] = field(default_factory=list)
    similarity: list[float] = field(default_factory=list)
    votes: Counter[tuple[str, str]] = field(default_factory=Counter)
    ballots: Counter[tuple[str, str]] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)

    def add(self, page: PageProfile, similarity: float) -> None:
        """Take a page in: its name, its votes and its texts."""
        self.pages.append(page.name)
        self.similarity.append(similarity)
        self.texts.update(page.texts)
        if page.best is not None:
            for kind, value in (
                ("id", page.best.id),
                ("class", " ".join(page.best.classes)),
                ("path", page.best.path),
            ):
                if value:
                    self.votes[kind, value] += page.weight  # type: ignore[assignment]  # weights are fractions
                    self.ballots[kind, value] += 1


class Clustering:
    """Clusters of one site, grown page by page.

    threshold: similarity above which a page joins. max_posting: founders kept for one path in the index.
    max_candidates: founders compared with a page.
    """

    def __init__(self, *, threshold: float, max_posting: int = 64, max_candidates: int = 16) -> None:
        self.threshold = threshold
        self.max_posting = max_posting
        self.max_candidates = max_candidates
        self.clusters: list[Cluster] = []
        self._postings: defaultdict[int, list[int]] = defaultdict(list)

    def add(self, page: PageProfile) -> Cluster:
        """Put one page into its cluster."""
        best, similarity = self._find(page.paths)
        if best is None:
            best, similarity = self.found(Cluster(page.paths)), 1.0
        best.add(page, similarity)
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

    def _find(self, paths: NDArray[np.uint64]) -> tuple[Cluster | None, float]:
        shared: Counter[int] = Counter()
        for path in paths.tolist():
            posting = self._postings.get(path)
            if posting is not None and len(posting) <= self.max_posting:
                shared.update(posting)
        best, highest = None, self.threshold
        for number, _ in shared.most_common(self.max_candidates):
            similarity = compare_paths(paths, self.clusters[number].founder)
            if similarity > highest:
                best, highest = self.clusters[number], similarity
        return best, highest


def compare_paths(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    """Similarity of two sorted sets of paths: shared paths / paths of the smaller page; 0 for an empty one."""
    smaller = min(len(one), len(other))
    return len(np.intersect1d(one, other, assume_unique=True)) / smaller if smaller else 0.0


def cluster_pages(pages: Iterable[PageProfile], threshold: float) -> list[Cluster]:
    """All pages clustered, the largest cluster first."""
    clustering = Clustering(threshold=threshold)
    for page in pages:
        clustering.add(page)
    return sorted(clustering.clusters, key=lambda cluster: -len(cluster.pages))
