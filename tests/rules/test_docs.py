"""The examples of docs/rules.md are rules that load, and their tests pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webclean.rules import RuleBook
from webclean.workbench.rule_tests import run_rule_tests

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^### (\d+\. .*?)$.*?^```yaml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_there_are_ten_examples() -> None:
    assert [int(title.split(".")[0]) for title, _ in EXAMPLES] == list(range(1, 11))


@pytest.mark.parametrize(("title", "text"), EXAMPLES, ids=[title for title, _ in EXAMPLES])
def test_the_tests_of_an_example_pass(title: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(text, encoding="utf-8")
    results = list(run_rule_tests(RuleBook(files=[path]), (path,)))
    assert results
    assert [result.faults for result in results if result.faults] == []
