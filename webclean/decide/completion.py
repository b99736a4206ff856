"""Decisions, columns -> decisions that tear no list and leave no heading behind: the last step of deciding.

A card decides block by block, so one entry of a list may be just below the cut, and a heading far below it. What a
reader sees as one is kept as one:

    Tools               heading of kept text: kept
    - Sanding sponge    kept
    - Epoxy             dropped by the points of its one word: kept after all
    - Share this        dropped by a rule: stays dropped
    - Brass screws      kept
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np

from webclean import core
from webclean.blocks.text_blocks import find_lines
from webclean.decide.corrections import CONTROL_LEVELS
from webclean.decide.rule_matches import amend_decisions
from webclean.features import PageColumns
from webclean.features.page_words import read_names
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions, Floats, Mask, Reason
from webclean.parse import climb, count_tags
from webclean.parse.tags import CELL, CODE, LIST_ITEM, tag_mask
from webclean.rules.decide_schema import Structure, TornLists
from webclean.rules.schema import RuleSet

_EVEN: Final = 0.5
"""The probability from which a page is likely of some types."""
_TORN: Final = Reason("list", "torn", "between kept entries of its list, and nothing is known against it")
_HEADING: Final = Reason("list", "heading", "the heading of kept text")
_COLONS: Final = (":", "：")
_SUMMARY: Final = tag_mask("summary").view(np.uint8)
_QUESTION_MARKS: Final = ("?", "？", "؟")
_QUESTION_WORDS: Final = 24  # at most: more of it is text of its own
_FAR: Final = "ends"
"""The correction that says nothing against a text but where it stands."""


def complete(
    columns: PageColumns, rules: RuleSet, decided: BlockDecisions, matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep what kept text cannot be without: the entries of its lists, then the headings of all of it."""
    for find in (find_torn_entries, find_headings):
        reasons = find(columns, rules, decided)
        if reasons:
            kept = decided.kept.copy()
            kept[list(reasons)] = True
            decided = amend_decisions(decided, kept, reasons, matches)
    return decided


def find_torn_entries(columns: PageColumns, rules: RuleSet, decided: BlockDecisions) -> dict[int, Reason]:
    """The texts of the entries that were dropped between kept ones of their list although nothing is known against
    them: a reader who sees a list of ten entries takes it for the whole of it."""
    torn, document = rules.corrections.torn, columns.document
    if torn.counts.average(decided.type_weights or {}) < _EVEN:
        return {}
    read_names(columns)  # whose groups the core reads
    found = core.find_torn(document.page, decided.kept, torn.least, torn.times)
    rows = [row for row in found if not CELL[document.tag[row]]]
    if not rows:
        return {}
    is_against = find_against(decided, torn)
    spans = [slice(*span) for span in find_lines(document, columns.blocks, rows).T.tolist()]
    whole = [at for span in spans if not is_against[span].any() for at in range(span.start, span.stop)]
    return dict.fromkeys(filter(columns.blocks.visible.item, whole), _TORN)


def find_headings(columns: PageColumns, rules: RuleSet, decided: BlockDecisions) -> dict[int, Reason]:
    """The headings of what is kept, and the questions of kept answers."""
    settings = rules.corrections.structures.headings
    if settings.counts.average(decided.type_weights or {}) < _EVEN or not np.count_nonzero(decided.kept):
        return {}
    return dict.fromkeys(list_headings(columns, decided.score, decided.kept, decided.cut, settings), _HEADING)


def find_against(decided: BlockDecisions, torn: TornLists) -> Mask:
    """bool [n_blocks]: dropped for what it says or for what is known of it, and not only for points near the cut."""
    # a page that is about its lists shows them whole; elsewhere points far below the cut say that it is another kind
    is_listing = torn.whole.average(decided.type_weights or {}) >= _EVEN
    is_against = decided.score < decided.cut - (np.inf if is_listing else torn.reach)
    for correction in decided.corrections:
        if correction.name != _FAR:
            is_against |= correction.points < 0
    is_against[[*(decided.steps or ()), *(decided.dropped_by or ())]] = True
    return is_against & ~decided.kept


def list_headings(columns: PageColumns, points: Floats, is_kept: Mask, cut: float, rules: Structure) -> Iterator[int]:
    """The dropped headings after which their element goes on with text that is kept, or with such a heading.

    <section> <h2>Climate</h2> <p>It rains on two hundred days of the year.</p> </section>
    """
    document, row, texts = columns.document, columns.row, columns.blocks.text
    lost = ~is_kept
    # above the first kept text stand mastheads and categories, and perhaps the heading of its first section
    first = is_kept.argmax().item()
    lost[:first] = False
    if first and columns.is_heading[first - 1]:
        own, others = row[first - 1], row[is_kept & columns.is_heading]
        alike = (document.tag[others] == document.tag[own]) & (document.parent[others] == document.parent[own])
        lost[first - 1] = alike.any()
    heads = columns.is_heading & lost & (points >= cut - rules.reach)
    # a definition without its term says nothing, nor does an answer without its question, what a control opens without
    # its name, or one of several lists without its own (`Recommended:`), however far below the cut
    wanted = np.zeros(len(heads), dtype=bool)
    if count_tags(document)[CODE["dt"]]:
        wanted = ~is_kept & (document.tag[row] == CODE["dt"])
    may_ask = ~is_kept & (columns.words <= _QUESTION_WORDS) & (columns.blocks.n_link_words == 0)
    if count_tags(document)[CODE["summary"]]:
        wanted |= may_ask & (core.find_around(document.page, row, _SUMMARY) >= 0)
    for at in (may_ask[:-1] & is_kept[1:]).nonzero()[0].tolist():
        introduces = texts[at].rstrip().endswith(_COLONS) and LIST_ITEM[document.tag[row[at + 1]]]
        wanted[at] |= introduces or texts[at].rstrip().endswith(_QUESTION_MARKS)
    heads |= wanted
    found = -1
    # from the end: of headings in a row the last has been looked at before
    for at in reversed(heads[:-1].nonzero()[0].tolist()):
        # a question may be the button in a heading
        *_, around = islice(climb(document, row.item(at)), 1 + (CONTROL_LEVELS if wanted[at] else 1))
        if row[at + 1] < document.end[around] and (is_kept[at + 1] or found == at + 1):
            found = at
            yield at
