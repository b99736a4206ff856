"""Rating and availability of the one thing that a page is of, where the page shows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import webclean
from webclean.model import FieldValue

RATED = {"@type": "AggregateRating", "ratingValue": "4.60", "reviewCount": 128}
OFFER = {"@type": "Offer", "price": 9.5, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}


def find_facts(
    markup: str, *things: dict[str, Any], url: str = "https://example.org/x"
) -> tuple[FieldValue, FieldValue]:
    script = f'<script type="application/ld+json">{json.dumps(list(things))}</script>'
    page = webclean.clean(f"<title>Lamp</title>{script}<h1>Lamp</h1><p>It shines.</p>{markup}", url=url)
    return page.fields.rating, page.fields.availability


def make_product(**more: Any) -> dict[str, Any]:
    return {"@type": "Product", "name": "Lamp", **more}


@pytest.mark.parametrize(
    ("rated", "shown", "rating"),
    [
        (RATED, "4.6", "4.6/5 (128)"),
        (RATED, "4,60 stars", "4.6/5 (128)"),
        (RATED, "128 reviews", "4.6/5 (128)"),
        (RATED, "14.6 cm, 1280 of them", None),
        (RATED, "4.6 is said here in the middle of a text that is far too long to be a rating", None),
        (RATED, "", None),
        ({**RATED, "bestRating": 10, "ratingValue": 9}, "9 of 10", "9/10 (128)"),
        ({"@type": "AggregateRating", "ratingValue": 4.5, "ratingCount": "7"}, "4.5", "4.5/5 (7)"),
        ({"@type": "AggregateRating", "ratingValue": 4.5}, "4.5", "4.5/5"),
        ({"@type": "AggregateRating", "ratingValue": 0, "reviewCount": 0}, "0", None),
        ({"@type": "AggregateRating", "ratingValue": True}, "1", None),
        ({"@type": "AggregateRating", "ratingValue": "very good"}, "very good", None),
        ({"@type": "AggregateRating", "ratingValue": 1e30}, "1", None),
        ({"@type": "Rating", "ratingValue": 4.5}, "4.5", None),
    ],
)
def test_a_rating_that_is_stated_and_shown(rated: Any, shown: str, rating: str | None) -> None:
    found, _ = find_facts(f"<p>{shown}</p>", make_product(aggregateRating=rated))
    assert (found.value, found.source) == (rating, "json-ld rating" if rating else "")


def test_ratings_of_other_products_and_of_several_are_not_that_of_the_page() -> None:
    other = {**make_product(aggregateRating=RATED), "name": "Desk"}
    assert find_facts("<p>4.6</p>", make_product(isRelatedTo=[other]))[0].value is None
    assert find_facts("<p>4.6</p>", make_product(aggregateRating=RATED), other)[0].value is None


def test_ratings_of_microdata() -> None:
    count = "<span itemprop=reviewCount>12</span>"
    assert find_facts(f"<p><b itemprop=ratingValue>3.9</b> {count}</p>")[0].value == "3.9/5 (12)"
    best = "<meta itemprop=bestRating content=6>"
    assert find_facts(f"<p><b itemprop=ratingValue>3.9</b>{best}</p>")[0].value == "3.9/6"
    others = "<p><b itemprop=ratingValue>2</b></p>"
    assert find_facts(f"<p><b itemprop=ratingValue>3.9</b></p>{others}")[0].value is None
    assert find_facts(f"<p><b itemprop=ratingValue>3.9</b> {count}</p>{others}")[0].value == "3.9/5 (12)"


@pytest.mark.parametrize(
    ("shown", "rating"),
    [
        ("4,7 von 5 (12 Bewertungen)", "4.7/5"),
        ("Rated 4.70 out of 5", "4.7/5"),
        ("9.1/10", "9.1/10"),
        ("Picture 1/5", None),
        ("Size 4.5/50", None),
    ],
)
def test_a_rating_in_the_text_of_a_product(shown: str, rating: str | None) -> None:
    assert find_facts(f"<p>{shown}</p>", make_product())[0].value == rating
    assert find_facts(f"<p>{shown}</p>")[0].value is None


@pytest.mark.parametrize(
    ("stated", "shown", "availability"),
    [
        ("https://schema.org/InStock", "In stock", "in stock"),
        ("http://schema.org/OutOfStock", "Sold out", "out of stock"),
        ("schema:LimitedAvailability", "Only 3 left in stock", "limited availability"),
        ("in_stock", "Auf Lager", "in stock"),
        ("https://schema.org/InStock", "", None),
        ("https://schema.org/InStock", "It is in stock, says a text that is too long to be about this one lamp.", None),
        ("https://example.org/perhaps", "Only 3 left in stock!", "Only 3 left in stock"),
        ("", "Derzeit nicht lieferbar", "nicht lieferbar"),
        ("", "在庫ありです", "在庫あり"),
        ("", "In stockings", None),
    ],
)
def test_availability_is_stated_and_shown_or_shown(stated: str, shown: str, availability: str | None) -> None:
    product = make_product(offers={**OFFER, "availability": stated})
    assert find_facts(f"<p>{shown}</p>", product)[1].value == availability


def test_what_is_hidden_until_goods_are_sold_out_is_not_shown() -> None:
    assert find_facts("<p style='display: none'>Sold out</p>", make_product(offers=OFFER))[1].value is None


def test_a_stated_rating_counts_where_its_numbers_wait_for_a_script() -> None:
    hidden = "<p style='display: none'>4.6 out of 5</p>"
    assert find_facts(hidden, make_product(aggregateRating=RATED))[0].value
    assert find_facts(hidden)[0].value is None


def test_of_several_states_of_an_offer_the_first_counts() -> None:
    states = ["https://schema.org/InStock", "https://schema.org/OnlineOnly"]
    _, found = find_facts("<p>In stock</p>", make_product(offers={**OFFER, "availability": states}))
    assert found.value == "in stock"
    assert "online only" not in str(found.alternatives)


def test_availability_of_metas_and_microdata() -> None:
    shown = "<p>In stock</p>"
    assert find_facts(shown)[1].value is None
    assert find_facts(f"<meta property=product:availability content=oos>{shown}")[1].value is None
    assert find_facts(f"<meta property=product:availability content=instock>{shown}")[1].value == "in stock"
    link = "<link itemprop=availability href=https://schema.org/{}>"
    assert find_facts(link.format("PreOrder") + shown)[1].value == "pre order"
    assert find_facts(link.format("PreOrder") + link.format("InStock") + shown)[1].value is None


def test_the_phone_page_says_what_the_text_leaves_out(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("corrections: {offer: {types: {product: 0}}}\n", encoding="utf-8")
    script = json.dumps(make_product(aggregateRating=RATED, offers=OFFER))
    prose = "<p>The lamp gives a warm light for as long as anybody sits below it, and it can be turned low.</p>" * 3
    html = (
        f"<title>Lamp</title><script type='application/ld+json'>{script}</script><h1>Lamp</h1><p>€ 9.50</p>{prose}"
        "<footer><p>4.6</p><p>In stock</p></footer>"
    )
    page = webclean.clean(html, url="https://example.org/x", page_subtype="product", rules=rules)
    assert "<p>4.6/5 (128) · in stock</p>" in page.to_mobile_html()
    assert '\nrating: "4.6/5 (128)"\navailability: "in stock"\n' in page.to_markdown(include_metadata=True)
    said = html.replace(prose, f"<p>Rated 4.6 by many, and in stock.</p>{prose}")
    page = webclean.clean(said, url="https://example.org/x", page_type="content", page_subtype="product")
    assert "(128)" not in page.to_mobile_html()
    article = webclean.clean(html, url="https://example.org/x", page_type="content", page_subtype="article")
    assert "rating" not in article.to_markdown(include_metadata=True)
