"""Rank the links of pages by topic, beside a ranking by anchor text alone.

usage: python benchmarks/frontier.py --data DIR [--data DIR ...] [--topics FILE]

The topics file names pages (files `NAME.html.gz` in a DIR), the words of each topic, and the pattern of the URLs that
are on it; the rankings see no URLs. Reported for each set of pages, as means over topics: average precision, and
precision at 10 (at the number of links on the topic where these are fewer).
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import checkout  # noqa: F401  webclean of this clone
import numpy as np
import yaml
from msgspec import structs

import webclean
from webclean.learn.marked_pages import remove_marks
from webclean.web.frontier import find_terms, list_candidates, score_signals, score_texts

TOPICS = Path(__file__).resolve().parent / "topics.yaml"


def read_topics(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return entries


def measure_precision(on_topic: Sequence[bool]) -> tuple[float, float]:
    """(average precision, precision at 10 or at the number of links on the topic) of a ranking."""
    hits = np.asarray(on_topic, dtype=np.float64)
    n = int(hits.sum())
    at = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    first = min(10, n)
    return float((at * hits).sum() / n), float(hits[:first].mean())


def list_scores(entry: dict[str, Any], folders: Sequence[Path]) -> Iterator[tuple[tuple[float, float], ...]]:
    """For each topic of each page the scores by anchor text and by all that speaks for a link."""
    for name in entry["pages"]:
        path = next((folder / f"{name}.html.gz" for folder in folders if (folder / f"{name}.html.gz").exists()), None)
        if path is None:
            continue
        page = webclean.clean(remove_marks(gzip.decompress(path.read_bytes())))
        rules = structs.replace(page.analysis.rules.segments.frontier, url=0.0)
        for topic in entry["topics"]:
            query, links = find_terms(topic["words"], rules.topic_terms), list_candidates(page.blocks)
            parts = score_signals(page.blocks, links, query, rules)
            wanted = np.array([re.search(topic["links"], link.url) is not None for link in links])
            if wanted.any():
                anchors = score_texts([link.text for link in links], query)
                total = np.sum(list(parts.values()), axis=0)
                yield tuple(
                    measure_precision(wanted[np.argsort(-score, kind="stable")].tolist()) for score in (anchors, total)
                )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="pages, *.html.gz")
    parser.add_argument("--topics", type=Path, default=TOPICS, metavar="FILE")
    options = parser.parse_args(arguments)
    found: dict[str, list[tuple[tuple[float, float], ...]]] = defaultdict(list)
    for entry in read_topics(options.topics):
        found[entry["set"]] += list_scores(entry, options.data)
    for name, scores in found.items():
        (anchor_ap, anchor_10), (ap, at_10) = np.mean(np.array(scores), axis=0).tolist()
        print(
            f"{name}: {len(scores)} topics  by anchor MAP {anchor_ap:.3f}  P@10 {anchor_10:.3f}  "
            f"by all parts MAP {ap:.3f}  P@10 {at_10:.3f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
