"""What the conditions of rules ask about a whole page, and what a rule that applies to it matched."""

from __future__ import annotations

import msgspec

from webclean.matching.expressions import compile_pattern
from webclean.matching.select import select_rows
from webclean.model import Document, Mask
from webclean.rules.rule_schema import Rule, When, as_tuple


class PageFacts(msgspec.Struct, frozen=True):
    """What the conditions of a rule may ask about the whole page.

    page_label: the most specific name of the page's type, such as `blog`.
    """

    page_type: str | None = None
    page_subtype: str | None = None
    language: str | None = None
    url: str | None = None
    page_label: str | None = None

    def is_of_type(self, names: tuple[str, ...]) -> bool:
        """Whether one of the names is the page's type, subtype or label."""
        return self.page_type in names or self.page_subtype in names or self.page_label in names


class RuleMatch(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A rule that applies to the page. blocks: bool [n_blocks], the text blocks that it matches. is_absent: it matches
    none, as most rules on most pages; asked by each stage, so it is counted once."""

    id: str
    rule: Rule
    blocks: Mask
    is_absent: bool = False


def holds_for_page(when: When, facts: PageFacts, document: Document | None) -> bool:
    """Whether the conditions about the page hold.

    Args:
        when: the conditions of a rule.
        facts: what is known of the page.
        document: None before the parse; then a condition that asks for elements fails.
    """
    if document is None and (when.page_contains or when.page_lacks):
        return False
    types, languages = as_tuple(when.page_type), as_tuple(when.language)
    return (
        (not types or facts.is_of_type(types))
        and (not languages or facts.language in languages)
        and (when.url is None or compile_pattern(when.url).search(facts.url or "") is not None)
        and (document is None or _holds_for_elements(when, document))
    )


def _holds_for_elements(when: When, document: Document) -> bool:
    return all(len(select_rows(document, item)) for item in as_tuple(when.page_contains)) and not any(
        len(select_rows(document, item)) for item in as_tuple(when.page_lacks)
    )
