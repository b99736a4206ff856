"""Fields that a page declares of itself, and its images."""

from typing import Any

import pytest

from tests.fields.pages import read_fields, write_json_ld
from webclean.fields.declared import list_page_kinds, rank_values
from webclean.fields.statements import PageStatements
from webclean.model import Alternate, FieldValue
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

HOST = "https://www.example.com"


def say(**values: Any) -> str:
    return write_json_ld({"@type": "Article", **values})


@pytest.mark.parametrize(
    ("found", "value"),
    [
        ([], FieldValue(None)),
        ([(" ", "x")], FieldValue(None)),
        ([("", "w"), (" a  b ", "x")], FieldValue("a b", "x", 0.6)),
        ([("a", "x"), ("b", "y"), ("a", "z")], FieldValue("a", "x", 0.8, (("b", "y"),))),
        ([("a", "x"), ("a", "y"), ("a", "z")], FieldValue("a", "x", 0.9)),
        ([(str(at), "x") for at in range(8)], FieldValue("0", "x", 0.6, tuple((str(at), "x") for at in range(1, 6)))),
    ],
)
def test_the_first_value_counts_and_is_surer_where_others_agree(
    found: list[tuple[str, str]], value: FieldValue
) -> None:
    assert rank_values(found, 0.6) == value


@pytest.mark.parametrize(
    ("field", "head", "value", "source"),
    [
        ("description", "<meta name=description content='Of  it.'>", "Of it.", "meta description"),
        ("description", say(description="Of the article."), "Of the article.", "json-ld description"),
        ("description", say(publisher={"@type": "Organization", "description": "Of the firm."}), None, ""),
        ("canonical", "<link rel=canonical href=/x>", f"{HOST}/x", "link canonical"),
        ("canonical", "<meta property=og:url content=/b>", f"{HOST}/b", "meta og:url"),
        ("canonical", say(mainEntityOfPage="/c"), f"{HOST}/c", "json-ld mainEntityOfPage"),
        ("canonical", say(isPartOf={"@type": "WebPage", "mainEntityOfPage": "/d"}), f"{HOST}/a/page", "url"),
        ("canonical", "", f"{HOST}/a/page", "url"),
        ("canonical", '<link rel=canonical href="javascript:x">', f"{HOST}/a/page", "url"),
        ("canonical", "<link rel=canonical href='mailto:x'>", f"{HOST}/a/page", "url"),
        ("section", "<meta property=article:section content=Advice>", "Advice", "meta article:section"),
        ("section", say(articleSection=["Advice", "News"]), "Advice", "json-ld articleSection"),
        ("licence", "<link rel=license href=/by>", f"{HOST}/by", "link license"),
        ("licence", say(license="https://l.org/1"), "https://l.org/1", "json-ld license"),
        ("image", "<meta property=og:image content=/i.png>", f"{HOST}/i.png", "meta og:image"),
        ("image", say(image=["/i.png", "/j.png"]), f"{HOST}/i.png", "json-ld image"),
        ("image", say(image={"url": "/i.png"}), f"{HOST}/i.png", "json-ld image"),
        ("image", say(image={"contentUrl": "/k.png"}), f"{HOST}/k.png", "json-ld image"),
        ("image", say(image=[3]), None, ""),
        ("image", "<link rel=image_src href=/l.png>", f"{HOST}/l.png", "link image_src"),
        ("next_page", "<link rel=next href=?page=2>", f"{HOST}/a/page?page=2", "link next"),
        ("next_page", "<link rel=next href=/a/page#x>", None, ""),
        ("next_page", "<link rel=next href=https://other.org/2>", None, ""),
        ("site_name", '<meta property="og:site_name" content="X">', "X", "meta og:site_name"),
    ],
)
def test_sources(field: str, head: str, value: str | None, source: str) -> None:
    found = getattr(read_fields("<h1>Trees</h1>", head=head), field)
    assert (found.value, found.source) == (value, source)


@pytest.mark.parametrize(
    ("shared", "is_told", "is_sure"), [("/x", False, True), ("/x/", True, True), ("/y", True, False)]
)
def test_a_canonical_link_and_another_shared_address_are_both_told(
    shared: str, *, is_told: bool, is_sure: bool
) -> None:
    head = f"<link rel=canonical href={HOST}/x><meta property=og:url content={HOST}{shared}>"
    found = read_fields("", head=head, url=f"{HOST}/x").canonical
    alone = read_fields("", head=f"<link rel=canonical href={HOST}/x>", url=f"{HOST}/x").canonical
    assert found.value == f"{HOST}/x"
    assert ((f"{HOST}{shared}", "meta og:url") in found.alternatives) is is_told
    assert (found.confidence >= alone.confidence) is is_sure


@pytest.mark.parametrize(
    ("url", "image", "canonical"),
    [
        ("https://www.example.com:8080/a#b", "https://www.example.com:8080/i.png", "https://www.example.com:8080/a"),
        ("file:///a/page.html", "file:///i.png", None),
        (None, "/i.png", None),
    ],
)
def test_addresses_are_of_the_pages_origin(url: str | None, image: str, canonical: str | None) -> None:
    found = read_fields("<h1>Trees</h1>", head="<meta property=og:image content=/i.png>", url=url)
    assert found.image.value == image
    assert url == "file:///a/page.html" or found.canonical.value == canonical
    assert read_fields("", head="<link rel=canonical href=x>", url=None).canonical.value is None


@pytest.mark.parametrize(
    ("head", "value", "source", "confidence"),
    [
        ("<meta property='og:site_name' content=Mill><title>A | Miller</title>", "Mill", "meta og:site_name", 0.95),
        ("<title>Old story | Mill House</title>", "Mill House", "title", 0.7),
        ("<title>Mill House | Old story | Millhouse News</title>", "Millhouse News", "title", 0.7),
        ("<title>Old story | Elsewhere</title>", "millhouse.net", "url", 0.4),
        ("<meta name='twitter:site' content='@mill'>", "mill", "meta twitter:site", 0.95),
    ],
)  # fmt: skip
def test_the_name_of_a_site(head: str, value: str, source: str, confidence: float) -> None:
    found = read_fields("<p>x", head=head, url="https://www.millhouse.net/a").site_name
    assert (found.value, found.source, found.confidence) == (value, source, confidence)


@pytest.mark.parametrize(
    ("steps", "section"),
    [
        ([{"name": "Home"}, {"name": "Trees"}, {"name": "My title"}], "Trees"),
        ([{"name": "Home"}, {"item": {"name": "Trees"}}], "Trees"),
        ([{"name": "Home"}, {"name": "My Title!"}], None),
        ([{"name": "Home"}], None),
        ([{"name": 3}, "x", {"item": "y"}], None),
        ({"name": "Home"}, None),
    ],
)
def test_a_section_is_the_last_step_that_is_not_the_page(steps: object, section: str | None) -> None:
    head = write_json_ld({"@type": "BreadcrumbList", "itemListElement": steps})
    assert read_fields("<h1>My title</h1>", head=head).section.value == section


def test_a_deed_that_the_text_links_to_is_the_licence() -> None:
    body = "<p><a href=https://creativecommons.org/licenses/by/4.0/>CC BY</a> <a href=https://other.org/>x</a></p>"
    found = read_fields(body).licence
    assert (found.value, found.source) == ("https://creativecommons.org/licenses/by/4.0/", "link")
    assert read_fields(body, url=None).licence.value == found.value
    assert read_fields("<p><a href=https://other.org/>x</a></p>").licence.value is None


def test_keywords_are_told_apart_once_each() -> None:
    head = "<meta name=keywords content='trees, winter;  trees | x，oak'>" + say(keywords=["elm、oak"])
    found = read_fields("<p><a rel=tag href=/t>#beech</a><a href=/u>none</a></p>", head=head).keywords
    assert found.values == ("trees", "winter", "oak", "elm", "beech")  # one letter is no keyword
    assert found.source == "meta keywords"
    assert found.confidence > 0
    many = "<meta name=keywords content='" + ",".join(f"word {i}" for i in range(60)) + "'>"
    assert len(read_fields("", head=many).keywords.values) == 50
    none = read_fields("").keywords
    assert (none.values, none.source, none.confidence) == ((), "", 0.0)


def test_alternates_are_other_versions_each_once() -> None:
    head = """<link rel=alternate href=/feed type=application/rss+xml title=Feed><link rel=amphtml href=/amp>
    <link rel=alternate href=/feed title=Again><link rel="alternate stylesheet" href=/style.css><link rel=next href=/n>
    <link rel=alternate hreflang=de href=/de><link rel=alternate href='#'>"""
    assert read_fields("", head=head).alternates == (
        Alternate(f"{HOST}/feed", "", "application/rss+xml", "Feed"),
        Alternate(f"{HOST}/amp", "", "", "amp"),
        Alternate(f"{HOST}/de", "de"),
    )


@pytest.mark.parametrize(
    ("text", "is_next"),
    [
        *((text, True) for text in ("下一页", "Next page", "Nächste Seite", "次へ", "Suivant »")),
        (f"Next {'»' * 55}", True),
        (f"Next {'»' * 56}", False),  # sixty characters at most
    ],
)
def test_next_page_by_the_text_of_a_link(text: str, *, is_next: bool) -> None:
    found = read_fields(f'<p>Text</p><a href="/p2">{text}</a>').next_page.value
    assert found == (f"{HOST}/p2" if is_next else None)
    assert read_fields(f'<a href="https://other.org/2">{text}</a>').next_page.value is None


KINDS = {"story": ("NewsArticle", "Article"), "shop": ("Product",), "text": ("Article",)}
PATHS = {"tag": ("tag", "tags"), "file": ("html",)}


@pytest.mark.parametrize(
    ("head", "url", "kinds"),
    [
        (say(headline="River"), None, {"on_story", "on_text"}),
        ("<meta property=og:type content=Website>", None, {"on_og_website"}),
        ("<meta property=og:type content=video>", None, set()),
        ("", "https://x.net", {"on_front"}),
        ("", "https://x.net/?a=/tag/b#c", {"on_front"}),
        ("", "https://x.net/?p=34518", set()),
        ("", "https://x.net/Tag/rivers.html?a", {"at_tag", "at_file"}),
        ("", "https://x.net/rivers", set()),
        ("", "https://x.net/a-b-c", set()),
        ("", "https://x.net/a-b-c-d/", {"at_long_slug"}),
        ("", "https://x.net/a-b-c-d/e", set()),
        ("", None, set()),
    ],
)
def test_kinds_are_those_of_things_meta_and_address(head: str, url: str | None, kinds: set[str]) -> None:
    statements = PageStatements(build_columns(parse_page(f"<head>{head}</head><p>River", url=url)))
    assert list_page_kinds(statements, KINDS, PATHS) == dict.fromkeys(kinds, 1.0)


LEAST = load_rules().fields.images.min_pixels


def list_captions(body: str) -> list[str]:
    return [image.caption for image in read_fields(body).images]


@pytest.mark.parametrize(
    ("size", "taken"),
    [
        (f"width={LEAST} height={LEAST}", True),
        (f"width={LEAST - 1}", False),
        (f"height={LEAST}", True),
        (f"height={LEAST - 1}", False),
        ("width=10%", True),
        ("width=x", True),
        ("style='display:none'", False),
        ("hidden", False),
    ],
)
def test_small_and_hidden_images_are_left_out(size: str, *, taken: bool) -> None:
    assert bool(read_fields(f"<img src=/i.png {size}>").images) is taken


@pytest.mark.parametrize(
    ("written", "sizes"),
    [
        ("width=640 height=480", (640, 480)),
        ("width=' 640px'", (640, None)),
        ("width=100% height=wide", (None, None)),
        ("height=1234567", (None, 12345)),
        ("", (None, None)),
    ],
)
def test_sizes_are_those_of_the_markup(written: str, sizes: tuple[int | None, int | None]) -> None:
    (image,) = read_fields(f"<img src=/i.png {written}>").images
    assert (image.width, image.height) == sizes


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("src=/i.png", "/i.png"),
        ("src='data:image/gif;base64,R0' data-src=/j.png", "/j.png"),
        ("srcset='/a.png 100w, /b.png 200w'", "/b.png"),
        ("srcset='/a.png'", "/a.png"),
        ("src=javascript:x()", None),
        ("alt=x", None),
    ],
)
def test_the_address_of_an_image(written: str, url: str | None) -> None:
    assert [image.url for image in read_fields(f"<img {written}>").images] == ([HOST + url] if url else [])


def test_an_address_is_taken_once_and_landmarks_hold_none() -> None:
    body = "<img src=/a.png alt=one><nav><img src=/n.png></nav><img src=/a.png alt=two><img src=/b.png>"
    found = read_fields(body)
    assert [(image.url, image.alt) for image in found.images] == [(f"{HOST}/a.png", "one"), (f"{HOST}/b.png", "")]
    assert (found.image.value, found.image.source) == (f"{HOST}/a.png", "first in text")
    many = "".join(f"<img src=/{i}.png>" for i in range(230))
    assert len(read_fields(many).images) == 200


@pytest.mark.parametrize(
    ("body", "captions"),
    [
        ("<figure><img src=/i.png><figcaption>Seen</figcaption></figure>", ["Seen"]),
        ("<figure><figcaption>Seen</figcaption><div><img src=/i.png></div></figure>", ["Seen"]),
        ("<figure><a><span><b><img src=/i.png></b></span></a><figcaption>Seen</figcaption></figure>", ["Seen"]),
        ("<figure><i><a><span><b><img src=/i.png></b></span></a></i><figcaption>Far</figcaption></figure>", [""]),
        ("<figure><img src=/i.png><p class=caption>Not it</p></figure>", [""]),
        ("<figure><img src=/i.png></figure><figcaption>Not it</figcaption>", [""]),
        ("<div><img src=/i.png><p class=caption>Seen</p></div>", ["Seen"]),
        ("<div><img src=/i.png><p class=Image-Caption>Seen</p></div>", ["Seen"]),
        ("<div><p class=caption>Before</p><img src=/i.png></div>", [""]),
        ("<div><img src=/i.png></div><p class=caption>Seen</p>", ["Seen"]),
        ("<div><img src=/a.png><p class=caption>One</p></div><img src=/b.png><p class=caption>Two</p>", ["One", "Two"]),
        ("<p><img src=/i.png> <i class=caption>Seen</i></p>", ["Seen"]),
        # within six elements behind its image, or four around it
        (f"<div><img src=/i.png>{'<i></i>' * 4}<p class=caption>Seen</p></div>", ["Seen"]),
        (f"<div><img src=/i.png>{'<i></i>' * 5}<p class=caption>Far</p></div>", [""]),
        (f"<section>{'<div>' * 3}<img src=/i.png>{'</div>' * 3}<p class=caption>Seen</p></section>", ["Seen"]),
        (f"<section>{'<div>' * 4}<img src=/i.png>{'</div>' * 4}<p class=caption>Far</p></section>", [""]),
    ],
)
def test_captions_stand_in_the_figure_or_after_the_image(body: str, captions: list[str]) -> None:
    assert list_captions(body) == captions
