"""One registry a subject: what is named anywhere is registered, what is registered has a use, and cards learn what they
may."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest

from webclean.checks import REGISTRIES, find_registry, find_texts, find_unusable, find_users
from webclean.cli import main
from webclean.errors import RuleError
from webclean.features import BLOCK_FEATURES
from webclean.fields import extract_fields
from webclean.fields.candidates import read_features
from webclean.fields.statements import PageStatements
from webclean.fields.title import collect_title_texts
from webclean.model import FieldValue
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.registry import FeatureRegistry
from webclean.rules import load_rules
from webclean.rules.files import find_shipped_rules, read_rule_file
from webclean.segments.segment_columns import SEGMENT_FEATURES

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "fixtures").rglob("input.html"))
WITHOUT_CARD = {
    "page_words": "the one way for a rule to ask how long a page is",
}


@pytest.mark.parametrize("known", REGISTRIES, ids=lambda known: known.subject)
def test_the_list_has_every_feature_of_a_subject_with_its_meaning(
    known: FeatureRegistry[Any, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "features"]) == 0
    _, _, part = capsys.readouterr().out.partition(f"\n## {known.subject.capitalize()}\n")
    lines = [line for line in part.split("\n## ")[0].splitlines() if line.startswith("- `")]
    told = {line.split("`")[1]: line for line in lines}
    assert list(told) == [*known, *(f"{prefix}NAME" for prefix in known.families)]
    for name, feature in known.items():
        assert told[name].startswith(f"- `{name}`, {feature.unit}: {feature.meaning} (")


@pytest.mark.parametrize("file", sorted(find_shipped_rules().rglob("*.yaml")), ids=lambda file: file.stem)
def test_shipped_rules_name_features_that_exist(file: Path) -> None:
    assert list(find_unusable(read_rule_file(file).values)) == []


def test_every_feature_of_text_blocks_is_used_or_may_be_learnt() -> None:
    users = find_users()
    idle = {name for name, known in BLOCK_FEATURES.items() if not known.learn and ("text block", name) not in users}
    assert idle == set(WITHOUT_CARD)


def test_what_uses_a_feature_is_named_by_its_place() -> None:
    users = find_users()
    assert users["surroundings", "own_points"] == ["second_card"]
    assert users["semantic block", "token."] == ["roles"]
    assert "rules.form-label" in users["text block", "to_next_sentence"]
    assert "plain_card" in users["text block", "to_next_sentence"]


def test_a_card_is_learnt_from_features_that_name_it_only() -> None:
    cards = {card for known in REGISTRIES for card in known.cards}
    for known in REGISTRIES:
        for feature in (*known.values(), *known.families.values()):
            assert set(feature.learn) <= cards, feature
    assert "inside_nav" in BLOCK_FEATURES.list_learnt("score_card")
    assert "inside_nav" not in BLOCK_FEATURES.list_learnt("plain_card")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"score_card": {"lines": {"n_wordz": []}}}, "unknown text block feature 'n_wordz'; did you mean 'n_words'?"),
        ({"plain_card": {"lines": {"own_points": []}}}, "unknown text block feature 'own_points'"),
        ({"second_card": {"lines": {"own_pionts": []}}}, "did you mean 'own_points'?"),
        ({"roles": {"given": {"tokens.ads": []}}}, "unknown semantic block feature"),
        ({"page_type": {"refinements": {"blog": {"features": {"wordcount": {}}}}}}, "did you mean 'word_count'?"),
        ({"page_type": {"patent": {"tree": {"if": "no_block >= 1"}}}}, "did you mean 'no_blocks'?"),
        ({"fields": {"author": {"card": {"lines": {"bylin": 1}}}}}, "did you mean 'byline'?"),
        ({"rules": {"x": {"when": {"features": {"pagewords": {}}}}}}, "did you mean 'page_words'?"),
    ],
)
def test_a_name_that_does_not_exist_is_told_with_the_one_that_is_meant(values: object, message: str) -> None:
    [(_, told)] = find_unusable(values)
    assert message in told


def test_names_of_groups_of_the_rules_are_known_by_their_beginning() -> None:
    assert SEGMENT_FEATURES.find("token.ads").name == "token.ads"
    with pytest.raises(RuleError, match=r"semantic block feature 'token\.'"):
        SEGMENT_FEATURES.find("token.")
    assert find_registry(("fields", "title", "card", "lines", "h1")) is read_features()["title"]
    assert read_features()["title"].find("h1_on_forum").compute({"h1_on_forum": 1.0}) == 1.0
    assert read_features()["title"].find("h1").compute({}) == 0.0


def test_registering_keeps_order_names_and_cards() -> None:
    registry = FeatureRegistry[int, int]("number", "first", "second", cards=("first",))

    @registry.feature("times", "twice the number")
    def double(number: int) -> int:
        return 2 * number

    registry.feature("times", "the number", name="same", learn=())(lambda number: number)
    assert list(registry) == ["double", "same"]
    assert registry.find("double").compute(4) == 8
    assert registry.list_learnt("first") == ("double",)
    with pytest.raises(RuleError, match="unknown number feature 'x'"):
        registry.find("x", "key here")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_candidates_have_declared_features_only(page: Path) -> None:
    columns = build_columns(
        parse_page(page.read_bytes(), url="https://example.com/news/2024/03/04/a-long-slug-of-words")
    )
    now = datetime(2026, 1, 1, tzinfo=UTC)
    fields = extract_fields(columns, None, load_rules(), reference=now).replace(language=FieldValue("zh"))
    titles = collect_title_texts(PageStatements(columns), load_rules().fields.title)
    found = {
        read_features()["title"].subject: (read_features()["title"], *fields.collect("title", -1)),
        read_features()["title_text"].subject: (read_features()["title_text"], titles, {}),
        read_features()["date"].subject: (read_features()["date"], *fields.collect("date", 20)),
        read_features()["author"].subject: (read_features()["author"], *fields.collect("author", 20)),
    }
    for registry, candidates, about in found.values():
        for name in {*about, *(name for candidate in candidates for name in candidate.features)}:
            registry.find(name)


def test_texts_to_check_are_found_in_values_of_every_form() -> None:
    text = Annotated[str, msgspec.Meta(extra={"check": "pattern"})]
    values = {"a": ["x", "y"], "b": "z"}
    listed = Annotated[tuple[text, ...], msgspec.Meta(min_length=1)]
    assert list(find_texts(values, dict[str, listed | text])) == [
        (("a", 0), "x", "pattern"),
        (("a", 1), "y", "pattern"),
        (("b",), "z", "pattern"),
    ]
    assert list(find_texts({"k": 1}, dict[text, int])) == [(("k",), "k", "pattern")]
    assert list(find_texts(["x"], tuple[str, ...])) == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("page_type", None),
        ("page_type.card", None),
        ("page_typ", "page_type"),
        ("page_type.crd", "card"),
        ("page_type.refinements.blog", "nothing in 'page_type.refinements.blog' can be replaced"),
        ("page_type.no_feature_words.x", "nothing in"),
    ],
)
def test_what_may_be_replaced_is_a_section(name: str, fault: str | None) -> None:
    found = list(find_unusable({"replaces": [name]}))
    assert [path for path, _ in found] == ([] if fault is None else [("replaces", 0)])
    assert fault is None or fault in found[0][1]


@pytest.mark.parametrize(
    ("learn", "cards"), [(None, ("roles", "score_card")), ((), ()), (("score_card",), ("score_card",))]
)
def test_a_feature_is_learnt_by_all_cards_of_its_subject_unless_it_names_them(
    learn: tuple[str, ...] | None, cards: tuple[str, ...]
) -> None:
    registry: FeatureRegistry[str, int] = FeatureRegistry("text", "roles", "score_card")
    registry.feature("characters", "how long it is", name="length", learn=learn)(len)
    registry.family("count.", "characters", "how often it has one", learn=learn)(lambda sign: lambda x: x.count(sign))
    assert registry["length"].learn == cards
    assert registry.families["count."].learn == cards
    for card in ("roles", "score_card"):
        assert ("length" in registry.list_learnt(card)) == (card in cards)


def test_a_feature_of_a_family_is_built_once() -> None:
    registry: FeatureRegistry[str, int] = FeatureRegistry("text", "roles")
    registry.family("count.", "characters", "how often it has one")(lambda sign: lambda x: x.count(sign))
    found = [registry.find(name) for name in ("count.a", "count.b", "count.a", "count.b")]
    assert found[:2] == found[2:]
    assert [one.compute("banana") for one in found[:2]] == [3, 1]
