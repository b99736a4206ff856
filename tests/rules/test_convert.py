"""Cards in rule files: where their faults are, and earlier forms converted by one command."""

from __future__ import annotations

from pathlib import Path

import pytest

import webclean
from webclean.cli import main
from webclean.errors import RuleError
from webclean.rules import load_rules
from webclean.rules.card_schema import Bins

OLD = """# ours
score_card:
  lines:
    n_words: [{below: 4, points: -1}, {points: 0.5, because: long}]
  by_type: {forum: {lines: {n_words: [{below: 2, points: 1}, {points: 0}]}}}
# who wrote it
fields:
  author:
    card: {cut: 1.5, points: {h1: 0.5, n_chars: [[3, 1], [null, 2]]}}
roles:
  lines: {n_links: [{below: 3, points: {form: 1}}, {points: {header: -1}}]}
cut: {beta: 1.5}  # stays
"""


def test_an_earlier_form_is_refused_with_the_command_that_converts_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(OLD)
    with pytest.raises(RuleError, match=r"mine.yaml:4 at score_card.lines.n_words: .*webclean rules convert"):
        load_rules(file)
    assert main(["rules", "convert", str(file)]) == 0
    text = file.read_text()
    assert text.startswith("# ours\nscore_card:\n")
    assert "# who wrote it\nfields:\n" in text
    assert text.endswith("cut: {beta: 1.5}  # stays\n")
    converted = tmp_path / "converted.yaml"
    converted.write_text(text)
    rules = load_rules(converted)
    assert rules.score_card.lines["n_words"] == Bins(below=(4,), points=(-1, 0.5), because="long")
    assert rules.score_card.by_type["forum"].lines["n_words"] == Bins(below=(2,), points=(1, 0))
    assert rules.fields.author.card.bias == -1.5
    assert rules.fields.author.card.lines["h1"] == 0.5
    assert rules.fields.author.card.lines["n_chars"] == Bins(below=(3,), points=(1, 2))
    points = rules.roles.lines["n_links"]
    assert isinstance(points, Bins)
    assert isinstance(points.points, dict)
    assert (points.points["form"], points.points["header"]) == ((1, 0), (0, -1))


def test_a_file_in_the_present_form_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("score_card: {lines: {n_words: {below: [4],   points: [1, 2]}}}\n")
    assert main(["rules", "convert", str(file)]) == 0
    assert "nothing to convert" in capsys.readouterr().out
    assert file.read_text() == "score_card: {lines: {n_words: {below: [4],   points: [1, 2]}}}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "plain_card:\n  lines:\n    n_words:\n      below: [5, 2]\n      points: [1, 2, 3]\n",
            "mine.yaml:4 .*must rise",
        ),
        ("roles:\n  lines:\n    rank: {points: {novel: [1, 2, 3]}}\n", "mine.yaml:3 .*no class 'novel'"),
        ("roles:\n  bias:\n    novel: 1\n", "mine.yaml:3 .*unknown role 'novel'"),
        ("score_card:\n  words: {url: {a: 1}}\n", "mine.yaml:2 .*no 'words' here"),
        ("roles:\n  given:\n    n_lnks: {points: {form: [1]}}\n", "mine.yaml:3 .*did you mean 'n_links'"),
        ("score_card:\n  by_type:\n    forum: {lines: {n_wrds: 1}}\n", "mine.yaml:3 .*did you mean 'n_words'"),
    ],
)
def test_faults_of_a_card_have_file_line_and_key(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(RuleError, match=told):
        webclean.clean("<p>A text", rules=file)
