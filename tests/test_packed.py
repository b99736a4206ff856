"""Packed bytes are read up to one byte more than the maximum."""

from __future__ import annotations

import gzip

import pytest

from webclean.packed import unpack


@pytest.mark.parametrize("maximum", [0, 1, 9, 10, 11, 200_000])
@pytest.mark.parametrize("n", [10, 70_000, 140_000])
def test_what_is_inside_up_to_one_byte_more_than_the_maximum(n: int, maximum: int) -> None:
    inside = bytes(at % 251 for at in range(n))
    assert unpack(gzip.compress(inside), maximum) == inside[: maximum + 1]


def test_other_bytes_are_as_they_are() -> None:
    for data in (b"", b"<p>x", b"\x1f\x8b", b"\x1f\x8b\x08", b"\x1f\x8b\x08damaged", b"x" + gzip.compress(b"a")):
        assert unpack(data, 2) == data


def test_what_is_before_the_damage_is_read() -> None:
    first = gzip.compress(b"first")
    assert unpack(first + b"\x1f\x8b\x08damaged", 100) == b"first"
