"""Handler of index pages (patent A7).

1. The cards say what each text block's own words, names and place are worth.
2. The page is cut into semantic blocks of a proper size.
3. The lists among them are found: blocks whose repeated entries, links or short teasers, hold most of their text.
4. They are ranked by importance: URL regularity, marker tokens, size, position and role.
5. Of the important ones all titles and summaries are kept, whatever the cards made of single entries; labels, such as
   dates and counts, are left to the cards.

Steps 2 to 5 are for pages whose class and id names say little: there the cards, which read running text, tell the
entries of one list apart by chance. Where names speak, the cards know lists better than importance does: there steps 2
to 5 lose word F1. Nor are they for a page of which the cards keep a run of paragraphs: it is an article that looks
like an index. The patent also drops all other blocks as noise; the cards keep their say on these, for points may lower
a score but not delete.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from webclean.decide import amend_decisions, decide_blocks
from webclean.features import PageColumns
from webclean.matching.match import RuleMatch
from webclean.model import BlockDecisions, Mask, Reason
from webclean.rules import RuleSet
from webclean.rules.segments_schema import IndexPages
from webclean.segments import segment_page


def handle_index(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep what the cards keep and, on pages without telling names, what the entries of important lists say."""
    decided = decide_blocks(columns, rules, types, matches)
    settings = rules.segments.index_pages
    if decided.plain < settings.plain_from or is_article(columns, decided.kept, settings):
        return decided
    page = segment_page(columns, rules, decided)
    if not page.lists:
        return decided
    importance = page.ranking.value
    least = settings.important * max(importance[number] for number in page.lists)
    important = [number for number in page.lists if importance[number] >= least]
    listed = np.isin(page.columns.segment_of, important)
    n_words = columns.blocks.n_words
    if n_words[listed].sum() < settings.text_share * n_words.sum():
        return decided
    inside = listed & find_titles_and_summaries(columns, rules.segments.records.summary_bytes)
    reasons = {
        block: Reason("index", "important_list", f"in b{number}, a list of importance {importance[number]:.2f}")
        for block, number in enumerate(page.columns.segment_of.tolist())
        if inside[block]
    }
    return amend_decisions(decided, decided.kept | inside, reasons, matches)


def is_article(columns: PageColumns, kept: Mask, settings: IndexPages) -> bool:
    """Whether one run of long paragraphs is much of what is kept; teasers are shorter, and links stand between."""
    text = np.flatnonzero(kept & columns.is_prose & (columns.words >= settings.paragraph_words))
    if not len(text):
        return False
    run = np.concatenate(([0], np.cumsum(np.diff(text) > settings.paragraph_gap + 1)))
    longest = np.bincount(run, columns.words[text]).max()
    return bool(longest >= settings.article_share * columns.words[kept].sum())


def find_titles_and_summaries(columns: PageColumns, summary_bytes: int) -> Mask:
    """bool [n_blocks]: text blocks that are a title (a heading, or mostly a link) or long enough for a summary."""
    blocks = columns.blocks
    n_bytes = np.array([len(text.encode("utf-8", "surrogatepass")) for text in blocks.text], dtype=np.intp)
    return columns.is_heading | (2 * blocks.n_link_chars >= blocks.n_chars) | (n_bytes >= summary_bytes)
