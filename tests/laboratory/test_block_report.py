"""Where F1 is lost, told by cause, over a few pages by hand."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import yaml

import webclean
from webclean.laboratory.block_material import WordTable, tabulate_words
from webclean.laboratory.block_report import (
    CAUSES,
    Curves,
    PageScores,
    Unseen,
    cross_fit_confidence,
    estimate_reached,
    fit_confidence,
    fit_curve,
    format_gains,
    format_losses,
    format_reliability,
    format_scores,
    format_snippets,
    format_worst,
    measure_calibration_error,
    measure_losses,
    score_pages,
    split_loss,
    write_confidence,
)
from webclean.rules.decide_schema import Cut
from webclean.workbench.labelled_pages import LabelledPage

TEXTS = ["menu home", "the river rises", "share this page", "and falls", "more stories"]
BEST = np.array([False, True, False, True, False])


def split(kept: list[bool], truth: str = "the river rises and falls") -> tuple[WordTable, dict[str, float]]:
    table = tabulate_words(TEXTS, truth)
    loss = split_loss(table, np.array(kept), BEST)
    assert loss.sum() == pytest.approx(1 - table.measure_prf(np.array(kept))[2])
    return table, {cause: share for cause, share in zip(CAUSES, loss.tolist(), strict=True) if share}


@pytest.mark.parametrize(("block", "cause"), [(0, CAUSES[0]), (2, CAUSES[1]), (4, CAUSES[2])])
def test_extra_text_is_told_by_its_place(block: int, cause: str) -> None:
    kept = BEST.copy()
    kept[block] = True
    assert list(split(kept.tolist())[1]) == [cause]


def test_dropped_content_and_extra_text_share_the_loss() -> None:
    _, found = split([True, True, False, False, False])
    assert set(found) == {CAUSES[0], CAUSES[3]}


def test_what_no_choice_of_blocks_reaches_is_told_apart() -> None:
    _, found = split(BEST.tolist(), "the river rises and falls in the hills behind the town")
    assert list(found) == [CAUSES[4]]


def test_pages_without_main_content_are_told_apart() -> None:
    _, found = split(BEST.tolist(), "")
    assert list(found) == [CAUSES[5]]


def test_losses_by_hand() -> None:
    # kept: "menu home" and "the river rises"; wanted: "the river rises and falls". F1 = 2 x 3 / (5 + 5) = .6.
    # 2 extra words weigh .6 each, 2 missing ones 2 - .6 = 1.4 each: .4 is split as 1.2 to 2.8
    kept = np.array([True, True, False, False, False])
    loss = split_loss(tabulate_words(TEXTS, "the river rises and falls"), kept, BEST)
    assert loss.tolist() == pytest.approx([0.12, 0, 0, 0.28, 0, 0])
    # nothing is wanted of the blocks: all that is kept is among the text
    none = np.zeros(5, dtype=bool)
    loss = split_loss(tabulate_words(TEXTS, "unrelated"), kept, none)
    assert loss.tolist() == pytest.approx([0, 0, 0, 0, 1, 0])


PAGES = [
    ("a", "article", True, ("river", "Salt"), ("menu",), "<html lang=en><p>The river rises.</p><p>Menu home</p>"),
    ("b", "forum", False, (), ("x",), "<html lang=en><p>The answer is yes.</p>"),
    ("c", "article", False, ("und",), (), "<html lang=de><p>Und der Fluss steigt.</p><p>Salz</p>"),
]
KEPT = [True, False, True, True, True]


def make_material() -> Any:
    """Three pages of two, one and two blocks."""
    pages = [
        LabelledPage(name, f"https://{name}.net/", html.encode(), "", kind, None, None, None, stripped, kept, dropped)
        for name, kind, stripped, kept, dropped, html in PAGES
    ]
    columns = [webclean.clean(page.html).analysis.columns for page in pages]
    texts = ["the river rises", "the answer is", "fluss"]
    words = [tabulate_words(own.blocks.text, text) for own, text in zip(columns, texts, strict=True)]
    start = [0, 2, 3, 5]
    return SimpleNamespace(
        pages=pages,
        columns=columns,
        words=words,
        label=np.array([1.0, 0.0, 1.0, 1.0, 0.0]),
        rows_of=lambda number: slice(start[number], start[number + 1]),
    )


SCORES = PageScores(
    np.array([1.0, 0.5, 0.2]), np.array([0.8, 0.9, 0.4]), np.array([0.9, 0.6, 0.3]), np.ones(3), np.array(KEPT)
)


def test_scores_by_type() -> None:
    material = make_material()
    line = f"{'both':22s} F1 0.6000  P 0.567  R 0.700  article 0.600  forum 0.600"
    assert format_scores(material, SCORES, "both") == line


def test_snippets_are_looked_for_in_what_is_kept() -> None:
    found = format_snippets(make_material(), SCORES)
    # kept: half of the two of a, all of c; dropped: none of the one of a (its block is dropped), none of b
    assert found == "snippets: main content found 0.750, boilerplate found 0.000"
    everything = PageScores(SCORES.precision, SCORES.recall, SCORES.f1, SCORES.expected, np.ones(5, dtype=bool))
    assert format_snippets(make_material(), everything).endswith("boilerplate found 0.500")
    nothing = make_material()
    nothing.pages = [LabelledPage(p.id, "", b"", "", "x", None, None, None, False) for p in nothing.pages]
    assert format_snippets(nothing, SCORES) == "snippets: main content found 0.000, boilerplate found 0.000"


def test_losses_of_pages_and_their_shares() -> None:
    losses = measure_losses(make_material(), SCORES)
    # b keeps a word too many, 2 x 3 / (4 + 3), as its only block does at best; c keeps 5 words for one: the first block
    # holds it, the second comes after it
    assert losses[0].tolist() == [0] * 6
    assert losses[1].tolist() == pytest.approx([0, 0, 0, 0, 1 / 7, 0])
    assert losses[2].tolist() == pytest.approx([0, 0, 2 / 5 - 2 / 6, 0, 3 / 5, 0])
    assert format_losses(np.array([[0.1, 0, 0, 0.3, 0, 0], [0, 0, 0, 0, 0.6, 0]])).splitlines() == [
        "where F1 is lost:",
        "   10.0 %  extra text before the main content",
        "    0.0 %  extra text among it",
        "    0.0 %  extra text after it",
        "   30.0 %  main content dropped",
        "   60.0 %  no subset of the blocks matches the truth",
        "    0.0 %  pages whose truth is empty",
    ]
    assert "  0.0 %" in format_losses(np.zeros((1, 6)))


def test_the_worst_pages_come_with_their_main_cause() -> None:
    losses = np.array([[0.1, 0, 0, 0, 0, 0], [0, 0.1, 0, 0.2, 0, 0], [0, 0, 0.7, 0, 0, 0]])
    assert format_worst(make_material().pages, SCORES, losses, 2).splitlines() == [
        "worst pages:  F1    P    R  main cause",
        "  c article       0.30 0.20 0.40  extra text after it; https://c.net/",
        "  b forum         0.60 0.50 0.90  main content dropped; https://b.net/",
    ]


def test_gains_are_listed_the_largest_first() -> None:
    lines = format_gains(["a", "b", "c"], np.array([0.01, 0.2, -0.03])).splitlines()
    assert lines[1:] == [f"  {'b':28s} +0.2000", f"  {'a':28s} +0.0100", f"  {'c':28s} -0.0300"]


def test_pages_are_cut_and_scored() -> None:
    points = np.array([8.0, -8.0, 8.0, 8.0, -8.0])
    found = score_pages(make_material(), points, Cut(beta=1.0, shift=0.0, spread=0.0, least_words=0, least_share=0.0))
    assert found.kept.tolist() == [True, False, True, True, False]
    assert found.precision.tolist() == pytest.approx([1.0, 3 / 4, 1 / 4])
    assert found.recall.tolist() == [1.0, 1.0, 1.0]
    assert found.f1.tolist() == pytest.approx([1.0, 6 / 7, 2 / 5])
    assert found.expected.tolist() == pytest.approx([1.0, 1.0, 1.0], abs=0.01)


def make_unseen(expected: Sequence[float], reached: Sequence[float], likely: object = None) -> Unseen:
    shares = np.zeros((len(expected), 0)) if likely is None else np.array(likely, dtype=float)
    return Unseen(np.array(expected), np.array(reached), shares, ("forum", "product")[: shares.shape[1]])


def test_points_rise_and_pages_that_contradict_are_averaged() -> None:
    expected = np.array([0.9, 0.1, 0.5, 0.3])
    reached = np.array([1.0, 0.2, 0.4, 0.6])  # 0.3 reached more than 0.5: both get their mean
    one = np.ones(4)
    assert fit_curve(expected, reached, one, 4) == [(0.1, 0.2), (0.3, 0.5), (0.5, 0.5), (0.9, 1.0)]
    assert fit_curve(expected, reached, one, 2) == [(0.2, 0.35), (0.7, 0.75)]


def test_pages_count_by_their_weight() -> None:
    expected, reached = np.array([0.5, 0.5]), np.array([0.0, 1.0])
    assert fit_curve(expected, reached, np.array([3.0, 1.0]), 1) == [(0.5, 0.25)]


def test_a_type_has_a_curve_of_its_own_if_it_has_enough_pages() -> None:
    likely = [[1, 0]] * 40 + [[0, 1]] * 5
    expected, reached = [0.2, 0.8] * 20 + [0.5] * 5, [0.4, 0.6] * 20 + [1.0] * 5
    curves = fit_confidence(make_unseen(expected, reached, likely))
    assert curves.types == {"forum": [(0.2, 0.4), (0.8, 0.6)]}
    # a page that is half of a forum: the mean of both curves
    page = make_unseen([0.2], [0.0], [[0.5, 0.5]])
    of_all = estimate_reached(page._replace(likely=np.array([[0.0, 1.0]])), curves)[0]
    assert estimate_reached(page, curves).tolist() == [pytest.approx((0.4 + of_all) / 2)]


def test_what_is_written_is_what_pages_are_given(tmp_path_factory: pytest.TempPathFactory) -> None:
    curves = Curves([(0.0, 0.5), (1.0, 0.5)], {"article": [(0.0, 0.75), (1.0, 0.75)]})
    text = write_confidence(curves)
    assert yaml.safe_load(text)["confidence"]["types"] == {
        "article": [{"expected": 0, "reached": 0.75}, {"expected": 1, "reached": 0.75}]
    }
    path = tmp_path_factory.mktemp("rules") / "confidence.yaml"
    path.write_text(text, encoding="utf-8")
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


def test_reliability_is_a_table_of_equal_groups_and_of_types() -> None:
    confidence, reached = np.array([0.9, 0.1, 0.2, 0.8]), np.array([1.0, 0.0, 0.5, 0.75])
    told = format_reliability(confidence, reached, ["forum", "forum", "article", "article"], n_rows=2).splitlines()
    assert told[:4] == [
        "confidence: rank correlation with F1 1.000",
        "  pages  confidence  F1",
        "      2       0.150  0.250",
        "      2       0.850  0.875",
    ]
    assert [line.split()[-1] for line in told[5:]] == ["all", "article", "forum"]
