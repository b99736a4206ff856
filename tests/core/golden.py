"""Golden columns: what the core computes of some fixtures, as digests, so that a change that must change nothing is
held to it column by column. Renewed by `python -m tests.core.golden`; read which columns change before you commit that.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

import webclean
from webclean.classify.classification import PAGE_FEATURES, view_page
from webclean.decide import SURROUNDINGS_FEATURES, measure_surroundings
from webclean.features import BLOCK_FEATURES, measure
from webclean.page.formats import Analysis

FIXTURES: Final = Path(__file__).resolve().parents[2] / "fixtures"
KEPT: Final = Path(__file__).with_name("golden.json")
DOCUMENT: Final = (
    "names",
    "tag",
    "parent",
    "end",
    "depth",
    "link",
    "block",
    "displayed",
    "text",
    "text_owner",
    "text_next",
)
BLOCKS: Final = (
    *("row", "first", "last", "text", "visible", "block_of", "gap"),
    *("n_chars", "n_link_chars", "n_words", "n_link_words", "n_punctuation", "n_sentences"),
)
MEASURES: Final = (
    *("n_text_chars", "is_prose", "levels", "words", "link_words", "prose_words"),
    *("n_words_below", "n_link_words_below", "n_prose_words_below", "n_blocks_below"),
)
_DIGITS: Final = 9
"""Of floats: logarithms of another C library may differ in the last bits."""


def list_columns(analysis: Analysis) -> Iterator[tuple[str, Any]]:
    """(name, column) of everything that is held."""
    columns = analysis.columns
    for name in DOCUMENT:
        yield f"document.{name}", getattr(columns.document, name)
    for name in BLOCKS:
        yield f"blocks.{name}", getattr(columns.blocks, name)
    for name in MEASURES:
        yield f"measures.{name.replace('prose_words', 'sentence_words')}", columns.view(name)
    for name in BLOCK_FEATURES:
        yield f"feature.{name}", measure(columns, name)
    page = view_page(columns, analysis.rules.page_type)
    for name, feature in PAGE_FEATURES.items():
        yield f"page.{name}", [feature.compute(page)]
    names = tuple(SURROUNDINGS_FEATURES)
    yield from zip(
        (f"surroundings.{name}" for name in names),
        measure_surroundings(columns, analysis.decisions.score, names),
        strict=True,
    )


def digest(column: Any) -> str:
    """Of a list of strings, or of numbers whatever their type."""
    if len(column) and isinstance(column[0], str):
        written = "\0".join(column).encode("utf-8", "surrogatepass")
    else:
        written = (np.round(np.asarray(column, dtype=np.float64), _DIGITS) + 0.0).tobytes()
    return hashlib.blake2b(written, digest_size=4).hexdigest()


def list_fixtures() -> list[Path]:
    """Every fourth fixture, of all kinds."""
    return sorted(FIXTURES.rglob("input.html"))[::4]


def digest_fixture(path: Path) -> dict[str, str]:
    """Column -> digest."""
    return {name: digest(column) for name, column in list_columns(webclean.clean(path.read_bytes()).analysis)}


if __name__ == "__main__":
    found = {path.parent.name: digest_fixture(path) for path in list_fixtures()}
    KEPT.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
    print(f"{sum(map(len, found.values()))} columns of {len(found)} fixtures written")
