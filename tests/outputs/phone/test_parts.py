"""Long pages in parts: where they are divided, and how the parts lead to each other; what a row of a page belongs to;
what lines say, and titles found in a text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest

from tests.outputs.phone.made_pages import change_rules, make_blocks_page, make_page, read_main
from webclean.outputs.flow import Head, Node
from webclean.outputs.phone import PhoneOptions, PhonePage, render_phone_parts, split_parts
from webclean.outputs.phone.pieces import find_titles, index_spans, says_date, says_names
from webclean.rules import load_rules

LINE = "x" * 100


def split(page: PhonePage, part_bytes: int) -> tuple[str, ...]:
    return render_phone_parts(replace(page, options=PhoneOptions(part_bytes=part_bytes)))


def make_paragraphs(n: int, name: str = "p") -> list[Node]:
    return [Node(name, {}, [LINE]) for _ in range(n)]


def test_a_page_of_less_than_one_and_a_half_parts_is_whole() -> None:
    page = make_page(f"<p>{LINE}</p>" * 29, Head("T"))
    assert len(split(page, 2000)) == 1
    assert '<nav class="parts"' not in split(page, 2000)[0]
    assert len(split(page, 1900)) == 2
    assert len(render_phone_parts(change_rules(page, part_bytes=700))) in (4, 5)


def test_parts_are_of_about_the_same_length() -> None:
    parts = split_parts(make_paragraphs(100), 1000)
    assert 9 <= len(parts) <= 11
    assert {len(part) for part in parts} <= {9, 10, 11}
    assert sum(map(len, parts)) == 100


def test_bytes_of_text_are_counted_not_characters() -> None:
    chinese = [Node("p", {}, ["鹤" * 100]) for _ in range(30)]
    assert len(split_parts(chinese, 3000)) == 3
    assert len(split_parts(make_paragraphs(30), 3000)) == 1


@pytest.mark.parametrize("name", ["h2", "section", "article"])
def test_a_part_ends_before_a_heading_card_or_post(name: str) -> None:
    nodes = [*make_paragraphs(8), Node(name, {}, ["y"]), *make_paragraphs(12)]
    parts = split_parts(nodes, 1000)
    assert len(parts[0]) == 8
    assert parts[1][0].name == name


def test_a_part_ends_before_the_next_semantic_block() -> None:
    nodes = [Node("p", {"block": str(number // 8)}, [LINE]) for number in range(20)]
    assert len(split_parts(nodes, 1000)[0]) == 8


def test_a_heading_goes_with_what_it_is_of() -> None:
    nodes = [*make_paragraphs(9), Node("h2", {}, ["y"]), Node("p", {}, ["z" * 900]), *make_paragraphs(5)]
    parts = split_parts(nodes, 900)
    assert not any(part[-1].name == "h2" for part in parts)


def test_long_lists_are_divided_and_their_numbers_go_on() -> None:
    items = "".join(f"<li>{n} {LINE}" for n in range(1, 31))
    parts = split(make_page(f"<ol>{items}</ol>", Head("T")), 1000)
    assert len(parts) > 2
    starts = [int(start) for part in parts for start in re.findall(r'<ol start="(\d+)"', part)]
    firsts = [int(n) for part in parts for n in re.findall(r"<ol[^>]*>\s*<li>(\d+) ", part)]
    assert firsts[0] == 1
    assert starts == firsts[1:]
    assert [int(n) for part in parts for n in re.findall(r"<li>(\d+) ", part)] == list(range(1, 31))


def test_each_part_of_a_table_has_its_header() -> None:
    rows = "".join(f"<tr><td>{n}<td>{LINE}" for n in range(30))
    parts = split(make_page(f"<table><tr><th>no<th>what</tr>{rows}</table>", Head("T")), 1000)
    assert len(parts) > 2
    for part in parts:
        assert part.count("<table>") == part.count("<th>no</th>") >= 1


def test_a_card_keeps_its_name_in_the_first_part_alone() -> None:
    items = "".join(f"<li>{n} {LINE}" for n in range(30))
    parts = split(make_blocks_page(f"<div id=b><ul>{items}</ul></div>", [{"at": "b"}]), 1000)
    assert sum(part.count('id="b0"') for part in parts) == 1
    assert all('<section class="card"' in part for part in parts)


def test_parts_lead_to_each_other() -> None:
    sections = "".join(f"<h2>Part {n}</h2>" + f"<p>{LINE}</p>" * 5 for n in range(1, 7))
    page = make_page(sections, Head("Guide", "Ada", url="https://news.example.org/a", language="fr"))
    first, *between, last = split(page, 1000)
    assert len(between) == 1
    assert "<title>Guide (1/3)</title>" in first
    assert 'rel="prev"' not in first
    assert '<a rel="next" href="2.html">Suivant</a>' in first
    assert '<a rel="prev" href="2.html">Précédent</a>' in last
    assert 'rel="next"' not in last
    assert "<span>2 / 3</span>" in between[0]
    assert all("<h1>Guide</h1>" in part for part in (first, *between, last))
    assert ["Ada" in part for part in (first, *between, last)] == [True, False, False]
    contents = re.findall(r'href="([^"]*#h\d)"', first)
    assert contents == ["#h1", "#h2", "2.html#h3", "2.html#h4", "3.html#h5", "3.html#h6"]
    assert 'class="contents"' not in last
    assert 'id="h3"' in between[0]
    named = replace(page, options=PhoneOptions(part_bytes=1000, name_part=lambda number: f"?part={number}&x"))
    assert 'href="?part=2&amp;x"' in render_phone_parts(named)[0]


def test_references_lead_to_notes_in_other_parts() -> None:
    lines = f"<p>{LINE}</p>" * 30
    note = '<section role=doc-endnotes><ol><li id=fn1>A note. <a href="#r1" role=doc-backlink>back</a></ol></section>'
    page = make_page(f'<p>Cranes<sup><a id=r1 href="#fn1" role=doc-noteref>1</a></sup></p>{lines}{note}', Head("T"))
    parts = split(page, 1000)
    assert f'<sup><a href="{len(parts)}.html#note-1" id="note-1-ref">[1]</a></sup>' in parts[0]
    assert '.html#note-1-ref" role="doc-backlink">' in parts[-1]
    assert 'id="note-1"' in parts[-1]
    assert '<sup><a href="#note-1" id="note-1-ref">' in "\n".join(read_main(split(page, 100000)[0]))


@pytest.mark.parametrize("spans", list(permutations([(2, 9), (2, 5), (3, 4), (6, 8), (11, 12)])))
def test_a_row_is_of_the_innermost_span_that_holds_it(spans: tuple[tuple[int, int], ...]) -> None:
    find = index_spans(spans)
    found = [spans[number] if (number := find(row)) >= 0 else None for row in range(13)]
    assert found == [
        *(None, None, (2, 5), (3, 4), (2, 5), (2, 9), (6, 8), (6, 8), (2, 9)),
        *(None, None, (11, 12), None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "date", "written"),
    [
        ("", "2024-05-06T10:30:00+02:00", "2024-05-06 10:30"),
        ("en", "2024-05-06T10:30:00+02:00", "6 May 2024 10:30"),
        ("de-AT", "2024-05-06", "6. Mai 2024"),
        ("es", "2024-05-06", "6 de mayo de 2024"),
        ("ru", "2024-05-06", "6 мая 2024"),
        ("ja", "2024-05-06", "2024年5月6日"),
        ("en", "2024-13-06", "2024-13-06"),
        ("en", "6 years ago", "6 years ago"),
    ],
)
def test_dates_are_written_for_readers(language: str, date: str, written: str) -> None:
    names = load_rules().dates.months.get(language.partition("-")[0], ())
    assert replace(make_page("<p>a</p>", Head(language=language)), months=names).write_date(date) == written


@pytest.mark.parametrize("text", ["6 May 2024", "May 6, 2024", "06.05.24", "2024年5月6日", "Mon 6 May 2024 10:30"])
def test_a_line_says_a_date_in_any_order(text: str) -> None:
    assert says_date(text, "2024-05-06T10:30")
    assert not says_date(text, "2024-05-07")
    assert not says_date(text, "2023-05-06")
    assert not says_date(text, "")
    assert says_date(f"posted {text.upper()}", text)


def test_a_line_names_all_authors() -> None:
    assert says_names("By ADA Lind and Bob  Moe", "Ada Lind, Bob Moe")
    assert not says_names("By Ada Lind", "Ada Lind; Bob Moe")
    assert not says_names("By Ada Lind", "")


def find_in(*lines: str, links: tuple[str, ...] = ()) -> Callable[[str], bool]:
    return find_titles(
        [Node("p", {}, [line]) for line in lines] + [Node("p", {}, ["to ", Node("a", {}, [link])]) for link in links]
    )


def test_titles_are_found_by_the_words_that_follow_each_other() -> None:
    says = find_in("Home. Two cranes came, one", "heron stayed")
    assert all(map(says, ("two cranes", "Came -- one", "one heron")))
    assert not any(map(says, ("cranes two", "heron cranes", "two cran", "--")))
    long = "a b c d e f g h i j k l m n"
    assert find_in(f"x {long} y")(long)
    assert not find_in("a b c d e f g h i j k")(long)


def test_a_title_of_one_word_is_found_as_a_line_or_link_alone() -> None:
    says = find_in("Two cranes came", "2. Herons", "1984", "鹤", links=("Gulls!", "and all"))
    assert all(map(says, ("herons", "1984", "鹤", "GULLS")))
    assert not any(map(says, ("cranes", "2", "all", "")))
