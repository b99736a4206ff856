"""Every field of whole pages of several types, their candidates, and what rule files of a site may say of them."""

import json
from functools import cache
from pathlib import Path

import pytest

import webclean
from tests import write_file
from tests.fields.candidates import ENTITIES, PAGES, collect, read_page, read_table
from tests.fields.pages import read_fields
from webclean.fields import FIELD_NAMES, PageFields
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

FIXTURES = Path(__file__).parents[2] / "fixtures"
PAGE = """<html lang="de-AT"><head><title>Pruning apple trees in winter | Example Garden</title>
<meta property="og:site_name" content="Example Garden"><meta name="description" content="When to cut, and how.">
<meta property="og:image" content="/tree.jpg"><meta name="keywords" content="trees, winter">
<meta property="article:section" content="Advice"><meta name="author" content="Jane Doe">
<meta property="article:published_time" content="2023-04-05T06:07:08+02:00">
<meta property="article:modified_time" content="2023-05-06T07:08:09+02:00">
<link rel="canonical" href="/trees"><link rel="license" href="https://creativecommons.org/licenses/by/4.0/">
<link rel="next" href="/trees?page=2"><link rel="alternate" hreflang="en" href="/en/trees"></head>
<body><h1>Pruning apple trees in winter</h1><p>Some long enough text about the trees of the garden, and the cutting.</p>
<figure><img src="/a.jpg" alt="A tree" width="640"><figcaption>An old tree</figcaption></figure>
<p>More of the text about the trees of the garden, with enough words to be kept.</p>
<a href="/trees/all">View on one page</a></body></html>"""


@cache
def clean_fixture(name: str) -> PageFields:
    (folder,) = FIXTURES.glob(f"*/{name}")
    url = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["url"]
    return webclean.clean((folder / "input.html").read_bytes(), url=url).fields


def test_every_field_of_a_page() -> None:
    fields = webclean.clean(PAGE, url="https://www.example.com/garden").fields
    root = "https://www.example.com"
    assert {
        name: getattr(fields, name).value
        for name in FIELD_NAMES
        if name not in {"authors", "keywords", "images", "alternates", *ENTITIES}
    } == {
        "title": "Pruning apple trees in winter",
        "date": "2023-04-05T06:07:08+02:00",
        "modified": "2023-05-06T07:08:09+02:00",
        "author": "Jane Doe",
        "site_name": "Example Garden",
        "language": "de-AT",
        "description": "When to cut, and how.",
        "canonical": f"{root}/trees",
        "section": "Advice",
        "licence": "https://creativecommons.org/licenses/by/4.0/",
        "next_page": f"{root}/trees?page=2",
        "single_page": f"{root}/trees/all",
        "image": f"{root}/tree.jpg",
        "price": None,
        "rating": None,
        "availability": None,
    }
    assert fields.keywords.values == ("trees", "winter")
    assert [(image.url, image.alt, image.caption) for image in fields.images] == [
        (f"{root}/a.jpg", "A tree", "An old tree")
    ]
    assert [(other.url, other.language) for other in fields.alternates] == [(f"{root}/en/trees", "en")]


@pytest.mark.parametrize("name", ["title", "date", "author", "site_name", "image"])
def test_a_field_says_where_it_is_from_how_sure_it_is_and_what_else_it_may_be(name: str) -> None:
    field = getattr(clean_fixture("news-en-harbour"), name)
    assert field.value
    assert field.source
    assert 0.5 < field.confidence <= 1
    assert all(value and source and value != field.value for value, source in field.alternatives)


def test_images_with_their_captions() -> None:
    images = clean_fixture("photo-essay-captions").images
    assert len(images) == 5  # those of the last row, which has captions alone, are not kept
    assert images[0].caption.startswith("Walter Ingle roughs out a sole")


def test_next_page_of_a_list_and_tags_of_a_post() -> None:
    listed = clean_fixture("shop-category-lamps").next_page.value
    assert listed == "https://www.hallowlight.example/lighting/table-lamps?page=2"
    assert clean_fixture("blog-comments").keywords.values == ("Joinery", "doors", "hinges")


def test_selectors_of_a_site_beat_all_other_sources(tmp_path: Path) -> None:
    folder = tmp_path / "sites"
    folder.mkdir()
    rules = "rules: {named: {action: {title: .name, author: .by, date: time.first}}}"
    (folder / "example.com.yaml").write_text(rules, encoding="utf-8")
    page = "<h1>Big heading</h1><b class=name>Real name</b><i class=by>Jo Roe</i><time class=first>3 May 2024</time>"
    for url, expected in (("https://www.example.com/x", "Real name"), ("https://www.example.org/x", "Big heading")):
        assert webclean.clean(page, url=url, rules=tmp_path).title == expected
    found = webclean.clean(page, url="https://example.com/x", rules=tmp_path)
    assert (found.author, found.date) == ("Jo Roe", "2024-05-03")
    assert found.fields.author.source == "rule named"


def test_order_of_sources_is_a_matter_of_points(tmp_path: Path) -> None:
    stated = '{"@type": "Article", "datePublished": "2023-02-02"}'
    head = '<meta property="article:published_time" content="2023-01-01">'
    head += f'<script type="application/ld+json">{stated}</script>'
    assert read_fields("<h1>Trees</h1>", head=head).date.value == "2023-01-01"
    path = write_file(tmp_path / "mine.yaml", "fields: {date: {card: {lines: {json_ld_published: 9}}}}")
    found = read_fields("<h1>Trees</h1>", head=head, rules=load_rules(path)).date
    assert (found.value, found.source) == ("2023-02-02", "json-ld datePublished")
    assert ("2023-01-01", "meta article:published_time") in found.alternatives


def test_only_so_many_texts_are_searched_for_dates() -> None:
    texts = "".join(f"<p>{2001 + i // 28}-05-{i % 28 + 1:02d}</p>" for i in range(123))
    columns = build_columns(parse_page(f"<body>{texts}"))
    assert len(dict(collect(columns))["date"]) == 120


@pytest.mark.parametrize("page", PAGES)
def test_candidates_are_those_of_the_table(page: str) -> None:
    found, expected = read_page(page, PAGES[page]), read_table()[page]
    wrong = {
        name: (found.get(name), expected.get(name))
        for name in {*found, *expected}
        if found.get(name) != expected.get(name)
    }
    assert wrong == {}


def test_a_date_that_a_rule_points_at_and_cannot_be_read_is_told(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "rules: {dated: {action: {date: .when}}}")
    page = "<h1>Trees</h1><p class=when>{}</p><p>Text of the page.</p>"
    (told,) = [text for text in webclean.clean(page.format("soon"), rules=rules).warnings if "date" in text]
    assert told.startswith("rule dated: 'soon' is no date")
    for read in (page.format("5 March 2024"), "<h1>Trees</h1><p>Text of the page.</p>"):
        assert not any("is no date" in text for text in webclean.clean(read, rules=rules).warnings)
