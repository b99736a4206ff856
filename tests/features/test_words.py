"""Words as columns say what words as strings say; concepts in any language; many expressions searched at once."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import read_columns
from webclean import core
from webclean.features import PageColumns, measure
from webclean.features.page_words import WORDS, score_texts, search_texts
from webclean.features.words import (
    LONGEST,
    LONGEST_NAME,
    CompiledWordPoints,
    Words,
    cut_words,
    describe_name_words,
    make_lexicon,
    make_phrase_set,
    make_word_set,
    split_name,
)
from webclean.matching.expressions import compile_pattern
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.rules.page_schema import Concepts

TEXTS = [
    "the river, the sea",
    "",
    "河流发源于山中，蜿蜒流向大海",
    "2024 a1b_c",
    "x" * (LONGEST + 1),
    "\ud800 \U00020000𝒳 \u0130",
]


def cut_slowly(texts: list[str]) -> list[tuple[int, str]]:
    cut = (re.findall(r"[^\W\d_]+", text.lower()) if len(text) <= LONGEST else [] for text in texts)
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
    kinds, base, longest, lower = describe_name_words()
    words = Words(*core.cut_names(names, longest, lower, kinds, base).take())
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
    found = make_lexicon(known).find(cut_words(given))[0]
    assert [given[at] for at in found.tolist()] == [word for word in given if word in known]


def test_a_set_finds_its_words() -> None:
    words = cut_words(["tea and cup", "and tea"])
    rows, place = make_word_set(cut_words(["tea", "cup", "tea"]).key).find(words)
    assert rows.tolist() == [0, 2, 4]
    assert np.unique(place).tolist() == [0, 1]
    assert place[0] == place[2]


CONCEPTS = load_rules().concepts


def build_page(*labels: str) -> PageColumns:
    return build_columns(parse_page("<body>" + "".join(f"<p>{label}</p>" for label in labels)))


def find_labels(phrase: str, *labels: str) -> list[str]:
    known = CompiledWordPoints(words={"yes": 1.0}, concepts={"concept": {"en": "yes", "de": phrase}})
    points = score_texts(build_page(*labels), known)[WORDS]
    return [label for label, found in zip(labels, points.tolist(), strict=True) if found]


def test_a_phrase_is_words_in_a_row_of_one_label() -> None:
    assert find_labels("read also", "read also: the mill", "also read", "read", "also", "do read, also!") == [
        "read also: the mill",
        "do read, also!",
    ]


@pytest.mark.parametrize(
    ("phrase", "label", "other"),
    [
        ("関連記事", "この記事の関連記事一覧", "関連する記事"),
        ("相关新闻", "【相关新闻】", "相关的新闻"),
        ("コメント", "コメント(3)", "コメ"),
        ("댓글", "댓글 12", "댓글을"),
        ("σχόλια", "σχολια", "σχολιαστής"),
        ("επόμενος", "επομενοσ", "επόμενο"),
        ("ещё", "читать еще", "щё"),
        ("ilgili", "i\u0307lgili haberler", "bilgili"),
        ("yazıları", "yazilari", "yazı"),
        ("أيضا", "إقرأ أيضًا", "أيض"),
        ("share", "ｓｈａｒｅ", "ｓｈａｒｅｄ"),
    ],
)
def test_phrases_are_found_in_every_script(phrase: str, label: str, other: str) -> None:
    assert find_labels(phrase, label, other) == [label]


@given(
    st.lists(st.text("ab 中の。-", min_size=1, max_size=8), min_size=1, max_size=8), st.text("ab 中の。-", max_size=20)
)
def test_phrases_are_found_as_one_by_one(listed: list[str], label: str) -> None:
    def cut(text: str) -> list[str]:
        spaced = "".join(f" {char} " if char in "中の" else char if char.isalpha() else " " for char in text)
        return spaced.split()

    def holds(words: list[str], phrase: list[str]) -> bool:
        return any(words[at : at + len(phrase)] == phrase for at in range(len(words)))

    yes = [f"yes{'x' * number}" for number in range(len(listed))]
    concepts = {word: {"en": word, "de": phrase} for word, phrase in zip(yes, listed, strict=True)}
    known = CompiledWordPoints(words={word: 2.0**number for number, word in enumerate(yes)}, concepts=concepts)
    points = score_texts(build_page(f"{label} 1"), known)[WORDS]
    wanted = [cut(phrase) != [] and holds(cut(label), cut(phrase)) for phrase in listed]
    assert points.tolist() == [sum(2.0**number for number, is_found in enumerate(wanted) if is_found)]


def weigh(concepts: Concepts, points: dict[str, float], *labels: str) -> list[float]:
    """Points of labels, which are no headings, beyond those of their single words."""
    known = CompiledWordPoints(words=points, concepts=concepts)
    texts = score_texts(build_page(*labels), known)[WORDS]
    words = [sum(points.get(word, 0.0) for word in re.findall(r"\w+", label)) for label in labels]
    found: list[float] = (texts - words).tolist()
    return found


def test_other_languages_weigh_what_english_does() -> None:
    concepts = {"talk": {"en": "talk, talk back", "de": "gespräch, reden sie mit", "nl": "talk, praat"}}
    points = {"talk": -0.4, "back": -0.2, "praat": 0.3}
    labels = ["gespräch", "reden sie mit: gespräch", "talk", "praat", "gesprächig"]
    assert weigh(concepts, points, *labels) == pytest.approx([-0.5, -0.5, 0.0, 0.0, 0.0])


def test_a_concept_without_english_words_weighs_nothing() -> None:
    assert weigh({"talk": {"de": "gespräch"}}, {"talk": -0.4}, "gespräch") == [0.0]
    assert weigh({}, {}, "gespräch") == [0.0]


def test_labels_and_headings_in_other_languages_have_points() -> None:
    markup = "<body><h2>Похожие статьи</h2><p>Мост через реку</p><p>Поделиться</p>"
    columns = build_columns(parse_page(markup))
    assert measure(columns, "short_text_points")[2] < 0 == measure(columns, "short_text_points")[1]
    assert (measure(columns, "heading_points")[1:] < 0).all()


@pytest.mark.parametrize("concept", CONCEPTS)
def test_every_concept_is_named_in_every_language(concept: str) -> None:
    assert " ".join(sorted(CONCEPTS[concept])) == "ar de el en es fr it ja ko nl pl pt ru tr zh"
    for language, listed in CONCEPTS[concept].items():
        phrases = [phrase.strip() for phrase in listed.split(",")]
        assert all(phrase and phrase == phrase.lower() for phrase in phrases), language
        assert len(set(make_phrase_set(phrases)[1].tolist())) == len(phrases), f"{language}: one phrase spelt twice"


def columns_of(texts: list[str]) -> PageColumns:
    return read_columns("".join(f"<p>{text}" for text in texts))


@pytest.mark.parametrize(
    "pattern",
    ["^the", "sea$", r"\bsea\b", "(?i)THE SEA|^town", "[^a]sea", r"sea\z", r"\Athe", "(?-m:^the)", r"\Btow", "x",
     r"a\s+s", r"(?s)the.*town", r"é\s|town\s+s|seas", "$", "nothing"],
)  # fmt: skip
def test_texts_searched_together_are_found_as_alone(pattern: str) -> None:
    columns = columns_of(["the sea", "over the sea", "town", "seas", "x", "é town", "a\tsea", "é"] * 7)
    holds, texts = compile_pattern(pattern).search, columns.blocks.text
    alone = [bool(holds(text)) for text in texts]
    found = search_texts(columns, ("(?i)town", pattern, "nowhere"))
    assert found.get(pattern, np.zeros(56)).tolist() == alone
    assert (pattern in found) == any(alone)
    assert "nowhere" not in found


@pytest.mark.parametrize("n", [0, 1, 8, 15, 16, 17, 40])
def test_many_expressions_are_found_at_once(n: int) -> None:
    patterns = tuple(f"w{i:02}$" for i in range(n))
    columns = columns_of([f"a w{i:02}" for i in range(0, n, 3)])
    found = search_texts(columns, (*patterns, r"\Anowhere", "(?-m:^nowhere)"))
    assert {pattern: rows.nonzero()[0].tolist() for pattern, rows in found.items()} == {
        pattern: [i // 3] for i, pattern in enumerate(patterns) if i % 3 == 0
    }
