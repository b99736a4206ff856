"""What people do with rules: test, lint, compare, tune, start; and why each text of a page was kept or dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webclean.decide.explain import Explanation, explain_block
from webclean.outputs.dictionary import describe_reasons, to_plain_values
from webclean.page import CleanPage
from webclean.parse.limits import check_time
from webclean.parse.xpath import build_xpaths


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
