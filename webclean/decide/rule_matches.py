"""Rules, page -> the text blocks that each rule matches, and what becomes of them.

Most rules ask for an expression in the text of a block, which most pages have nowhere: that is asked first, of all
rules at once (`features.page_words`), and the other conditions only where it is found.

`resolve_decisions` is the one place where decisions by score and rules are combined.

In this order: the cut decides; `drop` rules drop the blocks that they match; `keep` rules keep the blocks that they
match, whatever dropped them. Rules with `points` act earlier: they correct the points of the first pass, which the
second pass and what is found on the page as a whole see, so a block that they are against may still be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final

import numpy as np
from msgspec import structs

from webclean.caching import cached_per_page
from webclean.features import PageColumns, measure
from webclean.features.page_words import find_named, search_texts
from webclean.matching.conditions import PageFacts, PlannedRule, RuleMatch, plan_rules
from webclean.matching.expressions import fold_typography, widen_pattern
from webclean.matching.select import select_rows
from webclean.model import BlockDecisions, Correction, Document, Floats, Mask, Reason, Rows
from webclean.parse.columns import mark_subtrees
from webclean.parse.xpath import name_paths
from webclean.rules.rule_schema import Rule, When, as_tuple

_NUMBER: Final = attrgetter("number")
_OWNED_SHARE: Final = 0.5
"""A selected inline element selects its text block if it has more than this share of the block's characters."""


def match_rules(columns: PageColumns, facts: PageFacts, rules: Mapping[str, Rule]) -> list[RuleMatch]:
    """The enabled rules whose conditions about the page hold and that match some block, in their order."""
    plan = plan_rules(rules)
    holding = [rule for rule in plan.conditional if rule.holds_for(facts, columns.document)]
    # the expressions of all rules are searched at once, since most of them match nothing on a page
    searched = [rule.pattern for rule in holding if rule.pattern is not None]
    found = search_texts(columns, (*plan.patterns, *searched) if searched else plan.patterns)
    # a rule whose expression is nowhere on the page is not looked at: that are most of them
    asked = [rule for pattern in found for rule in plan.by_pattern.get(pattern, ())]
    asked += [rule for rule in holding if rule.pattern is None or rule.pattern in found]
    matched = []
    for rule in sorted((*plan.unsearched, *asked), key=_NUMBER):
        blocks = match_blocks(columns, rule.rule.when, None if rule.pattern is None else found[rule.pattern])
        if np.count_nonzero(blocks):
            matched.append(RuleMatch(rule.id, rule.rule, blocks))
    return matched


def list_holding(document: Document, facts: PageFacts, rules: Mapping[str, Rule]) -> list[PlannedRule]:
    """The enabled rules whose conditions about the page hold, whether they match a block or none."""
    return [rule for rule in plan_rules(rules).all if rule.is_for_all or rule.holds_for(facts, document)]


def match_blocks(columns: PageColumns, when: When, having: Mask | None = None) -> Mask:
    """bool [n_blocks]: the blocks for which all conditions about a block hold; all blocks when there are none.

    having: bool [n_blocks], the blocks whose text has the expression of `when`; None to look for it.
    """
    matched = having
    for holding in _list_conditions(columns, when, is_searched=having is not None):
        # the array is not changed in place: several rules may share an expression
        matched = holding if matched is None else matched & holding
        # most rules are about elements that a page has not: no more is asked for them
        if not np.count_nonzero(matched):
            break
    return np.ones(len(columns.blocks), dtype=bool) if matched is None else matched


def _list_conditions(columns: PageColumns, when: When, *, is_searched: bool) -> Iterator[Mask]:
    """bool [n_blocks] for each condition about a block: what few pages have first. is_searched: but for that on its
    text."""
    if when.token is not None:
        tokens = " ".join(as_tuple(when.token)).lower()
        yield _blocks_under(columns, [*find_named(columns.document, tokens, ("class", "id"))])
    if when.selector is not None:
        yield _find_selected(columns, as_tuple(when.selector))
    if when.outside is not None:
        yield ~_find_selected(columns, as_tuple(when.outside))
    if when.path is not None:
        yield _find_equal(_name_block_paths(columns), as_tuple(when.path))
    if when.other_path is not None:
        yield ~_find_equal(_name_block_paths(columns), as_tuple(when.other_path))
    if when.exact_text is not None:
        yield _find_equal(_fold_texts(columns), map(fold_typography, as_tuple(when.exact_text)))
    if when.text is not None and not is_searched:
        pattern = widen_pattern(when.text)
        yield search_texts(columns, (pattern,)).get(pattern, np.zeros(len(columns.blocks), dtype=bool))
    for name, limits in when.features.items():
        values = measure(columns, name)
        if limits.above is not None:
            yield values >= limits.above
        if limits.below is not None:
            yield values < limits.below


@cached_per_page
def _fold_texts(columns: PageColumns) -> list[str]:
    """The text of each block, as `exact_text` is compared with it."""
    return [fold_typography(text) for text in columns.blocks.text]


@cached_per_page
def _name_block_paths(columns: PageColumns) -> list[str]:
    """The tag path of each text block's element."""
    return name_paths(columns.document, columns.row)


def _find_equal(values: Sequence[str], wanted: Iterable[str]) -> Mask:
    known = frozenset(wanted)
    return np.array([value in known for value in values], dtype=bool)


def _find_selected(columns: PageColumns, selectors: tuple[str, ...]) -> Mask:
    return _blocks_under(columns, np.concatenate([select_rows(columns.document, item) for item in selectors]))


@cached_per_page
def _count_nodes(columns: PageColumns) -> Rows:
    """int64 [n_blocks]: the text nodes of each block."""
    of = columns.blocks.block_of
    return np.bincount(of[of >= 0], minlength=len(columns.blocks))


def _blocks_under(columns: PageColumns, rows: Any) -> Mask:
    """bool [n_blocks]: the blocks with more than `_OWNED_SHARE` of their characters in the subtrees of the rows; of
    headings those with all of their letters there: `Use [edit]` is no link to edit."""
    document, blocks = columns.document, columns.blocks
    if not len(rows):
        return np.zeros(len(blocks), dtype=bool)
    roots = np.zeros(len(document), dtype=bool)
    roots[rows] = True
    # by text nodes, for a selected element may be a part of a block: a `span` in a paragraph
    inside = mark_subtrees(document, roots)[document.text_owner] & (blocks.block_of >= 0)
    n_inside = np.bincount(blocks.block_of[inside], minlength=len(blocks))
    # whole blocks by the number of their texts: characters are counted only where a part is selected
    n_nodes = _count_nodes(columns)
    matched = (n_inside == n_nodes) & (n_nodes > 0)
    for block in ((n_inside > 0) & ~matched).nonzero()[0].tolist():
        own = blocks.block_of == block
        if columns.is_heading[block]:
            rest = (own & ~inside).nonzero()[0].tolist()
            matched[block] = not any(map(str.isalpha, "".join(document.text[node] for node in rest)))
            continue
        # by characters: a label with an icon in a selected `span` is not the `span`
        n_chars = sum(len("".join(document.text[node].split())) for node in (own & inside).nonzero()[0].tolist())
        matched[block] = n_chars > _OWNED_SHARE * blocks.n_chars[block]
    return np.asarray(matched)


def describe_conflicts(matches: Sequence[RuleMatch]) -> Iterator[str]:
    """Warnings: one line for each pair of rules of which one keeps blocks that the other drops; keep wins."""
    keeps = [match for match in matches if match.rule.effect.decide == "keep"]
    for drop in (match for match in matches if match.rule.effect.decide == "drop"):
        for keep in keeps:
            n = int((keep.blocks & drop.blocks).sum())
            # most rules that keep and that drop are about different parts of a page
            if n:
                yield f"rule {keep.id!r} keeps {n} block{'s' * (n > 1)} that rule {drop.id!r} drops; keep wins"


def describe_outdated(
    document: Document,
    facts: PageFacts,
    rules: Mapping[str, Rule],
    matches: Sequence[RuleMatch],
    site_rules: frozenset[str],
) -> Iterator[str]:
    """Warnings of a page that is cleaned automatically, for the rules of its site seem outdated.

    Either the rules that hold for it are about blocks and none of them matches any, or the site has templates and the
    page has none of them.
    """
    n_templates = plan_rules(rules).n_templates
    holding = list_holding(document, facts, rules) if site_rules or n_templates else []
    own = [(rule.id, rule.rule.effect) for rule in holding if rule.id in site_rules]
    about_blocks = {name for name, effect in own if effect.decide is not None or effect.points is not None}
    # one that matches is enough: few rules of a site are about all of its pages
    if about_blocks and about_blocks.isdisjoint(match.id for match in matches):
        yield f"none of the {len(about_blocks)} rules of this site matches: cleaned automatically"
    if n_templates and not any(rule.rule.template for rule in holding):
        yield f"none of the {n_templates} templates of this site is found: cleaned automatically"


RULES: Final = "rules"
"""The name of the correction by rules."""


def correct_by_rules(n_blocks: int, matches: Sequence[RuleMatch]) -> tuple[Correction, ...]:
    """The points of the rules that match some block, if there are any; the strongest rule is the evidence."""
    giving = [match for match in matches if match.rule.effect.points]
    if not giving or not n_blocks:
        return ()
    points = np.zeros(n_blocks)
    for match in giving:
        # points of several rules add up, as lines of a card do
        np.add(points, match.rule.effect.points or 0.0, out=points, where=match.blocks)
    return (Correction(RULES, points, partial(_tell_strongest, giving)),)


def _tell_strongest(giving: Sequence[RuleMatch], block: int) -> str:
    strongest = max(giving, key=lambda match: abs(match.rule.effect.points or 0.0) * bool(match.blocks[block]))
    return f"{strongest.id}: {strongest.rule.because}"


def sum_rule_points(corrections: Sequence[Correction]) -> Floats | float:
    """float64 [n_blocks]: what rules add among `corrections`; 0 where there is none."""
    return sum((correction.points for correction in corrections if correction.name == RULES), 0.0)


def resolve_decisions(kept: Mask, matches: Sequence[RuleMatch]) -> tuple[Mask, dict[int, str], dict[int, str]]:
    """Combine the cut and the rules: keep beats drop, and both beat the cut. kept: bool [n_blocks], by the cut.

    Returns what is kept, bool [n_blocks]; block -> id of the first rule that kept it; the same of those dropped.
    """
    decided: dict[str, dict[int, str]] = {"drop": {}, "keep": {}}
    for match in matches:
        word = match.rule.effect.decide
        if word:
            for block in match.blocks.nonzero()[0].tolist():
                decided[word].setdefault(block, match.id)
    final = kept.copy()
    # drop first, so that keep overrules it
    for decision, blocks in decided.items():
        if blocks:
            final[list(blocks)] = decision == "keep"
    dropped = {block: name for block, name in decided["drop"].items() if block not in decided["keep"]}
    return final, decided["keep"], dropped


def amend_decisions(
    decisions: BlockDecisions, kept: Mask, reasons: Mapping[int, Reason], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Change which blocks are kept, as a later step of a handler does. Rules still have the last word.

    kept: bool [n_blocks], the new choice. reasons: block -> why the step changed it; recorded for the blocks whose
    decision changes.
    """
    final = resolve_decisions(kept, matches)[0]
    turned = {block: reasons[block] for block in (final != decisions.kept).nonzero()[0].tolist() if block in reasons}
    return structs.replace(decisions, kept=final, steps={**(decisions.steps or {}), **turned})


def decide_by_mask(
    kept: Mask, matches: Sequence[RuleMatch] = (), steps: Mapping[int, Reason] | None = None
) -> BlockDecisions:
    """The decisions of a method that has no scores: score 1 for what it keeps, 0 for the rest.

    Rules that keep or drop have the last word here too; rules that give points have no effect. steps: block -> the step
    of the method that kept or dropped it.
    """
    final, kept_by, dropped_by = resolve_decisions(kept, matches)
    return BlockDecisions(kept.astype(np.float64), final, 0.5, kept_by=kept_by, dropped_by=dropped_by, steps=steps)
