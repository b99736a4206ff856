"""Every feature on two small pages has the value that stands in `table.yaml`."""

from __future__ import annotations

import pytest

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
