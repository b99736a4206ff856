"""Two rule sets over the same pages. The cleaners here are tables: page -> text."""

from types import SimpleNamespace
from typing import Any

import pytest

from webclean.workbench.labelled_pages import LabelledPage
from webclean.workbench.trials import PageChange, RuleDiff, compare_rules, format_diff

pytest.importorskip("rapidfuzz")


def make_cleaner(texts: dict[bytes, str]) -> Any:
    return SimpleNamespace(clean=lambda html, url: SimpleNamespace(text=texts[html] + (url or "")))


PAGES = [
    LabelledPage("same", "", b"1", "a"),
    LabelledPage("better", "", b"2", "a b", "forum"),
    LabelledPage("worse", "", b"3", "a b"),
    LabelledPage("unknown", " u", b"4", has_text=False),
]
BEFORE = make_cleaner({b"1": "a", b"2": "a c", b"3": "a b", b"4": "x"})
AFTER = make_cleaner({b"1": "a", b"2": "a b", b"3": "c d", b"4": "y"})


def test_changes_are_scored_and_the_largest_loss_comes_first() -> None:
    found = compare_rules(BEFORE, AFTER, PAGES)
    assert found == RuleDiff(
        4,
        (
            PageChange("worse", "page", "a b", "c d", 1.0, 0.0),
            PageChange("unknown", "page", "x u", "y u", None, None),
            PageChange("better", "forum", "a c", "a b", 0.5, 1.0),
        ),
        3,
        pytest.approx(2.5 / 3),
        pytest.approx(2 / 3),
    )
    assert str(found) == (
        "4 pages, 3 change: 1 better, 1 worse; F1 0.8333 -> 0.6667 (-0.1667) on the 3 with a true text"
    )
    assert str(compare_rules(BEFORE, AFTER, PAGES[1:2])) == (
        "1 pages, 1 change: 1 better, 0 worse; F1 0.5000 -> 1.0000 (+0.5000)"
    )
    assert str(compare_rules(BEFORE, AFTER, PAGES[3:])) == "1 pages, 1 change (no true texts, no scores)"
    assert [change.delta for change in found.changes] == [-1.0, 0.0, 0.5]


def test_each_page_is_a_line_with_its_first_changed_lines() -> None:
    assert list(format_diff(compare_rules(BEFORE, AFTER, PAGES)))[1:] == [
        "worse page  F1 1.000 -> 0.000 (-1.000)",
        "    -a b",
        "    +c d",
        "unknown page",
        "    -x u",
        "    +y u",
        "better forum  F1 0.500 -> 1.000 (+0.500)",
        "    -a c",
        "    +a b",
    ]
    before, after = "same\n" + "\n\n".join(f"old {i}" for i in range(4)), "same\n" + "x" * 200
    diff = RuleDiff(1, (PageChange("p", "page", before, after, None, None),), 0, 0.0, 0.0)
    assert list(format_diff(diff, 3))[2:] == ["    -old 0", "    -old 1", "    -old 2", "    ... 2 more lines"]
    assert list(format_diff(diff, 5))[2:] == [*(f"    -old {i}" for i in range(4)), "    +" + "x" * 109]
    assert len(list(format_diff(RuleDiff(1, (PageChange("p", "page", "a\n" * 9, "", None, None),), 0, 0, 0)))) == 9
