"""The one thing that a page is about, after https://schema.org: a product, a recipe, an event, a job, a discussion.

Statements in JSON-LD, microdata and RDFa become objects of one form; of these the page's own is chosen, and what its
properties say is read by the paths of the rules:

    {"@type": "Product", "name": "Lamp", "offers": [{"@type": "Offer", "price": "9.50"}]}
    offers.price                                                              9.50     [json-ld offers.price]

Then meta elements (OpenGraph) and what the page shows. Every value has its source; other values are its alternatives.
Of a product, the fields `price`, `rating` and `availability` are found by `Offer`, also where nothing is stated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, Final

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.fields.candidates import fold_text
from webclean.fields.declared import rank_values
from webclean.fields.statements import PageStatements, Stated, Thing, read_names
from webclean.matching.expressions import compile_pattern
from webclean.model import Entity, EntityRows, FieldValue, Mask
from webclean.parse import climb, read_attribute
from webclean.parse.tags import CELL, CODE, tag_mask
from webclean.rules import RuleSet
from webclean.rules.page_schema import Entities, EntityKind, EntityList, FactRules

_VOCABULARY: Final = re.compile(r"^https?://schema\.org/")
_FACT: Final = tag_mask("tr dt")
_MAX_PROPERTIES: Final = 20
"""Elements of one property that are read: a page with more prices is a list."""
_MAX_CHARS: Final = 40
"""An amount that is written longer is none."""
_NAMES_AMOUNT: Final = 10
"""Characters behind an amount that may say of what it is: `$24.00 shipping`, `$9 / month`."""
_DIGIT: Final = re.compile(r"\d")
_COUNTED: Final = re.compile(r"[\d\s.,'’]+")  # what is left of an amount is its currency
_STRIKING: Final = frozenset(("del", "s", "strike"))
_BESIDE_PRICE: Final = 2
"""Texts before and after the price that may show what it was."""
_LEVELS_OF_PRICE: Final = 4
"""Elements around an amount, from its own on, that may say that it is a former one."""
_NOT_ZERO: Final = re.compile(r"[1-9]")
_AMOUNT: Final = re.compile(r"\d[\d.,' \u00a0\u202f]*\d|\d")
_SPACES: Final = re.compile(r"['\s]")
_DECIMALS: Final = re.compile(r"[.,](\d{1,2})$")
_NUMBER: Final = re.compile(r"\d{1,9}(?:[.,]\d{1,9})?")
_BEST: Final = "5"
"""What a rating is out of where the page does not say (schema.org, bestRating)."""
_SEPARATORS: Final = str.maketrans("", "", " -_")
_STATES: Final = {
    words.replace(" ", ""): words
    for words in (
        *("back order", "discontinued", "in stock", "in store only", "limited availability", "made to order"),
        *("online only", "out of stock", "pre order", "pre sale", "reserved", "sold out"),
    )
}
"""Members of ItemAvailability (schema.org) -> what they say."""


def find_entity(
    statements: PageStatements,
    stated: Sequence[Thing],
    rules: Entities,
    kind: EntityKind,
    read_field: Callable[[str], FieldValue],
    *,
    subtype: str | None,
) -> Entity | None:
    """The thing of a kind that a page is about; None where it states none, or several.

    read_field: name of a field of the page -> its value. subtype: of the page, which may be of one without stating it.
    """
    own = _choose_own(stated, rules, kind, read_field("title").value or "")
    if not own and subtype not in kind.page_subtypes:
        return None
    properties = {}
    for name in dict.fromkeys((*kind.properties, *kind.metas, *kind.fields)):
        found = [
            (text, f"{one.syntax} {path}")
            for one in own
            for path in kind.properties.get(name, ())
            for text in list(read_path(one.values, path))[:1]
        ]
        found += statements.read_metas(kind.metas.get(name, ()))
        if not found and name in kind.fields:
            value = read_field(kind.fields[name])
        else:  # `https://schema.org/InStock` says `InStock`
            value = rank_values([(_VOCABULARY.sub("", text), source) for text, source in found], rules.confidence)
        if value.value is not None:
            properties[name] = value
    lists = {name: rows for name, each in kind.lists.items() if (rows := _read_list(own, stated, each, rules)).rows}
    # shops seldom state specifications to machines, and nearly always show them
    if "specs" in kind.lists and "specs" not in lists and (facts := _list_facts(statements, rules)):
        lists["specs"] = EntityRows(facts, "text")
    # a page that was only guessed to be of a product, and of which nothing else than its title is known, says nothing
    if not own and not lists and properties.keys() <= {"name", "description", "image", "url"}:
        return None
    types = own[0].types if own else kind.types
    return Entity(next(name for name in types if name in kind.types), properties, lists)


def _choose_own(stated: Sequence[Thing], rules: Entities, kind: EntityKind, title: str) -> list[Thing]:
    """Of each syntax the object that the page is about: the only one of its name, or the one with the page's title."""
    types, others = set(kind.types), set(rules.other_roles)
    found: dict[str, dict[str, Thing]] = {}
    for one in stated:
        if not types.isdisjoint(one.types) and one.role not in others:
            name = fold_text(next(iter(one.texts("name") or one.texts("headline")), ""))
            # the first of a name: the page's own object stands before the offers and teasers that repeat it
            found.setdefault(one.syntax, {}).setdefault(name, one)
    shown = fold_text(title)
    # if there are several, the page is about none of them, unless it has the name of one
    certain = (by_name for by_name in found.values() if len(by_name) == 1 or shown in by_name)
    return [by_name.get(shown) or next(iter(by_name.values())) for by_name in certain]


def read_path(value: Any, path: str) -> Iterator[str]:
    """The texts that a path leads to, those of all items of lists on the way."""
    name, _, rest = path.partition(".")
    for item in value if isinstance(value, list) else [value]:
        below = item.get(name) if isinstance(item, dict) else None
        if below is not None:
            yield from read_path(below, rest) if rest else read_names(below)


def _read_list(own: Sequence[Thing], stated: Sequence[Thing], each: EntityList, rules: Entities) -> EntityRows:
    """The rows of the first syntax that has any."""
    if each.path is None:
        of_types = [one for one in stated if not set(each.of).isdisjoint(one.types)]
        syntax = of_types[0].syntax if of_types else ""
        given = [(syntax, [one.values for one in of_types if one.syntax == syntax])]
    else:
        values: list[tuple[str, Any]] = [(f"{one.syntax} {each.path}", one.values.get(each.path)) for one in own]
        given = [(source, value if isinstance(value, list) else [value]) for source, value in values]
    for source, items in given:
        rows: list[dict[str, str]] = []
        for item in items[: rules.max_rows]:
            if isinstance(item, dict):
                said = {name: [[*read_path(item, path)] for path in paths] for name, paths in each.columns.items()}
            else:  # a text is all that is known
                said = {next(iter(each.columns)): [[*read_names(item)][:1]]}
            rows.append({name: "\n".join(next(filter(None, texts), ())) for name, texts in said.items() if any(texts)})
        if found := tuple(filter(None, rows)):
            return EntityRows(found, source)
    return EntityRows()


def _list_facts(statements: PageStatements, rules: Entities) -> tuple[dict[str, str], ...]:
    """The specifications that a page shows: rows of two cells, and terms with one definition each."""
    document, tag = statements.document, statements.document.tag
    found: dict[str, str] = {}
    for row in np.flatnonzero(_FACT[tag]).tolist():
        end = int(document.end[row])
        if tag[row] == CODE["tr"]:
            cells = (np.flatnonzero(CELL[tag[row:end]] & (document.parent[row:end] == row)) + row).tolist()
        else:
            # one definition right behind its term: a term with several is a glossary
            cells = [row, end] if end < len(tag) and tag[end] == CODE["dd"] else []
        if len(cells) == 2 and all(map(statements.shows_text, cells)):
            name, value = (statements.read_text(cell) for cell in cells)
            if name and value and len(name) <= rules.fact_chars and len(found) < rules.max_rows:
                found.setdefault(name.rstrip(": "), value)
    # one or two rows of two cells are a layout
    if len(found) < rules.fact_rows:
        return ()
    return tuple({"name": name, "value": value} for name, value in found.items())


@dataclass(frozen=True, eq=False)
class Offer:
    """What a page says of the one product that it is of: price, rating, availability; and which text blocks show that.

    A price is taken as stated: by the offer of the product in JSON-LD, meta elements, microdata. Where the page only
    says that it is of a product, the first amount shown below its title counts. A rating or availability counts where a
    short text below the title shows it too, for what is stated alone is often of the shop or out of date; else, where
    the page says that it is of a product, what that text says.

    headline: the text block from which on facts are shown. is_of_product: the page says that it is of a product, by its
    kind or its subtype.
    """

    statements: PageStatements
    rules: RuleSet
    headline: int
    is_of_product: bool = False

    @cached_property
    def product(self) -> dict[str, Any]:
        """What JSON-LD says of the product that the page is of; nothing where it is of several."""
        kinds = self.rules.entities
        return next((one.values for one in _choose_own(self.statements.things, kinds, kinds.product, "")), {})

    def read_stated(self, name: str) -> str:
        """A property of it, '' where it is not stated."""
        paths = self.rules.entities.product.properties.get(name, ())
        return next((text for path in paths for text in read_path(self.product, path)), "")

    def read_property(self, name: str) -> list[str]:
        """The values of a property of microdata (lower case), those of its first elements."""
        rows = self.statements.properties.get(name, [])[:_MAX_PROPERTIES]
        return [self.statements.read_machine_value(row, ("content", "href")) for row in rows]

    def list_near(self, n_chars: int, below: int) -> list[int]:
        """The text blocks of up to `n_chars` characters among the first ones from the headline down."""
        texts = self.statements.columns.blocks.text
        return [at for at in range(self.headline, min(len(texts), self.headline + below)) if len(texts[at]) <= n_chars]

    def list_shown(self, rules: FactRules) -> list[tuple[int, re.Match[str]]]:
        """The visible ones of these that show a fact: `sold out` waits hidden on every page of a shop."""
        blocks, pattern = self.statements.columns.blocks, re.compile(rules.shown)
        near = self.list_near(rules.text_chars, rules.blocks_below)
        found = [(at, pattern.search(blocks.text[at])) for at in near if blocks.visible[at]]
        is_other, shown = re.compile(rules.contrary or "(?!)").fullmatch, []
        for at, match in found:
            # a template holds all its badges side by side, and its style sheet shows one
            beside = blocks.text[max(0, at - 1) : at] + blocks.text[at + 1 : at + 2]
            if match and not any(map(is_other, [*beside, match.string.replace(match[0], "").strip()])):
                shown.append((at, match))
        return shown

    def find_price(self) -> FieldValue:
        """The amount with its currency, as stated (`EUR 9.50`) or shown (`9,50 €`)."""
        found = self.list_prices()
        if not found and self.is_of_product and (chosen := self.choose_amount()):
            found = [(chosen[1], "first amount in text")]
        return rank_values(found, self.rules.fields.price.confidence)

    def find_shown_price(self) -> str:
        """The price as a short text writes it (`$1,772.00`), below the headline if there is one, else as it is stated
        (`USD 1772.00`); '' if there is none. An amount that the page shows nowhere, such as one without tax, gives way
        to one there."""
        value, rules, columns = self.find_price().value or "", self.rules.fields.price, self.statements.columns
        amounts, texts = read_amounts(value), columns.blocks.text
        is_one = len(amounts) == 1
        for text in [*texts[self.headline :], *texts[: self.headline]] if is_one else ():
            for found in columns.prices_dates.prices.finditer(text) if len(text) <= rules.text_chars else ():
                if read_amounts(found[0]) == amounts:
                    return str(found[0]).strip()
        if is_one and not any(amounts[0] in read_amounts(text) for text in texts):
            return (self.choose_amount() or (0, value))[1]
        return value

    def find_former_price(self, price: str) -> str:
        """What the thing cost before, as the page writes it near the price that it shows: a higher amount in an element
        that strikes it out, in one that is named so or behind words that say so (`was`, `UVP`), or alone beside the
        price (`149 € 199 €`). '' for none."""
        columns, rules = self.statements.columns, self.rules.fields.price
        search, texts, amounts = columns.prices_dates.prices.finditer, columns.blocks.text, read_amounts(price)
        near = self.list_near(rules.text_chars, rules.blocks_below) if len(amounts) == 1 else []
        first = next((i for i, at in enumerate(near) if price in texts[at]), len(near))
        for at in near[max(0, first - _BESIDE_PRICE) : first + 1 + _BESIDE_PRICE]:
            found = list(search(texts[at]))
            for one in found:
                is_higher = read_amounts(one[0])[:1] > amounts and _COUNTED.sub("", one[0]) == _COUNTED.sub("", price)
                if is_higher and self._is_former(at, texts[at][: one.start()], one[0], found):
                    return str(one[0]).strip()
        return ""

    def _is_former(self, at: int, before: str, amount: str, found: Sequence[re.Match[str]]) -> bool:
        """Whether a higher amount in a text block is a former price. before: the text before it; found: all amounts."""
        blocks, document, other = self.statements.columns.blocks, self.statements.document, self.rules.segments.records
        if re.search(self.rules.fields.price.others, before):
            return False  # what is saved, or from which postage is free
        says = {key: compile_pattern(other.other_price[key]).search for key in ("before", "names")}
        between = {found[0].string[a.end() : b.start()].strip() for a, b in pairwise(found)}
        if says["before"](before) or (len(found) == 2 and between == {""}):
            return True
        nodes = range(int(blocks.first[at]), int(blocks.last[at]))
        # the sign of the currency has often an element of its own: `<del><b>$</b>199.00</del>`
        own = (
            int(document.text_owner[i]) for i in nodes if set(read_amounts(amount)) & {*read_amounts(document.text[i])}
        )
        around = [row for owner in own for row in islice(climb(document, owner), _LEVELS_OF_PRICE)]
        return any(
            document.names[row] in _STRIKING or says["names"](read_attribute(document, row, "class") or "")
            for row in around
        )

    def list_prices(self) -> Stated:
        """The price as the page states it to programs."""
        rules, low, high = self.rules.fields.price, *map(_read_amount, map(self.read_stated, ("price", "high_price")))
        # several sellers or versions have a range of prices
        price = f"{low}–{high}" if low and high not in ("", low) else low
        found = [(self.read_stated("currency"), price, "json-ld price")]
        currency = next((text for text, _ in self.statements.read_metas(rules.currency_metas)), "")
        found += [(currency, _read_amount(text), source) for text, source in self.statements.read_metas(rules.metas)]
        # the same amount may stand at the title and at the button
        amounts = set(filter(None, map(_read_amount, self.read_property("price"))))
        if len(amounts) == 1:
            currency = next(iter(self.read_property("pricecurrency")), "")
            found.append((currency, amounts.pop(), "microdata price"))
        # an amount that names its currency itself needs it no second time
        return [
            (f"{currency} {amount}" if currency and not any(map(str.isalpha, amount)) else amount, source)
            for currency, amount, source in found
            if amount
        ]

    def choose_amount(self) -> tuple[int, str] | None:
        """A text block and the amount in it: the first below the headline that has its text to itself, else the first
        there; else the same above the headline.

        Amounts that are called something else than what the thing costs (postage, a rate, what is saved) do not count,
        nor do those inside a link, which are of what it leads to, nor those below a further heading (`Similar items`)
        that is not part of the title's own lines.
        """
        rules, columns = self.rules.fields.price, self.statements.columns
        other, texts = re.compile(rules.others), columns.blocks.text
        up = range(self.headline - 1, max(-1, self.headline - 1 - rules.blocks_above), -1)
        for near in self.list_near(rules.text_chars, rules.blocks_below), up:
            first = None
            for at in near:
                text = texts[at]
                is_headed = at >= self.headline + rules.headed_below and columns.is_heading[at]
                if is_headed and not columns.prices_dates.prices.search(text):
                    break
                if len(text) > rules.text_chars or not columns.blocks.visible[at]:
                    continue
                # every amount has a digit, and most texts have none
                may_cost = not columns.link_words[at] and _DIGIT.search(text)
                found = columns.prices_dates.prices.search(text) if may_cost else None
                if found is None or not _NOT_ZERO.search(found[0]):
                    continue
                if other.search(text[: found.start()]) or other.search(text[found.end() :][:_NAMES_AMOUNT]):
                    continue
                first = first or (at, str(found[0]).strip())
                # most of its text: the price itself, and no sentence about prices
                if 2 * len(found[0]) >= len(text):
                    return at, str(found[0]).strip()
            if first:
                return first
        return None

    def find_rating(self) -> FieldValue:
        """The rating, out of the best one, and by how many where that is stated: `4.6/5 (128)`."""
        stated, rules = self.list_ratings(), self.rules.fields.rating
        if not stated and not self.is_of_product:
            return FieldValue(None)
        # hidden ones too: a script may show the numbers of a rating
        texts, near = self.statements.columns.blocks.text, self.list_near(rules.text_chars, rules.blocks_below)
        numbers = {number for at in near for number in list_numbers(texts[at])}
        found = [
            (f"{value}/{best}{f' ({count})' if count else ''}", source)
            for value, best, count, source in stated
            if not numbers.isdisjoint((value, count))
        ]
        if not found and self.is_of_product:
            found = [(f"{_normalise(one['value'])}/{one['best']}", "text") for _, one in self.list_shown(rules)]
        return rank_values(found, rules.confidence)

    def list_ratings(self) -> list[tuple[str, str, str, str]]:
        """The ratings that the page states, each as value, the best one, number of people or '', and source: that of
        JSON-LD; that of microdata where the page has one, or gives that of all first and then those of reviews."""
        value, best, count = map(read_number, map(self.read_stated, ("rating", "best_rating", "review_count")))
        found = [(value, best or _BEST, count, "json-ld rating")] if value else []
        values = self.read_property("ratingvalue")
        best, *texts = (
            next(iter(self.read_property(name)), "") for name in ("bestrating", "reviewcount", "ratingcount")
        )
        value, count = read_number(next(iter(values), "")), next((read_number(text) for text in texts if text), "")
        if value and (count or len(set(values)) == 1):
            found.append((value, read_number(best) or _BEST, count, "microdata rating"))
        return found

    def find_availability(self) -> FieldValue:
        """Whether the product can be had, as stated (`in stock`), else in the words of the page."""
        rules = self.rules.fields.availability
        stated = [(self.read_stated("availability"), "json-ld availability")]
        stated += self.statements.read_metas(rules.metas)
        of_microdata = set(self.read_property("availability"))
        stated += [(text, "microdata availability") for text in of_microdata if len(of_microdata) == 1]
        names = (text.rpartition("/")[2].rpartition(":")[2].lower().translate(_SEPARATORS) for text, _ in stated)
        found = [(_STATES[name], source) for name, (_, source) in zip(names, stated, strict=True) if name in _STATES]
        shown = self.list_shown(rules) if found or self.is_of_product else []
        if not shown:
            return FieldValue(None)
        found += [(match[0], "text") for _, match in shown if self.is_of_product]
        return rank_values(found, rules.confidence)


def list_numbers(text: str) -> list[str]:
    """The numbers of a text, without zeros at the end of their decimals."""
    return [_normalise(number) for number in _NUMBER.findall(text)]


def read_number(text: str) -> str:
    """A number of JSON-LD or microdata, with two decimals at most; '' for what is none, and for 0."""
    is_number = _NUMBER.fullmatch(text) and _NOT_ZERO.search(text)
    return _normalise(f"{float(text.replace(',', '.')):.2f}") if is_number else ""


def _normalise(number: str) -> str:
    """A number without zeros at the end of its decimals: `4,50` becomes `4.5`."""
    whole, _, decimals = number.replace(",", ".").partition(".")
    return f"{whole}.{decimals.rstrip('0')}".rstrip(".")


def _read_amount(text: str) -> str:
    """An amount that is stated; '' for none. 0 is what a shop states until its scripts have run, or for a thing that
    it does not sell."""
    return text if len(text) <= _MAX_CHARS and _NOT_ZERO.search(text) else ""


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


def find_offer_blocks(columns: PageColumns, rules: RuleSet, kept: Mask) -> dict[int, str]:
    """Text block -> what it shows of the offer; only of what no kept block shows.

    Cards are learnt from texts of which most leave the price out; a reader of a page of goods asks for it first.

    kept: bool [n_blocks], what is kept so far.
    """
    offer, blocks = Offer(PageStatements(columns), rules, max(0, find_headline(columns))), columns.blocks
    # a whole number near the headline is any number: 4 stars, 4 pieces
    ratings = {value for value, *_ in offer.list_ratings()[:1] if "." in value}
    near = offer.list_near(rules.fields.rating.text_chars, rules.fields.rating.blocks_below) if ratings else ()
    rated = [at for at in near if blocks.visible[at] and not ratings.isdisjoint(list_numbers(blocks.text[at]))]
    showing = {
        "price": _list_price_blocks(offer),
        "availability": [at for at, _ in offer.list_shown(rules.fields.availability)],
        "rating": rated or [at for at, _ in offer.list_shown(rules.fields.rating)],
    }
    found: dict[int, str] = {}
    for name, shown in showing.items():
        # one of them is enough: a price stands at the title, the button and the foot
        if shown and not kept[shown].any():
            found.setdefault(shown[0], name)
    return found


def _list_price_blocks(offer: Offer) -> list[int]:
    """The blocks that show the stated price, the visible ones first, of them the nearest; without a stated price the
    block with the amount near the headline. `EUR 1299` of JSON-LD is shown by `1.299,00 €`."""
    columns, n_chars, stated = offer.statements.columns, offer.rules.fields.price.text_chars, offer.list_prices()
    if not stated:
        chosen = offer.choose_amount()
        return [] if chosen is None else [chosen[0]]
    wanted, blocks = set(read_amounts(stated[0][0])), columns.blocks
    shown = [
        at
        for at in core.list_numbered(blocks.text, 0, len(blocks), n_chars)
        if len(blocks.text[at]) <= n_chars
        and not wanted.isdisjoint(read_amounts(blocks.text[at]))
        # last, for few numbers are the one that is stated
        and columns.prices_dates.prices.search(blocks.text[at])
    ]
    # scripts show the price of the version that is chosen: what is hidden until then is the price all the same
    return sorted(shown, key=lambda at: (not blocks.visible[at], abs(at - offer.headline)))
