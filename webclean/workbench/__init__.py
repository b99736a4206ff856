"""What people do with rules: test, lint, compare, start; the reference page of features; and why each text of a page
was kept or dropped, in one plain sentence: `no running text; links in it and around it`.

A score is a sum of many small points, of which no single one decides. So the points of all lines are summed by subject
(`sentences.toml`: running text, links, place, names, ...), and the subjects that speak most for the decision are told.
What a rule, a handler or a correction by the whole page says of a block is told as it stands.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, Final

import numpy as np

from webclean.checks import REGISTRIES, find_users
from webclean.decide.explain import Explanation, explain_block
from webclean.model import Block, Reason
from webclean.outputs.dictionary import describe_reasons, to_plain_values
from webclean.page import CleanPage
from webclean.parse.limits import check_time
from webclean.parse.xpath import build_xpaths
from webclean.storage import read_table

_WORDS: Final[dict[str, Any]] = read_table(__file__, "sentences.toml")
SUBJECTS: Final = {
    feature: subject for subject, said in _WORDS["texts"].items() for feature in said["features"].split()
}
"""Feature of a text block -> the subject that it belongs to."""
_NAMED: Final = re.compile(r"^[\w-]+: ")
"""The name of a region or rule before what is said of it."""
_SECOND_SHARE: Final = 0.5
"""A second subject is told if it has this share of the points of the first."""


def explain_text(found: Explanation) -> str:
    """Why a text block is kept or dropped, without saying which."""
    decided = found.decided_by
    if decided.stage != "cut":
        told = _WORDS["steps"].get(f"{decided.stage}.{decided.rule}", decided.evidence or decided.rule)
        return f"{told} (rule {decided.rule})" if decided.stage == "rule" else str(told)
    # the second pass says again, of the blocks around it, what the first says of each: it is asked last
    for lines in ((*found.first, *found.page), found.second):
        if told := _tell_subjects(found.kept, lines):
            return told
    return f"{found.score:.1f} points, {found.cut:.1f} are enough"


def _tell_subjects(kept: bool, lines: Iterable[Reason]) -> str:
    """The one or two subjects with the most points for the decision; '' where none is."""
    sign, word = (1.0, "yes") if kept else (-1.0, "no")
    points: defaultdict[str, float] = defaultdict(float)
    for reason in lines:
        subject = SUBJECTS.get(reason.rule.rpartition(".")[2])
        phrase = _WORDS["texts"][subject][word] if subject else _NAMED.sub("", reason.evidence)
        points[phrase] += sign * (reason.points or 0.0)
    points.pop("", None)
    ranked = sorted(points, key=lambda phrase: -points[phrase])[:2]
    return "; ".join(phrase for phrase in ranked if points[phrase] > max(0.0, _SECOND_SHARE * points[ranked[0]] - 1e-9))


def explain_semantic_block(block: Block, longest: Explanation | None, kept_words: int) -> str:
    """Why a semantic block is kept or dropped: by a rule, as its role, or as its longest text.

    longest: of its text blocks that share its fate. kept_words: of its text.
    """
    by_rule = next((one for one in block.reasons if one.stage == "rule"), None)
    if by_rule is not None:
        return f"{by_rule.evidence} (rule {by_rule.rule})"
    if block.kept and not kept_words:
        return f"{_WORDS['roles'][block.role]} beside the text, which has none of it"
    role = _WORDS["roles"][block.role]
    telling, why = _WORDS["role_evidence"], ""
    for one in block.reasons:
        if one.stage == "role" and not why:
            is_known = one.points is not None and one.rule in telling
            why = telling[one.rule] if is_known else telling["token"] if one.rule.startswith("token.") else one.evidence
    if not block.kept and str(block.role) not in ("content", "index", "other", "title"):
        return f"{role}: {why}" if why else role
    by_method = next((one for one in block.reasons if one.stage not in ("role", "keep", "cut", "importance")), None)
    if longest:
        return explain_text(longest)
    return by_method.evidence if by_method else f"{role}: {why}" if why else role


def explain_text_blocks(page: CleanPage) -> Iterator[Explanation]:
    """The explanation of each text block, in reading order."""
    analysis = page.analysis
    for block in range(len(analysis.columns.blocks)):
        check_time()
        yield explain_block(analysis.columns, analysis.decisions, analysis.rules, block)


def count_words(page: CleanPage) -> list[tuple[int, int]]:
    """Of each semantic block, the words that stand in it and in no block inside it, and how many of them are kept."""
    own = page.analysis.columns.blocks.n_words
    counts = (
        np.bincount(page.segment_of, counted, minlength=len(page.blocks)).astype(int).tolist()
        for counted in (own, own * page.analysis.decisions.kept)
    )
    return list(zip(*counts, strict=True))


def explain_blocks(page: CleanPage) -> Iterator[tuple[Block, str]]:
    """Each semantic block, as outputs order them, with a sentence that says why it is kept or dropped."""
    analysis, counts = page.analysis, count_words(page)
    n_words, kept = analysis.columns.blocks.n_words, analysis.decisions.kept
    longest: dict[int, int] = {}  # of each semantic block, the text block that shares its fate and has most words
    for text in np.argsort(n_words, kind="stable").tolist():
        number = int(page.segment_of[text])
        if page.blocks[number].kept is bool(kept[text]):
            longest[number] = text
    for block in page.ranked_blocks:
        check_time()
        text = longest.get(block.number)
        found = None
        if text is not None:
            found = explain_block(analysis.columns, analysis.decisions, analysis.rules, text)
        yield block, explain_semantic_block(block, found, counts[block.number][1])


def explain_page(page: CleanPage) -> dict[str, Any]:
    """Probabilities of the page types, and each text block, of as many as a part of the result may have."""
    columns = page.analysis.columns
    xpaths = build_xpaths(columns.document, columns.blocks.row.tolist())
    return {
        "type_probabilities": to_plain_values(dict(page.analysis.classification.ranking)),
        "text_blocks": page.bound(map(describe_text_block, repeat(page), explain_text_blocks(page), xpaths)),
    }


def describe_text_block(page: CleanPage, found: Explanation, xpath: str) -> dict[str, Any]:
    """Number, decision, score, text, XPath, sentence and reasons of a text block."""
    return {
        "number": found.block,
        "kept": found.kept,
        "score": to_plain_values(found.score),
        "text": page.analysis.columns.blocks.text[found.block],
        "xpath": xpath,
        "sentence": explain_text(found),
        "reasons": describe_reasons(found.reasons),
    }


_HEAD: Final = """# Features

The numbers that cards, trees and rules ask for by name, with unit, meaning, and in brackets the shipped cards, trees
and rules that use them. A name that ends in NAME stands for all names that begin so. **To add a feature**, add a line
to the table of its subject ([a worked example](../CONTRIBUTING.md#a-first-feature)) and learn its card again.
"""


def describe_features() -> str:
    """Markdown: one part for each subject, a line for each feature."""
    users, parts = find_users(), [_HEAD]
    for known in REGISTRIES:
        parts.append(f"## {known.subject.capitalize()}\n")
        families = ((f"{prefix}NAME", prefix, family) for prefix, family in known.families.items())
        for shown, name, feature in (*((name, name, feature) for name, feature in known.items()), *families):
            own = users.get((known.subject, name), ())
            told, n_rules = [user for user in own if user[:6] != "rules."], sum(user[:6] == "rules." for user in own)
            told += [f"{n_rules} rule{'s' * (n_rules > 1)}"] * bool(n_rules)
            parts.append(f"- `{shown}`, {feature.unit}: {feature.meaning} ({', '.join(told) or 'none'})")
        parts.append("")
    return "\n".join(parts)
