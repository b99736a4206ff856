from __future__ import annotations

import pytest

from tests.fields.pages import read_fields

ARTICLE = '<meta property="og:type" content="article">'


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def test_meta_author() -> None:
    found = read_fields("<h1>Title</h1>", head='<meta name="author" content="Jane Q. Doe">' + ARTICLE).author
    assert (found.value, found.source) == ("Jane Q. Doe", "meta author")


def test_byline_below_the_title() -> None:
    body = "<h1>Title of the page</h1><p>By Jane Doe | March 5, 2024</p><p>Text</p>"
    assert read_fields(body, head=ARTICLE).author.value == "Jane Doe"


@pytest.mark.parametrize(
    "byline",
    [
        "By Ada Quill, 2 March 2024",
        "By Ada Quill 2 March 2024",
        "By Ada Quill, 2nd of March 2024",
        "By Ada Quill, March 2, 2024",
        "Von Ada Quill, 2. März 2024",
        "Par Ada Quill, 2 mars 2024",
    ],
)
def test_the_date_behind_a_name_is_no_part_of_it(byline: str) -> None:
    body = f"<h1>Title of the page</h1><p>{byline}</p><p>Text</p>"
    assert read_fields(body, head=ARTICLE).author.value == "Ada Quill"


@pytest.mark.parametrize("line", ["<h2>By hand or foot</h2>", "<ul><li><a href=#hand>By Hand</a></li></ul>"])
def test_a_section_is_no_author(line: str) -> None:
    assert read_fields(f"<h1>Title of the page</h1>{line}<p>Text</p>").author.value is None


def test_json_ld_author_by_reference() -> None:
    script = """{"@graph": [{"@type": "Article", "author": {"@id": "#p"}}, {"@type": "Person", "@id": "#p", "name":
    "Jane Doe"}]}"""
    assert read_fields("<h1>Title</h1>", head=json_ld(script)).author.value == "Jane Doe"


def test_several_authors_are_one_value() -> None:
    script = '{"@type": "NewsArticle", "author": [{"name": "Jane Doe"}, {"name": "John Roe"}]}'
    assert read_fields("<h1>Title</h1>", head=json_ld(script) + ARTICLE).author.value == "Jane Doe, John Roe"


def test_chinese_label() -> None:
    body = "<h1>北京发布新的城市规划方案</h1><p>作者：王小明</p><p>正文。</p>"
    assert read_fields(body, head=ARTICLE, lang="zh").author.value == "王小明"


@pytest.mark.parametrize("body", ["", "<h1>Our services</h1><p>We repair bicycles by hand.</p>"])
def test_no_author_where_none_is_named(body: str) -> None:
    assert read_fields(body).author.value is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("新京报讯（记者 陆一夫）11月25日，新京报记者登录页面发现，有了新的变化。", "陆一夫"),
        ("光明日报记者 王建宏 张文攀", "王建宏, 张文攀"),
        ("□ 本报记者 葛灵丹", "葛灵丹"),
        ("长江网10月4日讯（记者陈智 整合）", "陈智"),
        ("【文/观察者网专栏作者 王文】", "王文"),
        ("采写：南都见习记者 林子沛", "林子沛"),
        ("2004年10月21日14:18 作者：郭励弘", "郭励弘"),
        ("記者林映彤∕頭城報導 2010/10/30 08:40", "林映彤"),
        ("[ 1287호 ] 2012년 05월 21일 14:06:33| 윤서진 기자 seojin@hanbitilbo.example", "윤서진"),
    ],
)
def test_set_forms_in_which_newspapers_sign(text: str, names: str) -> None:
    found = read_fields(f"<h1>北京发布新的城市规划方案</h1><p>{text}</p><p>正文。</p>", lang="zh").author
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
    body = f"<h1>北京发布新的城市规划方案</h1><p>{text}</p><p>正文。</p>"
    assert read_fields(body, head=ARTICLE, lang="zh").author.value is None


def test_an_agency_in_a_meta_element_is_no_author() -> None:
    head = "<title>北京发布新的城市规划方案_网易新闻</title><meta name='author' content='网易'>" + ARTICLE
    assert read_fields("<h1>北京发布新的城市规划方案</h1><p>正文。</p>", head=head, lang="zh").author.value is None


def test_who_comments_is_not_the_author() -> None:
    comments = '<div class="comments"><a class="username" href="/user/jo">Jo Bloggs</a></div>'
    body = f"<h1>Pruning trees</h1>{'<p>Text</p>' * 150}"
    assert read_fields(body + comments).author.value is None


def test_a_meta_element_that_writes_value_for_content_is_read() -> None:
    head = "<meta name='author' value='Ann Lee'>" + ARTICLE
    author = read_fields("<h1>Pruning trees</h1><p>Text</p>", head=head).author
    assert (author.value, author.source) == ("Ann Lee", "meta author")


@pytest.mark.parametrize(
    ("between", "value"),
    [(" and ", "Ann Lee and Bo Ek"), (", ", "Ann Lee, Bo Ek"), (" wrote this when she was young, and ", "Ann Lee")],
)
def test_links_to_several_authors_in_one_line_are_one_answer(between: str, value: str) -> None:
    links = f'<a rel=author href="/author/ann-lee">Ann Lee</a>{between}<a rel=author href="/author/bo-ek">Bo Ek</a>'
    page = f"<h1>Pruning trees in winter</h1><div>By {links}</div><p>Text</p>"
    assert read_fields(page, head=ARTICLE).author.value == value


def test_a_name_beside_a_date_is_sought_forty_elements_below_the_title() -> None:
    for n_between, n_names in ((38, 1), (39, 0)):
        body = f"<h1>The old mill</h1>{'<div></div>' * n_between}<p>Ada Quill · 3 March 2024</p><p>Text.</p>"
        found = read_fields(body).author
        assert (found.value, len(found.alternatives)) == (None, n_names)
