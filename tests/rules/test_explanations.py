"""Each setting is explained once, above its value in a shipped file; other files get these comments by a command."""

import re
from collections import Counter

from webclean.checks import check_text
from webclean.rules import load_rules
from webclean.rules.explanations import (
    NOT_WRITTEN,
    describe_schema,
    find_explained,
    list_sections,
    read_comments,
)
from webclean.rules.files import find_shipped_rules, read_rule_file
from webclean.rules.validate import read_hints

SHIPPED = find_shipped_rules()
FORMS = SHIPPED / "reference" / "forms.yaml"


def test_each_setting_has_exactly_one_explanation() -> None:
    found = Counter(key for path in SHIPPED.rglob("*.yaml") for key, _ in read_comments(read_rule_file(path)))
    keys = {
        find_explained((section, name))
        for section in list_sections()
        for name in read_hints(section)
        if name not in NOT_WRITTEN.get(section.__name__, ())
    }
    assert {key: found[key] for key in keys | found.keys()} == dict.fromkeys(keys, 1)


def test_what_learning_writes_anew_explains_nothing() -> None:
    learnt = [path for path in SHIPPED.glob("*.yaml") if "replaces" in read_rule_file(path).values]
    assert len(learnt) > 9
    assert [path.stem for path in learnt if "#:" in path.read_text(encoding="utf-8")] == []


def test_the_forms_of_rules_and_cards_are_a_file_that_loads() -> None:
    check_text(read_rule_file(FORMS))
    assert {"example-about-blocks", "example-about-the-page"} <= set(load_rules(FORMS).rules)
    assert "example-about-blocks" not in load_rules().rules


def test_a_section_says_of_what_it_shares_with_the_one_it_extends_what_that_says() -> None:
    definitions = describe_schema()["$defs"]
    shared, own = (definitions[name]["properties"] for name in ("MetaRules", "ImageRules"))
    assert own["confidence"]["description"] == shared["confidence"]["description"]
    assert own["metas"]["description"] != shared["metas"]["description"]
    assert definitions["TreeNode"]["properties"]["if"]["description"].startswith("what a branch asks")


def list_described(*kinds: str) -> dict[str, str]:
    """Setting -> its explanation, of those of some types."""
    return {
        f"{name}.{key}": described["description"]
        for name, definition in describe_schema()["$defs"].items()
        for key, described in definition.get("properties", {}).items()
        if described.get("type") in kinds
    }


def test_each_number_says_what_happens_when_it_is_higher_or_lower() -> None:
    found = list_described("number", "integer")
    silent = {key for key, effect in found.items() if not re.search(r"\b(?:Higher|Lower): ", effect)}
    assert silent == {"RuleSet.version", "Learnt.pages", "Learnt.of", "Learnt.site_pages"}


def test_a_setting_that_is_on_or_off_says_what_true_or_false_does() -> None:
    found = list_described("boolean")
    assert len(found) > 4
    assert [key for key, effect in found.items() if not re.search(r"\b(?:true|false)\b", effect)] == []
