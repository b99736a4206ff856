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
