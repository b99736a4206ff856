"""Rules as they are being edited: read, checked and tested as if they were saved; and added to without loss."""

from pathlib import Path

import pytest

import webclean
from webclean.errors import InputError, RuleError
from webclean.rules import open_rules
from webclean.rules.files import read_rule_text
from webclean.server.tasks import InspectTask, PageTask, open_edited
from webclean.workbench.rule_checks import EditedRules, add_rules, list_faults, review_edited, write_edited

PAGE = b"""<h1>Ferries</h1><p>The ferry leaves the harbour at nine, and whoever wants a seat comes early.</p>
<p class="weather">The weather is fair today, the harbour master says, and will stay so until tomorrow.</p>"""
URL = "https://example.org/a"
RULE = {"when": {"selector": ".weather"}, "action": "drop", "because": "it changes daily"}
YAML = "rules:\n  a:\n    when: {selector: .weather}\n    action: drop\n    because: it changes daily\n"


def test_an_edited_file_takes_the_place_of_the_saved_one(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    saved = tmp_path / "sites" / "example.org.yaml"
    saved.write_text("rules:\n  no-title: {when: {selector: h1}, action: drop, because: x}\n")
    (tmp_path / "sites" / "other.org.yaml").write_text("rules: {}\n")
    edited = EditedRules(YAML, "example.org", "example.org.html", PAGE, tmp_path)
    with write_edited(edited) as (paths, file):
        assert webclean.clean(PAGE, url=URL, rules=paths).text.startswith("Ferries\n")
        assert "weather" not in webclean.clean(PAGE, url=URL, rules=paths).text
        assert (file.parent / "example.org.html").read_bytes() == PAGE
        assert {path.name for path in file.parent.iterdir()} == {
            "example.org.yaml", "other.org.yaml", "example.org.html",
        }  # fmt: skip
    assert not file.exists()
    assert saved.read_text().startswith("rules:\n  no-title")
    assert "weather" in webclean.clean(PAGE, url=URL, rules=tmp_path).text


@pytest.mark.parametrize("site", ["..", "a/b", ".hidden", "A.org", "a\n", "", "a" * 300])
def test_a_site_is_named_like_a_host(site: str) -> None:
    with pytest.raises(RuleError, match="cannot be the name"), write_edited(EditedRules(YAML, site)):
        pass


def test_a_file_is_reviewed_by_its_tests_and_by_what_its_rules_do() -> None:
    tested = YAML + "    tests: [{file: page.html, drop: [weather]}, {file: page.html, keep: [weather]}]\n"
    unused = tested + "  b:\n    when: {selector: .nowhere}\n    action: drop\n    because: y\n"
    with write_edited(EditedRules(unused, "example.org", "page.html", PAGE)) as (paths, file):
        book = open_rules(paths)
        assert list(list_faults(book, [file])) == []
        remarks = list(review_edited(book, file, webclean.clean(PAGE, url=URL, rules=paths)))
    assert [(one.kind, one.line, one.passed) for one in remarks] == [
        ("test", 2, True), ("test", 2, False), ("untested", 7, False), ("never fires", 7, False),
    ]  # fmt: skip
    assert remarks[1].message == "test 2 of a: must be kept and is not: 'weather'"


def test_faults_name_line_and_key_but_no_file_of_the_check() -> None:
    edited = EditedRules("rules:\n  a:\n    action: explode\n", "example.org")
    with open_edited(InspectTask(PageTask(b""), edited)) as (_, _, (fault,), file):
        assert (fault.kind, fault.line) == ("fault", 3)
        assert fault.message.startswith("rules.a.action: ")
        assert str(Path(str(file)).parent) not in fault.message


@pytest.mark.parametrize(
    ("before", "ids", "kept"),
    [
        ("", ["drop-1"], ""),
        ("# mine\n", ["drop-1"], "# mine\n\nrules:\n"),
        (YAML, ["a", "drop-1"], YAML),
        ("rules:  # mine\n  drop-1: {action: drop, because: x}\n", ["drop-1", "drop-2"], "rules:  # mine\n"),
        ("rules:\n  a: {action: drop}\n\nkeep: {cut: 0.5}\n", ["a", "drop-1"], "rules:\n  a: {action: drop}\n"),
        ("keep: {cut: 0.5}\n", ["drop-1"], "keep: {cut: 0.5}\n\nrules:\n"),
    ],
)
def test_rules_are_added_and_all_else_stays(before: str, ids: list[str], kept: str) -> None:
    after = add_rules(before, {"drop-1": RULE}, Path("a.yaml"))
    values = read_rule_text(after, Path("a.yaml")).values
    assert list(values["rules"]) == ids
    assert values["rules"][ids[-1]] == RULE
    assert after.startswith(kept)
    assert {key: values[key] for key in values if key != "rules"} == {
        key: value for key, value in read_rule_text(before, Path("a.yaml")).values.items() if key != "rules"
    }


@pytest.mark.parametrize("before", ["rules: {a: {action: drop}}\n", "rules:\n      a: {action: drop}\n"])
def test_a_section_that_cannot_be_added_to_is_left_alone(before: str) -> None:
    with pytest.raises(InputError, match="in lines of their own"):
        add_rules(before, {"drop-1": RULE}, Path("a.yaml"))
