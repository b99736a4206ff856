"""Points of both passes -> points corrected by what is known of the page as a whole.

The cards see a block and its surroundings; they cannot see that a run of good paragraphs is a reader's comment, or the
copy of an article for another device. Each correction is one finding, in this order, each seeing the points so far:

1. regions: comments, related lists, share and author boxes lose points (`regions.py`);
2. hidden text loses points where most of the page's text is visible (`findings.py`);
3. posts of a thread rise towards the mean of the posts (`findings.py`);
4. data tables rise to the kept text before them (`structures.py`);
5. facts in a row rise (`structures.py`);
6. lists and figures of which most is kept are completed (`structures.py`);
7. formulas by themselves rise to the texts around them (`structures.py`);
8. blocks before the headline or after the last paragraph lose points (`findings.py`).

A correction only adds points, and only where there is a finding: it drops no block by itself, and the points that the
cards gave still count. Most pages have one or two of them, so each looks first for what it is about, and is None where
there is nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from webclean import core
from webclean.decide.cut import Kept
from webclean.decide.findings import correct_ends, correct_hidden, correct_posts, make_correction
from webclean.decide.regions import compile_region_words, compute_region_share, find_regions
from webclean.decide.structures import correct_fact_lists, correct_formulas, correct_structures, correct_tables
from webclean.features import PageColumns
from webclean.model import Correction, Floats, Mask
from webclean.rules.schema import RuleSet


def correct_points(
    columns: PageColumns, points: Floats, kept: Kept, rules: RuleSet, types: Mapping[str, float]
) -> tuple[Floats, list[Correction]]:
    """The points of the blocks with what each finding adds to them, and the findings.

    kept: by the points so far; its cut stands for all corrections, though each would move it a little. types: type ->
    probability.
    """
    if not len(points):
        return points, []
    settings, cut, given = rules.corrections, kept.cut, list[Correction]()

    def add(found: Correction | None) -> Floats:
        if found is None:
            return points
        given.append(found)
        return points + found.points

    # regions first: what they lower is no text that tables, lists and ends are measured by
    points = add(_correct_regions(columns, kept.mask, rules, types))
    points = add(correct_hidden(columns, points >= cut, settings.hidden, types))
    points = add(correct_posts(columns, points, settings.posts, types))
    points = add(correct_tables(columns, points, points >= cut, settings.tables, types))
    points = add(correct_fact_lists(columns, points, cut, settings.facts, types))
    points = add(correct_structures(columns, points, cut, settings.structures, types))
    points = add(correct_formulas(columns, points, settings.formulas, types, rules.tools))
    # last, for what was raised or lowered so far tells where the text ends
    return add(correct_ends(columns, points >= cut, settings.ends, types)), given


def _correct_regions(columns: PageColumns, kept: Mask, rules: RuleSet, types: Mapping[str, float]) -> Correction | None:
    """Blocks in a region get its points; in several regions, the lowest."""
    known = compile_region_words(rules.regions, rules.concepts)
    # found by the text that would be kept: comments are below a text, and a list may be most of a page
    regions = find_regions(columns, kept, rules.regions, known)
    if not regions:
        return None
    lost = []
    for region in regions:
        share = compute_region_share(region, columns, rules.regions, known, types)
        lost.append((region.first, region.last, rules.regions.kinds[region.kind].points * share))
    points, because = core.lower_regions(len(kept), lost)
    return make_correction("regions", points, lambda block: regions[because[block]].tell())
