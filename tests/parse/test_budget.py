"""The limits of one page: what exceeds them, and what is said of it."""

from __future__ import annotations

import time

import msgspec
import pytest

from webclean import InputError, LimitExceeded, Limits
from webclean.model import SMALL_PAGE
from webclean.parse.limits import Budget, check_time, limit_to, spend_output, spend_outputs, start_budget


def make_late(*, truncate: bool = False) -> Budget:
    return Budget(Limits(max_seconds=5), truncate, started=time.monotonic() - 6)


def test_a_limit_is_named_once_where_the_page_is_cut() -> None:
    budget = Budget(truncate=True)
    for name in ("max_depth", "max_elements", "max_depth"):
        budget.exceed(name, 1)
    assert budget.truncated == ["max_depth", "max_elements"]
    with pytest.raises(LimitExceeded, match="max_depth: 2001 is over the limit of 2000"):
        Budget().exceed("max_depth", 2001)


def test_being_late_is_an_error_unless_the_page_may_be_cut() -> None:
    with pytest.raises(LimitExceeded, match="max_seconds"):
        make_late().is_late()
    cut = make_late(truncate=True)
    assert cut.is_late()
    assert cut.truncated == ["max_seconds"]
    in_time = Budget(Limits(max_seconds=5), started=time.monotonic() - 4)
    assert not in_time.is_late()
    assert in_time.truncated == []


def test_steps_that_cannot_be_cut_short_fail_only_where_no_page_is_cut() -> None:
    with pytest.raises(LimitExceeded, match="max_seconds"):
        make_late().check_time()
    cut = make_late(truncate=True)
    cut.check_time()
    assert cut.truncated == []


@pytest.mark.parametrize("n_input", [0, SMALL_PAGE, 3 * SMALL_PAGE])
def test_output_is_counted_against_the_page_or_a_small_one(n_input: int) -> None:
    budget = Budget(Limits(max_output_ratio=2), truncate=True, n_input=n_input)
    allowed = 2 * max(n_input, SMALL_PAGE)
    assert budget.spend(allowed - 1)
    assert budget.spend(1)
    assert budget.truncated == []
    assert not budget.spend(1)
    assert (budget.n_output, budget.truncated) == (allowed + 1, ["max_output_ratio"])
    with pytest.raises(LimitExceeded, match=r"max_output_ratio: 3 is over the limit of 2"):
        Budget(Limits(max_output_ratio=2)).spend(3 * SMALL_PAGE)


@pytest.mark.parametrize(
    ("sizes", "n_allowed"), [((), 0), ((5, 5), 2), ((5, 5, 1, 0), 2), ((11, 0, 0), 0), ((4, 7, 1), 1)]
)
def test_several_results_are_counted_together(sizes: tuple[int, ...], n_allowed: int) -> None:
    together, apart = (
        Budget(Limits(max_output_ratio=2), truncate=True, n_output=2 * SMALL_PAGE - 10) for _ in range(2)
    )
    assert together.spend_all(sizes) == sum(map(apart.spend, sizes)) == n_allowed
    assert together == msgspec.structs.replace(apart, started=together.started)
    assert (spend_outputs(sizes), make_late(truncate=True).spend_all(sizes)) == (len(sizes), len(sizes))
    with pytest.raises(LimitExceeded):
        make_late().spend_all(sizes)


def test_stages_ask_for_the_budget_they_run_in() -> None:
    check_time()
    assert spend_output(10**12)
    outer, inner = Budget(), make_late()
    with limit_to(outer):
        assert spend_output(7)
        with limit_to(inner), pytest.raises(LimitExceeded):
            check_time()
        check_time()
        assert spend_output(1)
    assert (outer.n_output, inner.n_output) == (8, 0)
    assert spend_output(10**12)


def test_a_budget_starts_with_its_page() -> None:
    budget = start_budget(Limits(max_depth=3), "truncate")
    assert (budget.truncate, budget.limits.max_depth, budget.n_output) == (True, 3, 0)
    assert budget.started > 0
    assert not start_budget(Limits(), "raise").truncate
    with pytest.raises(InputError, match="'raise' or 'truncate', not 'no'"):
        start_budget(Limits(), "no")
