"""A page -> a starter site file: what automatic cleaning found, written as rules to edit."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from webclean.blocks.structure import sum_subtrees
from webclean.page import CleanPage
from webclean.parse import read_attribute
from webclean.parse.url import find_registered_domain
from webclean.parse.xpath import build_xpath
from webclean.rules.write import write_yaml

MOST: Final = 0.8
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_HEADER = """Rules for {site}, started from one page.
Switch a rule on with `enabled: true` (or delete the line), then:
  webclean rules test FILE     run the tests at the end of each rule
  webclean rules check FILE    look for rules that do nothing or too much
keep beats drop. `webclean explain PAGE` shows why each block was kept or dropped."""


def name_site(url: str | None) -> str:
    """The registered domain of a URL, which names the site's rule file; `example.org` without a URL."""
    return (find_registered_domain(url) if url else "") or "example.org"


def write_starter(page: CleanPage) -> str:
    """YAML text: the content element as a keep rule, the largest dropped block as a drop rule, field selectors."""
    content, dropped = _find_container(page, kept=True), _find_container(page, kept=False)
    lines = [text for text in page.text.splitlines() if text.strip()]
    sample = max(lines, key=len, default="")[:80]
    rules: dict[str, Any] = {
        "content": {
            "description": "the element that holds the content",
            "enabled": False,
            "when": {"selector": content or "main"},
            "action": "keep",
            "because": "say why",
            "tests": [{"file": "page.html", "url": page.url or "https://example.org/", "keep": [sample]}],
        },
        "noise": {
            "description": "an element that never holds content",
            "enabled": False,
            "when": {"selector": dropped or "aside"},
            "action": "drop",
            "because": "say why",
        },
        "title": {"enabled": False, "action": {"title": "//h1"}, "because": "the heading is the title"},
    }
    return write_yaml({"rules": rules}, header=_HEADER.format(site=name_site(page.url)))


def _find_container(page: CleanPage, *, kept: bool) -> str | None:
    """A selector of the smallest element with most of the kept words, or of the largest one with none of them."""
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
    """By id, else by the first class, else by a tag that the page has once, else by path."""
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
    return build_xpath(document, row)
