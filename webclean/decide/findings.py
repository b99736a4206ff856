"""Findings about a page as a whole: hidden text, posts of a thread, what stands outside the text; and what all findings
have in common. Those about lists, tables and the like are in `decide.structures`, those about parts that are named in
`decide.regions`.

**Hidden text** loses points, such as a copy of the article for another device, but not what a reader unfolds.

    <h3><button aria-expanded=false>Where do I pay?</button></h3>
    <div hidden>On board, in coins.</div>                               folded: the element after a control for it
    <div hidden id=menu>...</div>                                       hidden

An element is folded if the control that shows it tells its state (`aria-expanded`) and stands before it, or names it
(`aria-controls`), or if it is the panel of a tab: the patterns "disclosure", "accordion" and "tabs" of the ARIA
Authoring Practices Guide.

**Posts** of a thread are decided together: a short or unusual post is as likely content as the others. They are several
blocks with the same tag path (tags and classes of the element and those above it) that are mostly running text. Posts
with fewer points than the mean of all are raised towards it; none is lowered.

**Page ends:** blocks before the headline and after the last paragraph of an article lose points, the more the farther
away. The main run is kept running text (P) with gaps of at most `gap` dropped blocks (.). Kept blocks that are not
running text (k) do not count in the distance:

    k . . [P P k P . P] k . . . P . .
                        0 1 2 3 3 4 5    distance, in dropped blocks
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

import numpy as np

from webclean import core
from webclean.blocks.text_blocks import list_hiding
from webclean.features import PageColumns
from webclean.features.headline import find_headline
from webclean.features.names import find_numbered_alike
from webclean.model import Correction, Document, Floats, Mask
from webclean.parse import find_attribute, read_attributes
from webclean.parse.preorder import mark_slices
from webclean.rules.decide_schema import HiddenText, PageEnds, Posts, TypeShares


def average_by_type(counts: TypeShares, types: Mapping[str, float]) -> float:
    """How far something counts on a page; types: type -> probability."""
    # what `others` counts goes for all of the page, so a type adds only what it differs by
    return cast("float", core.average_by_type(counts.others, counts.types, types))


def make_correction(name: str, points: Floats, tell: str | Callable[[int], str]) -> Correction | None:
    """What a finding adds to the points of the blocks, float64 [n_blocks], None where it adds nothing. tell: the
    evidence, or what gives that for a block."""
    if not np.count_nonzero(points):
        return None
    return Correction(name, points, (lambda _: tell) if isinstance(tell, str) else tell)


_STATE: Final = "aria-expanded"
_LEVELS: Final = 3
"""Elements around a control that may hold it alone, such as a heading."""


def correct_hidden(
    columns: PageColumns, kept: Mask, rules: HiddenText, types: Mapping[str, float]
) -> Correction | None:
    """Hidden blocks lose points, unless the page hides most of what would be kept and shows it later."""
    if np.count_nonzero(columns.blocks.visible) == len(kept):
        return None
    hidden = find_hidden_blocks(columns)
    if not np.count_nonzero(hidden):
        return None
    words = np.where(kept, columns.words, 0.0)
    # a page that hides most of its text shows it with a script, so being hidden says nothing
    shows_enough = words[~hidden].sum() >= rules.least_visible * words.sum()
    points: Floats = np.where(hidden, rules.points * average_by_type(rules.counts, types) * shows_enough, 0.0)
    return make_correction("hidden", points, "the markup hides it")


def find_hidden_blocks(columns: PageColumns) -> Mask:
    """bool [n_blocks]: the markup hides the block, and not as what a reader unfolds."""
    document, visible = columns.document, columns.blocks.visible
    hiding = list_hiding(document).tolist()
    # controls are looked for only where something is hidden
    folded = set() if visible.all() else _find_folded(document, hiding)
    if not folded:
        return np.logical_not(visible)
    # what is folded may hold what is hidden for good, such as a menu of the panel
    roots = np.array([row for row in hiding if row not in folded], dtype=np.intp)
    return mark_slices(roots, document.end[roots], len(document))[columns.row]


def _find_folded(document: Document, hiding: list[int]) -> set[int]:
    """Those of the elements that are hidden which a control shows."""
    controls = find_attribute(document, _STATE)
    # the button is often alone in a heading, and that in a `div`: what it unfolds follows one of these
    found = set(core.list_following(document.page, controls, _LEVELS)).intersection(hiding)
    named = set(filter(None, read_attributes(document, controls, "aria-controls")))
    # asked of the hidden ones alone: they are few, and a page may have thousands of ids
    roles, names = read_attributes(document, hiding, "role"), read_attributes(document, hiding, "id")
    found.update(
        row for row, role, name in zip(hiding, roles, names, strict=True) if role == "tabpanel" or name in named
    )
    return found


def correct_posts(columns: PageColumns, points: Floats, rules: Posts, types: Mapping[str, float]) -> Correction | None:
    """The points that each post gains, None where there are none."""
    # on forums all, on articles nothing: their paragraphs are at one path as well
    share = rules.share * average_by_type(rules.counts, types)
    if not share:
        return None
    columns.view("words")  # measured, which the search asks for
    limits = rules.text_share, rules.least, share
    gained = core.raise_posts(columns.document.page, points, find_numbered_alike(columns), rules.levels, limits)
    return gained if gained is None else make_correction("posts", gained, "as the other posts at the same path")


_TOLD: Final = ("after the last paragraph", "before the text")


def correct_ends(columns: PageColumns, kept: Mask, rules: PageEnds, types: Mapping[str, float]) -> Correction | None:
    """The points that blocks lose by standing outside the text, None where none does. kept: bool [n_blocks], what would
    be kept so far."""
    share = average_by_type(rules.counts, types)
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
    points, is_before = core.fade_outside(kept, first, last, before, rules.points, rules.reach, share)
    return make_correction("ends", points, lambda block: _TOLD[is_before[block]])


def find_main_run(columns: PageColumns, kept: Mask, rules: PageEnds) -> tuple[int, int] | None:
    """First and last block of the run of kept running text with the most words; None where it holds too few of them."""
    first, last, words, total = core.find_run(kept, columns.is_prose, columns.words, rules.gap)
    return (first, last) if first >= 0 and words >= rules.main_share * total else None
