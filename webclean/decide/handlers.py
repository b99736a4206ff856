"""One handler for each page type (patent A5 to A7): columns, rules -> which text blocks are kept, and why; and why a
text is empty, or next to it, so that nobody takes it for a page that was read.

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

from webclean import core
from webclean.blocks.bare_pages import is_bare
from webclean.decide import amend_decisions, decide_blocks
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
    if rules.corrections.offer.average(decided.type_weights or {}) < _AS_LIKELY:
        return decided
    found = find_offer(columns, rules, decided)
    if not found:
        return decided
    kept = decided.kept.copy()
    kept[list(found)] = True
    reasons = {block: Reason("offer", name, f"shows the {name}") for block, name in found.items()}
    return amend_decisions(decided, kept, reasons, matches)


HANDLERS: Final[dict[PageType, Handler]] = {
    **dict.fromkeys(PageType, handle_by_cards),
    PageType.INDEX: handle_index,
}


REASONS: Final = {
    "not_a_page": "the input is {kind}, not a page",
    "script": "the page shows next to nothing without its scripts: a browser may show more",
    "no_text": "the page has no text",
    "error": "it is an error page",
    "login": "the page asks for a login",
    "short": "the page has no more to say",
    "hidden": "the page hides its text",
    "list": "it is a list without running text",
    "no_main_content": "nothing more on the page reads as its main content",
}
"""Name of a reason -> what people are told."""


def count_kept_words(columns: PageColumns, decisions: BlockDecisions) -> int:
    """The words of the text; characters where words are written without spaces."""
    found: int = core.count_wanted_words(columns.document.page, decisions.kept)
    return found


def find_empty_reason(
    columns: PageColumns, decisions: BlockDecisions, page_type: PageType, label: str | None, rules: RuleSet
) -> str | None:
    """A key of `REASONS` where the text has fewer words than `empty.few_words`; None for all other pages.

    label: of the page, such as `login`.
    """
    if count_kept_words(columns, decisions) >= rules.empty.few_words:
        return None
    blocks, few = columns.blocks, rules.empty.few_words
    holds = {
        "not_a_page": columns.document.source.kind in ("binary", "empty"),
        "script": is_shell(columns, rules),
        "no_text": not len(blocks),
        "error": label == "error",
        "login": label == "login",
        "short": blocks.n_words.sum() < few,
        "hidden": blocks.n_words[blocks.visible].sum() < few,
        "list": page_type is PageType.INDEX,
    }
    # in the order of `REASONS`, of which the first says most: an error page has few words too
    return next((name for name in REASONS if holds.get(name)), "no_main_content")


def is_shell(columns: PageColumns, rules: RuleSet) -> bool:
    """Whether scripts fill the page, and their data have no text either."""
    document = columns.document
    # a page that was taken from its `noscript` or its data shows something already
    is_page = document.source.kind == "html" and not document.source.part
    return is_page and is_bare(document, columns.blocks, rules.script_pages)


def describe_empty(reason: str | None, columns: PageColumns, decisions: BlockDecisions) -> tuple[str, ...]:
    """The warning of a reason; none without one."""
    if reason is None:
        return ()
    source, n_words = columns.document.source, count_kept_words(columns, decisions)
    told = REASONS[reason].format(kind=source.format or "empty")
    if reason in ("not_a_page", "script"):
        return (told,)
    size = f"the text has {n_words} words" if n_words else "the text is empty"
    return (f"{size}: {told}",)
