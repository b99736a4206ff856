"""The price of the one thing that a page is of."""

from __future__ import annotations

import json
from typing import Any

import pytest

import webclean
from webclean.model import FieldValue

OFFER = {"@type": "Offer", "price": 9.5, "priceCurrency": "EUR"}


def find_price(markup: str, url: str = "https://example.org/x") -> FieldValue:
    return webclean.clean(f"<title>Lamp</title><h1>Lamp</h1><p>It shines.</p>{markup}", url=url).fields.price


def write_json(*things: dict[str, Any]) -> str:
    return f'<script type="application/ld+json">{json.dumps(list(things))}</script>'


def make_product(name: str = "Lamp", offers: Any = OFFER, **more: Any) -> dict[str, Any]:
    return {"@type": "Product", "name": name, "offers": offers, **more}


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
    assert find_price(write_json(make_product(offers=offers))).value == price


def test_a_page_of_several_products_has_no_price() -> None:
    other = make_product("Desk", {**OFFER, "price": 90})
    assert find_price(write_json(make_product(), other)).value is None
    assert find_price(write_json(make_product(), make_product())).value == "EUR 9.5"
    assert find_price(write_json({"@type": "ItemList", "itemListElement": [make_product()]})).value is None
    related = make_product(isRelatedTo=[other])
    assert find_price(write_json({"isRelatedTo": other, **related})).value == "EUR 9.5"
    variants = {"@type": "ProductGroup", "name": "Lamps", "hasVariant": [make_product("Red"), other]}
    assert find_price(write_json(variants)).value == "EUR 9.5"


def test_metas_and_microdata_say_it_too() -> None:
    meta = '<meta property="product:price:amount" content="12.00"><meta property="product:price:currency" content=GBP>'
    assert find_price(meta) == FieldValue("GBP 12.00", "meta product:price:amount", 0.8)
    item = "<span itemprop=priceCurrency content=USD></span><span itemprop=price>7</span>"
    assert find_price(item).value == "USD 7"
    assert find_price(item + "<i itemprop=price content=8></i>").value is None
    both = find_price(write_json(make_product()) + meta)
    assert (both.value, both.alternatives) == ("EUR 9.5", (("GBP 12.00", "meta product:price:amount"),))


def test_an_amount_in_the_text_counts_on_pages_of_a_product() -> None:
    text = "<p>Lamps cost more than they did in the days of 3 EUR, as everybody says.</p><p>now 9,50 €</p><p>5 €</p>"
    assert find_price(text).value is None
    assert find_price(text, "https://example.org/product/lamp").value == "9,50 €"
    assert find_price(write_json({"@type": "Product", "name": "Lamp"}) + text).value == "9,50 €"
    far = "<p>word</p>" * 130 + text
    assert find_price(far, "https://example.org/product/lamp").value is None
