"""Tests that rules carry: what is said when one fails; and what is remarked of rules that are valid."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import webclean
from tests import write_file
from webclean.page import Analysis
from webclean.rules import RuleBook
from webclean.rules.rule_schema import Rule, RuleTest
from webclean.workbench.rule_checks import Finding, RuleSource, check_page, lint_rules, run_rule_tests

PAGE = (
    '<html><head><title>Leek soup</title></head><body><h1>Leek soup</h1><p class="byline">By Ada Quill, 2024-03-02</p>'
    "<p>Take a leek and   cut it, and wash it well, since sand hides between the leaves of every leek.</p>"
    "<aside><p>Salt late, and little.</p></aside></body></html>"
)


def list_faults(**test: Any) -> list[str]:
    return list(check_page(webclean.clean(PAGE), msgspec.convert(test, RuleTest)))


def test_quotes_and_dashes_of_any_form_are_alike() -> None:
    page = webclean.clean(PAGE.replace("Take a leek and   cut it", "“Don’t” – take\u00a0a leek"))
    (wanted, missing) = ('"Don\'t" - take a leek', "'Don't'")
    assert list(check_page(page, RuleTest(keep=(wanted,), drop=(missing,)))) == []
    assert list(check_page(page, RuleTest(keep=(missing,), drop=(wanted,)))) == [
        f"must be kept and is not: {missing!r}",
        f"must be dropped and is not: {wanted!r}",
    ]
    named = webclean.clean(PAGE.replace("Leek soup", "Cook’s soup"))
    assert list(check_page(named, RuleTest(title="Cook's soup"))) == []


def test_fields_are_compared_where_they_are_named() -> None:
    assert list_faults(title="Leek soup", date="2024-03-02") == []
    assert list_faults(title="Soup", author="Bob") == [
        "title is 'Leek soup', not 'Soup'",
        "author is 'Ada Quill', not 'Bob'",
    ]


@pytest.mark.parametrize(
    ("folder", "name", "tests", "faults"),
    [
        ("sites", "soup.example", "{html: '<p>x', keep: [x]}", [()]),
        ("sites", "soup.example", "{keep: [x]}", [("a test needs `html` or `file`",)]),
        ("sites", "soup.example", "{file: page.html, keep: [leek and cut]}, {file: page.html, keep: [Pepper]}",
         [(), ("must be kept and is not: 'Pepper'",)]),
        ("sites", "soup.example", "{html: '<p>x', url: 'https://other.example/', keep: [x]}",
         [("the rule matches nothing on the pages of its tests",)]),
        (".", "loose", "{html: '<p>x', keep: [x]}", [()]),
    ],
)  # fmt: skip
def test_pages_are_in_the_rule_or_beside_it(
    tmp_path: Path, folder: str, name: str, tests: str, faults: list[tuple[str, ...]]
) -> None:
    file = tmp_path / folder / f"{name}.yaml"
    write_file(file.parent / "page.html", PAGE)
    file.write_text(f"rules:\n  all: {{when: {{selector: body}}, action: keep, because: x, tests: [{tests}]}}\n")
    book = RuleBook(folders=[tmp_path]) if folder == "sites" else RuleBook(files=[file])
    results = list(run_rule_tests(book, (file,)))
    assert [result.faults for result in results] == faults
    assert [result.number for result in results] == list(range(1, len(faults) + 1))
    assert {(result.source.id, result.source.line) for result in results} == {("all", 2)}


def test_a_site_file_is_tried_on_pages_of_its_site_and_a_profile_with_it(tmp_path: Path) -> None:
    rule = "when: {{selector: aside}}, action: {}, because: x, tests: [{{file: ../page.html, {}: [Salt late]}}]"
    (tmp_path / "page.html").write_text(PAGE)
    for folder, name, action, wanted in (
        ("sites", "soup.example", "keep", "keep"),
        ("profiles", "strict", "drop", "drop"),
    ):
        write_file(tmp_path / folder / f"{name}.yaml", f"rules:\n  aside: {{{rule.format(action, wanted)}}}\n")
    book = RuleBook(folders=[tmp_path])
    files = (tmp_path / "sites" / "soup.example.yaml", tmp_path / "profiles" / "strict.yaml")
    results = list(run_rule_tests(book, files))
    assert [(result.source.site, result.source.profile) for result in results] == [
        ("soup.example", None),
        (None, "strict"),
    ]
    assert [result.faults for result in results] == [(), ()]


def test_a_rule_that_is_about_nothing_on_its_pages_fails(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    file = tmp_path / "rules.yaml"
    rule = "{{when: {{selector: aside, page_type: [{}]}}, action: {{points: 9}}, because: x, tests: [{}]}}"
    met, unmet = "{file: page.html, keep: [leek and cut]}", "{html: '<p>x', keep: [x]}"
    file.write_text(
        "rules:\n"
        f"  one: {rule.format('article', f'{met}, {unmet}')}\n"
        f"  none: {rule.format('article', unmet)}\n"
        f"  other: {rule.format('forum', f'{met}, {unmet}')}\n"
    )
    fault = ("the rule matches nothing on the pages of its tests",)
    results = run_rule_tests(RuleBook(files=[file]), (file,))
    assert [result.faults for result in results] == [(), (), fault, (), fault]


def test_a_page_that_is_missing_or_cannot_be_cleaned_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    deep = "<body a=1>" * 3000
    file.write_text(
        "rules:\n  a: {when: {selector: p}, action: keep, because: x, tests: [{file: gone.html}, {html: '"
        + deep
        + "'}]}\n"
    )
    gone, too_deep = (result.faults for result in run_rule_tests(RuleBook(files=[file]), (file,)))
    assert "gone.html" in gone[0]
    assert "max_root_tags" in too_deep[0]
    assert len(gone) == len(too_deep) == 1


def test_pages_of_a_platform_must_be_told_as_made_with_it(tmp_path: Path) -> None:
    (tmp_path / "platforms").mkdir()
    file = tmp_path / "platforms" / "ours.yaml"
    file.write_text(
        "platform:\n  name: Ours\n  surely: {name: [ours-page]}\n  tests:\n"
        "  - {html: '<p class=ours-page>Soup is served at noon.', keep: [Soup]}\n"
        "  - {html: '<p class=other>Soup is served at noon.', keep: [Salt]}\n"
    )
    results = list(run_rule_tests(RuleBook(folders=[tmp_path]), (file,)))
    assert [(result.source.id, result.source.line, result.source.platform) for result in results] == [
        ("platform", 4, "ours")
    ] * 2
    assert [len(result.faults) for result in results] == [0, 2]
    assert "ours" in results[1].faults[0]


TESTED = {"because": "x", "tests": [{"html": "<p>x"}]}
STORY = """<title>Soup</title><main><h1 class=name>Leek soup today</h1><p>one two three four five six seven eight</p>
<img src=/soup.jpg></main><footer>nine ten</footer>"""  # 3, 8 and 2 words


def make_source(
    rule_id: str, line: int = 1, site: str | None = None, profile: str | None = None, **rule: Any
) -> RuleSource:
    made = msgspec.convert({**TESTED, **rule}, Rule)
    return RuleSource(rule_id, made, Path("folder/rules.yaml"), line, site, profile)


def make_page(html: str = STORY, url: str | None = None) -> Analysis:
    return webclean.clean(html, url=url).analysis


def list_kinds(sources: Sequence[RuleSource], pages: Sequence[Analysis] = ()) -> list[tuple[str, str]]:
    return [(finding.source.id, finding.kind) for finding in lint_rules(sources, pages)]


def test_a_rule_says_why_or_what_for() -> None:
    when = {"selector": "p"}
    assert list_kinds([make_source("a", when=when, action="drop", because="")]) == [("a", "unexplained")]
    assert list_kinds([make_source("a", when=when, action="drop", because="", description="x")]) == []
    assert list_kinds([make_source("a", when=when, action="drop")]) == []


def test_an_enabled_rule_carries_a_test_or_the_pages_it_was_learnt_from() -> None:
    when = {"selector": "p"}
    learnt = {"pages": 1, "of": 1, "site_pages": 1}
    assert list_kinds([make_source("a", when=when, action="drop", tests=[])]) == [("a", "untested")]
    assert list_kinds([make_source("a", when=when, action="drop", tests=[], enabled=False)]) == []
    assert list_kinds([make_source("a", when=when, action="drop", tests=[], learnt=learnt)]) == []


@pytest.mark.parametrize(
    "condition",
    [
        {"selector": "p"},
        {"outside": "main"},
        {"path": "body > p"},
        {"token": "ad"},
        {"text": "^Ad"},
        {"exact_text": "Ad"},
        {"features": {"n_words": {"above": 3}}},
    ],
)
def test_a_condition_on_blocks_keeps_a_drop_rule_from_dropping_everything(condition: dict[str, Any]) -> None:
    assert list_kinds([make_source("a", when=condition, action="drop")]) == []
    assert list_kinds([make_source("a", when={"url": "example"}, action="drop")]) == [("a", "too broad")]
    assert list_kinds([make_source("a", when={"url": "example"}, action="keep")]) == []


@pytest.mark.parametrize(
    ("when", "action", "fires"),
    [
        ({"selector": "footer"}, "keep", True),
        ({"selector": "aside"}, "keep", False),
        ({"page_contains": "aside"}, {"points": 1.0}, False),
        ({}, {"title": "h1.name"}, True),
        ({}, {"title": "h1.other"}, False),
        ({}, {"author": "//h1/text()"}, True),
        ({}, {"date": "h2", "title": "h1"}, True),
        ({"selector": "main"}, {"title": "h2"}, False),
    ],
)
def test_a_rule_fires_where_it_finds_what_it_is_about(when: dict[str, Any], action: Any, fires: bool) -> None:
    source = make_source("a", when=when, action=action)
    message = "matches nothing on the 2 pages it was tried on"
    expected = [] if fires else [Finding(source, "never fires", message)]
    assert list(lint_rules([source], [make_page("<p>other"), make_page()])) == expected


def test_rules_that_are_off_or_of_another_site_are_not_tried() -> None:
    page = make_page(url="https://www.soup.example/1")
    missing = {"when": {"selector": ".missing"}, "action": "drop"}
    assert list_kinds([make_source("a", enabled=False, **missing)], [page]) == []
    assert list_kinds([make_source("a", site="soup.example", **missing)], [page]) == [("a", "never fires")]
    here = make_source("a", site="soup.example", when={"selector": "p"}, action="drop")
    assert list_kinds([here], [page]) == []
    assert list_kinds([here], [make_page(url="https://tea.example/")]) == [("a", "never fires")]
    assert list_kinds([here], [make_page()]) == [("a", "never fires")]


def test_a_drop_rule_that_takes_more_than_four_fifths_of_the_words_is_too_broad() -> None:
    page = make_page()
    main, most = (make_source("a", when={"selector": name}, action="drop") for name in ("main", "p, footer"))
    assert [str(finding.message) for finding in lint_rules([main], [page])] == [
        "drops 85% of the words of the pages it applies to"
    ]
    assert list_kinds([most], [page]) == []  # 10 of 13 words
    assert list_kinds([make_source("a", when={"selector": "main"}, action="keep")], [page]) == []
    # words count where the rule applies: 11 of 13 and none of 4
    assert list_kinds([main], [page, make_page("<p>one two three four")]) == []
    only = make_source("a", when={"selector": "main", "page_contains": "h1"}, action="drop")
    assert list_kinds([only], [page, make_page("<p>one two three four")]) == [("a", "too broad")]
    exact = make_page("<main><p>one two three four</p></main><footer>five</footer>")
    assert list_kinds([main], [exact]) == []
