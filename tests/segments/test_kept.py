"""Which semantic blocks are kept: dialogs and hidden parts are not, nor lists that only their entries speak for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

import webclean
from webclean.model import Block
from webclean.rules import load_rules
from webclean.segments import weigh_noise

STORY = "<p>" + " ".join(f"The {n}th crane came by ship to the yard, and stood there for years." for n in range(30))


def find_block(page: str, text: str, rules: Path | None = None) -> Block:
    """The innermost block that has a text."""
    html = f"<body><main>{STORY}</main>{page}"
    blocks = webclean.clean(html, url="https://x.net/a/story-1.html", rules=rules).blocks
    return min((block for block in blocks if text in block.text), key=lambda block: len(block.text))


ASK = "<p>Would you hear from us each week about what goes on in the yard?</p><p>Never mind, close it.</p>"


@pytest.mark.parametrize(
    ("markup", "role"),
    [
        (f"<div role=dialog>{ASK}</div>", "dialog"),
        (f"<dialog>{ASK}</dialog>", "dialog"),
        (f"<div class='modal fade'>{ASK}</div>", "dialog"),
        (f"<div id=cookie-banner>{ASK}</div>", "dialog"),
    ],
)
def test_dialogs_are_not_kept(markup: str, role: str) -> None:
    block = find_block(markup, "each week")
    assert (str(block.role), block.kept) == (role, False)


@pytest.mark.parametrize("attribute", ["style='display: none'", "hidden"])
def test_hidden_parts_are_not_kept_whatever_their_role(attribute: str, tmp_path: Path) -> None:
    block = find_block(f"<div {attribute}>{ASK}</div>", "each week")
    shown = find_block(f"<div>{ASK}</div>", "each week")
    assert (block.role, block.kept) == (shown.role, False)
    assert any((reason.stage, reason.rule) == ("keep", "hidden") for reason in block.reasons)
    rules = tmp_path / "rules.yaml"
    rules.write_text("segments: {keep: {hidden: true}}\n")
    judged = find_block(f"<div {attribute}>{ASK}</div>", "each week", rules)
    assert not any(reason.rule == "hidden" for reason in judged.reasons)


def test_other_parts_are_neither() -> None:
    block = find_block(f"<div class=letter>{ASK}</div>", "each week")
    assert str(block.role) != "dialog" and not any(reason.rule == "hidden" for reason in block.reasons)


def test_what_most_of_the_page_is_in_is_no_dialog_and_not_hidden() -> None:
    for attribute in ("class=modal", "style='display: none'", "role=dialog"):
        blocks = webclean.clean(f"<body><div {attribute}>{STORY}</div><p>A short line at the end.</p>").blocks
        longest = max(blocks, key=lambda block: len(block.text))
        assert str(longest.role) != "dialog" and longest.kept, attribute


def test_lists_are_kept_for_their_entries_where_they_are_important() -> None:
    rules = structs.replace(load_rules().segments.keep, index_noise=0.5, index_importance=0.6, cut=0.7)
    base, noise = np.ones(4), np.array([0.4, 0.4, 0.4, 0.1])
    importance = np.array([1.0, 0.6, 0.59, 0.2])

    def weigh(*indexes: int) -> list[float]:
        rows = np.array(indexes, dtype=np.int64)
        return np.round(weigh_noise(base, noise, rows, lambda: importance, rules), 2).tolist()

    assert weigh() == [0.6, 0.6, 0.6, 0.9]
    assert weigh(0, 1, 2) == [0.8, 0.8, 0.6, 0.9]
    assert weigh(2, 3) == [0.6, 0.6, 0.6, 0.9]


def test_importance_is_asked_only_where_it_decides() -> None:
    rules = structs.replace(load_rules().segments.keep, index_noise=0.5, cut=0.7)

    def measure() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        raise AssertionError

    for noise in (0.1, 0.9):
        worth = weigh_noise(np.ones(1), np.array([noise]), np.zeros(1, dtype=np.int64), measure, rules)
        assert worth.tolist() == [pytest.approx(1 - noise / 2)]
