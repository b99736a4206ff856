"""What was learnt of a site <-> plain values for JSON, so that learning can continue with new pages.

The state has the founders' paths, the votes and the counts, but not the pages. Learning continues as if it had never
stopped: the same pages in the same order give the same rules.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import Any, Final

import numpy as np

from webclean.errors import InputError
from webclean.rules.sites_schema import Sites
from webclean.sites.clusters import Cluster, Clustering, Vote
from webclean.sites.repeats import PlaceCount, SiteRepeats, TextCount

FORMAT: Final = 1


def dump_clustering(clustering: Clustering) -> dict[str, Any]:
    """Plain values of what was learnt."""
    return {
        "format": FORMAT,
        "settings": _list_settings(clustering),
        "site": _dump_repeats(clustering.site),
        "clusters": [
            {
                "founder": cluster.founder.tolist(),
                "pages": cluster.pages,
                "similarity": cluster.similarity,
                "votes": [[*feature, vote.weight, vote.n_pages] for feature, vote in cluster.votes.items()],
                "repeats": _dump_repeats(cluster.repeats),
            }
            for cluster in clustering.clusters
        ],
    }


def load_clustering(values: Any, rules: Sites) -> Clustering:
    """What was learnt, ready to continue. Raises `InputError` for another format or other settings."""
    clustering = Clustering(rules)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise InputError(f"not a state of learnt templates of format {FORMAT}")
    if values["settings"] != _list_settings(clustering):
        raise InputError(f"learnt with other settings: {values['settings']}, now {_list_settings(clustering)}")
    clustering.site = _load_repeats(clustering, values["site"])
    for saved in values["clusters"]:
        cluster = Cluster(np.array(saved["founder"], dtype=np.uint64), _load_repeats(clustering, saved["repeats"]))
        cluster.pages = list(saved["pages"])
        cluster.similarity = list(saved["similarity"])
        cluster.votes = {(kind, value): Vote(weight, n) for kind, value, weight, n in saved["votes"]}
        clustering.found(cluster)
    return clustering


def _list_settings(clustering: Clustering) -> dict[str, float]:
    """The settings that must not change between runs of learning."""
    return {
        "similarity": clustering.rules.similarity,
        "max_chars": clustering.max_chars,
        "window": clustering.window,
    }


def _dump_repeats(repeats: SiteRepeats) -> dict[str, Any]:
    return {
        "n_pages": repeats.n_pages,
        "texts": {text: astuple(count) for text, count in repeats.texts.items()},
        "places": {path: astuple(count) for path, count in repeats.places.items()},
    }


def _load_repeats(clustering: Clustering, saved: dict[str, Any]) -> SiteRepeats:
    repeats = clustering.begin_repeats()
    repeats.n_pages = saved["n_pages"]
    repeats.texts = {text: TextCount(*counts) for text, counts in saved["texts"].items()}
    repeats.places = {path: PlaceCount(*counts) for path, counts in saved["places"].items()}
    return repeats
