"""The cards of fields, learnt from labelled pages into one rule file."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from webclean.fields.candidates import Candidate, choose_candidate
from webclean.rules import load_rules
from webclean.workbench.labelled_pages import LabelledPage

pytest.importorskip("scipy")
pytest.importorskip("rapidfuzz")

import pytest

from webclean.laboratory import field_cards as fields
from webclean.laboratory.field_cards import (
    FIELDS,
    SETTINGS,
    ChoiceSettings,
    FieldCase,
    FieldPages,
    learn_choice_card,
    learn_field,
)
from webclean.laboratory.harness import N_FOLDS, LabelledPages
from webclean.rules.card_schema import Bins, Card

NAMES = ("Ada Quill", "Jane Doe", "John Roe", "Mia Lund", "Tom Berg", "Eva Holm")


def make_page(number: int) -> LabelledPage:
    title, day, author = f"Harbour number {number}", f"2024-03-{number + 10}", NAMES[number % len(NAMES)]
    html = f"""<title>{title} | Port</title><meta name="author" content="{author}"><h1>{title}</h1>
    <p>By {author}, <time datetime="{day}">{day}</time></p><p>The harbour has grown.</p><h2>More</h2>"""
    url = f"https://site{number}.example.com/a"
    return LabelledPage(str(number), url, html.encode(), "", "article", title, day, author)


def test_titles_that_dates_are_near_to_are_shown_by_a_card_without_the_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    pages, folds = [make_page(i) for i in range(10)], np.arange(10, dtype=np.int32) % N_FOLDS
    learnt: list[set[str | None]] = []

    def learn_and_note(field: str, cases: Sequence[FieldCase]) -> Card:
        learnt.append({case.truth for case in cases})
        return learn_field(field, cases)

    monkeypatch.setattr(fields, "learn_field", learn_and_note)
    monkeypatch.setattr(LabelledPages, "fold", folds)
    answers = FieldPages(pages, load_rules()).answer_unseen("date")
    seen = [{i for i in range(10) if i % N_FOLDS != fold} for fold in range(N_FOLDS)]
    expected = [truths for own in seen for truths in ({pages[i].title for i in own}, {pages[i].date for i in own})]
    assert learnt == expected
    assert [answer.value for answer in answers] == [page.date for page in pages]


def test_a_title_elsewhere_moves_what_the_date_is_near_to(monkeypatch: pytest.MonkeyPatch) -> None:
    found = FieldPages([make_page(0)], load_rules())
    distances = []
    for row in (0, 3):
        monkeypatch.setattr(fields, "find_title_row", lambda case, card, row=row: row)
        (case,) = found.collect("date", Card())
        distances.append({c.features.get("time_distance") for c in case.candidates})
    assert distances[0] != distances[1]


def test_pages_that_state_no_fields_teach_the_titles_that_head_their_text() -> None:
    news = LabelledPage(
        "n",
        "",
        b"<title>Courier</title><h1>Old mill sold</h1><p>May 4, 2012",
        "May 4, 2012\nOld mill sold\nText",
        corpus="n",
    )
    found = FieldPages([make_page(0), news, replace(news, id="m", text="Other words")], load_rules())
    titles, dates = (found.collect(field, Card()) for field in ("title", "date"))
    assert [case.truth for case in titles] == ["Harbour number 0", "Old mill sold", None]
    assert [case.known for case in titles] == [True, True, False]
    # that nobody stated their dates does not say that they have none
    assert [case.known for case in dates] == [True, False, False]


@pytest.mark.parametrize("field", FIELDS)
def test_the_shipped_cards_have_the_learners_limits(field: str) -> None:
    shipped = getattr(load_rules().fields, field).card
    limits = {name: list(line.below) for name, line in shipped.lines.items() if isinstance(line, Bins)}
    given = SETTINGS[field].edges
    assert limits
    assert [(name, limit) for name, own in limits.items() for limit in own if limit not in given[name]] == []


def learn_from_choices(n: int) -> Card:
    """The card of pages where `good` makes right, `noise` says nothing, long ones are wrong, and those without `good`
    have no answer."""
    rng = np.random.default_rng(1)
    cases, right = [], []
    for i in range(n):
        has = i % 4 != 0
        candidates = [
            {"good": float(has and k == 0), "noise": float(rng.random() < 0.5), "length": 5.0 if k == 0 else 50.0}
            for k in range(3)
        ]
        cases.append(FieldCase([Candidate("x", "test", own) for own in candidates], {}, "x" if has else None))
        right.append([has and k == 0 for k in range(3)])
    return learn_choice_card(cases, right, ChoiceSettings({"length": (10.0,)}))


def test_points_follow_what_makes_a_candidate_right() -> None:
    card = learn_from_choices(200)
    good, noise, length = card.lines["good"], card.lines.get("noise", 0.0), card.lines["length"]
    assert isinstance(good, float)
    assert isinstance(noise, float)
    assert isinstance(length, Bins)
    assert isinstance(length.points, tuple)
    assert good > 3 * abs(noise)
    assert length.points[0] > length.points[1]


def test_a_learnt_card_answers_and_stays_silent() -> None:
    card = learn_from_choices(200)
    right = Candidate("right", "test", {"good": 1.0, "length": 5.0})
    wrong = Candidate("wrong", "test", {"good": 0.0, "length": 50.0})
    best, value = choose_candidate([wrong, right], card)
    assert best is right
    assert value.alternatives == (("wrong", "test"),)
    assert value.confidence > 0.5
    assert choose_candidate([wrong], card)[1].value is None
