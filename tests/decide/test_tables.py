"""Data tables in the text: what is one, and that it rises to the kept text before it."""

from __future__ import annotations

import numpy as np
import pytest

import webclean
from tests.decide.test_regions import SENTENCE, list_points, read_columns
from webclean.decide.corrections import correct_tables, find_data_tables
from webclean.rules import load_rules
from webclean.rules.decide_schema import DataTables

ARTICLE = {"article": 1.0}
ROWS = "".join(
    f"<tr><th>{month}</th><td>{level} cm</td></tr>" for month, level in (("May", 141), ("June", 122), ("July", 97))
)
TABLE = f"<table>{ROWS}</table>"
PARAGRAPH = f"<p>{SENTENCE}</p>"


@pytest.fixture
def rules() -> DataTables:
    return load_rules().corrections.tables


def gain(html: str, points: list[float], rules: DataTables, kind: str = "article") -> list[float]:
    columns, given = read_columns(html), np.array(points)
    found = correct_tables(columns, given, given > 0, rules, {kind: 1.0})
    return list_points(found, points)


@pytest.mark.parametrize(
    ("table", "n"),
    [
        (TABLE, 6),
        (f"<table><tr><td><table>{ROWS}</table></td></tr></table>", 6),  # the innermost
        (f"<table>{ROWS.replace('</td>', '</td><td></td>')}</table>", 6),
        (TABLE.replace("<th>July", "</tr><tr hidden><th>July"), 6),
        (TABLE.replace("<tr><th>July</th><td>97 cm</td></tr>", ""), 0),  # two rows
        (TABLE.replace("</th><td>", " "), 0),  # one cell a row
        (
            TABLE.replace("</th><td>", " ")
            .replace("</th>", "</th><td></td>")
            .replace("</td></tr>", "</td><td></td></tr>"),
            3,
        ),
        (TABLE.replace("cm", SENTENCE * 4), 0),  # long cells lay out a page
        (TABLE.replace("<td>", "<td><a href=/x>").replace("</td>", "</a></td>"), 0),
        ("<table></table>", 0),
        ("", 0),
    ],
)
def test_a_data_table_has_rows_of_short_cells_and_few_links(table: str, n: int, rules: DataTables) -> None:
    found = list(find_data_tables(read_columns(f"{PARAGRAPH}{table}"), rules))
    assert [len(cells) for cells in found] == ([n] if n else [])


def test_cells_rise_to_the_best_kept_text_before_their_table(rules: DataTables) -> None:
    html = f"{PARAGRAPH}{PARAGRAPH}<p>As the table shows:</p>{TABLE}{PARAGRAPH}"
    points = [3.0, 1.0, 2.0, -1.0, -2.0, -3.0, 4.0, 0.0, -1.0, -5.0]
    assert gain(html, points, rules) == [0, 0, 0, 4.0, 5.0, 6.0, 0.0, 3.0, 4.0, 0]


def test_a_table_far_from_kept_text_is_left_alone(rules: DataTables) -> None:
    low = [-1.0] * 6
    assert not any(gain(f"{PARAGRAPH}{TABLE}", [-1.0, *low], rules))
    assert any(gain(f"{PARAGRAPH}<p>a</p><p>b</p>{TABLE}", [1.0, -1.0, -1.0, *low], rules))
    assert not any(gain(f"{PARAGRAPH}<p>a</p><p>b</p><p>c</p>{TABLE}", [1.0, -1.0, -1.0, -1.0, *low], rules))
    assert not any(gain(f"<p>Two words</p>{TABLE}", [1.0, *low], rules))
    assert any(gain(f"<h1>Levels</h1>{TABLE}", [1.0, *low], rules))
    assert not any(gain(TABLE, low, rules))


def test_tables_of_threads_and_lists_are_left_alone(rules: DataTables) -> None:
    points = [1.0, *[-1.0] * 6]
    assert not any(gain(f"{PARAGRAPH}{TABLE}", points, rules, "forum"))
    assert not any(gain(f"{PARAGRAPH}{TABLE}", points, rules, "collection"))
    assert any(gain(f"{PARAGRAPH}{TABLE}", points, rules, "documentation"))


def test_a_kept_table_says_why() -> None:
    text = "".join(f"<p>{SENTENCE} {SENTENCE}</p>" for _ in range(4))
    page = webclean.clean(f"<title>Lake levels</title><article><h1>Lake levels</h1>{text}{TABLE}{text}</article>")
    (correction,) = [c for c in page.analysis.decisions.corrections if c.name == "tables"]
    assert correction.tell(0) == "in a data table after kept text"
    assert "July 97 cm" in " ".join(page.text.split())
