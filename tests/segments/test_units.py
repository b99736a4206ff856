"""Which parts of a list are its entries."""

import msgspec
import pytest

import webclean
from tests.segments.made_lists import LINKS, RULES, SUMMARY, URL, find_units, list_records, make_list
from webclean.features.page_columns import NOTHING_FOUND
from webclean.features.page_words import find_named
from webclean.model import Count, Record
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.segments.segment_columns import NAMING
from webclean.segments.semantic_page import segment_page
from webclean.segments.units import EntryColumns, Unit, UnitSearch, list_around


def test_names_are_asked_for_up_to_some_levels_above() -> None:
    document = parse_page("<body><div><b><i><u><s><tt>deep</tt></s></u></i></b></div>", url=URL)
    names = document.names
    unit = Unit(names.index("div"), int(document.end[names.index("div")]))
    owner = names.index("tt")
    assert owner in list_around(document, owner, unit)
    assert names.index("b") in list_around(document, owner, unit)  # four levels above
    assert names.index("div") not in list_around(document, owner, unit)  # the entry itself
    (piece,), _ = EntryColumns(document, RULES, NOTHING_FOUND).list_pieces(unit)
    assert piece.around == tuple(map(names.index, ("tt", "s", "u", "i", "b")))


def test_a_text_is_cut_where_block_link_or_heading_changes() -> None:
    document = parse_page(
        "<body><div>one <b>two</b> <a href=/a>three</a> four<h2>five</h2> six<script>x</script></div>"
    )
    row = document.names.index("div")
    pieces, _ = EntryColumns(document, RULES, NOTHING_FOUND).list_pieces(Unit(row, int(document.end[row])))
    assert [piece.text for piece in pieces] == ["one two", "three", "four", "five", "six"]
    assert [piece.heading for piece in pieces] == [False, False, False, True, False]
    assert [piece.link >= 0 for piece in pieces] == [False, True, False, False, False]
    assert pieces[0].owner == row


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
    assert len(UnitSearch(build_columns(document), rules).bounds) == n_units


def test_a_run_of_siblings_is_an_entry() -> None:
    runs = "".join(f"<h3><a href=/{i}>Entry {i}</a></h3><p>What entry {i} says.</p>" for i in range(4))
    assert find_units(f"<div>{runs}</div>") == [f"Entry {i} What entry {i} says." for i in range(4)]


def test_a_heading_and_its_links_give_the_links_even_if_there_are_two_such_runs() -> None:
    runs = "".join(
        f"<header>The part {c}</header>" + "".join(f"<div><a href=/{c}{i}>Entry {c}{i}</a></div>" for i in range(4))
        for c in "abc"
    )
    expected = [f"Entry {c}{i}" for c in "abc" for i in range(4)]
    assert find_units(f"<aside>{runs}</aside>") == expected
    half = runs[: runs.index("<header>The part c")]
    assert find_units(f"<aside>{half}</aside>") == expected[:8]


def test_short_lists_side_by_side_are_one() -> None:
    lists = "".join(make_list(*LINKS[i : i + 2]) for i in (0, 2))
    assert find_units(f"<section>{lists}</section>") == [f"Entry {i}" for i in range(4)]
    assert find_units(f"<section>{lists.replace('ul>', 'p>').replace('li>', 'b>')}</section>") == []


def test_a_line_of_headlines_gives_each() -> None:
    line = "<a href=/2024/{0}1.html>The first of {0}</a> <a href=/2024/{0}2.html>The second of {0}</a>"
    lines = [line.format(i) for i in range(1, 5)]
    assert find_units(make_list(*lines)) == [f"The {n} of {i}" for i in range(1, 5) for n in ("first", "second")]
    # links of different kinds stay together
    mixed = [text.replace("/2024/", "/user/", 1) for text in lines]
    assert find_units(make_list(*mixed)) == [f"The first of {i} The second of {i}" for i in range(1, 5)]
    # and so do those with text of their own
    told = [f"{text} and much more is told there" for text in lines]
    assert len(find_units(make_list(*told))) == 4


def test_an_entry_of_a_list_may_look_unlike_one() -> None:
    items = [*LINKS[:4], "Now <a href=/x>one</a> in the midst of a far longer line of text", "No link at all"]
    assert len(find_units(make_list(*items))) == 5


def test_buttons_that_most_entries_have_are_no_entries() -> None:
    def list_repositories(*buttons: str) -> list[str]:
        tabs = {n: make_list(*(f"<a href=/{n}/{b}>{b} of the thing</a>" for b in buttons)) for n in "abcd"}
        return find_units("".join(f"<div><h3><a href=/{n}>Thing {n}</a></h3>{tab}</div>" for n, tab in tabs.items()))

    assert [unit[:7] for unit in list_repositories("code", "issues", "wiki")] == [f"Thing {n}" for n in "abcd"]
    own = [f"<li><a href=/{n}{i}>Story {n}{i} of the day</a></li>" for n in "abcd" for i in range(4)]
    sections = [f"<div><h3>Part {i}</h3><ul>{''.join(own[4 * i : 4 * i + 4])}</ul></div>" for i in range(4)]
    assert find_units("".join(sections))[:2] == ["Story a0 of the day", "Story a1 of the day"]


@pytest.mark.parametrize("tag", ["label", "li"])
def test_labels_of_form_controls_are_no_entries(tag: str) -> None:
    items = [f"<{tag}><a href=/{i}>Shade {i}</a></{tag}>" for i in range(4)]
    inside = [f"<p><{tag}><a href=/{i}>Shade {i}</a></{tag}></p>" for i in range(4)]
    assert len(find_units(f"<fieldset>{''.join(items)}</fieldset>")) == (0 if tag == "label" else 4)
    assert tag == "li" or find_units(f"<fieldset>{''.join(inside)}</fieldset>") == []


def test_a_link_between_blocks_is_a_line_of_its_own() -> None:
    entry = (
        "<div><div>The company that hires</div><a href=/job/{}>Job</a>{}<div>Full time, and much more of it</div></div>"
    )
    assert len(find_units("".join(entry.format(i, "") for i in range(4)))) == 4
    # not where text stands beside it
    assert find_units("".join(entry.format(i, " and some other words beside it") for i in range(4))) == []


def read_records(markup: str) -> list[Record]:
    return list_records(webclean.clean(f"<body><main>{markup}</main>", url=URL))


def test_a_button_below_an_entry_makes_no_owner_of_it() -> None:
    items = [
        f"<li><h3><a href=/job/{i}>Crane driver {i}</a></h3><p><a href=/job/{i}/apply>Apply now to that</a></p></li>"
        for i in range(6)
    ]
    records = read_records(f"<ul>{''.join(items)}</ul>")
    assert [record.title for record in records] == [f"Crane driver {i}" for i in range(6)]
    assert {record.author for record in records} == {None}


HEAD = "<table><tr><th colspan=2>Topic</th><td>Author</td><td>Replies/Views</td></tr></table>"
ROW = (
    "<tr><td>*</td><td><a href=/t{0}>Thread of number {0}</a></td><td>anna</td>"
    "<td><a href=/t{0}>{0}</a> <em>{0}7</em></td></tr>"
)


@pytest.mark.parametrize(
    ("head", "counts"),
    [
        (HEAD, (Count("replies", 4), Count("views", 47))),
        (HEAD.replace("Replies/Views", "Views/Replies"), (Count("replies", 47), Count("views", 4))),
        (HEAD.replace("/Views", ""), ()),  # two numbers, one word
        (HEAD.replace(" colspan=2", ""), ()),  # another table
        ("", ()),
    ],
)
def test_the_header_of_a_column_says_what_it_counts(head: str, counts: tuple[Count, ...]) -> None:
    rows = "".join(ROW.format(i) for i in range(1, 7))
    records = read_records(f"{head}<table>{rows}</table>")
    assert [record.title for record in records] == [f"Thread of number {i}" for i in range(1, 7)]
    assert {count.name: count.value for count in records[3].counts} == {count.name: count.value for count in counts}


def make_products(said: str) -> str:
    return make_list(*(f"<h3><a href=/p/{i}>The kettle of kind {i}</a></h3><p>{said}</p>" for i in range(8)))


FACETS = make_list(*(f"<a href=/c/{c}>Kettles {c}</a>" for c in "abcdefgh"))


@pytest.mark.parametrize(
    ("said", "others", "n_records"),
    [
        (SUMMARY, FACETS, 8),
        ("Good", FACETS, 16),  # no list says more
        ("", FACETS, 16),
        (SUMMARY, FACETS.replace("Kettles", "Why all of us like the kettles of the kind of"), 16),  # headlines
        (SUMMARY, FACETS.replace("</a>", "</a> 12 May 2023"), 16),  # dates
        (SUMMARY, make_list(*(f"<a href=/c/{i}>Kettles {i}</a>" for i in range(64))), 72),  # most of the page
    ],
)
def test_names_alone_beside_entries_that_say_more_are_a_menu(said: str, others: str, n_records: int) -> None:
    assert (
        len(read_records(f"<div>{make_products(said)}</div><h2>Kinds of kettles</h2><div>{others}</div>")) == n_records
    )


def test_names_of_one_class_do_not_refuse_another() -> None:
    entry = "<p class='list-title member-thread'>How the cranes came</p><p><a href=/a>A longer text of a link</a></p>"
    document = parse_page(f"<body><div>{entry}</div>", url=URL)
    rows = find_named(document, RULES.tokens["title"], NAMING, RULES.records.other_title)
    assert document.names.index("p") in rows
    other = parse_page(f"<body><div>{entry.replace('list-title member', 'member-title list')}</div>", url=URL)
    assert other.names.index("p") not in find_named(other, RULES.tokens["title"], NAMING, RULES.records.other_title)


def test_a_place_in_a_page_makes_no_owner_of_it() -> None:
    items = [
        f"<li><h3>Crane driver {i}</h3><p>{SUMMARY}</p><p><a href=/job/{i}/>Full story</a> "
        f"<a href=/job/{i}/#comments>many comments</a></p></li>"
        for i in range(6)
    ]
    assert {record.author for record in read_records(f"<ul>{''.join(items)}</ul>")} == {None}


def test_elements_are_named_as_if_each_were_read() -> None:
    rows = "<p class=by-author>1</p><p rel=author>2</p><p itemprop=author>3</p><p id=author>4</p><i class=author>!</i>"
    analysis = webclean.clean(
        f"<body><div class=plain>{rows}<b class='authority'>5</b><br class=author></div>"
    ).analysis
    columns = segment_page(analysis.columns, analysis.rules, analysis.decisions).columns
    document, quick = columns.page.document, columns.author_rows
    slow = find_named(document, columns.rules.tokens["author"], NAMING)
    named = [row for row in range(len(document)) if row in slow]
    assert named == [row for row in range(len(document)) if row in quick]
    assert [document.names[row] for row in named] == ["p", "p", "p", "i", "br"]
