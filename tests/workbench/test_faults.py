"""`webclean rules check` names every fault of a file, says what is allowed, and how to mend it."""

from pathlib import Path

import pytest

import webclean
from webclean.cli import main
from webclean.errors import RuleError
from webclean.rules.files import read_rule_text
from webclean.workbench.starter import SAY_WHY, write_rules_for

MANY = """rules:
  r:
    when: {page_type: artcle, language: no}
    action: drp
  q:
    action: {decide: kep, role: navgation, points: many}
    when: {selector: "div[", exact_text: 2024, features: {n_wrds: {above: x}}}
cut: {beta: -1, spred: 2}
segments: {titles: {words: 2.5}, keep: {noise: nav}}
fields: {date: {earliest: 1991-01-01}, title: {metas: {a: 1}}}
confidence: [1]
page_type: {refinements: {nws: {of: [article, blgo]}}}
"""
WANTED = [
    (3, "rules.r.when.page_type", "did you mean 'article'? allowed: article, blog,"),
    (3, "rules.r.when.language", "not false; a text that reads yes, no, on, off, true or false stands in quotes"),
    (
        4,
        "rules.r.action",
        "unknown value 'drp'; did you mean 'drop'? allowed: drop, keep, or a mapping",
    ),
    (6, "rules.q.action.decide", "unknown value 'kep'; did you mean 'keep'? allowed: drop, keep"),
    (6, "rules.q.action.role", "did you mean 'navigation'? allowed: advertisement, comments,"),
    (6, "rules.q.action.points", "a number is expected, not the text 'many'"),
    (7, "rules.q.when.selector", "not a CSS selector"),
    (7, "rules.q.when.exact_text", "a text that looks like a number or a day stands in quotes: '2024'"),
    (7, "rules.q.when.features.n_wrds", "unknown text block feature 'n_wrds'; did you mean 'n_words'?"),
    (7, "rules.q.when.features.n_wrds.above", "a number is expected, not the text 'x'"),
    (8, "cut.beta", "more than 0.0 is allowed, not -1"),
    (8, "cut.spred", "unknown key 'spred'; did you mean 'spread'? allowed: beta, least_share,"),
    (9, "segments.titles.words", "a whole number is expected, not 2.5"),
    (9, "segments.keep.noise", "a list, as in [a, b] is expected, not the text 'nav'"),
    (10, "fields.date.earliest", "a text that looks like a number or a day stands in quotes: '1991-01-01'"),
    (10, "fields.title.metas", "a list, as in [a, b] is expected, not a mapping"),
    (11, "confidence", "a mapping, as in {key: value} is expected, not a list"),
    (12, "page_type.refinements.nws", "unknown page type 'nws'"),
    (12, "page_type.refinements.nws.of", "did you mean 'blog'?"),
]
SYNTAX = {
    "indented less": ("cut:\n  beta: 1\n spread: 2\n", 3, "the keys of a mapping start in the same column"),
    "indented more": ("cut:\n  beta: 1\n    spread: 2\n", 3, "indented further than the one above"),
    "second colon": ("rules:\n  r:\n    because: note: this\n", 3, "a text that holds `: ` stands in quotes"),
    "open quote": ("rules:\n  r:\n    because: 'note\n    action: keep\n", 5, "a quote that is opened in line 3"),
    "backslash": ('rules:\n  r:\n    when: {text: "\\d+"}\n', 3, "put regular expressions in single quotes"),
    "sign of YAML": ("rules:\n  r:\n    because: @me\n", 3, "stands in quotes"),
    "open brace": ("cut: {beta: 1\npasses: {second: 1}\n", 2, "a bracket that is opened in line 1 is not closed"),
    "no colon": ("cut:\n  beta: 1\n  spread\n", 4, "a line without `: `"),
    "list and mapping": ("cut:\n  - a\n  b: 1\n", 3, "does not start with `- `"),
    "id as a comment": ("rules:\n  r:\n    when:\n      selector: #ads\n    action: drop\n", 4, "in quotes: '#ads'"),
    "id in a list": ("rules:\n  r:\n    when: {selector: [#ads, .b]}\n    action: drop\n", 5, "in quotes: '#ads'"),
    "tab after a key": ("cut:\n  beta:\t\n\t- 1\n", 3, "put two spaces for each tab"),
}


def check(path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    path.write_text(text, encoding="utf-8")
    assert main(["rules", "check", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("rules:\n  r:\n    when: {text: '(?!a)b'}\n    action: drop\n", 3, "it has no look-ahead"),
        ("rules:\n- when: {selector: p}\n", 1, "write `name:` in place of `- `"),
    ],
)
def test_what_other_languages_allow_is_told_apart(
    text: str, line: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (told,) = check(tmp_path / "x.yaml", text, capsys)
    assert f"x.yaml:{line} at rules" in told
    assert message in told


def test_all_faults_of_a_file_are_told_by_line_each_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.yaml"
    told = check(path, MANY, capsys)
    for line, key, message in WANTED:
        found = [one for one in told if one.startswith(f"webclean: {path}:{line} at {key}: ")]
        assert len(found) == 1, (key, told)
        assert message in found[0]
    assert len(told) == len(WANTED)
    lines = [int(one.removeprefix(f"webclean: {path}:").split(" ")[0]) for one in told]
    assert lines == sorted(lines)


@pytest.mark.parametrize("name", SYNTAX)
def test_a_text_that_is_no_yaml_is_told_in_plain_words(name: str) -> None:
    text, line, message = SYNTAX[name]
    with pytest.raises(RuleError) as caught:
        read_rule_text(text, Path("x.yaml"))
    assert caught.value.line == line
    assert message in str(caught.value)


def test_the_faults_of_all_files_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / "one.yaml").write_text("cut: {beta: -1}\n")
    (tmp_path / "two.yaml").write_text("cut: [\n")
    (tmp_path / "sites" / "a.example.yaml").write_text("rules: {r: {action: remove}}\n")
    assert main(["rules", "check", "--rules", str(tmp_path)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [one.removeprefix(f"webclean: {tmp_path}/").split(":")[0] for one in told] == [
        "one.yaml",
        "sites/a.example.yaml",
        "two.yaml",
    ]


def test_all_faults_of_cards_are_told_with_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """score_card:
  lines:
    link_density: {below: [0.1], points: [1, 2, 3]}
    n_wrds: {below: [3], points: [1, 2]}
    n_words: {below: [3, 2], points: [1, 2, 3]}
roles: {bias: {navgation: 1}}
cut: {beta: -1}
"""
    told = check(tmp_path / "cards.yaml", text, capsys)
    places = [one.split(".yaml:")[1].split(": ")[0] for one in told]
    assert places == [
        "3 at score_card.lines.link_density.points",
        "4 at score_card.lines.n_wrds",
        "5 at score_card.lines.n_words.below",
        "6 at roles.bias.navgation",
        "7 at cut.beta",
    ]
    (tmp_path / "sites").mkdir()
    (tmp_path / "profiles").mkdir()
    (tmp_path / "other.yaml").write_text("cut: {beta: -1}\n")  # a faulty file below does not hide them
    (tmp_path / "sites" / "a.example.yaml").write_text("score_card: {lines: {n_words: {below: [2], points: [1]}}}\n")
    assert main(["rules", "check", "--rules", str(tmp_path)]) == 2
    assert "a.example.yaml:1 at score_card.lines.n_words.points: points: 1 points" in capsys.readouterr().err


def test_what_the_starter_writes_for_a_reason_fails() -> None:
    page = webclean.clean(
        "<main><h1>Soup</h1><p>Take a leek and cut it, and wash it well.</p></main><footer>x</footer>"
    )
    rules = write_rules_for(page, [], ["wash it"], "x.html", "forum").rules
    assert len(rules) == 2
    assert [rule["because"] for rule in rules.values()] == [SAY_WHY] * 2


def test_a_reason_that_nobody_wrote_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, mended = tmp_path / "mine.yaml", tmp_path / "mended.yaml"
    rule = "rules:\n  r:\n    when: {text: soup}\n    action: keep\n    because: 'WHY'\n"
    rule += "    tests: [{html: '<p>soup', keep: [soup]}]\n"
    path.write_text(rule.replace("WHY", SAY_WHY))
    assert main(["rules", "check", str(path)]) == 1
    assert f"{path}:2: r: unexplained: `because` is still {SAY_WHY!r}" in capsys.readouterr().out
    mended.write_text(rule.replace("WHY", "soup is what they cook"))
    assert main(["rules", "check", str(mended)]) == 0
    assert capsys.readouterr().out == "1 rule, 0 findings\n"
