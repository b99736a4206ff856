"""Every limit names itself, truncation gives what fits, and cost grows with the page's length."""

from __future__ import annotations

import re
import tracemalloc
from dataclasses import asdict, replace
from pathlib import Path

import pytest

import webclean
from webclean import LimitExceeded, Limits
from webclean.parse import parse_page
from webclean.parse.limits import Budget
from webclean.parse.prepare import bound_formatting

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


def test_a_page_is_not_cut_unless_that_is_said() -> None:
    with pytest.raises(LimitExceeded, match="max_seconds"):
        Budget(Limits(max_seconds=-1)).is_late()
    assert Budget(Limits(max_seconds=-1), truncate=True).is_late()


def test_elements_that_are_too_deep_move_up_to_the_deepest_that_is_allowed() -> None:
    markup = "<div>" * 20 + "<p>one</p><p>two</p>" + "</div>" * 20 + "<p>three</p>"
    document = parse_page(markup, limits=Limits(max_depth=10), on_limit="truncate")
    depth, above = document.depth, document.parent
    assert [int(depth[row]) for row, name in enumerate(document.names) if name == "p"] == [10, 10, 2]
    assert (depth[above[1:]] == depth[1:] - 1).all()


@pytest.mark.parametrize("limit", OVER)
def test_under_the_limit_nothing_is_cut(limit: str) -> None:
    markup, _ = OVER[limit]
    roomy = replace(WIDE, max_root_tags=10**6, max_root_attributes=10**6)
    assert parse_page(markup, limits=roomy, on_limit="truncate").truncated == ()


def test_the_page_on_usage_has_the_limits() -> None:
    rows = re.findall(r"^\| `(max_\w+)` \| ([\d,]+) \|", USAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name: float(value.replace(",", "")) for name, value in rows} == asdict(Limits())


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


def test_formatting_that_is_rebuilt_too_often_is_cut_off() -> None:
    markup, limits = "<b a=1><i a=1><u a=1>" + "<p>x</p>" * 200, Limits(max_elements=100)
    with pytest.raises(LimitExceeded, match="max_elements"):
        bound_formatting(markup, 3, markup.count("<"), Budget(limits))
    budget = Budget(limits, truncate=True)
    assert markup.startswith(bound_formatting(markup, 3, markup.count("<"), budget))
    assert budget.truncated == ["max_elements"]
    for few in (0, 1):
        assert bound_formatting(markup, few, markup.count("<"), Budget(Limits(max_elements=500))) == markup
