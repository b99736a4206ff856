"""`build_features.py`: tables of features -> the functions that fill them."""

from __future__ import annotations

import pytest

from build_features import write_features

AXIS = {"holder": "Trees", "variable": "trees", "shorthands": {"page": "Page"}, "rows": "trees.n"}
HOLDER = """
class Trees:
    n: int
    page: Page
    height: float
    leaves: float
    colour: float

    def give_looks(self, colour):
        self.colour = colour

def measure_height(trees: Trees):
    trees.height = trees.leaves

def count_leaves(trees: Trees):
    trees.leaves = read_page(trees)

def read_page(trees: Trees):
    return trees.page

def compare(trees: Trees, i: int):
    return trees.height[i]
"""


def write(expression: str, extra: str = "") -> str:
    tables = {"shape": {"one": ["m", "of it", expression]}}
    return write_features({"trees": f"{HOLDER}\n{extra}"}, {"tree": {**AXIS, "tables": tables}})


def test_a_feature_is_a_loop_over_its_expression() -> None:
    made = write("page.depth[i] + 1")
    assert "    page: Page = trees.page\n" in made
    assert "    n: cython.Py_ssize_t = trees.n\n" in made
    assert "    if number == 0:  # one\n        for i in range(n):\n            column[i] = page.depth[i] + 1\n" in made
    assert "TREE_TABLES = {'shape': [('one', 'm', 'of it', 'page.depth[i] + 1')]}\nTREE_NEEDS = [()]" in made


def test_a_pass_is_called_before_the_features_that_read_its_columns() -> None:
    assert "    if number == 0:  # one\n        ensure_count_leaves(trees)\n" in write("trees.leaves[i]")
    assert "ensure_count_leaves(trees)\n        measure_height(trees)" in write("1.0")  # which reads what it counts


def test_a_function_in_an_expression_needs_what_it_reads() -> None:
    assert "        ensure_measure_height(trees)\n        for i" in write("compare(trees, i)")


def test_what_is_made_elsewhere_is_named() -> None:
    assert "TREE_NEEDS = [('looks',)]" in write("trees.colour[i]")


@pytest.mark.parametrize(
    ("expression", "extra", "error"),
    [
        ("trees.age[i]", "", "the feature one reads trees.age, which Trees has not"),
        ("1 +", "", "the expression of one cannot be read"),
        ("1", "def count(trees: Trees):\n    trees.leaves = 1\n", "leaves is filled by count_leaves and by count"),
        (
            "1",
            "def grow(trees: Trees):\n    trees.a = trees.b\ndef rise(trees: Trees):\n    trees.b = trees.a\n",
            "passes that read each other's columns",
        ),
    ],
)
def test_what_cannot_be_is_refused(expression: str, extra: str, error: str) -> None:
    with pytest.raises(SystemExit, match=error):
        write(expression, extra)
