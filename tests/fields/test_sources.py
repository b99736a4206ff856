"""Where each field of the head is read from, in which order, and how sure it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fields.pages import read_fields
from webclean.fields.declared import rank_values
from webclean.model import Alternate, FieldValue

HOST = "https://www.example.com"


def json_ld(**values: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", **values})}</script>'


def test_the_first_value_wins_and_sources_that_agree_make_it_surer() -> None:
    found = rank_values([("", "a"), (" one  two ", "b"), ("other", "c"), ("one two", "d"), ("one two", "e")], 0.6)
    assert found == FieldValue("one two", "b", pytest.approx(0.9), (("other", "c"),))
    assert rank_values([("x", "a")], 0.6) == FieldValue("x", "a", pytest.approx(0.6), ())
    assert rank_values([(" ", "a")], 0.6) == FieldValue(None)
    many = rank_values([(str(i), "a") for i in range(9)], 0.6)
    assert [value for value, _ in many.alternatives] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("field", "head", "value", "source"),
    [
        ("description", json_ld(description="Of the article."), "Of the article.", "json-ld description"),
        ("description", json_ld(publisher={"@type": "Organization", "description": "Of the firm."}), None, ""),
        ("canonical", "<meta property=og:url content=/b>", f"{HOST}/b", "meta og:url"),
        ("canonical", json_ld(mainEntityOfPage="/c"), f"{HOST}/c", "json-ld mainEntityOfPage"),
        ("canonical", json_ld(isPartOf={"@type": "WebPage", "mainEntityOfPage": "/d"}), f"{HOST}/a/page", "url"),
        ("canonical", "", f"{HOST}/a/page", "url"),
        ("canonical", '<link rel=canonical href="javascript:x">', f"{HOST}/a/page", "url"),
        ("section", json_ld(articleSection=["Advice", "News"]), "Advice", "json-ld articleSection"),
        ("licence", json_ld(license="https://l.org/1"), "https://l.org/1", "json-ld license"),
        ("image", json_ld(image=["/i.png", "/j.png"]), f"{HOST}/i.png", "json-ld image"),
        ("image", json_ld(image={"url": "/i.png"}), f"{HOST}/i.png", "json-ld image"),
        ("image", json_ld(image={"contentUrl": "/k.png"}), f"{HOST}/k.png", "json-ld image"),
        ("image", json_ld(image=[3]), None, ""),
        ("image", "<link rel=image_src href=/l.png>", f"{HOST}/l.png", "link image_src"),
        ("next_page", "<link rel=next href=/a/page#x>", None, ""),
        ("next_page", "<link rel=next href=https://other.org/2>", None, ""),
    ],
)
def test_sources(field: str, head: str, value: str | None, source: str) -> None:
    found = getattr(read_fields("<h1>Trees</h1>", head=head), field)
    assert (found.value, found.source) == (value, source)


@pytest.mark.parametrize(
    ("url", "absolute"),
    [
        ("https://www.example.com:8080/a/page", "https://www.example.com:8080/i.png"),
        ("file:///a/page.html", "file:///i.png"),
        (None, "/i.png"),
    ],
)
def test_a_path_from_the_root_is_of_the_pages_origin(url: str | None, absolute: str) -> None:
    assert (
        read_fields("<h1>Trees</h1>", head="<meta property=og:image content=/i.png>", url=url).image.value == absolute
    )


def test_a_breadcrumb_names_the_section_above_the_page() -> None:
    def read(*names: str) -> str | None:
        steps = [{"@type": "ListItem", "name": name} for name in names[:-1]] + [{"item": {"name": names[-1]}}]
        crumbs = json.dumps({"@type": "BreadcrumbList", "itemListElement": steps})
        script = f'<script type="application/ld+json">{crumbs}</script><title>Old trees</title>'
        return read_fields("<h1>Old trees</h1>", head=script).section.value

    assert read("Home", "Garden", "Old Trees") == "Garden"
    assert read("Home", "Garden") == "Garden"
    assert read("Home", "Old trees") is None
    assert read("Home") is None


def test_a_deed_that_the_text_links_to_is_the_licence() -> None:
    body = "<p><a href=https://creativecommons.org/licenses/by/4.0/>CC BY</a> <a href=https://other.org/>x</a></p>"
    found = read_fields(body).licence
    assert (found.value, found.source) == ("https://creativecommons.org/licenses/by/4.0/", "link")
    assert read_fields(body, url=None).licence.value == found.value
    assert read_fields("<p><a href=https://other.org/>x</a></p>").licence.value is None


def test_keywords_are_told_apart_once_each() -> None:
    head = "<meta name=keywords content='trees, winter;  trees | x，oak'>" + json_ld(keywords=["elm、oak"])
    found = read_fields("<p><a rel=tag href=/t>#beech</a></p>", head=head).keywords
    assert found.values == ("trees", "winter", "oak", "elm", "beech")  # one letter is no keyword
    assert found.source == "meta keywords"
    assert found.confidence > 0
    many = "<meta name=keywords content='" + ",".join(f"word {i}" for i in range(60)) + "'>"
    assert len(read_fields("", head=many).keywords.values) == 50
    none = read_fields("").keywords
    assert (none.values, none.source, none.confidence) == ((), "", 0.0)


def test_alternates_are_other_versions_each_once() -> None:
    head = """<link rel=alternate href=/feed type=application/rss+xml title=Feed><link rel=amphtml href=/amp>
    <link rel=alternate href=/feed title=Again><link rel="alternate stylesheet" href=/style.css>"""
    assert read_fields("", head=head).alternates == (
        Alternate(f"{HOST}/feed", "", "application/rss+xml", "Feed"),
        Alternate(f"{HOST}/amp", "", "", "amp"),
    )


@pytest.mark.parametrize(
    ("body", "caption"),
    [
        ("<figure><img src=/i.png><figcaption>Tree</figcaption></figure>", "Tree"),
        ("<figure><a><span><b><img src=/i.png></b></span></a><figcaption>Tree</figcaption></figure>", "Tree"),
        ("<figure><i><a><span><b><img src=/i.png></b></span></a></i><figcaption>Tree</figcaption></figure>", ""),
        ("<div><img src=/i.png><p class=image-Caption>Tree</p></div>", "Tree"),
        ("<div><img src=/i.png></div><div><p>x</p></div><p class=caption>Other</p>", "Other"),
        ("<div><img src=/i.png></div>" + "<p>x</p>" * 5 + "<p class=caption>Far</p>", ""),
        ("<figure><img src=/i.png></figure><figcaption>None of it</figcaption>", ""),
        ("<div><p class=caption>Before</p><img src=/i.png></div>", ""),
    ],
)
def test_the_caption_of_an_image(body: str, caption: str) -> None:
    (image,) = read_fields(f"<h1>Trees</h1>{body}").images
    assert image.caption == caption


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ("width=640 height=400", (640, 400)),
        ("width=' 640px'", (640, None)),
        ("width=100%", (None, None)),
        ("width=wide", (None, None)),
    ],
)
def test_the_size_of_an_image_is_in_pixels(attributes: str, size: tuple[int | None, int | None]) -> None:
    (image,) = read_fields(f"<img src=/i.png {attributes}>").images
    assert (image.width, image.height) == size


def test_images_that_are_small_or_of_the_frame_are_left_out() -> None:
    small = "<img src=/a.png width=59><img src=/b.png height=59>"
    body = f"{small}<nav><img src=/c.png></nav><img src=/d.png width=60 height=60><img src=/d.png>"
    found = read_fields(body)
    assert [image.url for image in found.images] == [f"{HOST}/d.png"]
    assert (found.image.value, found.image.source) == (f"{HOST}/d.png", "first in text")
    many = "".join(f"<img src=/{i}.png>" for i in range(230))
    assert len(read_fields(many).images) == 200
