"""Labelled pages -> the cards of title, date and author, and the tree that finds titles (source C).

A field's candidates and features are collected as they are in use; the card is a conditional logit (`fit_choice`) over
the candidates of a page and the choice of none. Numbers are cut into lines at given edges, so that what comes out is a
card that a person can read. Title comes first: the row that shows it is what dates and authors are near to.

Corpora of articles state no fields, but copy the headline with the text: they teach titles (`read_headline`), since old
news name the paper in `<title>` and show the headline in plain markup, which modern pages do not.

The tree is C4.5 over the texts of each page: each is an example, title or other; it is a title if its edit distance to
the label is under a fifth of the longer one. The tree is scored through the whole choice that a page's title takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np
from rapidfuzz.distance import Levenshtein

from webclean.features.cards import Registry
from webclean.fields import extract_fields
from webclean.fields.candidates import Candidate, choose_candidate, read_features
from webclean.fields.statements import PageStatements
from webclean.fields.title import IS_TITLE, choose_title, collect_title_texts, locate_title
from webclean.laboratory import harness
from webclean.laboratory.fitting import fit_choice, learn_tree
from webclean.laboratory.harness import LabelledPages, Learnt
from webclean.model import FieldValue
from webclean.rules import RuleSet
from webclean.rules.card_schema import Bins, Card, TreeNode
from webclean.workbench.labelled_pages import LabelledPage

FIELDS: Final = ("title", "date", "author")
_FEATURES: Final[Mapping[str, Registry]] = read_features()


@dataclass(frozen=True, slots=True)
class ChoiceSettings:
    """edges: feature -> where its lines end. by_hand: features that the labelled pages cannot teach, with points in
    `rules/fields.yaml`. ridge: strength of the penalty on points. none: learn when to give no answer. shift: added to
    the learnt bias: a false answer costs less than a missing one."""

    edges: Mapping[str, Sequence[float]]
    by_hand: frozenset[str] = frozenset()
    ridge: float = 1.0
    none: bool = True
    shift: float = 0.0


SETTINGS: Final = msgspec.convert(harness.SETTINGS["fields"], dict[str, ChoiceSettings])

ALWAYS: Final = 1000.0
"""The bias of a field that every page has."""


def learn_fields(pages: Sequence[LabelledPage], rules: RuleSet) -> Learnt:
    """The cards of title, date and author; the first gives date and author the rows of their titles."""
    found, cards = FieldPages(pages, rules), {"title": rules.fields.title.card}
    reports = []
    for field in FIELDS:
        # dates and authors are near the title: of each page the one that the present card shows
        cases = found.collect(field, add_by_hand("title", cards["title"], rules))
        cards[field] = learn_field(field, cases)
        answers = found.answer_unseen(field)
        reports.append("\n".join(_report_field(field, pages, cases, answers)))
    parts = [(("fields", field, "card"), cards[field], _FEATURES[field]) for field in FIELDS]
    return Learnt("\n\n".join(reports), lambda: {"": harness.write_cards(parts, harness.SETTINGS["heads"]["fields"])})


@dataclass(frozen=True, slots=True)
class FieldCase:
    """The candidates of one field on one page, features of the page, which speak for an answer of any kind, and what
    people say it is. known: whether they say that it has none where truth is None; else the page teaches nothing."""

    candidates: Sequence[Candidate]
    page: Mapping[str, float]
    truth: str | None
    known: bool = True


class FieldPages:
    """Labelled pages and the candidates of their fields; dates and authors are near to a title."""

    def __init__(self, pages: Sequence[LabelledPage], rules: RuleSet) -> None:
        self._pages, self._rules = LabelledPages(tuple(pages), by_corpus=False), rules
        self._found: dict[tuple[str, int, int], FieldCase] = {}
        # a corpus that labels no date at all does not say that its pages have none
        self._labelled = {(page.corpus, field) for page in pages for field in FIELDS if read_truth(page, field)}

    def collect(self, field: str, title_card: Card) -> list[FieldCase]:
        """The cases of one field; title_card: shows the title of each page, which date and author need."""
        numbers = range(len(self._pages.pages))
        if field == "title":
            return [self._collect(field, number, -1) for number in numbers]
        titles = self.collect("title", title_card)
        return [self._collect(field, number, find_title_row(titles[number], title_card)) for number in numbers]

    def answer_unseen(self, field: str) -> list[FieldValue]:
        """The answer for each page when nothing was learnt from its fold, neither of the field nor of its title."""

        def learn(seen: list[int]) -> tuple[list[FieldCase], Card]:
            card, cases = None, self.collect("title", Card())
            for name in dict.fromkeys(("title", field)):
                cases = cases if card is None else self.collect(name, card)
                card = add_by_hand(name, learn_field(name, [cases[number] for number in seen]), self._rules)
            assert card is not None
            return cases, card

        def answer(learnt: tuple[list[FieldCase], Card], number: int) -> FieldValue:
            case = learnt[0][number]
            return choose_candidate(case.candidates, learnt[1], dict(case.page))[1]

        return harness.cross_validate(self._pages.fold, learn, answer)

    def _collect(self, field: str, number: int, anchor: int) -> FieldCase:
        """The case of one page, which is kept; anchor: the row of its title, mostly the same by every card."""
        key = field, number, anchor
        if key not in self._found:
            page = self._pages.pages[number]
            fields = extract_fields(harness.read_columns(page), None, self._rules)
            found, about = fields.collect(field, anchor)
            for title in found if field == "title" else ():
                title.row = locate_title(fields.statements, title)
            known = (page.corpus, field) in self._labelled
            truth = read_truth(page, field) if known or field != "title" else read_headline(page, found)
            self._found[key] = FieldCase(found, about, truth, known or truth is not None)
        return self._found[key]


_HEAD_LINES: Final = 3
"""Of a text, in which its headline stands; further down a subheading may be a candidate, too."""


def is_same(field: str, value: str | None, truth: str) -> bool:
    """The criterion of a field: the day of a date, an edit distance under a fifth for the others (source C)."""
    if field == "date":
        return (value or "")[:10] == truth[:10]
    a, b = " ".join((value or "").split()), " ".join(truth.split())
    if field == "author":
        a, b = a.lower(), b.lower()
    return bool(a) and bool(Levenshtein.distance(a, b) / max(len(a), len(b)) < 0.2)


def read_truth(page: LabelledPage, field: str) -> str | None:
    """The label of a field; a date needs its day."""
    truth = getattr(page, field)
    # a year or a month alone cannot be compared by day
    return truth if truth and (field != "date" or len(truth) >= 10) else None


def read_headline(page: LabelledPage, candidates: Sequence[Candidate]) -> str | None:
    """The headline that was copied with the text: of its first lines that are candidates the most like `<title>`. Date,
    section and by-line stand beside it in any order, and the lead below it, which may be in an h2."""
    lines = [line for line in page.text.splitlines() if line.strip()][:_HEAD_LINES]
    said = [(line, c) for line in lines for c in candidates if is_same("title", c.value, line)]
    best = max(said, key=lambda pair: pair[1].features["title_similarity"], default=None)
    return best[0] if best else None


def find_title_row(case: FieldCase, card: Card) -> int:
    """Row that shows the title, by a card; else the first h1; else -1."""
    best, _ = choose_candidate(case.candidates, card, dict(case.page))
    return best.row if best else -1


def learn_field(field: str, cases: Sequence[FieldCase]) -> Card:
    """The card of one field, whose candidates are answers from 0 points on."""
    settings = SETTINGS[field]
    right = [
        [case.truth is not None and is_same(field, c.value, case.truth) for c in case.candidates] for case in cases
    ]
    card = learn_choice_card(cases, right, settings)
    # without the choice "none" it is learnt which candidate is right, not whether there is one
    bias = ALWAYS if not settings.none or isinstance(card.bias, dict) else round(card.bias + settings.shift, 2)
    return msgspec.structs.replace(card, bias=bias)


def add_by_hand(field: str, card: Card, rules: RuleSet) -> Card:
    """A learnt card with the points that the rules give by hand."""
    present = getattr(rules.fields, field).card.lines
    by_hand = {name: present[name] for name in sorted(SETTINGS[field].by_hand & present.keys())}
    return msgspec.structs.replace(card, lines={**card.lines, **by_hand})


_Column = tuple[str, int]
"""A feature and the line of its value; line -1 for a feature without lines; the name '' is the choice of none."""


def learn_choice_card(cases: Sequence[FieldCase], right: Sequence[Sequence[bool]], settings: ChoiceSettings) -> Card:
    """The card of pages, without those whose answer is no candidate. right: of each candidate of each page.

    Features that never vary get no points, and those whose points round to nothing no line. The choice of none comes
    last on each page; what speaks for it stands against every candidate.
    """
    options, starts, names = list[tuple[dict[_Column, float], bool]](), list[int](), set[str]()
    for case, own in zip(cases, right, strict=True):
        # a page whose answer is no candidate teaches nothing: all its options would be wrong
        if not (any(own) if case.truth is not None else settings.none and case.known):
            continue
        starts.append(len(options))
        names.update(case.page, *(one.features for one in case.candidates))
        options += [(_encode(one.features, settings), good) for one, good in zip(case.candidates, own, strict=True)]
        if settings.none:
            # features of the page speak for any answer, so they stand against that of none
            against = {column: -value for column, value in _encode(case.page, settings).items()}
            options.append((against | {("", -1): 1.0}, case.truth is None))
    columns: list[_Column] = [("", -1)] if settings.none else []
    for name in sorted(names - settings.by_hand):
        edges = settings.edges.get(name)
        columns += [(name, -1)] if edges is None else [(name, i) for i in range(len(edges) + 1)]
    place, matrix = {column: i for i, column in enumerate(columns)}, np.zeros((len(options), len(columns)))
    for row, (encoded, _) in enumerate(options):
        for column in encoded.keys() & place.keys():
            matrix[row, place[column]] = encoded[column]
    wanted = np.array([good for _, good in options], dtype=np.float64)
    weights = fit_choice(matrix, np.array(starts, dtype=np.intp), wanted, settings.ridge)
    points: dict[str, list[float]] = {}
    for (name, _), weight in zip(columns, weights.tolist(), strict=True):
        points.setdefault(name, []).append(round(weight, 2))
    (none,) = points.pop("", [0.0])
    lines = {
        name: Bins(below=tuple(settings.edges[name]), points=tuple(own)) if name in settings.edges else own[0]
        for name, own in points.items()
        if any(own)
    }
    return Card(bias=-none, lines=lines)


def _encode(features: Mapping[str, float], settings: ChoiceSettings) -> dict[_Column, float]:
    """What an option has in each column: the value of a feature, or 1 in its line."""
    found: dict[_Column, float] = {}
    for name, value in features.items():
        edges = settings.edges.get(name)
        if edges is None:
            found[name, -1] = value
        else:
            found[name, int(np.searchsorted(edges, value, side="right"))] = 1.0
    return found


def _report_field(
    field: str, pages: Sequence[LabelledPage], cases: Sequence[FieldCase], answers: Sequence[FieldValue]
) -> Iterator[str]:
    """The scores of all pages that say whether they have the field, and of those of each corpus."""
    known = [i for i, case in enumerate(cases) if case.known]
    corpora = sorted({pages[i].corpus for i in known})
    groups = {field: known} | {f"  {name}": [i for i in known if pages[i].corpus == name] for name in corpora}
    for name, rows in groups.items():
        yield f"{name}: {score_answers(field, [cases[i].truth for i in rows], [answers[i].value for i in rows])}"


def list_agreements(
    field: str, truths: Sequence[str | None], answers: Sequence[str | None]
) -> tuple[list[bool], list[bool]]:
    """Whether each page that has the field is right, and whether each that has none is answered."""
    pairs = list(zip(truths, answers, strict=True))
    right = [is_same(field, answer, truth) for truth, answer in pairs if truth]
    return right, [answer is not None for truth, answer in pairs if not truth]


def score_answers(field: str, truths: Sequence[str | None], answers: Sequence[str | None]) -> str:
    """Share right of the pages that have the field, and share answered of those that have none."""
    right, false = list_agreements(field, truths, answers)
    shown = harness.format_share(right) if right else "none have it"
    return f"{shown}, false answers {harness.format_share(false)}" if false else shown


_TITLE_TREE: Final = {"max_depth": 8, "min_samples_leaf": 20, "ccp_alpha": 0.0001}


def learn_titles(pages: Sequence[LabelledPage], rules: RuleSet) -> Learnt:
    """The tree of titles of all pages, and how often a tree is right on a site that it has not seen."""
    rows = [number for number, page in enumerate(pages) if read_truth(page, "title")]
    known = [pages[row] for row in rows]
    texts = [collect_title_texts(PageStatements(harness.read_columns(page)), rules.fields.title) for page in known]
    # every text of every page is an example
    right = [[is_same("title", c.value, page.title or "") for c in own] for page, own in zip(known, texts, strict=True)]
    names = tuple(_FEATURES["title_text"])

    def learn(seen: Iterable[int]) -> TreeNode:
        values, answers = list[list[float]](), list[str]()
        for number in seen:
            values += [[text.features[name] for name in names] for text in texts[number]]
            answers += [IS_TITLE if is_right else "other" for is_right in right[number]]
        return learn_tree(np.array(values, dtype=np.float64).reshape(-1, len(names)), answers, names, **_TITLE_TREE)

    def answer(tree: TreeNode, number: int) -> bool:
        best = choose_title(texts[number], tree)
        return best is not None and is_same("title", best.value, known[number].title or "")

    found = harness.cross_validate(LabelledPages(tuple(pages), by_corpus=False).fold[rows], learn, answer)
    possible = harness.format_share(list(map(any, right)))
    report = f"title by the tree: {harness.format_share(found)}, among the texts of the page {possible}"
    head = f"{harness.SETTINGS['heads']['title_tree']} Cross-validated by site:\n  {report}"
    return Learnt(report, lambda: {"": harness.write_tree(("fields", "title", "tree"), learn(range(len(rows))), head)})
