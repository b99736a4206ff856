"""What a page states of the one thing that it is about, in all syntaxes; price, rating, availability of a product."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest

import webclean
from tests import write_file
from tests.fields.pages import write_json_ld
from webclean.fields import PageFields
from webclean.model import FieldValue
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


def clean(markup: str, **options: Any) -> webclean.CleanPage:
    return webclean.clean(f"<!doctype html><html lang=en><title>Desk lamp</title><body>{markup}{TEXT}", **options)


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        (write_json_ld(LAMP), "json-ld offers.price"),
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
    product = clean(write_json_ld(LAMP)).fields.product
    assert product is not None
    assert [product[name] for name in ("brand", "sku", "rating", "review_count", "colour")] == [
        "Lumen", "L-7", "4.6", "128", None,
    ]  # fmt: skip
    assert product.lists["specs"].rows == ({"name": "Height", "value": "40 cm"},)


def test_sources_that_disagree_are_alternatives() -> None:
    product = clean(write_json_ld(LAMP) + MICRODATA.replace("49.5", "44.0")).fields.product
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


@pytest.mark.parametrize(
    "shown",
    [
        "<a href=/x>More of it: <b>€ 9.50</b></a>",
        "<p>€ 9.50 off</p>",
        "<p>Zustand: neu</p><p>Verkauft</p><p>Eiche</p><h2>Ähnliche Artikel</h2><p>€ 9.50</p>",
    ],
)
def test_what_another_thing_costs_is_not_its_price(shown: str) -> None:
    page = clean(f"<h1>Desk lamp</h1><p>It shines on the desk, and on nothing else.</p>{shown}", page_subtype="product")
    assert page.fields.price.value is None
    assert 'class="price' not in page.to_mobile_html()


def test_of_several_products_the_page_is_about_the_one_with_its_title() -> None:
    other = {**LAMP, "name": "Floor lamp", "sku": "L-9"}
    product = clean(write_json_ld(other, LAMP)).fields.product
    assert product is not None
    assert product["sku"] == "L-7"
    assert clean(write_json_ld(other, {**other, "name": "Wall lamp"}), page_subtype="article").fields.product is None


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
    found = getattr(clean(write_json_ld({"@context": "https://schema.org", **thing})).fields, field)
    assert {name: found[name] for name in expected} == expected
    assert {name: found.lists[name].rows for name in rows} == rows


def test_json_holds_them_as_the_schema_says() -> None:
    page = clean(write_json_ld(LAMP))
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
    product = clean(write_json_ld(house)).fields.product
    assert product is not None
    assert product["price"] == "1250000.5"


OFFER = {"@type": "Offer", "price": 9.5, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}
RATED = {"@type": "AggregateRating", "ratingValue": "4.60", "reviewCount": 128}


def read_offer(markup: str, *things: dict[str, Any], url: str = "https://example.org/x") -> PageFields:
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
    ],
)
def test_the_offer_of_a_product_says_its_price(offers: Any, price: str | None) -> None:
    assert read_offer("", make_product(offers=offers)).price.value == price


def test_a_page_of_several_products_has_no_price() -> None:
    lamp = make_product(offers=OFFER)
    other = make_product("Desk", offers={**OFFER, "price": 90})
    assert read_offer("", lamp, other).price.value is None
    assert read_offer("", lamp, lamp).price.value == "EUR 9.5"
    assert read_offer("", {"@type": "ItemList", "itemListElement": [lamp]}).price.value is None
    related = make_product(offers=OFFER, isRelatedTo=[other])
    assert read_offer("", {"isRelatedTo": other, **related}).price.value == "EUR 9.5"
    variants = {"@type": "ProductGroup", "name": "Lamps", "hasVariant": [make_product("Red", offers=OFFER), other]}
    assert read_offer("", variants).price.value == "EUR 9.5"


def test_metas_and_microdata_say_it_too() -> None:
    meta = '<meta property="product:price:amount" content="12.00"><meta property="product:price:currency" content=GBP>'
    assert read_offer(meta).price == FieldValue("GBP 12.00", "meta product:price:amount", 0.8)
    item = "<span itemprop=priceCurrency content=USD></span><span itemprop=price>7</span>"
    assert read_offer(item).price.value == "USD 7"
    assert read_offer(item + "<i itemprop=price content=8></i>").price.value is None
    both = read_offer(meta, make_product(offers=OFFER)).price
    assert (both.value, both.alternatives) == ("EUR 9.5", (("GBP 12.00", "meta product:price:amount"),))


def test_an_amount_that_stands_nowhere_on_the_page_gives_way_to_the_one_there() -> None:
    stated = make_product(offers={"@type": "Offer", "price": "27.23", "priceCurrency": "AUD"})
    for shown, price in (("$29.95", "$29.95"), ("$27.23 ex tax, $29.95", "$27.23"), ("In oak", "AUD 27.23")):
        assert read_offer(f"<p>{shown}</p>", stated).offer.find_shown_price() == price
    above = webclean.clean(f"<p>$27.23</p><h1>Lamp</h1>{write_json_ld(stated)}", page_subtype="product")
    assert above.fields.offer.find_shown_price() == "$27.23"


@pytest.mark.parametrize(
    ("shown", "former"),
    [
        ("<p>149,00 € 199,00 €</p>", "199,00 €"),
        ("<p><del><b>199,00</b> €</del></p><p>149,00 €</p>", "199,00 €"),
        ("<p>149,00 €</p><p class=old-price>199,00 €</p>", "199,00 €"),
        ("<p>149,00 € <small>statt 199,00 €</small></p>", "199,00 €"),
        ("<p>149,00 €</p><p>Original price: 199,00 €</p>", "199,00 €"),
        ("<p>149,00 € – 199,00 €</p>", ""),
        ("<p>149,00 €</p><p>Save 199,00 €</p>", ""),
        ("<p>149,00 €</p><p><s>99,00 €</s></p>", ""),
        ("<p>149,00 €</p><p><s>$199.00</s></p>", ""),
        ("<p>149,00 €</p><p>oak</p><p>ash</p><p><s>199,00 €</s></p>", ""),
    ],
)
def test_what_it_cost_before_is_shown_beside_the_price(shown: str, former: str) -> None:
    stated = make_product(offers={"@type": "Offer", "price": "149", "priceCurrency": "EUR"})
    assert read_offer(shown, stated).offer.find_former_price("149,00 €") == former


def test_an_amount_in_the_text_counts_on_pages_of_a_product() -> None:
    text = "<p>Lamps cost more than they did in the days of 3 EUR, as everybody says.</p><p>now 9,50 €</p><p>5 €</p>"
    assert read_offer(text).price.value is None
    assert read_offer(text, url="https://example.org/product/lamp").price.value == "9,50 €"
    assert read_offer(text, make_product()).price.value == "9,50 €"
    far = "<p>word</p>" * 130 + text
    assert read_offer(far, url="https://example.org/product/lamp").price.value is None


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
    ],
)
def test_a_rating_that_is_stated_and_shown(rated: Any, shown: str, rating: str | None) -> None:
    found = read_offer(f"<p>{shown}</p>", make_product(aggregateRating=rated)).rating
    assert (found.value, found.source) == (rating, "json-ld rating" if rating else "")


def test_ratings_of_other_products_and_of_several_are_not_that_of_the_page() -> None:
    other = make_product("Desk", aggregateRating=RATED)
    assert read_offer("<p>4.6</p>", make_product(isRelatedTo=[other])).rating.value is None
    assert read_offer("<p>4.6</p>", make_product(aggregateRating=RATED), other).rating.value is None


def test_ratings_of_microdata() -> None:
    count = "<span itemprop=reviewCount>12</span>"
    assert read_offer(f"<p><b itemprop=ratingValue>3.9</b> {count}</p>").rating.value == "3.9/5 (12)"
    best = "<meta itemprop=bestRating content=6>"
    assert read_offer(f"<p><b itemprop=ratingValue>3.9</b>{best}</p>").rating.value == "3.9/6"
    others = "<p><b itemprop=ratingValue>2</b></p>"
    assert read_offer(f"<p><b itemprop=ratingValue>3.9</b></p>{others}").rating.value is None
    assert read_offer(f"<p><b itemprop=ratingValue>3.9</b> {count}</p>{others}").rating.value == "3.9/5 (12)"


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
    assert read_offer(f"<p>{shown}</p>", make_product()).rating.value == rating
    assert read_offer(f"<p>{shown}</p>").rating.value is None


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
        ("", "No longer available", "No longer available"),
        ("", "在庫ありです", "在庫あり"),
        ("", "In stockings", None),
    ],
)
def test_availability_is_stated_and_shown_or_shown(stated: str, shown: str, availability: str | None) -> None:
    product = make_product(offers={**OFFER, "availability": stated})
    assert read_offer(f"<p>{shown}</p>", product).availability.value == availability


def test_what_is_hidden_until_goods_are_sold_out_is_not_shown() -> None:
    assert read_offer("<p style='display: none'>Sold out</p>", make_product(offers=OFFER)).availability.value is None


def test_a_stated_rating_counts_where_its_numbers_wait_for_a_script() -> None:
    hidden = "<p style='display: none'>4.6 out of 5</p>"
    assert read_offer(hidden, make_product(aggregateRating=RATED)).rating.value
    assert read_offer(hidden).rating.value is None


def test_of_several_states_of_an_offer_the_first_counts() -> None:
    states = ["https://schema.org/InStock", "https://schema.org/OnlineOnly"]
    found = read_offer("<p>In stock</p>", make_product(offers={**OFFER, "availability": states})).availability
    assert found.value == "in stock"
    assert "online only" not in str(found.alternatives)


def test_availability_of_metas_and_microdata() -> None:
    shown = "<p>In stock</p>"
    assert read_offer(shown).availability.value is None
    assert read_offer(f"<meta property=product:availability content=oos>{shown}").availability.value is None
    assert read_offer(f"<meta property=product:availability content=instock>{shown}").availability.value == "in stock"
    link = "<link itemprop=availability href=https://schema.org/{}>"
    assert read_offer(link.format("PreOrder") + shown).availability.value == "pre order"
    assert read_offer(link.format("PreOrder") + link.format("InStock") + shown).availability.value is None


def test_the_phone_page_says_what_the_text_leaves_out(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "corrections: {offer: {types: {product: 0}}}\n")
    script = write_json_ld(make_product(aggregateRating=RATED, offers=OFFER))
    prose = "<p>The lamp gives a warm light for as long as anybody sits below it, and it can be turned low.</p>" * 3
    html = f"<title>Lamp</title>{script}<h1>Lamp</h1><p>€ 9.50</p>{prose}<footer><p>4.6</p><p>In stock</p></footer>"
    page = webclean.clean(html, url="https://example.org/x", page_subtype="product", rules=rules)
    assert "<p>4.6/5 (128) · In stock</p>" in page.to_mobile_html()
    assert '\nrating: "4.6/5 (128)"\navailability: "in stock"\n' in page.to_markdown(include_metadata=True)
    said = html.replace(prose, f"<p>Rated 4.6 by many, and in stock.</p>{prose}")
    page = webclean.clean(said, url="https://example.org/x", page_type="content", page_subtype="product")
    assert "(128)" not in page.to_mobile_html()
    article = webclean.clean(html, url="https://example.org/x", page_type="content", page_subtype="article")
    assert "rating" not in article.to_markdown(include_metadata=True)
