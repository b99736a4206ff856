"""What was learnt of a site <-> plain values for JSON, so that learning can continue with new pages.

The state has the founders' paths, the votes and the counts, but not the pages. Learning continues as if it had never
stopped: the same pages in the same order give the same rules.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import Any, Final

import numpy as np

from webclean.errors import InputError
from webclean.rules.uses_schema import Sites
from webclean.sites.clusters import Cluster, Clustering, Features, Vote
from webclean.sites.repeats import PlaceCount, SiteRepeats, TextCount

FORMAT: Final = 2


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
                "votes": _dump_votes(cluster.votes),
                "early": _dump_votes(cluster.early),
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
        cluster.votes, cluster.early = _load_votes(saved["votes"]), _load_votes(saved["early"])
        clustering.found(cluster)
    return clustering


def _list_settings(clustering: Clustering) -> dict[str, float]:
    """The settings that must not change between runs of learning."""
    return {
        "similarity": clustering.rules.similarity,
        "early_pages": clustering.rules.early_pages,
        "max_chars": clustering.max_chars,
        "window": clustering.window,
    }


def _dump_votes(votes: dict[Features, Vote]) -> list[list[Any]]:
    return [[*features, vote.weight, vote.n_pages] for features, vote in votes.items()]


def _load_votes(saved: list[list[Any]]) -> dict[Features, Vote]:
    return {(name, classes, path): Vote(weight, n) for name, classes, path, weight, n in saved}


def _dump_repeats(repeats: SiteRepeats) -> dict[str, Any]:
    return {
        "n_pages": repeats.n_pages,
        "n_index": repeats.n_index,
        "texts": {text: astuple(count) for text, count in repeats.texts.items()},
        "places": {path: astuple(count) for path, count in repeats.places.items()},
        "values": {value: astuple(count) for value, count in repeats.values.items()},
    }


def _load_repeats(clustering: Clustering, saved: dict[str, Any]) -> SiteRepeats:
    repeats = clustering.begin_repeats()
    repeats.n_pages = saved["n_pages"]
    repeats.n_index = saved["n_index"]
    repeats.texts = {text: TextCount(*counts) for text, counts in saved["texts"].items()}
    repeats.places = {path: PlaceCount(*counts) for path, counts in saved["places"].items()}
    repeats.values = {value: TextCount(*counts) for value, counts in saved["values"].items()}
    return repeats
