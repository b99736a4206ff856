"""What people do with rules: test, lint, compare, start; the reference page of features; and why each
text of a page was kept or dropped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any, Final

import numpy as np

from webclean.checks import REGISTRIES, find_users
from webclean.decide.explain import Explanation, explain_block
from webclean.model import Block
from webclean.outputs.dictionary import describe_reasons, to_plain_values
from webclean.page import CleanPage
from webclean.parse.limits import check_time
from webclean.parse.xpath import build_xpaths
from webclean.workbench.sentences import explain_semantic_block, explain_text


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


def describe_text_blocks(page: CleanPage) -> list[dict[str, Any]]:
    """Each text block, of as many as a part of the result may have."""
    columns = page.analysis.columns
    xpaths = build_xpaths(columns.document, columns.blocks.row.tolist())
    return page.bound(map(describe_text_block, repeat(page), explain_text_blocks(page), xpaths))


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
