"""Rule files with comments that say what each value does, taken from the schema."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from webclean.cli import main
from webclean.errors import RuleError
from webclean.rules import load_rules
from webclean.rules.files import find_shipped_rules, read_rule_file, read_rule_text
from webclean.rules.published import list_settings, read_docstring
from webclean.workbench.descriptions import annotate_text, explain_values

LEARNT = {
    "article_card",
    "confidence",
    "fields_cards",
    "page_type",
    "page_type_tree",
    "plain_card",
    "roles",
    "score_card",
    "second_card",
    "sections",
    "splits",
    "title_tree",
    "word_points",
}
"""Files that `webclean learn` writes; a line of a card needs no comment of its own."""
SETTINGS = [
    path
    for path in sorted(find_shipped_rules().rglob("*.yaml"))
    # platforms are fifty files of one form, which docs/platforms.md explains once
    if path.stem not in LEARNT and path.parent.name != "platforms"
]


def annotate(text: str) -> str:
    return annotate_text(read_rule_text(text, Path("x.yaml")))


@pytest.mark.parametrize("path", SETTINGS, ids=[path.stem for path in SETTINGS])
def test_shipped_settings_carry_the_comments_of_the_schema(path: Path) -> None:
    text = read_rule_file(path)
    assert annotate_text(text) == text.text, f"run: webclean rules annotate {path}"


@pytest.mark.parametrize("path", SETTINGS, ids=[path.stem for path in SETTINGS])
def test_each_value_of_a_shipped_file_is_explained(path: Path) -> None:
    values = read_rule_file(path).values
    explained = {tuple(key) for key, _ in explain_values(values)}
    for section, settings in values.items():
        assert (section,) in explained
        if section not in ("rules", "version", "concepts"):
            assert {(section, name) for name in settings} <= explained


def test_each_number_says_what_happens_when_it_is_higher_or_lower() -> None:
    silent = [
        setting.key
        for setting in list_settings(load_rules())
        if setting.kind.startswith(("number", "integer"))
        and setting.key != "version"
        and not re.search(r"\b(?:Higher|Lower): ", setting.effect)
    ]
    assert silent == []


def test_a_setting_that_is_on_or_off_says_what_true_or_false_does() -> None:
    settings = [setting for setting in list_settings(load_rules()) if setting.kind == "boolean"]
    assert len(settings) > 4
    assert [setting.key for setting in settings if not re.search(r"\b(?:true|false)\b", setting.effect)] == []


def test_comments_stand_above_the_value_and_take_its_indentation() -> None:
    lines = annotate("cut:\n  beta: 2\n").splitlines()
    assert lines[-1] == "  beta: 2"
    assert lines[-2].startswith("  #: weight of recall")
    assert lines[0].startswith("#: What a value does")


def test_values_inside_braces_are_named_in_the_comments_above_the_line() -> None:
    text = annotate("cut: {beta: 2, shift: 1}\n")
    assert "#: beta: weight of recall" in text
    assert "#: shift: points added" in text


def test_the_entries_of_a_list_or_mapping_are_explained_once() -> None:
    text = annotate("rules:\n  a: {action: keep, because: x}\n  b: {action: drop, enabled: false}\n")
    assert text.count("#: action: ") == 1
    assert text.index("#: enabled: ") > text.index("  a: {")


def test_comments_of_hand_stay_and_those_of_an_older_schema_go() -> None:
    text = annotate("# ours\ncut:\n  #: what beta once was\n  beta: 2  # because\n")
    assert "# ours\n" in text
    assert "beta: 2  # because\n" in text
    assert "once was" not in text
    assert annotate(text) == text


def test_no_value_changes() -> None:
    text = "# none\nsites: {min_pages: 7}\nrules:\n  r:\n    action: keep\n    tests:\n    - html: |\n        <p>a\n\n"
    text += "        # no comment\n      keep: [a]\n"
    assert yaml.safe_load(annotate(text)) == yaml.safe_load(text)


def test_a_value_that_looks_like_a_comment_of_the_command_is_refused() -> None:
    with pytest.raises(RuleError, match="starts with `#:`"):
        annotate(
            "rules:\n  r:\n    action: keep\n    tests:\n    - html: |\n        <p>a\n        #: b\n      keep: [a]\n"
        )


def test_entries_of_a_docstring_go_on_in_indented_lines() -> None:
    text = "What it is.\n\n    a: one,\n        two.\n    b, c: three.\n    d: is no setting.\n"
    found = read_docstring(text, ["a", "b", "c"])
    assert found.effects == {"a": "one, two.", "b": "three.", "c": "three."}
    assert found.summary == "What it is. d: is no setting."


def test_the_command_writes_or_only_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("noscript: {min_words: 3}\n")
    assert main(["rules", "annotate", "--check", str(path)]) == 1
    assert path.read_text() == "noscript: {min_words: 3}\n"
    assert main(["rules", "annotate", str(path)]) == 0
    assert "#: min_words: a noscript with fewer words" in path.read_text()
    assert capsys.readouterr().out.splitlines()[-1] == f"{path}: comments written"
    assert main(["rules", "annotate", "--check", str(path)]) == 0
    assert capsys.readouterr().out == ""
