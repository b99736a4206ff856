"""Scores of cut pages, and the curves of the confidence, over a few pages by hand."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import yaml

import webclean
from tests import write_file
from webclean.decide import average_reached
from webclean.laboratory.block_cards import (
    PageScores,
    Unseen,
    cross_fit_confidence,
    fit_confidence,
    fit_curve,
    format_reliability,
    format_scores,
    measure_calibration_error,
    score_pages,
    write_confidence,
)
from webclean.laboratory.block_material import tabulate_words
from webclean.rules.decide_schema import Calibrated, Confidence, Cut
from webclean.workbench.labelled_pages import LabelledPage

PAGES = [
    ("article", "<html lang=en><p>The river rises.</p><p>Menu home</p>", "the river rises"),
    ("forum", "<html lang=en><p>The answer is yes.</p>", "the answer is"),
    ("article", "<html lang=de><p>Und der Fluss steigt.</p><p>Salz</p>", "fluss"),
]


def make_material() -> Any:
    """Three pages of two, one and two blocks."""
    pages = [LabelledPage(str(number), "", html.encode(), "", kind) for number, (kind, html, _) in enumerate(PAGES)]
    columns = [webclean.clean(page.html).analysis.columns for page in pages]
    words = [tabulate_words(own.blocks.text, text) for own, (_, _, text) in zip(columns, PAGES, strict=True)]
    start = [0, 2, 3, 5]
    return SimpleNamespace(
        pages=pages, columns=columns, words=words, rows_of=lambda number: slice(start[number], start[number + 1])
    )


SCORES = PageScores(np.array([1.0, 0.5, 0.2]), np.array([0.8, 0.9, 0.4]), np.array([0.9, 0.6, 0.3]), np.ones(3))


def test_scores_by_type() -> None:
    material = make_material()
    line = f"{'both':22s} F1 0.6000  P 0.567  R 0.700  article 0.600  forum 0.600"
    assert format_scores(material, SCORES, "both") == line


def test_pages_are_cut_and_scored() -> None:
    points = np.array([8.0, -8.0, 8.0, 8.0, -8.0])
    found = score_pages(make_material(), points, Cut(beta=1.0, shift=0.0, spread=0.0, least_words=0, least_share=0.0))
    assert found.precision.tolist() == pytest.approx([1.0, 3 / 4, 1 / 4])
    assert found.recall.tolist() == [1.0, 1.0, 1.0]
    assert found.f1.tolist() == pytest.approx([1.0, 6 / 7, 2 / 5])
    assert found.expected.tolist() == pytest.approx([1.0, 1.0, 1.0], abs=0.01)


def make_unseen(expected: Sequence[float], reached: Sequence[float], likely: object = None) -> Unseen:
    shares = np.zeros((len(expected), 0)) if likely is None else np.array(likely, dtype=float)
    return Unseen(np.array(expected), np.array(reached), shares, ("forum", "product")[: shares.shape[1]])


def make_curve(*points: tuple[float, float]) -> tuple[Calibrated, ...]:
    return tuple(Calibrated(expected=x, reached=y) for x, y in points)


def test_points_rise_and_pages_that_contradict_are_averaged() -> None:
    expected = np.array([0.9, 0.1, 0.5, 0.3])
    reached = np.array([1.0, 0.2, 0.4, 0.6])  # 0.3 reached more than 0.5: both get their mean
    one = np.ones(4)
    assert fit_curve(expected, reached, one, 4) == make_curve((0.1, 0.2), (0.3, 0.5), (0.5, 0.5), (0.9, 1.0))
    assert fit_curve(expected, reached, one, 2) == make_curve((0.2, 0.35), (0.7, 0.75))


def test_pages_count_by_their_weight() -> None:
    expected, reached = np.array([0.5, 0.5]), np.array([0.0, 1.0])
    assert fit_curve(expected, reached, np.array([3.0, 1.0]), 1) == make_curve((0.5, 0.25))


def test_a_type_has_a_curve_of_its_own_if_it_has_enough_pages() -> None:
    likely = [[1, 0]] * 40 + [[0, 1]] * 5
    expected, reached = [0.2, 0.8] * 20 + [0.5] * 5, [0.4, 0.6] * 20 + [1.0] * 5
    curves = fit_confidence(make_unseen(expected, reached, likely))
    assert curves.types == {"forum": make_curve((0.2, 0.4), (0.8, 0.6))}
    # a page that is half of a forum: the mean of both curves
    of_all = average_reached(0.2, {"product": 1.0}, curves)
    assert average_reached(0.2, {"forum": 0.5, "product": 0.5}, curves) == pytest.approx((0.4 + of_all) / 2)


def test_what_is_written_is_what_pages_are_given(tmp_path_factory: pytest.TempPathFactory) -> None:
    of_article = {"article": make_curve((0.0, 0.75), (1.0, 0.75))}
    text = write_confidence(Confidence(points=make_curve((0.0, 0.5), (1.0, 0.5)), types=of_article))
    assert yaml.safe_load(text)["confidence"]["types"] == {
        "article": [{"expected": 0, "reached": 0.75}, {"expected": 1, "reached": 0.75}]
    }
    path = write_file(tmp_path_factory.mktemp("rules") / "confidence.yaml", text)
    page = "<title>Hills</title>" + "<p>The river rises in the hills and takes a long way down to the sea.</p>" * 9
    assert webclean.clean(page, rules=path, page_subtype="article").confidence == pytest.approx(0.75)
    assert webclean.clean(page, rules=path, page_subtype="forum").confidence == pytest.approx(0.5)


def test_confidence_of_a_page_is_by_the_curves_of_other_folds() -> None:
    pages = make_unseen([0.2, 0.8, 0.2, 0.8, 0.5], [0.0, 0.4, 0.6, 1.0, 0.0])
    found = cross_fit_confidence(pages, np.array([0, 0, 1, 1, 1], dtype=np.int32))
    # fold 0 by the points of fold 1: 0.2 and 0.5 are averaged to 0.3; fold 1 by (0.2, 0.0) and (0.8, 0.4)
    assert found.tolist() == pytest.approx([0.3, 1.0, 0.0, 0.4, 0.2])


def test_the_calibration_error_is_the_mean_gap_of_groups() -> None:
    confidence, reached = np.array([0.9, 0.1, 0.3, 0.7]), np.array([1.0, 0.0, 0.2, 0.8])
    assert measure_calibration_error(confidence, reached, 2) == pytest.approx(0.1)
    assert measure_calibration_error(confidence, confidence) == 0


def test_reliability_is_told_of_all_pages_and_of_each_type() -> None:
    confidence, reached = np.array([0.9, 0.1, 0.2, 0.8]), np.array([1.0, 0.0, 0.5, 0.75])
    assert format_reliability(confidence, reached, ["forum", "forum", "article", "article"]).splitlines() == [
        "confidence: rank correlation with F1 1.000",
        "  all: calibration error 0.062 of 4 pages",
        "  article: calibration error 0.125 of 2 pages",
        "  forum: calibration error 0.000 of 2 pages",
    ]
