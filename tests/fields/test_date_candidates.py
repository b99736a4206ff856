"""What counts for and against each day that a page states: features of candidates, to the element and character."""

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.fields.candidates import collect
from webclean.fields.candidates import Candidate
from webclean.fields.date import Statement, compare_days, group_by_day
from webclean.fields.date_text import (
    FoundDate,
    infer_day_order,
    prepare_reader,
    read_dates,
    read_iso,
    read_label,
    read_url,
)
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

RULES = load_rules()
READER = prepare_reader(RULES.fields.date, RULES.dates)
TEXT = {"text": 1, "text_short": 1, "text_line": 1}
PLAIN = {**TEXT, "text_plain": 1}
FIRST = {"text_first": 1, "text_first_below": 1}


def list_days(markup: str, url: str | None = None) -> dict[str, dict[str, float]]:
    """The end of each value (day, or time) -> the features of its candidate."""
    columns = build_columns(parse_page(markup, url=url), RULES)
    return {found.value.removeprefix("2023-05-"): found.features for found in dict(collect(columns))["date"]}


def test_meta_elements_say_what_they_state_and_which_is_first() -> None:
    published = "<meta property='article:published_time' content='{}'><meta name=pubdate content='{}'>"
    modified = "<meta property='article:modified_time' content='May 6, 2023'><meta name=lastmod content='2023-05-04'>"
    assert list_days(published.format("2023-05-04", "2023-05-05") + modified) == {
        "04": {"meta_published": 1, "meta_modified": 1},
        "05": {"meta_published": 1, "meta_tells_both": 1},
        "06": {"meta_modified": 1, "meta_modified_first": 1, "only_modified": 1},
    }


@pytest.mark.parametrize(("n", "is_read"), [(40, True), (41, False)])
def test_meta_elements_of_unlisted_names_are_short(n: int, *, is_read: bool) -> None:
    markup = f"<meta name=w-published-date content='{'2023-05-04 and'.ljust(n, 'x')}'>"
    assert list_days(markup) == ({"04": {"meta_like_published": 1}} if is_read else {})
    assert list_days(markup.replace("published", "modified")) == ({"04": {"meta_like_modified": 1}} if is_read else {})
    both = "<meta name=w-published-date content=2023-05-04><meta name=w-modified-date content=2023-05-04>"
    assert list_days(both) == {"04": {"meta_like_published": 1}}


def test_microdata_is_read_from_its_attributes_or_its_text() -> None:
    markup = (
        "<h1>T</h1><i itemprop=datePublished content='2023-05-04'>x</i><i itemprop=datePublished>May 5, 2023</i>"
        "<i itemprop=dateModified datetime=' 2023-05-07 ' content='2023-05-08'>y</i>"
        "<i itemprop=dateModified content=' '>2023-05-09</i>"
    )
    found = {day: {name for name in features if "itemprop" in name} for day, features in list_days(markup).items()}
    assert found == {
        "04": {"itemprop_published"},
        "05": {"itemprop_published"},
        "07": {"itemprop_modified"},
        "09": {"itemprop_modified"},
    }


def test_time_elements_say_their_class_and_distance() -> None:
    markup = (
        "<time datetime=2023-05-03>x</time><h1>T</h1><time datetime=2023-05-04>x</time>"
        "<time pubdate datetime=2023-05-05>x</time><p><time datetime=x class=modified>2023-05-08</time>"
    )
    assert list_days(markup) == {
        "03": {"time": 1, "time_first": 1, "time_distance": -1},
        "04": {"time": 1, "time_first_below": 1, "time_distance": 1},
        "05": {"time": 1, "time_published": 1, "time_distance": 2},
        "08": {"time": 1, "time_modified": 1, "time_distance": 4, **PLAIN, "text_distance": 5, **FIRST},
    }


@pytest.mark.parametrize(("between", "counts"), [("{}", True), ("<i>{}</i>", True), ("<i><u>{}</u></i>", False)])
def test_the_class_of_a_time_may_stand_two_elements_above_it(between: str, *, counts: bool) -> None:
    markup = f"<h1>T</h1><b class=published>{between.format('<time datetime=2023-05-04>x</time>')}</b>"
    assert ("time_published" in list_days(markup)["04"]) is counts


def test_a_date_for_machines_may_stand_in_a_title() -> None:
    titled = "<h1>T</h1><p><a title='2023-05-04'>2 days ago</a></p><p><a title='May 5, 2023'>1 day ago</a></p>"
    assert list_days(titled) == {"04": {"attribute": 1, "attribute_published": 1, "time_distance": 2}}


@pytest.mark.parametrize(
    "shown",
    [
        "<span title=2023-05-04T09:00><a>3 hours ago</a></span>",
        "<abbr title=2023-05-04T09:00>Thursday</abbr>",
        "<span datetime=2023-05-04T09:00>Thursday</span>",
        "<span data-date=2023-05-04T09:00>Thursday</span>",
        "<span data-timestamp=1683190800>Thursday</span>",
        "<span data-timestamp=1683190800000>Thursday</span>",
    ],
)
def test_a_day_for_machines_stands_in_attributes(shown: str) -> None:
    assert any(day.startswith("04") for day in list_days(f"<h1>T</h1><p>{shown}</p>"))


@pytest.mark.parametrize("shown", ["<ins datetime=2023-05-04>Thursday</ins>", "<b data-timestamp=16831>Thursday</b>"])
def test_other_attributes_have_no_day(shown: str) -> None:
    assert list_days(f"<h1>T</h1><p>{shown}</p>") == {}


def test_texts_say_their_place_and_their_label() -> None:
    markup = (
        "<p>x</p><p>2023-05-01</p><p>y</p><h1>T</h1><p>2023-05-04</p><p>Published 2023-05-05</p>"
        "<p>Updated 2023-05-06 and more</p><nav>2023-05-08</nav><p>© 2023-05-07</p>"
    )
    assert list_days(markup) == {
        "01": {**PLAIN, "text_first": 1, "text_distance": -1},
        "04": {**PLAIN, "text_first_below": 1, "text_distance": 2},
        "05": {**TEXT, "text_published": 1, "text_distance": 3},
        "06": {
            **TEXT,
            "text_modified": 1,
            "text_distance": 4,
            "only_modified": 1,
            "surely_modified": 1,
            "said_modified": 1,
        },
        "08": {**PLAIN, "text_in_landmark": 1, "text_distance": 5},
    }
    assert list_days("<p>2023-05-04</p>") == {"04": {**PLAIN, "text_first": 1}}


@pytest.mark.parametrize(("n", "is_short"), [(59, True), (60, False)])
def test_a_short_text_has_fewer_than_sixty_characters(n: int, *, is_short: bool) -> None:
    assert ("text_short" in list_days(f"<h1>T</h1><p>{'2023-05-05 '.ljust(n, 'x')}</p>")["05"]) is is_short


@pytest.mark.parametrize(("n", "is_link"), [(10, False), (11, True)])
def test_a_text_in_a_link_is_more_than_half_of_it(n: int, *, is_link: bool) -> None:
    markup = f"<h1>T</h1><p>2023-05-05<a href=x>{'x' * n}</a></p>"
    assert ("text_in_link" in list_days(markup)["05"]) is is_link


@pytest.mark.parametrize(("n", "is_label"), [(40, True), (41, False)])
def test_a_label_stands_in_the_forty_characters_before_a_date(n: int, *, is_label: bool) -> None:
    markup = f"<h1>T</h1><p>{'Published '.ljust(n, 'x')[:-1]} 2023-05-05</p>"
    assert ("text_published" in list_days(markup)["05"]) is is_label
    assert len(read_label("x" * 100, 90)) == 40
    assert read_label("abc", 2) == "ab"
    assert len(read_label("木" * 100, 90)) == 16
    assert len(read_label("é" * 100, 90)) == 40


@pytest.mark.parametrize(
    ("label", "is_label"), [("Published".ljust(24, "."), True), ("Published".ljust(25, "."), False)]
)
@pytest.mark.parametrize(("before", "is_bare"), [("", True), ("x ", True), ("on ", False)])
def test_a_short_text_before_one_that_begins_with_a_date_is_its_label(
    label: str, before: str, *, is_label: bool, is_bare: bool
) -> None:
    found = list_days(f"<h1>T</h1><p>{label}</p><p>{before}2023-05-05</p>")
    assert ("text_published" in found["05"]) is (is_label and is_bare)


@pytest.mark.parametrize(("day", "value"), [(4, "04"), (5, "05T10:00:00Z"), (6, "06")])
def test_a_time_element_may_show_the_day_of_another_time_zone(day: int, value: str) -> None:
    markup = "<h1>T</h1><p><time datetime=2023-05-05T10:00Z>May {}, 2023</time></p>"
    (found,) = list_days(markup.format(day)).items()
    assert found[0] == value
    assert {"time", "text"} <= set(found[1])
    for far in (3, 7):
        assert "text" not in list_days(markup.format(far))["05T10:00:00Z"]


@pytest.mark.parametrize(
    ("other", "day"),
    [
        ("13/04/2023", "2023-04-03"),
        ("04/13/2023", "2023-03-04"),
        ("April 3, 2023", "2023-04-03"),
        ("March 4, 2023", "2023-03-04"),
        ("May 1, 2023", "2023-03-04"),
        ("05/05/2023", "2023-03-04"),
    ],
)
def test_one_date_decides_whether_day_or_month_is_first(other: str, day: str) -> None:
    assert next(iter(list_days(f"<h1>T</h1><p>03/04/2023</p><p>{other}</p>"))) == day


def test_the_order_of_day_and_month_is_told_by_days_that_are_sure() -> None:
    first = FoundDate(date(2023, 3, 4), "2023-03-04", 0, 10, "month?")
    assert infer_day_order([first], ()) == ""
    assert infer_day_order([first], (date(2023, 4, 3),)) == "day"
    assert infer_day_order([first], (date(2023, 3, 4),)) == ""
    assert infer_day_order([first], (date(2023, 3, 4), date(2023, 4, 3))) == ""
    assert infer_day_order([first, FoundDate(date(2023, 4, 3), "", 0, 0)], ()) == "day"
    assert infer_day_order([first, first._replace(order="month")], ()) == "month"
    swapped = first._replace(iso="2023-03-04T10:00:00Z").swapped
    assert (swapped.day, swapped.iso, swapped.order) == (date(2023, 4, 3), "2023-04-03T10:00:00Z", "day?")
    assert swapped.swapped == first._replace(iso="2023-03-04T10:00:00Z")


@pytest.mark.parametrize(("below", "is_read"), [(0, True), (1, False)])
def test_texts_are_read_down_to_a_row_below_the_title(below: int, *, is_read: bool) -> None:
    between = "<i></i>" * (RULES.fields.date.rows_below - 2 + below)
    assert (list_days(f"<h1>T</h1>{between}<p>2023-05-05</p>") != {}) is is_read
    above = "<i></i>" * (RULES.fields.date.rows_above + below)
    assert (list_days(f"<p>2023-05-05</p>{above}<h1>T</h1>") != {}) is is_read


@pytest.mark.parametrize(
    ("text", "iso", "instant"),
    [
        ("2024-03-05T10:23:45.678Z", "2024-03-05T10:23:45Z", datetime(2024, 3, 5, 10, 23, 45, tzinfo=UTC)),
        ("2024-03-05T10:23+0130", "2024-03-05T10:23:00+01:30", datetime(2024, 3, 5, 8, 53, tzinfo=UTC)),
        ("2024-03-05T10:23-05", "2024-03-05T10:23:00-05:00", datetime(2024, 3, 5, 15, 23, tzinfo=UTC)),
        ("2024-03-05T10:23 GMT", "2024-03-05T10:23:00Z", datetime(2024, 3, 5, 10, 23, tzinfo=UTC)),
        ("2024-03-05T10:23+99:00", "2024-03-05T10:23:00+99:00", None),
        ("2024-03-05T10:23", "2024-03-05T10:23:00", None),
        ("2024-03-05T24:00Z", "2024-03-05", None),
        ("2024-03-05", "2024-03-05", None),
        (" 19991231 ", "1999-12-31", None),
    ],
)
def test_moments_are_those_with_a_time_and_a_zone(text: str, iso: str, instant: datetime | None) -> None:
    found = read_iso(text)
    assert found is not None
    assert (found.iso, found.instant, found.has_time) == (iso, instant, len(iso) > 10)


@pytest.mark.parametrize(
    "text", ["1899-12-31", "2100-01-01", "2024-13-05", "2024-00-05", "2024-03-32", "2024-03-051", "x 2024-03-05", ""]
)
def test_what_is_no_date_of_a_machine(text: str) -> None:
    assert read_iso(text) is None


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("on 2024-03-05 10:23 and March 6, 2024", [("2024-03-05T10:23:00", 3, 20), ("2024-03-06", 24, 37)]),
        ("5/6/2024 12:00 pm", [("2024-05-06T12:00:00", 0, 17)]),
        ("5/6/2024 12:00 am", [("2024-05-06T00:00:00", 0, 17)]),
        ("x" * 400 + " 2024-03-05", []),
        ("x" * 389 + " 2024-03-05", [("2024-03-05", 390, 400)]),
    ],
)
def test_dates_of_a_text_have_places(text: str, spans: list[tuple[str, int, int]]) -> None:
    assert [(found.iso, found.start, found.end) for found in read_dates(text, READER)] == spans


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("3/4/2024", "month?"),
        ("3/3/2024", ""),
        ("12/13/2024", "month"),
        ("13/12/2024", "day"),
        ("12/11/2024", "month?"),
        ("3.4.2024", "day?"),
        ("March 4, 2024", ""),
    ],
)
def test_dates_say_how_sure_their_order_is(text: str, order: str) -> None:
    assert [found.order for found in read_dates(text, READER)] == [order]


def test_days_of_addresses() -> None:
    found = read_url("https://x.net/2024/03/05/a", READER)
    assert found is not None
    assert found.iso == "2024-03-05"
    assert read_url("https://x.net/2024/13/05/a", READER) is None


def state(text: str, *features: str, source: str = "s", row: int = -1, near: int | None = None) -> Statement:
    found = read_iso(text)
    assert found is not None
    return Statement(found, source, features, row, found.instant, None if near is None else ("far", near))


def group(*statements: Statement) -> dict[str, tuple[str, dict[str, float]]]:
    found = group_by_day(statements)
    return {str(day): (candidate.value, candidate.features) for day, candidate in found.items()}


def test_the_most_precise_statement_of_a_day_is_its_value() -> None:
    statements = state("2024-03-05", "a"), state("2024-03-05T10:00", "b", row=7), state("2024-03-05T11:00", "c")
    assert group(*statements) == {"2024-03-05": ("2024-03-05T10:00:00", {"a": 1, "b": 1, "c": 1})}
    assert group_by_day(statements[1:])[date(2024, 3, 5)].row == 7


def test_of_several_distances_the_smallest_counts() -> None:
    distances = [state("2024-03-05", near=near) for near in (9, -4, 5)]
    assert group(*distances) == {"2024-03-05": ("2024-03-05", {"far": -4})}


UTC_EARLY, LOCAL = "2024-03-05T01:00:00Z", "2024-03-04T20:00:00-05:00"


@pytest.mark.parametrize(
    ("statements", "days"),
    [
        ([state(UTC_EARLY, "x"), state(LOCAL, "y")], ["2024-03-04"]),
        ([state(UTC_EARLY, "meta_published"), state(LOCAL, "y")], ["2024-03-05"]),
        ([state(UTC_EARLY, "x"), state(LOCAL, "y"), state("2024-03-05", "url", source="url")], ["2024-03-05"]),
        ([state(UTC_EARLY, "x"), state("2024-03-05T02:00:00+01:00", "y")], ["2024-03-05"]),
        ([state(UTC_EARLY, "x"), state("2024-03-04T21:00:00-05:00", "y")], ["2024-03-05", "2024-03-04"]),
    ],
)
def test_one_moment_is_one_day(statements: list[Statement], days: list[str]) -> None:
    assert list(group(*statements)) == days


@pytest.mark.parametrize(
    ("clock", "merged"),
    [("00:00", {4}), ("09:59", {4}), ("10:00", {4, 6}), ("11:59", {4, 6}), ("12:00", {6}), ("23:59", {6})],
)
def test_a_shown_day_is_that_of_a_moment_in_some_zone(clock: str, merged: set[int]) -> None:
    """Zones are at most twelve hours behind and fourteen ahead."""
    meta = state(f"2024-03-05T{clock}:00Z", "meta_published")
    for day in (3, 4, 6, 7):
        shown = state(f"2024-03-{day:02d}", "text")
        assert (list(group(meta, shown)) == ["2024-03-05"]) is (day in merged)
        hidden = state(f"2024-03-{day:02d}", "json_ld_published")
        assert len(group(meta, hidden)) == 2
        assert len(group(meta, shown, hidden)) == 2
        assert len(group(meta, state(f"2024-03-{day:02d}T05:00:00", "text"))) == 2
    labelled = state("2024-03-04", "text", "text_published"), state("2024-03-04", "json_ld_published")
    assert ("text_published" in group(meta, *labelled)["2024-03-05"][1]) is (4 in merged)


def compare(**features: str) -> dict[str, set[str]]:
    """Days d1, d2, ... with features -> the features that comparing the days has added."""
    days = {
        date(2024, 1, int(name[1:])): Candidate("", "", dict.fromkeys(own.split(), 1.0))
        for name, own in features.items()
    }
    compare_days(days)
    return {
        f"d{day.day}": set(candidate.features) - set(features[f"d{day.day}"].split()) for day, candidate in days.items()
    }


@pytest.mark.parametrize(
    ("days", "added"),
    [
        ({"d1": "meta_published", "d2": "text"}, {"d2": {"told_beside_stated"}}),
        ({"d1": "meta_published", "d2": "text text_short text_line text_distance"}, {}),
        ({"d1": "meta_published", "d2": "text text_short text_line"}, {"d2": {"told_beside_stated"}}),
        ({"d1": "meta_published", "d2": "time time_first"}, {"d2": {"told_beside_stated"}}),
        ({"d1": "time_published", "d2": "time time_first"}, {}),
        (
            {"d2": "text text_published", "d3": "text_published text_line"},
            {"d2": {"told_beside_stated"}},
        ),
        ({"d2": "text", "d3": "text_modified text_line"}, {"d2": {"told_beside_stated"}}),
        (
            {"d2": "meta_published", "d3": "meta_modified"},
            {"d2": {"meta_tells_both"}, "d3": {"only_modified"}},
        ),
        ({"d2": "meta_published meta_modified", "d3": "text_line text_distance"}, {}),
        ({"d2": "text_published", "d3": "text text_modified text_line"}, {"d3": {"only_modified", "said_modified"}}),
        (
            {"d2": "meta_published", "d3": "text_line text_modified"},
            {"d3": {"only_modified", "said_modified", "surely_modified"}},
        ),
        (
            {"d2": "meta_like_published", "d3": "text_line text_modified"},
            {"d3": {"only_modified", "said_modified", "surely_modified"}},
        ),
        (
            {"d2": "json_ld_published", "d3": "text text_line text_plain text_modified"},
            {"d3": {"modified_shown_plain"}},
        ),
        (
            {"d2": "text_published", "d3": "text itemprop_modified"},
            {"d3": {"modified_shown_plain"}},
        ),
        (
            {"d2": "text_published", "d3": "itemprop_modified time_modified"},
            {"d3": {"only_modified", "said_modified"}},
        ),
        ({"d2": "text", "d3": "text_modified"}, {}),
        (
            {"d2": "text_published text_line", "d3": "text_line text_modified"},
            {"d3": {"only_modified", "surely_modified", "said_modified"}},
        ),
        (
            {"d2": "json_ld_published page_published", "d3": "json_ld_modified"},
            {"d3": {"only_modified", "surely_modified"}},
        ),
    ],
)
def test_the_days_of_a_page_are_compared(days: dict[str, str], added: dict[str, set[str]]) -> None:
    assert {day: found for day, found in compare(**days).items() if found} == added


def test_a_day_that_may_be_of_both_is_of_publication() -> None:
    found = {date(2024, 1, 1): Candidate("", "", {"meta_like_published": 1.0, "meta_like_modified": 1.0})}
    compare_days(found)
    assert found[date(2024, 1, 1)].features == {"meta_like_published": 1.0}
    alone = {date(2024, 1, 1) + timedelta(1): Candidate("", "", {"meta_like_modified": 1.0})}
    compare_days(alone)
    assert next(iter(alone.values())).features == {"meta_like_modified": 1.0}


def test_days_far_above_the_title_are_not_the_first_of_the_page() -> None:
    def find(n: int) -> dict[str, dict[str, float]]:
        clock = f"<time>2023-05-09</time>{'<i></i>' * n}"
        return list_days(f"<title>Mill</title>{clock}<h1>Mill</h1><p><time>2023-05-02</time>")

    for n, first in ((30, "09"), (50, "02")):
        assert {day for day, features in find(n).items() if "time_first" in features} == {first}
        assert {day for day, features in find(n).items() if "text_first" in features} == {first}


def test_the_day_of_a_moment_in_utc_is_that_of_the_address() -> None:
    head = "<meta property=article:published_time content=2023-05-19T02:41:41+00:00><h1>Mill</h1><p>Text"
    assert set(list_days(head, "https://example.com/2023/05/18/mill")) == {"18"}
    assert set(list_days(head, "https://example.com/mill")) == {"19T02:41:41+00:00"}
    # no zone is that far from another
    assert set(list_days(head, "https://example.com/2023/05/17/mill")) == {"17", "19T02:41:41+00:00"}
