"""Every feature on two small pages has the value that stands in `table.yaml`, on pages of `fixtures/` that in
`fixture_values.json`, with their segments.
"""

from typing import Any

import pytest

from tests.features import fixture_values
from tests.features.table import PAGES, REGISTRIES, measure_pages, read_table

Values = dict[str, dict[str, dict[str, list[float]]]]


@pytest.fixture(scope="module")
def found() -> Values:
    return measure_pages()


@pytest.mark.parametrize("kind", REGISTRIES)
@pytest.mark.parametrize("page", PAGES)
def test_values_are_those_of_the_table(page: str, kind: str, found: Values) -> None:
    wrong = {}
    for name, values in read_table()[page][kind].items():
        if name in found[page][kind] and found[page][kind][name] != pytest.approx(values, rel=1e-3, nan_ok=True):
            wrong[name] = (found[page][kind][name], values)
    assert wrong == {}


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_feature_has_its_line(kind: str) -> None:
    """`python -m tests.features.table` adds them."""
    table = read_table()
    missing = [name for name in REGISTRIES[kind] if name not in table["article.html"][kind]]
    assert missing == []


@pytest.mark.parametrize("fixture", fixture_values.FIXTURES)
def test_values_on_fixtures_are_those_of_the_table(fixture: str) -> None:
    found, expected = fixture_values.measure_fixture(fixture), fixture_values.read_table()[fixture]
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
