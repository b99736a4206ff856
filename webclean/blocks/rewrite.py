"""Rules that change the page before it is cut into blocks: `replace` in the markup, `unwrap` in the tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from webclean.blocks.match import PageFacts, holds_for_page
from webclean.blocks.select import Selection
from webclean.errors import LimitExceeded
from webclean.model import Document, Source
from webclean.parse.tags import CODE
from webclean.rules.rule_schema import Rule, listed


def replace_markup(source: Source, rules: Mapping[str, Rule], url: str | None, max_chars: int) -> Source:
    """Carry out the `replace` actions whose `when.url` fits; no other condition is known before the parse.

    Raises `LimitExceeded` (`max_bytes`) when the markup outgrows what a page may have.
    """
    markup = source.markup
    facts = PageFacts(url=url)
    for rule in rules.values():
        edit = rule.effect.replace
        if edit is not None and rule.enabled and (rule.when.url is None or holds_for_page(rule.when, facts, None)):
            size = len(markup) + markup.count(edit.find) * (len(edit.by) - len(edit.find))
            if size > max_chars:
                raise LimitExceeded("max_bytes", size, max_chars)
            markup = markup.replace(edit.find, edit.by)
    return source if markup is source.markup else replace(source, markup=markup)


def unwrap_elements(document: Document, rules: Mapping[str, Rule]) -> Document:
    """The document in which elements that `unwrap` rules select no longer separate blocks."""
    wanted = [rule for rule in rules.values() if rule.enabled and rule.effect.unwrap and rule.when.selector]
    if not wanted:
        return document
    selection, facts = Selection(document), PageFacts(url=document.url)
    found = [
        selection.select_rows(selector)
        for rule in wanted
        if holds_for_page(rule.when, facts, selection)
        for selector in listed(rule.when.selector)
    ]
    rows = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int32)
    if not len(rows):
        return document
    tag = document.tag.copy()
    tag[rows] = CODE["span"]
    block = document.block.tolist()
    unwrapped = set(rows.tolist())
    for row, above in enumerate(document.parent.tolist()):
        if row in unwrapped or (above >= 0 and block[row] != row):
            block[row] = block[above] if above >= 0 else row
    return replace(document, tag=tag, block=np.array(block, dtype=np.int32))
