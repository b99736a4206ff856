"""The limits of one page: every limit names itself, truncation gives what fits, cost grows with the page's length, and
markup is cut to the character where it would take far longer than its length suggests."""

import re
import time
import tracemalloc
from dataclasses import asdict, replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import webclean
from webclean import InputError, LimitExceeded, Limits
from webclean.model import SMALL_PAGE
from webclean.parse import parse_page
from webclean.parse.limits import REBUILD_SLACK, Budget, check_time, limit_to, spend_output, spend_outputs, start_budget
from webclean.parse.prepare import MAX_REBUILT, bound_formatting, bound_root_tags

USAGE = Path(__file__).resolve().parents[2] / "docs" / "usage.md"
WIDE = Limits(max_depth=10**7, max_elements=10**7, max_seconds=300)
OVER = {
    "max_bytes": ("<p>river</p>" * 1000, Limits(max_bytes=6000)),
    "max_elements": ("<p>river</p>" * 1000, Limits(max_elements=500)),
    "max_depth": ("<div>river" * 300, Limits(max_depth=100)),
    "max_attributes": ("<p a=1 b=2>river</p>" * 1000, Limits(max_attributes=1000)),
    "max_root_tags": ("<p>river" + "<body a=1><html>" * 300, Limits(max_root_tags=200)),
    "max_root_attributes": (
        "<p>river" + "".join(f"<html a{n}=1>" for n in range(150)),
        Limits(max_root_attributes=100),
    ),
    "max_seconds": ("<p>river</p>" * 1000, Limits(max_seconds=0)),
}


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
@pytest.mark.parametrize("limit", OVER)
def test_going_over_names_the_limit(limit: str, parser: str) -> None:
    markup, limits = OVER[limit]
    with pytest.raises(LimitExceeded, match=limit) as caught:
        webclean.clean(markup, limits=limits, parser=parser)
    assert caught.value.limit == limit
    assert caught.value.maximum == getattr(limits, limit)
    assert caught.value.value > caught.value.maximum


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
@pytest.mark.parametrize("limit", OVER)
def test_truncating_gives_what_fits(limit: str, parser: str) -> None:
    markup, limits = OVER[limit]
    document = parse_page(markup, limits=limits, on_limit="truncate", engine=parser)
    assert document.truncated == (limit,)
    assert len(document) <= limits.max_elements
    assert int(document.depth.max(initial=0)) <= limits.max_depth
    assert "river" in "".join(document.text) or limit == "max_seconds"
    assert webclean.clean(markup, limits=limits, on_limit="truncate", parser=parser).truncated == (limit,)


@pytest.mark.parametrize("limit", OVER)
def test_under_the_limit_nothing_is_cut(limit: str) -> None:
    markup, _ = OVER[limit]
    roomy = replace(WIDE, max_root_tags=10**6, max_root_attributes=10**6)
    assert parse_page(markup, limits=roomy, on_limit="truncate").truncated == ()


def test_the_page_on_usage_has_the_limits() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+|false) \|", USAGE.read_text(encoding="utf-8"), re.MULTILINE)
    limits = asdict(Limits())
    assert {name: value.replace(",", "") for name, value in rows if name in limits} == {
        name: str(value).lower().removesuffix(".0") for name, value in limits.items()
    }


BOMBS = {
    "html attributes": "".join(f"<html a{n}=1>" for n in range(20_000)),
    "one html tag": "<p><html " + " ".join(f"a{n}" for n in range(100_000)) + ">",
    "quoted html tag": "<p>" + ("<html a='>' " + " ".join(f"a{n}" for n in range(50_000)) + ">") * 2,
    "body attributes": "<body>" + "".join(f"<body a{n}=1>" for n in range(20_000)),
    "selectedcontent": "<select>" + "<button><selectedcontent></button>" * 300 + "<option selected><i>x</i>" * 3000,
    "formatting": "<p>" + "".join(f"<b a{n}=1>" for n in range(2000)) + "</p>" + "<p>x</p>" * 20_000,
    "closed formatting": "<p>" + "".join(f"<b a{n}=1><b></b>" for n in range(2000)) + "</p>" + "<p>x</p>" * 20_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_short_pages_do_not_cost_much(name: str) -> None:
    tracemalloc.start()
    document = parse_page(BOMBS[name], on_limit="truncate")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000_000
    assert len(document) <= Limits().max_elements


def test_closed_formatting_is_no_bomb() -> None:
    markup = "".join(f"<p>word <i class=c{n}></i> <font color=c{n}>word</font></p>" for n in range(5000))
    assert len(parse_page(markup)) == 15_003


def test_late_stages_are_under_the_clock() -> None:
    with pytest.raises(LimitExceeded, match="max_seconds"):
        webclean.clean("<p>The river rises in the hills.</p>" * 20_000, limits=Limits(max_seconds=0.02))


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
