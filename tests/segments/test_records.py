"""Units and records of small lists: what is an entry, and which of its texts is what."""

from __future__ import annotations

import msgspec
import pytest

from webclean.model import Record
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.segments.records import is_named, list_pieces, read_record
from webclean.segments.units import Unit, UnitSearch

RULES = load_rules().segments
URL = "https://x.net/list"


def read(entry: str, *author_tags: str) -> Record | None:
    """The record of one `div`; elements of `author_tags` are named for an author."""
    document = parse_page(f"<body><div>{entry}</div>", url=URL)
    row = document.names.index("div")
    authors = {i for i, name in enumerate(document.names) if name in author_tags}
    finder = build_columns(document, load_rules()).prices_dates
    return read_record(document, Unit(row, int(document.end[row])), RULES, finder, authors)


def find_units(markup: str) -> list[str]:
    """The text of each unit."""
    document = parse_page(f"<body>{markup}", url=URL)
    units = UnitSearch(document, RULES.records).find(0, len(document))
    return [" ".join(piece.text for piece in list_pieces(document, unit)) for unit in units]


SUMMARY = "The cranes are tall, and they came by ship."


@pytest.mark.parametrize(
    ("entry", "record"),
    [
        ("<a href=/a>Two cranes</a>", Record("Two cranes", "https://x.net/a")),
        (f"<h3>Cranes</h3><p><a href=/a>more</a></p><p>{SUMMARY}</p>", Record("Cranes", "https://x.net/a", SUMMARY)),
        (f"<h3><a href=/a>Cranes</a></h3><p>{SUMMARY}</p>", Record("Cranes", "https://x.net/a", SUMMARY)),
        # of two headings the longer one
        ("<h2>New</h2><h3><a href=/a>Two cranes</a></h3>", Record("Two cranes", "https://x.net/a")),
        # the link named most often, then the longest
        (
            "<p><a href=/b>A longer text of a link</a></p><p><a href=/a>Cranes</a></p><p><a href=/a>more</a></p>",
            Record("Cranes", "https://x.net/a"),
        ),
        ("<p><a href=/b>Short</a></p><p><a href=/a>Longer one</a></p>", Record("Longer one", "https://x.net/a")),
        # links amid longer text are no titles: the first text is
        (
            "<p>Kite</p><p>It flies high above all of us in the wind, see <a href=/a>here</a> how.</p>",
            Record("Kite", "https://x.net/a", "It flies high above all of us in the wind, see"),
        ),
        # a link to a person elsewhere makes no person of a text without a link
        (
            "<p>Kite</p><p>It flies high above all of us in the wind, as <a href=/user/tom>he</a> says.</p>",
            Record("Kite", "https://x.net/user/tom", "It flies high above all of us in the wind, as"),
        ),
        (
            "<p><a href=/a>Kettle</a></p><p>19.90 EUR</p><p>12 May 2023</p>",
            Record("Kettle", "https://x.net/a", date="12 May 2023", price="19.90 EUR"),
        ),
        (
            "<p><a href=/a>Kettle</a></p><time datetime=' 2023-05-12 '>last week</time>",
            Record("Kettle", "https://x.net/a", date="2023-05-12"),
        ),
        ("<p><a href=/a>K</a></p><img src='data:x' data-src=/k.png>", Record("K", "https://x.net/a", image="https://x.net/k.png")),
        ("<p><a href=/a>K</a></p><img src='data:x'><img src=/l.png>", Record("K", "https://x.net/a", image="https://x.net/l.png")),
        ("<p><a href=/a>K</a></p><script>Hidden words that are quite long.</script>", Record("K", "https://x.net/a")),
        ("<img src=/k.png>", None),
        # a link to the page itself that says nothing
        ("<p><a href=/list>Red</a></p><p>(12)</p>", None),
    ],
)  # fmt: skip
def test_which_text_is_what(entry: str, record: Record | None) -> None:
    assert read(entry) == record


def test_who_wrote_an_entry() -> None:
    post = f"<b>Tom</b><p>{SUMMARY}</p>"
    assert read(post, "b") == Record("", None, SUMMARY, author="Tom")
    byline = f"<h3><a href=/a>Cranes</a></h3><p>By Ada Quill</p><p>{SUMMARY}</p>"
    assert read(byline) == Record("Cranes", "https://x.net/a", SUMMARY, author="Ada Quill")
    person = f"<p><a href=/user/tom>Tom</a></p><p>{SUMMARY}</p>"
    assert read(person) == Record("", None, SUMMARY, author="Tom")


def test_names_are_asked_for_up_to_some_levels_above() -> None:
    document = parse_page("<body><div><b><i><u><s><tt>deep</tt></s></u></i></b></div>", url=URL)
    names = document.names
    unit = Unit(names.index("div"), int(document.end[names.index("div")]))
    owner = names.index("tt")
    assert is_named(document, owner, unit, {owner})
    assert is_named(document, owner, unit, {names.index("b")})  # four levels above
    assert not is_named(document, owner, unit, {names.index("b")}, 3)
    assert is_named(document, owner, unit, {names.index("i")}, 3)
    assert not is_named(document, owner, unit, {names.index("div")})  # the entry itself


def test_a_text_is_cut_where_block_link_or_heading_changes() -> None:
    document = parse_page(
        "<body><div>one <b>two</b> <a href=/a>three</a> four<h2>five</h2> six<script>x</script></div>"
    )
    row = document.names.index("div")
    pieces = list_pieces(document, Unit(row, int(document.end[row])))
    assert [piece.text for piece in pieces] == ["one two", "three", "four", "five", "six"]
    assert [piece.heading for piece in pieces] == [False, False, False, True, False]
    assert [piece.link >= 0 for piece in pieces] == [False, True, False, False, False]
    assert pieces[0].owner == row


def make_list(*items: str, tag: str = "li") -> str:
    return "<ul>" + "".join(f"<{tag}>{item}</{tag}>" for item in items) + "</ul>"


LINKS = [f"<a href=/{i}>Entry {i}</a>" for i in range(6)]


@pytest.mark.parametrize("n_units", range(1, 6))
def test_so_many_entries_make_a_list(n_units: int) -> None:
    found = find_units(make_list(*LINKS[:n_units]))
    assert len(found) == (n_units if n_units >= RULES.records.min_units else 0)


@pytest.mark.parametrize(
    ("item", "is_entry"),
    [
        ("<a href=/{0}>Entry {0}</a>", True),
        ("<p>Some text that is long.</p><p><a href=/{0}>Entry {0}</a></p>", True),  # a line of its own
        ("<h3>Some text</h3><p>and <a href=/{0}>Entry {0}</a> in the midst of it</p>", True),  # a heading
        ("<a href=/{0}>Entry {0}</a> and then a text that is far longer than it", True),  # begins with a link
        ("Now <a href=/{0}>Entry {0}</a> and then a text that is far longer", False),
        ("Nothing but some text", False),
    ],
)
def test_what_looks_like_an_entry(item: str, is_entry: bool) -> None:
    assert len(find_units(make_list(*(item.format(i) for i in range(5))))) == 5 * is_entry


def test_lists_in_columns_give_their_own_entries() -> None:
    columns = "".join(
        f"<div>{make_list(*(f'<a href=/{c}{i}>Entry {c}{i}</a>' for i in range(4)))}</div>" for c in "abc"
    )
    assert find_units(f"<section>{columns}</section>") == [f"Entry {c}{i}" for c in "abc" for i in range(4)]


@pytest.mark.parametrize(("n_posts", "min_units", "n_units"), [(2, 2, 2), (3, 3, 3), (1, 2, 3), (2, 3, 6)])
def test_posts_of_the_same_parts_stay_whole_where_there_are_several(n_posts: int, min_units: int, n_units: int) -> None:
    post = "".join(
        f"<p class={name}><a href=/{name}{{0}}>The {name} of {{0}}</a></p>" for name in ("who", "text", "reply")
    )
    posts = "".join(f"<div class=post>{post.format(i)}</div>" for i in range(n_posts))
    document = parse_page(f"<body><section>{posts}</section>", url=URL)
    rules = msgspec.structs.replace(RULES.records, min_units=min_units)
    assert len(UnitSearch(document, rules).find(0, len(document))) == n_units


def test_a_run_of_siblings_is_an_entry() -> None:
    runs = "".join(f"<h3><a href=/{i}>Entry {i}</a></h3><p>What entry {i} says.</p>" for i in range(4))
    assert find_units(f"<div>{runs}</div>") == [f"Entry {i} What entry {i} says." for i in range(4)]


def test_only_the_rows_asked_for_are_searched() -> None:
    document = parse_page(f"<body><div>{make_list(*LINKS)}</div><div>{make_list(*LINKS)}</div>")
    search = UnitSearch(document, RULES.records)
    second = [i for i, name in enumerate(document.names) if name == "div"][1]
    assert len(search.find(0, len(document))) == 12
    assert len(search.find(second, len(document))) == 6
    assert [unit.first >= second for unit in search.find(second, len(document))] == [True] * 6
    assert len(search.find(0, second)) == 6


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ("<li><a href=/p/2>2</a></li>", None),
        ("<li><a href=/p/2>»</a></li>", None),
        ("<li><a href=/p/2>< 1 / 9 ></a></li>", None),
        ("<li><a href=/p/2>第二页</a></li>", "第二页"),
        ("<li><a href=/b/1984>1984</a> <b>$9.50</b></li>", "1984"),
        ("<li><a href=/b/1984><img src=/c.jpg width=90 height=90>1984</a></li>", "1984"),
        ("<li><a href=/b/1984>1984</a><p>The year in which it all came to an end for him.</p></li>", "1984"),
        ("<li><a href=/b/x>X</a></li>", "X"),
    ],
)
def test_digits_and_signs_alone_are_no_entry(entry: str, title: str | None) -> None:
    record = read(entry)
    assert (None if record is None else record.title) == title
