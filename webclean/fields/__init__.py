"""Columns -> title, date, author and the other fields (patent S305, source C), each with its source, confidence and
alternatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from webclean.caching import cached_property
from webclean.features import PageColumns
from webclean.fields.author import collect_authors, fill_dates
from webclean.fields.candidates import Candidate, choose_candidate
from webclean.fields.date import DateContext, choose_modified, collect_dates, is_month_first, prepare_reader, read_value
from webclean.fields.date_days import count_unstated
from webclean.fields.declared import (
    Stated,
    find_alternates,
    find_canonical,
    find_description,
    find_keywords,
    find_labelled_links,
    find_licence,
    find_next_page,
    find_section,
    find_single_page,
    find_site_name,
    list_page_kinds,
    select_overrides,
)
from webclean.fields.entities import StatedThing, find_entity, list_stated_things
from webclean.fields.images import find_image, find_images
from webclean.fields.language import detect_language
from webclean.fields.product import find_availability, find_price, find_rating
from webclean.fields.statements import PageStatements
from webclean.fields.title import collect_titles, find_site_names, find_title
from webclean.fields.title_tree import find_title_by_tree
from webclean.matching.conditions import PageFacts
from webclean.model import Alternate, Entity, FieldValue, FieldValues, Image, Mask
from webclean.parse.limits import check_time
from webclean.rules import RuleSet

__all__ = ["FIELD_NAMES", "PageFields", "detect_language", "extract_fields"]


Limit = Callable[[], AbstractContextManager[None]]
"""Starts the budget in which one field is computed."""
_Value = TypeVar("_Value")


class _CachedField(cached_property[_Value]):
    """A field: computed in a budget of its own when it is first asked for."""

    def __get__(self, fields: Any, owner: Any = None) -> Any:
        if fields is None:
            return self
        with fields._limit():
            check_time()  # the budget of cleaning may be used up before
            return super().__get__(fields, owner)


if TYPE_CHECKING:
    cached_field = cached_property
else:
    cached_field = _CachedField


class PageFields:
    """The fields of a page, each computed when first asked for. Dates are ISO 8601, with the time and zone that were
    written; URLs absolute when the page's is known."""

    def __init__(
        self,
        columns: PageColumns,
        facts: PageFacts,
        rules: RuleSet,
        kept: Mask | None,
        reference: datetime | None,
        limit: Limit = nullcontext,
    ) -> None:
        self._limit = limit
        self._statements, self._rules, self._kept, self._reference = PageStatements(columns), rules, kept, reference
        self._facts = facts

    @cached_field
    def title(self) -> FieldValue:
        return self._chosen.get("title") or self._shown_title[1]

    @cached_field
    def date(self) -> FieldValue:
        """When it was published."""
        return self._dates[1]

    @cached_field
    def author(self) -> FieldValue:
        """The author or authors."""
        # a site's rule beats every statement of the page: somebody looked at its pages
        if chosen := self._chosen.get("author"):
            return chosen
        # authors are looked for around the title; a title that a selector gave has no row, so the card's own is taken
        found, about = self.collect("author", self._shown_title[0])
        return choose_candidate(found, self._rules.fields.author.card, about)[1]

    @cached_field
    def modified(self) -> FieldValue:
        return choose_modified(self._dates[0], self._rules.fields.date)

    @cached_field
    def site_name(self) -> FieldValue:
        return find_site_name(self._statements, self._rules.fields)

    @cached_field
    def language(self) -> FieldValue:
        """BCP 47 tag."""
        return detect_language(self._statements.document, self._statements.columns.blocks)

    @cached_field
    def description(self) -> FieldValue:
        return find_description(self._statements, self._rules.fields)

    @cached_field
    def canonical(self) -> FieldValue:
        return find_canonical(self._statements, self._rules.fields)

    @cached_field
    def section(self) -> FieldValue:
        return find_section(self._statements, self._rules.fields, self.title.value)

    @cached_field
    def licence(self) -> FieldValue:
        return find_licence(self._statements, self._rules.fields)

    @cached_field
    def next_page(self) -> FieldValue:
        given = self._rules.fields.next_page
        return self._chosen.get("next_page") or find_next_page(self._statements, given, self._labelled_links[0])

    @cached_field
    def single_page(self) -> FieldValue:
        """The page that shows all parts of the text."""
        given = self._rules.fields.single_page
        return self._chosen.get("single_page") or find_single_page(self._statements, given, self._labelled_links[1])

    @cached_field
    def image(self) -> FieldValue:
        """The image that stands for the page."""
        return find_image(self._statements, self._rules.fields, self.images)

    @cached_field
    def price(self) -> FieldValue:
        """The price of the one product that the page is about, with its currency."""
        return find_price(self._statements, self._rules.fields.price, self._offer_kind, self._shown_title[0])

    @cached_field
    def rating(self) -> FieldValue:
        """How the product that the page is about was rated, where the page shows it: `4.6/5 (128)`."""
        return find_rating(self._statements, self._rules.fields, self._offer_kind, self._shown_title[0])

    @cached_field
    def availability(self) -> FieldValue:
        """Whether the product that the page is about can be bought, where the page shows it: `in stock`."""
        return find_availability(self._statements, self._rules.fields, self._offer_kind, self._shown_title[0])

    @cached_field
    def keywords(self) -> FieldValues:
        return find_keywords(self._statements, self._rules.fields)

    @cached_field
    def images(self) -> tuple[Image, ...]:
        """The images in the text."""
        return find_images(self._statements, self._rules.fields, self._kept)

    @cached_field
    def alternates(self) -> tuple[Alternate, ...]:
        return find_alternates(self._statements)

    @cached_field
    def product(self) -> Entity | None:
        """The one product that the page is about: name, price, availability, rating, specs, ..."""
        return self._find_entity("product")

    @cached_field
    def recipe(self) -> Entity | None:
        """The one recipe that the page states."""
        return self._find_entity("recipe")

    @cached_field
    def event(self) -> Entity | None:
        """The one event that the page states."""
        return self._find_entity("event")

    @cached_field
    def job_posting(self) -> Entity | None:
        """The one job that the page states."""
        return self._find_entity("job_posting")

    @cached_field
    def discussion(self) -> Entity | None:
        """The one thread, or question with its answers, that the page states."""
        return self._find_entity("discussion")

    def _find_entity(self, kind: str) -> Entity | None:
        rules = self._rules.entities
        fields = {name: partial(getattr, self, name) for name in ("title", "price", "availability", "rating")}
        subtype = self._facts.page_subtype
        return find_entity(self._statements, self._stated_things, rules, getattr(rules, kind), fields, subtype=subtype)

    @cached_property
    def _stated_things(self) -> list[StatedThing]:
        return list_stated_things(self._statements)

    def __getstate__(self) -> dict[str, Any]:
        """Fields are pickled and copied as their values."""
        return {**dict(self), "_chosen": self._chosen, "_limit": nullcontext}

    def __iter__(
        self,
    ) -> Iterator[tuple[str, FieldValue | FieldValues | tuple[Image, ...] | tuple[Alternate, ...] | Entity | None]]:
        """(name, value) of every field."""
        return ((name, getattr(self, name)) for name in FIELD_NAMES)

    def collect(self, field: str, title_row: int) -> tuple[list[Candidate], dict[str, float]]:
        """The candidates for title, date or author, and the features of the page, which count for all of them alike.

        title_row: the row that shows the title, or -1: dates and authors are looked for near to it.
        """
        statements, rules = self._statements, self._rules.fields
        if field == "title":
            label = self._rules.segments.records.title_label
            return collect_titles(statements, rules.title, self._kind, self._site_names, label), {}
        if field == "date":
            found = collect_dates(statements, rules.date, self._describe_dates(title_row))
            return found, {**self._kind, "n_unstated": count_unstated(found)}
        own, language = fill_dates(rules.author, self._rules.dates), self.language.value or ""
        found = collect_authors(statements, own, title_row, self._site_names, language)
        return found, {**self._kind, "n_candidates": float(len(found))}

    def is_given(self, name: str) -> bool:
        """Whether a selector of the rules gives the field."""
        return name in self._chosen

    def replace(self, **values: FieldValue) -> PageFields:
        """These fields with other values for some of them."""
        made = object.__new__(PageFields)  # what was computed is taken over with the rest
        vars(made).update(vars(self), **values)
        return made

    @cached_property
    def _chosen(self) -> dict[str, FieldValue]:
        """What selectors of rules say, which beats all other statements."""
        return select_overrides(self._statements, self._facts, self._rules)

    @cached_property
    def _labelled_links(self) -> list[Stated]:
        """The links that say that they lead to the next page, and to the single one."""
        return find_labelled_links(self._statements, self._rules.fields.next_page, self._rules.fields.single_page)

    @cached_property
    def _kind(self) -> dict[str, float]:
        return list_page_kinds(self._statements, self._rules.fields.page_kinds, self._rules.fields.page_paths)

    @cached_property
    def _offer_kind(self) -> dict[str, float]:
        """What the page says that it is, and the subtype that it was given."""
        return {**self._kind, f"is_{self._facts.page_subtype}": 1.0}

    @cached_property
    def _site_names(self) -> tuple[str, ...]:
        return find_site_names(self._statements, self._rules.fields.title)

    @cached_property
    def _shown_title(self) -> tuple[int, FieldValue]:
        """The row that shows the title or -1, and the title that the card chooses."""
        rules = self._rules.fields.title
        if rules.method == "tree":
            return find_title_by_tree(self._statements, rules)
        return find_title(self._statements, rules, self.collect("title", -1)[0])

    @cached_property
    def _dates(self) -> tuple[list[Candidate], FieldValue]:
        """Every day that the page states, and the day of publication."""
        found, about = self.collect("date", self._shown_title[0])
        published = choose_candidate(found, self._rules.fields.date.card, about)[1]
        if chosen := self._chosen.get("date"):
            day = read_value(chosen.value or "", self._describe_dates(-1))
            # a selector may meet a text without a date, on pages of an older design: what the card found is better than
            # none
            published = FieldValue(day.iso, chosen.source, 1.0) if day else published
        return found, published

    def _describe_dates(self, title_row: int) -> DateContext:
        """How the dates of the page are read."""
        rules, language = self._rules.fields.date, self.language.value or ""
        return DateContext(
            reader=prepare_reader(rules, self._rules.dates),
            month_first=is_month_first(language, self._statements.host, rules),
            reference=self._reference or datetime.now(UTC),
            relative=self._reference is not None,
            anchor=title_row,
        )


FIELD_NAMES: Final = tuple(
    # in the order of the class, which is that of all outputs
    name
    for name, value in vars(PageFields).items()
    if isinstance(value, cached_property) and name[0] != "_"
)


def extract_fields(
    columns: PageColumns,
    facts: PageFacts | None,
    rules: RuleSet,
    *,
    kept: Mask | None = None,
    reference: datetime | None = None,
    limit: Limit = nullcontext,
) -> PageFields:
    """All fields of one page.

    facts: what the rules that name selectors may ask about the page; without them only its address.
    kept: bool [n_blocks], the content, which bounds the images in the text. reference: when the page was read; without
    one, relative dates (`3 hours ago`) are no dates, and no date is after the present. limit: starts the budget of a
    field.
    """
    return PageFields(columns, facts or PageFacts(url=columns.document.url), rules, kept, reference, limit)
