"""Facts in a row are decided by their form: each is short and alone looks like a label of the page.

    Publisher: Harbour Press         a fact: a short label, a colon, a value
    Date: June 2010
    Page count: 528                  three or more in a row, with few links: a list of facts

What a product, a book or an event is said to be stands so on pages of all times and languages, under names of classes
that no list of words has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.model import Correction, Floats
from webclean.rules.decide_schema import FactLists

_FACT: Final = re.compile(r"([^\W\d][^:：]*)(?:：\s*\S|:(?:\s*[^\W\d]|\s+\S))")
"""Label and value. A time and the scheme of a URL are none."""


def correct_fact_lists(
    columns: PageColumns, points: Floats, rules: FactLists, types: Mapping[str, float]
) -> Correction | None:
    """The points that facts in a row gain, None where there are none."""
    given = rules.points * average_by_type(rules.counts, types)
    lists = list(find_fact_lists(columns, rules)) if given else []
    if not lists:
        return None
    gained = np.zeros(len(points))
    for first, last in lists:
        gained[first:last] = given
    return make_correction("facts", gained, None, "a fact of several in a row")


def find_fact_lists(columns: PageColumns, rules: FactLists) -> Iterator[tuple[int, int]]:
    """First block and end of each list of facts; its blocks are equally deep in the tree."""
    texts = columns.blocks.text
    short = (columns.n_text_chars <= rules.most_chars).nonzero()[0].tolist()
    likely = [block for block in short if ":" in texts[block] or "：" in texts[block]]
    if len(likely) < rules.least:
        return
    depth = columns.document.depth[columns.row]
    facts = [block for block in likely if _is_fact(texts[block], rules)]
    for first, last in _list_runs(facts, depth[facts].tolist()):
        if last - first >= rules.least:
            n_linked, n_words = columns.link_words[first:last].sum(), columns.words[first:last].sum()
            if n_linked <= rules.most_links * n_words:
                yield first, last


def _list_runs(facts: list[int], depths: list[int]) -> Iterator[tuple[int, int]]:
    """First block and end of each run of facts of one depth that follow each other."""
    start = 0
    for at in range(1, len(facts) + 1):
        if at == len(facts) or facts[at] != facts[at - 1] + 1 or depths[at] != depths[at - 1]:
            yield facts[start], facts[at - 1] + 1
            start = at


def _is_fact(text: str, rules: FactLists) -> bool:
    found = _FACT.match(text)
    return found is not None and len(found[1]) <= rules.label_chars
