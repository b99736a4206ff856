"""Every feature of the cards has a subject of which something is told, and every role a name."""

import tomllib
from pathlib import Path

from webclean import workbench
from webclean.model import Role
from webclean.rules import load_rules

RULES = load_rules()
WORDS = tomllib.loads(Path(workbench.__file__).with_name("sentences.toml").read_text(encoding="utf-8"))


def test_each_feature_of_the_cards_of_text_blocks_has_one_subject() -> None:
    cards = (RULES.score_card, RULES.article_card, RULES.plain_card, RULES.second_card)
    used = {name for card in cards for part in (card, *card.by_type.values()) for name in part.lines}
    assert used == set(workbench.SUBJECTS)
    assert len(workbench.SUBJECTS) == sum(len(said["features"].split()) for said in WORDS["texts"].values())


def test_each_feature_of_the_card_of_roles_and_each_role_has_its_words() -> None:
    used = {*RULES.roles.lines, *RULES.roles.given}
    assert {name for name in used if not name.startswith("token.")} == {*WORDS["role_evidence"]} - {"token"}
    assert {*WORDS["roles"]} == {*Role}
