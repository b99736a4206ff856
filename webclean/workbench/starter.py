"""A page -> a starter site file: rules for texts that somebody wants kept or dropped, or what automatic cleaning found,
written as rules to edit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from webclean.blocks.subtrees import sum_subtrees
from webclean.errors import InputError
from webclean.matching.match import match_blocks
from webclean.page import CleanPage
from webclean.parse import read_attribute
from webclean.parse.url import find_registered_domain
from webclean.parse.xpath import build_xpath
from webclean.rules.rule_schema import When
from webclean.rules.write import write_yaml

MOST: Final = 0.8
SAY_WHY: Final = "say why"
"""Placeholder for a reason that the author has to give; `webclean rules check` rejects it."""
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_HEADER = """Rules for {site}, started from one page.{hint}
  webclean rules test FILE     run the tests at the end of each rule
  webclean rules check FILE    look for rules that do nothing or too much
keep beats drop. `webclean explain PAGE --text-blocks` shows why each text was kept or dropped."""
_SWITCH = "\nSwitch a rule on with `enabled: true` (or delete the line), then:"


def name_site(url: str | None) -> str:
    """The registered domain of a URL, which names the site's rule file; `example.org` without a URL."""
    return (find_registered_domain(url) if url else "") or "example.org"


def write_rules_for(page: CleanPage, keep: Sequence[str], drop: Sequence[str], file: str) -> str:
    """YAML text: a rule, with a test, for the element around each given text. file: the page, as the tests name it.

    Raises `InputError` for a text that is in no text block.
    """
    columns, rules = page.analysis.columns, dict[str, Any]()
    for action, texts in (("keep", keep), ("drop", drop)):
        for text in texts:
            name = f"{action}-{len(rules) + 1}"
            test = {"file": file, "url": page.url or "https://example.org/", action: [text]}
            where = _find_text(page, text)
            n_texts = int(match_blocks(columns, When(selector=where)).sum())
            rules[name] = {
                "description": f"{action}s {n_texts} of the {len(columns.blocks)} texts of this page",
                "when": {"selector": where},
                "action": action,
                "because": SAY_WHY,
                "tests": [test],
            }
    return write_yaml({"rules": rules}, header=_HEADER.format(site=name_site(page.url), hint=" Say why in `because`."))


def _find_text(page: CleanPage, text: str) -> str:
    """A selector of the nearest element around a text that has a name of its own, else of the text's block."""
    columns = page.analysis.columns
    wanted = " ".join(text.split())
    found = next((i for i, block in enumerate(columns.blocks.text) if wanted in " ".join(block.split())), None)
    if found is None:
        raise InputError(f"no text block of the page holds {text!r} (webclean explain PAGE --text-blocks lists them)")
    row = int(columns.blocks.row[found])
    named = (name for above in _list_ancestors(page, row) if (name := _name_element(page, above)))
    return next(named, None) or build_xpath(columns.document, row)


def _list_ancestors(page: CleanPage, row: int) -> Iterator[int]:
    """An element and its ancestors, up to the one that contains more of other texts."""
    document, blocks = page.analysis.columns.document, page.analysis.columns.blocks
    most = 3 * int(np.count_nonzero((blocks.row >= row) & (blocks.row < document.end[row])))
    while row >= 0 and np.count_nonzero((blocks.row >= row) & (blocks.row < document.end[row])) <= most:
        yield row
        row = int(document.parent[row])


def write_starter(page: CleanPage, file: str) -> str:
    """YAML text: the content element as a keep rule, the largest dropped block as a drop rule, field selectors.

    file: the page, as the tests name it.
    """
    content, dropped = _find_container(page, kept=True), _find_container(page, kept=False)
    lines = [text for text in page.text.splitlines() if text.strip()]
    sample = max(lines, key=len, default="")[:80]
    rules: dict[str, Any] = {
        "content": {
            "description": "the element that holds the content",
            "enabled": False,
            "when": {"selector": content or "main"},
            "action": "keep",
            "because": SAY_WHY,
            "tests": [{"file": file, "url": page.url or "https://example.org/", "keep": [sample]}],
        },
        "noise": {
            "description": "an element that never holds content",
            "enabled": False,
            "when": {"selector": dropped or "aside"},
            "action": "drop",
            "because": SAY_WHY,
        },
        "title": {"enabled": False, "action": {"title": "//h1"}, "because": "the heading is the title"},
    }
    return write_yaml({"rules": rules}, header=_HEADER.format(site=name_site(page.url), hint=_SWITCH))


def _find_container(page: CleanPage, *, kept: bool) -> str | None:
    """A selector of the smallest element with most of the kept words, or of the largest element without any."""
    columns, decided = page.analysis.columns, page.analysis.decisions.kept
    document, blocks = columns.document, columns.blocks
    n_kept = sum_subtrees(document, blocks.row, np.where(decided, blocks.n_words, 0))
    n_dropped = sum_subtrees(document, blocks.row, np.where(decided, 0, blocks.n_words))
    if kept and n_kept[:1].sum():
        return _write_selector(page, int(np.flatnonzero(n_kept >= MOST * n_kept[0])[-1]))
    without = np.where(n_kept == 0, n_dropped, 0)
    if not kept and without.any():
        return _write_selector(page, int(np.flatnonzero(without == without.max())[-1]))
    return None


def _write_selector(page: CleanPage, row: int) -> str:
    """A selector by id, else by the first class, else by a tag that the page has once, else by path."""
    return _name_element(page, row) or build_xpath(page.analysis.columns.document, row)


def _name_element(page: CleanPage, row: int) -> str | None:
    document = page.analysis.columns.document
    name = read_attribute(document, row, "id") or ""
    classes = (read_attribute(document, row, "class") or "").split()
    if _PLAIN_NAME.fullmatch(name):
        return f"#{name}"
    for token in classes:
        if _PLAIN_NAME.fullmatch(token):
            return f"{document.names[row]}.{token}"
    if document.names.count(document.names[row]) == 1:
        return document.names[row]
    return None
