"""`build_features.py`: tables of features -> the functions that fill them."""

import pytest

from build_features import declare_columns, write_features

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
    # a function in an expression needs what it reads, and what is made elsewhere is named
    assert "        ensure_measure_height(trees)\n        for i" in write("compare(trees, i)")
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


PLAIN = """\
COLUMNS = {"tag": ("int32", "n"), "depth": ("int64", "n")}
KIND_FLAGS = {"header": 1, "list": 4}


class Page:
    n: int


class Trees:
    page: Page


def measure_leaves(trees: Trees):
    trees.leaves, trees.total = trees.page.take_rows(4), 0.5
    trees.leaves[0] = 1


def sum_leaves(trees: Trees): return trees.leaves[0] + trees.total


# what is added keeps every line in its place
def _join(text): return text


def find(text) -> cython.int: return 1


def tell(text) -> str: return text
"""


def test_the_build_declares_what_the_sources_say() -> None:
    declared = declare_columns({"plain": PLAIN}, {"tree": AXIS})["plain"].split("\n")
    added = {now for now, before in zip(declared, PLAIN.split("\n"), strict=True) if now != before}
    assert added == {
        'KIND_FLAGS = {"header": 1, "list": 4}; KIND_HEADER = cython.declare(cython.int, 1)'
        "; KIND_LIST = cython.declare(cython.int, 4)",
        "    tag: cython.p_int; depth: cython.p_longlong; n: int",
        "    leaves: cython.p_longlong; total: cython.double; page: Page",
        *("@cython.cclass", "@cython.final", "@cython.cfunc"),
    }
    assert declared.count("@cython.cfunc") == 2  # `tell` is called from Python
    assert (
        declared.index("@cython.cfunc") == PLAIN.split("\n").index("# what is added keeps every line in its place") - 1
    )


@pytest.mark.parametrize(
    ("written", "instead", "error"),
    [
        ("trees.leaves, ", "trees.leafs, ", "Trees is given what nothing reads: leafs"),
        ("trees.total = ", "trees.totals = ", "Trees is given what nothing reads: totals"),
        ("trees.leaves[0] + ", "", "nothing reads: leaves"),  # an entry that is assigned is not read
        ("4}\n\n\n", "4}\n\n", "Page needs 2 blank lines above it"),  # for its decorators
    ],
)
def test_columns_that_nothing_reads_and_classes_without_room_are_refused(
    written: str, instead: str, error: str
) -> None:
    with pytest.raises(SystemExit, match=error):
        declare_columns({"plain": PLAIN.replace(written, instead)}, {"tree": AXIS})
