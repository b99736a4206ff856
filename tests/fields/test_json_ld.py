"""Objects of JSON-LD: what they are, where they stand, and what is mended."""

from __future__ import annotations

import pytest

from webclean.fields.statements import parse_script, read_names, read_things


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
        (3, []),
        (["x"] * 51, ["x"] * 50),
    ],
)
def test_names_are_literals_or_those_of_objects(value: object, names: list[str]) -> None:
    assert list(read_names(value)) == names


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
        ('{"a": 1} {"b": 2}', [{"a": 1}, {"b": 2}]),
        ('{"a": 1};,\n {"b": 2}', [{"a": 1}, {"b": 2}]),
        ('{"a": 1} x', [{"a": 1}]),
        ('{"a": [1, 2,], }', [{"a": [1, 2]}]),
        ('{"a": "x\ny"}', [{"a": "x\ny"}]),
        (r'{"a": "\ud83d!"}', [{"a": "\ufffd!"}]),
        (r'{"a": "\ude00"}', [{"a": "\ufffd"}]),
        (r'{"a": "\ud83d\ude00"}', [{"a": "\U0001f600"}]),
        ('/* <![CDATA[ */ {"a": 1} /* ]]> */', [{"a": 1}]),
        ("{a: 1}", []),
        ("", []),
    ],
)
def test_common_faults_are_mended(script: str, values: list[object]) -> None:
    assert list(parse_script(script)) == values
