"""The cards of fields, learnt from labelled pages into one rule file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from webclean.compare.dataset import LabelledPage
from webclean.rules import load_rules

pytest.importorskip("scipy")
pytest.importorskip("rapidfuzz")

from webclean.learn import field_report
from webclean.learn.field_report import N_FOLDS, report_fields
from webclean.learn.fields import FIELDS, SETTINGS, FieldCase, learn_field
from webclean.rules.card_schema import Bins, Card

NAMES = ("Ada Quill", "Jane Doe", "John Roe", "Mia Lund", "Tom Berg", "Eva Holm")


def make_page(number: int) -> LabelledPage:
    title, day, author = f"Harbour number {number}", f"2024-03-{number + 10}", NAMES[number % len(NAMES)]
    html = f"""<title>{title} | Port</title><meta name="author" content="{author}"><h1>{title}</h1>
    <p>By {author}, <time datetime="{day}">{day}</time></p><p>The harbour has grown.</p><h2>More</h2>"""
    url = f"https://site{number}.example.com/a"
    return LabelledPage(str(number), url, html.encode(), "", "article", title, day, author, False)


def test_the_cards_of_all_fields_are_one_rule_file(tmp_path: Path) -> None:
    report, text = report_fields(("title", "date", "author"), [make_page(i) for i in range(12)], load_rules().fields)
    assert [f"{field}: 1.000 of 12" in report for field in ("title", "date", "author")] == [True] * 3
    file = tmp_path / "cards.yaml"
    file.write_text(text, encoding="utf-8")
    learnt, given = load_rules(file), load_rules()
    assert learnt.fields.title.card != given.fields.title.card
    assert learnt.fields.author.card.lines["signature"] == given.fields.author.card.lines["signature"]


def test_titles_that_dates_are_near_to_are_shown_by_a_card_without_the_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    pages, folds = [make_page(i) for i in range(10)], np.arange(10, dtype=np.int32) % N_FOLDS
    learnt: list[set[str | None]] = []

    def learn_and_note(field: str, cases: Sequence[FieldCase]) -> Card:
        learnt.append({case.truth for case in cases})
        return learn_field(field, cases)

    monkeypatch.setattr(field_report, "learn_field", learn_and_note)
    by_fold = field_report.collect_folds("date", pages, load_rules().fields, folds)
    assert learnt == [{page.title for i, page in enumerate(pages) if i % N_FOLDS != fold} for fold in range(N_FOLDS)]
    assert [len(cases) for cases in by_fold] == [10] * N_FOLDS
    assert field_report.cross_validate("date", by_fold, folds) == [page.date for page in pages]


def test_a_title_elsewhere_moves_what_the_date_is_near_to(monkeypatch: pytest.MonkeyPatch) -> None:
    folds = np.arange(5, dtype=np.int32)
    shown = iter(range(25))
    monkeypatch.setattr(field_report, "find_title_row", lambda case, card: next(shown) // 5)
    by_fold = field_report.collect_folds("date", [make_page(i) for i in range(5)], load_rules().fields, folds)
    distances = [{c.features.get("time_distance") for case in cases for c in case.candidates} for cases in by_fold]
    assert len({min(d for d in own if d is not None) for own in distances}) > 1


@pytest.mark.parametrize("field", FIELDS)
def test_the_shipped_cards_have_the_learners_limits(field: str) -> None:
    shipped = getattr(load_rules().fields, field).card
    limits = {name: list(line.below) for name, line in shipped.lines.items() if isinstance(line, Bins)}
    given = SETTINGS[field].edges
    assert limits
    assert [(name, limit) for name, own in limits.items() for limit in own if limit not in given[name]] == []
