"""Columns, rules -> which text blocks of a page are kept, and why, for each page type (patent A5 to A7); and why a
text is empty or nearly so, which callers must be able to tell from a page that was read.

The patent decides in a sequence of steps. Here lines of the cards in `rules/` stand for each step, so that no step
decides alone and each one is explained; page types differ by the points that the cards add for them. Pages of several
parts have further steps. The patent's own sequence is the method `patent` (`webclean.methods.patent`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from msgspec.structs import replace

from webclean.blocks.bare_pages import is_bare
from webclean.decide import decide_blocks
from webclean.decide.rule_matches import amend_decisions
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions, Mask, PageType, Reason, Rows
from webclean.rules import RuleSet
from webclean.storage import read_table


@dataclass(frozen=True, slots=True, eq=False)
class PageParts:
    """The semantic blocks of a page as the text needs them.

    segment_of: int [n_text_blocks], the semantic block of each text block. kept: bool [n_segments], by their roles,
    importance and rules. list_titles: takes numbers of semantic blocks, and gives for each of them that is a list the
    text blocks that are titles of its entries.
    """

    segment_of: Rows
    kept: Mask
    list_titles: Callable[[Sequence[int]], Mapping[int, Sequence[int]]]
    find_title: Callable[[int], int | None]


_EVEN: Final = 0.5
"""The probability at which a page is as likely one of goods as not."""
FindParts = Callable[[PageColumns, RuleSet, BlockDecisions, Sequence[RuleMatch]], PageParts]
"""(columns, rules, what the cards keep, rules that apply to the page) -> its parts. The pipeline passes this function:
`segments`, which finds semantic blocks, is on the same floor, and rooms of one floor do not import each other."""
_OF_PARTS: Final = frozenset((PageType.INDEX, PageType.MULTI_BLOCK))


def decide_page(
    columns: PageColumns,
    rules: RuleSet,
    page_type: PageType,
    types: Mapping[str, float],
    matches: Sequence[RuleMatch],
    find_parts: FindParts,
) -> BlockDecisions:
    """Decide what is kept of a page: by the cards, then part by part if the page probably has several parts.

    types: subtype -> probability. matches: the rules that apply to the page.

    Content pages (patent A5, fig. 3) and pages without an obvious feature (patent A3) are decided by `decide_blocks`.
    The features that correspond to the steps of the patent:

    - S301, find the largest text block, and S302, expand to the parent while that gains text: the first pass. Blocks
      are scored by their distance from the page's running text (`inside_densest`, `before_main_path`,
      `after_main_path`) and by the text of the containers around them (`words_per_block_*`, `link_density_*`); on pages
      with few meaningful names also by what they share with the largest text (`largest_container_share`, `gain_*`,
      `container_share_*`).
    - S303, remove noise inside: the second pass, by the points of siblings, neighbours and containers.
    - S303, head and tail: the corrections for blocks outside the text or in a separate region (`decide.corrections`),
      and the cut. S301, the copyright notice: the cut, and the rule `copyright-notice`.
    - S304, images and captions: an option of the outputs. S305, title and time: `fields`. S306, the text: `outputs`.

    Of a page without a feature no block is dropped for being short or unlike running text, as the patent outputs its
    whole normalised markup: the layer `rules/types/no_feature.yaml` lowers the cut, so that only what a rule drops or
    what is surely boilerplate, such as menus and copyright notices, is left out.

    Multi-block pages (patent A6, fig. 4), index pages (patent A7), and content pages that may well be one of them
    (`index_pages.likely`, `index_pages.unsure`) are judged by semantic blocks too (`_keep_parts`).
    """
    decided = decide_blocks(columns, rules, types, matches)
    of, pages = rules.page_type.types, rules.segments.index_pages
    has_parts = page_type in _OF_PARTS
    # if the cards are sure of the text, its parts would change nothing, and they are slow to find
    if (
        page_type is PageType.CONTENT
        and decided.expected < pages.unsure
        and max(types.values(), default=1.0) <= 1 - pages.likely
    ):
        has_parts = sum(share for name, share in types.items() if of.get(name) in _OF_PARTS) >= pages.likely
    return _keep_parts(columns, rules, page_type, matches, decided, find_parts) if has_parts else decided


def _keep_parts(
    columns: PageColumns,
    rules: RuleSet,
    page_type: PageType,
    matches: Sequence[RuleMatch],
    decided: BlockDecisions,
    find_parts: FindParts,
) -> BlockDecisions:
    """Keep what the cards keep inside the semantic blocks that are kept, and keep or drop each list as a whole.

    1. The page is divided into semantic blocks. If one is not kept (a menu, a dialog, a footer), all of its texts are
       dropped, as the patent drops noise whole, unless the cards are sure of it: the mean of what they keep there is at
       least `index_pages.sure` above the cut. So are those of a block that says what one before it says.
    2. The titles of the entries of a list are all kept or all dropped, because the cards, made for running text, keep
       some and drop others by chance. They are kept if another text of the block is, or if their mean is at most
       `reach` below the cut (less the more likely the page is an article or an offer, which have lists beside them).
    3. If a kept block would lose all of its texts, those at most `text_reach` below the cut stay, except on index
       pages, which are about their lists; of these the name of each kept list is kept too.

    Dates, counts, summaries and other texts of the entries stay as the cards decided.
    """
    if not len(columns.blocks):
        return decided
    parts, pages = find_parts(columns, rules, decided, matches), rules.segments.index_pages
    if len(parts.kept) < _FEWEST:
        return decided
    above, of = decided.score - decided.cut, parts.segment_of
    words = columns.words * decided.kept
    mean = np.bincount(of, words * above, len(parts.kept)) / np.maximum(1, np.bincount(of, words, len(parts.kept)))
    has_text = parts.kept | (mean >= pages.sure)
    copies = _find_copies(columns, of, has_text)
    has_text[copies] = False
    stays = has_text[of]
    headline = find_headline(columns)
    stays[headline] |= headline >= 0  # also of a page whose header is noise but for it
    kept = decided.kept & stays
    lost = (decided.kept & ~kept).nonzero()[0].tolist()
    reasons = {at: _COPY if of[at] in copies else _NOISE for at in lost}
    listed = parts.list_titles(has_text.nonzero()[0].tolist())
    points = {number: float(np.add.reduce(above[titles])) / len(titles) for number, titles in listed.items()}
    # where names say little, the points of lists are lower
    least = -(pages.reach + pages.plain_reach * decided.plain_share) * pages.counts.average(decided.type_weights or {})
    reasons |= _keep_titles(kept, of, listed, points, least)
    if page_type is not PageType.INDEX and decided.kept.any():
        is_lost = parts.kept & (np.bincount(of[kept], minlength=len(parts.kept)) == 0)
        is_lost[[*listed, *copies]] = False
        near = (is_lost[of] & (above >= -pages.text_reach) & columns.blocks.visible).nonzero()[0]
        kept[near] = True
        reasons |= dict.fromkeys(near.tolist(), _PART)
    named = [number for number in listed if np.count_nonzero(kept[of == number])] if page_type is PageType.INDEX else []
    # the name of a list may be in a block of its own; that of the page is no text
    names = {name for name in map(parts.find_title, named) if name is not None and name != headline}
    named = [at for at in names if columns.blocks.visible[at] and not kept[at]]
    reasons |= dict.fromkeys(named, _HEADING)
    kept[named] = True
    return replace(amend_decisions(decided, kept, reasons, matches), by_parts=True)


def _find_copies(columns: PageColumns, of: Rows, has_text: Mask) -> list[int]:
    """The blocks with text that have the same lines as one before them: a list may stand once for each width of the
    screen, and a slider shows its slides twice. of, has_text: as in `_keep_parts`."""
    n_lines = np.bincount(of, minlength=len(has_text))
    numbers = (has_text & (n_lines >= _FEWEST)).nonzero()[0]
    n_chars = np.bincount(of, columns.blocks.n_chars, len(has_text))[numbers].tolist()
    # those of one size alone are read
    counts = Counter(n_chars)
    said: set[tuple[str, ...]] = set()
    found = []
    for number in (at for at, size in zip(numbers.tolist(), n_chars, strict=True) if counts[size] > 1):
        lines = tuple(map(columns.blocks.text.__getitem__, (of == number).nonzero()[0].tolist()))
        if lines in said:
            found.append(number)
        said.add(lines)
    return found


def _keep_titles(
    kept: Mask, of: Rows, listed: Mapping[int, Sequence[int]], points: Mapping[int, float], least: float
) -> dict[int, Reason]:
    """Change `kept` so that it has all titles of each list or none of them; the reason for each title.

    of: as `PageParts.segment_of`. listed: number of a semantic block -> the titles of its list. points: number of a
    semantic block -> the mean points of its titles above the cut. least: the mean from which titles are kept.
    """
    reasons: dict[int, Reason] = {}
    for number, titles in listed.items():
        kept[titles] = False
        kept[titles] = points[number] >= least or np.count_nonzero(kept[of == number]) > 0
        told = f"titles of b{number}, {points[number]:.2f} above the cut, kept from {least:.2f}"
        reasons |= dict.fromkeys(titles, Reason("index", "list", told))
    return reasons


_FEWEST: Final = 3
"""Semantic blocks of a page of several parts, for one of only two may be the header of the other; and lines of a block
that may be a copy, for fewer are said again by chance."""
_HEADING: Final = Reason("index", "heading", "the heading of a kept text")
_PART: Final = Reason("index", "part", "near the cut, in a semantic block that is kept and would lose all of its text")
_COPY: Final = Reason("index", "copy", "a semantic block before its own has the same lines")
_NOISE: Final = Reason("index", "noise", "in a semantic block that is not kept")


FindOffer = Callable[[PageColumns, RuleSet, BlockDecisions], Mapping[int, str]]
"""(columns, rules, what is kept) -> text block -> what it shows of the offer. The pipeline passes this one too."""


def keep_offer(
    columns: PageColumns, rules: RuleSet, decided: BlockDecisions, matches: Sequence[RuleMatch], find_offer: FindOffer
) -> BlockDecisions:
    """Keep, on a page of goods, the texts that show price, availability and rating: the cards often drop them."""
    if rules.corrections.offer.average(decided.type_weights or {}) < _EVEN:
        return decided
    found = find_offer(columns, rules, decided)
    if not found:
        return decided
    kept = decided.kept.copy()
    kept[list(found)] = True
    reasons = {block: Reason("offer", name, f"shows the {name}") for block, name in found.items()}
    return amend_decisions(decided, kept, reasons, matches)


REASONS: Final[dict[str, str]] = read_table(__file__, "reasons.toml")
"""Name of a reason -> the sentence for people."""


def count_kept_words(columns: PageColumns, decisions: BlockDecisions) -> int:
    """The words of the text; characters where words are written without spaces."""
    return int(columns.blocks.n_words.dot(decisions.kept))


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
    # in the order of `REASONS`, where the first that holds says most: an error page has few words too
    return next((name for name in REASONS if holds.get(name)), "no_main_content")


def is_shell(columns: PageColumns, rules: RuleSet) -> bool:
    """Whether the page has no text until its scripts have run, and none in the data of its scripts either."""
    document = columns.document
    # a page that was taken from its `noscript` or its data shows something already
    is_page = document.source.kind == "html" and not document.source.part
    return is_page and is_bare(document, columns.blocks, rules.script_pages)


def describe_empty(reason: str | None, columns: PageColumns, decisions: BlockDecisions) -> tuple[str, ...]:
    """The warning that tells a reason; none if there is no reason."""
    if reason is None:
        return ()
    source, n_words = columns.document.source, count_kept_words(columns, decisions)
    told = REASONS[reason].format(kind=source.format or "empty")
    if reason in ("not_a_page", "script"):
        return (told,)
    size = f"the text has {n_words} words" if n_words else "the text is empty"
    return (f"{size}: {told}",)
