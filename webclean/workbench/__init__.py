"""What people do with rules: test, lint, compare, start; the reference page of features; and why each
text of a page was kept or dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any, Final

import numpy as np

from webclean.checks import REGISTRIES, find_users
from webclean.decide.explain import Explanation, explain_block
from webclean.features import BLOCK_FEATURES
from webclean.model import Block
from webclean.outputs.dictionary import describe_reasons, to_plain_values
from webclean.page import CleanPage
from webclean.parse.limits import check_time
from webclean.parse.xpath import build_xpaths
from webclean.registry import Feature, FeatureRegistry
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
            found = explain_block(analysis.columns, analysis.decisions, analysis.rules, text, flips=False)
        yield block, explain_semantic_block(block, found, counts[block.number][1])


def describe_text_blocks(page: CleanPage) -> list[dict[str, Any]]:
    """Each text block, of as many as a part of the result may have."""
    columns = page.analysis.columns
    xpaths = build_xpaths(columns.document, columns.blocks.row.tolist())
    return page.bound(map(describe_text_block, repeat(page), explain_text_blocks(page), xpaths))


def describe_text_block(page: CleanPage, found: Explanation, xpath: str) -> dict[str, Any]:
    """Number, decision, score, text, XPath, sentence and reasons of a text block, and what would flip it."""
    return {
        "number": found.block,
        "kept": found.kept,
        "score": to_plain_values(found.score),
        "text": page.analysis.columns.blocks.text[found.block],
        "xpath": xpath,
        "sentence": explain_text(found),
        "reasons": describe_reasons(found.reasons),
        "would_change": str(found.flip) if found.flip else None,
    }


_HEAD: Final = """# Features

The numbers that cards, trees and rules ask for by name, as `webclean rules features` prints them. A line gives the
name, the unit, the meaning, and in brackets the shipped cards, trees and rules that use the feature. The brackets are
left out where these are the ones that the introduction of the part names. A line without a unit is 0 or 1, a count of
what the meaning names, or a share where the meaning has a `/`. A name that ends in NAME stands for all names that begin
so. `..._first` is the same feature of the first such candidate alone.

**To add a feature**, add a line to the file of its subject ([a worked example](../CONTRIBUTING.md#a-first-feature)) and
learn its card again. A card may learn every feature of its subject, unless the feature's `learn` names other cards.
"""
_FIRST: Final = "the first of those: "
_INTRODUCTIONS: Final = {
    "text block": "For cards of the first pass and conditions of rules: `when: {features: {n_words: {below: 10}}}`.",
    "surroundings": "What the first pass gave a text block and the blocks around it.",
    "node of the cut tree": "A part of the page that can be split into smaller ones.",
    "patent page": "The 13 attributes of the patent's page classifier.",
    "title text": "A text of the page that can be its title.",
    "date candidate": "A candidate is a day.",
}
_FILES: Final = {
    "text block": "webclean/core/`: `features.py`, `block_columns.py` and `block_places.py",
    "surroundings": "webclean/core/second_pass.py",
    "semantic block": "webclean/segments/segment_columns.py",
    "node of the cut tree": "webclean/segments/nodes.py",
    "page": "webclean/core/pages.py",
    "patent page": "webclean/classify/patent_tree.py",
}


def describe_features() -> str:
    """Markdown: one part for each subject, a line for each feature; the many of text blocks under their files."""
    users = find_users()
    parts = [_HEAD]
    for known in REGISTRIES:
        told = {name: _describe_users(users.get((known.subject, name), ())) for name in (*known, *known.families)}
        usual, _ = Counter(user for user in told.values() if user != "none").most_common(1)[0]
        file = _FILES.get(known.subject, "webclean/fields/candidate_features.toml")
        about = f"{_INTRODUCTIONS.get(known.subject, '')} In `{file}`; used by {usual}."
        parts.append(f"## {known.subject.capitalize()}\n\n{about.strip()}\n")
        shown = {name: "" if users_ == usual else f" ({users_})" for name, users_ in told.items()}
        groups: dict[str, list[str]] = {}  # those of text blocks by their files
        for name, feature in known.items():
            title = feature.group.replace("_", " ").capitalize() if known is BLOCK_FEATURES else ""
            groups.setdefault(title, []).append(name)
        for title, names in groups.items():
            parts += [f"### {title}\n"] * bool(title)
            parts.append(_write_lines(known, names, shown))
        families = (_write_line(family, f"`{prefix}NAME`", shown[prefix]) for prefix, family in known.families.items())
        parts += ["\n".join(families) + "\n"] * bool(known.families)
    return "\n".join(parts)


def _describe_users(users: Iterable[str]) -> str:
    """Cards and trees by name, rules by their number."""
    n_rules = sum(user.startswith("rules.") for user in users)
    others = [user.removesuffix("_card") for user in users if not user.startswith("rules.")]
    return ", ".join([*others, *[f"{n_rules} rule{'s' * (n_rules > 1)}"] * bool(n_rules)]) or "none"


def _write_lines(known: FeatureRegistry[Any, Any], names: list[str], shown: Mapping[str, str]) -> str:
    """A feature `NAME_first`, of the first candidate of a kind, stands on the line of NAME if both are used alike."""

    def has_twin(name: str) -> bool:
        told = name in known and shown[name] == shown.get(f"{name}_first")
        return told and known[f"{name}_first"].meaning == f"{_FIRST}{known[name].meaning}"

    lines = [
        _write_line(known[name], f"`{name}`{', `..._first`' * has_twin(name)}", shown[name])
        for name in names
        if not (name.endswith("_first") and has_twin(name.removesuffix("_first")))
    ]
    return "\n".join(lines) + "\n"


def _write_line(entry: Feature[Any, Any], shown: str, users: str) -> str:
    told = entry.unit == "0 or 1" or entry.unit in entry.meaning or (entry.unit == "share" and " / " in entry.meaning)
    unit = "" if told else f", {entry.unit}"
    return f"- {shown}{unit}: {entry.meaning}{users}"
