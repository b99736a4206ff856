"""The value of every feature on two small pages, in `table.yaml`: what a change of a feature's arithmetic shows up in.

`python -m tests.features.table` writes it anew after a change that is meant; the diff is what a reviewer reads. Points
of words are those given here, so that learning the shipped ones anew changes nothing.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import yaml

from webclean.classify.classification import PAGE_FEATURES, measure_page, view_page
from webclean.classify.patent_tree import PATENT_FEATURES, measure_patent_features
from webclean.decide import SURROUNDINGS_FEATURES, measure_surroundings
from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.model import BlockDecisions, Floats
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.registry import FeatureRegistry
from webclean.rules import RuleSet, load_rules
from webclean.rules.page_schema import WordGroup, WordPoints
from webclean.segments.nodes import NODE_FEATURES, find_nodes, measure_nodes
from webclean.segments.segment_columns import SEGMENT_FEATURES, measure_segments
from webclean.segments.semantic_page import segment_page

HERE = Path(__file__).parent
TABLE = HERE / "table.yaml"
PAGES = {
    "article.html": "https://news.example.co.uk/2023/05/the-weir-at-holm.html",
    "tables.html": "http://www.river.cn/news/5.html",
}
REGISTRIES: Mapping[str, FeatureRegistry[Any, Any]] = {
    "block": BLOCK_FEATURES,
    "surroundings": SURROUNDINGS_FEATURES,
    "segment": SEGMENT_FEATURES,
    "node": NODE_FEATURES,
    "page": PAGE_FEATURES,
    "patent": PATENT_FEATURES,
}


WORD_POINTS = WordPoints(
    names=(
        WordGroup(points=-2.5, words="sidebar menu comments"),
        WordGroup(points=-0.5, words="page footer td"),
        WordGroup(points=1.5, words="story entry content"),
    ),
    words=(WordGroup(points=-1.5, words="news imprint 首页"), WordGroup(points=0.5, words="weir")),
    headings=(WordGroup(points=-2.0, words="related comments"), WordGroup(points=1.0, words="water")),
)
"""Lower than -2 is strong."""


def measure_pages() -> dict[str, dict[str, dict[str, list[float]]]]:
    """Page -> kind of feature -> feature -> a value for each block, or one for the page."""
    rules, measured = msgspec.structs.replace(load_rules(), word_points=WORD_POINTS), {}
    for name, url in PAGES.items():
        document = parse_page((HERE / "pages" / name).read_bytes(), url=url)
        columns = build_columns(document, rules)
        measured[name] = measure_columns(columns, rules)
    return measured


def measure_columns(columns: PageColumns, rules: RuleSet) -> dict[str, dict[str, list[float]]]:
    """Kind of feature -> feature -> a value for each block, or one for the page."""
    return {
        "block": {name: _round(measure(columns, name)) for name in BLOCK_FEATURES},
        "surroundings": _measure_surroundings(columns),
        "segment": _measure_segments(columns, rules),
        "node": _measure_nodes(columns, rules),
        "page": _measure_view(view_page(columns, rules.page_type)),
        "patent": {name: [float(value)] for name, value in measure_patent_features(columns, rules).items()},
    }


def _measure_surroundings(columns: PageColumns) -> dict[str, list[float]]:
    """With points that rise and fall, so that no two neighbours are alike."""
    names = tuple(SURROUNDINGS_FEATURES)
    points = 4 * np.sin(np.arange(len(columns.blocks)) * 1.7)
    return {name: _round(row) for name, row in zip(names, measure_surroundings(columns, points, names), strict=True)}


def _measure_segments(columns: PageColumns, rules: RuleSet) -> dict[str, list[float]]:
    """With every text block kept that ends a sentence, whatever the cards say."""
    kept = np.array([text.endswith((".", "。", "”", "!", "?")) for text in columns.blocks.text], dtype=bool)
    score = np.where(kept, 2.5, -1.5)
    found = segment_page(columns, rules, BlockDecisions(score, kept, 0.5)).columns
    names = [*SEGMENT_FEATURES, *(f"token.{word}" for word in rules.segments.tokens)]
    return {name: _round(measure_segments(found, name)) for name in names}


def _measure_nodes(columns: PageColumns, rules: RuleSet) -> dict[str, list[float]]:
    nodes = find_nodes(columns, rules.segments)
    families = {"token.": rules.segments.tokens, "tag.": ("table", "td", "ul", "div", "article")}
    names = [*NODE_FEATURES, *(f"{prefix}{word}" for prefix, words in families.items() for word in words)]
    return {name: _round(measure_nodes(nodes, name)) for name in names}


def _measure_view(page: Any) -> dict[str, list[float]]:
    names = list(PAGE_FEATURES)
    return {name: _round([value]) for name, value in zip(names, measure_page(page, names).tolist(), strict=True)}


def _round(values: Floats | list[float]) -> list[float]:
    return [float(f"{value:.4g}") + 0.0 for value in np.asarray(values, dtype=np.float64).tolist()]


def read_table() -> dict[str, dict[str, dict[str, list[float]]]]:
    """What stands in the file."""
    return dict(yaml.safe_load(TABLE.read_text(encoding="utf-8")))


def write_table() -> None:
    """A feature a line."""
    lines = ["# Values of features; see table.py."]
    for page, kinds in measure_pages().items():
        lines.append(f"{page}:")
        for kind, features in kinds.items():
            lines.append(f"  {kind}:")
            for name, values in features.items():
                shown = ", ".join(".nan" if np.isnan(value) else f"{value:g}" for value in values)
                lines.append(f"    {name}: [{shown}]")
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_table()
