"""Points of both passes -> points corrected by what is known of the page as a whole.

The cards see a block and its surroundings; they cannot see that a run of good paragraphs is a reader's comment, or the
copy of an article for another device. Each correction is one finding, in this order, each seeing the points so far:

1. **Regions**: comments, related lists and boxes lose points (`decide.regions`).
2. **Other stories** beside the text lose points (`decide.regions`).
3. **Hidden text** loses points where most of the page's text is visible, but not what a reader unfolds:

       <h3><button aria-expanded=false>Where do I pay?</button></h3>
       <div hidden>On board, in coins.</div>                           folded: the element after a control for it
       <div hidden id=menu>...</div>                                   hidden

   An element is folded if the control that shows it tells its state (`aria-expanded`) and stands before it, or names it
   (`aria-controls`), or if it is the panel of a tab: the patterns "disclosure", "accordion" and "tabs" of the ARIA
   Authoring Practices Guide. So is what is named as a panel, and what stands behind labels as answers do.
4. **Posts** of a thread: what their writers say rises, buttons and labels of the board fall (`decide.posts`).
5. **Data tables** rise to the kept text before them: their cells are short, and alone look like menus and labels. A
   data table is an innermost `table` with enough rows of several cells, short texts and few links; a table that lays
   out the page has long cells or one a row.
6. **Facts** in a row rise, which alone look like labels of the page. They are told by their form, since no list of
   class names has those of all shops, libraries and calendars:

       Publisher: Harbour Press         a fact: a short label, a colon, a value
       Page count: 528                  three or more in a row, with few links: a list of facts

   Where label and value are blocks of their own, in a row of elements of two blocks each, both are kept where one is.
7. **Lists and figures** of which most is kept are completed. A cut through the points of single blocks tears a list
   where some of its blocks are just above the cut and others just below:

       points      3.1   2.8   0.4   2.9        cut 0.5
       kept        yes   yes   no    yes        three of four: the third one rises to 2.9

   A block far below the cut stays where it is: what its words say of it is stronger than its place.
8. **Page ends**: blocks before the headline and after the last paragraph of an article lose points, the more the
   farther away. The main run is kept running text (P) with gaps of at most `gap` dropped blocks (.). Kept blocks that
   are not running text (k) do not count in the distance:

       k . . [P P k P . P] k . . . P . .
                           0 1 2 3 3 4 5    distance, in dropped blocks

A correction only adds points, and only where there is a finding: it drops no block by itself, and the points that the
cards gave still count. Most pages have one or two of them, so each looks first for what it is about, and is None where
there is nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

import numpy as np

from webclean import core
from webclean.blocks.text_blocks import find_lines, list_hiding
from webclean.caching import cached_per_page
from webclean.decide.posts import weigh_posts
from webclean.decide.regions import correct_regions, correct_stories, make_correction
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.features.page_words import count_matches, find_numbered_alike
from webclean.features.words import split_name
from webclean.model import Correction, Document, Floats, Mask, Rows
from webclean.parse.columns import climb, count_tags, find_attribute, find_texts, mark_slices, read_attributes
from webclean.parse.tags import CELL, CODE, HEADING, tag_mask
from webclean.rules.decide_schema import DataTables, FactLists, HiddenText, PageEnds, Structure, Structures
from webclean.rules.schema import RuleSet

CONTROL_LEVELS: Final = 3
"""Elements around a control that may hold it alone: a button in a heading, and that in a `div`."""
_LABELS: Final = frozenset(("dt", "summary", "button", "h2", "h3", "h4", "h5", "h6"))
_ROWS: Final = frozenset(("p", "div", "section", "header"))
_MENUS: Final = frozenset(("ul", "ol", "menu", "nav"))
_ANSWER_CHARS: Final = 24  # of an answer, in the mean
_ALIKE: Final = 3
"""So many pairs of a label and hidden text behind it are questions and answers, whatever their tags."""
_LEAST_LABELS: Final = 0.5
"""Share of the labels of a list that are kept, from which its values are."""
_LIKELY: Final = 0.5  # chance of a page of a service, which shows its plans beside each other
_PRICE_WORDS: Final = 5  # of a text that is a price, at most
_PLANS: Final = 2  # prices of a page of plans
_ALIKE_TEXTS: Final = "row of alike texts"
_SURE: Final = 0.5
"""Points above the cut from which a kept block stays so, whatever corrections follow."""
_LEAST_TABLE_TEXT: Final = 3
"""Words of the kept text before a table: a label alone is not yet text."""
_CELL: Final = CELL.view(np.uint8)
_TABLE: Final = tag_mask("table").view(np.uint8)
_LISTS: Final = ([CODE["ul"], CODE["ol"], CODE["dl"]], tag_mask("ul ol dl").view(np.uint8), 2)
_FIGURES: Final = ([CODE["figure"]], tag_mask("figure").view(np.uint8), 0)
_ROWS_OF_PARTS: Final = (list[int](), None, 4)
"""Codes and mask of the tags of a structure, and the elements of the path by which blocks of one are alike: in a list,
links to share an item are decided as those of the other items are; all blocks of a figure are alike."""


def correct_points(
    columns: PageColumns, points: Floats, kept: Mask, cut: float, rules: RuleSet, types: Mapping[str, float]
) -> tuple[Floats, list[Correction]]:
    """The points of the blocks with what each finding adds to them, and the findings.

    kept: bool [n_blocks], by the points so far; cut: the points from which a block is kept, for all corrections, though
    each would move it a little. types: type -> probability.
    """
    if not len(points):
        return points, []
    settings, given = rules.corrections, []

    def add(found: Correction | None) -> None:
        nonlocal points, kept
        if found is not None:
            given.append(found)
            points = points + found.points
            kept = points >= cut

    # regions first: what they lower is no text that tables, lists and ends are measured by
    add(correct_regions(columns, kept, rules, types))
    add(correct_stories(columns, kept, settings.stories, types))
    add(correct_hidden(columns, kept, settings.hidden, types))
    gained = weigh_posts(columns, points, cut, settings.posts, rules.segments.posts)
    add(None if gained is None else make_correction("posts", gained, "as the other texts of posts"))
    add(correct_tables(columns, points, kept, settings.tables, types))
    add(correct_fact_lists(columns, points, cut, settings.facts, types))
    add(correct_structures(columns, points, kept, cut, settings.structures, types))
    # last, for what was raised or lowered so far tells where the text ends
    add(correct_ends(columns, kept, settings.ends, types))
    return points, given


def correct_hidden(
    columns: PageColumns, kept: Mask, rules: HiddenText, types: Mapping[str, float]
) -> Correction | None:
    """Hidden blocks lose points, unless the page hides most of what would be kept and shows it later."""
    if np.count_nonzero(columns.blocks.visible) == len(kept):
        return None
    hidden = find_hidden_blocks(columns, rules)
    if not np.count_nonzero(hidden):
        return None
    words = np.where(kept, columns.words, 0.0)
    # a page that hides most of its text shows it with a script, so being hidden says nothing
    shows_enough = words[~hidden].sum() >= rules.least_visible * words.sum()
    points: Floats = np.where(hidden, rules.points * rules.counts.average(types) * shows_enough, 0.0)
    return make_correction("hidden", points, "the markup hides it")


def find_hidden_blocks(columns: PageColumns, rules: HiddenText) -> Mask:
    """bool [n_blocks]: the markup hides the block for good; parts that a reader can unfold are not among them."""
    document, visible = columns.document, columns.blocks.visible
    hiding = list_hiding(document).tolist()
    # controls are looked for only where something is hidden
    folded = set() if visible.all() else _find_folded(document, hiding, rules)
    if not folded:
        return np.logical_not(visible)
    # a folded panel may hold parts that are hidden for good, such as its menu
    roots = np.array([row for row in hiding if row not in folded], dtype=np.intp)
    return mark_slices(roots, document.end[roots], len(document))[columns.row]


def _find_folded(document: Document, hiding: list[int], rules: HiddenText) -> set[int]:
    """Those of the elements that are hidden which a control shows, or which are named or stand like such."""
    controls = find_attribute(document, "aria-expanded")
    found = set(list_following(document, controls, CONTROL_LEVELS)).intersection(hiding)
    named = set(filter(None, read_attributes(document, controls, "aria-controls")))
    # asked of the hidden ones alone: they are few, and a page may have thousands of ids
    roles, names = read_attributes(document, hiding, "role"), read_attributes(document, hiding, "id")
    found.update(
        row for row, role, name in zip(hiding, roles, names, strict=True) if role == "tabpanel" or name in named
    )
    panels, classes = frozenset(rules.panels.split()), read_attributes(document, hiding, "class")
    found.update(row for row, name in zip(hiding, classes, strict=True) if name and panels & split_name(name))
    return found.union(_find_answers(document, hiding))


def _find_answers(document: Document, hiding: list[int]) -> Iterator[int]:
    """Those of the elements that are hidden which stand behind what is shown as answers do behind their questions.

    <dt>Who mends it?</dt> <dd hidden>We do.</dd>                  a term, a heading or a button before it
    <p>Who pays?</p> <div hidden>You do.</div> ... <p> <div hidden>   several pairs of the same tags
    """
    pairs: dict[tuple[str, str], list[int]] = {}
    hidden = set(hiding)
    for row in hidden.difference([0]):
        before, parent = row - 1, document.parent.item(row)
        while before > parent and document.parent[before] != parent:
            before = document.parent.item(before)
        own = document.names[row]
        # a list behind a link is the menu below it
        if before > parent and before not in hidden and own not in _MENUS:
            pairs.setdefault((document.names[before], own), []).append(row)
    for (label, _), rows in pairs.items():
        if label in _LABELS:
            yield from rows
        elif label in _ROWS and len(rows) >= _ALIKE:
            texts = [document.text[i] for row in rows for i in find_texts(document, row, document.end.item(row))]
            # a short text behind another is a copy of it for another screen, or what opens where the pointer rests
            if sum(map(len, texts)) >= _ANSWER_CHARS * len(rows):
                yield from rows


def list_following(document: Document, rows: list[int], n_levels: int) -> Iterator[int]:
    """The elements right after some elements, and right after the `n_levels - 1` around each."""
    for row in rows:
        for _ in range(n_levels):
            following, parent = int(document.end[row]), int(document.parent[row])
            if following < len(document) and document.parent[following] == parent:
                yield following
            if parent <= 0:
                break
            row = parent  # noqa: PLW2901


def correct_tables(
    columns: PageColumns, points: Floats, kept: Mask, rules: DataTables, types: Mapping[str, float]
) -> Correction | None:
    """The points that the cells of data tables gain, None where there are none. kept: bool [n_blocks], what would
    be kept so far."""
    if not count_tags(columns.document)[CODE["table"]]:
        return None
    share = rules.share * rules.counts.average(types)
    if not share:
        return None
    gained = np.zeros(len(points))
    # a reference page begins with a heading of one word and a table of declarations
    is_text = kept & ((columns.words >= _LEAST_TABLE_TEXT) | HEADING[columns.document.tag[columns.row]])
    for cells in find_data_tables(columns, rules):
        # a table is of the text that introduces it; one that begins a page is often its layout
        before = np.arange(max(0, cells[0] - rules.reach), cells[0])
        before = before[is_text[before]]
        if len(before):
            gained[cells] = share * np.maximum(0.0, points[before].max() - points[cells])
    return make_correction("tables", gained, "in a data table after kept text")


def find_data_tables(columns: PageColumns, rules: DataTables) -> Iterator[Rows]:
    """The blocks of each data table."""
    document = columns.document
    cell = core.find_around(document.page, columns.row, _CELL)
    blocks = (cell >= 0).nonzero()[0]
    n_cells = np.bincount(document.parent[_CELL[document.tag].nonzero()[0]], minlength=len(document))
    table = core.find_around(document.page, cell[blocks], _TABLE)
    blocks, table = blocks[table >= 0], table[table >= 0]
    n_blocks = np.bincount(table)
    words, links = (np.bincount(table, counts[blocks]) for counts in (columns.words, columns.link_words))
    # each row has a block; most tables that lay out a page have long cells
    may_be = (n_blocks >= max(1, rules.least_rows)) & (words <= rules.most_words * n_blocks)
    for number in (may_be & (links <= rules.most_links * words)).nonzero()[0].tolist():
        own = blocks[table == number]
        # empty ones too; the median: captions and totals span whole rows of real tables
        cells = sorted(n_cells[list(set(document.parent[cell[own]].tolist()))].tolist())  # of each row
        middle = cells[(len(cells) - 1) // 2] + cells[len(cells) // 2]
        if len(cells) >= rules.least_rows and middle >= 2 * rules.least_columns:
            yield own


def correct_fact_lists(
    columns: PageColumns, points: Floats, cut: float, rules: FactLists, types: Mapping[str, float]
) -> Correction | None:
    """The points that facts in a row gain, None where there are none. cut: the points from which a block is kept so
    far."""
    share = rules.counts.average(types)
    lists = find_fact_lists(columns, rules) if share else []
    pairs = find_fact_lists(columns, rules, core.find_pairs) if share else []
    if not lists and not pairs:
        return None
    gained = np.zeros(len(points))
    for first, last in pairs:
        halves = points[first:last].reshape(-1, 2)
        kept = halves >= cut
        # if few labels are kept, the list is no part of the text: a single one was kept for its words
        if kept[:, 0].mean() >= _LEAST_LABELS:
            # a pair of which neither is kept would tear the list
            wanted = np.where(kept.any(axis=1), halves.max(axis=1), np.median(halves[kept]))
            lacking = wanted[:, None] - halves
            gained[first:last] = share * np.maximum(0.0, lacking).reshape(-1)
    for first, last in lists:
        gained[first:last] = rules.points * share
    return make_correction("facts", gained, "a fact of several in a row")


def find_fact_lists(
    columns: PageColumns, rules: FactLists, search: Callable[..., object] = core.find_facts
) -> list[tuple[int, int]]:
    """First block and end of each list of facts. search: `core.find_facts`, for facts that are a block each, equally
    deep in the tree; `core.find_pairs`, for labels and values that are blocks of their own, in turn."""
    columns.view("words")  # measured, which the search asks for
    found = search(columns.document.page, rules.most_chars, rules.label_chars, rules.least, rules.most_links)
    return cast("list[tuple[int, int]]", found)


def correct_structures(
    columns: PageColumns, points: Floats, is_kept: Mask, cut: float, rules: Structures, types: Mapping[str, float]
) -> Correction | None:
    """The points that blocks gain whose list, figure or row is mostly kept, or that kept text cannot be without; None
    where there are none. is_kept: bool [n_blocks], so far; cut: the points from which a block is."""
    gained = np.zeros(len(points))
    told: dict[int, str] = {}
    for kind, own, rise in _complete(columns, points, is_kept, cut, rules, types):
        # a figure in a list is in both: the kind by which a block rises most is told
        told |= dict.fromkeys(own[rise > gained[own]].tolist(), f"in a {kind} of which most is kept")
        gained[own] = np.maximum(gained[own], rise)
    for because, find, settings in (
        ("bare text between two kept blocks", _list_bare, rules.bare),
        ("in a list that kept text introduces", _list_introduced, rules.introduced),
        ("preformatted text right after kept text", _list_preformatted, rules.preformatted),
    ):
        if settings.counts.average(types) >= _LIKELY:
            for block in find(columns, points, is_kept, cut, settings):
                told[block] = because
                # above the cut for sure, since the cut moves with what rises
                gained[block] = max(gained[block], cut + _SURE - points[block])
    return make_correction("structures", gained, told.__getitem__)


def _complete(
    columns: PageColumns, points: Floats, is_kept: Mask, cut: float, rules: Structures, types: Mapping[str, float]
) -> Iterator[tuple[str, Rows, Floats]]:
    """Kind of a structure -> the blocks below the cut whose structure of that kind is mostly kept, and the points by
    which they rise to the mean of what is kept of it."""
    document, n_tags = columns.document, count_tags(columns.document)
    lacking = cut - points
    for kind, settings, codes, mask, n_levels in (
        ("list", rules.lists, *_LISTS),
        ("figure", rules.figures, *_FIGURES),
        ("row of boxes", rules.boxes, *_ROWS_OF_PARTS),
        (_ALIKE_TEXTS, rules.alike, *_ROWS_OF_PARTS),
    ):
        if codes and not any(map(n_tags.__getitem__, codes)):
            continue
        share, is_row, over = settings.counts.average(types), not codes, 0.0
        if not share or (is_row and share < _LIKELY):
            continue
        if is_row and kind != _ALIKE_TEXTS:
            # several kept short texts are an amount, as of plans that stand beside each other
            short = is_kept & (columns.words <= _PRICE_WORDS)
            if np.count_nonzero(short & (count_matches(columns, columns.prices_dates.prices) > 0)) < _PLANS:
                continue
            over = _SURE
        near = ((lacking <= settings.reach) & (lacking > -over)).nonzero()[0]
        if kind == _ALIKE_TEXTS:
            # buttons and labels of a section are not its text
            near = near[(columns.blocks.n_sentences[near] > 0) & (columns.blocks.n_link_words[near] == 0)]
        # most are kept or dropped as a whole
        if not len(near):
            continue
        around = np.zeros(len(points), dtype=np.int64)
        if mask is not None:
            # of nested ones the innermost counts
            around = _find_lists(columns) if mask is _LISTS[1] else core.find_around(document.page, columns.row, mask)
            near = near[around[near] >= 0]
            if not len(near):
                continue
        group = core.number_paths(document.page, find_numbered_alike(columns), n_levels, around)
        kept_words = columns.words * is_kept
        words, n_kept = np.bincount(group, columns.words), np.bincount(group, kept_words)
        own = near[(n_kept[group[near]] > 0) & (n_kept[group[near]] >= settings.least_kept * words[group[near]])]
        if not len(own):
            continue
        mean = np.bincount(group, kept_words * points)[group[own]] / np.maximum(1.0, n_kept[group[own]])
        yield kind, own, share * np.maximum(0.0, mean - points[own])


@cached_per_page
def _find_lists(columns: PageColumns) -> Rows:
    """int64 [n_blocks]: the innermost list around each block, -1 for none."""
    return cast("Rows", core.find_around(columns.document.page, columns.row, _LISTS[1]))


_BAR_LINES: Final = 3
"""A box of code has fewer labels and buttons above its lines."""


def _list_bare(columns: PageColumns, points: Floats, is_kept: Mask, cut: float, rules: Structure) -> Iterator[int]:
    """The dropped blocks that stand without an element of their own between two kept blocks of their element.

    <section> <p>The ferry sails at noon.</p> It comes back at six. <p>Bring a coat.</p> </section>
    """
    row, end = columns.row.item, columns.document.end.item
    for before in (is_kept[:-2] & ~is_kept[1:-1] & is_kept[2:]).nonzero()[0].tolist():
        at = before + 1
        is_bare = row(before) > row(at) < row(at + 1) < end(row(at)) and not columns.blocks.n_link_words[at]
        if is_bare and points[at] >= cut - rules.reach and columns.words[at] >= rules.least_words:
            yield at


def _list_introduced(
    columns: PageColumns, points: Floats, is_kept: Mask, cut: float, rules: Structure
) -> Iterator[int]:
    """The items of each list without links that a kept paragraph just before it introduces, if all were dropped.

    <p>You need three things:</p> <ul> <li>epoxy</li> <li>tape</li> <li>a brush</li> </ul>
    """
    document, row, links = columns.document, columns.row, columns.blocks.n_link_words
    if not any(map(count_tags(document).__getitem__, _LISTS[0])):
        return
    may_begin = is_kept[:-1] & ~is_kept[1:] & (document.tag[row[:-1]] == CODE["p"])
    # most kept paragraphs are followed by kept text
    if np.count_nonzero(may_begin):
        may_begin &= _find_lists(columns)[1:] > row[:-1]
    for first in (may_begin.nonzero()[0] + 1).tolist():
        # the element beside the paragraph: no text of it stands before the item
        beside = document.parent.item(row.item(first - 1))
        above = next((at for at in climb(document, row.item(first)) if document.parent[at] == beside), -1)
        if above < 0 or document.names[above] not in ("ul", "ol"):
            continue
        last = find_lines(document, columns.blocks, above)[1].item()
        is_whole = not links[first:last].any() and not is_kept[first:last].any()
        # the text that goes on behind it is the same
        goes_on = last < len(row) and is_kept[last] and document.parent[row[last]] == beside
        if is_whole and (goes_on or points[first:last].min() >= cut - rules.reach):
            yield from range(first, last)


def _list_preformatted(
    columns: PageColumns, points: Floats, is_kept: Mask, cut: float, rules: Structure
) -> Iterator[int]:
    """The dropped preformatted blocks before which kept text stands, or others of these; between may be what a box of
    code has above its lines, such as `bash` and `Copy`."""
    is_code = columns.document.tag[columns.row] == CODE["pre"]
    if not np.count_nonzero(is_code & ~is_kept):
        return
    last = -1 - _BAR_LINES
    for at in (is_kept | is_code).nonzero()[0].tolist():
        if not is_kept[at] and (at - last > _BAR_LINES or points[at] < cut - rules.reach):
            continue
        if not is_kept[at]:
            yield at
        last = at


def correct_ends(columns: PageColumns, kept: Mask, rules: PageEnds, types: Mapping[str, float]) -> Correction | None:
    """The points that blocks lose by standing outside the text, None where none does. kept: bool [n_blocks], what would
    be kept so far."""
    share = rules.counts.average(types)
    run = find_main_run(columns, kept, rules) if share else None
    if run is None:
        return None
    first, last = run
    headline = find_headline(columns)
    # without a headline the text may begin above its first paragraph
    before = rules.points if headline >= 0 else rules.no_headline
    if 0 <= headline < first:
        # the text begins with its headline, and what stands between is its by-line and lead
        first = headline
    points = core.fade_outside(kept, first, last, before, rules.points, rules.reach, share)
    return make_correction("ends", points, lambda at: "before the text" if at < first else "after the last paragraph")


def find_main_run(columns: PageColumns, kept: Mask, rules: PageEnds) -> tuple[int, int] | None:
    """First and last block of the run of kept running text with the most words; None where it holds too few of them."""
    first, last, words, total = core.find_run(kept, columns.is_prose, columns.words, rules.gap)
    return (first, last) if first >= 0 and words >= rules.main_share * total else None
