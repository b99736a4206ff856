"""Facts in a row are decided by their form: each is short and alone looks like a label of the page.

    Publisher: Harbour Press         a fact: a short label, a colon, a value
    Date: June 2010
    Page count: 528                  three or more in a row, with few links: a list of facts

What a product, a book or an event is said to be stands so on pages of all times and languages, under names of classes
that no list of words has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from webclean import core
from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.model import Correction, Floats
from webclean.rules.decide_schema import FactLists


def correct_fact_lists(
    columns: PageColumns, points: Floats, rules: FactLists, types: Mapping[str, float]
) -> Correction | None:
    """The points that facts in a row gain, None where there are none."""
    given = rules.points * average_by_type(rules.counts, types)
    lists = find_fact_lists(columns, rules) if given else []
    if not lists:
        return None
    gained = np.zeros(len(points))
    for first, last in lists:
        gained[first:last] = given
    return make_correction("facts", gained, None, "a fact of several in a row")


def find_fact_lists(columns: PageColumns, rules: FactLists) -> list[tuple[int, int]]:
    """First block and end of each list of facts; its blocks are equally deep in the tree."""
    columns.view("words")  # measured, which the search asks for
    found = core.find_facts(columns.document.page, rules.most_chars, rules.label_chars, rules.least, rules.most_links)
    return cast("list[tuple[int, int]]", found)
