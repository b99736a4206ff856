"""What a split gains is exact; a role card is learnt as it is used."""

from __future__ import annotations

import pytest

pytest.importorskip("scipy")

from tests.laboratory.test_marked_pages import PAGE, ROLES, make_page
from webclean.laboratory.marked_pages import read_marked_page
from webclean.laboratory.segment_cards import (
    RoleSettings,
    fit_roles,
    list_cases,
    list_learnt_features,
    measure_gains,
    read_blocks,
)
from webclean.rules import load_rules
from webclean.segments.semantic_page import find_nodes


def test_the_gain_of_a_split_is_what_it_adds_to_precision_and_recall() -> None:
    page = read_marked_page("one", PAGE, load_rules())
    nodes = find_nodes(page.analysis.columns, page.analysis.rules.segments)
    names = [page.analysis.columns.document.names[row] for row in nodes.row.tolist()]
    assert names == ["html", "main", "div", "div", "div"]
    gain = dict(zip(range(5), measure_gains(page, nodes).tolist(), strict=True))
    # one block of all: P = (8² + 8² + 16²) / 32, R = all; apart: P = R = all. In shares of 32 characters.
    assert gain[0] == pytest.approx(1 - (8 * 8 + 8 * 8 + 16 * 16) / 32 / 32)
    assert gain[1] == pytest.approx((16 - (8 * 8 + 8 * 8) / 16) / 32)
    # a marked part in halves: P is kept, R is lost
    assert gain[2] == gain[3] == pytest.approx((2 * 4 * 4 / 8 - 8) / 32)
    assert gain[4] == pytest.approx((2 * 8 * 8 / 16 - 16) / 32)


def test_without_marks_in_them_nodes_gain_nothing() -> None:
    page = read_marked_page("one", PAGE.replace(b"data-block=", b"data-other="), load_rules())
    nodes = find_nodes(page.analysis.columns, page.analysis.rules.segments)
    assert measure_gains(page, nodes).tolist() == [0.0] * 5


def test_a_card_learns_the_roles_of_its_pages() -> None:
    rules = load_rules()
    pages, names = [read_marked_page(str(i), make_page(i), rules) for i in range(6)], list_learnt_features(rules)
    assert not any(name.startswith("in_") for name in names)
    card = fit_roles(
        [list_cases(page, names) for page in pages[1:]], names, rules.roles, RoleSettings(strength=1.0, min_pages=5)
    )
    assert [block.role for block in read_blocks(pages[0], card)] == list(ROLES)
    assert card.given == rules.roles.given


def test_a_role_of_too_few_pages_is_left_to_the_given_lines() -> None:
    rules, names = load_rules(), list_learnt_features(load_rules())
    marked = [make_page(0).replace(b'"Footer"', b'"Ad"'), *map(make_page, range(1, 6))]
    pages = [read_marked_page(str(i), html, rules) for i, html in enumerate(marked)]
    card = fit_roles(
        [list_cases(page, names) for page in pages], names, rules.roles, RoleSettings(min_pages=2, min_share=5.0)
    )
    assert list(card.bias) == list(rules.roles.bias)
    assert card.bias["advertisement"] == min(card.bias.values())
    assert not any("advertisement" in line.points for line in card.lines.values())
    assert any("footer" in line.points for line in card.lines.values())
