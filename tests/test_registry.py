"""The registry of features: which cards may learn one."""

from __future__ import annotations

import pytest

from webclean.registry import FeatureRegistry


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
