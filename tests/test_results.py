"""The documents say what was measured, results are well formed, and what is stale is found.

That nothing which ships is stale is held by `python benchmarks/remake.py --status` before a release, not here: renewing
a result takes hours and corpora that not everybody has, and who changes a rule or a line of code needs neither.
"""

import datetime
import json
import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import remake
import results
import tables
from remake import STEPS, Step
from results import Result

from tests import Capture, Patch, write_file


@pytest.mark.parametrize("name", results.list_results())
def test_a_result_says_how_and_when_it_was_made_and_holds_figures_or_a_report(name: str) -> None:
    result = results.read_result(name)
    assert result is not None
    assert result.command.startswith("python ")
    assert not result.inputs or datetime.date.fromisoformat(result.date), "what says its inputs says its day"
    assert bool(result.figures) != bool(result.report)
    assert all(math.isfinite(value) for own in result.figures.values() for value in own.values())
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d: \S.*", reason) for reason in result.carried)
    step = next((step for step in STEPS if step.name == name), None)
    of_files = {"rules", "card", "learnt", "features", "data"}
    assert {*result.inputs} <= {*of_files, *(step.peers if step else ())}
    hashes = [value for key, value in result.inputs.items() if key in of_files]
    assert all(re.fullmatch(r"[0-9a-f]{16}", value) for value in hashes)


@pytest.mark.parametrize("path", tables.DOCUMENTS, ids=lambda path: path.name)
def test_tables_say_what_the_results_say(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert tables.fill_tables(text, tables.make_tables()) == text, "python benchmarks/remake.py --tables"


@pytest.mark.parametrize("name", ["methods.md", "sites.md"])
def test_scores_stand_in_tables_that_are_made_of_results(name: str) -> None:
    """What was measured once and typed into a sentence is wrong at the next change, and nobody sees it."""
    text = (tables.CLONE / "docs" / name).read_text(encoding="utf-8")
    by_hand = re.sub(r"<!-- table: .*?<!-- end -->|^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    assert re.findall(r"(?<![\w.])[01]?\.\d{3,}\b", by_hand) == []
    assert not re.search(r"F1? (?:rises|rose|falls|fell)|worth when", by_hand)


def test_every_table_stands_in_one_document() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in tables.DOCUMENTS)
    assert [text.count(f"<!-- table: {name} -->\n") for name in tables.read_tables()] == [1] * len(tables.read_tables())
    assert text.count("<!-- table: ") == text.count("<!-- end -->") == len(tables.read_tables())


def test_steps_name_rules_and_answers_that_exist() -> None:
    paths = [*results.RULES.rglob("*.yaml")]
    rules, folders = {path.stem for path in paths}, {path.parent.name for path in paths}
    for step in STEPS:
        assert {*step.writes} <= rules
        assert {*(step.reads or ())} <= rules | folders
        assert results.hash_values(step.sees), "kinds of features that stand in the table of values"
        assert bool(results.hash_learnt(step.learnt)) and bool(step.writes) == bool(step.learnt)


def test_a_card_is_as_old_as_the_values_that_it_was_learnt_from(tmp_path: Path, monkeypatch: Patch) -> None:
    seen = []
    for page, words in ((1.0, 2.0), (1.0, 3.0), (1.5, 3.0)):
        monkeypatch.setattr(results, "VALUES", tmp_path / "values.json")
        results.VALUES.write_text(json.dumps({"a page": {"page": {"share": [page]}, "words": {"head": [words]}}}))
        seen.append(results.hash_values(["page"]))
    assert seen[0] == seen[1] != seen[2]


def test_values_of_rules_count_and_comments_do_not(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(results, "RULES", tmp_path)
    seen = []
    for number, text in enumerate(("a: 1\nb: 2\n", "# said\nb: 2\na: 1\n", "a: 1\nb: 3\n")):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.setattr(results, "RULES", folder)
        (folder / "card.yaml").write_text(text)
        seen.append(results.hash_rules(["card"]))
    assert seen[0] == seen[1] != seen[2]


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: Patch) -> tuple[Step, ...]:
    """Two steps over one folder of data; each writes a line into a log when it runs."""
    write_file(tmp_path / "pages" / "1", "page")
    script = tmp_path / "measure.py"
    script.write_text(
        "import json, pathlib, sys\n"
        "here, (name, file, _) = pathlib.Path(__file__).parent, sys.argv[1:]\n"
        "pathlib.Path(file).write_text(json.dumps({'summary': {'ours': {'f1': 0.12345}}, 'n_pages': 1}))\n"
        "(here / 'log').open('a').write(name + ' ')\n"
    )
    made = tuple(Step(name, f"{script} {name} {{json}} {{pages}}", 2, reads=["cut"]) for name in ("one", "two"))
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(remake, "STEPS", made)
    monkeypatch.setattr(remake, "write_tables", lambda: None)
    return made


def test_a_run_goes_on_where_it_was(steps: tuple[Step, ...], tmp_path: Path, capsys: Capture) -> None:
    assert remake.run_steps(steps[:1], tmp_path) == 0
    assert remake.run_steps(steps, tmp_path) == 0
    assert (tmp_path / "log").read_text() == "one two "
    shown = capsys.readouterr().out
    assert "one: holds\ntwo: never run; about 2.0 minutes\n" in shown
    one = results.read_result("one")
    assert one is not None
    assert (one.figures, one.n_pages, set(one.inputs)) == ({"ours": {"f1": 0.1235}}, 1, {"rules", "data"})
    (tmp_path / "pages" / "2").write_text("another page")
    assert remake.find_faults(steps[0], tmp_path) == ["data changed"]
    assert remake.find_faults(steps[0]) == [], "without data at hand nothing is said of it"


def test_a_failed_step_ends_the_run_and_keeps_what_is_done(
    steps: tuple[Step, ...], tmp_path: Path, monkeypatch: Patch
) -> None:
    fails = Step("fails", '-c "raise SystemExit(3)"', 1)
    monkeypatch.setattr(remake, "STEPS", (*steps, fails))
    assert remake.run_steps((steps[0], fails, steps[1]), tmp_path) == 1
    assert results.list_results() == ["one"]


def test_a_card_that_comes_out_otherwise_makes_what_follows_stale(
    steps: tuple[Step, ...], tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    rules = tmp_path / "rules"
    rules.mkdir()
    for name in ("cut", "card"):
        (rules / f"{name}.yaml").write_text("a: 1\n")
    learn = tmp_path / "learn.py"
    learn.write_text(f"open({str(rules / 'card.yaml')!r}, 'a').write('b: 2\\n'); print('learnt')\n")
    card = Step("card", str(learn), 1, reads=["cut"], writes=["card"])
    figure = replace(steps[0], reads=None)
    for module in (results, remake):
        monkeypatch.setattr(module, "RULES", rules)
    monkeypatch.setattr(remake, "STEPS", (card, figure))
    assert remake.run_steps((figure,), tmp_path) == 0
    results.write_result("card", Result("python x", inputs=remake.hash_inputs(card, None) | {"rules": "old"}))
    assert remake.run_steps((card, figure), tmp_path) == 0
    assert "one: rules changed" in capsys.readouterr().out
    assert [remake.find_faults(step, tmp_path) for step in (card, figure)] == [[], []]
    (rules / "card.yaml").write_text("a: 1\nb: 3\n")
    assert remake.find_faults(card, tmp_path) == ["card changed"], "by hand, after it was learnt"


def test_a_result_is_taken_to_hold_with_a_reason(steps: tuple[Step, ...], tmp_path: Path) -> None:
    results.write_result("one", Result("python x", inputs={"rules": "old"}, figures={"ours": {"f1": 0.5}}))
    assert remake.find_faults(steps[0]) == ["rules changed"]
    remake.record_step(steps[0], "a name alone", tmp_path)
    assert remake.find_faults(steps[0], tmp_path) == []
    kept = results.read_result("one")
    assert kept is not None
    assert kept.carried[0].endswith(": a name alone")
    assert kept.figures == {"ours": {"f1": 0.5}}


def test_stale_is_what_a_recorded_input_changed_of(
    steps: tuple[Step, ...], monkeypatch: Patch, capsys: Capture
) -> None:
    assert remake.main(["--status"]) == 0, "never run: nothing is known to be stale"
    results.write_result("one", Result("python x", inputs={"rules": "old"}))
    assert remake.main(["--status"]) == 1
    assert "one            rules changed\n" in capsys.readouterr().out
    results.write_result("one", Result("python x", inputs=remake.hash_inputs(steps[0], None)))
    assert remake.main(["--status"]) == 0


@pytest.mark.parametrize(("installed", "faults"), [("2", ["peer changed"]), ("1", []), ("", [])])
def test_a_peer_counts_where_it_is_installed(
    steps: tuple[Step, ...], monkeypatch: Patch, installed: str, faults: list[str]
) -> None:
    monkeypatch.setattr(remake, "find_version", lambda package: installed)
    step = replace(steps[0], peers=["peer"])
    monkeypatch.setattr(remake, "STEPS", (step,))
    results.write_result("one", Result("python x", inputs=remake.hash_inputs(step, None) | {"peer": "1"}))
    assert remake.find_faults(step) == faults


def test_a_table_shows_the_best_and_leaves_out_what_nobody_measured() -> None:
    table = {
        "corner": "on",
        "bold": "best",
        "columns": {
            "ours": {"result": "a", "system": "ours"},
            "peer": {"result": "a", "system": ["peer", "peer, no comments"]},
            "absent": {"result": "b", "system": "ours"},
            "note": {"notes": {"pages": "a note"}},
        },
        "rows": {"pages": {"show": "{f1} ({rate:.1f})"}, "unmeasured": {"show": "{g1}"}},
    }
    figures = {"a": {"ours": {"f1": 0.5, "rate": 0.25}, "peer": {"f1": 0.6, "rate": 0.5}}}
    figures["a"]["peer, no comments"] = {"f1": 0.7, "rate": 0.75}
    assert tables.format_table(table, figures).splitlines() == [
        "| on | ours | peer | note |",
        "|---|---|---|---|",
        "| pages | 0.500 (0.2) | **0.700** (0.8) | a note |",
    ]


def test_the_command_lists_every_step(capsys: Capture, monkeypatch: Patch) -> None:
    assert remake.main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [step.name for step in STEPS]
    monkeypatch.setattr(sys, "argv", ["remake.py"])
    with pytest.raises(SystemExit, match="no step 'nothing'"):
        remake.main(["--only", "nothing", "--data", "."])


def test_what_no_card_has_seen_is_left_out_as_shipped() -> None:
    """`left-out.yaml` has figures of the shipped cards, on corpora that are in none of them: it must not lag behind."""
    left_out, shipped = results.read_result("left-out"), results.read_result("corpora")
    assert left_out is not None
    assert shipped is not None
    assert left_out.figures["webclean"].items() <= shipped.figures["webclean"].items()
