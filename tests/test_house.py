"""What holds of every module of the package."""

import functools
import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import webclean
from webclean import caching
from webclean.errors import LimitExceeded, RuleError
from webclean.model import FieldValue, FieldValues

ROOT = Path(webclean.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if path.name != "__main__.py" and (path.parent.name != "core" or path.name == "__init__.py")
)
"""All modules but the sources of the core, which are compiled and never imported as Python."""
GROWING = frozenset(
    """
    batch.sources.Position
    cli.clean.Report
    compat.documents.ExtractedDocument
    outputs.phone.index_cards.CardEntry
    parse.columns.ParsedNodes
    parse.limits.Budget
    parse.prepare.FoundTags
    rules.files._EventReader
    sites.site_pages.Cluster
    sites.site_pages.Vote
    sites.site_pages.PlaceCount
    sites.site_pages.SiteRepeats
    sites.site_pages.TextCount
    web.joining._Walk
    web.rendering._Rendering
    workers._Task
    workers._Worker
    """.split()  # noqa: SIM905  a table of names reads better
)
"""Classes that are filled step by step; all others are frozen."""
OPTIONAL = ("webclean.server.mcp_server", "webclean.web.crawl", "webclean.web.discovery")
"""Modules whose libraries need not be installed."""
CACHES = (caching.cached_property, functools.cached_property)

ARRAY = re.compile(r"\b(?:Floats|Rows|Mask|NDArray|Keys|_Vector)\b")


def import_unless_missing(name: str) -> ModuleType:
    """A module; skips one of an adapter whose library is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if not name.startswith(OPTIONAL) or (error.name or "").startswith("webclean"):
            raise
        pytest.skip(f"needs {error.name}")


@pytest.mark.parametrize("name", MODULES)
def test_dataclasses_are_slotted_unless_they_cache_and_frozen_unless_they_grow(name: str) -> None:
    """Those that hold arrays are compared by identity: arrays have no one answer to `==`, and no hash."""
    pytest.importorskip("sklearn")
    pytest.importorskip("starlette")
    for found in vars(import_unless_missing(name)).values():
        if isinstance(found, type) and is_dataclass(found) and found.__module__ == name:
            own = vars(found)
            caches = any(
                isinstance(value, caching.cached_property | functools.cached_property) for value in own.values()
            )
            assert ("__slots__" in own) != caches, found
            grows = f"{name.removeprefix('webclean.')}.{found.__name__}" in GROWING
            assert found.__dataclass_params__.frozen != grows, found  # type: ignore[attr-defined]
            holds_arrays = any(ARRAY.search(str(field.type)) for field in fields(found))
            assert not (holds_arrays and found.__dataclass_params__.eq), found  # type: ignore[attr-defined]


def test_errors_say_where_and_what() -> None:
    assert str(RuleError("wrong")) == "wrong"
    assert str(RuleError("wrong", key="a.b")) == "at a.b: wrong"
    found = RuleError("wrong", file="f.yaml", line=3, key="a.b")
    assert str(found) == "f.yaml:3 at a.b: wrong"
    assert (found.file, found.line, found.key) == ("f.yaml", 3, "a.b")
    assert (RuleError("wrong").file, RuleError("wrong").line, RuleError("wrong").key) == ("", 0, "")
    limit = LimitExceeded("max_depth", 1500.0, 1000)
    assert str(limit) == "max_depth: 1500 is over the limit of 1000"
    assert (limit.limit, limit.value, limit.maximum) == ("max_depth", 1500.0, 1000)


def test_what_is_not_known_has_no_confidence() -> None:
    assert FieldValue(None) == FieldValue(None, "", 0.0, ())
    assert FieldValues() == FieldValues((), "", 0.0)
