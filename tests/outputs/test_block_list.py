"""Blocks as a tree for the terminal, as rows of an index, as passages, and as plain values."""

import hashlib
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import webclean
from tests.outputs.kept import make_blocks
from webclean.errors import InputError
from webclean.model import Block, Link, Reason, Record, Role, Section
from webclean.outputs.block_views import describe_line, list_outline, list_tree, measure_depths
from webclean.outputs.dictionary import (
    describe_blocks,
    find_heading_path,
    list_passages,
    list_section_titles,
    name_block,
    split_text,
    to_plain_values,
)


@pytest.fixture
def blocks() -> list[Block]:
    record = Record("Two [cranes]", "https://x.net/c", "They are tall.", "2024-01-02", price="9 EUR", author="Ada")
    return make_blocks(
        {"role": Role.CONTENT, "texts": "First line\nsecond", "headings": "Top", "importance": 1.0},
        {
            "role": Role.INDEX,
            "texts": "Two cranes and more of a text that is long",
            "parent": 0,
            "importance": 0.26,
            "links": (Link("/c", "c"), Link("javascript:x()", "x")),
            "records": (record, Record("Plain"), Record("", "https://x.net/d"), Record("Odd", "https://x.net/>")),
        },
        {"role": Role.FOOTER, "texts": "Imprint", "kept": False, "parent": 1, "headings": "Foot *note*"},
    )


def render_tree(blocks: list[Block], width: int = 100) -> str:
    return "\n".join(describe_line(line, width) for line in list_tree((), blocks))


def make_section(
    number: int, blocks: list[Block], *inside: Section, titles: tuple[str, ...], within: int | None = None
) -> Section:
    n = len(titles)
    parts = SimpleNamespace(titles=titles, texts=[f"text {i}" for i in range(n)], importance=[0.5] * n)
    return Section(f"s{number}", Role.CONTENT, tuple(blocks), inside, within, number, parts)


def test_a_tree_shows_sections_around_their_blocks_and_below_the_block_they_are_a_part_of(blocks: list[Block]) -> None:
    titles = ("Whole", "", "Part")
    inner = make_section(1, blocks[1:2], titles=titles)
    part = make_section(2, [], titles=titles, within=0)
    whole = make_section(0, blocks[:1], part, inner, titles=titles)
    lines = [describe_line(line, 60)[:30].rstrip() for line in list_tree([whole], blocks)]
    assert lines == [
        "  s0 # content       Whole",
        "  b0 +   content       #####",
        "  s2 #     content       Part",
        "  s1 #   content",
        "  b1 +     index         #",
        "  b2 - footer",
    ]
    assert list(list_outline(list_tree([whole], blocks))) == [("Whole", 0), ("Top", 1), ("Part", 2)]
    assert list_section_titles([whole]) == {0: ("Whole",), 1: ("Whole",)}
    by_number = {block.number: block for block in blocks}
    assert find_heading_path(by_number, blocks[1], list_section_titles([whole])) == ["Whole", "Top"]


def test_a_tree_has_a_line_for_each_block(blocks: list[Block]) -> None:
    assert render_tree(blocks, 72).splitlines() == [
        "  b0 + content       #####      17     0       0  Top: First line second",
        "  b1 +   index         #          42     2       4  Two cranes and more…",
        "  b2 -     footer                    7     0       0  Foot *note*: Impr…",
    ]
    assert render_tree(blocks[:1], 62).endswith("0  Top: First …")
    assert render_tree(make_blocks({"texts": "0123456789"}), 0).endswith("0  0123456789")
    assert render_tree(make_blocks({"texts": "0123456789x"}), 0).endswith("0  012345678…")
    wide = make_blocks({"texts": "x" * 60})
    assert len(render_tree(wide)) == 100
    assert render_tree(wide).endswith("x…")
    assert list(measure_depths(blocks).values()) == [0, 1, 2]


def test_a_row_has_a_name_of_its_place_and_its_headings(blocks: list[Block]) -> None:
    made = make_blocks({"xpaths": ("/html/p[1]", "/html/p[2]")})[0]
    expected = hashlib.sha256(b"https://x.net/\n/html/p[1]\n/html/p[2]").hexdigest()
    assert name_block(made, "https://x.net/") == expected[:16]
    assert name_block(made, None) == hashlib.sha256(b"\n/html/p[1]\n/html/p[2]").hexdigest()[:16]
    by_number = {block.number: block for block in blocks}
    assert find_heading_path(by_number, blocks[2]) == ["Top", "Foot *note*"]
    assert find_heading_path(by_number, blocks[0]) == ["Top"]


def test_blocks_in_another_order_keep_the_block_around_them(blocks: list[Block]) -> None:
    turned = blocks[::-1]
    described = describe_blocks(turned, None, include_reasons=False)
    assert [(block["id"], block["parent"]) for block in described] == [("b2", 1), ("b1", 2), ("b0", None)]
    assert measure_depths(turned) == measure_depths(blocks)


def test_plain_values_have_safe_absolute_links(blocks: list[Block]) -> None:
    first, second, _ = describe_blocks(blocks, "https://x.net/", include_reasons=False)
    keys = ["id", "role", "kept", "text", "xpaths", "links", "importance", "heading", "parent", "records", "fragment"]
    assert list(first) == keys
    assert second["links"] == [{"url": "https://x.net/c", "text": "c"}]
    assert second["records"][1] == {
        **dict.fromkeys(("url", "date", "image", "price", "author")),
        "title": "Plain",
        "summary": "",
        "counts": [],
        "is_advertisement": False,
    }
    assert (second["role"], second["parent"], second["kept"]) == ("index", 0, True)
    told = make_blocks({"reasons": (Reason("cut", "r", points=1.5),)})
    reason = {"stage": "cut", "rule": "r", "evidence": "", "points": 1.5, "source": ""}
    assert describe_blocks(told, None, include_reasons=True)[0]["reasons"] == [reason]
    assert to_plain_values({"n": np.float64(0.5), "m": [np.int32(3)]}) == {"n": 0.5, "m": [3]}
    with pytest.raises(NotImplementedError, match="no plain form of object"):
        to_plain_values(object())


PAGE = """<title>Tides</title><nav><a href=/a>Home</a> <a href=/b>Port</a> <a href=/c>News</a></nav>
<article><h1>Tides of the bay</h1>{}</article>""".format(
    "".join(
        f"<p>The tide number {n} rises in the bay of the town, as the master of the harbour wrote.</p>"
        for n in range(9)
    )
)


def test_a_text_is_cut_between_lines() -> None:
    assert list(split_text("a b\nc d\ne", 4)) == ["a b\nc d", "e"]
    assert list(split_text("a b\nc d\ne", 5)) == ["a b\nc d\ne"]
    assert list(split_text("a b c d e\nf", 2)) == ["a b", "c d", "e\nf"]
    assert list(split_text("a\nb c d", 3)) == ["a", "b c d"]


@given(st.text(alphabet="ab \n", max_size=60), st.integers(1, 7))
def test_no_word_is_lost_and_no_part_is_too_long(text: str, most: int) -> None:
    parts = list(split_text(text, most))
    assert " ".join(parts).split() == text.split()
    assert all(len(part.split()) <= most for part in parts)


def test_later_parts_of_a_block_have_a_number() -> None:
    row = {"id": "x", "text": "a\nb\nc", "role": "content"}
    assert list(list_passages([row], 1)) == [
        {"id": "x", "text": "a", "role": "content"},
        {"id": "x-1", "text": "b", "role": "content"},
        {"id": "x-2", "text": "c", "role": "content"},
    ]


def test_passages_are_those_of_kept_blocks() -> None:
    page = webclean.clean(PAGE, url="https://example.org/")
    kept = [block for block in page.ranked_blocks if block.kept and block.text]
    assert kept
    assert [one["text"] for one in page.passages()] == [block.text for block in kept]
    assert [one["xpath"] for one in page.passages()] == [block.xpaths[0] for block in kept]
    assert len(page.passages(kept_only=False)) > len(kept)
    assert max(len(one["text"].split()) for one in page.passages(max_words=20)) <= 20
    with pytest.raises(InputError, match="at least one word"):
        page.passages(max_words=0)
