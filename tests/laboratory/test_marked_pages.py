"""Marked pages: what agrees with the marks, folds by site, what a split gains, roles as they are learnt, and home pages
as examples of page types."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

pytest.importorskip("scipy")

import webclean
from webclean.errors import InputError
from webclean.laboratory.marked_pages import (
    TOOL,
    cut_anew,
    fold_by_site,
    measure_agreement,
    read_home_pages,
    read_marked_page,
    score_cells,
)
from webclean.laboratory.segment_cards import fit_roles, list_cases, list_learnt_features, measure_gains, read_blocks
from webclean.model import Role
from webclean.rules import load_rules
from webclean.rules.card_schema import Bins, Card
from webclean.segments.nodes import find_nodes

MARK = '<div data-block="1" data-block-type="{kind}">{text}</div>'
WORDS = "The lock was dug by hand, and the water came in the spring of the year after that."
ROLES = (Role.NAVIGATION, Role.CONTENT, Role.FOOTER)


def make_page(number: int) -> bytes:
    links = "".join(f"<li><a href=/{number}/{i}>Part {i}</a></li>" for i in range(5))
    article = f"<h1>Lock {number}</h1><p>{WORDS}</p><p>{WORDS}</p>"
    parts = {"Menu": f"<ul>{links}</ul>", "Article": article, "Footer": f"<p>Lock keepers {number}</p>"}
    return f"<body>{''.join(MARK.format(kind=kind, text=text) for kind, text in parts.items())}".encode()


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


def mark(text: str, kind: str = "Article") -> str:
    return MARK.format(kind=kind, text=f"<h2>{text}</h2><p>{text}</p>")


PAGE = f"<body><main>{mark('aaaa')}{mark('bbbb')}</main>{mark('cccccccc', 'Footer')}".encode()


def test_a_page_is_cut_anew_by_another_card() -> None:
    rules = load_rules()
    page = read_marked_page("one", PAGE, rules)
    always = structs.replace(rules, splits=Card(bias=1.0))
    never = structs.replace(rules, splits=Card(bias=-1.0))
    by_height = Card(bias=-0.5, lines={"height": Bins(below=(2.0,), points=(0.0, 1.0))})
    well = structs.replace(rules, splits=by_height)
    scores = [score_cells(cut_anew(page, other)).f1 for other in (always, never, well)]
    assert scores[2] == 1.0
    assert scores[0] == pytest.approx(2 * 0.5 / 1.5)
    assert scores[1] == pytest.approx(2 * 0.75 / 1.75)
    assert score_cells(page) == score_cells(cut_anew(page, rules))
    assert score_cells(cut_anew(page, never))[:2] == (0.75, 1.0)


def test_pages_of_one_domain_are_in_one_fold() -> None:
    rules = load_rules()
    hosts = ["news.site.com", "www.site.com", *(f"www.town{i}.org" for i in range(9))]
    pages = [read_marked_page(host, PAGE, rules) for host in hosts]
    folds = list(fold_by_site(pages, 5, seed=0))
    assert sorted(number for _, unseen in folds for number in unseen) == list(range(11))
    for seen, unseen in folds:
        assert (0 in unseen) == (1 in unseen)
        assert sorted([*seen, *unseen]) == list(range(11))
    other = [unseen for _, unseen in fold_by_site(pages, 5, seed=1)]
    assert other != [unseen for _, unseen in folds]


def test_the_dialog_of_the_marking_tool_is_no_part_of_a_page() -> None:
    tool = (
        b'<div role="dialog" class="ui-dialog ui-widget"><div class="ui-dialog-titlebar">New</div>'
        b'<div class="x" id="popupDialog"><h3>High-level types</h3></div><button data-block="1">Ok</button></div>'
    )
    own = b'<body><div class="ui-dialog own">Ours</div><p>Text</p>'
    assert TOOL.sub(b"", own + tool + b"</body></html>") == own + b"</body></html>"
    assert TOOL.sub(b"", own + tool) == own
    assert TOOL.sub(b"", own) == own


def write_page(folder: Path, name: str, **chars: int) -> None:
    """A page whose marks have so many characters each, in words of ten."""
    parts = "".join(MARK.format(kind=kind, text=" ".join(["abcdefghij"] * (n // 10))) for kind, n in chars.items())
    html = f"<body>{parts}".encode()
    (folder / name).write_bytes(gzip.compress(html) if name.endswith(".gz") else html)


@pytest.mark.parametrize(
    ("chars", "page_type"),
    [
        ({"LinkList": 350, "Article": 650}, "listing"),
        ({"LinkList": 340, "Article": 100, "Content": 560}, None),
        ({"LinkList": 290, "Article": 490, "Content": 220}, "service"),
        ({"LinkList": 290, "Article": 500, "Content": 210}, None),
        ({"LinkList": 490}, None),  # too little text
        ({"LinkList": 500}, "listing"),
    ],
)
def test_the_type_follows_from_the_marked_text(chars: dict[str, int], page_type: str | None, tmp_path: Path) -> None:
    write_page(tmp_path, "example.org.html.gz", **chars)
    assert [page.page_type for page in read_home_pages(tmp_path, load_rules())] == ([page_type] if page_type else [])


def test_a_page_is_as_it_was_before_the_marks_and_named_after_its_site(tmp_path: Path) -> None:
    folder = tmp_path / "homes"
    folder.mkdir()
    write_page(folder, "example.org.html", LinkList=600)
    (page,) = read_home_pages(folder, load_rules())
    assert b"data-block" not in page.html
    assert (page.id, page.url, page.domain, page.corpus) == (
        "example.org",
        "http://example.org/",
        "example.org",
        "homes",
    )


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pages"):
        list(read_home_pages(tmp_path, load_rules()))


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
    card = fit_roles([list_cases(page, names) for page in pages[1:]], names, rules.roles, strength=1.0, min_pages=5)
    assert [block.role for block in read_blocks(pages[0], card)] == list(ROLES)
    assert card.given == rules.roles.given


def test_a_role_of_too_few_pages_is_left_to_the_given_lines() -> None:
    rules, names = load_rules(), list_learnt_features(load_rules())
    marked = [make_page(0).replace(b'"Footer"', b'"Ad"'), *map(make_page, range(1, 6))]
    pages = [read_marked_page(str(i), html, rules) for i, html in enumerate(marked)]
    card = fit_roles([list_cases(page, names) for page in pages], names, rules.roles, min_pages=2, min_share=5.0)
    assert list(card.bias) == list(rules.roles.bias)
    assert card.bias["advertisement"] == min(card.bias.values())
    assert not any("advertisement" in line.points for line in card.lines.values())
    assert any("footer" in line.points for line in card.lines.values())
