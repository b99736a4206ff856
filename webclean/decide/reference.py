"""The registries of features and aggregates -> the reference page `docs/features.md`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from webclean.decide.passes import AGGREGATES
from webclean.features import FEATURES
from webclean.registry import RegisteredFunction

_HEAD = """# Features

What rules and cards may ask about a text block, by name. Written from the registry by
`python -m webclean.decide.reference > docs/features.md`.

Use them in score cards (`score_card.lines`, `plain_card.lines`) and in the conditions of rules
(`when: {features: {n_words: {below: 10}}}`). How they were measured and what they add: [scorecard.md](scorecard.md).
"""


def describe_features() -> str:
    """Markdown: one table for each subject."""
    parts = [_HEAD]
    for subject in dict.fromkeys(_subject(feature) for feature in FEATURES.values()):
        rows = [feature for feature in FEATURES.values() if _subject(feature) == subject]
        parts += [f"## {subject.capitalize()}\n", _write_table(rows)]
    parts += ["## Second pass\n", "What the first pass gave a block and its surroundings; for `second_card.lines`.\n"]
    parts.append(_write_table(AGGREGATES.values()))
    return "\n".join(parts)


def _subject(feature: RegisteredFunction[Any, Any]) -> str:
    return feature.compute.__module__.rpartition(".")[2]


def _write_table(entries: Iterable[RegisteredFunction[Any, Any]]) -> str:
    rows = [f"| `{entry.name}` | {entry.unit} | {entry.meaning.replace('|', '/')} |" for entry in entries]
    return "\n".join(["| name | unit | meaning |", "|---|---|---|", *rows]) + "\n"


if __name__ == "__main__":
    print(describe_features(), end="")
