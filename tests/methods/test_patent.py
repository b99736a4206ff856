"""Semantic blocks of the patent (A4) from the structure-block tree, each signal on a page of its own.

Steps S301 to S305 on pages small enough to compute by hand.
"""

import pytest
from hypothesis import given

from tests.blocks.markup import MARKUP, SOUP
from tests.methods.patent_pages import make_page, name_rows, row_of
from webclean.methods.patent import (
    expand_block,
    extend_block,
    find_largest_fan_out,
    find_noise,
    find_visual_title,
    list_repeats,
    list_text_siblings,
    mark_captions,
    mark_content,
    take_largest_block,
)
from webclean.methods.patent.blocks import StructuredPage, cut_semantic_blocks

URLS = ("http://news.qq.com/a/20080108/000688.htm", "http://news.qq.com/a/20080108/001413.htm")
OFF = {"visual": False, "url": False, "tags": False, "gain": False, "fragment_chars": 0}
REST = f"<div id=r><p>{'r' * 400}</p></div>"


def list_blocks(page: StructuredPage) -> list[list[str]]:
    return [name_rows(page, rows) for rows in cut_semantic_blocks(page).roots]


LINKS = [f"<div id={name}><a href={url}>{name * 30}</a></div>" for name, url in zip("ab", URLS, strict=True)]
MENU = "<div id=m><a href=/about>About us</a> <a href=/login>Log in</a></div>"


@pytest.mark.parametrize(
    ("inner", "blocks"),
    [
        (f"{MENU}{''.join(LINKS)}", [["m"], ["a", "b"]]),  # a part joins the block before it
        (f"<div id=a>{'a' * 30}</div><div id=b>{'b' * 30}</div>", [["a"], ["b"]]),  # leaves that no signal joins
        (f"Own text<div id=v><div id=a>{'a' * 30}</div></div>", [["w"]]),  # a block around a single one is that block
    ],
)
def test_leaves_are_joined_by_signals(inner: str, blocks: list[list[str]]) -> None:
    page = make_page(f"<body><div id=w>{inner}</div>{REST}", **OFF | {"url": MENU in inner})
    assert list_blocks(page) == [*blocks, ["r"]]


BASE = "<base href=http://news.qq.com/>"


def list_joined(*urls: str, base: str = "", **changes: float) -> list[list[str]]:
    """The blocks of a page with a list of single links, between a menu of the same host and the rest."""
    menu = "".join(f"<a href=http://news.qq.com/{name}>{name} us</a> " for name in ("about", "call", "join"))
    links = "".join(f"<div id={name}><a href={url}>{name * 30}</a></div>" for name, url in zip("ab", urls, strict=True))
    page = make_page(
        f"{base}<body><div id=w><div id=m>{menu}</div>{links}</div>{REST}", **OFF | {"url": True} | changes
    )
    return list_blocks(page)


def test_urls_with_a_common_centre_join_and_not_the_menu_of_the_same_host() -> None:
    assert list_joined(*URLS) == [["m"], ["a", "b"], ["r"]]
    assert list_joined(*URLS, url_overlap=1.0) == [["m"], ["a", "b"], ["r"]]
    assert list_joined(URLS[0], "http://news.qq.com/help.php") == [["m"], ["a"], ["b"], ["r"]]
    relative = "/a/20080108/001413.htm"
    assert list_joined(URLS[0], relative, base=BASE, url_overlap=1.0) == [["m"], ["a", "b"], ["r"]]


@pytest.mark.parametrize(
    ("inner", "on", "joined"),
    [
        (LINKS[0] + MENU, {"url": True}, False),
        ("<div id=a><h4>x</h4><p>y</p></div><div id=b><h4>x</h4><p>z</p></div>", {"tags": True}, True),
        ("<div id=a><h4>x</h4><p>y</p></div><div id=b><p>x</p><h4>z</h4></div>", {"tags": True}, False),
        ("<div id=a><p>x</p><p>x</p></div><div id=b><p>y</p><p>y</p><p>y</p></div>", {"tags": True}, True),
        (f"<div id=a>{'a' * 63}</div><div id=b>{'b' * 37}</div>", {"gain": True}, True),  # .63 of the text around
        (f"<div id=a>{'a' * 65}</div><div id=b>{'b' * 35}</div>", {"gain": True}, False),
        (f"<div id=a>{'a' * 50}</div><div id=b><a href=/>{'b' * 50}</a></div>", {"gain": True}, False),
        (f"<div id=a>{'a' * 50}</div><div id=b>{'b' * 19}</div>", {"fragment_chars": 20}, True),
        (f"<div id=a>{'a' * 50}</div><div id=b>{'b' * 20}</div>", {"fragment_chars": 20}, False),
        (f"<div id=a><b>{'a' * 20}</b></div><div id=b>{'b' * 90}</div>", {"visual": True}, True),
        (f"<div id=a>{'a' * 20}</div><div id=b>{'b' * 90}</div>", {"visual": True}, False),
    ],
)
def test_a_signal_joins_neighbours(inner: str, on: dict[str, bool | float], joined: bool) -> None:
    page = make_page(f"<body><div id=w>{inner}</div>{REST}", **OFF | on)
    assert (list_blocks(page) == [["w"], ["r"]]) == joined
    assert list_blocks(page)[-1] == ["r"]


@pytest.mark.parametrize(
    ("style", "text", "joined"),
    [
        ("", "plain", True),
        ("style='background: #eee'", "plain", False),
        ("style='color: red'", "plain", True),
        ("", "<h3>Heading</h3>", False),
    ],
)
def test_a_heading_or_a_change_of_looks_parts_neighbours_that_are_alike(style: str, text: str, joined: bool) -> None:
    inner = f"<div id=a>{'a' * 30}</div><div id=b {style}>{text}{'b' * 30}</div>"
    page = make_page(f"<body><div id=w>{inner}</div>{REST}")
    assert (["w"] in list_blocks(page)) == joined


def test_what_holds_most_of_the_page_is_cut_and_its_like_parts_are_one_block() -> None:
    parts = "".join(f"<div id=d{i}><p>{'x' * 40}</p><p>y</p></div>" for i in range(3))
    page = make_page(f"<body><div id=w>{parts}</div><div id=r>{'r' * 100}</div>", gain=False, url=False)
    assert list_blocks(page) == [["d0", "d1", "d2"], ["r"]]
    assert cut_semantic_blocks(page).why[0] == "merged: the same sequence of tags"
    # 123 of 223 characters are more than half of the page; with two further ones in the rest they are not
    longer = make_page(f"<body><div id=w>{parts}</div><div id=r>{'r' * 123}</div>", gain=False, url=False)
    assert list_blocks(longer) == [["w"], ["r"]]


def test_text_directly_inside_what_is_cut_is_a_block_around_the_others() -> None:
    page = make_page(f"<body id=p>Own<div id=a>{'a' * 30}</div><div id=b>{'b' * 30}</div>", **OFF)
    found = cut_semantic_blocks(page)
    assert list_blocks(page) == [["p"], ["a"], ["b"]]
    assert found.parent == (-1, 0, 0)
    assert found.why[0] == "text directly inside an element that was cut"


@given(MARKUP | SOUP)
def test_every_text_is_in_a_block(markup: str) -> None:
    page = make_page(markup)
    found = cut_semantic_blocks(page)
    assert (found.owner[page.columns.row] >= 0).all()
    assert list(found.roots) == sorted(set(found.roots))


@pytest.mark.parametrize(
    ("second", "on", "joined"),
    [
        ("<h4>x</h4><p>z</p>", {}, True),
        ("<h4>x</h4><p>z</p>", {"tags": False}, False),
        ("<h4>x</h4><p>z</p><p>z</p>", {}, False),
        (f"<h4>x</h4><p>{'z' * 149}</p>", {}, False),  # 150 characters are a text of its own
        (f"<h4>x</h4><p>{'z' * 148}</p>", {}, True),
        ("<h4>x</h4><p>" + "".join(f"<a href=/{i}></a>" for i in range(3)), {}, False),
    ],
)
def test_short_entries_of_a_list_join_though_each_has_a_heading(second: str, on: dict[str, bool], joined: bool) -> None:
    page = make_page(
        f"<body><div id=w><div id=a><h4>x</h4><p>{'y' * 60}</p></div><div id=b>{second}</div></div>{REST}",
        fragment_chars=0,
        **on,
    )
    assert (["w"] in list_blocks(page)) == joined


def test_hidden_text_before_a_heading_is_passed_over() -> None:
    page = make_page(
        "<body><div id=a><p hidden>x</p><h2>Tides</h2><p>y</p></div><div id=b><p hidden>x</p>z</div><h2>w</h2>"
    )
    assert page.starts_with_heading(row_of(page, "a"))
    assert not page.starts_with_heading(row_of(page, "b"))


LONG = "x" * 200
SHORT = "y" * 30


def test_the_largest_text_block_is_taken_and_no_list_of_links() -> None:
    page = make_page(f"<div><a href=/>{LONG}</a></div><div id=a>{SHORT}</div><div>{SHORT[1:]}</div>")
    assert take_largest_block(page) == row_of(page, "a")


def test_a_copyright_notice_that_is_the_largest_block_is_skipped() -> None:
    notice = "Copyright 2008 by the publisher. " * 12
    page = make_page(f"<div>{notice}</div><div id=t>The real text of the page is shorter than that.</div>")
    assert take_largest_block(page) == row_of(page, "t")


def test_an_article_with_a_box_inside_competes_and_no_text_counts_twice() -> None:
    links = f"<ul><a href=/>{SHORT}</a></ul>"
    page = make_page(f"<div id=a><p>{LONG}</p>{links}<div id=i>{SHORT}</div></div><div id=b>{LONG[:150]}</div>")
    assert take_largest_block(page) == row_of(page, "a")
    assert page.statistics.n_chars[row_of(page, "a")] == 200
    assert page.statistics.second == row_of(page, "b")


def test_a_sign_under_a_picture_makes_no_notice_of_an_article() -> None:
    page = make_page(f"<div id=a><p>{LONG}</p><p>Photo (c) 2008 Reuters</p></div><div id=b>{SHORT}</div>")
    assert take_largest_block(page) == row_of(page, "a")
    # most of this one is the notice
    page = make_page(f"<div id=a><p>{'© ' * 90}</p><p>{LONG[:80]}</p></div><div id=b>{SHORT}</div>")
    assert take_largest_block(page) == row_of(page, "b")


def test_where_both_largest_blocks_are_notices_the_block_with_paragraphs_is_taken() -> None:
    notice = "Copyright 2008 by the publisher. "
    texts = f"<div>{notice * 12}</div><div>{notice * 8}</div><div>{SHORT}</div><div id=p><p>{SHORT[:21]}</p></div>"
    page = make_page(texts)
    assert take_largest_block(page) == row_of(page, "p")
    assert take_largest_block(make_page("<p>short")) == -1


@pytest.mark.parametrize(
    ("n_own", "n_linked", "n_beside", "n_far", "reached"),
    [
        (300, 0, 161, 0, "i"),  # 300 / 461 = .6508
        (300, 0, 162, 0, "page"),  # 300 / 462 = .6494; body has no text besides, so it is taken too
        (300, 300, 150, 0, "i"),  # gained: 150 of text and 300 of links, .5 is not above .5
        (300, 300, 151, 0, "page"),
        (300, 0, 200, 270, "o"),  # 500 / 770 = .6494 would go on, but what is gained are links
    ],
)
def test_the_parent_is_taken_while_it_holds_more_text(
    n_own: int, n_linked: int, n_beside: int, n_far: int, reached: str
) -> None:
    links = f"<a href=/>{'l' * n_linked}</a>" if n_linked else ""
    far = f"<ul><li><a href=/b>{'f' * n_far}</a></ul>" if n_far else ""
    page = make_page(f"<body id=page><div id=o><div id=i>{'x' * n_own}</div>{links}<p>{'z' * n_beside}</p></div>{far}")
    assert name_rows(page, [expand_block(page, row_of(page, "i"))]) == [reached]


def test_short_children_at_both_ends_and_blocks_of_links_are_noise() -> None:
    short, long = "A short text.", "A text of more characters than one that is cut off. " * 3
    links = "".join(f"<a href=/{i}>A text of more characters than one</a> " for i in range(3))
    texts = {"a": short, "b": long, "c": short, "d": links, "e": long, "f": short}
    inner = "".join(f"<section id={name}>{text}</section>" for name, text in texts.items())
    page = make_page(f"<div id=x>{inner}</div>")
    noise = find_noise(page, row_of(page, "x"))
    assert name_rows(page, noise) == ["a", "d", "f"]
    assert [reason.evidence for reason in noise.values()] == [
        "a short text of 11 characters at the head or tail",
        "a link block: 84 of 84 characters are links",
        "a short text of 11 characters at the head or tail",
    ]


def test_a_run_of_equal_tags_is_coherent_text_though_short_but_not_if_it_is_of_links() -> None:
    run = "<p>a</p><p>b</p><p>c</p>"
    page = make_page(f"<div id=x><div id=a>{run}</div><div id=b>{LONG}</div><div id=c>ab</div></div>")
    assert name_rows(page, find_noise(page, row_of(page, "x"))) == ["c"]
    items = "".join(f"<li><a href=/{i}>a list of links</a>" for i in range(3))
    page = make_page(f"<div id=x><div id=a>{run}</div><p>{LONG}</p><p>{LONG}</p><ul id=c>{items}</ul></div>")
    assert name_rows(page, find_noise(page, row_of(page, "x"))) == ["c"]
    assert name_rows(page, find_noise(make_page(f"<div id=x><p>a</p><div>{LONG}</div></div>"), 3)) == []


def test_a_heading_at_the_head_is_no_noise() -> None:
    page = make_page(f"<div id=x><h2 id=a>ab</h2><p id=b>{LONG}</p><h2 id=c><a href=/>ab</a></h2></div>")
    assert name_rows(page, find_noise(page, row_of(page, "x"))) == ["c"]


def test_the_largest_fan_out_is_of_block_children_with_text() -> None:
    inner = "<i>a</i> <i>b</i> <i>c</i> <i>d</i>"
    page = make_page(f"<div id=x><p id=p1>{inner}</p><p></p><p id=p2>e</p><p id=p3>f</p></div>")
    assert name_rows(page, find_largest_fan_out(page, row_of(page, "x"))) == ["p1", "p2", "p3"]
    assert find_largest_fan_out(page, row_of(page, "p2")).tolist() == []
    links = "".join(f"<li><a href=/{i}>{i}</a>" for i in range(4))
    page = make_page(f"<div id=x><p id=p1>a</p><p id=p2>b</p><ul id=u>{links}</ul></div>")
    assert name_rows(page, find_largest_fan_out(page, row_of(page, "x"))) == ["p1", "p2", "u"]


def test_a_short_text_after_an_image_is_its_caption() -> None:
    page = make_page(f"<div><p><img src=a></p><p>{'c' * 80}</p><p>d</p><p><img src=b></p><p>{'e' * 81}</p></div>")
    assert mark_captions(page).tolist() == [True, False, False]


EXTENDED = f"""<body><section><h2 id=h2>Weather</h2><p id=rain>{SHORT}</p><h1 id=h1>The bridge reopens</h1>
<div id=main>{LONG}</div><p id=more>{SHORT}</p><div id=also>{SHORT}</div><h3 id=h3>Related</h3><p id=tram>{SHORT}</p>
</section>"""


def test_a_prominent_block_takes_its_heading_and_what_looks_like_it() -> None:
    page = make_page(EXTENDED)
    main = row_of(page, "main")
    assert name_rows(page, list_text_siblings(page, main)) == ["h2", "rain", "h1", "more", "also", "h3", "tram"]
    taken = extend_block(page, main)
    assert {name_rows(page, [row])[0]: why for row, why in taken.items()} == {
        "h1": "the heading of the block after it",
        "more": "looks like the block before it",
        "also": "looks like the block before it",
    }


@pytest.mark.parametrize(
    ("change", "taken"),
    [
        (("<p id=more>", "<p id=more style='font-size: 9px'>"), ["h1"]),
        (("<p id=more>", "<p id=more style='color: gray; font-weight: bold'>"), ["h1", "more", "also"]),
        (("<div id=also>", "<div id=also bgcolor=#eee>"), ["h1", "more"]),
        (("<div id=also>", "<div id=also><h4>Next</h4>"), ["h1", "more"]),
        (("<p id=more>", "<p id=more><a href=/>more of that</a>"), ["h1", "more", "also"]),
        (("<p id=more>", "<p id=more><a href=/>more of that, and of what was said before</a>"), ["h1"]),
        (("<h1 id=h1>", "<p id=h1>"), ["h1", "rain", "h2", "more", "also"]),
        (("<h1 id=h1>", "<p id=h1><font size=5>"), ["h1", "more", "also"]),
        (("<h1 id=h1>The bridge reopens</h1>", "<p id=h1><b>The bridge reopens</b></p>"), ["h1", "more", "also"]),
        (("<h1 id=h1>", f"<h1 id=h1>{'z' * 60}"), ["more", "also"]),
        ((LONG, LONG[:149]), []),
    ],
)
def test_what_ends_the_extension_of_a_block(change: tuple[str, str], taken: list[str]) -> None:
    page = make_page(EXTENDED.replace(*change))
    assert name_rows(page, extend_block(page, row_of(page, "main"))) == taken


def test_the_content_is_the_block_expanded_extended_and_cleaned() -> None:
    page = make_page(f"<ul><li><a href=/>{LONG}</a></ul>{EXTENDED}", gain_below=0.1)
    marks, content = mark_content(page)
    texts, kept = page.columns.blocks.text, marks.kept.tolist()
    assert [text for text, keep in zip(texts, kept, strict=True) if keep] == ["The bridge reopens", LONG, SHORT, SHORT]
    assert content == row_of(page, "main")
    steps = [marks.reasons[at].rule for at in range(len(texts))]
    assert steps == ["S302", "S302", "S302", "A4", "S301", "A4", "A4", "S302", "S302"]
    alone = mark_content(make_page(EXTENDED, gain_below=0.1, extend=False))[0]
    assert alone.kept.sum() == 1


POSTS = (
    ("li", "<b>{n}</b><p>{text}</p>"),
    ("table", "<tr><td>{n}<td>{text}</table>"),
    ("article", "<header>{n}</header><div><p>{text}</p><p>{text}</p></div>"),
)


@pytest.mark.parametrize(("tag", "post"), POSTS)
@pytest.mark.parametrize("n", [3, 4])
def test_entries_with_the_tags_of_the_largest_block_are_content(tag: str, post: str, n: int) -> None:
    texts = [f"Post {i} says what there is to say about the lock and the harbour. " * (i + 1) for i in range(n)]
    posts = "".join(f"<{tag} id=p{i}>{post.format(n=f'member {i}', text=text)}</{tag}>" for i, text in enumerate(texts))
    page = make_page(f"<body><div>{posts}<{tag} id=menu><a href=/>{'x' * 90}</a></{tag}></div>", gain_below=0.1)
    found = name_rows(page, list_repeats(page, row_of(page, f"p{n - 1}") + 1))
    assert found == ([f"p{i}" for i in range(3)] if n == 4 else [])
    kept = " ".join(
        text for text, keep in zip(page.columns.blocks.text, mark_content(page)[0].kept, strict=True) if keep
    )
    assert n == 3 or all(f"Post {i} says" in kept for i in range(n))
    assert "xxx" not in kept


def test_captions_are_dropped_when_the_rules_say_so() -> None:
    html = f"<div><p><img src=a></p><p>Caption</p><p>{LONG}</p><p>{LONG}</p></div>"
    for keep, n_kept in ((True, 3), (False, 2)):
        marks, _ = mark_content(make_page(html, keep_captions=keep))
        assert marks.kept.sum() == n_kept
    assert marks.reasons[0].rule == "S304"


@pytest.mark.parametrize(
    ("head", "title", "signs"),
    [
        ("<p><font size=5>Bridge reopens</font><p><b>By Ada</b>", "Bridge reopens", "1.5 times as large"),
        ("<p><b>Sport</b><p><b>Bridge reopens</b>", "Bridge reopens", "bold"),
        ("<p><b>Bridge reopens</b><p bgcolor=red style='background: #ffc'>By Ada", "Bridge reopens", "bold"),
        ("<p>Sport<p style='background: #ffc'>Bridge reopens", "Bridge reopens", "another background"),
        ("<h1>Bridge reopens</h1><p><b>By Ada</b>", "Bridge reopens", "2 times as large, bold"),
        (f"<p><b>{'n' * 121}</b><p>Sport", None, ""),
        ("<p><b><a href=/>Home page</a></b>", None, ""),
    ],
)
def test_the_title_is_what_stands_out_before_the_text(head: str, title: str | None, signs: str) -> None:
    page = make_page(f"<body>{head}<div id=main>{LONG}</div>")
    found = find_visual_title(page, row_of(page, "main"))
    assert (found.value if found else None) == title
    assert found is None or found.source == f"patent S305: {signs}"
