"""Labelled pages -> the learnt card of a field, its scores on sites it has not seen, and what each feature adds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from webclean.compare.dataset import LabelledPage, group_pages, make_folds
from webclean.features import PageColumns
from webclean.fields.candidates import score_candidates
from webclean.learn.fields import (
    FieldCase,
    answer_case,
    collect_cases,
    find_title_row,
    format_cards,
    is_same,
    learn_field,
)
from webclean.model import Rows
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules.card_schema import Card
from webclean.rules.fields_schema import FieldRules

N_FOLDS = 5


def read_columns(pages: Sequence[LabelledPage]) -> Iterator[tuple[LabelledPage, PageColumns]]:
    """Each page with its columns, one at a time."""
    for page in pages:
        yield page, build_columns(parse_page(page.html, url=page.url))


def find_anchors(pages: Sequence[LabelledPage], rules: FieldRules) -> list[int]:
    """Row that shows the title of each page, by the card in the rules."""
    cases = collect_cases("title", read_columns(pages), rules)
    return [find_title_row(case, rules.title.card) for case in cases]


def report_fields(fields: Sequence[str], pages: Sequence[LabelledPage], rules: FieldRules) -> tuple[str, str]:
    """(report, YAML of the cards). A title that is learnt first gives date and author the rows of their titles."""
    reports, cards = [], dict[str, Card]()
    for field in fields:
        report, cards[field] = report_field(field, pages, rules)
        reports.append(report)
        if field == "title":
            rules = msgspec.structs.replace(rules, title=msgspec.structs.replace(rules.title, card=cards[field]))
    return "\n\n".join(reports), format_cards(cards)


def report_field(field: str, pages: Sequence[LabelledPage], rules: FieldRules) -> tuple[str, Card]:
    """(report, card)."""
    anchors = find_anchors(pages, rules) if field != "title" else []
    cases = collect_cases(field, read_columns(pages), rules, anchors)
    folds = make_folds(group_pages(pages), [page.page_type for page in pages], N_FOLDS)
    answers = cross_validate(field, collect_folds(field, pages, rules, folds), folds)
    card = learn_field(field, cases)
    lines = [f"{field}: {score_answers(field, cases, answers)}"]
    for name, rows in (("with scripts", False), ("without scripts", True)):
        chosen = [i for i, page in enumerate(pages) if page.stripped is rows]
        lines.append(f"  {name}: {score_answers(field, [cases[i] for i in chosen], [answers[i] for i in chosen])}")
    for kind in sorted({page.page_type for page in pages}):
        chosen = [i for i, page in enumerate(pages) if page.page_type == kind]
        lines.append(f"  {kind}: {score_answers(field, [cases[i] for i in chosen], [answers[i] for i in chosen])}")
    lines.append("features, by the spread of their points over the candidates:")
    lines += [f"  {spread:.3f}  {name}" for spread, name in rank_features(cases, card)]
    return "\n".join(lines), card


def collect_folds(
    field: str, pages: Sequence[LabelledPage], rules: FieldRules, folds: Rows
) -> list[Sequence[FieldCase]]:
    """For each fold the cases of all pages as they are when nothing was learnt from the fold: dates and authors are
    near to the titles that a card without the fold shows."""
    titles = collect_cases("title", read_columns(pages), rules)
    if field == "title":
        return [titles] * N_FOLDS
    cards = [learn_field("title", choose_cases(titles, folds, fold)) for fold in range(N_FOLDS)]
    anchors = [[find_title_row(case, card) for case in titles] for card in cards]
    found: list[list[FieldCase]] = [[] for _ in cards]
    for i, page in enumerate(read_columns(pages)):
        rows = [own[i] for own in anchors]
        by_row = {row: collect_cases(field, [page], rules, [row])[0] for row in set(rows)}
        for cases, row in zip(found, rows, strict=True):
            cases.append(by_row[row])
    return list(found)


def choose_cases(cases: Sequence[FieldCase], folds: Rows, without: int) -> list[FieldCase]:
    """The cases of all folds but one."""
    return [case for case, fold in zip(cases, folds.tolist(), strict=True) if fold != without]


def cross_validate(field: str, by_fold: Sequence[Sequence[FieldCase]], folds: Rows) -> list[str | None]:
    """The answer for each page of a card that was learnt without its fold. by_fold: of `collect_folds`."""
    answers: list[str | None] = [None] * len(folds)
    for fold, cases in enumerate(by_fold):
        card = learn_field(field, choose_cases(cases, folds, fold))
        for i in np.flatnonzero(folds == fold).tolist():
            best = answer_case(cases[i], card)
            answers[i] = best.value if best else None
    return answers


def list_agreements(
    field: str, cases: Sequence[FieldCase], answers: Sequence[str | None]
) -> tuple[list[bool], list[bool]]:
    """Whether each page that has the field is right, and whether each that has none is answered."""
    right = [is_same(field, answer, case.truth) for case, answer in zip(cases, answers, strict=True) if case.truth]
    false = [answer is not None for case, answer in zip(cases, answers, strict=True) if not case.truth]
    return right, false


def score_answers(field: str, cases: Sequence[FieldCase], answers: Sequence[str | None]) -> str:
    """Share right of the pages that have the field, and share answered of those that have none."""
    right, false = list_agreements(field, cases, answers)
    shown = f"{np.mean(right):.3f} of {len(right)}" if right else "none have it"
    return f"{shown}, false answers {np.mean(false):.3f} of {len(false)}" if false else shown


def rank_features(cases: Sequence[FieldCase], card: Card) -> list[tuple[float, str]]:
    """(standard deviation of the points over all candidates, feature), the largest first."""
    spreads = []
    for name, line in card.lines.items():
        single = msgspec.structs.replace(card, lines={name: line})
        given = [points for case in cases for points in score_candidates(case.candidates, single)]
        spreads.append((float(np.std(given)), name))
    return sorted(spreads, reverse=True)
