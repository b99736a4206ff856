"""The Markdown of fixtures/structure: how much of the structure of each kind of page is in it, and how it is scored."""

from collections import defaultdict

import pytest
from markdown_parts import read_parts, score_parts, score_table
from structure import Row, find_writers, read_cases, score_case, summarise

OVERALL = 0.98
"""Of all pages; measured .995."""
OF_A_KIND = 0.93
OF_A_PAGE = 0.6


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    write = find_writers(["webclean"])["webclean"]
    return [score_case(write, case) for case in read_cases()]


def test_there_are_pages_of_every_kind_in_both_sets() -> None:
    sets: dict[str, set[str]] = defaultdict(set)
    for case in read_cases():
        sets[case.group].add(case.kind)
    assert sets["seen"] == sets["held-out"]
    assert len(list(read_cases())) >= 110


def test_structure_is_as_good_as_it_was(rows: list[Row]) -> None:
    summary = summarise(rows)
    assert summary["overall"] >= OVERALL
    assert summary["held-out"] >= OVERALL
    assert {name: value for name, value in summary.items() if name.startswith("kind ") and value < OF_A_KIND} == {}
    assert [f"{row.case.kind}/{row.case.name}" for row in rows if row.score < OF_A_PAGE] == []


def test_the_wanted_markdown_is_read_as_itself() -> None:
    for case in read_cases():
        parts = read_parts(case.markdown)
        assert set(score_parts(parts, parts).values()) == {1.0}


MARKDOWN = """# T

A **b** $x^2$ [l](/u).[^1]

- one
  1. two

| a | b |
| --- | --- |
| 1 | 2 |

```py
x = 1
```

$$
y
$$

[^1]: note
"""


def test_parts() -> None:
    parts = read_parts(MARKDOWN)
    assert parts.text == ["# T", "A **b** l.[^1]", "one", "two", "note"]
    assert parts.items == ["- one", "  1. two"]
    assert parts.code == ["py\nx = 1"]
    assert parts.tables == [[["a", "b"], ["1", "2"]]]
    assert parts.formulas == ["x^2", "y"]
    assert dict(parts.links) == {"/u": 1}


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("text", "A **b**", "A b"),
        ("list", "  1. two", "- two"),
        ("code", "```py", "```"),
        ("table", "| 1 | 2 |", "| 1 | 3 |"),
        ("formula", "x^2", "x"),
        ("link", "/u", "/v"),
    ],
)
def test_each_part_notices_its_fault(part: str, old: str, new: str) -> None:
    assert old in MARKDOWN
    scores = score_parts(read_parts(MARKDOWN.replace(old, new)), read_parts(MARKDOWN))
    assert [name for name, value in scores.items() if value < 1] == [part]


def test_a_part_that_only_one_has_scores_nothing() -> None:
    assert score_parts(read_parts("a"), read_parts("a\n\n```\nx\n```"))["code"] == 0
    assert score_parts(read_parts("a\n\n| x |\n| --- |\n| y |"), read_parts("a"))["table"] == 0


def test_teds_of_a_missing_cell() -> None:
    wanted = [["a", "b"], ["1", "2"]]
    assert score_table(wanted, wanted) == 1
    assert score_table([["a", "b"], ["1"]], wanted) == pytest.approx(1 - 1 / 7)
