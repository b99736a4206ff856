"""Handler of index pages (patent A7).

1. The cards decide about each text block.
2. The page is divided into semantic blocks.
3. The lists among these are found: blocks with most of their text in repeated entries that are links or short teasers.
4. The lists are ranked by importance: URL regularity, marker tokens, size, position and role.
5. In the important lists all titles and summaries are kept, even if the cards dropped some of them. Labels, such as
   dates and counts, stay as the cards decided.

Steps 2 to 5 are only for pages with few meaningful class and id names. There the cards, made for running text, keep
some entries of a list and drop others by chance. On other pages the cards recognise lists better than importance does,
and steps 2 to 5 would lower word F1. A page with a run of paragraphs that the cards keep is left out too: it is an
article that looks like an index. The patent drops all blocks outside the important lists as noise; here the cards
decide about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from webclean.decide import amend_decisions, decide_blocks
from webclean.features import PageColumns
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions, Mask, Reason
from webclean.rules import RuleSet
from webclean.rules.segments_schema import IndexPages
from webclean.segments import segment_page


def handle_index(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep what the cards keep and, on pages with few meaningful names, titles and summaries in important lists."""
    decided = decide_blocks(columns, rules, types, matches)
    settings = rules.segments.index_pages
    if decided.plain_share < settings.plain_from or is_article(columns, decided.kept, settings):
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
    """Whether one run of long paragraphs has much of the kept words. Teasers are shorter, with links between them."""
    text = np.flatnonzero(kept & columns.is_prose & (columns.words >= settings.paragraph_words))
    if not len(text):
        return False
    run = np.concatenate(([0], np.cumsum(np.diff(text) > settings.paragraph_gap + 1)))
    longest = np.bincount(run, columns.words[text]).max()
    return bool(longest >= settings.article_share * columns.words[kept].sum())


def find_titles_and_summaries(columns: PageColumns, summary_bytes: int) -> Mask:
    """bool [n_blocks]: titles (headings, or at least half link text) and summaries (at least `summary_bytes`)."""
    blocks = columns.blocks
    n_bytes = np.array([len(text.encode("utf-8", "surrogatepass")) for text in blocks.text], dtype=np.intp)
    return columns.is_heading | (2 * blocks.n_link_chars >= blocks.n_chars) | (n_bytes >= summary_bytes)
