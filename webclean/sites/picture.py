"""Clusters of a site -> a picture (PNG): their sizes, and how similar their founders are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from webclean.errors import InputError
from webclean.model import Floats
from webclean.sites.clusters import Cluster, compare_paths

_SHOWN: Final = 40
"""Clusters drawn, the largest ones."""


def compare_clusters(clusters: Sequence[Cluster]) -> Floats:
    """float64 [n, n]: similarity of the clusters' founders."""
    return np.array([[compare_paths(one.founder, other.founder) for other in clusters] for one in clusters])


def draw_clusters(clusters: Sequence[Cluster], path: Path, title: str) -> None:
    """Bars of the sizes beside the matrix of similarities, the largest cluster first.

    Raises `InputError` when matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  an extra
    except ImportError as error:
        raise InputError("a picture needs matplotlib: pip install matplotlib") from error
    shown = clusters[:_SHOWN]
    numbers = range(len(shown))
    figure = Figure(figsize=(11, max(3.5, 1.5 + 0.25 * len(shown))), layout="constrained")
    sizes, matrix = figure.subplots(1, 2)
    bars = sizes.barh(numbers, [len(cluster.pages) for cluster in shown], color="#2b6cb0")
    sizes.bar_label(bars, padding=2)
    sizes.set(title="pages", xlabel="pages", ylabel="cluster", yticks=numbers, yticklabels=[n + 1 for n in numbers])
    sizes.invert_yaxis()
    sizes.margins(x=0.12)
    image = matrix.imshow(compare_clusters(shown), vmin=0, vmax=1, cmap="Blues")
    labels = [n + 1 for n in numbers]
    matrix.set(title="similarity of founders", xticks=numbers, yticks=numbers, xticklabels=labels, yticklabels=labels)
    figure.colorbar(image, ax=matrix, shrink=0.8)
    left_out = f", the {len(shown)} largest of {len(clusters)} clusters" if len(clusters) > len(shown) else ""
    figure.suptitle(f"{title}{left_out}")
    figure.savefig(path, dpi=120)
