"""Which names of elements a program wrote."""

from __future__ import annotations

import msgspec
import pytest

from webclean.rules import load_rules
from webclean.workbench.starter import explain_generated

LIMITS = load_rules().generated_names


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("_1obkpk73", "letters and digits mixed"),
        ("css-1q2w3e", "letters and digits mixed"),
        ("Header_title__1a2B3", "letters and digits mixed"),
        ("styles__Title-sc-1xk2p9-0", "letters and digits mixed"),
        ("svelte-1tky8bj", "letters and digits mixed"),
        ("astro-J7PV25F6", "letters and digits mixed"),
        ("sc-abc123", "no word after 'sc'"),
        ("CSS-aBc", "no word after 'css'"),
        ("sc-bdVaJa", "capitals at random"),
        ("kYRdUX", "capitals at random"),
        ("jsx-3847562910", "a number of 10 digits"),
        ("post-1844", "a number of 4 digits"),
        ("ember1234", "a number of 4 digits"),
        ("jss123", "no vowel"),
        ("XKCDFG", "no vowel"),
    ],
)
def test_generated_names_are_told_with_what_shows_it(name: str, reason: str) -> None:
    assert explain_generated(name, LIMITS) == reason


NAMES = """entry-content col-md-8 h2title step2go isHtml5Video backToTop goToTop navBarTop html5 sc-button css-grid mt-4
top100 post-184 article__body nytimes mw-parser-output btnlg 文章内容 überschrift xs12 2col a1b2 - 123 rhythm"""


@pytest.mark.parametrize("name", ["", *NAMES.split()])
def test_names_that_people_write_last(name: str) -> None:
    assert explain_generated(name, LIMITS) == ""


def test_the_limits_are_settings() -> None:
    strict = msgspec.structs.replace(LIMITS, min_chars=4, max_digits=2, vowelless=5, piece_chars=3.0, prefixes=["post"])
    assert explain_generated("a1b2", strict) == "letters and digits mixed"
    assert explain_generated("post-184", strict) == "a number of 3 digits"
    assert explain_generated("btnlg", strict) == "no vowel"
    assert explain_generated("navBarTop", strict) == "capitals at random"
    assert explain_generated("post-x1", strict) == "no word after 'post'"
    loose = msgspec.structs.replace(LIMITS, switches=9, pieces=4, max_digits=9, vowelless=9, prefixes=())
    assert explain_generated("css-1q2w3e", loose) == explain_generated("sc-bdVaJa", loose) == ""


def test_a_name_without_a_digit_has_no_number() -> None:
    strict = msgspec.structs.replace(LIMITS, max_digits=0)
    assert explain_generated("lead", strict) == ""
    assert explain_generated("lead-1", strict) == "a number of 1 digits"
