"""Price, rating and availability of the one thing that a page is of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import webclean
from tests.fields.pages import write_json_ld
from webclean.fields import PageFields
from webclean.model import FieldValue

OFFER = {"@type": "Offer", "price": 9.5, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}
RATED = {"@type": "AggregateRating", "ratingValue": "4.60", "reviewCount": 128}


def read(markup: str, *things: dict[str, Any], url: str = "https://example.org/x") -> PageFields:
    script = write_json_ld(things)
    return webclean.clean(f"<title>Lamp</title>{script}<h1>Lamp</h1><p>It shines.</p>{markup}", url=url).fields


def make_product(name: str = "Lamp", **more: Any) -> dict[str, Any]:
    return {"@type": "Product", "name": name, **more}


@pytest.mark.parametrize(
    ("offers", "price"),
    [
        (OFFER, "EUR 9.5"),
        ({**OFFER, "price": "1 200,00"}, "EUR 1 200,00"),
        ({**OFFER, "price": 20.0}, "EUR 20"),
        ({**OFFER, "price": ["7", "8"]}, "EUR 7"),
        ({**OFFER, "price": "US$ 7"}, "US$ 7"),
        ({"@type": "Offer", "price": "7"}, "7"),
        ({"@type": "AggregateOffer", "lowPrice": 5, "highPrice": "8", "priceCurrency": "USD"}, "USD 5–8"),
        ({"@type": "AggregateOffer", "lowPrice": 5, "highPrice": 5, "priceCurrency": "USD"}, "USD 5"),
        ({"@type": "Offer", "priceSpecification": {**OFFER, "@type": "PriceSpecification"}}, "EUR 9.5"),
        ([OFFER, {**OFFER, "price": 11}], "EUR 9.5"),
        ({**OFFER, "price": 0}, None),
        ({**OFFER, "price": True}, None),
        ({**OFFER, "price": "ask us, for it may change " * 3 + "9"}, None),
        ({"@type": "Person", "price": 3}, None),
    ],
)
def test_the_offer_of_a_product_says_its_price(offers: Any, price: str | None) -> None:
    assert read("", make_product(offers=offers)).price.value == price


def test_a_page_of_several_products_has_no_price() -> None:
    lamp = make_product(offers=OFFER)
    other = make_product("Desk", offers={**OFFER, "price": 90})
    assert read("", lamp, other).price.value is None
    assert read("", lamp, lamp).price.value == "EUR 9.5"
    assert read("", {"@type": "ItemList", "itemListElement": [lamp]}).price.value is None
    related = make_product(offers=OFFER, isRelatedTo=[other])
    assert read("", {"isRelatedTo": other, **related}).price.value == "EUR 9.5"
    variants = {"@type": "ProductGroup", "name": "Lamps", "hasVariant": [make_product("Red", offers=OFFER), other]}
    assert read("", variants).price.value == "EUR 9.5"


def test_metas_and_microdata_say_it_too() -> None:
    meta = '<meta property="product:price:amount" content="12.00"><meta property="product:price:currency" content=GBP>'
    assert read(meta).price == FieldValue("GBP 12.00", "meta product:price:amount", 0.8)
    item = "<span itemprop=priceCurrency content=USD></span><span itemprop=price>7</span>"
    assert read(item).price.value == "USD 7"
    assert read(item + "<i itemprop=price content=8></i>").price.value is None
    both = read(meta, make_product(offers=OFFER)).price
    assert (both.value, both.alternatives) == ("EUR 9.5", (("GBP 12.00", "meta product:price:amount"),))


def test_an_amount_in_the_text_counts_on_pages_of_a_product() -> None:
    text = "<p>Lamps cost more than they did in the days of 3 EUR, as everybody says.</p><p>now 9,50 €</p><p>5 €</p>"
    assert read(text).price.value is None
    assert read(text, url="https://example.org/product/lamp").price.value == "9,50 €"
    assert read(text, make_product()).price.value == "9,50 €"
    far = "<p>word</p>" * 130 + text
    assert read(far, url="https://example.org/product/lamp").price.value is None


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
    found = read(f"<p>{shown}</p>", make_product(aggregateRating=rated)).rating
    assert (found.value, found.source) == (rating, "json-ld rating" if rating else "")


def test_ratings_of_other_products_and_of_several_are_not_that_of_the_page() -> None:
    other = make_product("Desk", aggregateRating=RATED)
    assert read("<p>4.6</p>", make_product(isRelatedTo=[other])).rating.value is None
    assert read("<p>4.6</p>", make_product(aggregateRating=RATED), other).rating.value is None


def test_ratings_of_microdata() -> None:
    count = "<span itemprop=reviewCount>12</span>"
    assert read(f"<p><b itemprop=ratingValue>3.9</b> {count}</p>").rating.value == "3.9/5 (12)"
    best = "<meta itemprop=bestRating content=6>"
    assert read(f"<p><b itemprop=ratingValue>3.9</b>{best}</p>").rating.value == "3.9/6"
    others = "<p><b itemprop=ratingValue>2</b></p>"
    assert read(f"<p><b itemprop=ratingValue>3.9</b></p>{others}").rating.value is None
    assert read(f"<p><b itemprop=ratingValue>3.9</b> {count}</p>{others}").rating.value == "3.9/5 (12)"


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
    assert read(f"<p>{shown}</p>", make_product()).rating.value == rating
    assert read(f"<p>{shown}</p>").rating.value is None


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
    assert read(f"<p>{shown}</p>", product).availability.value == availability


def test_what_is_hidden_until_goods_are_sold_out_is_not_shown() -> None:
    assert read("<p style='display: none'>Sold out</p>", make_product(offers=OFFER)).availability.value is None


def test_a_stated_rating_counts_where_its_numbers_wait_for_a_script() -> None:
    hidden = "<p style='display: none'>4.6 out of 5</p>"
    assert read(hidden, make_product(aggregateRating=RATED)).rating.value
    assert read(hidden).rating.value is None


def test_of_several_states_of_an_offer_the_first_counts() -> None:
    states = ["https://schema.org/InStock", "https://schema.org/OnlineOnly"]
    found = read("<p>In stock</p>", make_product(offers={**OFFER, "availability": states})).availability
    assert found.value == "in stock"
    assert "online only" not in str(found.alternatives)


def test_availability_of_metas_and_microdata() -> None:
    shown = "<p>In stock</p>"
    assert read(shown).availability.value is None
    assert read(f"<meta property=product:availability content=oos>{shown}").availability.value is None
    assert read(f"<meta property=product:availability content=instock>{shown}").availability.value == "in stock"
    link = "<link itemprop=availability href=https://schema.org/{}>"
    assert read(link.format("PreOrder") + shown).availability.value == "pre order"
    assert read(link.format("PreOrder") + link.format("InStock") + shown).availability.value is None


def test_the_phone_page_says_what_the_text_leaves_out(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("corrections: {offer: {types: {product: 0}}}\n", encoding="utf-8")
    script = write_json_ld(make_product(aggregateRating=RATED, offers=OFFER))
    prose = "<p>The lamp gives a warm light for as long as anybody sits below it, and it can be turned low.</p>" * 3
    html = f"<title>Lamp</title>{script}<h1>Lamp</h1><p>€ 9.50</p>{prose}<footer><p>4.6</p><p>In stock</p></footer>"
    page = webclean.clean(html, url="https://example.org/x", page_subtype="product", rules=rules)
    assert "<p>4.6/5 (128) · in stock</p>" in page.to_mobile_html()
    assert '\nrating: "4.6/5 (128)"\navailability: "in stock"\n' in page.to_markdown(include_metadata=True)
    said = html.replace(prose, f"<p>Rated 4.6 by many, and in stock.</p>{prose}")
    page = webclean.clean(said, url="https://example.org/x", page_type="content", page_subtype="product")
    assert "(128)" not in page.to_mobile_html()
    article = webclean.clean(html, url="https://example.org/x", page_type="content", page_subtype="article")
    assert "rating" not in article.to_markdown(include_metadata=True)
