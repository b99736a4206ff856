"""The ordered stages; the only orchestrator. Read this file and you know the system.

bytes -> parse -> Document -> text blocks, structure-block tree -> page type -> handler of the type -> CleanPage
"""

from __future__ import annotations

from pathlib import Path

from webclean.blocks.features import PageColumns
from webclean.blocks.structure import build_structure_tree
from webclean.blocks.text_blocks import find_text_blocks
from webclean.classify import classify_page
from webclean.decide import decide_by_mask
from webclean.errors import InputError
from webclean.handlers import HANDLERS
from webclean.methods import METHODS
from webclean.model import Document, Limits, PageType
from webclean.page import Analysis, CleanPage
from webclean.parse import Input, OnLimit, parse_page
from webclean.rules import RuleSet, load_rules

METHOD_NAMES = ("scorecard", *METHODS)


class Cleaner:
    """Cleans many pages with one rule set. Holds no state of a page: safe to share between threads."""

    def __init__(
        self,
        *,
        rules: RuleSet | str | Path | None = None,
        parser: str = "fast",
        method: str | None = None,
        limits: Limits | None = None,
        on_limit: OnLimit = "raise",
    ) -> None:
        self.rules = rules if isinstance(rules, RuleSet) else load_rules(*([rules] if rules else []))
        self.parser = parser
        self.limits = limits or Limits()
        self.on_limit = on_limit
        self.method = method or self.rules.methods.default
        if self.method not in METHOD_NAMES:
            raise InputError(f"unknown method {self.method!r}: one of {', '.join(METHOD_NAMES)}")

    def clean(self, html: Input, *, url: str | None = None, charset: str | None = None) -> CleanPage:
        """Clean one page."""
        document = parse_page(
            html, url=url, engine=self.parser, charset=charset, limits=self.limits, on_limit=self.on_limit
        )
        return CleanPage(analyse_document(document, self.rules, self.method))


def analyse_document(document: Document, rules: RuleSet, method: str = "scorecard") -> Analysis:
    """Run the deciding stages over a parsed page."""
    blocks = find_text_blocks(document)
    columns = PageColumns(document, blocks, build_structure_tree(document, blocks))
    page_type, page_subtype = classify_page(columns, rules)
    if method == "scorecard":
        decisions = HANDLERS[PageType(page_type.value)](columns, rules)
    else:
        decisions = decide_by_mask(METHODS[method](columns, rules))
    return Analysis(columns, rules, page_type, page_subtype, decisions)


def clean(
    html: Input,
    *,
    url: str | None = None,
    charset: str | None = None,
    rules: RuleSet | str | Path | None = None,
    parser: str = "fast",
    method: str | None = None,
    limits: Limits | None = None,
    on_limit: OnLimit = "raise",
) -> CleanPage:
    """Clean one page: typed, explained blocks, the main text and its fields.

    html: bytes, markup as a string, a path (`os.PathLike`), a file object or an lxml tree. charset: what HTTP said.
    on_limit: `raise` `LimitExceeded`, or `truncate` for the best that fits, named in `page.truncated`.
    method: `scorecard` (ours, the default of the rules) or a published method of `webclean.methods`.
    Raises `InputError` for an unknown parser or method and for what is not a page, `LimitExceeded`, and `RuleError`
    for rules that cannot be used.
    """
    cleaner = Cleaner(rules=rules, parser=parser, method=method, limits=limits, on_limit=on_limit)
    return cleaner.clean(html, url=url, charset=charset)
