"""A text that is empty, or next to it -> why, so that nobody takes it for a page that was read.

The first reason that holds, in the order of `REASONS`. Each has a warning of its own (`page.warnings`); a program asks
`page.empty_because`.
"""

from __future__ import annotations

from typing import Final

from webclean import core
from webclean.blocks.bare_pages import is_bare
from webclean.features import PageColumns
from webclean.model import BlockDecisions, PageType
from webclean.rules import RuleSet

REASONS: Final = {
    "not_a_page": "the input is {kind}, not a page",
    "script": "the page shows next to nothing without its scripts: a browser may show more",
    "no_text": "the page has no text",
    "error": "it is an error page",
    "login": "the page asks for a login",
    "short": "the page has no more to say",
    "hidden": "the page hides its text",
    "list": "it is a list without running text",
    "no_main_content": "nothing more on the page reads as its main content",
}
"""Name of a reason -> what people are told."""


def count_kept_words(columns: PageColumns, decisions: BlockDecisions) -> int:
    """The words of the text; characters where words are written without spaces."""
    found: int = core.count_wanted_words(columns.document.page, decisions.kept)
    return found


def find_empty_reason(
    columns: PageColumns, decisions: BlockDecisions, page_type: PageType, label: str | None, rules: RuleSet
) -> str | None:
    """A key of `REASONS` where the text has fewer words than `empty.few_words`; None for all other pages.

    label: of the page, such as `login`.
    """
    if count_kept_words(columns, decisions) >= rules.empty.few_words:
        return None
    blocks, few = columns.blocks, rules.empty.few_words
    holds = {
        "not_a_page": columns.document.source.kind in ("binary", "empty"),
        "script": is_shell(columns, rules),
        "no_text": not len(blocks),
        "error": label == "error",
        "login": label == "login",
        "short": blocks.n_words.sum() < few,
        "hidden": blocks.n_words[blocks.visible].sum() < few,
        "list": page_type is PageType.INDEX,
    }
    # in the order of `REASONS`, of which the first says most: an error page has few words too
    return next((name for name in REASONS if holds.get(name)), "no_main_content")


def is_shell(columns: PageColumns, rules: RuleSet) -> bool:
    """Whether scripts fill the page, and their data have no text either."""
    document = columns.document
    # a page that was taken from its `noscript` or its data shows something already
    is_page = document.source.kind == "html" and not document.source.part
    return is_page and is_bare(document, columns.blocks, rules.script_pages)


def describe_empty(reason: str | None, columns: PageColumns, decisions: BlockDecisions) -> tuple[str, ...]:
    """The warning of a reason; none without one."""
    if reason is None:
        return ()
    source, n_words = columns.document.source, count_kept_words(columns, decisions)
    told = REASONS[reason].format(kind=source.format or "empty")
    if reason in ("not_a_page", "script"):
        return (told,)
    size = f"the text has {n_words} words" if n_words else "the text is empty"
    return (f"{size}: {told}",)
