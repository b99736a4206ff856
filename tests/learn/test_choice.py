from __future__ import annotations

import numpy as np
import pytest

from webclean.fields.candidates import Candidate, choose_candidate
from webclean.learn.choice import Choice, ChoiceSettings, learn_choice_card
from webclean.rules.card_schema import Bins

pytest.importorskip("scipy")


def make_pages(n: int) -> list[Choice]:
    """Pages where `good` makes right, `noise` says nothing, long ones are wrong, and those without `good` have no
    answer."""
    rng = np.random.default_rng(1)
    pages = []
    for i in range(n):
        has = i % 4 != 0
        candidates = [
            {"good": float(has and k == 0), "noise": float(rng.random() < 0.5), "length": 5.0 if k == 0 else 50.0}
            for k in range(3)
        ]
        pages.append(Choice(candidates, [has and k == 0 for k in range(3)], {}, has))
    return pages


def test_points_follow_what_makes_a_candidate_right() -> None:
    card = learn_choice_card(make_pages(200), ChoiceSettings({"length": (10.0,)}))
    good, noise, length = card.lines["good"], card.lines.get("noise", 0.0), card.lines["length"]
    assert isinstance(good, float)
    assert isinstance(noise, float)
    assert isinstance(length, Bins)
    assert isinstance(length.points, tuple)
    assert good > 3 * abs(noise)
    assert length.points[0] > length.points[1]


def test_a_learnt_card_answers_and_stays_silent() -> None:
    card = learn_choice_card(make_pages(200), ChoiceSettings({"length": (10.0,)}))
    right = Candidate("right", "test", {"good": 1.0, "length": 5.0})
    wrong = Candidate("wrong", "test", {"good": 0.0, "length": 50.0})
    best, value = choose_candidate([wrong, right], card)
    assert best is right
    assert value.alternatives == (("wrong", "test"),)
    assert value.confidence > 0.5
    assert choose_candidate([wrong], card)[1].value is None
