"""Labels name what they are in any language, and a phrase weighs what the English ones of its concept do."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean.features import PageColumns, measure
from webclean.features.page_words import WORDS, score_texts
from webclean.features.words import CompiledWordPoints, make_phrase_set
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.rules.page_schema import Concepts

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
