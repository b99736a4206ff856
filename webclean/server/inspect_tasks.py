"""What a worker does for the workbench: a page, options and edited rules -> what is shown of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from webclean.decide.explain import explain_block
from webclean.errors import InputError
from webclean.outputs.block_views import TextMark, render_picture
from webclean.outputs.dictionary import describe_reasons, to_plain_values
from webclean.page import CleanPage
from webclean.parse.xpath import build_xpaths
from webclean.rules import RuleBook, open_rules
from webclean.server.tasks import PageTask, clean_task, returns_failures
from webclean.workbench.editing import EditedRules, Remark, list_edited_faults, review_edited, write_edited
from webclean.workbench.starter import add_rules, write_rules_for
from webclean.workbench.trials import list_changes

_MOST_REASONS: Final = 8
_MOST_CHANGES: Final = 400


@dataclass(frozen=True, slots=True)
class InspectTask:
    """A page of the workbench. saved: the task with the rules as they are saved. edited: the rules as they are edited,
    None if there are none. open_with: rule files and folders below the edited ones."""

    saved: PageTask
    edited: EditedRules | None = None
    open_with: tuple[Path, ...] = ()


@contextmanager
def open_edited(task: InspectTask) -> Iterator[tuple[PageTask, RuleBook, list[Remark], Path | None]]:
    """The task with the edited rules, or with the saved ones where the edited cannot be used; their book, their faults,
    and the edited file (None if there is none)."""
    if task.edited is None:
        yield task.saved, open_rules(task.saved.rules), [], None
        return
    with write_edited(task.edited) as (paths, file):
        rules = (*task.open_with, *paths)
        book = open_rules(rules)
        faults = list_edited_faults(book, file)
        yield (task.saved if faults else replace(task.saved, rules=rules)), book, faults, file


@returns_failures
def inspect_page(task: InspectTask) -> tuple[bytes, str]:
    """JSON of what the workbench shows, and the picture of the page."""
    saved = clean_task(task.saved)
    with open_edited(task) as (edited, book, faults, file):
        page = saved if faults or file is None else clean_task(edited)
        remarks = faults or ([] if file is None else list(review_edited(book, file, page)))
        described = describe_inspection(page)
        described["remarks"] = to_plain_values(remarks)
        described["changes"] = list(list_changes(saved.text, page.text))[:_MOST_CHANGES]
        picture = draw_page(page)
    return msgspec.json.encode(described), picture


def draw_page(page: CleanPage) -> str:
    """The original page with its blocks outlined and its text blocks marked."""
    blocks, kept = page.analysis.columns.blocks, page.analysis.decisions.kept
    paths = build_xpaths(page.analysis.columns.document, blocks.row.tolist())
    marks = (TextMark(n, bool(kept[n]), path) for n, path in enumerate(paths))
    return render_picture(page.source.markup, page.blocks, marks, legend=False)


def describe_inspection(page: CleanPage) -> dict[str, Any]:
    """Type, fields, text, and the trees of blocks and text blocks."""
    columns, decisions = page.analysis.columns.blocks, page.analysis.decisions
    fields = {name: to_plain_values(getattr(page.fields, name)) for name in ("title", "date", "author", "language")}
    return {
        "url": page.url,
        "page_type": str(page.page_type),
        "page_subtype": page.page_subtype,
        "page_label": page.page_label,
        "type_confidence": round(page.type_confidence, 3),
        "confidence": round(page.confidence, 3),
        "type_reasons": describe_reasons(page.type_reasons[:_MOST_REASONS]),
        "fields": fields,
        "text": page.text,
        "warnings": list(page.warnings),
        "n_words": int(columns.n_words.sum()),
        "n_kept": int(columns.n_words[decisions.kept].sum()),
        "blocks": list(describe_tree(page)),
        "text_blocks": [
            {"number": n, "block": owner, "kept": kept, "score": round(score, 2), "words": words, "text": text}
            for n, (owner, kept, score, words, text) in enumerate(
                zip(
                    page.segment_of.tolist(),
                    decisions.kept.tolist(),
                    decisions.score.tolist(),
                    columns.n_words.tolist(),
                    columns.text,
                    strict=True,
                )
            )
        ],
    }


def describe_tree(page: CleanPage) -> Iterator[dict[str, Any]]:
    """The semantic blocks in reading order; parent: number of the one around it."""
    own = page.analysis.columns.blocks.n_words
    counts = [
        np.bincount(page.segment_of, counted, minlength=len(page.blocks)).astype(int).tolist()
        for counted in (own, own * page.analysis.decisions.kept)
    ]
    for block, words, kept_words in zip(page.blocks, *counts, strict=True):
        yield {
            "number": block.number,
            "id": block.id,
            "parent": None if block.parent is None else page.blocks[block.parent].number,
            "role": str(block.role),
            "kept": block.kept,
            "importance": round(block.importance, 3),
            "label": " ".join((block.heading or block.text).split())[:120],
            "words": words,
            "kept_words": kept_words,
            "n_links": len(block.links),
            "n_records": len(block.records),
            "reasons": describe_reasons(block.reasons),
        }


@returns_failures
def explain_inspected(task: InspectTask, *, number: int) -> bytes:
    """JSON: why a text block is kept or dropped, and its place."""
    with open_edited(task) as (edited, _, _, _):
        page = clean_task(edited)
    analysis = page.analysis
    if not 0 <= number < len(analysis.columns.blocks):
        raise InputError(f"the page has no text block {number}")
    found = explain_block(analysis.columns, analysis.decisions, analysis.rules, number)
    row = int(analysis.columns.blocks.row[number])
    described = {
        "number": number,
        "kept": found.kept,
        "score": round(found.score, 2),
        "cut": round(found.cut, 2),
        "text": analysis.columns.blocks.text[number],
        "xpath": build_xpaths(analysis.columns.document, [row])[0],
        "reasons": describe_reasons(found.reasons),
        "would_change": str(found.flip) if found.flip else None,
    }
    return msgspec.json.encode(described)


@returns_failures
def extend_rules(
    task: InspectTask, *, keep: Sequence[str], drop: Sequence[str], because: str, edited: EditedRules
) -> bytes:
    """JSON: the edited file with a rule and its test for each text that is to be kept or dropped."""
    with open_edited(task) as (current, _, faults, file):
        if faults:
            raise InputError("mend the rules first; then further ones can be added")
        page = clean_task(current)
        made = write_rules_for(page, keep, drop, edited.file)
        rules: Mapping[str, Any] = {
            name: {**rule, "because": because or rule["because"]} for name, rule in made.rules.items()
        }
        text = add_rules(edited.text, rules, file or Path(f"{edited.site or 'rules'}.yaml")) if rules else edited.text
    return msgspec.json.encode({"yaml": text, "needless": list(made.needless)})


@returns_failures
def check_before_saving(task: InspectTask) -> list[Remark]:
    """Why edited rules are not fit to be saved: faults, and tests that fail."""
    with open_edited(task) as (edited, book, faults, file):
        if faults or file is None:
            return faults
        remarks = review_edited(book, file, clean_task(edited))
        return [remark for remark in remarks if remark.kind in ("fault", "test") and not remark.passed]
