"""The values of all features and what is made of segments on pages of `fixtures/`, in `fixture_values.json`.

`python -m tests.features.fixture_values` writes it anew after a change that is meant; the diff is what a reviewer
reads. A feature of blocks has two numbers: its mean, and the mean weighed by the place, so that no change is lost.
They are all that a learner sees of a page, so `benchmarks/remake.py` tells by them which cards are older than the code.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tests.features.table import WORD_POINTS, measure_columns
from webclean.classify.classification import CHANNELS, PageView, list_channel_words
from webclean.features import PageColumns
from webclean.fields import extract_fields
from webclean.fields.candidates import Candidate
from webclean.fields.statements import PageStatements
from webclean.fields.title import collect_title_texts
from webclean.model import BlockDecisions
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import RuleSet, load_rules
from webclean.segments import build_semantic_blocks

ROOT = Path(__file__).resolve().parent.parent.parent / "fixtures"
TABLE = Path(__file__).parent / "fixture_values.json"
FIXTURES = (
    "content/bbs-zh-discuz",
    "content/blog-comments",
    "content/docs-code-tables",
    "content/encyclopedia-lighthouse",
    "content/forum-thread-en",
    "content/news-ja-comments",
    "content/news-ru-cp1251",
    "content/product-teapot",
    "content/qa-database-lock",
    "content/table-layout-2003",
    "index/blog-front-teasers",
    "index/job-list",
    "index/portal-en-front",
    "index/portal-zh-news",
    "index/search-results",
    "index/shop-category-lamps",
    "multi_block/company-about-bootstrap",
    "multi_block/museum-visit",
)


def measure_fixture(name: str) -> dict[str, dict[str, list[Any]]]:
    """Kind of feature -> feature -> two numbers, or one for the page; `segments`: what is made of them."""
    rules = msgspec.structs.replace(load_rules(), word_points=WORD_POINTS)
    url = json.loads((ROOT / name / "meta.json").read_text(encoding="utf-8")).get("url") or None
    columns = build_columns(parse_page((ROOT / name / "input.html").read_bytes(), url=url), rules)
    measured = {
        kind: {feature: _summarise(values) for feature, values in features.items()}
        for kind, features in measure_columns(columns, rules).items()
    }
    return {
        **measured,
        "words": _describe_words(columns, rules),
        **_describe_candidates(columns, rules),
        "segments": _describe_segments(columns, rules),
    }


def _describe_words(columns: PageColumns, rules: RuleSet) -> dict[str, list[Any]]:
    """Of each channel that the card of page types reads: how many words it has, and their checksum."""
    source = PageView(columns, rules.page_type)
    found = {channel: sorted(list_channel_words(source, channel)) for channel in CHANNELS}
    return {channel: [len(words), _check("\n".join(words).encode())] for channel, words in found.items()}


def _describe_candidates(columns: PageColumns, rules: RuleSet) -> dict[str, dict[str, list[Any]]]:
    """Of each field, and of the tree of titles: the candidates and their features. Dates and authors are near to the
    first h1, whatever the cards say."""
    fields = extract_fields(columns, None, rules)
    titles, about = fields.collect("title", -1)
    first = next((title.row for title in titles if "h1" in title.features), -1)
    others = {name: _describe_features(*fields.collect(name, first)) for name in ("date", "author")}
    texts = collect_title_texts(PageStatements(columns), rules.fields.title)
    return {"title": _describe_features(titles, about), **others, "title_text": _describe_features(texts, {})}


def _describe_features(candidates: Sequence[Candidate], about: Mapping[str, float]) -> dict[str, list[Any]]:
    """Each feature over all candidates, 0 where one lacks it; then what is said of the page, and a checksum of the
    values."""
    names = sorted({name for candidate in candidates for name in candidate.features})
    values = {name: [candidate.features.get(name, 0.0) for candidate in candidates] for name in names}
    of_page = {f"page {name}": [float(value)] for name, value in sorted(about.items())}
    texts = "\n".join(candidate.value for candidate in candidates).encode("utf-8", "surrogatepass")
    return {**{name: _summarise(own) for name, own in values.items()}, **of_page, "values": [_check(texts)]}


def _summarise(values: list[float]) -> list[float]:
    if len(values) == 1:
        return values
    numbers = np.array(values)
    means = (numbers.mean(), (numbers * np.linspace(1, 2, len(numbers))).mean())
    return [float(f"{value:.5g}") + 0.0 for value in means]


def _describe_segments(columns: PageColumns, rules: RuleSet) -> dict[str, list[Any]]:
    """Of each segment its characters and importance; checksums of its links, paths and records. The points of blocks
    are those of their length, whatever the cards say."""
    score = np.log1p(columns.blocks.n_words) - 2
    blocks = build_semantic_blocks(columns, BlockDecisions(score, score > 0, 0.0), rules)
    return {
        "n_chars": [len(block.text) for block in blocks],
        "importance": [block.importance for block in blocks],
        "n_records": [len(block.records) for block in blocks],
        "headings": [_check("\n".join(block.heading for block in blocks).encode())],
        "links": [_check(msgspec.json.encode(block.links)) for block in blocks],
        "xpaths": [_check(msgspec.json.encode(block.xpaths)) for block in blocks],
        "records": [_check(msgspec.json.encode(block.records)) for block in blocks],
    }


def _check(text: bytes) -> str:
    return f"{zlib.crc32(text):08x}"


def read_table() -> dict[str, dict[str, dict[str, list[Any]]]]:
    """What stands in the file."""
    return dict(json.loads(TABLE.read_text(encoding="utf-8")))


def write_table() -> None:
    """A feature a line."""
    fixtures = []
    for fixture in FIXTURES:
        kinds = []
        for kind, features in measure_fixture(fixture).items():
            lines = [f'  "{name}": {json.dumps(values)}' for name, values in features.items()]
            kinds.append(f' "{kind}": {{\n' + ",\n".join(lines) + "\n }")
        fixtures.append(f'"{fixture}": {{\n' + ",\n".join(kinds) + "\n}")
    TABLE.write_text("{\n" + ",\n".join(fixtures) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write_table()
