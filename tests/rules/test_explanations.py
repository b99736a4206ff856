"""Each setting is explained once, above its value in a shipped file; other files get these comments by a command."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from webclean.checks import check_text
from webclean.cli import main
from webclean.errors import RuleError
from webclean.rules import load_rules
from webclean.rules.explanations import (
    NOT_WRITTEN,
    annotate_text,
    describe_schema,
    find_explained,
    list_sections,
    list_settings,
    read_comments,
)
from webclean.rules.files import find_shipped_rules, read_rule_file, read_rule_text
from webclean.rules.validate import read_hints

SHIPPED = find_shipped_rules()
FORMS = SHIPPED / "reference" / "forms.yaml"


def annotate(text: str) -> str:
    return annotate_text(read_rule_text(text, Path("x.yaml")))


def test_each_setting_has_exactly_one_explanation() -> None:
    found = Counter(key for path in SHIPPED.rglob("*.yaml") for key, _ in read_comments(read_rule_file(path)))
    keys = {
        find_explained((section, name))
        for section in list_sections()
        for name in read_hints(section)
        if name not in NOT_WRITTEN.get(section.__name__, ())
    }
    assert {key: found[key] for key in keys | found.keys()} == dict.fromkeys(keys, 1)


def test_what_learning_writes_anew_explains_nothing() -> None:
    learnt = [path for path in SHIPPED.glob("*.yaml") if "replaces" in read_rule_file(path).values]
    assert len(learnt) > 9
    assert [path.stem for path in learnt if "#:" in path.read_text(encoding="utf-8")] == []


def test_the_forms_of_rules_and_cards_are_a_file_that_loads() -> None:
    check_text(read_rule_file(FORMS))
    assert {"example-about-blocks", "example-about-the-page"} <= set(load_rules(FORMS).rules)
    assert "example-about-blocks" not in load_rules().rules


def test_a_section_says_of_what_it_shares_with_the_one_it_extends_what_that_says() -> None:
    definitions = describe_schema()["$defs"]
    shared, own = (definitions[name]["properties"] for name in ("MetaRules", "ImageRules"))
    assert own["confidence"]["description"] == shared["confidence"]["description"]
    assert own["metas"]["description"] != shared["metas"]["description"]
    assert definitions["TreeNode"]["properties"]["if"]["description"].startswith("what a branch asks")


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
    assert lines[0].startswith("#: How many of the ordered blocks are kept")
    assert lines[-2].startswith("  #: weight of recall")
    assert lines[-1] == "  beta: 2"


def test_what_is_written_is_read() -> None:
    text = read_rule_file(SHIPPED / "sites.yaml")
    assert list(read_comments(read_rule_text(annotate_text(text), text.file))) == list(read_comments(text))


def test_values_inside_braces_are_named_in_the_comments_above_the_line() -> None:
    text = annotate("cut: {beta: 2, shift: 1}\n")
    assert "#: beta: weight of recall" in text
    assert "#: shift: points added" in text


def test_the_entries_of_a_list_or_mapping_are_explained_once() -> None:
    text = annotate("rules:\n  a: {action: keep, because: x}\n  b: {action: drop, enabled: false}\n")
    assert text.count("#: action: ") == 1
    assert text.index("#: enabled: ") > text.index("  a: {")


def test_comments_of_hand_stay_and_those_of_older_rules_go() -> None:
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
