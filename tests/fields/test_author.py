"""The author of small pages; what counts for and against each name that a page states, and the shapes of names."""

import pytest

import webclean
from tests.fields.candidates import collect
from tests.fields.pages import read_fields, read_forms
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

ARTICLE = '<meta property="og:type" content="article">'
CHINESE = "<h1>北京发布新的城市规划方案</h1><p>{}</p><p>正文。</p>"
SIGNED = (
    *("By Ada Quill, 2 March 2024", "By Ada Quill 2 March 2024", "By Ada Quill, 2nd of March 2024"),
    *("By Ada Quill, March 2, 2024", "Von Ada Quill, 2. März 2024", "Par Ada Quill, 2 mars 2024"),
)


@pytest.mark.parametrize(
    ("head", "line", "author"),
    [
        pytest.param("<meta name='author' content='Jane Q. Doe'>", "", "Jane Q. Doe", id="meta element"),
        pytest.param("<meta name='author' value='Ann Lee'>", "", "Ann Lee", id="one that writes value for content"),
        pytest.param("", "<p>By Jane Doe | March 5, 2024</p>", "Jane Doe", id="by-line"),
        *[pytest.param("", f"<p>{line}</p>", "Ada Quill", id=f"a date behind the name: {line}") for line in SIGNED],
        pytest.param("", "<ul><li><a href=#hand>By Hand</a></li></ul>", None, id="line of contents"),
        pytest.param("", "<p>We repair bicycles by hand.</p>", None, id="sentence"),
    ],
)
def test_the_author_of_an_article(head: str, line: str, author: str | None) -> None:
    found = read_fields(f"<h1>Title of the page</h1>{line}<p>Text</p>", head=head + ARTICLE).author
    assert found.value == author
    assert (found.source == "meta author") == head.startswith("<meta")


def test_a_label_and_an_agency_on_a_chinese_page() -> None:
    assert read_fields(CHINESE.format("作者：王小明"), head=ARTICLE, lang="zh").author.value == "王小明"
    head = "<title>北京发布新的城市规划方案_网易新闻</title><meta name='author' content='网易'>" + ARTICLE
    assert read_fields(CHINESE.format(""), head=head, lang="zh").author.value is None


def test_who_comments_is_not_the_author() -> None:
    comments = '<div class="comments"><a class="username" href="/user/jo">Jo Bloggs</a></div>'
    assert read_fields(f"<h1>Pruning trees</h1>{'<p>Text</p>' * 150}{comments}").author.value is None


def test_what_readers_say_has_authors_and_days_of_its_own() -> None:
    person = "<i itemprop=author>Ada Quill</i><meta itemprop=datePublished content=2024-03-02>"
    said = f"<div itemscope itemtype='https://schema.org/{{}}'>{{}}{person}</div>"
    for kind in ("Review", "Comment"):
        found = read_fields(f"<h1>Free software</h1><p>Text</p>{said.format(kind, '')}")
        assert (found.author.value, found.date.value) == (None, None)
    found = read_fields(said.format("Review", "<h1>A film of cranes</h1><p>Text</p>"))
    assert (found.author.value, found.date.value) == ("Ada Quill", "2024-03-02")


@pytest.mark.parametrize(*read_forms("signatures"))
def test_set_forms_in_which_newspapers_sign(text: str, names: str) -> None:
    found = read_fields(CHINESE.format(text), lang="zh").author
    assert (found.value, found.source) == (names, "signature")


@pytest.mark.parametrize(
    "text",
    [
        "记者注意到，今年3月27日，国际密码协会发布了一份新的报告。",
        "他在接受记者采访时表示，这种情况并不少见。",
        "图片来源：每经记者 张蕊 摄",
        "责任编辑：张申",
        "来源：环球网",
    ],
)
def test_a_reporter_in_a_sentence_a_photographer_and_an_editor_are_no_authors(text: str) -> None:
    assert read_fields(CHINESE.format(text), head=ARTICLE, lang="zh").author.value is None


def test_a_name_beside_a_date_is_sought_forty_elements_below_the_title() -> None:
    for n_between, n_names in ((38, 1), (39, 0)):
        body = f"<h1>The old mill</h1>{'<div></div>' * n_between}<p>Ada Quill · 3 March 2024</p><p>Text.</p>"
        found = read_fields(body).author
        assert (found.value, len(found.alternatives)) == (None, n_names)


RULES = load_rules()
SHAPE = (*("n_words", "name_like", "one_word", "has_digit", "names_site", "collective"), *("no_name", "n_chars"))


def list_all(markup: str, url: str | None = None) -> dict[str, dict[str, float]]:
    columns = build_columns(parse_page(f"<html lang=en>{markup}", url=url), RULES)
    return {found.value: found.features for found in dict(collect(columns))["author"]}


def list_names(markup: str) -> dict[str, dict[str, float]]:
    """Name -> its features other than those of its shape."""
    return {
        name: {key: value for key, value in features.items() if key not in SHAPE}
        for name, features in list_all(markup).items()
    }


def describe(name: str, **options: str) -> dict[str, float]:
    """The features of the shape of a name."""
    ((_, features),) = list_all(f"<meta name=author content='{name}'>", **options).items()
    return {key: features[key] for key in SHAPE}


def test_meta_elements_are_counted_alone_and_together() -> None:
    three = "".join(f"<meta name=author content='{name}'>" for name in ("Ann Lee", "Bo Ek", "ann lee"))
    assert list_names(three) == {
        "Ann Lee": {"meta": 1, "meta_first": 1},
        "Bo Ek": {"meta": 1},
        "Ann Lee, Bo Ek": {"meta": 1, "meta_first": 1, "meta_all": 1, "lists_authors": 1},
    }
    assert list_names("<meta name=author content='Ann Lee'>") == {"Ann Lee": {"meta": 1, "meta_first": 1}}


def test_several_elements_of_a_bibliographic_name_are_co_authors() -> None:
    two = "".join(f"<meta name=citation_author content='{name}'>" for name in ("Ann Lee", "Bo Ek"))
    together = {"meta": 1, "meta_all": 1, "meta_first": 1, "lists_authors": 1}
    assert list_names(two) == {"Ann Lee, Bo Ek": together, "Ann Lee": {}, "Bo Ek": {}}
    after = list_names(f"<meta name=author content='Cy Lo'>{two}")
    assert after["Cy Lo"] == {"meta": 1, "meta_first": 1}
    assert after["Ann Lee, Bo Ek"] == {"meta": 1, "meta_all": 1, "lists_authors": 1}


@pytest.mark.parametrize(
    "others",
    [
        "<p>Contributions from: <a href=/author/bo>Bo Ek</a>, <a href=/author/cy>Cy Moss</a></p>",
        "<h4>Co-Autoren</h4><p class=author>Bo Ek</p><p class=author>Cy Moss</p>",
    ],
)
def test_a_list_behind_an_author_names_who_had_another_part(others: str) -> None:
    html = f"<h1>The wall</h1><p class=author>By <a href=/author/ann>Ann Lee</a></p>{others}<p>The wall was built.</p>"
    assert webclean.clean(html).author == "Ann Lee"


@pytest.mark.parametrize(
    ("longer", "holds"),
    [("Ann Lee Staff Writer", True), ("Ann Lee, MD", False), ("Ann Lee and Bo Ek", False), ("Ann Leeds", False)],
)
def test_what_follows_a_name_is_told(longer: str, *, holds: bool) -> None:
    found = list_names(f"<meta name=author content='Ann Lee'><h1>T</h1><p class=author>{longer}</p>")
    assert ("holds_name" in found[longer]) is holds
    assert "holds_name" not in found["Ann Lee"]


def test_the_spelling_that_is_not_all_capitals_is_taken() -> None:
    metas = "<meta name=author content='ANN LEE'>", "<meta name=author content='Ann Lee'>"
    for markup in metas[0] + metas[1], metas[1] + metas[0]:
        assert list_names(markup)["Ann Lee"] == {"meta": 1, "meta_first": 1}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("By Ann Lee", "Ann Lee"),
        ("Ann Lee, 3 March 2024", "Ann Lee"),
        (" «Ann  Lee» ", "«Ann Lee»"),
        ("“Ann Lee” -", "Ann Lee"),
        ("@ann_lee", "ann_lee"),
        ("View all posts by Ann Lee", "Ann Lee"),
        ("Articles by Ann Lee", "Ann Lee"),
        ("Byby ANN LEE and BO EK", "ANN LEE and BO EK"),
        ("Posted by Ann Lee at 3 March 2024", "Ann Lee"),
        ("Ann Lee Follow", "Ann Lee"),
        ("中国经济 ⋅", "中国经济"),
        ("Ann Lee at March 5, 2024", "Ann Lee"),
        ("Ann (Guha) Lee", "Ann (Guha) Lee"),
        ("Ann Lee (Example)", "Ann Lee"),
        ("Ann Lee Ann Lee", "Ann Lee"),
    ],
)
def test_a_name_is_freed_of_what_is_around_it(text: str, name: str) -> None:
    assert list(list_names(f"<meta name=author content='{text}'>")) == [name]


NO_NAMES = (
    *("12", "https://x.net/ann", "...", " ", "August 28, 2025 • 5 min read", "17 Dec 2025"),
    *("Email", "Share this article", "Search Advanced search", "Lost Password?", "YouTube", "Artikel teilen", "on"),
    *("网络整理", "Discuz! Team and Comsenz UI Team"),
)


@pytest.mark.parametrize(
    "markup",
    [
        *(f"<meta name=author content='{text}'>" for text in NO_NAMES),
        # nor is what stands beside no date
        *("<h1>T</h1><p>Ann Lee</p><p>The 5 mills</p>", "<h1>T</h1><p>Posted on June 5, 2023</p>"),
        "<h1>T</h1><p>陈同佳刑满出狱 向家人鞠躬致歉</p><p>2019年10月23日</p>",
    ],
)
def test_what_is_no_name(markup: str) -> None:
    assert list_names(markup) == {}


def write_json(text: str) -> str:
    return f"<script type=application/ld+json>{text}</script>"


def test_json_ld_names_one_or_several() -> None:
    one = '{"@type": "Article", "author": "Ann Lee", "comment": {"@type": "Comment", "author": {"name": "Bo Ek"}}}'
    assert list_names(write_json(one)) == {"Ann Lee": {"json_ld": 1, "json_ld_first": 1}}
    two = '{"@type": "Article", "author": [{"name": "Ann Lee"}, "Bo Ek", {"name": "Ann Lee"}], "creator": "Cy Lo"}'
    assert list_names(write_json(two)) == {
        "Ann Lee": {},
        "Bo Ek": {},
        "Ann Lee, Bo Ek": {"json_ld_all": 1, "json_ld": 1, "lists_authors": 1},
        "Cy Lo": {"json_ld": 1},
    }


def test_a_reference_is_followed_to_the_first_with_a_name() -> None:
    graph = (
        '{"@graph": [{"@type": "Article", "author": {"@id": "#p"}}, {"@type": "Person", "@id": "#p"},'
        '{"@type": "Person", "@id": "#q", "name": "Bo Ek"}, {"@type": "Person", "@id": "#p", "name": "Ann Lee"},'
        '{"@type": "Person", "@id": "#p", "name": "Cy Lo"}]}'
    )
    assert list(list_names(write_json(graph))) == ["Ann Lee"]


def test_microdata_names_are_read_inside_or_from_the_attribute() -> None:
    markup = (
        "<h1>T</h1><i itemprop=author>Dr <b itemprop=name>Ann Lee</b></i><i itemprop=author content='Bo Ek'>x</i>"
        "<i itemprop=author>Cy Lo</i>"
    )
    assert list_names(markup) == {
        "Ann Lee": {"itemprop": 1, "itemprop_first": 1, "distance": 1},
        "Bo Ek": {"itemprop": 1, "distance": 3},
        "Cy Lo": {"itemprop": 1, "distance": 4},
    }


def test_links_say_their_kind_place_and_distance() -> None:
    markup = (
        "<h1>T</h1><p><a href=/author/ann>Ann Lee</a></p>"
        "<p>x <a href=/user/bo>Bo Ek</a></p><footer>x <a href=/author/cy>Cy Lo</a></footer>"
    )
    assert list_names(markup) == {
        "Ann Lee": {"author_link": 1, "author_link_first": 1, "distance": 2},
        "Bo Ek": {"user_link": 1, "user_link_first": 1, "distance": 4},
        "Cy Lo": {"author_link": 1, "link_in_landmark": 1, "distance": 6},
    }


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False)])
def test_links_are_sought_near_the_title(more: int, *, is_read: bool) -> None:
    link, rules = "<a href=/author/ann>Ann Lee</a>", RULES.fields.author
    below, above = "<i></i>" * (rules.rows_below - 2 + more), "<i></i>" * (rules.rows_above - 1 + more)
    assert bool(list_names(f"<h1>T</h1>{below}{link}")) is is_read
    assert bool(list_names(f"{link}{above}<h1>T</h1>")) is is_read


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("{} and {}", "Ann Lee and Bo Ek"),
        ("By {}, {}", "Ann Lee, Bo Ek"),
        ("{} {}", "Ann Lee, Bo Ek"),
        ("{} met {}", None),
        ("{}", None),
    ],
)
def test_a_line_of_links_alone_is_a_name(line: str, name: str | None) -> None:
    links = "<a href=/author/ann>Ann Lee</a>", "<a href=/author/bo>Bo Ek</a>"
    found = list_names(f"<h1>T</h1><p>{line.format(*links)}</p>")
    together = [key for key, features in found.items() if "link_all" in features]
    assert together == ([name] if name else [])
    assert name is None or found[name]["distance"] == 2


def test_classes_name_the_element_and_the_first_link_in_it() -> None:
    markup = (
        "<h1>T</h1><div class=author>Our critic <a href=/p>Ann Lee</a> <a href=/q>x</a></div>"
        "<div class=author>Bo Ek</div><div class=username>cy</div>"
    )
    first = {"author_class": 1, "author_class_first": 1, "distance": 1}
    assert list_names(markup) == {
        "Our critic Ann Lee x": first,
        "Ann Lee": {"author_class_link": 1, "author_class_link_first": 1, "distance": 1},
        "Bo Ek": {"author_class": 1, "distance": 4},
        "cy": {"user_class": 1, "user_class_first": 1, "distance": 5},
    }


@pytest.mark.parametrize(("n", "is_read"), [(18, True), (19, False)])
def test_a_link_in_a_class_is_among_its_first_elements(n: int, *, is_read: bool) -> None:
    markup = f"<h1>T</h1><div class=author>{'<i></i>' * n}<a href=/p>Ann Lee</a></div>"
    assert ("author_class_link" in list_names(markup)["Ann Lee"]) is is_read


def test_by_lines_say_their_place_and_which_is_first() -> None:
    markup = "<h1>T</h1><p>By Ann Lee</p><p>A story by Bo Ek</p><footer><p>By Cy Lo</p></footer>"
    assert list_names(markup) == {
        "Ann Lee": {"byline": 1, "byline_first": 1, "distance": 2},
        "Bo Ek": {"byline_inside": 1, "distance": 3},
        "Cy Lo": {"byline": 1, "byline_in_landmark": 1, "distance": 5},
    }


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["By", "Ann Lee"], ["Ann Lee"]),
        (["Ann Lee", "By"], []),
        (["By"], []),
        (["By Ann Lee".ljust(120, "!")], ["Ann Lee" + "!" * 110]),
        (["By Ann Lee".ljust(121, "!")], []),
    ],
)
def test_a_label_alone_is_of_the_next_text(texts: list[str], names: list[str]) -> None:
    markup = "<h1>T</h1>" + "".join(f"<p>{text}</p>" for text in texts)
    assert [name for name in list_names(markup) if name != "By"] == names


def test_twenty_by_lines_are_read() -> None:
    texts = "".join(f"<p>By Ann {chr(65 + at)}mo</p>" for at in range(22))
    assert len(list_names(f"<h1>T</h1>{texts}")) == 20


def test_names_beside_numbers_are_sought_below_a_title() -> None:
    markup = "<p>Ann Lee · 3 March 2024</p><p>Bo Ek, 6 min read</p><p>Cy Lo - 2024</p><p>Di Mo</p><p>el ba | 7</p>"
    assert list_names(f"<h1>T</h1>{markup}") == {
        "Ann Lee": {"beside_date": 1, "distance": 2},
        "Bo Ek": {"beside_date": 1, "distance": 3},
        "Cy Lo": {"beside_date": 1, "distance": 4},
    }
    assert list_names(markup) == {}
    for n, is_read in ((80, True), (81, False)):
        text = "Ann Lee · 3 ".ljust(n + 4, "x")  # with four spaces, which are not counted
        assert bool(list_names(f"<h1>T</h1><p>{text}</p>")) is is_read


def test_names_in_comments_are_marked_and_are_no_first_poster() -> None:
    comments = "<div class=comments><div class=username>cy</div><a href=/user/bo>Bo Ek</a></div>"
    assert list_names(f"<h1>T</h1>{comments}<b class=author>Di Mo</b>") == {
        "Bo Ek": {"distance": 3, "in_comments": 1},
        "cy": {"user_class": 1, "distance": 2, "in_comments": 1},
        "Di Mo": {"author_class": 1, "author_class_first": 1, "distance": 4},
    }


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ann Lee", {"n_words": 2, "name_like": 1, "n_chars": 7}),
        ("Ann", {"n_words": 1, "one_word": 1, "n_chars": 3}),
        ("ann lee", {"n_words": 2, "n_chars": 7}),
        ("Ann de la Cruz", {"n_words": 4, "name_like": 1, "n_chars": 14}),
        ("Ann of the old mill", {"n_words": 5, "n_chars": 19}),
        ("Ann of the Old Mill", {"n_words": 5, "name_like": 1, "n_chars": 19}),
        ("Ann of the old Mill", {"n_words": 5, "n_chars": 19}),
        ("A B C D E", {"n_words": 5, "name_like": 1, "n_chars": 9}),
        ("A B C D E F", {"n_words": 6, "n_chars": 11}),
        ("Ann Lee, Bo Ek", {"n_words": 2, "name_like": 1, "n_chars": 7}),
        ("Ann and Bo", {"n_words": 3, "name_like": 1, "n_chars": 10}),
        ("Ann Lee and Bo", {"n_words": 4, "name_like": 1, "n_chars": 14}),
        ("Ann7 Lee", {"n_words": 2, "name_like": 1, "has_digit": 1, "n_chars": 8}),
        ("12-34", {"n_words": 1, "has_digit": 1, "n_chars": 5}),
        ("王小明", {"n_words": 1, "name_like": 1, "one_word": 1, "n_chars": 3}),
        ("דן כהן", {"n_words": 2, "name_like": 1, "n_chars": 6}),
    ],
)
def test_the_shape_of_a_name(name: str, told: dict[str, float]) -> None:
    assert describe(name) == dict.fromkeys(SHAPE, 0) | told


def test_a_name_of_the_site_is_told() -> None:
    assert describe("Lumen Press", url="https://lumenpress.net/a")["names_site"] == 1
    assert describe("Lumen Press", url="https://other.net/a")["names_site"] == 0


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("Ann Lee and Bo Ek", True),
        ("Ann Lee, Bo Ek & Cy Lo", True),
        ("Ann Lee, Staff Writer, Example News", False),
        ("Ann Lee, MD and more", False),
        ("Ann Leeand Bo Ek", False),
    ],
)
def test_what_names_the_first_of_several_speaks_for_their_list(text: str, *, is_list: bool) -> None:
    found = list_names(f"<meta name=author content='Ann Lee'><h1>T</h1><p class=byline>{text}</p>")
    assert ("lists_authors" in found[text], "meta" in found[text]) == (is_list, is_list)


@pytest.mark.parametrize(
    ("byline", "is_marked"),
    [
        ("<p>By Ann Lee</p>", True),
        ("<p>By Ann Lee and Bo Ek</p>", True),
        ("<p>By River News Team</p>", False),
        ("<div></div>" * 61 + "<p>By Ann Lee</p>", False),
        ('<script type="application/ld+json">{"@type": "Article", "author": "Ann Lee"}</script>', False),
    ],
)
def test_the_site_is_marked_where_a_person_signs(byline: str, *, is_marked: bool) -> None:
    head = "<meta property=og:site_name content='River News'><meta name=author content='River News'>"
    found = list_names(f"{head}<h1>T</h1>{byline}")
    assert ("beside_person" in found["River News"]) is is_marked


@pytest.mark.parametrize(
    ("texts", "feature", "name"),
    [
        ("<p>Ann Lee</p><p>March 5, 2024</p>", "next_to_date", "Ann Lee"),
        ("<p>Ann on June 5, 2023</p>", "on_date", "Ann"),
        ("<p>3 March 2024 · 5 min read</p><p>Ann Lee</p>", "next_to_date", "Ann Lee"),
        ("<p>March 5, 2024</p><p>Ann Lee, Editor, and Bo Ek</p>", "next_to_date", "Ann Lee, Editor, and Bo Ek"),
    ],
)
def test_names_beside_a_date(texts: str, feature: str, name: str) -> None:
    assert feature in list_names(f"<h1>T</h1>{texts}")[name]


def test_the_name_in_a_class_is_read_without_the_role() -> None:
    markup = "<h1>T</h1><div class=author><span>Ann Lee</span> <span>Writer</span></div>"
    assert "author_class_head" in list_names(markup)["Ann Lee"]
