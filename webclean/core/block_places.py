"""Features of a block's place: the elements around it, how much text and link text they contain (patent S301, S302),
its distance from the headline, whether it is shown; what the targets of links tell, each read once: their host, the
length of their path, their directory; and where the text begins and ends, by what would be kept.

Enters, leaves: as `features` says; distinct targets, as written, and a column for each thing that is told. Keep: levels
are those of block elements (`page.levels`), for inline wrappers come and go with editors; shares are of the page's
words, at least 1; nothing of a target is resolved or decoded: what a link leads to is told by its beginning. Tested by
`tests/features` (links) and the golden columns.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.features import Blocks, at_least_1, find_common, find_parent
from webclean.core.page import Page

KIND_FLAGS = {
    "header": 1,
    "footer": 2,
    "nav": 4,
    "boilerplate": 8,
    "main": 16,
    "article": 32,
    "input": 64,
    "control": 128,
}
"""What an element or one around it is, for the function that makes `BlockSettings.kinds`."""


@cython.exceptval(check=False)
@cython.inline
def is_around(blocks: Blocks, row: cython.Py_ssize_t, kind: cython.int) -> cython.bint:
    """Whether an element or one around it is of a kind."""
    return (blocks.around[row] & kind) != 0


def find_kinds_around(blocks: Blocks) -> cython.int:
    """around: of elements, bits for the kinds of the element and those around it; n_articles: elements; has_main:
    whether a block is inside main."""
    page: Page = blocks.page
    kinds: cython.const[cython.ushort][::1] = blocks.settings.kinds
    blocks.around = cython.cast(cython.p_ushort, page.take(page.n_elements * cython.sizeof(cython.ushort)))
    blocks.n_articles, blocks.has_main = 0, False
    # parents stand before their children: one pass hands all kinds down
    for i in range(page.n_elements):
        blocks.around[i] = kinds[page.tag[i]]
        blocks.n_articles += (kinds[page.tag[i]] & KIND_ARTICLE) != 0
        if page.parent[i] >= 0:
            blocks.around[i] |= blocks.around[page.parent[i]]
    for i in range(blocks.n):
        blocks.has_main |= (blocks.around[page.row[i]] & KIND_MAIN) != 0


@cython.exceptval(check=False)
def code_first_style(blocks: Blocks, i: cython.Py_ssize_t) -> cython.double:
    page: Page = blocks.page
    owner: cython.Py_ssize_t = page.text_owner[page.first[i]]
    # a heading stays one, though it begins with a button or in bold, as those of accordions do
    if blocks.settings.heading[page.tag[page.row[i]]]:
        return 3.0
    if is_around(blocks, owner, KIND_CONTROL):
        return 2.0
    return 1.0 if blocks.settings.emphasis[page.tag[owner]] else 0.0


def find_veiled(blocks: Blocks) -> cython.void:
    """veiled: of elements, inside one with `aria-hidden`. An icon that is not closed is opened anew around all that
    follows, so formatting hides nothing."""
    page: Page = blocks.page
    blocks.veiled = page.take_flags(page.n_elements, True)
    if not blocks.n_veiled_rows:
        return
    for i in range(blocks.n_veiled_rows):
        if not blocks.settings.formatting[page.tag[blocks.veiled_rows[i]]]:
            blocks.veiled[blocks.veiled_rows[i]] = True
    for i in range(1, page.n_elements):
        if blocks.veiled[page.parent[i]]:
            blocks.veiled[i] = True


def find_middle_depth(blocks: Blocks) -> cython.void:
    """middle_depth: of the page's median word: of blocks by depth, the first at which half of the words are reached."""
    page: Page = blocks.page
    deepest: cython.Py_ssize_t = 0
    total = running = 0.0
    blocks.middle_depth = 0
    for i in range(blocks.n):
        deepest = page.depth[page.row[i]] if page.depth[page.row[i]] > deepest else deepest
        total += page.words[i]
    words: cython.p_double = page.take_floats(deepest + 1, True)
    for i in range(blocks.n):
        words[page.depth[page.row[i]]] += page.words[i]
    for i in range(deepest if blocks.n else 0):
        running += words[i]
        if running >= total / 2:
            break
        blocks.middle_depth = i + 1


def find_with_headline(blocks: Blocks) -> cython.int:
    """with_headline: of elements, the smallest one around both it and the headline's, if there is a headline."""
    page: Page = blocks.page
    blocks.with_headline = page.take_rows(page.n_elements, True)
    if blocks.headline >= 0:
        find_common(page, page.row[blocks.headline], blocks.with_headline)


def find_densest(blocks: Blocks) -> cython.int:
    """densest: the element whose children and grandchildren have the most running text, that of grandchildren counts
    half; with_densest: of elements, the smallest one around both it and that."""
    page: Page = blocks.page
    of_children: cython.p_double = page.take_floats(page.n_elements, True)
    of_grandchildren: cython.p_double = page.take_floats(page.n_elements, True)
    best: cython.Py_ssize_t = 0
    for i in range(blocks.n):
        if page.is_prose[i]:
            # paragraphs of a text stand beside each other, or each in a wrapper of its own: so two levels, of which the
            # second counts less, or else the element around article and comments would win
            above = find_parent(page, page.row[i])
            of_children[above] += page.words[i] - page.link_words[i]
            of_grandchildren[find_parent(page, above)] += (page.words[i] - page.link_words[i]) / 2
    for i in range(page.n_elements):
        if of_children[i] + of_grandchildren[i] > of_children[best] + of_grandchildren[best]:
            best = i
    blocks.densest = best
    blocks.with_densest = page.take_rows(page.n_elements)
    find_common(page, best, blocks.with_densest)


def find_with_largest(blocks: Blocks) -> cython.int:
    """with_largest: of elements, the smallest one around both it and the block with most words outside links."""
    page: Page = blocks.page
    best: cython.Py_ssize_t = 0
    blocks.with_largest = page.take_rows(page.n_elements)
    for i in range(blocks.n):
        if page.words[i] - page.link_words[i] > page.words[best] - page.link_words[best]:
            best = i
    if blocks.n:
        find_common(page, page.row[best], blocks.with_largest)


def sum_prose_around(blocks: Blocks) -> cython.int:
    """prose_around: of elements, the shares of the page's running text in the element and each one around it, summed.

    A share is added where an element begins and subtracted where it ends.
    """
    page: Page = blocks.page
    n: cython.Py_ssize_t = page.n_elements
    ended: cython.p_double = page.take_floats(n + 1, True)
    whole: cython.double = at_least_1(page.n_prose_words_below[0])
    running: cython.double = 0.0
    blocks.prose_around = page.take_floats(n)
    for i in range(n):
        if page.n_prose_words_below[i] != 0.0:
            ended[page.end[i]] += page.n_prose_words_below[i] / whole
    for i in range(n):
        share = page.n_prose_words_below[i] / whole
        running += share - ended[i]
        blocks.prose_around[i] = running


def count_inside(page: Page, until: cython.p_double, row: cython.Py_ssize_t) -> cython.double:
    """How many there are in an element. until: how many before each."""
    return until[page.end[row]] - until[row]


@cython.exceptval(check=False)
def find_highest_link_density(blocks: Blocks, i: cython.Py_ssize_t) -> cython.double:
    """Elements with half of the page or more say nothing about the block, so its own alone may be so large."""
    page: Page = blocks.page
    highest: cython.double = 0.0
    level: cython.Py_ssize_t
    for level in range(6):
        row = page.levels[level * blocks.n + i]
        if level == 0 or page.n_words_below[row] < blocks.page_words / 2:
            density = page.n_link_words_below[row] / at_least_1(page.n_words_below[row])
            highest = density if density > highest else highest
    return highest


def describe_targets(targets: list[str], own: str, schemes: tuple[str, ...]) -> Any:
    """Host, path segments and directory of each target.

    Args:
        targets: as written.
        own: first directory of the page's path, '' for none.
        schemes: in lower case with the colon; a target with one of them is a script.

    Returns:
        hosts: the different ones, with user and port; host: int64 [n], 1 + the number of each target's host, 0 for a
        path, -1 for a place of the page and -2 for a script; length: float64 [n], path segments; is_own: bool [n],
        whether the path has the first directory `own`.
    """
    n: cython.Py_ssize_t = len(targets)
    host_made, length_made, is_own_made = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.uint8)
    host: cython.longlong[::1] = host_made
    length: cython.double[::1] = length_made
    is_own: cython.uchar[::1] = is_own_made
    number_of: dict = {}
    for at in range(n):
        target: str = cython.cast(str, targets[at]).strip()
        if not target or target[0] == "#":
            host[at] = -1
            continue
        start = 2 if target.startswith("//") else 0
        if target[0] != "/":
            # the longest scheme that is looked for, `javascript:`, has its colon at the eleventh place
            end = target.find(":", 0, 11)
            scheme: str = target[: end + 1].lower()
            if scheme in schemes:
                host[at] = -2
                continue
            if (scheme == "https:" or scheme == "http:") and target.startswith("//", end + 1):
                start = end + 3
        end = -1
        if start:
            end = target.find("/", start)
            end = end if end >= 0 else len(target)
            name: str = target[start:end]
            host[at] = 1 + cython.cast(cython.Py_ssize_t, number_of.setdefault(name, len(number_of)))
        is_own[at] = _read_path(target, end + 1, own, cython.address(length[at]))
    return list(number_of), host_made, length_made, is_own_made.view(np.bool_)


def _read_path(target: str, start: cython.Py_ssize_t, own: str, length: cython.p_double) -> cython.bint:
    """Whether the first segment of a path is `own` and another follows. length: is set to the number of segments."""
    n_steps: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = -1
    end: cython.Py_ssize_t = -1  # of the first segment
    before: cython.Py_UCS4 = "/"
    for i in range(start, len(target)):
        c: cython.Py_UCS4 = target[i]
        if c == "?" or c == "#":
            break
        # a segment begins: empty ones (`//`) count for nothing
        if c != "/" and before == "/":
            n_steps += 1
            first = i if first < 0 else first
        elif c == "/" and before != "/" and n_steps == 1:
            end = i
        before = c
    length[0] = n_steps
    # the last segment is a page and no directory: `/shop` is not in the directory `shop`
    return n_steps > 1 and end - first == len(own) and target.startswith(own, first)


def find_run(
    kept: cython.const[cython.uchar][:],
    prose: cython.const[cython.uchar][:],
    words: cython.const[cython.double][:],
    gap: cython.Py_ssize_t,
) -> Any:
    """The run of kept running text with the most words; runs have more than `gap` dropped blocks between them.

    Args:
        kept, prose: bool [n_blocks], what is kept, and running text.
        words: [n_blocks].

    Returns:
        Its first and last block and its words, then the words of all runs; -1, -1, 0 and 0 without any.
    """
    first = last = start = end = -1
    n_dropped = 0
    most = running = total = 0.0
    for i in range(kept.shape[0]):
        # blocks that are kept and no running text, such as headings, neither end a run nor widen a gap
        if not kept[i]:
            n_dropped += 1
        elif prose[i]:
            # the gap is known only when the next paragraph comes: what follows the last one is no gap
            if end >= 0 and n_dropped > gap:
                total += running
                if first < 0 or running > most:
                    first, last, most = start, end, running
                end = -1
            if end < 0:
                start = i
                running = 0.0
            running += words[i]
            end = i
            n_dropped = 0
    if end >= 0:
        total += running
        if first < 0 or running > most:
            first, last, most = start, end, running
    return first, last, most, total


def fade_outside(
    kept: cython.const[cython.uchar][:],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    before: cython.double,
    after: cython.double,
    reach: cython.double,
    share: cython.double,
) -> Any:
    """Points of the blocks outside `first` to `last`: all from `reach` dropped blocks on, in proportion before that.

    Args:
        kept: bool [n_blocks].
        before, after: points of the blocks before and after.
        share: of the points that counts.

    Returns:
        float64 [n_blocks].
    """
    n: cython.Py_ssize_t = kept.shape[0]
    points_made = np.zeros(n, dtype=np.float64)
    points: cython.double[::1] = points_made
    n_dropped: cython.Py_ssize_t = 0
    # outwards from the text, so that the distance counts what is dropped on the way
    for i in range(last + 1, n):
        n_dropped += not kept[i]
        points[i] = share * (after * min(1.0, n_dropped / reach))
    n_dropped = 0
    for i in range(first - 1, -1, -1):
        n_dropped += not kept[i + 1]
        points[i] = share * (before * min(1.0, n_dropped / reach))
    return points_made
