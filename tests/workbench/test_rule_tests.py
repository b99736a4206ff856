"""Tests that rules carry: what they are run on, and what is said when one fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import webclean
from webclean.rules import RuleBook
from webclean.rules.rule_schema import RuleTest
from webclean.workbench.rule_checks import check_page, run_rule_tests

PAGE = (
    '<html><head><title>Leek soup</title></head><body><h1>Leek soup</h1><p class="byline">By Ada Quill, 2024-03-02</p>'
    "<p>Take a leek and   cut it, and wash it well, since sand hides between the leaves of every leek.</p>"
    "<aside><p>Salt late, and little.</p></aside></body></html>"
)


def list_faults(**test: Any) -> list[str]:
    return list(check_page(webclean.clean(PAGE), msgspec.convert(test, RuleTest)))


def test_texts_are_found_whatever_their_white_space() -> None:
    assert list_faults(keep=["leek and cut  it"], drop=["no such text"]) == []
    assert list_faults(keep=["leek and cut it", "Pepper"]) == ["must be kept and is not: 'Pepper'"]
    assert list_faults(drop=["leek  and cut it"]) == ["must be dropped and is not: 'leek  and cut it'"]


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
    file.parent.mkdir(exist_ok=True)
    (file.parent / "page.html").write_text(PAGE)
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
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.yaml").write_text(f"rules:\n  aside: {{{rule.format(action, wanted)}}}\n")
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
