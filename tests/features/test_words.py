"""Words as columns say what words as strings say."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean.features.words import (
    LONGEST,
    LONGEST_NAME,
    cut_names,
    cut_words,
    make_lexicon,
    make_word_set,
    split_name,
)

TEXTS = [
    "the river, the sea",
    "",
    "河流发源于山中，蜿蜒流向大海",
    "2024 a1b_c",
    "x" * (LONGEST + 1),
    "\ud800 \U00020000𝒳 \u0130",
]


def cut_slowly(texts: list[str]) -> list[tuple[int, str]]:
    cut = (re.findall(r"[^\W\d_]+", text) if len(text) <= LONGEST else [] for text in texts)
    return [(number, word) for number, words in enumerate(cut) for word in words]


@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=40), max_size=8))
@pytest.mark.parametrize("more", [[], TEXTS, TEXTS * 300], ids=["given", "chosen", "several parts"])
def test_words_are_the_runs_of_letters(more: list[str], texts: list[str]) -> None:
    texts = [*more, *texts]
    words, slow = cut_words(texts), cut_slowly(texts)
    assert list(zip(words.text.tolist(), words.length.tolist(), strict=True)) == [(n, len(word)) for n, word in slow]
    key_of = dict(zip((word for _, word in slow), words.key.tolist(), strict=True))
    assert [key_of[word] for _, word in slow] == words.key.tolist()
    assert len(set(key_of.values())) == len(key_of)


def find_name_words(names: list[str]) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in names]
    words = cut_names(names)
    for number, key in zip(words.text.tolist(), words.key.tolist(), strict=True):
        found[number].add(key)
    return found


@given(st.lists(st.text("abXYZ -_1äÄ中\n", max_size=30) | st.text(max_size=20), max_size=8))
def test_names_are_cut_as_one_by_one(names: list[str]) -> None:
    no_pair = {"\u212a", "\u0130"}  # their small letters are of ASCII, or two
    names = [name for name in names if not no_pair & set(name)]
    assert find_name_words(names) == [{int(cut_words([w]).key[0]) for w in split_name(name)} for name in names]


def test_many_and_long_names_are_cut_in_parts() -> None:
    names = ["adBanner XMLHead"] * 20_000
    names[7_000] = "x " * LONGEST_NAME
    found = find_name_words(names)
    assert found[0] == found[-1] == set(cut_words(["ad banner xml head"]).key.tolist())
    assert found[7_000] == set(cut_words(["x"]).key.tolist())


@given(st.sets(st.text("abc", min_size=1, max_size=6), max_size=300))
def test_a_set_finds_all_its_words_and_no_others(known: set[str]) -> None:
    given = ["".join(word) for n in range(1, 5) for word in product("abc", repeat=n)]
    found = make_lexicon(known).keys.find(cut_words(given))[0]
    assert [given[at] for at in found.tolist()] == [word for word in given if word in known]


def test_a_set_finds_its_words() -> None:
    words = cut_words(["tea and cup", "and tea"])
    rows, place = make_word_set(cut_words(["tea", "cup", "tea"]).key).find(words)
    assert rows.tolist() == [0, 2, 4]
    assert np.unique(place).tolist() == [0, 1]
    assert place[0] == place[2]


def test_a_text_of_more_than_400_characters_counts_as_empty() -> None:
    assert cut_words(["x" * 400, "y" * 401, "z"]).text.tolist() == [0, 2]


def test_texts_that_are_cut_in_parts_keep_their_numbers() -> None:
    words = cut_words(["word " * 70] * 2400)
    assert np.array_equal(words.text, np.repeat(np.arange(2400), 70))
    assert (words.length == 4).all()
    assert len(set(words.key.tolist())) == 1
