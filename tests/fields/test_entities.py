"""`fields.product`, `recipe`, `event`, `job_posting`, `discussion`: one form for all syntaxes."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

import webclean
from webclean.page.formats import describe_page_schema

TEXT = "<p>" + "A lamp of brass and glass that stands on any desk and lights what lies on it. " * 6 + "</p>"
LAMP = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Desk lamp",
    "brand": {"@type": "Brand", "name": "Lumen"},
    "sku": "L-7",
    "offers": [{"@type": "Offer", "price": 49.5, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}],
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.6, "reviewCount": 128},
    "additionalProperty": [{"@type": "PropertyValue", "name": "Height", "value": "40 cm"}],
}
MICRODATA = """<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Desk lamp</h1>
<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="49.5">
<meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="http://schema.org/InStock"></div></div>"""
RDFA = """<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Desk lamp</h1>
<div property="offers" typeof="Offer"><span property="price" content="49.5">49,50 €</span>
<meta property="priceCurrency" content="EUR"><link property="availability" href="https://schema.org/InStock"></div></div>"""
OPENGRAPH = """<meta property="og:title" content="Desk lamp"><meta property="og:type" content="product">
<meta property="product:price:amount" content="49.5"><meta property="product:price:currency" content="EUR">
<meta property="product:availability" content="InStock"><h1>Desk lamp</h1>"""


def write_script(*things: Any) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(thing)}</script>' for thing in things)


def clean(markup: str, **options: Any) -> webclean.CleanPage:
    return webclean.clean(f"<!doctype html><html lang=en><title>Desk lamp</title><body>{markup}{TEXT}", **options)


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        (write_script(LAMP), "json-ld offers.price"),
        (MICRODATA, "microdata offers.price"),
        (RDFA, "rdfa offers.price"),
        (OPENGRAPH, "meta product:price:amount"),
    ],
    ids=["json-ld", "microdata", "rdfa", "opengraph"],
)
def test_a_product_reads_alike_in_every_syntax(markup: str, source: str) -> None:
    product = clean(markup, page_subtype="product").fields.product
    assert product is not None
    assert product.type == "Product"
    assert [product[name] for name in ("name", "price", "currency", "availability")] == [
        "Desk lamp", "49.5", "EUR", "InStock",
    ]  # fmt: skip
    assert product.properties["price"].source == source


def test_what_json_ld_says_of_a_product() -> None:
    product = clean(write_script(LAMP)).fields.product
    assert product is not None
    assert [product[name] for name in ("brand", "sku", "rating", "review_count", "colour")] == [
        "Lumen", "L-7", "4.6", "128", None,
    ]  # fmt: skip
    assert product.lists["specs"].rows == ({"name": "Height", "value": "40 cm"},)


def test_sources_that_disagree_are_alternatives() -> None:
    product = clean(write_script(LAMP) + MICRODATA.replace("49.5", "44.0")).fields.product
    assert product is not None
    assert product.properties["price"].alternatives == (("44.0", "microdata offers.price"),)


def test_the_visible_page_is_the_last_source() -> None:
    shown = """<h1>Desk lamp</h1><p>€ 49.50</p><p>In stock</p><button>Add to cart</button>
    <table><tr><th>Height</th><td>40 cm</td></tr><tr><th>Weight</th><td>2 kg</td></tr>
    <tr><th>Shade</th><td>Glass</td></tr></table>"""
    page = clean(shown, page_subtype="product")
    product = page.fields.product
    assert product is not None
    assert (product["price"], product.properties["price"].source) == ("€ 49.50", "first amount in text")
    assert product["availability"] == "In stock"
    assert product.lists["specs"].source == "text"
    assert {"name": "Weight", "value": "2 kg"} in product.lists["specs"].rows
    for shows in (page.text, page.to_markdown(), page.to_mobile_html()):
        assert "€ 49.50" in shows
        assert "In stock" in shows


@pytest.mark.parametrize("shown", ["<a href=/x>More of it: <b>€ 9.50</b></a>", "<p>Free to play</p><p>€ 9.50</p>"])
def test_what_another_thing_costs_is_not_its_price(shown: str) -> None:
    page = clean(f"<h1>Desk lamp</h1><p>It shines on the desk, and on nothing else.</p>{shown}", page_subtype="product")
    assert page.fields.price.value is None
    assert 'class="price' not in page.to_mobile_html()


def test_of_several_products_the_page_is_about_the_one_with_its_title() -> None:
    other = {**LAMP, "name": "Floor lamp", "sku": "L-9"}
    product = clean(write_script(other, LAMP)).fields.product
    assert product is not None
    assert product["sku"] == "L-7"
    assert clean(write_script(other, {**other, "name": "Wall lamp"}), page_subtype="article").fields.product is None


@pytest.mark.parametrize(
    ("field", "thing", "expected", "rows"),
    [
        (
            "recipe",
            {"@type": "Recipe", "name": "Soup", "recipeIngredient": ["Water", "Salt"], "totalTime": "PT20M",
             "recipeInstructions": [{"@type": "HowToStep", "text": "Boil it."}]},
            {"name": "Soup", "total_time": "PT20M"},
            {"ingredients": ({"text": "Water"}, {"text": "Salt"}), "instructions": ({"text": "Boil it."},)},
        ),
        (
            "event",
            {"@type": "MusicEvent", "name": "Quartet", "startDate": "2025-05-01T20:00",
             "location": {"@type": "Place", "name": "Town hall", "address": {"addressLocality": "Leiden"}}},
            {"name": "Quartet", "start": "2025-05-01T20:00", "place": "Town hall", "city": "Leiden"},
            {},
        ),
        (
            "job_posting",
            {"@type": "JobPosting", "title": "Baker", "hiringOrganization": {"name": "Crumb"},
             "baseSalary": {"currency": "EUR", "value": {"minValue": 30000, "maxValue": 36000, "unitText": "YEAR"}}},
            {"title": "Baker", "company": "Crumb", "salary": "30000", "salary_to": "36000", "salary_unit": "YEAR"},
            {},
        ),
        (
            "discussion",
            {"@type": "QAPage", "mainEntity": {"@type": "Question", "name": "Why?", "answerCount": 1,
             "acceptedAnswer": {"@type": "Answer", "text": "Because.", "author": {"name": "Ann"}}}},
            {"title": "Why?", "answer_count": "1"},
            {"accepted": ({"author": "Ann", "text": "Because."},)},
        ),
    ],
)  # fmt: skip
def test_other_things(field: str, thing: Any, expected: dict[str, str], rows: dict[str, Any]) -> None:
    found = getattr(clean(write_script({"@context": "https://schema.org", **thing})).fields, field)
    assert {name: found[name] for name in expected} == expected
    assert {name: found.lists[name].rows for name in rows} == rows


def test_json_holds_them_as_the_schema_says() -> None:
    page = clean(write_script(LAMP))
    described = page.to_dict()
    jsonschema.validate(described, describe_page_schema())
    assert described["fields"]["product"]["properties"]["price"]["value"] == "49.5"
    assert described["fields"]["recipe"] is None


def test_items_within_each_other_without_end_are_no_fault() -> None:
    deep = '<div itemscope itemtype="https://schema.org/Product" itemprop="p">' * 2000
    assert clean(deep).fields.recipe is None
    ring = '<div itemscope itemref="a" id="b" itemprop="x"></div><div itemscope itemref="b" id="a" itemprop="x"></div>'
    assert clean(ring).fields.recipe is None


def test_a_large_amount_is_written_in_all_its_digits() -> None:
    house = {**LAMP, "name": "House", "offers": {"@type": "Offer", "price": 1250000.5, "priceCurrency": "EUR"}}
    product = clean(write_script(house)).fields.product
    assert product is not None
    assert product["price"] == "1250000.5"
