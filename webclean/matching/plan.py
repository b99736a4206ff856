"""The rules of a rule set, sorted once by what they ask and do, so that each stage looks at those that concern it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from webclean.matching.typography import widen_pattern
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.rule_schema import Rule, When, as_tuple


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRule:
    """An enabled rule. pattern: what it searches in the text of blocks, widened; None for nothing. is_for_all: it
    has no condition about the page."""

    id: str
    rule: Rule
    pattern: str | None
    is_for_all: bool


@dataclass(frozen=True, slots=True, eq=False)
class RulePlan:
    """The enabled rules of a rule set, in its order.

    all: every one. replacing: those that edit the markup. editing: those that change elements. naming: those that give
    the page a type, with their ids. n_templates: how many are of templates.
    """

    all: tuple[PlannedRule, ...]
    replacing: tuple[Rule, ...]
    editing: tuple[Rule, ...]
    naming: tuple[tuple[str, Rule], ...]
    n_templates: int


@cached_per_rule_set
def plan_rules(rules: Mapping[str, Rule]) -> RulePlan:
    """Sort rules by what they ask and do. rules: rule id -> rule."""
    enabled = {name: rule for name, rule in rules.items() if rule.enabled}
    planned = tuple(
        PlannedRule(name, rule, _widen(rule.when), _is_for_all(rule.when)) for name, rule in enabled.items()
    )
    effects = [(name, rule, rule.effect) for name, rule in enabled.items()]
    return RulePlan(
        all=planned,
        replacing=tuple(rule for _, rule, effect in effects if effect.replace is not None),
        editing=tuple(
            rule for _, rule, effect in effects if rule.when.selector and (effect.unwrap or effect.drop_images)
        ),
        naming=tuple((name, rule) for name, rule, effect in effects if effect.page_type),
        n_templates=sum(rule.template for rule in enabled.values()),
    )


def _widen(when: When) -> str | None:
    return None if when.text is None else widen_pattern(when.text)


def _is_for_all(when: When) -> bool:
    asked = (when.page_type, when.language, when.url, when.page_contains, when.page_lacks)
    return not any(map(as_tuple, asked))
