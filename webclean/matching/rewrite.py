"""Carries out the rules that change a page before it is divided into text blocks.

`replace` changes the markup before the parse; `unwrap` and `drop_images` change the parsed document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from webclean.errors import LimitExceeded
from webclean.matching.conditions import PageFacts, holds_for_page, plan_rules
from webclean.matching.select import select_rows
from webclean.model import Document, Rows, Source
from webclean.parse.columns import change_columns, mark_subtrees
from webclean.parse.tags import CODE
from webclean.rules.rule_schema import Rule, as_tuple


def replace_markup(source: Source, rules: Mapping[str, Rule], url: str | None, max_chars: int) -> Source:
    """Carry out the `replace` actions whose `when.url` matches; before the parse no other condition can be checked.

    Raises `LimitExceeded` (`max_bytes`) where the markup would have more than `max_chars` characters afterwards.
    """
    markup = source.markup
    facts = PageFacts(url=url)
    for rule in plan_rules(rules).replacing:
        edit = rule.effect.replace
        if edit is not None and (rule.when.url is None or holds_for_page(rule.when, facts, None)):
            # counted before it is made: a short `find` and a long `by` would fill the memory
            size = len(markup) + markup.count(edit.find) * (len(edit.by) - len(edit.find))
            if size > max_chars:
                raise LimitExceeded("max_bytes", size, max_chars)
            markup = markup.replace(edit.find, edit.by)
    return source if markup is source.markup else replace(source, markup=markup)


def edit_elements(document: Document, rules: Mapping[str, Rule]) -> Document:
    """Carry out the `unwrap` and `drop_images` rules; gives a changed copy of the document.

    Elements that `unwrap` rules select no longer separate blocks: they count as `span`. Images that `drop_images` rules
    select, or that are inside selected elements, count as `span` too and are not displayed.
    """
    editing = plan_rules(rules).editing
    if not editing:
        return document
    facts = PageFacts(url=document.url)
    wanted = [rule for rule in editing if holds_for_page(rule.when, facts, document)]
    unwrapped = _select(document, [rule for rule in wanted if rule.effect.unwrap])
    imageless = _select(document, [rule for rule in wanted if rule.effect.drop_images])
    if len(unwrapped):
        document = _unwrap(document, unwrapped)
    return _drop_images(document, imageless) if len(imageless) else document


def _select(document: Document, rules: list[Rule]) -> Rows:
    found = [select_rows(document, selector) for rule in rules for selector in as_tuple(rule.when.selector)]
    return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.intp)


def _unwrap(document: Document, rows: Rows) -> Document:
    tag = document.tag.copy()
    tag[rows] = CODE["span"]
    block = document.block.tolist()
    unwrapped = set(rows.tolist()) - {0}  # nothing is around the root
    for row, above in enumerate(document.parent.tolist()):
        # parents come before their children, so theirs is already that of what is around
        if row in unwrapped or block[row] != row:
            block[row] = block[above]
    return change_columns(document, tag=tag, block=np.array(block, dtype=np.intp))


def _drop_images(document: Document, rows: Rows) -> Document:
    roots = np.zeros(len(document), dtype=bool)
    roots[rows] = True
    images = mark_subtrees(document, roots) & (document.tag == CODE["img"])
    tag = document.tag.copy()
    tag[images] = CODE["span"]
    return change_columns(document, tag=tag, displayed=document.displayed & ~images)
