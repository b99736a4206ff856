"""A decision in one plain sentence: `no running text; links in it and around it`.

A score is a sum of many small points, of which no single one decides. So the points of all lines are summed by subject
(`sentences.toml`: running text, links, place, names, ...), and the subjects that speak most for the decision are told.
What a rule, a handler or a correction by the whole page says of a block is told as it stands.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from webclean.decide.explain import Explanation
from webclean.model import Block, Reason

_WORDS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
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
