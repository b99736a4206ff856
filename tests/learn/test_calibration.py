"""Confidence from expected and reached scores, over a few pages worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
import yaml

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from webclean.learn.calibration import cross_fit_confidence, fit_confidence, format_reliability, write_confidence


def test_points_rise_and_pages_that_contradict_are_averaged() -> None:
    expected = np.array([0.9, 0.1, 0.5, 0.3])
    reached = np.array([1.0, 0.2, 0.4, 0.6])  # 0.3 reached more than 0.5: both get their mean
    assert fit_confidence(expected, reached) == [(0.1, 0.2), (0.3, 0.5), (0.5, 0.5), (0.9, 1.0)]
    assert fit_confidence(expected, reached, n_points=2) == [(0.2, 0.35), (0.7, 0.75)]


def test_pages_of_one_expectation_are_one_point() -> None:
    assert fit_confidence(np.array([0.5, 0.5, 0.8]), np.array([0.2, 0.4, 0.9])) == [(0.5, 0.3), (0.8, 0.9)]


def test_there_are_twelve_points_at_most() -> None:
    rising = np.linspace(0.0, 1.0, 48)
    points = fit_confidence(rising, rising)
    assert len(points) == 12
    assert points[0] == (round(float(rising[:4].mean()), 3),) * 2


def test_points_are_written_as_rules() -> None:
    text = write_confidence([(0.1, 0.25), (0.5, 1.0)])
    assert text.startswith("# The F1 that labelled pages reached")
    assert text.endswith("    - {expected: 0.5, reached: 1}\n")
    points = [{"expected": 0.1, "reached": 0.25}, {"expected": 0.5, "reached": 1}]
    assert yaml.safe_load(text) == {"confidence": {"points": points}}


def test_confidence_of_a_page_is_by_the_points_of_other_folds() -> None:
    expected = np.array([0.2, 0.8, 0.2, 0.8, 0.5])
    reached = np.array([0.0, 0.4, 0.6, 1.0, 0.0])
    found = cross_fit_confidence(expected, reached, np.array([0, 0, 1, 1, 1], dtype=np.int32))
    # fold 0 by the points of fold 1: 0.2 and 0.5 are averaged to 0.3; fold 1 by (0.2, 0.0) and (0.8, 0.4)
    assert found.tolist() == pytest.approx([0.3, 1.0, 0.0, 0.4, 0.2])


def test_reliability_is_a_table_of_equal_groups() -> None:
    confidence = np.array([0.9, 0.1, 0.2, 0.8])
    reached = np.array([1.0, 0.0, 0.5, 0.75])
    assert format_reliability(confidence, reached, n_rows=2).splitlines() == [
        "confidence: rank correlation with F1 1.000",
        "  pages  confidence  F1",
        "      2       0.150  0.250",
        "      2       0.850  0.875",
    ]
    rising = np.arange(16.0)
    assert len(format_reliability(rising, rising).splitlines()) == 2 + 8
