"""The kernel finds the words, known words and phrases that the arrays find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import words
from webclean.features.lexicon import WordSet, make_word_set
from webclean.features.phrases import PhraseSet, make_phrase_set
from webclean.features.words import Words, cut_labels, cut_lower, cut_names, cut_words, find_same, list_likely
from webclean.kernels import WORDS
from webclean.parse import parse_page

pytestmark = pytest.mark.skipif(WORDS is None, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))
ALPHABET = "abzABZ é1_- Άάσςёıİأیk関連\u3000\u0307\u0640\uff41\U00020000\U0001f600"
TEXTS = st.lists(st.text(alphabet=ALPHABET, max_size=20), max_size=12)
PHRASES = ["a", "b ab", "関連", "関 連 a", "ab a b", "σχολια", "1"]


def cut_plainly(cut: object, texts: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> Words:
    with monkeypatch.context() as plain:
        plain.setattr(words, "WORDS", None)
        assert callable(cut)
        found = cut(texts)
    assert isinstance(found, Words)
    return found


def drop_kernel(known: WordSet) -> WordSet:
    return replace(known, compiled=None)


def check(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    phrases, _ = make_phrase_set(PHRASES)
    plain_phrases = PhraseSet(drop_kernel(phrases.first), drop_kernel(phrases.whole), phrases.lengths)
    wanted = np.arange(len(texts)) % 3 != 1
    for cut in (cut_words, cut_lower, cut_names, cut_labels):
        found, plain = cut(texts), cut_plainly(cut, texts, monkeypatch)
        for name in ("text", "key", "length"):
            assert getattr(found, name).tolist() == getattr(plain, name).tolist(), (cut.__name__, name)
        known = make_word_set(plain.key[::2]) if len(plain.key) else make_word_set(np.array([7], dtype=np.uint64))
        for ask in ("find", "find_each_once"):
            left, right = getattr(known, ask)(found), getattr(drop_kernel(known), ask)(plain)
            assert [column.tolist() for column in left] == [column.tolist() for column in right], ask
        assert known.find_wanted(found, wanted).tolist() == drop_kernel(known).find_wanted(plain, wanted).tolist()
        assert known.list_beginning(found, wanted) == drop_kernel(known).list_beginning(plain, wanted)
        some, some_plainly = known.find_each_once(found, wanted), drop_kernel(known).find_each_once(plain, wanted)
        assert [column.tolist() for column in some] == [column.tolist() for column in some_plainly]
        named, named_plainly = phrases.find(found, wanted), plain_phrases.find(plain, wanted)
        assert named.text.tolist() == named_plainly.text.tolist()
        assert named.place.tolist() == named_plainly.place.tolist()
    beyond = [at for at, text in enumerate(texts) if wanted[at] and not text.isascii()]
    assert WORDS.list_beyond_ascii(texts, wanted.view(np.uint8)) == beyond


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_words_are_equal_on_every_fixture(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = parse_page(path.read_bytes())
    values = {value for attrs in document.attrs for value in attrs.values() if isinstance(value, str)}
    check([text.lower() for text in find_text_blocks(document).text], monkeypatch)
    check([value.replace("\n", " ") for value in sorted(values)], monkeypatch)


@given(TEXTS)
def test_words_are_equal_on_any_text(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        check(texts, monkeypatch)


def test_arrays_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    check(["a b " * 90, "関連" * 150, "aB" * 300, *["a b ab"] * 300], monkeypatch)


def test_kinds_of_letters_are_the_same() -> None:
    assert {"LOWER": words._LOWER, "UPPER": words._UPPER} == WORDS.KINDS


@given(
    st.lists(st.text(alphabet="abBé \u00a0\u212aK", max_size=5), max_size=20), st.text(alphabet="abkéi ", max_size=9)
)
def test_what_a_text_contains_is_likely(texts: list[str], whole: str) -> None:
    wanted = np.arange(len(texts)) % 3 > 0
    inside = [at for at in wanted.nonzero()[0].tolist() if " ".join(texts[at].split()).lower() in whole]
    assert set(inside) <= set(list_likely(texts, wanted, whole)) <= set(wanted.nonzero()[0].tolist())
    assert list_likely(["Abc", "abd", "é", "b c"], np.ones(4, dtype=bool), "xabc") == [0, 2, 3]


@given(st.lists(st.text(alphabet="aAbé1 İı\U00020000", max_size=4), max_size=30))
def test_same_texts_are_found(texts: list[str]) -> None:
    found = find_same(texts)
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(words, "TEXTS", None)
        assert found.tolist() == find_same(texts).tolist()
