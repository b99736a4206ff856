"""Marked pages: what agrees with the marks, and that a role card is learnt and scored as it is used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import webclean
from webclean.learn.marked_pages import measure_agreement, read_marked_page, read_marked_pages
from webclean.learn.roles import RoleSettings, fit_roles, format_roles, list_cases, list_learnt_features, read_blocks
from webclean.model import Role
from webclean.rules import load_rules

WORDS = "The lock was dug by hand, and the water came in the spring of the year after that."


def make_page(number: int) -> bytes:
    links = "".join(f"<li><a href=/{number}/{i}>Part {i}</a></li>" for i in range(5))
    return (
        f'<body><div data-block="1" data-block-type="Menu"><ul>{links}</ul></div>'
        f'<div data-block="1" data-block-type="Article"><h1>Lock {number}</h1><p>{WORDS}</p><p>{WORDS}</p></div>'
        f'<div data-block="1" data-block-type="Footer"><p>Lock keepers {number}</p></div>'
    ).encode()


def test_marks_are_taken_out_and_laid_over_the_blocks() -> None:
    page = read_marked_page("one", make_page(1), load_rules())
    assert "data-block" not in page.analysis.columns.document.source.markup
    assert page.kinds == ["Menu", "Article", "Footer"]
    chars = {page.kinds[mark]: n_chars for (_, mark), n_chars in page.cells.items()}
    assert chars["Menu"] == 5 * len("Part1")
    assert chars["Article"] == len("Lock1") + 2 * len(WORDS.replace(" ", ""))


def test_agreement_counts_characters_of_types_that_enough_pages_have() -> None:
    rules = load_rules()
    pages = [read_marked_page(str(i), make_page(i), rules) for i in range(5)]
    blocks = [webclean.clean(make_page(i)).blocks for i in range(5)]
    right = [
        (page, [replace(b, role=role, kept=role is Role.CONTENT) for b, role in zip(own, ROLES, strict=True)])
        for page, own in zip(pages, blocks, strict=True)
    ]
    perfect = measure_agreement(right)
    assert (perfect.bcubed, perfect.role, perfect.kept) == (1.0, 1.0, 1.0)
    kept_all = measure_agreement([(page, [replace(b, kept=True) for b in own]) for page, own in right])
    assert kept_all.kept == 0.5
    half = [(page, [replace(b, kept=b.kept and i < 2) for b in own]) for i, (page, own) in enumerate(right[:4])]
    assert measure_agreement(half).kept == pytest.approx((0.5 + 1) / 2, abs=0.01)
    one_wrong = measure_agreement([(right[0][0], [replace(b, role=Role.OTHER) for b in right[0][1]]), *right[1:]])
    assert set(one_wrong.by_type) == {"Menu", "Article", "Footer"}
    assert one_wrong.role == pytest.approx(0.8, abs=0.01)
    assert measure_agreement(right[:4]).by_type == {}


ROLES = (Role.NAVIGATION, Role.CONTENT, Role.FOOTER)


def test_a_card_learns_the_roles_of_its_pages(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    yaml = pytest.importorskip("yaml")
    for i in range(6):
        (tmp_path / f"{i}.html").write_bytes(make_page(i))
    rules = load_rules()
    pages, names = list(read_marked_pages(tmp_path, rules)), list_learnt_features(rules)
    assert not any(name.startswith("in_") for name in names)
    card = fit_roles(
        [list_cases(page, names) for page in pages[1:]], names, rules.roles, RoleSettings(strength=1.0, min_pages=5)
    )
    assert [block.role for block in read_blocks(pages[0], card)] == list(ROLES)
    assert card.given == rules.roles.given
    written = yaml.safe_load(format_roles(card, "by hand"))["roles"]
    assert written["bias"] == card.bias
    assert set(written["lines"]) == set(card.lines)


def test_a_role_of_too_few_pages_is_left_to_the_given_lines(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    for i in range(6):
        (tmp_path / f"{i}.html").write_bytes(make_page(i).replace(b'"Footer"', b'"Ad"' if i == 0 else b'"Footer"'))
    rules = load_rules()
    pages, names = list(read_marked_pages(tmp_path, rules)), list_learnt_features(rules)
    card = fit_roles(
        [list_cases(page, names) for page in pages], names, rules.roles, RoleSettings(min_pages=2, min_share=5.0)
    )
    assert list(card.bias) == list(rules.roles.bias)
    assert card.bias["advertisement"] == min(card.bias.values())
    assert not any("advertisement" in line.points for line in card.lines.values())
    assert any("footer" in line.points for line in card.lines.values())
