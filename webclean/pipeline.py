"""The ordered stages; the only orchestrator. Read this file and you know the system.

bytes -> parse -> Document -> text blocks, structure-block tree -> page type -> handler of the type -> CleanPage
"""

from __future__ import annotations

from pathlib import Path

from webclean.blocks.features import PageColumns
from webclean.blocks.structure import build_structure_tree
from webclean.blocks.text_blocks import find_text_blocks
from webclean.classify import classify_page
from webclean.handlers import HANDLERS
from webclean.model import Document, PageType
from webclean.page import Analysis, CleanPage
from webclean.parse import parse_page
from webclean.rules import RuleSet, load_rules


class Cleaner:
    """Cleans many pages with one rule set. Holds no state of a page: safe to share between threads."""

    def __init__(self, *, rules: RuleSet | str | Path | None = None, parser: str = "fast") -> None:
        self.rules = rules if isinstance(rules, RuleSet) else load_rules(*([rules] if rules else []))
        self.parser = parser

    def clean(self, html: bytes | str, *, url: str | None = None) -> CleanPage:
        """Clean one page."""
        document = parse_page(html, url=url, engine=self.parser)
        return CleanPage(analyse_document(document, self.rules))


def analyse_document(document: Document, rules: RuleSet) -> Analysis:
    """Run the deciding stages over a parsed page."""
    blocks = find_text_blocks(document)
    columns = PageColumns(document, blocks, build_structure_tree(document, blocks))
    page_type, page_subtype = classify_page(columns, rules)
    decisions = HANDLERS[PageType(page_type.value)](columns, rules)
    return Analysis(columns, rules, page_type, page_subtype, decisions)


def clean(
    html: bytes | str,
    *,
    url: str | None = None,
    rules: RuleSet | str | Path | None = None,
    parser: str = "fast",
) -> CleanPage:
    """Clean one page: typed, explained blocks, the main text and its fields."""
    return Cleaner(rules=rules, parser=parser).clean(html, url=url)
