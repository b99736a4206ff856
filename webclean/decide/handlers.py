"""One handler for each page type (patent A5 to A7): columns, rules -> which text blocks are kept, and why.

The patent decides by a sequence of steps. Here each step is represented by lines of the cards in `rules/`, so that no
single step decides alone and each one is explained; what sets a page type apart are the points that the cards add for
it. Only index pages have steps of their own. The steps as the patent has them are the method `patent`
(`webclean.methods.patent`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.decide import amend_decisions, decide_blocks
from webclean.decide.empty import count_kept_words
from webclean.decide.findings import average_by_type
from webclean.features import PageColumns
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions, Mask, PageType, Reason, Rows
from webclean.rules import RuleSet
from webclean.rules.segments_schema import IndexPages


@dataclass(frozen=True, slots=True, eq=False)
class RankedLists:
    """The lists of a page. segment_of: int [n_text_blocks], the semantic block of each text block; importance: number
    of a semantic block that is a list -> its importance."""

    segment_of: Rows
    importance: Mapping[int, float]


_AS_LIKELY: Final = 0.5
"""What is as likely as not."""
RankLists = Callable[[PageColumns, RuleSet, BlockDecisions], RankedLists]
"""(columns, rules, what the cards keep) -> the lists of the page: given by the pipeline, for semantic blocks are found
in another room of the same floor."""
Handler = Callable[[PageColumns, RuleSet, Mapping[str, float], Sequence[RuleMatch], RankLists], BlockDecisions]
"""(columns, rules, subtype -> probability, rules that apply to the page, ranker of lists) -> decisions."""


def handle_by_cards(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch], _: RankLists
) -> BlockDecisions:
    """Pages of all types but index pages: score twice, correct, cut (`decide_blocks`).

    Content pages (patent A5, fig. 3). The features that correspond to the steps of the patent:

    - S301, find the largest text block, and S302, expand to the parent while that gains text: the first pass. Blocks
      are scored by their distance from the page's running text (`inside_densest`, `before_main_path`,
      `after_main_path`) and by the text of the containers around them (`words_per_block_*`, `link_density_*`); on pages
      with few meaningful names also by what they share with the largest text (`largest_container_share`, `gain_*`,
      `container_share_*`).
    - S303, remove noise inside: the second pass, by the points of siblings, neighbours and containers.
    - S303, head and tail: the corrections for blocks outside the text or in a separate region (`decide.corrections`),
      and the cut. S301, the copyright notice: the cut, and the rule `copyright-notice`.
    - S304, images and captions: an option of the outputs. S305, title and time: `fields`. S306, the text: `outputs`.

    Multi-block pages (patent A6, fig. 4), several texts, none of which stands out. The patent judges semantic blocks as
    a whole. Beside the cards that gains nothing on labelled pages of this type, whichever way: dropping what the cards
    keep in blocks that are hardly kept, keeping all of blocks that are mostly kept, or judging blocks by text over link
    text (`docs/segments.md` has the figures).

    Pages without an obvious feature (patent A3), neither clear blocks nor long text. The patent outputs the whole
    normalised markup of such pages. Here too no block is dropped for being short or unlike running text: the layer
    `rules/types/no_feature.yaml` lowers the cut, so that only what is dropped by a rule or surely boilerplate, such as
    menus and copyright notices, is left out.
    """
    return decide_blocks(columns, rules, types, matches)


def handle_index(
    columns: PageColumns,
    rules: RuleSet,
    types: Mapping[str, float],
    matches: Sequence[RuleMatch],
    rank_lists: RankLists,
) -> BlockDecisions:
    """Index pages (patent A7): keep what the cards keep and, on pages with few meaningful names, important lists.

    1. The cards decide about each text block.
    2. The page is divided into semantic blocks.
    3. The lists among these are found: blocks with most of their text in repeated entries that are links or short
       teasers.
    4. The lists are ranked by importance: URL regularity, marker tokens, size, position and role.
    5. In the important lists all titles and summaries are kept, even if the cards dropped some of them. Labels, such as
       dates and counts, stay as the cards decided.

    Steps 2 to 5 are only for pages with few meaningful class and id names. There the cards, made for running text, keep
    some entries of a list and drop others by chance. On other pages the cards recognise lists better than importance
    does, and steps 2 to 5 would lower word F1. A page with a run of paragraphs that the cards keep is left out too: it
    is an article that looks like an index. The patent drops all blocks outside the important lists as noise; here the
    cards decide about them.
    """
    decided = decide_blocks(columns, rules, types, matches)
    settings = rules.segments.index_pages
    # where names say what is what, the cards know lists better than importance does
    if decided.plain_share < settings.plain_from or is_article(columns, decided.kept, settings):
        return decided
    return keep_important_lists(columns, rules, decided, matches, rank_lists)


def keep_important_lists(
    columns: PageColumns,
    rules: RuleSet,
    decided: BlockDecisions,
    matches: Sequence[RuleMatch],
    rank_lists: RankLists,
) -> BlockDecisions:
    """Steps 2 to 5 of `handle_index`."""
    settings = rules.segments.index_pages
    lists = rank_lists(columns, rules, decided)
    best = max(lists.importance.values(), default=0.0)
    if best <= 0:  # menus and footers, if any
        return decided
    # measured by the most important list of the page, for importance compares blocks of one page
    least = settings.important * best
    important = [number for number, value in lists.importance.items() if value >= least]
    listed = np.isin(lists.segment_of, important)
    n_words = columns.blocks.n_words
    # lists that hold little of the page are its menus
    if n_words[listed].sum() < settings.text_share * n_words.sum():
        return decided
    # not all of a list: dates, counts and buttons of its entries stay as the cards decided
    inside = listed & columns.blocks.visible & find_titles_and_summaries(columns, rules.segments.records.summary_bytes)
    reasons = {
        block: Reason("index", "important_list", f"in b{number}, a list of importance {lists.importance[number]:.2f}")
        for block, number in enumerate(lists.segment_of.tolist())
        if inside[block]
    }
    return amend_decisions(decided, decided.kept | inside, reasons, matches)


def is_article(columns: PageColumns, kept: Mask, settings: IndexPages) -> bool:
    """Whether one run of long paragraphs has much of the kept words. Teasers are shorter, with links between them."""
    text = np.flatnonzero(kept & columns.is_prose & (columns.words >= settings.paragraph_words))
    if not len(text):
        return False
    # short texts between two paragraphs, such as a subheading or a picture's caption, do not end the run
    run = np.concatenate(([0], np.cumsum(np.diff(text) > settings.paragraph_gap + 1)))
    # one run: teasers of a list are paragraphs too, with links between them
    longest = np.bincount(run, columns.words[text]).max()
    return bool(longest >= settings.article_share * columns.words[kept].sum())


def find_titles_and_summaries(columns: PageColumns, summary_bytes: int) -> Mask:
    """bool [n_blocks]: titles (headings, or at least half link text) and summaries (at least `summary_bytes`)."""
    blocks = columns.blocks
    n_bytes = np.array([len(text.encode("utf-8", "surrogatepass")) for text in blocks.text], dtype=np.intp)
    return columns.is_heading | (2 * blocks.n_link_chars >= blocks.n_chars) | (n_bytes >= summary_bytes)


FindOffer = Callable[[PageColumns, RuleSet, BlockDecisions], Mapping[int, str]]
"""(columns, rules, what is kept) -> text block -> what it shows of the offer: given by the pipeline, as `RankLists`."""


def keep_offer(
    columns: PageColumns, rules: RuleSet, decided: BlockDecisions, matches: Sequence[RuleMatch], find_offer: FindOffer
) -> BlockDecisions:
    """A page of goods with the texts that show price, availability and rating, which the cards often drop."""
    if average_by_type(rules.corrections.offer, decided.type_weights or {}) < _AS_LIKELY:
        return decided
    found = find_offer(columns, rules, decided)
    if not found:
        return decided
    kept = decided.kept.copy()
    kept[list(found)] = True
    reasons = {block: Reason("offer", name, f"shows the {name}") for block, name in found.items()}
    return amend_decisions(decided, kept, reasons, matches)


def keep_lists_of_empty(
    columns: PageColumns,
    rules: RuleSet,
    decided: BlockDecisions,
    matches: Sequence[RuleMatch],
    rank_lists: RankLists,
) -> BlockDecisions:
    """A page whose text would be empty, though lists carry it: the titles and summaries of the lists.

    Boards of forums and shelves of shops have no running text at all, so that the cut may keep nothing of them.
    """
    if count_kept_words(columns, decided) >= rules.empty.few_words:
        return decided
    if average_by_type(rules.empty.lists, decided.type_weights or {}) < _AS_LIKELY:
        return decided
    return keep_important_lists(columns, rules, decided, matches, rank_lists)


HANDLERS: Final[dict[PageType, Handler]] = {
    **dict.fromkeys(PageType, handle_by_cards),
    PageType.INDEX: handle_index,
}
