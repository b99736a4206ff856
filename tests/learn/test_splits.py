"""What a split gains is exact, and the folds and marks that a card of splits is learnt from are clean."""

from __future__ import annotations

import pytest

pytest.importorskip("scipy")

from msgspec import structs

from webclean.learn.marked_pages import (
    clean_controls,
    cut_anew,
    fold_by_site,
    measure_bcubed,
    read_marked_page,
    remove_tool,
)
from webclean.learn.splits import measure_gains
from webclean.rules import load_rules
from webclean.rules.card_schema import Bins, Card
from webclean.segments.semantic_page import find_nodes


def mark(text: str, kind: str = "Article") -> str:
    return f'<div data-block="1" data-block-type="{kind}"><h2>{text}</h2><p>{text}</p></div>'


PAGE = f"<body><main>{mark('aaaa')}{mark('bbbb')}</main>{mark('cccccccc', 'Footer')}".encode()


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


def test_a_page_is_cut_anew_by_another_card() -> None:
    rules = load_rules()
    page = read_marked_page("one", PAGE, rules)
    always = structs.replace(rules, splits=Card(bias=1.0))
    never = structs.replace(rules, splits=Card(bias=-1.0))
    by_height = Card(bias=-0.5, lines={"height": Bins(below=(2.0,), points=(0.0, 1.0))})
    well = structs.replace(rules, splits=by_height)
    scores = [measure_bcubed(cut_anew(page, other)) for other in (always, never, well)]
    assert scores[2] == 1.0
    assert scores[0] == pytest.approx(2 * 0.5 / 1.5)
    assert scores[1] == pytest.approx(2 * 0.75 / 1.75)
    assert measure_bcubed(page) == measure_bcubed(cut_anew(page, rules))


def test_pages_of_one_domain_are_in_one_fold() -> None:
    rules = load_rules()
    hosts = ["news.site.com", "www.site.com", *(f"www.town{i}.org" for i in range(9))]
    pages = [read_marked_page(f"{host}.html.gz", PAGE, rules) for host in hosts]
    folds = list(fold_by_site(pages, 5, seed=0))
    assert sorted(number for _, unseen in folds for number in unseen) == list(range(11))
    for seen, unseen in folds:
        assert (0 in unseen) == (1 in unseen)
        assert sorted([*seen, *unseen]) == list(range(11))
    other = [unseen for _, unseen in fold_by_site(pages, 5, seed=1)]
    assert other != [unseen for _, unseen in folds]


@pytest.mark.parametrize(
    ("html", "cleaned"),
    [
        (b"a\x00b\x0bc", b"a b c"),
        (b"&#160;&#8217;&#x2019;&#xA0;&#x1F600;", b"&#160;&#8217;&#x2019;&#xA0;&#x1F600;"),
        (b"&#9;&#10;&#13;&#x9;&#xa;&#xD;", b"&#9;&#10;&#13;&#x9;&#xa;&#xD;"),
        (b"&#0;&#8&#11;&#31;&#x1f;&#X0B;&#011;", b"       "),
    ],
)
def test_only_references_to_control_characters_become_spaces(html: bytes, cleaned: bytes) -> None:
    assert clean_controls(html) == cleaned


def test_the_dialog_of_the_marking_tool_is_no_part_of_a_page() -> None:
    tool = (
        b'<div role="dialog" class="ui-dialog ui-widget"><div class="ui-dialog-titlebar">New</div>'
        b'<div class="x" id="popupDialog"><h3>High-level types</h3></div><button data-block="1">Ok</button></div>'
    )
    own = b'<body><div class="ui-dialog own">Ours</div><p>Text</p>'
    assert remove_tool(own + tool + b"</body></html>") == own + b"</body></html>"
    assert remove_tool(own + tool) == own
    assert remove_tool(own) == own


def test_without_marks_in_them_nodes_gain_nothing() -> None:
    page = read_marked_page("one", PAGE.replace(b"data-block=", b"data-other="), load_rules())
    nodes = find_nodes(page.analysis.columns, page.analysis.rules.segments)
    assert measure_gains(page, nodes).tolist() == [0.0] * 5
