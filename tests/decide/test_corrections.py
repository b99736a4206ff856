"""Corrections by the whole page: hidden copies, posts of a thread, data tables, facts, lists and figures, page ends."""

from dataclasses import replace

import numpy as np
import pytest

import webclean
from tests import read_columns
from tests.decide.test_regions import SENTENCE, list_points
from webclean import clean, core
from webclean.decide.corrections import (
    correct_ends,
    correct_fact_lists,
    correct_hidden,
    correct_points,
    correct_tables,
    find_data_tables,
    find_fact_lists,
    find_hidden_blocks,
    find_main_run,
)
from webclean.decide.posts import weigh_posts
from webclean.decide.regions import correct_stories
from webclean.features import PageColumns
from webclean.model import Mask
from webclean.rules import load_rules
from webclean.rules.decide_schema import FactLists, TypeShares

RULES = load_rules().corrections
ARTICLE = {"article": 1.0}
LABEL = "<p>Home</p>"
PARAGRAPH = f"<p>{SENTENCE}</p>"


def keep_prose(columns: PageColumns) -> Mask:
    return columns.is_prose


STORIES = {
    "a list of cards": "<ul><li><h3><a href=/a/1>Roof repairs</a></h3>{0}</li>"
    "<li><h3><a href=/a/2>Club</a></h3>{0}</li></ul>",
    "articles below": "<div><article><h2><a href=/a/1>三只天鹅</a></h2><div>{0}</div></article>"
    "<article><h2><a href=/a/2>合唱团</a></h2><div>{0}</div></article></div>",
    "links around headings": "<div><section><a href=/a/1><h4>Dach</h4></a>{0}</section>"
    "<section><a href=/a/2><h4>Boot</h4></a>{0}</section></div>",
}
"""Markup of two stories; `{0}` is the text of each."""


@pytest.mark.parametrize("markup", STORIES.values(), ids=STORIES)
def test_stories_headed_by_links_lose_points_beside_the_text(markup: str) -> None:
    columns = read_columns(f"<h1>The tide mill</h1>{PARAGRAPH * 4}{markup.format(PARAGRAPH)}")
    found = correct_stories(columns, keep_prose(columns), RULES.stories, ARTICLE)
    assert found is not None
    assert found.points.tolist() == [0] * 5 + [RULES.stories.points] * 4
    # on other types such lists are the text
    assert correct_stories(columns, keep_prose(columns), RULES.stories, {"listing": 1.0}) is None


@pytest.mark.parametrize(
    "markup",
    [
        f"{PARAGRAPH}{STORIES['a list of cards'].format(PARAGRAPH * 2)}",
        f"{PARAGRAPH * 4}{STORIES['a list of cards'].format(PARAGRAPH).replace('/a/', 'https://shop.example/')}",
        f"{PARAGRAPH * 4}{STORIES['a list of cards'].format(PARAGRAPH).replace('/a/', '/mill/chapter-')}",
        f"{PARAGRAPH * 4}{STORIES['a list of cards'].format('')}",
        f"{PARAGRAPH * 4}<h2><a href=/a/1>Sluice</a></h2>{PARAGRAPH}<h2><a href=/a/2>Wheel</a></h2>{PARAGRAPH}",
        f"{PARAGRAPH * 4}<div><h2><a href=/a/1>Sluice</a></h2>{PARAGRAPH}</div>",
    ],
    ids=["most of the text", "goods of a shop", "chapters", "no text", "sections of the text", "one alone"],
)
def test_what_a_text_tells_below_headings_that_are_links_stays(markup: str) -> None:
    columns = read_columns(f"<h1>The tide mill</h1>{markup}", url="https://news.example/mill")
    assert correct_stories(columns, keep_prose(columns), RULES.stories, ARTICLE) is None


def test_hidden_text_loses_points_beside_visible_text() -> None:
    columns = read_columns(f"<div>{PARAGRAPH * 2}</div><div style='display: none'>{PARAGRAPH * 2}</div>")
    found = correct_hidden(columns, keep_prose(columns), RULES.hidden, ARTICLE)
    assert found is not None
    assert found.points.tolist() == [0, 0, RULES.hidden.points, RULES.hidden.points]


def test_text_that_most_of_a_page_or_another_type_of_page_hides_is_left_alone() -> None:
    shown_later = read_columns(f"{PARAGRAPH}<div hidden>{PARAGRAPH * 2}</div>")
    assert correct_hidden(shown_later, keep_prose(shown_later), RULES.hidden, ARTICLE) is None
    folded = read_columns(f"{PARAGRAPH * 3}<div hidden>{PARAGRAPH}</div>")
    assert correct_hidden(folded, keep_prose(folded), RULES.hidden, {"product": 1.0}) is None


def test_what_a_writer_says_rises_and_what_the_board_says_falls() -> None:
    head = "<b class='author'>{0}</b> <i>2 May 2024</i>"
    foot = "<div class='signature'>My boat is older than I am.</div> <div class='act'>Answer this now</div>"
    post = f"<div class='post'>{head}<div class='said'><p>{{1}}</p></div>{foot}</div>"
    texts = [
        SENTENCE,
        "It broke in the rain, and nobody knows why it did.",
        "Leather is best, as all of us know.",
        "Thanks.",
    ]
    columns = read_columns("".join(post.format(f"Ann{at}", text) for at, text in enumerate(texts)))
    rows = np.array([at for at, name in enumerate(columns.document.names) if name == "div"])
    posts = rows[[columns.document.parent[row] == rows[0] - 1 for row in rows]]
    columns = replace(columns, place_posts=lambda _: np.array([posts, columns.document.end[posts]]))
    points = np.full(len(columns.blocks), -1.0)
    gained = weigh_posts(columns, points, 0.0, RULES.posts, load_rules().segments.posts)
    assert gained is not None
    of = dict(zip(columns.blocks.text, gained.tolist(), strict=True))
    assert all(of[text] == 1 + RULES.posts.over for text in texts)
    assert of["My boat is older than I am."] == of["Answer this now"] == RULES.posts.furniture
    assert of["Ann0 2 May 2024"] == 0


def test_a_page_without_posts_gains_nothing() -> None:
    assert weigh_posts(read_columns(PARAGRAPH), np.zeros(1), 0.0, RULES.posts, load_rules().segments.posts) is None


def test_points_fall_with_the_distance_from_the_text() -> None:
    columns = read_columns(f"<title>Rivers</title><h1>Rivers</h1>{PARAGRAPH * 3}{LABEL * 7}{PARAGRAPH}")
    kept = keep_prose(columns)
    kept[0] = True
    points = np.array(list_points(correct_ends(columns, kept, RULES.ends, ARTICLE), kept))
    assert (points[:4] == 0).all()
    assert points[4:].tolist() == pytest.approx([-0.5, -1.0, -1.5, -2.0, -2.5, -2.5, -2.5, -2.5])


def test_kept_blocks_right_behind_the_text_belong_to_it() -> None:
    columns = read_columns(f"{PARAGRAPH * 3}{LABEL * 3}")
    assert correct_ends(columns, np.ones(6, dtype=bool), RULES.ends, ARTICLE) is None


def test_what_stands_before_the_text_loses_less_where_no_headline_is_known() -> None:
    without = read_columns(f"{LABEL * 8}{PARAGRAPH * 3}")
    headed = read_columns(f"<title>Rivers</title>{LABEL * 8}<h1>Rivers</h1>{LABEL}{PARAGRAPH * 3}")
    for columns, least in ((without, RULES.ends.no_headline), (headed, RULES.ends.points)):
        found = correct_ends(columns, keep_prose(columns), RULES.ends, ARTICLE)
        assert found is not None
        assert (found.points[0], found.tell(0)) == (least, "before the text")


def test_texts_of_equal_size_have_no_main_run() -> None:
    columns = read_columns(f"{PARAGRAPH * 2}{LABEL * 9}{PARAGRAPH * 2}")
    assert find_main_run(columns, keep_prose(columns), RULES.ends) is None
    assert find_main_run(columns, np.zeros(13, dtype=bool), RULES.ends) is None
    near = read_columns(f"{PARAGRAPH * 2}{LABEL * 3}{PARAGRAPH * 2}")
    assert find_main_run(near, keep_prose(near), RULES.ends) == (0, 6)


def test_a_page_without_text_has_no_corrections() -> None:
    nothing = np.zeros(0, dtype=bool)
    assert correct_points(read_columns(""), np.zeros(0), nothing, 0.0, load_rules(), ARTICLE)[1] == []


BUTTON = "<button aria-expanded=false>Where?</button>"
WHO = "<p>谁？</p><div hidden>我们每年春天都在码头上用沥青和麻绳修补旧船的底部。</div>"


@pytest.mark.parametrize(
    ("markup", "hidden"),
    [
        (f"<p>{SENTENCE}</p><div hidden>On board.</div>", [False, True]),
        (f"{BUTTON}<div hidden>On board.</div>", [False, False]),
        (f"{BUTTON}<div style='display: none'>On board.</div>", [False, False]),
        (f"<h3>{BUTTON}</h3><div hidden>On board.</div>", [False, False]),
        (f"<h3>{BUTTON}</h3><p>Now.</p><div hidden>On board.</div>", [False, False, True]),
        (f"<div><div><div><h3>{BUTTON}</h3></div></div></div><div hidden>On board.</div>", [False, True]),
        (f"{BUTTON}<div hidden><p>On board.</p><p hidden>Copy.</p></div>", [False, False, True]),
        (f"<div hidden>{BUTTON}<div hidden>On board.</div></div>", [True, True]),
        ("<a aria-expanded=false aria-controls=x>Where?</a><hr><p>Now.</p><p hidden id=x>Here.</p>", [False] * 3),
        ("<a aria-controls=x>Where?</a><hr><p>Now.</p><p hidden id=x>Here.</p>", [False, False, True]),
        ("<p>One</p><div role=tabpanel hidden>Two</div>", [False, False]),
        ("<dl><dt>¿Dónde?<dd hidden>A bordo.</dl>", [False, False]),
        ("<h4>Wo?</h4><div style=display:none>An Bord.</div>", [False, False]),
        (WHO * 3, [False] * 6),
        (WHO * 2, [False, True] * 2),
        (f"<div><div>{BUTTON}</div></div><div hidden>On board.</div>", [False, False]),
        ("<a href=# aria-expanded=false>Où ?</a><div hidden>À bord.</div>", [False, False]),
        ("<div role=button aria-expanded=false>どこ</div><div hidden>船上で。</div>", [False, False]),
        ("<p>One</p><div class='spec-collapse' hidden>Two</div>", [False, False]),
        ("<p>£5</p><div hidden>£5.00</div>" * 3, [False, True] * 3),
        ("<a href=/x>Boats</a><ul hidden><li>Punts</ul>" * 3, [False, True] * 3),
    ],
)
def test_hidden_blocks_but_those_that_a_control_shows(markup: str, hidden: list[bool]) -> None:
    assert find_hidden_blocks(read_columns(f"<body>{markup}"), RULES.hidden).tolist() == hidden


def test_folded_answers_of_an_article_are_kept() -> None:
    item = f"<h3><button aria-expanded=false>Where does it rise?</button></h3><div hidden><p>{SENTENCE}</p></div>"
    text = f"<p>{SENTENCE} {SENTENCE} {SENTENCE}</p>" * 6
    article = f"<title>Rivers</title><h1>Rivers</h1>{text}{item * 2}<p>{SENTENCE} {SENTENCE}</p>"
    assert clean(article, page_subtype="article").text.count(SENTENCE) == 22
    # what is hidden without a label of its own is no answer
    bare = article.replace("<h3><button aria-expanded=false>Where does it rise?</button></h3>", "")
    assert clean(bare, page_subtype="article").text.count(SENTENCE) == 20


ROWS = "".join(
    f"<tr><th>{month}</th><td>{level} cm</td></tr>" for month, level in (("May", 141), ("June", 122), ("July", 97))
)
TABLE = f"<table>{ROWS}</table>"


def gain_cells(html: str, points: list[float], kind: str = "article") -> list[float]:
    columns, given = read_columns(html), np.array(points)
    found = correct_tables(columns, given, given > 0, RULES.tables, {kind: 1.0})
    return list_points(found, points)


@pytest.mark.parametrize(
    ("table", "n"),
    [
        (TABLE, 6),
        (f"<table><tr><td><table>{ROWS}</table></td></tr></table>", 6),  # the innermost
        (f"<table>{ROWS.replace('</td>', '</td><td></td>')}</table>", 6),
        (TABLE.replace("<th>July", "</tr><tr hidden><th>July"), 6),
        (TABLE.replace("<tr><th>July</th><td>97 cm</td></tr>", ""), 0),  # two rows
        (TABLE.replace("</th><td>", " "), 0),  # one cell a row
        (
            TABLE.replace("</th><td>", " ")
            .replace("</th>", "</th><td></td>")
            .replace("</td></tr>", "</td><td></td></tr>"),
            3,
        ),
        (TABLE.replace("cm", SENTENCE * 4), 0),  # long cells lay out a page
        (TABLE.replace("<td>", "<td><a href=/x>").replace("</td>", "</a></td>"), 0),
        ("<table></table>", 0),
        ("", 0),
    ],
)
def test_a_data_table_has_rows_of_short_cells_and_few_links(table: str, n: int) -> None:
    found = list(find_data_tables(read_columns(f"{PARAGRAPH}{table}"), RULES.tables))
    assert [len(cells) for cells in found] == ([n] if n else [])


def test_cells_rise_to_the_best_kept_text_before_their_table() -> None:
    html = f"{PARAGRAPH}{PARAGRAPH}<p>As the table shows:</p>{TABLE}{PARAGRAPH}"
    points = [3.0, 1.0, 2.0, -1.0, -2.0, -3.0, 4.0, 0.0, -1.0, -5.0]
    assert gain_cells(html, points) == [0, 0, 0, 4.0, 5.0, 6.0, 0.0, 3.0, 4.0, 0]


def test_a_table_far_from_kept_text_is_left_alone() -> None:
    low = [-1.0] * 6
    assert not any(gain_cells(f"{PARAGRAPH}{TABLE}", [-1.0, *low]))
    assert any(gain_cells(f"{PARAGRAPH}<p>a</p><p>b</p>{TABLE}", [1.0, -1.0, -1.0, *low]))
    assert not any(gain_cells(f"{PARAGRAPH}<p>a</p><p>b</p><p>c</p>{TABLE}", [1.0, -1.0, -1.0, -1.0, *low]))
    assert not any(gain_cells(f"<p>Two words</p>{TABLE}", [1.0, *low]))
    assert any(gain_cells(f"<h1>Levels</h1>{TABLE}", [1.0, *low]))
    assert not any(gain_cells(TABLE, low))


def test_tables_of_threads_and_lists_are_left_alone() -> None:
    points = [1.0, *[-1.0] * 6]
    assert not any(gain_cells(f"{PARAGRAPH}{TABLE}", points, "forum"))
    assert not any(gain_cells(f"{PARAGRAPH}{TABLE}", points, "collection"))
    assert any(gain_cells(f"{PARAGRAPH}{TABLE}", points, "documentation"))


def test_a_kept_table_says_why() -> None:
    text = "".join(f"<p>{SENTENCE} {SENTENCE}</p>" for _ in range(4))
    page = webclean.clean(f"<title>Lake levels</title><article><h1>Lake levels</h1>{text}{TABLE}{text}</article>")
    (correction,) = [c for c in page.analysis.decisions.corrections if c.name == "tables"]
    assert correction.tell(0) == "in a data table after kept text"
    assert "July 97 cm" in " ".join(page.text.split())


FACTS = FactLists(points=2.0, counts=TypeShares(types={"product": 1.0}))
BOOK = ("Publisher: Harbour Press", "Date: June 2010", "ISBN-13: 9780000000002")


def write_list(*items: str) -> str:
    return f"<p>{SENTENCE}</p><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul><p>{SENTENCE}</p>"


def find_facts(html: str, rules: FactLists = FACTS) -> list[tuple[int, int]]:
    return list(find_fact_lists(read_columns(html), rules))


@pytest.mark.parametrize(
    ("items", "is_list"),
    [
        (BOOK, True),
        (BOOK[:2], False),
        (("出版社：海港出版社", "日期：2010年6月", "页数：528 页"), True),
        (("Автор: Иван Петров", "Страниц:сто", "Вес: 300 г"), True),
        (("10:30 opening", "11:45 talks", "12:00 lunch"), False),
        (("http://a.example/", "https://b.example/", "ftp://c.example/"), False),
        (("Bus:", "Tram:", "Boat:"), False),
        (("Opening", "Talks", "Lunch"), False),
        ((*BOOK[:2], "Weight: " + "x" * 140), False),
        ((*BOOK[:2], "A label that is far too long to be the name of a value: 5"), False),
        (("<a href=/p>Publisher: Harbour</a>", "<a href=/d>Date: June</a>", "<a href=/i>Pages: 50</a>"), False),
        (("Publisher: <a href=/p>Harbour</a>", "Date: June 2010", "Pages: 50"), True),
    ],
)
def test_labels_with_values_in_a_row_with_few_links(items: tuple[str, ...], is_list: bool) -> None:
    assert find_facts(write_list(*items)) == ([(1, 1 + len(items))] if is_list else [])


def test_other_text_parts_lists_and_each_must_be_long_enough() -> None:
    html = write_list(*BOOK, "Sold out", *BOOK[:2], "By post", *BOOK)
    assert find_facts(html) == [(1, 4), (8, 11)]


def test_facts_of_different_depth_are_no_list() -> None:
    assert find_facts(f"<p>{BOOK[0]}</p><p>{BOOK[1]}</p><ul><li>{BOOK[2]}</ul>") == []


def test_facts_rise_as_far_as_the_page_is_of_a_type() -> None:
    columns, points = read_columns(write_list(*BOOK)), np.array([3.0, -1, -1, -1, 3])

    def gain(types: dict[str, float]) -> list[float]:
        return list_points(correct_fact_lists(columns, points, 0.0, FACTS, types), points)

    assert gain({"product": 1.0}) == [0, 2, 2, 2, 0]
    assert gain({"product": 0.25, "forum": 0.75}) == [0, 0.5, 0.5, 0.5, 0]
    assert gain({"forum": 1.0}) == [0, 0, 0, 0, 0]


PAIR = "<div>{}<div>{}</div></div>"
TEE = (("Fit", "regular"), ("Fabric", "cotton"), ("Weight", "180 g"))


def write_pairs(pair: str, *pairs: tuple[str, str]) -> str:
    return "".join(pair.format(*texts) for texts in pairs or TEE)


@pytest.mark.parametrize(
    ("markup", "is_list"),
    [
        (write_pairs(PAIR), True),
        (write_pairs("<li><b>{}</b><p>{}</p></li>"), True),
        (f"<table>{write_pairs('<tr><th>{}</th><td>{}</td></tr>')}</table>", True),
        (write_pairs(PAIR, *TEE[:2]), False),
        (write_pairs("<p>{}</p><p>{}</p>"), False),
        (write_pairs("<div>{}<div>{}<p>more</p></div></div>"), False),
        (write_pairs(PAIR, *((label, value * 40) for label, value in TEE)), False),
        (write_pairs("<div>§ {}<div>{}</div></div>"), False),
        (write_pairs("<div><a href=/1>{}</a><div><a href=/2>{}</a></div></div>"), False),
        (write_pairs(PAIR, *TEE[:2]) + write_pairs(PAIR.replace("<div>{}<", "<p>{}<"), TEE[2]), False),
    ],
)
def test_labels_and_values_in_turn_each_pair_in_its_element(markup: str, is_list: bool) -> None:
    columns = read_columns(f"<p>{SENTENCE}</p><section>{markup}</section><p>{SENTENCE}</p>")
    assert find_fact_lists(columns, FACTS, core.find_pairs) == ([(1, 7)] if is_list else [])
    alone = read_columns(f"<section>{markup}</section>")
    assert find_fact_lists(alone, FACTS, core.find_pairs) == ([(0, 6)] if is_list else [])


def test_a_value_is_kept_with_its_label_where_most_labels_are() -> None:
    columns = read_columns(f"<p>{SENTENCE}</p><section>{''.join(PAIR.format(*pair) for pair in TEE)}</section>")

    def gain(*pairs: float) -> list[float]:
        points = np.array([3.0, *pairs])
        return list_points(correct_fact_lists(columns, points, 0.0, FACTS, {"product": 1.0}), points)

    assert gain(1, -2, 2, 1, -1, -1) == [0, 0, 3, 0, 1, 2, 2]
    assert gain(-1, 2, 1, -1, 1, 1) == [0, 3, 0, 0, 2, 0, 0]
    assert gain(1, -2, -1, -1, -1, 2) == [0] * 7
