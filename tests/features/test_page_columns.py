"""What is computed of a page is computed once; amounts of money and dates are found alike by every stage."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

import webclean
from tests import read_table, write_file
from webclean.blocks.text_blocks import find_text_blocks
from webclean.caching import cached_per_page
from webclean.errors import RuleError
from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.features.page_columns import PriceDateFinder, compile_prices_dates
from webclean.features.page_words import find_names
from webclean.features.words import CompiledWordPoints
from webclean.model import PageCache
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

PAGES = sorted((Path(__file__).parents[2] / "fixtures" / "content").glob("*/input.html"))[:4]


@dataclass(frozen=True)
class Counted:
    """A page that knows how often something was computed of it."""

    calls: list[object] = field(default_factory=list)
    cache: PageCache = field(default_factory=PageCache)


@cached_per_page
def count_calls(page: Counted, *given: object) -> int:
    page.calls.append(given)
    return len(page.calls)


def test_a_function_is_computed_once_a_page() -> None:
    one, other = Counted(), Counted()
    assert [count_calls(one), count_calls(one), count_calls(other)] == [1, 1, 1]
    assert len(one.calls) == len(other.calls) == 1


def test_other_arguments_are_computed_anew_and_compared_by_identity() -> None:
    page, first, second = Counted(), np.zeros(3), np.zeros(3)
    assert [count_calls(page, first), count_calls(page, first), count_calls(page, second), count_calls(page)] == [
        *(1, 1),
        2,
        3,
    ]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_columns_under_other_words_are_those_of_a_fresh_page(path: Path) -> None:
    document = parse_page(path)
    known = build_columns(document, load_rules())
    for name in BLOCK_FEATURES:
        measure(known, name)
    points = CompiledWordPoints(names={"nav": -1.0, "main": 2.0}, words={"share": -3.0}, headings={"related": -2.0})
    view, fresh = (
        replace(known, word_points=points),
        PageColumns(document, find_text_blocks(document), points, known.prices_dates),
    )
    for name in BLOCK_FEATURES:
        assert measure(view, name).tolist() == measure(fresh, name).tolist(), name
    assert find_names(view) is find_names(known)


LIST = "<ul>{}</ul>".format(
    "".join(
        f"<li><h3><a href=/p/{n}>Drum lamp, number {n}</a></h3><p>A lamp of beech and linen.</p><b>{price}</b></li>"
        for n, price in enumerate(["50 Taler"] * 6)
    )
)


@pytest.fixture
def finder() -> PriceDateFinder:
    rules = load_rules()
    return compile_prices_dates(rules.prices, rules.dates)


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("$5.20 a cup, $1,299.00 a case", ["$5.20", "$1,299.00"]),
        ("von 12,50 € bis 20 €", ["12,50 €", "20 €"]),
        ("¥300 / 300円 / 300 元", ["¥300", "300円", "300 元"]),
        ("USD 40 or 40 usd or us$ 40", ["USD 40", "40 usd", "us$ 40"]),
        ("$5 USD", ["$5"]),
        ("30 kr, 30 kraft, 99 zł", ["30 kr", "99 zł"]),
        ("1 399,00 €, 12\u00a0500 Kč, 3\u202f599\u202f€", ["1 399,00 €", "12\u00a0500 Kč", "3\u202f599\u202f€"]),
        ("in 2024 399 €, at number 12, 40 €", ["399 €", "40 €"]),
        ("amateur 5, 5 europeans, room 12", []),
    ],
)
def test_amounts_of_money(text: str, amounts: list[str], finder: PriceDateFinder) -> None:
    assert [match.group(0) for match in finder.prices.finditer(text)] == amounts
    data = text.encode()
    assert [data[slice(*spans[0])].decode() for spans in finder.prices.list_spans(data)] == amounts


@pytest.mark.parametrize(*read_table(Path(__file__).parent / "listed_dates.tsv"))
def test_dates_as_lists_show_them(text: str, date: str, finder: PriceDateFinder) -> None:
    found = finder.date_texts.search(text)
    assert (found.group(0) if found else "") == date


def test_blocks_are_counted_whatever_scripts_stand_before_them() -> None:
    html = "<p>早上好 😀 é</p><p>12,50 € or $3</p><p>in 2024, on 3.5.2024 at 10:20</p><p>nothing</p>"
    columns = build_columns(parse_page(html))
    assert measure(columns, "n_dates").tolist() == [0, 0, 3, 0]


def test_without_rules_nothing_is_found() -> None:
    nothing = PriceDateFinder()
    assert not nothing.prices.list_spans(b"$5 in 2024\n")
    assert not nothing.first_of_line.list_spans(b"$5 in 2024\n")
    assert nothing.date_texts.search("2024-05-03") is None


def test_one_line_of_a_rule_file_teaches_every_stage_a_currency(tmp_path: Path) -> None:
    path = write_file(tmp_path / "taler.yaml", "prices: {words_after: [taler]}\n")
    for rules, price in ((None, None), (path, "50 Taler")):
        page = webclean.Cleaner(rules=rules).clean(f"<h1>Lamps</h1>{LIST}")
        records = [record for block in page.blocks for record in block.records]
        assert [record.price for record in records] == [price] * 6


def test_an_expression_that_cannot_be_used_is_an_error_of_the_rules(tmp_path: Path) -> None:
    path = write_file(tmp_path / "broken.yaml", "dates: {glimpses: ['(']}\n")
    with pytest.raises(RuleError, match="`prices` or `dates`"):
        webclean.clean("<p>In 2024 it rained.</p>" * 3, rules=path)


def test_dates_are_counted_in_blocks_of_at_most_300_characters() -> None:
    for n_chars, n_dates in ((300, 1), (301, 0)):
        columns = build_columns(parse_page(f"<p>2 May 2024 {'x' * (n_chars - 11)}</p>"))
        assert columns.n_text_chars.tolist() == [n_chars]
        assert measure(columns, "n_dates").tolist() == [n_dates]
