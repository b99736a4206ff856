"""Kernels of sums over trees, cards, links and tags give what their plain twins give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.blocks.markup import MARKUP
from webclean.blocks import subtrees
from webclean.blocks.text_blocks import find_text_blocks
from webclean.decide import cut
from webclean.decide.corrections import lower_plainly
from webclean.decide.page_ends import fade_plainly, find_run_plainly
from webclean.decide.posts import raise_plainly
from webclean.decide.regions import find_slice_plainly, run_up_plainly
from webclean.decide.structures import average_plainly
from webclean.features import links, trees
from webclean.features.cards import score
from webclean.features.cards.compile import compile_card
from webclean.features.names import NAME_ATTRIBUTES, number_alike_plainly
from webclean.kernels import DECIDE, IS_COMPILED, LINKS, TAGS, TREES, WORDS
from webclean.model import Document
from webclean.parse import controls, empty_tags, parse_page, preorder, prepare
from webclean.parse.columns import number_names, number_plainly
from webclean.parse.tags import VOID
from webclean.rules import load_rules
from webclean.rules.decide_schema import Cut

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))
SEEDS = st.integers(0, 1 << 30)


def list_sums(document: Document, seed: int) -> list[object]:
    """What the functions over trees give for random columns."""
    chance = np.random.default_rng(seed)
    n = len(document)
    rows = chance.integers(0, n, 2 * n)
    values = np.round(chance.normal(size=n), 3) * (chance.random(n) < 0.5)
    roots, tags = chance.random(n) < 0.2, chance.random(256) < 0.3
    names = chance.integers(0, 9, n)
    hashed = trees.hash_paths(document, names, 4, rows)
    flags = chance.integers(0, 1 << 16, n).astype(np.uint16)
    found = (
        subtrees.sum_subtrees(document, rows, chance.normal(size=2 * n)),
        subtrees.sum_subtrees(document, rows[:0].astype(np.int32), np.zeros(0)),
        trees.sum_path(document, values),
        preorder.find_nearest(document.parent, roots),
        preorder.count_ancestors(document, roots),
        trees.count_below(document, tags),
        trees.join_flags(document, flags),
        hashed,
        trees.number_groups(hashed),
        trees.number_groups(names << 40),
    )
    return [column.tolist() for column in found]


def check_trees(page: bytes | str, seed: int) -> None:
    document = parse_page(page)
    found = list_sums(document, seed)
    with pytest.MonkeyPatch.context() as plain:
        for module in (subtrees, trees, preorder):
            plain.setattr(module, "TREES", None)
        assert found == list_sums(document, seed)


@pytest.mark.parametrize("path", FIXTURES[::4], ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_sums_are_equal_on_fixtures(path: Path) -> None:
    check_trees(path.read_bytes(), 1)


@given(MARKUP, SEEDS)
def test_sums_are_equal_on_any_tree(markup: str, seed: int) -> None:
    check_trees(markup, seed)


def check_names(page: bytes | str, seed: int) -> None:
    document = parse_page(page)
    wanted = np.random.default_rng(seed).random(len(document)) < 0.8
    for keys in (NAME_ATTRIBUTES, ("id", "class"), ("nothing", "class")):
        found = number_names(document, wanted, keys)
        plain = number_plainly(document, document.names, wanted, keys)
        assert [list(found[0].items()), found[1].tolist(), found[2].tolist(), found[3]] == [
            list(plain[0].items()), plain[1].tolist(), plain[2].tolist(), plain[3]
        ]  # fmt: skip


@pytest.mark.parametrize("path", FIXTURES[::4], ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_names_are_numbered_alike_on_fixtures(path: Path) -> None:
    check_names(path.read_bytes(), 1)


NAMED = st.builds(
    "<{} {}={} id={}>".format,
    st.sampled_from(["p", "div", "x-y"]),
    st.sampled_from(["class", "id", "role"]),
    st.sampled_from(["a", "'a b'", "' a  b'", "'&lt;'", "'<'", "''", "中", "ab"]),
    st.sampled_from(["a", "b", "''"]),
)


@given(st.lists(NAMED, max_size=20).map("".join), SEEDS)
def test_names_are_numbered_alike(markup: str, seed: int) -> None:
    check_names(markup, seed)


@given(SEEDS, st.integers(0, 60))
def test_points_of_a_card_are_equal(seed: int, n_rows: int) -> None:
    chance, rules = np.random.default_rng(seed), load_rules()
    for card in (compile_card(rules.score_card), compile_card(rules.page_type.card)):
        limits = np.append(card.limits, [0.0, np.nan, np.inf, -np.inf])
        table = chance.choice(limits, size=(len(card.names), n_rows))
        found = score.score_table(card, table)
        with pytest.MonkeyPatch.context() as plain:
            plain.setattr(score, "CARDS", None)
            assert found.tolist() == score.score_table(card, table).tolist()


@given(SEEDS, st.integers(0, 60))
def test_cuts_are_equal(seed: int, n_blocks: int) -> None:
    chance = np.random.default_rng(seed)
    points, words = np.round(chance.normal(0, 3, n_blocks), 1), chance.integers(1, 50, n_blocks)
    found = cut.cut_by_expected_f(points, words, Cut())
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(cut, "CARDS", None)
        kept = cut.cut_by_expected_f(points, words, Cut())
    assert found.mask.tolist() == kept.mask.tolist()
    assert (found.cut, found.expected) == (kept.cut, kept.expected)


@given(MARKUP)
def test_slices_of_elements_are_equal(markup: str) -> None:
    document = parse_page(markup)
    blocks = find_text_blocks(document)
    if len(blocks):
        starts = document.text_next[blocks.first]
        for row, end in enumerate(document.end.tolist()):
            found = TREES.find_slice(starts, blocks.row, row, end)
            assert found == find_slice_plainly(starts, blocks.row, row, end)


@given(SEEDS, st.integers(0, 60), st.integers(0, 3))
def test_runs_and_what_is_outside_are_equal(seed: int, n: int, gap: int) -> None:
    chance = np.random.default_rng(seed)
    kept, prose, words = chance.random(n) < 0.6, chance.random(n) < 0.7, np.round(chance.random(n) * 30, 1)
    found = DECIDE.find_run(kept, prose, words, gap)
    assert found == find_run_plainly(kept, prose, words, gap)
    assert DECIDE.run_up(kept, prose, words).tolist() == run_up_plainly(kept, prose, words).tolist()
    if found[0] >= 0:
        first = int(chance.integers(0, found[0] + 1))
        ends = first, found[1], -1.5, -2.5, 5, 0.7
        faded, plain = DECIDE.fade_outside(kept, *ends), fade_plainly(kept, *ends)
        assert [(column + 0).tolist() for column in faded] == [(column + 0).tolist() for column in plain]


@given(SEEDS, st.integers(0, 60))
def test_what_posts_regions_and_structures_give_is_equal(seed: int, n: int) -> None:
    chance = np.random.default_rng(seed)
    points, words = np.round(chance.normal(0, 3, n), 1), np.round(1 + chance.random(n) * 30, 1)
    kept, group = chance.random(n) < 0.6, trees.number_groups(chance.integers(0, 9, n))
    posts = group, points, words, words * (chance.random(n) < 0.6), 0.5, 2, 0.7
    assert DECIDE.raise_posts(*posts).tolist() == raise_plainly(*posts).tolist()
    structures = group, group - chance.integers(0, 2), points, kept, words, 0.5
    assert DECIDE.average_kept(*structures).tolist() == average_plainly(*structures).tolist()
    ends = np.sort(chance.integers(0, n + 1, (5, 2))).tolist()
    regions = [(first, last, -float(lost)) for (first, last), lost in zip(ends, chance.integers(0, 4, 5), strict=True)]
    lowered, plain = DECIDE.lower_regions(n, regions), lower_plainly(n, regions)
    assert [column.tolist() for column in lowered] == [(column + 0).tolist() for column in plain]


PIECES = st.sampled_from(
    [
        "http:",
        "HTTPS:",
        "//",
        "/",
        "a",
        "shop",
        "#",
        "?",
        "javascript:",
        "MailTo:",
        "tel:",
        ":",
        "é",
        "\u4e2d",
        "x.org",
        " ",
    ]
)


@given(st.lists(st.lists(PIECES, max_size=8).map("".join), max_size=8), st.sampled_from(["", "shop", "é", "a"]))
def test_targets_are_described_alike(targets: list[str], own: str) -> None:
    given_kinds = links.SAME_PAGE, links.SCRIPT, links.SAME_SITE
    found = LINKS.describe_targets(targets, own, links._SCHEMES, *given_kinds)
    plain = links.describe_plainly(targets, own, links._SCHEMES, *given_kinds)
    assert [list(column) for column in found] == [list(column) for column in plain]


TAG_PIECES = st.sampled_from(
    ["<", "<b", "<H", "tml", "ody", "<input", "<col", "able", "<t", "<selectedcontent", " ", "/", ">", "<em", "<stro",
     "<font", "<small", "<big", "<code", "<tt", "<i", "\u3000", "\x1f", "\x0b", "\u0130", "x", "<TABLE", "\U0001f600"]
)  # fmt: skip


@given(st.lists(TAG_PIECES, max_size=20).map("".join))
def test_tags_are_found_alike(markup: str) -> None:
    assert prepare.FoundTags(*TAGS.find_tags(markup)) == prepare.scan_plainly(markup)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_tags_are_found_alike_on_every_fixture(path: Path) -> None:
    markup = path.read_bytes().decode("utf-8", "replace")
    assert prepare.FoundTags(*TAGS.find_tags(markup)) == prepare.scan_plainly(markup)


VOID_PIECES = st.sampled_from(
    ["<", "br", "BR", "bR", "basefont", "basefonts", "hr", "i", "I", "a", "/>", "/>", " />", ">", " ", "\u3000",
     "<br/>", "<img src=a/>", "<HR/>", "<i/>", "<a class=b/>", "<br/>" * 3, "<i/>" * 3, "\u4e2d", "\U0001f600"]
)  # fmt: skip


@given(st.lists(VOID_PIECES, max_size=20).map("".join))
def test_markup_of_tools_is_known_alike(markup: str) -> None:
    found = TAGS.are_written_by_tool(markup, empty_tags._VOID_NUMBERS, empty_tags._LEAST)
    assert found == empty_tags.are_written_plainly(markup)


@pytest.mark.parametrize("name", [*sorted(VOID), "BASEFONT", "tracks", "wb", "i", "I"])
def test_void_elements_are_known_alike(name: str) -> None:
    for end in ("/>", " a='b'/>", ">", ""):
        markup = f"<br/><hr/><br/><i/><b/><u/><{name}{end}"
        found = TAGS.are_written_by_tool(markup, empty_tags._VOID_NUMBERS, empty_tags._LEAST)
        assert found == empty_tags.are_written_plainly(markup)


NAME_PIECES = st.sampled_from(
    ["a", "post", "Box", "-", "_", "1", "23", " ", "\u3000", "é", "\u4e2d", "\U0001f600", "q"]
)


@given(st.lists(st.lists(NAME_PIECES, max_size=8).map("".join), max_size=8))
def test_names_without_numbers_are_numbered_alike(listed: list[str]) -> None:
    found, plain = WORDS.number_alike(listed), number_alike_plainly(listed)
    assert (found is None) == (plain is None)
    assert found is None or found.tolist() == plain.tolist()


EDGES = "\x00\x08\t\n\x0b\r\x0e\x1f ~\x7f\x80\x9f\xa0\u2029\u202a\u202e\u202f\u2065\u2066\u2069\u206a\U0001f600"


@pytest.mark.parametrize("character", EDGES)
def test_controls_are_found_alike(character: str) -> None:
    texts = ["a", f"b{character}", ""]
    found = controls.find_controls(texts)
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(controls, "TEXTS", None)
        assert found == controls.find_controls(texts)
