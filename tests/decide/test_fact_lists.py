"""Several facts in a row (label, colon, value) rise together."""

from __future__ import annotations

import numpy as np
import pytest

from tests.decide.test_regions import SENTENCE, list_points, read_columns
from webclean.decide.corrections import correct_fact_lists, find_fact_lists, find_pair_lists
from webclean.rules.decide_schema import FactLists, TypeShares

RULES = FactLists(points=2.0, counts=TypeShares(types={"product": 1.0}))
BOOK = ("Publisher: Harbour Press", "Date: June 2010", "ISBN-13: 9780000000002")


def write_list(*items: str) -> str:
    return f"<p>{SENTENCE}</p><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul><p>{SENTENCE}</p>"


def find(html: str, rules: FactLists = RULES) -> list[tuple[int, int]]:
    return list(find_fact_lists(read_columns(html), rules))


@pytest.mark.parametrize(
    ("items", "is_list"),
    [
        (BOOK, True),
        (BOOK[:2], False),
        (("出版社：海港出版社", "日期：2010年6月", "页数：528 页"), True),
        (("Автор: Иван Петров", "Страниц:сто", "Вес: 300 г"), True),
        (("10:30 opening", "11:45 talks", "12:00 lunch"), False),
        (("http://a.example/", "https://b.example/", "ftp://c.example/"), False),
        (("Bus:", "Tram:", "Boat:"), False),
        (("Opening", "Talks", "Lunch"), False),
        ((*BOOK[:2], "Weight: " + "x" * 140), False),
        ((*BOOK[:2], "A label that is far too long to be the name of a value: 5"), False),
        (("<a href=/p>Publisher: Harbour</a>", "<a href=/d>Date: June</a>", "<a href=/i>Pages: 50</a>"), False),
        (("Publisher: <a href=/p>Harbour</a>", "Date: June 2010", "Pages: 50"), True),
    ],
)
def test_labels_with_values_in_a_row_with_few_links(items: tuple[str, ...], is_list: bool) -> None:
    assert find(write_list(*items)) == ([(1, 1 + len(items))] if is_list else [])


def test_other_text_parts_lists_and_each_must_be_long_enough() -> None:
    html = write_list(*BOOK, "Sold out", *BOOK[:2], "By post", *BOOK)
    assert find(html) == [(1, 4), (8, 11)]


def test_facts_of_different_depth_are_no_list() -> None:
    assert find(f"<p>{BOOK[0]}</p><p>{BOOK[1]}</p><ul><li>{BOOK[2]}</ul>") == []


def test_facts_rise_as_far_as_the_page_is_of_a_type() -> None:
    columns, points = read_columns(write_list(*BOOK)), np.array([3.0, -1, -1, -1, 3])

    def gain(types: dict[str, float]) -> list[float]:
        return list_points(correct_fact_lists(columns, points, 0.0, RULES, types), points)

    assert gain({"product": 1.0}) == [0, 2, 2, 2, 0]
    assert gain({"product": 0.25, "forum": 0.75}) == [0, 0.5, 0.5, 0.5, 0]
    assert gain({"forum": 1.0}) == [0, 0, 0, 0, 0]


PAIR = "<div>{}<div>{}</div></div>"
TEE = (("Fit", "regular"), ("Fabric", "cotton"), ("Weight", "180 g"))


def write_pairs(pair: str, *pairs: tuple[str, str]) -> str:
    return "".join(pair.format(*texts) for texts in pairs or TEE)


@pytest.mark.parametrize(
    ("markup", "is_list"),
    [
        (write_pairs(PAIR), True),
        (write_pairs("<li><b>{}</b><p>{}</p></li>"), True),
        (f"<table>{write_pairs('<tr><th>{}</th><td>{}</td></tr>')}</table>", True),
        (write_pairs(PAIR, *TEE[:2]), False),
        (write_pairs("<p>{}</p><p>{}</p>"), False),
        (write_pairs("<div>{}<div>{}<p>more</p></div></div>"), False),
        (write_pairs(PAIR, *((label, value * 40) for label, value in TEE)), False),
        (write_pairs("<div>§ {}<div>{}</div></div>"), False),
        (write_pairs("<div><a href=/1>{}</a><div><a href=/2>{}</a></div></div>"), False),
        (write_pairs(PAIR, *TEE[:2]) + write_pairs(PAIR.replace("<div>{}<", "<p>{}<"), TEE[2]), False),
    ],
)
def test_labels_and_values_in_turn_each_pair_in_its_element(markup: str, is_list: bool) -> None:
    columns = read_columns(f"<p>{SENTENCE}</p><section>{markup}</section><p>{SENTENCE}</p>")
    assert find_pair_lists(columns, RULES) == ([(1, 7)] if is_list else [])
    alone = read_columns(f"<section>{markup}</section>")
    assert find_pair_lists(alone, RULES) == ([(0, 6)] if is_list else [])


def test_a_value_is_kept_with_its_label_where_most_labels_are() -> None:
    columns = read_columns(f"<p>{SENTENCE}</p><section>{''.join(PAIR.format(*pair) for pair in TEE)}</section>")

    def gain(*pairs: float) -> list[float]:
        points = np.array([3.0, *pairs])
        return list_points(correct_fact_lists(columns, points, 0.0, RULES, {"product": 1.0}), points)

    assert gain(1, -2, 2, 1, -1, -1) == [0, 0, 3, 0, 1, 0, 0]
    assert gain(-1, 2, 1, -1, 1, 1) == [0, 3, 0, 0, 2, 0, 0]
    assert gain(1, -2, -1, -1, -1, 2) == [0] * 7
