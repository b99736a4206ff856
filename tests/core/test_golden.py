"""The columns of the fixtures are what they were; `python -m tests.core.golden` renews them."""

import json
from pathlib import Path

import pytest

from tests.core.golden import KEPT, digest_fixture, list_fixtures

GOLDEN = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", list_fixtures(), ids=lambda path: path.parent.name)
def test_columns_are_what_they_were(path: Path) -> None:
    known, found = GOLDEN[path.parent.name], digest_fixture(path)
    assert [name for name in found if found[name] != known.get(name)] == []
