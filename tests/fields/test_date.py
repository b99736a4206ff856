import html
from datetime import UTC, datetime

import pytest

from tests.fields.pages import read_fields
from webclean.fields.date_text import prepare_reader, read_dates
from webclean.rules import load_rules

READER = prepare_reader(load_rules().fields.date, load_rules().dates)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2008-01-08 10:23", "2008-01-08T10:23:00"),
        ("2008年01月08日 10:23:05", "2008-01-08T10:23:05"),
        ("令和元年5月1日", "2019-05-01"),
        ("January 8, 2008", "2008-01-08"),
        ("Jan. 8th 2008 at 4:05 PM EST", "2008-01-08T16:05:00-05:00"),
        ("8 January 2008, 12:30 am", "2008-01-08T00:30:00"),
        ("3/4/2024", "2024-03-04"),
        ("25/4/2024", "2024-04-25"),
        ("Fri, 08 Jan 2010 10:23:00 +0800", "2010-01-08T10:23:00+08:00"),
        ("2024-02-30", None),
        ("version 1.2.2024.5", None),
        ("call 2008-1-999", None),
        ("May be 12 of 2000 people", None),
    ],
)
def test_dates_are_read_from_text(text: str, iso: str | None) -> None:
    found = next(read_dates(text, READER), None)
    assert (found.iso if found else None) == iso


def test_of_several_dates_under_one_key_the_first_counts() -> None:
    script = '{"@type": "Article", "datePublished": ["2023-04-05", "2023-04-01"]}'
    found = read_fields("<h1>Title</h1><p>Text</p>", head=f'<script type="application/ld+json">{script}</script>').date
    assert found.value == "2023-04-05"
    assert "2023-04-01" not in dict(found.alternatives)


META = '<meta property="article:published_time" content="{}">'
ARTICLE = '<meta property="og:type" content="article">'
FAR = "<div></div>" * (load_rules().fields.date.rows_below + 1)
POSTING = '<script type=\'application/ld+json\'>{"@type": "DiscussionForumPosting", "datePublished": "%s"}</script>'
IN_META = html.escape('{"@type": "Article", "datePublished": "2025-11-17"}')
SITE = "https://www.example.com"


@pytest.mark.parametrize(
    ("head", "line", "path", "value"),
    [
        pytest.param(META.format("2023-04-05T06:07:08+02:00"), "", "", "2023-04-05T06:07:08+02:00", id="meta element"),
        pytest.param(ARTICLE, "<p>Published March 5, 2024</p>", "", "2024-03-05", id="text without any markup"),
        pytest.param(ARTICLE, f"{FAR}<p>Published March 5, 2024</p>", "", None, id="far below the title"),
        pytest.param("", "<footer>© Example 2024-01-01</footer>", "", None, id="copyright line"),
        pytest.param("", "<p>02/12/2025</p><aside>25/11/2025</aside>", "", "2025-12-02", id="another day tells order"),
        pytest.param(META.format("2025-12-02"), "<p>02/12/2025</p>", "", "2025-12-02", id="a stated day tells order"),
        pytest.param("", "<p>02.12.2025</p>", "", "2025-12-02", id="dots: the day first"),
        pytest.param("", "<p>02.12.2025</p><aside>11.25.2025</aside>", "", "2025-02-12", id="dots of an American"),
        pytest.param(
            "", "<p>13 replies, last post Aug 7, 2025</p><p>#1 Aug 5, 2025</p>", "", "2025-08-05", id="last reply"
        ),
        pytest.param(
            POSTING % "2025-12-18T23:25:38+00:00",
            "<time datetime='2025-12-19T04:25:38+05:00'>Today</time>",
            *("", "2025-12-19T04:25:38+05:00"),
            id="the day of a moment in its own zone",
        ),
        pytest.param(
            "", "<h2>A story of trees, with a long heading</h2><p>December 15, 2025</p>", "/blog/a-b", "2025-12-15",
            id="a heading is no label",
        ),
        pytest.param(
            "<meta name='w-published-date' content='2025-05-27T06:03:43.274Z'>", "", "/blog/a-b-c-d",
            "2025-05-27T06:03:43Z", id="meta element of an unlisted name",
        ),
        pytest.param("", "<p>03/10/2023</p>", "/2023/october/03/trees/", "2023-10-03", id="URL with a named month"),
        pytest.param(
            META.format("2025-12-19T03:05:00+00:00"), "<time datetime='2025-12-18T22:05:00-05:00'>now</time>",
            "/2025/12/18/trees", "2025-12-18T22:05:00-05:00", id="the URL says which day a moment was",
        ),
        pytest.param(f'<meta name="script:ld+json" content="{IN_META}">', "", "", "2025-11-17", id="JSON-LD in a meta"),
        pytest.param(
            META.format("Mon Aug 03 12:45:00 EDT 2015"), "", "", "2015-08-03", id="as ctime writes it"
        ),
    ],
)  # fmt: skip
def test_the_date_of_a_page(head: str, line: str, path: str, value: str | None) -> None:
    found = read_fields(f"<h1>Trees in winter</h1>{line}<p>Text</p>", head=head, url=f"{SITE}{path or '/a/page'}").date
    assert found.value == value


def test_a_date_in_the_future_is_none() -> None:
    head = META.format("2023-04-05")
    # the day begins fourteen hours before that of UTC where it is first
    for hour, value in ((9, None), (10, "2023-04-05")):
        read = datetime(2023, 4, 4, hour, tzinfo=UTC)
        assert read_fields("<h1>T</h1>", head=head, reference=read).date.value == value


def test_a_date_is_read_where_a_text_begins() -> None:
    words = "word " * load_rules().fields.date.max_chars
    for text, iso in ((f"March 5, 2024. {words}", "2024-03-05"), (f"{words} March 5, 2024.", None)):
        assert read_fields(f"<h1>Title of it</h1><p>{text}</p>", head=ARTICLE).date.value == iso


def test_modified_is_told_from_published() -> None:
    head = (
        META.format("2023-04-05T06:07:08+02:00")
        + '<meta property="article:modified_time" content="2024-01-02T03:04:05Z">'
    )
    found = read_fields("<h1>Title of it</h1>", head=head)
    assert found.date.value == "2023-04-05T06:07:08+02:00"
    assert found.modified.value == "2024-01-02T03:04:05Z"


@pytest.mark.parametrize("text", ["发布时间：18-03-08 23:16", "日期: 18-03-08"])
def test_chinese_date_with_a_short_year(text: str) -> None:
    assert [found.iso[:10] for found in read_dates(text, READER)] == ["2018-03-08"]
