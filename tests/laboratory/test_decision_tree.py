"""The ID3 learner against computations by hand, and the walk over a tree."""

from collections.abc import Iterator

import msgspec
import numpy as np
import pytest
import yaml

from webclean.laboratory.fitting import learn_tree
from webclean.laboratory.harness import write_tree
from webclean.rules.card_schema import TreeNode, parse_test, read_probabilities, walk_tree

# Quinlan (1986), table 1: play on Saturday mornings. Outlook as three yes/no columns, humidity, windy.
WEATHER = [
    # sunny overcast rain high windy  class
    (1, 0, 0, 1, 0, "N"),
    (1, 0, 0, 1, 1, "N"),
    (0, 1, 0, 1, 0, "P"),
    (0, 0, 1, 1, 0, "P"),
    (0, 0, 1, 0, 0, "P"),
    (0, 0, 1, 0, 1, "N"),
    (0, 1, 0, 0, 1, "P"),
    (1, 0, 0, 1, 0, "N"),
    (1, 0, 0, 0, 0, "P"),
    (0, 0, 1, 0, 0, "P"),
    (1, 0, 0, 0, 1, "P"),
    (0, 1, 0, 1, 1, "P"),
    (0, 1, 0, 0, 0, "P"),
    (0, 0, 1, 1, 1, "N"),
]
NAMES = ["sunny", "overcast", "rain", "high", "windy"]
VALUES = np.array([row[:5] for row in WEATHER], dtype=float)
ANSWERS = [row[5] for row in WEATHER]


def list_nodes(root: TreeNode) -> Iterator[tuple[int, TreeNode]]:
    """(depth, node) of every node, in reading order."""
    todo = [(0, root)]
    while todo:
        depth, node = todo.pop()
        yield depth, node
        todo.extend((depth + 1, below) for below in (node.otherwise, node.then) if below is not None)


def test_id3_asks_the_attribute_of_largest_gain_first() -> None:
    tree = learn_tree(VALUES, ANSWERS, NAMES)
    # overcast: 4 of 14 all P; the rest 5 P, 5 N: .940 - 10/14 * 1 = .226, the largest of the five
    assert tree.test == "overcast >= 0.5"
    assert tree.then == TreeNode(answer="P", counts={"P": 4})
    for row, answer in zip(VALUES, ANSWERS, strict=True):
        assert walk_tree(tree, dict(zip(NAMES, row, strict=True)).__getitem__)[0].answer == answer


def test_a_threshold_lies_between_the_two_values_and_is_short() -> None:
    values = np.array([[1.23456], [1.3], [7.71111], [9.0]])
    tree = learn_tree(values, ["a", "a", "b", "b"], ["x"])
    assert tree.test == "x >= 4.51"
    close = learn_tree(np.array([[0.12345], [0.12346]]), ["a", "b"], ["x"])
    assert 0.12345 < parse_test(str(close.test)).threshold <= 0.12346


def test_pruning_cuts_a_tree_grown_on_noise_to_a_leaf() -> None:
    random = np.random.default_rng(3)
    values, answers = random.normal(size=(300, 4)), ["a" if x < 0.3 else "b" for x in random.random(300)]
    names = list("wxyz")
    grown = learn_tree(values, answers, names, min_samples_leaf=2, max_depth=12)
    pruned = learn_tree(values, answers, names, min_samples_leaf=2, ccp_alpha=0.03, max_depth=12)
    assert len(list(list_nodes(grown))) > 40
    assert len(list(list_nodes(pruned))) < len(list(list_nodes(grown))) / 3
    assert learn_tree(values, ["a"] * 300, names).answer == "a"


def test_class_weights_move_the_answer_and_the_counts() -> None:
    values = np.zeros((10, 1))
    answers = ["rare"] * 2 + ["common"] * 8
    assert learn_tree(values, answers, ["x"]).answer == "common"
    weighted = learn_tree(values, answers, ["x"], class_weight={"rare": 5, "common": 1})
    assert weighted.answer == "rare"
    assert weighted.counts == {"rare": 10, "common": 8}


def test_a_missing_value_takes_else_in_learning_and_in_use() -> None:
    values = np.array([[np.nan]] * 5 + [[3.0]] * 5)
    tree = learn_tree(values, ["a"] * 5 + ["b"] * 5, ["x"])
    assert walk_tree(tree, lambda _: float("nan"))[0].answer == "a"
    assert walk_tree(tree, lambda _: 3.0)[0].answer == "b"


def test_yaml_of_a_tree_reads_back_as_the_same_tree() -> None:
    tree = learn_tree(VALUES, ANSWERS, NAMES)
    for one in (tree, TreeNode(answer="a", because='say "a": b')):
        assert msgspec.convert(yaml.safe_load(write_tree(("tree",), one, "A tree."))["tree"], TreeNode) == one
    assert {parse_test(node.test).name for _, node in list_nodes(tree) if node.test} <= set(NAMES)


def test_a_walk_tells_its_steps() -> None:
    tree = msgspec.convert(
        {"if": "n >= 2", "because": "enough", "then": {"if": "m < 1", "then": {"is": "a"}, "else": {"is": "b"}}}
        | {"else": {"is": "c", "counts": {"c": 3, "a": 1}}},
        TreeNode,
    )
    leaf, path = walk_tree(tree, {"n": 2.0, "m": 1.0}.__getitem__)
    assert leaf.answer == "b"
    assert [(step.condition.name, step.held) for step in path] == [("n", True), ("m", False)]
    assert path[0].because == "enough"
    leaf, _ = walk_tree(tree, {"n": 0.0}.__getitem__)
    assert read_probabilities(leaf) == {"c": 0.75, "a": 0.25}


@pytest.mark.parametrize(
    "wrong",
    [{"if": "n >= 2", "then": {"is": "a"}}, {"is": "a", "then": {"is": "b"}}, {"if": "n > ", "then": {}, "else": {}}],
)
def test_a_node_is_a_branch_or_a_leaf(wrong: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, TreeNode)
