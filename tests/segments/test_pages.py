"""Records, ranking, rows and the picture, through the public API."""

import warnings
from pathlib import Path

import pytest
from msgspec import structs
from page_folders import FIXTURES, read_fixture

import webclean
from tests.segments.made_lists import list_records
from webclean.model import Record
from webclean.outputs.block_views import render_picture
from webclean.rules import load_rules
from webclean.rules.card_schema import Card
from webclean.segments.segment_columns import measure_segments
from webclean.segments.semantic_page import segment_page

URL = "https://lamps.example/table/"


def make_shop() -> str:
    items = "".join(
        f'<li><a href="/lamp/{i}.html"><img src="/i/{i}.jpg"></a><h3><a href="/lamp/{i}.html">Lamp number {i}</a></h3>'
        f"<p>A lamp with a shade of linen, the {i}th of its kind.</p><span>£{i}9.00</span></li>"
        for i in range(1, 7)
    )
    return f"""<body><nav><a href=/>Home</a> <a href=/sale>Sale</a> <a href=/help>Help</a></nav>
    <main><h1>Table lamps</h1><ul class=grid>{items}</ul></main><footer>© 2020 Lamps</footer>"""


def list_posts(*posts: str) -> list[Record]:
    """The records of a thread whose posts all have one class."""
    items = "".join(f'<div class="post message">{post}</div>' for post in posts)
    page = webclean.clean(f"<body><main><h1>Missed the ferry</h1><div class=posts>{items}</div></main>")
    return list_records(page)


SAID = "My ferry left without me this morning, and nobody could tell me why it did."


def test_headings_in_some_posts_do_not_hide_the_thread() -> None:
    who = "<div class=who><a class=username href='/u/{0}'>{0}</a></div>"
    bare = [f"{who.format(name)}<p>{SAID}</p>" for name in ("anna", "bodo", "carl")]
    headed = f"{who.format('dora')}<div><h2>What I tried</h2><p>{SAID}</p></div>"
    assert [record.author for record in list_posts(*bare, headed)] == ["anna", "bodo", "carl", "dora"]


def test_the_rank_of_a_writer_is_no_title_and_the_day_of_joining_no_date() -> None:
    posts = [
        f"<div class=poster><h4><a class=username href='/u/{name}'>{name}</a></h4><h5>Senior Member</h5>"
        f"<dl><dt>Joined</dt><dd>2 May 2009</dd></dl><p>Member since 2009-05-02</p></div>"
        f"<div>3 March 2021</div><p>{SAID}</p>"
        for name in ("anna", "bodo", "carl")
    ]
    made = list_posts(*posts)
    assert [(record.title, record.author, record.date) for record in made] == [
        ("", name, "3 March 2021") for name in ("anna", "bodo", "carl")
    ]
    assert all(record.summary == SAID for record in made)


def test_an_author_is_more_than_the_word_by() -> None:
    posts = [
        f"<h3><a href='/{i}'>Why the ferry of day {i} left</a></h3><p class=byline>By <a href='/a'>Ada Quill</a></p>"
        f"<p>{SAID}</p>"
        for i in range(3)
    ]
    assert [record.author for record in list_posts(*posts)] == ["Ada Quill"] * 3


def test_links_that_lead_elsewhere_are_no_summary_and_lists_under_headings_are_entries() -> None:
    posts = [
        f"<h3><a href='/{i}'>Why the ferry of day {i} left</a></h3>"
        f"<p><a href='/{i}/more'>The harbour master said so.</a></p><p>{SAID}</p>"
        for i in range(3)
    ]
    assert [record.summary for record in list_posts(*posts)] == [SAID] * 3
    lists = "".join(
        f"<h2>{part}</h2><ul>{''.join(f'<li><a href=/{part}/{i}>{part} number {i}</a></li>' for i in range(6))}</ul>"
        for part in ("Ferries", "Harbours", "Tides", "Winds")
    )
    page = webclean.clean(f"<body><main><h1>All of it</h1><div>{lists}</div></main>", page_type="index")
    titles = [record.title for record in list_records(page)]
    assert titles
    assert all(" number " in title for title in titles)


def test_a_row_of_a_title_and_one_of_facts_are_one_entry_and_striped_rows_are_two() -> None:
    def list_titles(*classes: str, facts: str) -> list[str]:
        rows = "".join(
            f"<tr class={classes[0]}><td>{i}.<td><a href='/{i}'>Why the ferry of day {i} left early</a></tr>"
            f"<tr class={classes[1]}>{facts.format(i)}</tr>"
            for i in range(8)
        )
        page = webclean.clean(f"<body><h1>Ferries</h1><table>{rows}</table>", page_type="index")
        return [record.title for record in list_records(page)]

    assert len(list_titles("entry", "facts", facts="<td><span><a href='/{0}/all'>3 days ago</a></span>")) == 8
    assert len(list_titles("odd", "even", facts="<td>{0}.<td><a href='/b{0}'>Why it came back on day {0}</a>")) == 16


def test_a_user_named_twice_is_no_title() -> None:
    posts = [
        f"<a class=username href='/u/{name}'>{name}</a><p><a href='/p/{name}'>UVT</a></p><p>{SAID}</p>"
        f"<i><a href='/u/{name}'>{name}</a></i>"
        for name in ("anna-of-the-river", "bodo-of-the-river", "carl-of-the-river")
    ]
    assert [record.title for record in list_posts(*posts)] == ["UVT"] * 3


def test_links_to_the_page_itself_are_no_entries_unless_they_say_something() -> None:
    def list_titles(said: str) -> list[str]:
        facets = "".join(f"<li><a href='{URL}'>Shade number {i}</a>{said}</li>" for i in range(9))
        page = webclean.clean(f"<body><main><h1>Lamps</h1><ul>{facets}</ul></main>", url=URL, page_type="index")
        return [record.title for record in list_records(page)]

    assert list_titles("") == []
    assert len(list_titles(f"<p>{SAID}</p>")) == 9


def test_the_same_unlike_parts_in_each_post_are_no_entries() -> None:
    posts = [
        f"<div class=writer><a href='/p/{name}'>{name}</a><br><a href='/p/{name}/all'>all posts</a></div>"
        f"<div class=text><a href='#{name}'>#1</a><br>{SAID}</div>"
        f"<div class=buttons><a href='?quote={name}'>quote</a> <a href='?report={name}'>report</a></div>"
        for name in ("anna", "bodo", "carl", "dora")
    ]
    made = list_posts(*posts)
    assert len(made) == 4
    assert all(SAID in record.summary for record in made)


@pytest.mark.parametrize(
    ("fixture", "titles", "filled"),
    [
        ("index/search-results", ["The men who read the map", "Last night on longwave"], ("url", "summary")),
        ("index/docs-index", ["Installation", "Dead letters", "Command line"], ("url", "summary")),
        ("index/forum-board", ["Which puller for cotterless cranks"], ("url", "date")),
        ("index/shop-category-lamps", ["Pebble lamp, chalk", "Drum, indigo"], ("url", "price", "image", "summary")),
        ("index/job-list", ["Mobile library driver", "Seasonal ranger"], ("url", "price", "summary")),
        ("index/portal-zh-news", ["小区门卫自学考上律师", "电力工人攀上冰塔"], ("url",)),
    ],
)
def test_lists_of_many_kinds_give_records(fixture: str, titles: list[str], filled: tuple[str, ...]) -> None:
    page = read_fixture(FIXTURES / fixture)
    blocks = webclean.clean(page.html, url=page.url).blocks
    found = {record.title: record for block in blocks for record in block.records}
    assert [title for title in titles if title not in found] == []
    for title in titles:
        assert [name for name in filled if not getattr(found[title], name)] == []


@pytest.mark.parametrize(
    ("fixture", "authors"),
    [
        ("content/forum-thread-en", ["chainsuck", "Old Sprocket", "tanya_r", "chainsuck", "Old Sprocket"]),
        ("content/blog-comments", ["Terence W. says:", "Marguerite says:", "Ines says:", "handyhal says:"]),
    ],
)
def test_posts_and_comments_give_who_when_and_what(fixture: str, authors: list[str]) -> None:
    page = read_fixture(FIXTURES / fixture)
    blocks = webclean.clean(page.html, url=page.url).blocks
    posts = [record for block in blocks for record in block.records if record.author]
    assert [post.author for post in posts] == authors
    assert all(post.date and post.summary and not post.title for post in posts)


def test_the_posts_of_a_page_are_those_of_a_thread() -> None:
    thread, blog = (read_fixture(FIXTURES / "content" / name) for name in ("forum-thread-en", "blog-comments"))
    page = webclean.clean(thread.html, url=thread.url)
    assert list(page.posts) == [record for block in page.blocks for record in block.records if record.author]
    assert [post.date for post in page.posts] == ["2014-01-19"] * 3 + ["2014-01-21"] * 2
    assert webclean.clean(blog.html, url=blog.url).posts == ()


def test_the_numbers_of_pages_are_no_index() -> None:
    numbers = "".join(f"<li><a href=/list?page={i}>{i}</a>" for i in range(1, 9))
    blocks = webclean.clean(f"{make_shop()}<ul>{numbers}</ul>").blocks
    pager = next(block for block in blocks if block.text.startswith("1\n2"))
    assert pager.role != "index"


def test_paragraphs_are_no_records() -> None:
    text = "".join(f"<p>The river rises in the hills and takes its time, as {i} towns can tell.</p>" for i in range(8))
    page = webclean.clean(f"<body><main><h1>Rivers</h1>{text}</main>")
    assert list_records(page) == []


def test_the_list_is_worth_more_than_the_frame() -> None:
    blocks = webclean.clean(make_shop(), url=URL).blocks
    best = max(blocks, key=lambda block: block.importance)
    assert len(best.records) == 6
    assert best.role == "index"
    assert best.kept
    assert any(reason.stage == "importance" for reason in best.reasons)


def test_search_rows_are_stable_and_name_the_place() -> None:
    first, again = (webclean.clean(make_shop(), url=URL).search_rows() for _ in range(2))
    assert [row["id"] for row in first] == [row["id"] for row in again]
    assert len({row["id"] for row in first}) == len(first)
    assert any(row["heading"] for row in first)


def test_the_picture_silences_nothing() -> None:
    """Filters of warnings belong to the process: to change them for a moment is not safe among threads."""
    markup = f"<div @click=1 =x xml:lang=en><!-- a -- b --><svg xlink:href=a><o:p>o</o:p></svg></div>{make_shop()}"
    page = webclean.clean(markup)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = render_picture(page.source.markup, page.blocks)
    assert {f'data-wc="{block.id}"' in picture for block in page.blocks} == {True}
    assert "@click" not in picture


def measure_blocks(markup: str, *names: str) -> list[tuple[float, ...]]:
    """For each block of a page, features of it; the page is divided at its top level."""
    analysis = webclean.clean(markup, url="https://port.example/news/").analysis
    rules = structs.replace(load_rules(), splits=Card(bias=-1.0))
    columns = segment_page(analysis.columns, rules, analysis.decisions).columns
    return list(zip(*(measure_segments(columns, name).tolist() for name in names), strict=True))


def test_a_search_box_is_known_by_the_names_of_its_field_and_form() -> None:
    found = measure_blocks(
        "<body><form action=/search><p>Find <input name=x></form><form><p>Name <input name=customer></form>"
        "<form><p>Go <input type=submit value=Search></form><form class=such-form><p>Wort <input type=text></form>",
        "n_search_boxes",
    )
    assert found == [(1.0,), (0.0,), (0.0,), (1.0,)]


def test_a_copyright_line_counts_by_its_share_of_the_block() -> None:
    words = "The ferry is back on the crossing after a long winter in the yard. " * 9
    found = measure_blocks(f"<body><div><p>© 2024 Port</div><div><p>{words}<p>Copyright 2024</div>", "share.copyright")
    assert found[0] == (1.0,)
    assert 0 < found[1][0] < 0.05


def test_the_place_before_the_headline() -> None:
    found = measure_blocks(
        "<body><div><p><a href=/>Port</a> <a href=https://port.example/>Here</a> <a href=/a/>A</a></div>"
        "<div><h1>News</h1><p>Text</div><div><p><a href=index.html>Up</a> <a href=https://other.example/x>X</a></div>",
        "before_h1",
        "chars_before",
        "chars_after",
    )
    assert found == [(1.0, 0.0, 11.0), (1.0, 9.0, 3.0), (0.0, 17.0, 0.0)]


def test_entries_below_a_line_that_says_so_are_related() -> None:
    entries = "".join(f"<li><a href=/i/{i}-the-long-winter>The winter of the year {i}</a></li>" for i in range(6))
    story = "<p>The ferry is back on the crossing after a long winter in the yard, and it leaves at eight.</p>" * 4
    for line, role in (("Related stories", "related"), ("See also:", "related"), ("All stories", "index")):
        page = webclean.clean(f"<body><div><h1>Ferry</h1>{story}</div><div><h2>{line}</h2><ul>{entries}</ul></div>")
        block = page.blocks[-1]
        assert (block.heading, block.role) == (line, role)
        assert (block.reasons[0].rule == "title") == (role == "related")


def test_an_index_is_kept_by_what_its_entries_say_not_by_the_card_alone(tmp_path: Path) -> None:
    entries = "".join(f"<li><a href=/i/{i}-the-long-winter>The winter of the year {i}</a></li>" for i in range(6))
    rules = tmp_path / "rules.yaml"
    page = f"<body><div><h1>Ferry</h1><p>It leaves at eight.</p></div><div><ul>{entries}</ul></div>"
    card = "roles: {bias: {links: 0.1, navigation: 0}, lines: {rank: {points: {links: [0]}}}}\nreplaces: [roles]\n"
    worths = []
    for share in (1, 0.5):
        rules.write_text(card + f"segments: {{keep: {{index_noise: {share}, text_weight: 0}}}}")
        block = webclean.clean(page, rules=rules, page_type="index").blocks[-1]
        assert block.role == "index"
        worths += [reason.points for reason in block.reasons if reason.rule == "worth"]
    assert worths == [pytest.approx(0.525, abs=1e-3), pytest.approx(1 - 0.475 / 2, abs=1e-3)]
