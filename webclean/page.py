"""`CleanPage`: the result. Its parts are computed when first asked for and then kept.

The stages that decide (blocks, type, keep or drop) have run when a `CleanPage` exists; semantic blocks, fields and
renderings are lazy, so a caller who wants only the text pays only for the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from webclean.blocks.features import PageColumns
from webclean.classify import Classification
from webclean.decide import BlockDecisions
from webclean.fields import PageFields, extract_fields
from webclean.model import Block, Decision, PageType, Reason, Repair, Source
from webclean.outputs.text import render_text
from webclean.parse.repairs import list_repairs
from webclean.rules import RuleSet
from webclean.semantics import build_semantic_blocks


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What the stages decided about one page."""

    columns: PageColumns
    rules: RuleSet
    classification: Classification
    decisions: BlockDecisions
    warnings: tuple[str, ...] = ()

    @property
    def page_type(self) -> Decision:
        return self.classification.page_type

    @property
    def page_subtype(self) -> Decision:
        return self.classification.page_subtype


class CleanPage:
    """A cleaned page: text, fields, typed blocks, and the reasons for each decision."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    @cached_property
    def text(self) -> str:
        """The kept text in reading order: paragraphs, headings, list items, rows and code lines on their own lines."""
        columns = self.analysis.columns
        return render_text(columns.document, columns.blocks, self.analysis.decisions.kept)

    @cached_property
    def fields(self) -> PageFields:
        """Title, date, author and the other fields, each with source, confidence and alternatives."""
        analysis = self.analysis
        return extract_fields(analysis.columns, self.page_subtype, analysis.rules, kept=analysis.decisions.kept)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The semantic blocks in reading order."""
        analysis = self.analysis
        return build_semantic_blocks(analysis.columns, analysis.decisions, analysis.rules, self.page_type)

    @property
    def page_type(self) -> PageType:
        return PageType(self.analysis.page_type.value)

    @property
    def page_subtype(self) -> str | None:
        value = self.analysis.page_subtype.value
        return None if value is None else str(value)

    @property
    def type_confidence(self) -> float:
        """Probability of the page type, 0 to 1."""
        return self.analysis.page_type.confidence

    @property
    def type_reasons(self) -> tuple[Reason, ...]:
        """Why the page has its type: the outcome with the runner-up and the margin, then the path or the points."""
        return self.analysis.classification.reasons

    @property
    def title(self) -> str | None:
        return self.fields.title.value

    @property
    def date(self) -> str | None:
        """Published date, ISO 8601."""
        return self.fields.date.value

    @property
    def author(self) -> str | None:
        return self.fields.author.value

    @property
    def language(self) -> str | None:
        """BCP 47 tag."""
        return self.fields.language.value

    @property
    def url(self) -> str | None:
        return self.analysis.columns.document.url

    @cached_property
    def repairs(self) -> tuple[Repair, ...]:
        """What the parser repaired in the markup, in the order of the source. Parses the page again."""
        return list_repairs(self.source.markup) if self.source.kind == "html" else ()

    @property
    def source(self) -> Source:
        """The markup that was read, its encoding and how that was decided, the kind of input."""
        return self.analysis.columns.document.source

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person who wrote the rules should know: rules that contradict each other, site rules that miss."""
        return self.analysis.warnings

    @property
    def rules_hash(self) -> str:
        """Names the content of the rules that made this result."""
        return self.analysis.rules.hash

    @property
    def truncated(self) -> tuple[str, ...]:
        """Names of the limits that cut the page, with `on_limit="truncate"`; empty for a whole page."""
        return self.analysis.columns.document.truncated

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, ready for JSON."""
        return {
            "url": self.url,
            "page_type": str(self.page_type),
            "page_subtype": self.page_subtype,
            "title": self.title,
            "date": self.date,
            "author": self.author,
            "text": self.text,
        }
