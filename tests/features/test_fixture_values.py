"""Features and segments of pages of `fixtures/` are those that stand in `fixture_values.json`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.features.fixture_values import FIXTURES, measure_fixture, read_table


@pytest.mark.parametrize("fixture", FIXTURES)
def test_values_are_those_of_the_table(fixture: str) -> None:
    found, expected = measure_fixture(fixture), read_table()[fixture]
    wrong = {
        f"{kind} {name}": (found[kind][name], values)
        for kind, features in expected.items()
        for name, values in features.items()
        if kind != "segments" and not _is_same(found[kind].get(name), values)
    }
    assert wrong == {}
    assert found["segments"] == expected["segments"]


def _is_same(found: list[Any] | None, expected: list[Any]) -> bool:
    """Numbers within a tolerance, checksums as they are."""
    if found is None or any(isinstance(value, str) for value in expected):
        return found == expected
    return found == pytest.approx(expected, rel=1e-3, abs=1e-6, nan_ok=True)
