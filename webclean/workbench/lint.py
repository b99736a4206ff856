"""Finds rules that are valid but suspicious: never fires, shadowed, contradicts, too broad, unexplained."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.decide.rule_matches import match_rules
from webclean.features import PageColumns
from webclean.matching.conditions import PageFacts
from webclean.matching.select import select_rows, select_strings
from webclean.model import Mask
from webclean.rules.rule_schema import FIELD_SELECTORS, Rule, as_tuple
from webclean.workbench.sources import RuleSource
from webclean.workbench.starter import SAY_WHY

TOO_BROAD_SHARE: Final = 0.8  # a drop rule that takes more of the pages' words than this is reported
_PLACEHOLDERS: Final = frozenset(
    (SAY_WHY, "why", "because", "reason", "the reason", "write why", "explain", "placeholder", "none", "n/a", "na", "")
)
_UNFINISHED: Final = ("todo", "fixme", "tbd", "xxx", "tba")
_WORD: Final = re.compile(r"[^\W_]+(?:/[^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about one rule."""

    source: RuleSource
    kind: str
    message: str


@dataclass(frozen=True, slots=True, eq=False)
class SamplePage:
    """A page that rules are tried on."""

    name: str
    columns: PageColumns
    facts: PageFacts


def lint_rules(sources: Iterable[RuleSource], pages: Iterable[SamplePage] = ()) -> Iterator[Finding]:
    """Remarks about the rules; `never fires` and `too broad` need pages to try them on."""
    sources, pages = list(sources), list(pages)
    of_site: dict[str | None, list[RuleSource]] = {}
    for number, source in enumerate(sources):
        yield from _lint_alone(source)
        everywhere = of_site.get(None, []) if source.site else sources[:number]
        for earlier in (*everywhere, *(of_site.get(source.site, []) if source.site else ())):
            yield from _lint_pair(earlier, source)
        of_site.setdefault(source.site, []).append(source)
        if pages and source.rule.enabled:
            yield from _lint_on_pages(source, pages)


def _lint_alone(source: RuleSource) -> Iterator[Finding]:
    rule, effect = source.rule, source.rule.effect
    if not rule.because and not rule.description:
        yield Finding(source, "unexplained", "says neither `because` nor `description`")
    if is_placeholder(rule.because):
        yield Finding(source, "unexplained", f"`because` is still {rule.because!r}: write what pages will show")
    if effect.decide == "drop" and _has_no_condition(rule):
        yield Finding(source, "too broad", "drops every block of every page")
    if rule.enabled and not rule.tests and rule.learnt is None:
        yield Finding(source, "untested", "carries no test")


def is_placeholder(because: str) -> bool:
    """Whether a reason is written but says nothing: `say why`, `TODO: explain`, `...`."""
    words = _WORD.findall(because.lower())
    return bool(because) and (" ".join(words) in _PLACEHOLDERS or words[0] in _UNFINISHED)


def _has_no_condition(rule: Rule) -> bool:
    when = rule.when
    return not any((when.selector, when.outside, when.path, when.token, when.text, when.exact_text, when.features))


def _lint_pair(earlier: RuleSource, later: RuleSource) -> Iterator[Finding]:
    apart = any(
        one and other and one != other for one, other in ((earlier.site, later.site), (earlier.profile, later.profile))
    )
    if apart or earlier.rule.when != later.rule.when:
        return
    where = f"{earlier.id} ({earlier.file.name}:{earlier.line})"
    decisions = {earlier.rule.effect.decide, later.rule.effect.decide}
    if decisions == {"keep", "drop"}:
        yield Finding(later, "contradicts", f"keeps what {where} drops, or the reverse; keep wins")
    elif earlier.rule.effect == later.rule.effect:
        yield Finding(later, "shadowed", f"does what {where} already does")


def _lint_on_pages(source: RuleSource, pages: list[SamplePage]) -> Iterator[Finding]:
    applies, words, taken = False, 0, 0
    for page in pages:
        if source.site and source.site not in (page.facts.url or ""):
            continue
        found = match_rules(page.columns, page.facts, {source.id: source.rule})
        if found:
            n_words = page.columns.blocks.n_words
            applies |= _finds_something(source.rule, found[0].blocks, page.columns)
            words += int(n_words.sum())
            taken += int(n_words[np.flatnonzero(found[0].blocks)].sum())
    if not applies:
        yield Finding(source, "never fires", f"matches nothing on the {len(pages)} pages it was tried on")
    elif source.rule.effect.decide == "drop" and taken > TOO_BROAD_SHARE * words:
        yield Finding(source, "too broad", f"drops {taken / max(1, words):.0%} of the words of the pages it applies to")


def _finds_something(rule: Rule, blocks: Mask, columns: PageColumns) -> bool:
    """Whether a rule that applies to a page matches something there: elements, a field, or text blocks."""
    effect = rule.effect
    wanted = [name for name in FIELD_SELECTORS if getattr(effect, name)]
    if not (wanted or effect.unwrap or effect.drop_images):
        return bool(blocks.any())
    document = columns.document
    if any(any(select_strings(document, getattr(effect, name))) for name in wanted):
        return True
    about_elements = effect.unwrap or effect.drop_images
    return about_elements and any(len(select_rows(document, item)) for item in as_tuple(rule.when.selector))
