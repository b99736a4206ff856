"""Units and records of small lists: what is an entry, and which of its texts is what."""

from __future__ import annotations

import msgspec
import pytest

import webclean
from webclean.model import Count, Record
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.segments.entry import Named
from webclean.segments.list_context import find_icons
from webclean.segments.pieces import is_named, list_pieces
from webclean.segments.records import read_record
from webclean.segments.segment_columns import NamedRows
from webclean.segments.units import Unit, UnitSearch

RULES = load_rules().segments
URL = "https://x.net/list"


def read(
    entry: str, *author_tags: str, title_tags: tuple[str, ...] = (), url: str = URL, at: str = ""
) -> Record | None:
    """The record of one `div`, with attributes `at`; elements of `author_tags` are named for an author, those of
    `title_tags` for a title."""
    document = parse_page(f"<body><div {at}>{entry}</div>", url=url)
    row = document.names.index("div")
    authors, titles = (
        {i for i, name in enumerate(document.names) if name in tags} for tags in (author_tags, title_tags)
    )
    finder = build_columns(document, load_rules()).prices_dates
    return read_record(document, Unit(row, int(document.end[row])), RULES, finder, Named(authors, titles))


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


def read_title(entry: str, *author_tags: str, title_tags: tuple[str, ...] = (), url: str = URL) -> str | None:
    record = read(entry, *author_tags, title_tags=title_tags, url=url)
    return None if record is None else record.title


@pytest.mark.parametrize(
    ("entry", "counts"),
    [
        ("<p>12 replies · 1.4k views</p>", (Count("replies", 12), Count("views", 1400))),
        ("<p>76 Comments</p>", (Count("comments", 76),)),
        ("<p>Comments: 1,076</p>", (Count("comments", 1076),)),
        ("<p>回复 12 查看 3万</p>", (Count("replies", 12), Count("views", 30000))),
        ("<p class=comment-bubble><i>23</i></p>", (Count("comments", 23),)),
        ("<p><i title=Replies>143</i></p>", (Count("replies", 143),)),
        ("<p><a href=/a#reviews>(112)</a></p>", (Count("reviews", 112),)),
        ("<p class=votes>7</p><p>9 points</p>", (Count("votes", 7),)),  # the first of two
        # what is no count: days, shares, numbers of posts, marks with a fraction, numbers without a word
        ("<p>3 days, no comment</p>", ()),
        ("<p class=comments>40%</p>", ()),
        ("<p class=comment>#514</p>", ()),
        ("<p class=review-score>4.5</p>", ()),
        ("<p>112</p>", ()),
        ("<p class=views-row>1</p>", ()),
    ],
)
def test_what_an_entry_counts(entry: str, counts: tuple[Count, ...]) -> None:
    record = read(f"<h3><a href=/a>Cranes</a></h3>{entry}")
    assert record is not None
    assert record.counts == counts


@pytest.mark.parametrize(
    ("entry", "at", "is_advertisement"),
    [
        ("<p>Promoted</p>", "", True),
        ("<p>Ad by a seller</p>", "", True),
        ("<p>广告</p>", "", True),
        ("<p>Promoted to head of the yard</p>", "", False),
        ("<p>12 May 2023</p>", "class='feature feature--ad'", True),
        ("<p>12 May 2023</p>", "class=sponsored", True),
        ("<p>12 May 2023</p>", "class='badge add'", False),
    ],
)
def test_advertisements_are_marked(entry: str, at: str, is_advertisement: bool) -> None:
    record = read(f"<h3><a href=/a>Cranes</a></h3>{entry}", at=at)
    assert record is not None
    assert record.is_advertisement is is_advertisement


def test_a_title_is_in_an_element_named_for_it() -> None:
    entry = "<p><a href=/abs/1>abs:1</a> <a href=/pdf/1>pdf</a></p><p><b>Title: Of cranes</b></p>"
    assert read_title(entry) == "abs:1"
    assert read_title(entry, title_tags=("b",)) == "Of cranes"
    # a link is preferred to a longer text
    two = "<p><b>What is new today</b></p><p><b><a href=/a>Cranes</a></b></p>"
    assert read_title(two, title_tags=("b",)) == "Cranes"
    # a label is no title
    assert read_title("<p><b>Tom said:</b></p><p><a href=/a>Cranes</a></p>", title_tags=("b",)) == "Cranes"


def test_a_description_is_no_title_beside_an_address() -> None:
    described = "Enjoy the new roof of the house and of the sheds. " * 5
    for wrong in (f"<p>{described}</p>", f"<p><b>{described}</b></p>", f"<b><p>Houses</p><p>{described}</p></b>"):
        entry = f"<a href=/a><p>$ 500,000</p>{wrong}<p>12 Pah Rah Dr</p></a>"
        assert read_title(entry, title_tags=("b",)) == "12 Pah Rah Dr"
    assert read_title(f"<a href=/a><p>{described}</p></a>") == described.strip()


def test_posts_have_no_title() -> None:
    post = f"<p><i>Tom</i></p><p><b>Old hand</b></p><p><a href={{0}}>12 May 2023</a></p><p>{SUMMARY}</p>"
    # the date links to the page or below it
    assert read_title(post.format("/list/p7"), "i", title_tags=("b",)) == ""
    assert read_title(post.format("/list#p7"), "i", title_tags=("b",)) == ""
    assert read_title(post.format("/cranes"), "i", title_tags=("b",)) == "Old hand"
    # nor where all leads to the page or to people
    rank = f"<p><i>Tom</i></p><p><b>Old hand</b></p><p>{SUMMARY}</p><p><a href={{0}}>like</a></p>"
    assert read_title(rank.format("/list/p7/like"), "i", title_tags=("b",)) == ""
    assert read_title(rank.format("/user/tom"), "i", title_tags=("b",)) == ""
    assert read_title(rank.format("/lists/7"), "i", title_tags=("b",)) == "Old hand"


@pytest.mark.parametrize(
    ("entry", "author"),
    [
        ("<p>Posted by Ada Quill on Monday, 3 May 2021</p>", "Ada Quill"),
        ("<p>By Ada Quill | 3 May 2021</p>", "Ada Quill"),
        ("<p>By the light of the moon, they flew south again</p>", None),  # no name
        ("<p><a href=/user/ada>Ada Quill</a> 3 May 2021</p>", "Ada Quill"),
        ("<p><a href=/writers/ada>Ada Quill</a> 3 May 2021</p>", None),
    ],
)
def test_who_wrote_an_entry_with_a_title(entry: str, author: str | None) -> None:
    record = read(f"<p><a href=/a>All about two cranes</a></p>{entry}")
    assert record is not None
    assert (record.title, record.author) == ("All about two cranes", author)


@pytest.mark.parametrize(
    ("url", "target", "is_entry"),
    [
        ("https://x.net/c/shoes.html?ref=1", "/c/shoes.html?color=red", False),
        ("https://x.net/c/shoes", "/c/shoes?color=red", False),
        ("https://x.net/c/shoes", "/c/shoes/red", True),
        ("https://x.net/", "/?p=12", True),
        ("https://x.net/index.html", "/index.html?p=12", True),
        ("https://x.net/show.php?f=3", "/show.php?t=12", True),  # a program shows what its query says
        ("https://x.net/show.php?f=3", "/show.php?f=3&sort=new", False),
        ("https://x.net/show.php?f=3", "/show.php?t=12&f=3", False),
        ("https://x.net/c/shoes", "https://share.net/?u=https%3A%2F%2Fx.net%2Fc%2Fshoes", False),
        ("https://x.net/", "https://share.net/?u=https%3A%2F%2Fx.net%2F", False),
        ("https://x.net/", "https://go.net/?u=https%3A%2F%2Fx.net%2Fcranes", True),
        ("https://x.net/c/shoes", "javascript:open()", False),
        ("https://x.net/c/shoes", "mailto:a@x.net", False),
    ],
)
def test_filters_and_share_buttons_are_no_entries(url: str, target: str, is_entry: bool) -> None:
    assert (read(f"<a href='{target}'>Red ones</a>", url=url) is not None) is is_entry
    # whatever they count or cost
    assert (read(f"<a href='{target}'>Red ones</a> <i class=comments>7</i>", url=url) is None) is (
        not is_entry and target[0] not in "jm"
    )
    # text of its own makes an entry
    assert read(f"<a href='{target}'>Red ones</a><p>{SUMMARY}</p>", url=url) is not None


@pytest.mark.parametrize("text", ["Next", "more", "下一页", "12 May 2023", "7"])
def test_links_that_lead_on_are_no_entries(text: str) -> None:
    assert read(f"<a href=/a>{text}</a>") is None


def test_a_name_alone_is_no_entry() -> None:
    assert read("<a href=/user/tom>Tom</a>") is None


def test_a_date_in_the_title_yields_to_another() -> None:
    entry = "<p><a href=/a>Plans of 3 May 2021 for the whole of the yard</a></p><p>{0}</p>"
    record = read(entry.format("7 June 2021"))
    assert record is not None and record.date == "7 June 2021"
    record = read(entry.format("a plan"))
    assert record is not None and record.date == "3 May 2021"


def test_an_image_of_several_entries_is_an_icon() -> None:
    items = "".join(
        f"<li><img src=/new.png><img src=/{i}.jpg><a href=/{i}>Entry {i}</a></li>"
        for i in range(RULES.records.icon_units)
    )
    document = parse_page(f"<body><ul>{items}</ul>", url=URL)
    units = UnitSearch(document, RULES.records).units
    assert find_icons(document, units, RULES) == {"/new.png"}
    assert find_icons(document, units[:-1], RULES) == frozenset()
    finder = build_columns(document, load_rules()).prices_dates
    record = read_record(document, units[0], RULES, finder, Named(frozenset(), icons={"/new.png"}))
    assert record is not None and record.image == "https://x.net/0.jpg"


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


@pytest.mark.parametrize(
    ("lead", "is_entry"),
    [
        ("<a href=/2024/12345.html><img src=/c.jpg><b>Cranes on the move</b></a>", True),
        ("<p><a href=/2024/12345.html><img src=/c.jpg></a></p><p><a href=/2024/12345.html>Cranes move</a></p>", True),
        ("<a href=/2024/12345.html>Cranes on the move</a>", False),  # no image
        ("<a href=/2024/12345.html><img src=/c.jpg></a>", False),  # no text
        ("<a href=/news/><img src=/c.jpg>All of the news</a>", False),  # a section
        ("<a href=/2024/12345.html><img src=/c.jpg>Cranes move</a> <a href=/2024/2.html>More</a>", False),
    ],
)
def test_the_lead_story_before_a_list_is_an_entry(lead: str, is_entry: bool) -> None:
    found = find_units(f"<section><div>{lead}</div>{make_list(*LINKS)}</section>")
    assert len(found) == len(LINKS) + is_entry
    assert found[0].startswith("Cranes") is is_entry
    # it stands right before the list
    apart = find_units(f"<section><div>{lead}</div><p>Some text between the two</p>{make_list(*LINKS)}</section>")
    assert apart == [f"Entry {i}" for i in range(6)]


@pytest.mark.parametrize(
    ("text", "price"),
    [("$50", "$50"), ("from $50.20 on", "$50.20"), ("$50k Bond", None), ("C$90k - 110k", None)],
)
def test_an_amount_with_a_letter_behind_it_is_no_price(text: str, price: str | None) -> None:
    record = read(f"<h3><a href=/a>Cranes</a></h3><p>{text}</p>")
    assert record is not None and record.price == price


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("7 March 12:46 PM EST", "7 March 12:46 PM"),
        ("March 7, 2024", "March 7, 2024"),
        ("Tomorrow at 12:00 PM", "Tomorrow at 12:00 PM"),
        ("Wednesday, 16:00", "Wednesday, 16:00"),
        ("vor 3 Stunden", "vor 3 Stunden"),
    ],
)
def test_how_entries_say_their_date(text: str, date: str) -> None:
    record = read(f"<h3><a href=/a>Cranes</a></h3><p>{text}</p>")
    assert record is not None and record.date == date


def test_the_stamp_of_an_entry_has_no_control_characters() -> None:
    stamped = "<h3><a href=/a>Cranes</a></h3><p>7 March 2024</p><time datetime='{}'></time>"
    for stamp, date in (("2024-&#27;03-07 ", "2024-03-07"), ("&#27;", "7 March 2024")):
        record = read(stamped.format(stamp))
        assert record is not None and record.date == date


def test_names_of_buttons_are_no_summary() -> None:
    title = "How the cranes came to the yard by ship"
    record = read(f"<h3><a href=/a>{title}</a></h3><p>Save this event: {title}</p><p>{SUMMARY}</p>")
    assert record is not None and record.summary == SUMMARY


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


@pytest.mark.parametrize(
    ("heading", "title", "url"),
    [
        ("<a href=/anna>anna</a> / <a href=/anna/kite>kite</a>", "kite", "https://x.net/anna/kite"),
        ("<a href=/anna>the-long-name</a> / <a href=/anna/kite>kite</a>", "kite", "https://x.net/anna/kite"),
        # not the folder it is in
        ("<a href=/anna/b>the-long-name</a> / <a href=/anna/kite>kite</a>", "the-long-name", "https://x.net/anna/b"),
        ("<a href=/>the-long-name</a> / <a href=/kite>kite</a>", "the-long-name", "https://x.net/"),
    ],
)
def test_of_an_owner_and_a_thing_the_thing_is_the_title(heading: str, title: str, url: str) -> None:
    record = read(f"<h3>{heading}</h3><p>{SUMMARY}</p>")
    assert record is not None and (record.title, record.url) == (title, url)


def list_records(markup: str) -> list[Record]:
    """The records of all blocks of a page."""
    page = webclean.clean(f"<body><main>{markup}</main>", url=URL)
    return [record for block in page.blocks for record in block.records]


@pytest.mark.parametrize(
    ("owners", "authors"),
    [
        ("abcdef", list("abcdef")),
        ("aaaaaa", [None] * 6),  # a section
    ],
)
def test_folders_that_differ_are_of_people(owners: str, authors: list[str | None]) -> None:
    items = [
        f"<li><a href=/{c}>{c}</a><h3><a href=/{c}/{i}>How the cranes came {i}</a></h3><p>{SUMMARY}</p></li>"
        for i, c in enumerate(owners)
    ]
    assert [record.author for record in list_records(f"<ul>{''.join(items)}</ul>")] == authors


def test_a_button_below_an_entry_makes_no_owner_of_it() -> None:
    items = [
        f"<li><h3><a href=/job/{i}>Crane driver {i}</a></h3><p><a href=/job/{i}/apply>Apply now to that</a></p></li>"
        for i in range(6)
    ]
    records = list_records(f"<ul>{''.join(items)}</ul>")
    assert [record.title for record in records] == [f"Crane driver {i}" for i in range(6)]
    assert {record.author for record in records} == {None}


@pytest.mark.parametrize(
    ("markup", "date"),
    [
        ("<p>18d</p>", "18d"),
        ("<p>3 h</p>", "3 h"),
        ("<p>18d of it</p>", None),
        ("<p>18d</p><p>12 May 2023</p>", "12 May 2023"),
        ("<p>11:51</p>", None),
        ("<p class=post-date>11:51</p>", "11:51"),
        ("<p class=reply-date><span>11:51</span></p>", "11:51"),
        ("<p class=candidate>11:51</p>", None),
        ("<p class=created>11:51 or so</p>", None),
        ("<p><relative-time datetime=2023-05-12>Friday</relative-time></p>", "2023-05-12"),
        ("<p><other-thing datetime=2023-05-12>Friday</other-thing></p>", None),
    ],
)
def test_ages_and_times_of_day_are_dates_where_there_is_no_other(markup: str, date: str | None) -> None:
    record = read(f"<h3><a href=/a>Cranes</a></h3>{markup}")
    assert record is not None and record.date == date


def test_a_number_inside_a_line_is_named_by_its_own_element() -> None:
    line = "<p class=rating><span>9.3</span> <i class=rating--vote-count>(3.2M)</i> <button>Rate</button></p>"
    record = read(f"<h3><a href=/a>Cranes</a></h3>{line}")
    assert record is not None and record.counts == (Count("votes", 3_200_000),)
    record = read(f"<h3><a href=/a>Cranes</a></h3>{line.replace('rating--vote-count', 'big')}")
    assert record is not None and record.counts == ()


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
    records = list_records(f"{head}<table>{rows}</table>")
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
        len(list_records(f"<div>{make_products(said)}</div><h2>Kinds of kettles</h2><div>{others}</div>")) == n_records
    )


def test_names_of_one_class_do_not_refuse_another() -> None:
    entry = "<p class='list-title member-thread'>How the cranes came</p><p><a href=/a>A longer text of a link</a></p>"
    document = parse_page(f"<body><div>{entry}</div>", url=URL)
    rows = NamedRows(document, RULES, "title", RULES.records.other_title)
    assert document.names.index("p") in rows
    other = parse_page(f"<body><div>{entry.replace('list-title member', 'member-title list')}</div>", url=URL)
    assert other.names.index("p") not in NamedRows(other, RULES, "title", RULES.records.other_title)


def test_of_linked_headings_the_one_of_the_highest_rank_is_the_title() -> None:
    facts = "<h3><a href=/t>Meeting</a> of the drivers in <a href=/p>the old harbour of Port</a></h3>"
    record = read(f"<h2><a href=/a>Cranes</a></h2>{facts}")
    assert record is not None and (record.title, record.url) == ("Cranes", "https://x.net/a")
    # where no heading is a link, the longest
    record = read("<h2>New</h2><h3>Two cranes</h3><p><a href=/a>more</a></p>")
    assert record is not None and record.title == "Two cranes"


def test_the_link_of_an_entry_stands_outside_its_sentences() -> None:
    prose = "The cranes that <a href=/harbour-of-the-cranes>came by ship</a> last year stand in the yard."
    record = read(f"<h3>Cranes</h3><p>{prose}</p><p><a href=/a>Read it</a></p>")
    assert record is not None and record.url == "https://x.net/a"
    record = read(f"<h3>Cranes</h3><p>{prose}</p>")
    assert record is not None and record.url == "https://x.net/harbour-of-the-cranes"


def test_a_place_in_a_page_makes_no_owner_of_it() -> None:
    items = [
        f"<li><h3>Crane driver {i}</h3><p>{SUMMARY}</p><p><a href=/job/{i}/>Full story</a> "
        f"<a href=/job/{i}/#comments>many comments</a></p></li>"
        for i in range(6)
    ]
    assert {record.author for record in list_records(f"<ul>{''.join(items)}</ul>")} == {None}
