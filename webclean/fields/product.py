"""What a page says of the one product that it is of: price, rating, availability; and which text blocks show that.

A price is taken as stated: by the offer of the product in JSON-LD, meta elements, microdata. Where the page only says
that it is of a product, the first amount shown below its title counts.

A rating or availability counts where a short text below the title shows it too, for what is stated alone is often of
the shop or out of date; else, where the page says that it is of a product, what that text says.

Cards are learnt from texts of which most leave the price out; a reader of a page of goods asks for it first. So the
blocks that show price, availability and rating are told to the stage that decides, which keeps them
(`find_offer_blocks`). Amounts are compared as numbers: `EUR 1299` of JSON-LD is shown by `1.299,00 €`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from webclean import core
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.fields.declared import rank_values
from webclean.fields.statements import PageStatements, Stated, Thing
from webclean.model import FieldValue, Mask
from webclean.parse import read_attribute
from webclean.parse.controls import clean_line
from webclean.rules.fields_schema import FactRules, FieldRules, PriceRules

Rating = tuple[str, str, str, str]
"""Value, best value, number of those who rated or '', source."""
_MAX_PROPERTIES: Final = 20
"""Elements of one property that are read: a page with more prices is a list."""
_MAX_CHARS: Final = 40
"""An amount that is written longer is none."""
_NAMES_AMOUNT: Final = 10
"""Characters behind an amount that may say of what it is: `$24.00 shipping`, `$9 / month`."""
_DIGIT: Final = re.compile(r"\d")
_NOT_ZERO: Final = re.compile(r"[1-9]")
_AMOUNT: Final = re.compile(r"\d[\d.,' \u00a0\u202f]*\d|\d")
_SPACES: Final = re.compile(r"['\s]")
_DECIMALS: Final = re.compile(r"[.,](\d{1,2})$")
_NUMBER: Final = re.compile(r"\d{1,9}(?:[.,]\d{1,4})?")
_BEST: Final = "5"
"""What a rating is out of where the page does not say (schema.org, bestRating)."""
_MOST: Final = 1e9
"""What is larger than any number of ratings would be written with an exponent."""
_SEPARATORS: Final = str.maketrans("", "", " -_")
_STATES: Final = {
    words.replace(" ", ""): words
    for words in (
        *("back order", "discontinued", "in stock", "in store only", "limited availability", "made to order"),
        *("online only", "out of stock", "pre order", "pre sale", "reserved", "sold out"),
    )
}
"""Members of ItemAvailability (schema.org) -> what they say."""


def list_product_parts(statements: PageStatements, rules: PriceRules) -> list[Thing]:
    """The objects within the product that the page is of, such as offers; none where the page is of several."""
    names: set[str] = set()
    found: list[Thing] = []
    around: list[tuple[int, bool]] = []  # depth of each product around a thing, and whether it is the page's own
    for thing in statements.things:
        # things come in document order with their depth: those at this depth or deeper are closed
        while around and around[-1][0] >= thing.depth:
            around.pop()
        if not set(rules.product_types).isdisjoint(thing.types):
            # what is inside a related product is no part of this one, whatever its own role
            is_own = thing.role not in rules.other_roles and all(own for _, own in around)
            around.append((thing.depth, is_own))
            if is_own and thing.role not in rules.part_roles:
                names.update(thing.texts("name")[:1])
        elif around and around[-1][1]:
            found.append(thing)
    return found if len(names) <= 1 else []  # of several products, none is what the page is of


def list_offers(statements: PageStatements, rules: PriceRules) -> list[Thing]:
    """The offers among them."""
    offers = set(rules.offer_types)
    return [part for part in list_product_parts(statements, rules) if not offers.isdisjoint(part.types)]


def read_property(statements: PageStatements, name: str) -> list[str]:
    """The values of a property of microdata (lower case), those of its first elements."""
    rows = statements.properties.get(name, [])[:_MAX_PROPERTIES]
    document = statements.document
    return [
        clean_line(read_attribute(document, row, "content"))
        or clean_line(read_attribute(document, row, "href"))
        or statements.read_text(row)
        for row in rows
    ]


def find_price(statements: PageStatements, rules: FieldRules, kinds: Mapping[str, float], title_row: int) -> FieldValue:
    """The amount with its currency, as stated (`EUR 9.50`) or shown (`9,50 €`).

    kinds: what the page is, by `list_page_kinds`. title_row: the row that shows the title, or -1.
    """
    found = list_stated_prices(statements, rules.price)
    if not found and _is_of_product(rules, kinds):
        headline = int(statements.block_position.searchsorted(max(0, title_row), side="right"))
        chosen = choose_amount(statements.columns, headline, rules.price)
        found = [(chosen[1], "first amount in text")] if chosen else []
    return rank_values(found, rules.price.confidence)


def list_stated_prices(statements: PageStatements, rules: PriceRules) -> Stated:
    """(price, source) as the page states it to programs, the most trusted first."""
    stated = [(*_read_offer(offer), "json-ld price") for offer in list_offers(statements, rules)]
    currency = next((text for text, _ in statements.read_metas(rules.currency_metas)), "")
    stated += [(currency, _read_amount(text), source) for text, source in statements.read_metas(rules.metas)]
    # the same amount may stand at the title and at the button
    amounts = {amount for text in read_property(statements, "price") if (amount := _read_amount(text))}
    if len(amounts) == 1:
        currency = next(iter(read_property(statements, "pricecurrency")), "")
        stated.append((currency, amounts.pop(), "microdata price"))
    # an amount that names its currency itself needs it no second time
    return [
        (f"{currency} {amount}" if currency and not any(map(str.isalpha, amount)) else amount, source)
        for currency, amount, source in stated
        if amount
    ]


def _read_offer(offer: Thing) -> tuple[str, str]:
    """Currency and amount; of an AggregateOffer what several sellers or versions ask."""
    price, low, high = (_read_amount(offer.values.get(key)) for key in ("price", "lowPrice", "highPrice"))
    span = f"{low}–{high}" if low and high and high != low else low
    return next(iter(offer.texts("priceCurrency")), ""), price or span


def _read_amount(value: Any) -> str:
    """A number of JSON-LD, which may be written as a string or be the first of a list; '' for what is none."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)
    text = clean_line(value) if isinstance(value, str) else ""
    # 0 is what a shop states until its scripts have run, or for a thing that it does not sell
    return text if len(text) <= _MAX_CHARS and _NOT_ZERO.search(text) else ""


def list_near(columns: PageColumns, headline: int, n_chars: int, below: int, above: int = 0) -> list[list[int]]:
    """The visible text blocks of up to `n_chars` characters: from the headline down, and those above it upwards."""
    blocks = columns.blocks
    down = range(headline, min(len(blocks), headline + below))
    up = range(headline - 1, max(-1, headline - 1 - above), -1)
    return [[at for at in order if blocks.visible[at] and len(blocks.text[at]) <= n_chars] for order in (down, up)]


def choose_amount(columns: PageColumns, headline: int, rules: PriceRules) -> tuple[int, str] | None:
    """A text block and the amount in it: the first below the headline that has its text to itself, else the first
    there; else the same above the headline.

    Amounts that are called something else than what the thing costs (postage, a rate, what is saved) do not count, nor
    do those inside a link, which are of what it leads to.
    """
    other, free = re.compile(rules.others), re.compile(rules.free)
    texts, linked = columns.blocks.text, columns.link_words
    for near in list_near(columns, headline, rules.text_chars, rules.blocks_below, rules.blocks_above):
        first = None
        for at in near:
            if free.fullmatch(texts[at]):
                return None
            # every amount has a digit, and most texts have none
            may_cost = not linked[at] and _DIGIT.search(texts[at])
            found = columns.prices_dates.price_texts.search(texts[at]) if may_cost else None
            if found is None or not _NOT_ZERO.search(found[0]):
                continue
            if other.search(texts[at][: found.start()]) or other.search(texts[at][found.end() :][:_NAMES_AMOUNT]):
                continue
            first = first or (at, str(found[0]).strip())
            # most of its text: the price itself, and no sentence about prices
            if 2 * len(found[0]) >= len(texts[at]):
                return at, str(found[0]).strip()
        if first:
            return first
    return None


def find_rating(
    statements: PageStatements, rules: FieldRules, kinds: Mapping[str, float], title_row: int
) -> FieldValue:
    """The rating, out of the best one, and by how many where that is stated: `4.6/5 (128)`.

    kinds: what the page is, by `list_page_kinds`. title_row: the row that shows the title, or -1.
    """
    stated = list_stated_ratings(statements, rules)
    if not stated and not _is_of_product(rules, kinds):
        return FieldValue(None)
    texts, visible = _list_texts_below(statements, rules.rating, title_row)
    numbers = {number for text in texts for number in list_numbers(text)}
    found = [
        (f"{value}/{best}{f' ({count})' if count else ''}", source)
        for value, best, count, source in stated
        if not numbers.isdisjoint((value, count))
    ]
    if not found and _is_of_product(rules, kinds):
        matches = filter(None, map(re.compile(rules.rating.shown).search, visible))
        found = [(f"{_normalise(match['value'])}/{match['best']}", "text") for match in matches]
    return rank_values(found, rules.rating.confidence)


def find_availability(
    statements: PageStatements, rules: FieldRules, kinds: Mapping[str, float], title_row: int
) -> FieldValue:
    """Whether the product can be had, as stated (`in stock`), else in the words of the page."""
    found, pattern = list(_list_states(statements, rules)), re.compile(rules.availability.shown)
    if not found and not _is_of_product(rules, kinds):
        return FieldValue(None)
    _, visible = _list_texts_below(statements, rules.availability, title_row)
    shown = list(filter(None, map(pattern.search, visible)))
    if not shown:
        return FieldValue(None)
    if _is_of_product(rules, kinds):
        found += [(match[0], "text") for match in shown]
    return rank_values(found, rules.availability.confidence)


def _list_texts_below(statements: PageStatements, rules: FactRules, title_row: int) -> tuple[list[str], list[str]]:
    """The short texts among the first ones below the title, and the visible ones of them: a script may show the numbers
    of a rating, but `sold out` waits hidden on every page of a shop. title_row: the row that shows the title, or -1."""
    blocks = statements.columns.blocks
    first = int(statements.block_position.searchsorted(max(0, title_row), side="right"))
    below = range(first, min(len(blocks), first + rules.blocks_below))
    near = [at for at in below if len(blocks.text[at]) <= rules.text_chars]
    return [blocks.text[at] for at in near], [blocks.text[at] for at in near if blocks.visible[at]]


def _is_of_product(rules: FieldRules, kinds: Mapping[str, float]) -> bool:
    return any(kinds.get(name) for name in rules.price.kinds)


def list_stated_ratings(statements: PageStatements, rules: FieldRules) -> list[Rating]:
    """The ratings as the page states them to programs: those of JSON-LD; that of microdata where the page has one, or
    gives that of all first and then those of reviews."""
    found: list[Rating] = []
    for thing in list_product_parts(statements, rules.price):
        if "AggregateRating" in thing.types:
            names = ("ratingValue", "bestRating", "reviewCount", "ratingCount")
            value, best, *counts = (read_number(thing.values.get(name)) for name in names)
            if value:
                found.append((value, best or _BEST, next(filter(None, counts), ""), "json-ld rating"))
    values = read_property(statements, "ratingvalue")
    best, *counts = (
        next(iter(read_property(statements, name)), "") for name in ("bestrating", "reviewcount", "ratingcount")
    )
    value, count = read_number(next(iter(values), "")), next((read_number(text) for text in counts if text), "")
    if value and (count or len(set(values)) == 1):
        found.append((value, read_number(best) or _BEST, count, "microdata rating"))
    return found


def _list_states(statements: PageStatements, rules: FieldRules) -> Iterator[tuple[str, str]]:
    """What is stated of the availability, in words."""
    offers = list_offers(statements, rules.price)
    stated = [(text, "json-ld availability") for offer in offers for text in offer.texts("availability")[:1]]
    stated += statements.read_metas(rules.availability.metas)
    of_microdata = set(read_property(statements, "availability"))
    stated += [(text, "microdata availability") for text in of_microdata if len(of_microdata) == 1]
    for text, source in stated:
        name = text.rpartition("/")[2].rpartition(":")[2].lower()
        if words := _STATES.get(name.translate(_SEPARATORS)):
            yield words, source


def list_numbers(text: str) -> list[str]:
    """The numbers of a text, without zeros at the end of their decimals."""
    return [_normalise(number) for number in _NUMBER.findall(text)]


def read_number(value: object) -> str:
    """A number of JSON-LD or microdata, which may be written as a string; '' for what is none, and for 0."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = f"{value:.2f}" if value < _MOST else ""
    text = value.strip() if isinstance(value, str) else ""
    return _normalise(text) if _NUMBER.fullmatch(text) and _NOT_ZERO.search(text) else ""


def _normalise(number: str) -> str:
    """A number without zeros at the end of its decimals: `4,50` becomes `4.5`."""
    whole, _, decimals = number.replace(",", ".").partition(".")
    return f"{whole}.{decimals.rstrip('0')}".rstrip(".")


def find_offer_blocks(columns: PageColumns, rules: FieldRules, kept: Mask) -> dict[int, str]:
    """Text block -> what it shows of the offer; only of what no kept block shows.

    kept: bool [n_blocks], what is kept so far.
    """
    headline, statements = max(0, find_headline(columns)), PageStatements(columns)
    # a whole number near the headline is any number: 4 stars, 4 pieces
    ratings = {value for value, *_ in list_stated_ratings(statements, rules)[:1] if "." in value}
    below, _ = list_near(columns, headline, rules.rating.text_chars, rules.rating.blocks_below)
    rated = [at for at in below if not ratings.isdisjoint(list_numbers(columns.blocks.text[at]))]
    showing = {
        "price": _list_price_blocks(statements, rules.price, headline),
        "availability": _list_matching(columns, headline, rules.availability),
        "rating": rated or _list_matching(columns, headline, rules.rating),
    }
    found: dict[int, str] = {}
    for name, blocks in showing.items():
        # one of them is enough: a price stands at the title, the button and the foot
        if blocks and not kept[blocks].any():
            found.setdefault(blocks[0], name)
    return found


def _list_price_blocks(statements: PageStatements, rules: PriceRules, headline: int) -> list[int]:
    """The blocks that show the stated price, the visible ones first, of them the nearest; without a stated price the
    block with the amount near the headline."""
    columns = statements.columns
    stated = list_stated_prices(statements, rules)
    if not stated:
        chosen = choose_amount(columns, headline, rules)
        return [] if chosen is None else [chosen[0]]
    wanted, blocks = set(read_amounts(stated[0][0])), columns.blocks
    shown = [
        at
        for at in core.list_numbered(blocks.text, 0, len(blocks), rules.text_chars)
        if len(blocks.text[at]) <= rules.text_chars
        and not wanted.isdisjoint(read_amounts(blocks.text[at]))
        # last, for few numbers are the one that is stated
        and columns.prices_dates.price_texts.search(blocks.text[at])
    ]
    # scripts show the price of the version that is chosen: what is hidden until then is the price all the same
    return sorted(shown, key=lambda at: (not blocks.visible[at], abs(at - headline)))


def _list_matching(columns: PageColumns, headline: int, rules: FactRules) -> list[int]:
    shown = re.compile(rules.shown)
    below, _ = list_near(columns, headline, rules.text_chars, rules.blocks_below)
    return [at for at in below if shown.search(columns.blocks.text[at])]


def read_amounts(text: str) -> list[float]:
    """The numbers of a text: `1.299,00 €` and `1,299` are 1299, `9,5` is 9.5. Decimals are the last one or two digits
    behind a sign; other signs separate thousands."""
    found = []
    for written in _AMOUNT.findall(text):
        number = _SPACES.sub("", written)
        decimals = _DECIMALS.search(number)
        whole = number[: decimals.start()] if decimals else number
        found.append(float(f"{re.sub(r'[.,]', '', whole)}.{decimals[1] if decimals else '0'}"))
    return found
