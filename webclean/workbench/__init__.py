"""What people do with rules: test, lint, compare, tune, start; the reference page of features; and why each
text of a page was kept or dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from webclean.checks import REGISTRIES, find_users
from webclean.decide.explain import Explanation, explain_block
from webclean.features import BLOCK_FEATURES
from webclean.outputs.dictionary import describe_reasons, to_plain_values
from webclean.page import CleanPage
from webclean.parse.limits import check_time
from webclean.parse.xpath import build_xpaths
from webclean.registry import Feature, FeatureRegistry


def explain_text_blocks(page: CleanPage) -> Iterator[Explanation]:
    """The explanation of each text block, in reading order."""
    analysis = page.analysis
    for block in range(len(analysis.columns.blocks)):
        check_time()
        yield explain_block(analysis.columns, analysis.decisions, analysis.rules, block)


def describe_text_blocks(page: CleanPage) -> list[dict[str, Any]]:
    """Number, decision, score, text, XPath and reasons of each text block, and the least change that would flip it; of
    as many as a part of the result may have."""
    columns = page.analysis.columns
    xpaths = build_xpaths(columns.document, columns.blocks.row.tolist())
    return page.bound(
        {
            "number": number,
            "kept": found.kept,
            "score": to_plain_values(found.score),
            "text": columns.blocks.text[number],
            "xpath": xpaths[number],
            "reasons": describe_reasons(found.reasons),
            "would_change": str(found.flip) if found.flip else None,
        }
        for number, found in enumerate(explain_text_blocks(page))
    )


_HEAD: Final = """# Features

What cards, trees and rules may ask by name, one part for each subject. Written by
`webclean rules features > docs/features.md` from the registries in the code; `used by` names the cards, trees and rules
that ship and use a feature. A name that ends in NAME stands for all that begin so. Values that are not numbers are
coded, as the unit says; yes and no are 1 and 0.

How the features of text blocks were measured and what they add: [scorecard.md](scorecard.md).

## To add a feature

Two files change by hand or by learning:

1. `webclean/core/features.toml`, for features of text blocks, their surroundings, pages, semantic blocks and nodes: a
   line with name, unit, meaning, and the expression of its value for row `i`, which is compiled
   (`python build_core.py`). What takes more than an expression is a column that a function of the core fills, in the
   file of its subject, which each part below names; `build_features.py` says how. Other features are functions with
   `@feature(unit, meaning)`. (For candidates of a field: a line of
   `webclean/fields/candidate_features.toml`, which is set where the candidate is found.)
2. Its card: `webclean learn scorecard -o rules/`, or `learn roles`, `learn page-type`, `learn fields` with the file
   of the card, learns it anew. A card may learn every feature of its subject, unless the feature's `learn` names
   other cards or none.

Two more are written from them: `webclean rules features > docs/features.md` and, for a feature of text blocks, pages or
semantic blocks, the values that tests compare, `python -m tests.features.table`.
"""
_INTRODUCTIONS: Final = {
    "text block": "For cards of the first pass and conditions of rules: `when: {features: {n_words: {below: 10}}}`.",
    "surroundings": "What the first pass gave a text block and the blocks around it; for `second_card`.",
    "semantic block": "For `roles`.",
    "node of the cut tree": "A part of the page that can be split into smaller ones; for `splits`.",
    "page": "For `page_type.card` and `page_type.refinements`.",
    "patent page": "The 13 attributes of the patent's page classifier; for `page_type.patent.tree`.",
    "title candidate": "For `fields.title.card`.",
    "title text": "A text of the page that can be its title; for `fields.title.tree`.",
    "date candidate": "For `fields.date.card` and `fields.date.modified_card`. A candidate is a day.",
    "author candidate": "For `fields.author.card`.",
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
    """Markdown: one part for each subject; the many features of text blocks in one table for each of their files."""
    users = find_users()
    parts = [_HEAD]
    for known in REGISTRIES:
        file = _FILES.get(known.subject, "webclean/fields/candidate_features.toml")
        parts.append(f"## {known.subject.capitalize()}\n\n{_INTRODUCTIONS[known.subject]} In `{file}`.\n")
        for title, names in _group_names(known):
            parts += [f"### {title}\n"] * bool(title)
            parts.append(_write_table([_write_row(known[name], name, known.subject, users) for name in names]))
        families = known.families.items()
        rows = [_write_row(family, f"{prefix}NAME", known.subject, users) for prefix, family in families]
        parts += [_write_table(rows)] * bool(rows)
    return "\n".join(parts)


def _group_names(known: FeatureRegistry[Any, Any]) -> Iterator[tuple[str, list[str]]]:
    """(heading, names); the features of text blocks by their files."""
    if known is not BLOCK_FEATURES:
        yield "", list(known)
        return
    files = {name: feature.group for name, feature in known.items()}
    for file in dict.fromkeys(files.values()):
        title = file.replace("_", " ").capitalize()
        yield title, [name for name, other in files.items() if other == file]


def _write_row(entry: Feature[Any, Any], shown: str, subject: str, users: dict[tuple[str, str], list[str]]) -> str:
    used = ", ".join(f"`{user}`" for user in users.get((subject, shown.removesuffix("NAME")), ()))
    return f"| `{shown}` | {entry.unit} | {entry.meaning.replace('|', '/')} | {used} |"


def _write_table(rows: list[str]) -> str:
    return "\n".join(["| name | unit | meaning | used by |", "|---|---|---|---|", *rows]) + "\n"
