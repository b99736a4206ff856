"""What people do with rules, through the command line and the functions behind it."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests import Capture, write_file
from webclean.checks import check_text, list_names
from webclean.cli import main
from webclean.rules import LayerKey, RuleBook
from webclean.rules.explanations import describe_schema
from webclean.rules.files import find_shipped_rules, read_rule_file, write_yaml

PAGE = """<title>Soup</title><nav><a href=/>Home</a></nav><main><h1>Soup</h1>
<p>Take a leek and cut it, and wash it well, since sand hides between the leaves of every leek.</p>
<aside class=notes><p>Keep a cup of the broth aside; it saves the soup when it boils down too far.</p></aside></main>"""
RULE = """rules:
  notes:
    when: {selector: aside.notes}
    action: keep
    because: the cook's notes belong to the recipe
    tests:
      - {html: '<p>x</p><aside class=notes><p>Salt late, and little of it, please.</p></aside>', keep: [Salt late]}
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    write_file(folder / "sites" / "cook-book.com.yaml", RULE)
    return folder


BROKEN = {
    "wrong type": "score_card: {bias: high}",
    "below the range": "statistics: {min_chars: -1}",
    "unknown section": "score_crd: {bias: 1}",
    "unknown key": "sites: {simlarity: 0.8}",
    "unknown key in a rule": "rules: {r: {action: keep, wenn: {}}}",
    "unknown action": "rules: {r: {action: remove}}",
    "no action": "rules: {r: {because: x}}",
    "bad selector": "rules: {r: {when: {selector: 'div['}, action: drop}}",
    "bad XPath": "rules: {r: {when: {selector: '//div['}, action: drop}}",
    "bad regex": "rules: {r: {when: {text: '(a'}, action: drop}}",
    "unknown feature": "rules: {r: {when: {features: {n_wrds: {above: 1}}}, action: drop}}",
    "bad selector of a field": "rules: {x: {action: {title: 'h1['}}}",
    "regex of a field that explodes": "fields: {author: {byline: '(?:[a-z]+ ?)+:'}}",
    "nothing to replace": "replaces: [cut, score_crd]",
    "unknown feature in a card": "score_card: {lines: {n_wrds: 1}}",
    "binary": "\x00\x01",
    "huge": "# " + "x" * 5_000_000,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_one_clear_error_and_exit_code_2(name: str, tmp_path: Path, capsys: Capture) -> None:
    path = write_file(tmp_path / "broken.yaml", BROKEN[name] + "\n")
    page = write_file(tmp_path / "page.html", PAGE)
    assert main(["rules", "check", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"webclean: {path}")
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    assert main(["clean", str(page), "--rules", str(path)]) == 2
    assert capsys.readouterr().err == captured.err


def test_a_fault_in_a_file_that_no_page_has_asked_for_is_found(book: Path, capsys: Capture) -> None:
    file = write_file(book / "sites" / "cook-book.com.yaml", RULE + "segments:\n  keep: {cutt: 1}\n")
    assert main(["rules", "check", "--rules", str(book)]) == 2
    assert f"{file}:9 at segments.keep.cutt: unknown key 'cutt'; did you mean 'cut'?" in capsys.readouterr().err


def test_the_shipped_files_say_nothing_that_cannot_be_used() -> None:
    for path in sorted(find_shipped_rules().rglob("*.yaml")):
        check_text(read_rule_file(path))


def test_show_names_the_file_and_line_of_every_value(book: Path, capsys: Capture) -> None:
    url = "https://www.cook-book.com/soup"
    assert main(["rules", "show", "--effective", url, "--rules", str(book), "--key", "rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("# hash ")
    assert any("rules.notes.action = 'keep'  # site, " in line and line.endswith(".yaml:4") for line in lines)
    assert main(["rules", "show", "--rules", str(book), "--key", "rules"]) == 0
    assert "rules.notes." not in capsys.readouterr().out


LONG = "The leek came to the valley with the monks, who grew it behind the mill and sold it at the gate. " * 4


def test_a_starter_file_is_valid_and_never_overwrites(tmp_path: Path, capsys: Capture) -> None:
    page = write_file(tmp_path / "page.html", PAGE)
    command = ["rules", "new", str(page), "--url", "https://www.cook-book.com/1", "-o", str(tmp_path / "mine")]
    assert main(command) == 2
    assert "say what the page is to be" in capsys.readouterr().err
    command += ["--type", "forum"]
    assert main(command) == 0
    made = tmp_path / "mine" / "sites" / "cook-book.com.yaml"
    assert capsys.readouterr().out == f"{made}\n{made.with_suffix('.html')}\n"
    assert made.with_suffix(".html").read_text() == PAGE
    assert set(RuleBook(folders=[tmp_path / "mine"]).for_page(LayerKey(sites=("cook-book.com",))).rules) >= {
        "page-type"
    }
    assert main(command) == 2
    assert "exists already" in capsys.readouterr().err


def test_texts_to_keep_and_drop_become_rules_whose_tests_pass(tmp_path: Path, capsys: Capture) -> None:
    page, made = tmp_path / "page.html", tmp_path / "mine" / "sites" / "cook-book.com.yaml"
    page.write_text(
        '<h1>Soup</h1><div id="text"><p>Cut the leeks and wash them well, since sand hides between the leaves.</p>'
        "<p>Sweat them in butter for ten minutes, and cook until they are soft, but never brown.</p></div>"
        '<footer><div class="notes"><p>Salt late.</p></div><p>Copyright 2024</p></footer>'
    )
    command = ["rules", "new", str(page), "--url", "https://www.cook-book.com/1"]
    assert main([*command, "-o", str(tmp_path / "mine"), "--keep", "Salt  late", "--drop", "Sweat them"]) == 0
    rules = RuleBook(folders=[tmp_path / "mine"]).for_page(LayerKey(sites=("cook-book.com",))).rules
    assert [rules[name].when.selector for name in ("keep-1", "drop-2")] == ["div.notes", "#text"]
    assert rules["drop-2"].description == "drops 2 of the 5 texts of this page"
    capsys.readouterr()
    assert main(["rules", "test", str(made)]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"
    assert main([*command, "--keep", "no such text"]) == 2
    assert "no text block of the page holds 'no such text'" in capsys.readouterr().err


def test_a_text_that_is_dropped_already_is_told_and_nothing_is_written(tmp_path: Path, capsys: Capture) -> None:
    page, mine = tmp_path / "page.html", tmp_path / "mine"
    page.write_text(PAGE + "<footer>Copyright 2024 – don’t copy</footer>")
    told = 'webclean: "Copyright 2024 - don\'t copy" is dropped already, so no rule is written for it\n'
    command = ["rules", "new", str(page), "-o", str(mine), "--drop", "Copyright 2024 - don't copy"]
    assert main(command) == 0
    assert tuple(capsys.readouterr()) == ("", told)
    assert not mine.exists()
    assert main([*command, "--drop", "wash it well"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith(told)
    rules = yaml.safe_load((mine / "sites" / "example.org.yaml").read_text())["rules"]
    assert [rule["tests"][0]["drop"] for rule in rules.values()] == [["wash it well"]]


def test_a_page_without_an_address_is_told_or_has_that_of_its_canonical_link(tmp_path: Path, capsys: Capture) -> None:
    page = write_file(tmp_path / "page.html", PAGE)
    command = ["rules", "new", str(page), "--drop", "wash it well"]
    assert main(command) == 0
    assert "no --url, and the page does not say its address" in capsys.readouterr().err
    page.write_text(f"<link rel=canonical href=https://www.cook-book.com/1>{PAGE}")
    assert main(command) == 0
    captured = capsys.readouterr()
    assert ("# Rules for cook-book.com" in captured.out, captured.err) == (True, "")


def test_the_schema_describes_every_section(capsys: Capture) -> None:
    assert main(["rules", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert {"score_card", "methods", "rules", "sites"} <= set(schema["$defs"]["RuleSet"]["properties"])
    assert "hash" not in schema["$defs"]["RuleSet"]["properties"]


def test_the_schema_asks_for_nothing_that_a_lower_layer_may_have_said() -> None:
    definitions = describe_schema(["n_words"])["$defs"]
    for name in ("RuleSet", "FieldRules", "TitleRules", "Sites", "Places", "Rule"):
        assert "required" not in definitions[name]
    assert definitions["Calibrated"]["required"] == ["expected", "reached"]
    assert definitions["When"]["properties"]["features"]["propertyNames"] == {"anyOf": [{"enum": ["n_words"]}]}


def test_shipped_files_are_valid_by_the_schema_and_typical_mistakes_are_not() -> None:
    validator = jsonschema.Draft202012Validator(describe_schema(*list_names()))
    for path in sorted(find_shipped_rules().rglob("*.yaml")):
        assert not list(validator.iter_errors(yaml.safe_load(path.read_text()))), path
    for name in ("wrong type", "below the range", "unknown section", "unknown key in a rule", "unknown action"):
        assert list(validator.iter_errors(yaml.safe_load(BROKEN[name]))), name
    for name in ("no action", "unknown feature", "unknown feature in a card"):
        assert list(validator.iter_errors(yaml.safe_load(BROKEN[name]))), name


def test_a_rule_is_switched_off_by_its_id_alone(tmp_path: Path, capsys: Capture) -> None:
    off = write_file(tmp_path / "off.yaml", "rules: {copyright-notice: {enabled: false}}")
    assert main(["rules", "check", str(off)]) == 0
    assert main(["rules", "test", str(off)]) == 0
    assert capsys.readouterr().out == "1 rule, 0 findings\n0 passed, 0 failed\n"


def test_written_yaml_reads_back_the_same() -> None:
    values = {"a": {"b": [1, {"c": "x: y", "d": None}], "long": "w " * 200}, "e": "版权", "f": {}, "g": [[1], [2, 3]]}
    assert yaml.safe_load(write_yaml(values, header="two\nlines")) == values


def test_carried_tests_run_and_a_failing_one_says_what_and_where(book: Path, capsys: Capture) -> None:
    file = book / "sites" / "cook-book.com.yaml"
    assert main(["rules", "test", str(file)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"
    file.write_text(RULE.replace("keep: [Salt late]", "keep: [Pepper]"))
    other = book.parent / "other" / "sites" / "cook-book.com.yaml"
    other.parent.mkdir(parents=True)
    other.write_text(RULE.replace("keep: [Salt late]", "keep: [Pepper]"))
    assert main(["rules", "test", str(other)]) == 1
    assert f"{other}:2: notes, test 1: must be kept and is not: 'Pepper'" in capsys.readouterr().out
