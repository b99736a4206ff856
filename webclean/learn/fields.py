"""Labelled pages -> the cards of title, date and author.

A field's candidates and features are collected as they are in use; the card is a conditional logit (`choice`). Title
comes first: the row that shows it is what dates and authors are near to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import msgspec

from webclean.compare.dataset import LabelledPage
from webclean.features import PageColumns
from webclean.features.cards.compile import Registry
from webclean.fields import author, date, title
from webclean.fields.candidate_features import AUTHOR_FEATURES, DATE_FEATURES, TITLE_FEATURES
from webclean.fields.candidates import Candidate, choose_candidate
from webclean.fields.language import detect_language
from webclean.fields.page_kind import list_page_kinds
from webclean.fields.statements import PageStatements
from webclean.learn.card_text import write_cards
from webclean.learn.choice import Choice, ChoiceSettings, learn_choice_card
from webclean.rules import load_rules
from webclean.rules.card_schema import Card
from webclean.rules.fields_schema import FieldRules

FIELDS: Final = ("title", "date", "author")

SETTINGS: Final[dict[str, ChoiceSettings]] = {
    "title": ChoiceSettings(
        {
            "title_similarity": (0.2, 0.4, 0.6, 0.8, 0.999),
            "part_similarity": (0.3, 0.5, 0.7, 0.85, 0.999),
            "og_similarity": (0.01, 0.3, 0.5, 0.7, 0.85, 0.999),
            "n_words": (2, 3, 4, 6, 9, 13, 20),
            "n_chars": (8, 15, 30, 60, 90),
            "slug_share": (0.01, 0.3, 0.6, 0.99),
            "h1_slug_share": (0.01, 0.3, 0.6, 0.99),
        },
        ridge=4.0,
        none=False,
    ),
    "date": ChoiceSettings(
        {
            "time_distance": (-60, -10, 0, 10, 20, 40, 100),
            "text_distance": (-60, -10, 0, 10, 20, 40, 100),
            "n_unstated": (1, 2, 3, 5, 9),
        },
        ridge=2.0,
    ),
    "author": ChoiceSettings(
        {
            "distance": (-60, -10, 0, 10, 20, 40, 100),
            "n_words": (2, 3, 4, 6, 9),
            "n_chars": (3, 5, 20, 40, 80),
            "n_candidates": (1, 2, 3, 5, 9),
        },
    ),
}
"""Where the lines of numbers end, for each field."""

SHIFT: Final = {"date": 2.5, "author": 2.2}
"""Added to the learnt bias: a false answer costs less than a missing one."""
ALWAYS: Final = 1000.0
"""The bias of a field that every page has."""


@dataclass(frozen=True, slots=True)
class FieldCase:
    """The candidates of one field on one page, and features of the page."""

    candidates: Sequence[Candidate]
    page: Mapping[str, float]
    truth: str | None

    def to_choice(self, field: str) -> Choice:
        right = [self.truth is not None and is_same(field, c.value, self.truth) for c in self.candidates]
        return Choice([c.features for c in self.candidates], right, self.page, self.truth is not None)


def is_same(field: str, value: str | None, truth: str) -> bool:
    """The criterion of a field: the day of a date, an edit distance under a fifth for the others (source C)."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415  the learning extra

    if field == "date":
        return (value or "")[:10] == truth[:10]
    a, b = " ".join((value or "").split()), " ".join(truth.split())
    if field == "author":
        a, b = a.lower(), b.lower()
    return bool(a) and bool(Levenshtein.distance(a, b) / max(len(a), len(b)) < 0.2)


def read_truth(page: LabelledPage, field: str) -> str | None:
    """The label of a field; a date needs its day."""
    truth = getattr(page, field)
    return truth if truth and (field != "date" or len(truth) >= 10) else None


def collect_cases(
    field: str, pages: Iterable[tuple[LabelledPage, PageColumns]], rules: FieldRules, anchors: Sequence[int] = ()
) -> list[FieldCase]:
    """The cases of one field; anchors: row of each page's title, which date and author need."""
    cases = []
    for i, (page, columns) in enumerate(pages):
        statements = PageStatements(columns)
        kind = list_page_kinds(statements, rules.page_kinds, rules.page_paths)
        sites = title.find_site_names(statements, rules.title)
        language = detect_language(columns.document, columns.blocks).value or ""
        if field == "title":
            found, about = title.collect_titles(statements, rules.title, kind, sites), {}
        elif field == "author":
            found = author.collect_authors(
                statements, author.fill_dates(rules.author, load_rules().dates), anchors[i], sites, language
            )
            about = author.describe_choice(found, kind)
        else:
            order = date.is_month_first(language, statements.host, rules.date)
            now = datetime.now(UTC)
            reader = date.prepare_reader(rules.date, load_rules().dates)
            context = date.DateContext(reader, order, now, False, anchors[i])
            found = date.collect_dates(statements, rules.date, context)
            about = date.describe_choice(found, kind)
        cases.append(FieldCase(found, about, read_truth(page, field)))
    return cases


def learn_field(field: str, cases: Sequence[FieldCase]) -> Card:
    """The card of one field."""
    card = learn_choice_card([case.to_choice(field) for case in cases], SETTINGS[field])
    bias = ALWAYS if field == "title" or isinstance(card.bias, dict) else round(card.bias + SHIFT[field], 2)
    return msgspec.structs.replace(card, bias=bias)


def find_title_row(case: FieldCase, card: Card) -> int:
    """Row that shows the title, by a card; else the first h1; else -1."""
    best = answer_case(case, card)
    if best and best.row >= 0:
        return best.row
    return next((c.row for c in case.candidates if "h1" in c.features), -1)


def answer_case(case: FieldCase, card: Card) -> Candidate | None:
    """What a card answers."""
    return choose_candidate(case.candidates, card, dict(case.page))[0]


def format_cards(cards: Mapping[str, Card]) -> str:
    """The rule file of the cards; points by hand in the layers below stay."""
    paths = [(("fields", field, "card"), card, _FEATURES[field]) for field, card in cards.items()]
    return write_cards(paths, _HEAD)


_FEATURES: Final[dict[str, Registry]] = {"title": TITLE_FEATURES, "date": DATE_FEATURES, "author": AUTHOR_FEATURES}
_HEAD: Final = """\
What speaks for a candidate of title, date and author. The one with the most points is the value, if they are not less
than 0; with a bias of 1000 there is always one. Learnt by `webclean learn fields --data DIR --output FILE`."""
