"""Columns -> title, date, author and the other fields (patent S305, source C), each with its source, confidence and
alternatives.

`PageFields` lists all fields: outputs, tables and the JSON Schema of a page follow from it. A new field is a line there
and what finds it; one that a page declares in its head, or by the relation of a link, is a row of `declared.DECLARED`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar, get_args, get_type_hints

from webclean.caching import Limit, cached_property
from webclean.features import PageColumns
from webclean.fields import declared
from webclean.fields.author import collect_authors, fill_dates
from webclean.fields.author_lists import find_addresses
from webclean.fields.candidates import Candidate, choose_candidate
from webclean.fields.date import PUBLISHED, choose_modified, collect_dates
from webclean.fields.date_text import DateContext, is_month_first, prepare_reader
from webclean.fields.declared import rank_values
from webclean.fields.entities import Offer, find_entity
from webclean.fields.language import detect_language, may_not_be_latin
from webclean.fields.site_names import find_site_name, find_site_names
from webclean.fields.statements import PageStatements, Stated, Thing, walk_things
from webclean.fields.title import collect_titles, find_title_by_tree, locate_title
from webclean.matching.conditions import PageFacts
from webclean.model import Alternate, Author, Entity, FieldValue, FieldValues, Image, Mask
from webclean.parse import find_attribute
from webclean.parse.limits import check_time
from webclean.parse.snippets import read_microdata_rdfa
from webclean.rules import RuleSet
from webclean.rules.page_schema import FieldRules

__all__ = ["FIELD_NAMES", "PageFields", "detect_language", "extract_fields", "list_field_types"]

_Value = TypeVar("_Value")


class Field(cached_property[_Value]):
    """A field: what finds it, and what it means. It is computed in a budget of its own when it is first asked for."""

    def __init__(self, find: Callable[[PageFields], _Value], meaning: str) -> None:
        def compute(fields: PageFields) -> _Value:
            with fields.limit():
                check_time()  # the budget of cleaning may be used up before
                return find(fields)

        super().__init__(compute)
        self.__doc__ = meaning


def _find_authors(own: PageFields) -> tuple[Author, ...]:
    value, top = own.author.value, max(0, own.shown_title[0])
    best = own.authors_chosen[0] if value and "author" not in own.chosen else None
    names = (best.names or (best.value,)) if best else filter(None, (value,))
    rules = own.rules.fields.author
    near = range(max(0, top - rules.rows_above), top + rules.rows_below)
    return tuple(find_addresses(own.statements, names, near))


def _of_declared(name: str) -> Callable[[PageFields], FieldValue]:
    """What finds a field that is as the page declares it."""

    def find(own: PageFields) -> FieldValue:
        given = own.rules.fields
        return rank_values(declared.list_declared(own.statements, given, name), getattr(given, name).confidence)

    return find


def _of_links(name: str, number: int) -> Callable[[PageFields], FieldValue]:
    """What finds a further page of the text. number: of the field among `labelled_links`."""

    def find(own: PageFields) -> FieldValue:
        found = declared.list_declared(own.statements, own.rules.fields, name) + own.labelled_links[number]
        return own.chosen.get(name) or declared.find_linked_page(own.statements, getattr(own.rules.fields, name), found)

    return find


def _of_page(find: Callable[[PageStatements, FieldRules], _Value]) -> Callable[[PageFields], _Value]:
    """What finds a field by what the page states."""
    return lambda own: find(own.statements, own.rules.fields)


def _of_entity(kind: str) -> Callable[[PageFields], Entity | None]:
    """What finds the one thing of a kind that the page is about."""

    def find(own: PageFields) -> Entity | None:
        rules, read, subtype = own.rules.entities, partial(getattr, own), own.facts.page_subtype
        return find_entity(own.statements, own.stated_things, rules, getattr(rules, kind), read, subtype=subtype)

    return find


class PageFields:
    """The fields of a page in the order of all outputs, each computed when first asked for. Dates are ISO 8601, with
    the time and zone that were written; URLs absolute when the page's is known."""

    def __init__(
        self,
        columns: PageColumns,
        facts: PageFacts | None,
        rules: RuleSet,
        *,
        kept: Mask | None = None,
        reference: datetime | None = None,
        limit: Limit = nullcontext,
    ) -> None:
        """All fields of one page.

        facts: what the rules that name selectors may ask about the page; without them only its address.
        kept: bool [n_blocks], the content, which bounds the images in the text. reference: when the page was read,
        after which no date is; now without one. limit: starts the budget of a field.
        """
        self.statements, self.rules, self.limit = PageStatements(columns), rules, limit
        self.facts = facts or PageFacts(url=columns.document.url)
        self.kept, self._reference = kept, reference or datetime.now(UTC)

    title: Field[FieldValue] = Field(lambda own: own.chosen.get("title") or own.shown_title[1], "The headline.")
    date: Field[FieldValue] = Field(lambda own: own.dates[1], "When it was published.")
    # a site's rule beats every statement of the page: somebody looked at its pages
    author: Field[FieldValue] = Field(
        lambda own: own.chosen.get("author") or own.authors_chosen[1], "The author or authors."
    )
    authors: Field[tuple[Author, ...]] = Field(_find_authors, "Each author, with the URL of their page.")
    modified: Field[FieldValue] = Field(
        lambda own: choose_modified(own.dates[0], own.rules.fields.date), "When it was changed last."
    )
    site_name: Field[FieldValue] = Field(_of_page(find_site_name), "The name of the site, as written for readers.")
    language: Field[FieldValue] = Field(
        lambda own: detect_language(own.statements.document, own.statements.columns.blocks), "BCP 47 tag."
    )
    description: Field[FieldValue] = Field(_of_declared("description"), "What the page says that it is about.")
    canonical: Field[FieldValue] = Field(
        _of_page(declared.find_canonical), "The address that the page wants to be known by."
    )
    section: Field[FieldValue] = Field(
        lambda own: declared.find_section(own.statements, own.rules.fields, own.title.value), "The section of the site."
    )
    licence: Field[FieldValue] = Field(_of_page(declared.find_licence), "URL of the licence, or its text without one.")
    next_page: Field[FieldValue] = Field(_of_links("next_page", 0), "The page with the next part of the text.")
    single_page: Field[FieldValue] = Field(_of_links("single_page", 1), "The page that shows all parts of the text.")
    image: Field[FieldValue] = Field(
        lambda own: declared.find_image(own.statements, own.rules.fields, own.images),
        "The image that stands for the page.",
    )
    price: Field[FieldValue] = Field(lambda own: own.offer.find_price(), "The price of the product, with its currency.")
    rating: Field[FieldValue] = Field(
        lambda own: own.offer.find_rating(), "How the product was rated, where the page shows it: `4.6/5 (128)`."
    )
    availability: Field[FieldValue] = Field(
        lambda own: own.offer.find_availability(),
        "Whether the product can be had, where the page shows it: `in stock`.",
    )
    keywords: Field[FieldValues] = Field(
        _of_page(declared.find_keywords), "Every keyword, in the order of the sources."
    )
    images: Field[tuple[Image, ...]] = Field(
        lambda own: declared.find_images(own.statements, own.rules.fields, own.kept), "The images in the text."
    )
    alternates: Field[tuple[Alternate, ...]] = Field(
        lambda own: declared.find_alternates(own.statements), "Other versions of the page."
    )
    product: Field[Entity | None] = Field(
        _of_entity("product"), "The one product that the page is about: name, price, availability, rating, specs, ..."
    )
    recipe: Field[Entity | None] = Field(_of_entity("recipe"), "The one recipe that the page states.")
    event: Field[Entity | None] = Field(_of_entity("event"), "The one event that the page states.")
    job_posting: Field[Entity | None] = Field(_of_entity("job_posting"), "The one job that the page states.")
    discussion: Field[Entity | None] = Field(
        _of_entity("discussion"), "The one thread, or question with its answers, that the page states."
    )

    def __getstate__(self) -> dict[str, Any]:
        """Fields are pickled and copied as their values."""
        return {**dict(self), "chosen": self.chosen, "limit": nullcontext}

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """(name, value) of every field."""
        return ((name, getattr(self, name)) for name in FIELD_NAMES)

    def collect(self, field: str, title_row: int) -> tuple[list[Candidate], dict[str, float]]:
        """The candidates for title, date or author, and the features of the page, which count for all of them alike.

        title_row: the row that shows the title, or -1: dates and authors are looked for near to it.
        """
        statements, rules = self.statements, self.rules.fields
        if field == "title":
            return collect_titles(statements, rules.title, self._kind, self._site_names), {}
        if field == "date":
            found = collect_dates(statements, rules.date, self._describe_dates(title_row))
            is_stated = any(not PUBLISHED.isdisjoint(candidate.features) for candidate in found)
            # of many days that a page shows, none may be its own
            # one that says when it was changed has a day
            tells = any({"text_modified", "text_line"} <= candidate.features.keys() for candidate in found)
            about = {"n_unstated": 0.0 if is_stated else float(len(found)), "tells_change": float(tells)}
            return found, self._kind | about
        own = fill_dates(rules.author, self.rules.dates)
        # newspapers of East Asia alone sign in a set form: a page in Latin letters need not be asked for its language
        is_signed = may_not_be_latin(statements.document, statements.columns.blocks) and (
            (self.language.value or "").partition("-")[0] in own.signature_languages
        )
        found = collect_authors(statements, own, title_row, self._site_names, is_signed=is_signed)
        return found, {**self._kind, "n_candidates": float(len(found))}

    def replace(self, **values: FieldValue) -> PageFields:
        """These fields with other values for some of them."""
        made = object.__new__(PageFields)  # what was computed is taken over with the rest
        vars(made).update(vars(self), **values)
        return made

    @cached_property
    def chosen(self) -> dict[str, FieldValue]:
        """What selectors of rules say, which beats all other statements."""
        return declared.select_overrides(self.statements, self.facts, self.rules)

    @cached_property
    def labelled_links(self) -> list[Stated]:
        """The links that say that they lead to the next page, and to the single one."""
        return declared.find_labelled_links(self.statements, self.rules.fields.next_page, self.rules.fields.single_page)

    @cached_property
    def stated_things(self) -> list[Thing]:
        """The objects of all syntaxes, in the order in which they are trusted; nested ones follow the one around."""
        found, document = list(self.statements.things), self.statements.document
        # reading them takes a parse of its own, which pages without either attribute need not
        if len(find_attribute(document, "itemscope")) or len(find_attribute(document, "typeof")):
            for syntax, items in read_microdata_rdfa(document.source.markup).items():
                found += [thing for item in items for thing in walk_things(item, syntax=syntax)]
        return found

    @cached_property
    def _kind(self) -> dict[str, float]:
        return declared.list_page_kinds(self.statements, self.rules.fields.page_kinds, self.rules.fields.page_paths)

    @cached_property
    def offer(self) -> Offer:
        """What the page says of the one product that it is about."""
        kinds, title_row = {*self._kind, f"is_{self.facts.page_subtype}"}, max(0, self.shown_title[0])
        headline = int(self.statements.block_position.searchsorted(title_row, side="right"))
        is_of_product = not kinds.isdisjoint(self.rules.fields.price.kinds)
        return Offer(self.statements, self.rules, headline, is_of_product)

    @cached_property
    def _site_names(self) -> tuple[str, ...]:
        return find_site_names(self.statements, self.rules.fields.title)

    @cached_property
    def shown_title(self) -> tuple[int, FieldValue]:
        """The row that shows the title or -1, and the title that the card chooses."""
        rules = self.rules.fields.title
        if rules.method == "tree":
            return find_title_by_tree(self.statements, rules)
        best, title = choose_candidate(self.collect("title", -1)[0], rules.card)
        return locate_title(self.statements, best), title

    @cached_property
    def authors_chosen(self) -> tuple[Candidate | None, FieldValue]:
        """The author or authors that the card chooses."""
        # around the title; one that a selector gave has no row, so the card's own is taken
        found, about = self.collect("author", self.shown_title[0])
        return choose_candidate(found, self.rules.fields.author.card, about)

    @cached_property
    def dates(self) -> tuple[list[Candidate], FieldValue]:
        """Every day that the page states, and the day of publication."""
        found, about = self.collect("date", self.shown_title[0])
        published = choose_candidate(found, self.rules.fields.date.card, about)[1]
        # a selector may meet a text without a date, on pages of an older design: the card's is better than none
        return found, self._chosen_date or published

    @cached_property
    def _chosen_date(self) -> FieldValue | None:
        chosen = self.chosen.get("date")
        day = self._describe_dates(-1).read(chosen.value or "") if chosen else None
        return FieldValue(day.iso, chosen.source, 1.0) if chosen and day else None

    def list_warnings(self) -> Iterator[str]:
        """What a rule points at and cannot be read."""
        chosen = self.chosen.get("date")
        if chosen and not self._chosen_date:
            yield f"{chosen.source}: {(chosen.value or '')[:60]!r} is no date: it is looked for without that"

    def _describe_dates(self, title_row: int) -> DateContext:
        """How the dates of the page are read."""
        rules = self.rules.fields.date
        return DateContext(
            reader=prepare_reader(rules, self.rules.dates),
            month_first=lambda: is_month_first(self.language.value or "", self.statements.host, rules),
            reference=self._reference,
            anchor=title_row,
        )


FIELD_NAMES: Final = tuple(name for name, value in vars(PageFields).items() if isinstance(value, Field))


def list_field_types() -> dict[str, Any]:
    """Name of a field -> the type of its value."""
    return {name: get_args(kind)[0] for name, kind in get_type_hints(PageFields).items()}


extract_fields: Final = PageFields
"""The stage of the pipeline: fields are computed when they are asked for, so it is to make what knows how."""
