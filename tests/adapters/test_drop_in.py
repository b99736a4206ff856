"""The table of what differs from trafilatura is what running both gives."""

import logging
from importlib.metadata import version

import pytest

from tests.adapters import need

need("trafilatura", "bench")

import drop_in
from trafilatura.xml import TEI_VALID_TAGS


@pytest.fixture(scope="module")
def rows() -> list[tuple[str, ...]]:
    logging.disable(logging.CRITICAL)
    try:
        return list(drop_in.list_rows())
    finally:
        logging.disable(logging.NOTSET)


def test_the_docs_say_what_differs(rows: list[tuple[str, ...]]) -> None:
    docs = drop_in.DOCS.read_text(encoding="utf-8")
    if f"trafilatura {version('trafilatura')} " not in docs:
        pytest.skip("another version of trafilatura than that of the table")
    assert f"\n\n{drop_in.write_table(rows)}\n\n" in docs


def test_all_tei_is_valid_and_no_key_column_or_element_is_missing(rows: list[tuple[str, ...]]) -> None:
    found = {row[0]: row[1:] for row in rows}
    n_valid, _, n_pages = found["valid `xmltei`, by trafilatura's schema"][1].partition(" of ")
    assert n_valid == n_pages
    assert int(n_pages) > 10
    assert [found[name][1] for name in ("keys of `json`", "`csv`")] == ["the same"] * 2
    elements = found["elements of `xml`"][1].removeprefix("also ").removeprefix("the same").split(", ")
    assert set(elements) <= {"", *TEI_VALID_TAGS}
    assert found["arguments of `extract`"][1] == "same names and order; other default: config"
