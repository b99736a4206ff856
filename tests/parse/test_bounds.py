"""Where markup is cut that would take far longer than its length suggests, to the character."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webclean import LimitExceeded, Limits
from webclean.parse.limits import REBUILD_SLACK, Budget
from webclean.parse.prepare import MAX_REBUILT, bound_formatting, bound_root_tags

FORMATTING = re.compile(r"<(/?)([biu])( [^>]*)?>")
TAGS = ["<b>", "<b x=1>", "<b x=1>", "<b y=2>", "<i x=1>", "<i x=1>", "</b>", "</i>", "</u>", "<p>", "<p>", "<br>"]


def cut_slowly(tags: list[str], maximum: int) -> str:
    """Count for each tag the elements that it may rebuild: of equal ones that are open, three at most."""
    n_rebuilt, before, done = 0, "", ""
    opened: list[tuple[str, str]] = []
    for tag in tags:
        found = FORMATTING.fullmatch(tag)
        if found:
            if n_rebuilt > maximum:
                return before
            before = done
            same = [at for at, (name, _) in enumerate(opened) if name == found[2]]
            if not found[1]:
                opened.append((found[2], found[3] or ""))
            elif same:
                del opened[same[-1]]
        n_kept = sum(min(3, opened.count(kind)) for kind in set(opened) if kind[1])
        n_rebuilt += min(MAX_REBUILT, n_kept)
        done += tag
    return before if n_rebuilt > maximum else done


@example(["<b x=1>"] * 5 + ["<p>"] * 9, 6)
@example(["<b x=1>"] * 5 + ["</b>"] * 2 + ["<p>"] * 9, 6)
@example(["<b x=1>"] * 5 + ["</b>"] * 3 + ["<p>"] * 9, 6)
@given(st.lists(st.sampled_from(TAGS), max_size=60), st.integers(1, 12))
def test_formatting_is_cut_where_counting_tag_by_tag_says(tags: list[str], maximum: int) -> None:
    markup = "".join(tags)
    budget = Budget(Limits(max_elements=maximum), truncate=True)
    cut = bound_formatting(markup, sum("=" in tag for tag in tags), markup.count("<"), budget)
    assert cut == cut_slowly(tags, maximum * REBUILD_SLACK)
    assert budget.truncated == ([] if cut == markup else ["max_elements"])


def test_no_more_than_the_engine_rebuilds_is_counted() -> None:
    opened = "".join(f"<b x={at}>" for at in range(MAX_REBUILT + 100))
    with pytest.raises(LimitExceeded) as caught:
        bound_formatting(opened + "<p>" * 1000, MAX_REBUILT + 100, 10_000, Budget(Limits(max_elements=1000)))
    counted = caught.value.value
    # it stops at the first tag after which there are too many
    assert 1000 * REBUILD_SLACK < counted <= 1000 * REBUILD_SLACK + MAX_REBUILT
    late = "<i>" + opened + "</i>" + "<p>" * 1000
    with pytest.raises(LimitExceeded) as caught:
        bound_formatting(late, MAX_REBUILT + 100, late.count("<"), Budget(Limits(max_elements=50_000)))
    assert caught.value.value == MAX_REBUILT * (MAX_REBUILT + 1) // 2 + MAX_REBUILT * (100 + 1001)


ROOTS = ["<html a b=1>", "<body>", '<html c="2">']
STARTS = [0, 12, 18]


@pytest.mark.parametrize(
    ("limits", "kept", "exceeded", "value"),
    [
        (Limits(max_root_tags=3), 3, "", 0),
        (Limits(max_root_tags=2), 2, "max_root_tags", 3),
        (Limits(max_root_tags=1), 1, "max_root_tags", 3),
        (Limits(max_root_tags=0), 0, "max_root_tags", 3),
        (Limits(max_root_attributes=5), 3, "", 0),
        (Limits(max_root_attributes=4), 2, "max_root_attributes", 5),
        (Limits(max_root_attributes=3), 2, "max_root_attributes", 5),
        (Limits(max_root_attributes=2), 0, "max_root_attributes", 3),
    ],
)
def test_root_tags_are_cut_at_the_first_that_is_too_much(limits: Limits, kept: int, exceeded: str, value: int) -> None:
    """An attribute with a value counts twice, which is an upper bound."""
    markup = "".join(ROOTS)
    budget = Budget(limits, truncate=True)
    assert bound_root_tags(markup, STARTS, budget) == "".join(ROOTS[:kept])
    assert budget.truncated == ([exceeded] if exceeded else [])
    if exceeded:
        with pytest.raises(LimitExceeded, match=f"{exceeded}: {value} is over"):
            bound_root_tags(markup, STARTS, Budget(limits))


def test_attributes_of_a_tag_with_odd_quoting_are_those_that_the_parser_finds() -> None:
    markup = "<html a='>' b c d='x y=1 z=2'><p>"
    assert bound_root_tags(markup, [0], Budget(Limits(max_root_attributes=4))) == markup
    with pytest.raises(LimitExceeded, match="max_root_attributes: 4 is over"):
        bound_root_tags(markup, [0], Budget(Limits(max_root_attributes=3)))
