"""What a page states: objects of JSON-LD, meta elements, addresses, texts and places of elements."""

import pytest

from tests import read_columns
from webclean.fields.statements import PageStatements, parse_script, read_names, read_things, read_written, split_tokens

HOST = "https://www.example.com"


def make_statements(markup: str, url: str | None = f"{HOST}/a/page") -> PageStatements:
    return PageStatements(read_columns(markup, url=url))


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Ann &amp; Bo ", ["Ann & Bo"]),
        (" ", []),
        (["Ann", ["x"], "Bo"], ["Ann", "Bo"]),
        ({"name": "Ann", "url": "x"}, ["Ann"]),
        ({"name": "", "@value": "Bo"}, ["Bo"]),
        ({"url": "x"}, ["x"]),
        ({"name": {"name": "x"}, "url": "y"}, []),
        ({"name": ["Ann", "Bo"]}, ["Ann", "Bo"]),
        (3, ["3"]),
        (True, []),
        (["x"] * 51, ["x"] * 50),
    ],
)
def test_names_are_literals_or_those_of_objects(value: object, names: list[str]) -> None:
    assert list(read_names(value)) == names


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Mill &amp;amp; wheel &#8211; &quot;again&quot;", 'Mill & wheel – "again"'),
        ("<p>Old <b>mill</b></p>", "Old mill"),
        ("Old<br/>mill", "Old mill"),
        ("<p>Cut off in the mid", "Cut off in the mid"),
        ("&lt;i&gt;Old&lt;/i&gt; mill", "Old mill"),
        ("30 years of <br> tags, List<T> and a < b > c", "30 years of <br> tags, List<T> and a < b > c"),
        ("https://x.com/?a=1&copy=2&lt=3", "https://x.com/?a=1&copy=2&lt=3"),
        ("AT&T; Q&A &unknown;", "AT&T; Q&A &unknown;"),
        ("Old\x07 \u202emill\n", "Old mill"),
    ],
)
def test_values_have_no_markup_that_was_escaped_once_too_often(written: str, text: str) -> None:
    assert read_written(written) == text


def test_objects_are_listed_with_their_key_and_depth_after_what_holds_them() -> None:
    script = (
        '{"@type": "https://schema.org/Article", "author": [{"@type": ["Person", "x:Writer"], "name": "Ann"}],'
        '"image": {"url": "i", "creator": {"@type": "Person"}}, "name": "A"}'
    )
    found = read_things([script, '[{"@type": "WebSite"}, {"name": "none"}]'])
    assert [(thing.types, thing.role, thing.depth) for thing in found] == [
        (("Article",), "", 0),
        (("Person", "Writer"), "author", 1),
        (("Person",), "creator", 2),
        (("WebSite",), "", 0),
    ]
    assert (found[0].texts("name"), found[0].texts("author"), found[0].texts("x")) == (["A"], ["Ann"], [])


@pytest.mark.parametrize(("n", "n_found"), [(1999, 1999), (2000, 2000), (2001, 2000)])
def test_objects_are_read_up_to_a_number(n: int, n_found: int) -> None:
    many = ",".join(['{"@type": "A"}'] * n)
    assert len(read_things([f"[{many}]"])) == n_found
    assert len(read_things([f"[{many}]", '{"@type": "B"}'])) == min(2000, n_found + 1)


@pytest.mark.parametrize(("depth", "n_found"), [(30, 1), (31, 0)])
def test_objects_are_read_down_to_a_depth(depth: int, n_found: int) -> None:
    assert len(read_things(['{"a":' * depth + '{"@type": "A"}' + "}" * depth])) == n_found


def test_long_scripts_are_not_read() -> None:
    script = '{"@type": "A"}'
    assert len(read_things([script.ljust(2_000_000)])) == 1
    assert read_things([script.ljust(2_000_001)]) == ()


@pytest.mark.parametrize(
    ("script", "values"),
    [
        ('{"a": "x\ny"}', [{"a": "x\ny"}]),
        (r'{"a": "\ud83d!"}', [{"a": "\ufffd!"}]),
        (r'{"a": "\ude00"}', [{"a": "\ufffd"}]),
        (r'{"a": "\ud83d\ude00"}', [{"a": "\U0001f600"}]),
        ('/* <![CDATA[ */ {"a": 1} /* ]]> */', [{"a": 1}]),
        ('<!-- {"a": 1} -->', [{"a": 1}]),
        ('//<![CDATA[\n{"a": 1}\n//]]>', [{"a": 1}]),
        ("{a: 1}", []),
        ("{", []),
        ("", []),
    ],
)
def test_common_faults_are_mended(script: str, values: list[object]) -> None:
    assert list(parse_script(script)) == values


@pytest.mark.parametrize("script", ["null", "[" * 100_000, '{"@type": 3}', '{"@type": ["A", null], "name": [[[]]]}'])
def test_broken_json_ld_never_raises(script: str) -> None:
    for thing in read_things([script]):
        assert thing.texts("name") == []


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("https://x.y/z", "https://x.y/z"),
        (" /b/c?d=e ", f"{HOST}/b/c?d=e"),
        ("/b/../c", f"{HOST}/c"),
        ("//x.y/z", "https://x.y/z"),
        ("c", f"{HOST}/a/c"),
        ("?p=2", f"{HOST}/a/page?p=2"),
        ("#x", ""),
        ("javascript:x()", ""),
        ("data:x", ""),
        ("", ""),
        ("http://a\x1bb/", "http://a%1Bb/"),
    ],
)
def test_addresses_become_absolute(href: str, url: str) -> None:
    assert make_statements("<p>x").absolute(href) == url
    assert make_statements("<p>x", None).absolute("c") == "c"


def test_texts_of_elements_leave_out_buttons_and_keep_words_apart() -> None:
    markup = (
        "<h1>One<br>two</h1><h2>Three <button>four</button></h2><div><p>five</p><p>si<b>x</b></p></div>"
        "<h3><b>seven</b></h3><div> eight </div><div></div><div>a<hr>b</div>"
    )
    statements = make_statements(markup)
    rows = [row for row, name in enumerate(statements.document.names) if name in ("h1", "h2", "h3", "div")]
    expected = ["One two", "Three", "five six", "seven", "eight", "", "a b"]
    assert [statements.read_text(row) for row in rows] == expected
    button = statements.document.names.index("button")
    assert statements.read_text(button) == "four"


def test_landmarks_hold_what_is_in_the_outermost() -> None:
    statements = make_statements(
        "<i></i><nav><i></i><aside><i></i></aside><i></i></nav><i></i><footer><i></i></footer>"
    )
    rows = [row for row, name in enumerate(statements.document.names) if name == "i"]
    assert [statements.is_in_landmark(row) for row in rows] == [False, True, True, True, False, True]


def test_meta_elements_are_read_by_any_of_their_names() -> None:
    statements = make_statements(
        "<meta property='og:title' name=title content=' A  b '><meta name=Title value=C><meta name=title content=''>"
        "<meta http-equiv=x itemprop=title content=D><p name=title content=E>"
    )
    assert list(statements.read_metas(("Title", "og:title", "none"))) == [
        ("A b", "meta Title"), ("C", "meta Title"), ("D", "meta Title"), ("A b", "meta og:title")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("datePublished", ["date", "published"]),
        ("post-date", ["post", "date"]),
        ("HTMLDate2", ["html", "date"]),
        ("a_1", ["a"]),
    ],
)
def test_names_are_cut_into_words(name: str, words: list[str]) -> None:
    assert split_tokens(name) == words
