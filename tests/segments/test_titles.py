"""The title of a block is what a reader would call it: never an entry, an advertisement or a date."""

import pytest

import webclean

ENTRIES = "".join(
    f"<li><a href=/news/{i}4711.html>Story {i} of the long winter</a> and what came of it</li>" for i in range(7)
)
STORY = "<p>The ferry is back on the crossing after a long winter in the yard, and it leaves at eight.</p>" * 3


def name_list(before: str, inside: str = "", entries: str = ENTRIES) -> str:
    page = f"<body><div><h1>Port</h1>{STORY}</div><section>{before}<div>{inside}<ul>{entries}</ul></div></section>"
    blocks = webclean.clean(page).blocks
    return next(block.heading for block in blocks if "Story 3" in block.text)


@pytest.mark.parametrize(
    ("before", "inside", "title"),
    [
        ("", "<h2>Local news</h2>", "Local news"),
        ("<h2>Local news</h2>", "", "Local news"),
        ("", "<h2><a href=/local/>Local news</a></h2>", "Local news"),
        ("", "<b>Local news</b>", "Local news"),
        ("", "<p>Local news</p><p>Today</p>", "Local news"),
        # to choose from, and no name
        ("", "<p><a href=/votes>All votes</a> <a href=/add>Add books</a></p>", ""),
        (
            "",
            "<div class=tools><span><a href='?by=1'>按时间</a></span> <span><a href='?by=2'>按热度</a></span></div>",
            "",
        ),
        ("", "<b>Skip to main content</b>", ""),
        # works the page, or stands for a face
        ("", "<h2>Loading...</h2>", ""),
        ("", "<h3>Toggle menu</h3>", ""),
        ("", "<h2>X</h2>", ""),
        ("<h2>See all case studies</h2>", "", ""),
        ("", "<p>J</p>", ""),
        ("", "<h2>All headphones</h2>", "All headphones"),
        ("", "<b>Zum Inhalt springen</b>", ""),
        ("", "<h2>Advertisement</h2>", ""),
        ("", "<p>Advertisement</p>", ""),
        ("", "<b>Sort by:</b>", ""),
        ("", "<h2>Filters: 1</h2>", ""),
        ("", "<h2>Sorting offices</h2>", "Sorting offices"),
        ("", "<p><a href='/news?section=local&page=1'>Local news</a></p>", "Local news"),
        ("", "<p><a href='/thread?id=4711'>The story that leads</a></p>", ""),
        ("", "<h2>12 May 2024</h2>", ""),
        ("", "<h2><a href=/news/1234567.html>The lead story</a></h2>", ""),
        ("", "<p><a href=/news/1234567.html>The lead story</a></p>", ""),
        ("", "<p>One</p><p>Two</p><p>Three</p><p>Four</p>", ""),
        ("", "<p>This is a whole sentence. It says more than a title would.</p>", ""),
        ("", "<p>12 / 24</p>", ""),
        ("", "", ""),
    ],
)
def test_a_list_is_named_by_its_heading_or_the_short_line_before_it(before: str, inside: str, title: str) -> None:
    assert name_list(before, inside) == title


def test_headings_of_entries_are_no_titles_of_the_list() -> None:
    entries = "".join(f"<li><h3><a href=/n/{i}>Story {i}</a></h3><p>What came of it.</p></li>" for i in range(7))
    assert name_list("", "", entries) == ""
    assert name_list("", "<p>Local news</p>", entries) == "Local news"


def test_a_part_of_running_text_is_named_by_its_first_heading() -> None:
    blocks = webclean.clean(f"<body><div><p>Ferries</p><h2>Ferry returns</h2>{STORY}</div><div>{STORY}</div>").blocks
    assert next(block.heading for block in blocks if "yard" in block.text) == "Ferry returns"


@pytest.mark.parametrize(
    ("before", "title"),
    [
        ("<div><h2>Local news</h2><a href=/local/>See all reviews</a></div>", "Local news"),
        ("<div><h2>Local news</h2><button>Hide</button></div>", "Local news"),
        ("<div><a href=/local/>See all reviews</a></div>", ""),
        ("<div><h2>Local news</h2><p>A longer line of text that leads nowhere in particular at all.</p></div>", ""),
    ],
)
def test_lines_that_lead_on_do_not_part_a_list_from_its_title(before: str, title: str) -> None:
    assert name_list(before) == title


def name_stories(markup: str) -> str:
    """The title of the block that several pieces of markup fall into, one of them with `crossing` in it."""
    page = f"<body><div><h1>Port</h1>{STORY}</div><section><div>{markup}</div></section>"
    return next(block.heading for block in webclean.clean(page).blocks if "crossing 2" in block.text)


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<h3>Ferries</h3><h2><a href=/news/14711.html>The crossing 2</a></h2>", "The crossing 2"),
        ("<h2>Ferries</h2><h3><a href=/news/14711.html>The crossing 2</a></h3>", "Ferries"),
        ("<h3>Ferries</h3><h2><a href=/ferries/>The crossing 2</a></h2>", "Ferries"),  # a section
    ],
)
def test_a_story_is_named_by_its_heading_of_the_highest_rank(markup: str, title: str) -> None:
    assert name_stories(markup) == title


def test_two_stories_do_not_name_their_block() -> None:
    stories = "".join(f"<h3><a href=/news/{i}4711.html>The crossing {i}</a></h3>" for i in (1, 2))
    assert name_stories(stories) == ""
    assert name_stories(f"<h2>Ferries</h2>{stories}") == "Ferries"


def read_heading(markup: str, word: str) -> str:
    """The title of the block that holds a word, beside a long text."""
    page = f"<body><div><h1>Port</h1>{STORY}</div><section>{markup}</section>"
    return next(block.heading for block in webclean.clean(page).blocks if word in block.text)


@pytest.mark.parametrize("target", ["/section/usa/2207.html", "/usa", "http://money.163.com/"])
def test_a_short_heading_above_headlines_names_them_wherever_it_leads(target: str) -> None:
    stories = "".join(f"<h4><a href=/news/{i}4711.html>Bridge number {i} is closed to all</a></h4>" for i in range(2))
    assert read_heading(f"<div><h3><a href={target}>USA</a></h3>{stories}</div>", "Bridge") == "USA"


def test_a_label_names_the_links_after_it_though_nothing_repeats() -> None:
    links = "".join(f"<a href=/gallery/{name}>Pictures of the {name}</a> " for name in ("harbour", "old yard", "ferry"))
    assert read_heading(f"<div><p>Featured extras</p><p>{links}</p></div>", "harbour") == "Featured extras"


def test_the_label_in_the_first_cell_of_a_list_names_it() -> None:
    cells = "".join(f"<li>{{}}<p><a href=/news/{i}4711.html>Headline number {i}</a></p></li>" for i in range(8))
    labelled = cells.format("<span>Top headlines</span>", *[""] * 7)
    assert read_heading(f"<ul>{labelled}</ul>", "number 3") == "Top headlines"
    kickers = cells.format(*[f"<span>Kicker {letter}</span>" for letter in "abcdefgh"])
    assert read_heading(f"<ul>{kickers}</ul>", "number 3") == ""


def test_a_text_whose_head_is_a_block_of_its_own_has_its_title() -> None:
    article = (
        f"<article><header><h2>Ferry returns</h2><p>Posted by Ann at 8</p></header><div>{STORY * 4}</div></article>"
    )
    page = webclean.clean(f"<body>{article * 3}</body>")
    assert {block.heading for block in page.blocks if "yard" in block.text} == {"Ferry returns"}


def list_titles(markup: str) -> set[str]:
    page = webclean.clean(f"<body><div><h1>Port</h1>{STORY}</div>{markup}", url="https://example.org/")
    found, todo = set(), list(page.sections)
    while todo:
        section = todo.pop()
        found.add(section.title)
        todo += section.sections
    return found


def test_a_credit_in_the_first_entry_names_no_section() -> None:
    """The photographer's name stands before the links of a list, inside the first of its entries."""
    lists = "".join(
        f"<div class=list><ul><li><div>Ann Writer {n}</div><a href=/n/{n}10>The harbour was closed again {n}</a></li>"
        + "".join(f"<li><a href=/n/{n}{i}>The winter of year {i} was long {n}</a></li>" for i in range(5))
        + "</ul></div>"
        for n in range(4)
    )
    assert not any(title.startswith("Ann") for title in list_titles(lists))


@pytest.mark.parametrize(
    ("line", "title"),
    [
        *((line, "") for line in ("Items 1 to 9 of 40", "1-24 von 312 Artikeln", "11 products", "共 10 条结果")),
        *((line, "") for line in ("25 результатов", "Seite 2 von 9", "Clear all")),
        *((line, line) for line in ("Top 10", "Formula 1", "10 best lamps", "Clear water")),
    ],
)
def test_what_counts_the_entries_of_a_list_or_turns_its_pages_is_no_title(line: str, title: str) -> None:
    assert name_list("", f"<h2>{line}</h2>") == title
