"""A page -> a starter site file: what automatic cleaning found, written as rules to edit."""

from __future__ import annotations

from typing import Any

import numpy as np

from webclean.page import CleanPage
from webclean.parse import read_attribute
from webclean.parse.url import find_registered_domain
from webclean.parse.xpath import build_xpath
from webclean.rules.write import write_yaml

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
    """A selector of the smallest element with most of the kept (or of the dropped) words."""
    columns, decided = page.analysis.columns, page.analysis.decisions.kept
    document, blocks = columns.document, columns.blocks
    words = np.where(decided == kept, blocks.n_words, 0)
    if not words.sum():
        return None
    placed = np.bincount(blocks.row, words, minlength=len(document))
    running = np.concatenate(([0.0], np.cumsum(placed)))
    inside = running[document.end] - running[:-1]
    row = int(np.flatnonzero(inside >= 0.8 * words.sum())[-1])
    name = read_attribute(document, row, "id")
    classes = (read_attribute(document, row, "class") or "").split()
    plain = [token for token in classes if token.replace("-", "").replace("_", "").isalnum()]
    if name and name.replace("-", "").replace("_", "").isalnum() and not name[0].isdigit():
        return f"#{name}"
    if plain and not plain[0][0].isdigit():
        return f"{document.names[row]}.{plain[0]}"
    return build_xpath(document, row)
