"""Points of both passes -> points corrected by what is known of the page as a whole.

The cards see a block and its surroundings; they cannot see that a run of good paragraphs is a reader's comment, or the
copy of an article for another device. Each correction is one finding, in this order, each seeing the points so far:

1. regions: comments, related lists, share and author boxes lose points (`regions.py`);
2. hidden text loses points where most of the page's text is visible;
3. posts of a thread rise towards the mean of the posts (`posts.py`);
4. data tables rise to the kept text before them (`tables.py`);
5. facts in a row rise (`fact_lists.py`);
6. lists and figures of which most is kept are completed (`structures.py`);
7. formulas by themselves rise to the texts around them (`formulas.py`);
8. blocks before the headline or after the last paragraph lose points (`page_ends.py`).

A correction only adds points, and only where there is a finding: it drops no block by itself, and the points that the
cards gave still count.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from webclean.decide.cut import cut_by_expected_f
from webclean.decide.fact_lists import correct_fact_lists
from webclean.decide.formulas import correct_formulas
from webclean.decide.page_ends import correct_ends
from webclean.decide.posts import correct_posts
from webclean.decide.region_words import compile_region_words
from webclean.decide.regions import average_by_type, compute_region_share, find_regions
from webclean.decide.structures import correct_structures
from webclean.decide.tables import correct_tables
from webclean.features import PageColumns
from webclean.model import Correction, Floats, Mask
from webclean.rules.regions_schema import HiddenText
from webclean.rules.schema import RuleSet


def correct_points(
    columns: PageColumns, points: Floats, rules: RuleSet, types: Mapping[str, float]
) -> tuple[Correction, ...]:
    """What each finding adds to the points of the blocks; types: type -> probability."""
    if not len(points):
        return ()
    kept = cut_by_expected_f(points, np.maximum(0.01, columns.blocks.n_words), rules.cut)
    settings = rules.corrections
    regions = _correct_regions(columns, kept.mask, rules, types)
    points = points + regions.points
    hidden = correct_hidden(columns, points >= kept.cut, settings.hidden, types)
    points = points + hidden.points
    posts = correct_posts(columns, points, settings.posts, types)
    points = points + posts.points
    tables = correct_tables(columns, points, points >= kept.cut, settings.tables, types)
    points = points + tables.points
    facts = correct_fact_lists(columns, points, settings.facts, types)
    points = points + facts.points
    structures = correct_structures(columns, points, kept.cut, settings.structures, types)
    points = points + structures.points
    formulas = correct_formulas(columns, points, settings.formulas, types, rules.tools)
    points = points + formulas.points
    ends = correct_ends(columns, points >= kept.cut, settings.ends, types)
    return tuple(
        correction
        for correction in (regions, hidden, posts, tables, facts, structures, formulas, ends)
        if correction.points.any()
    )


def _correct_regions(columns: PageColumns, kept: Mask, rules: RuleSet, types: Mapping[str, float]) -> Correction:
    """Blocks in a region get its points; in several regions, the lowest."""
    points, because = np.zeros(len(kept)), np.zeros(len(kept), dtype=np.intp)
    known = compile_region_words(rules.regions, rules.concepts)
    regions = find_regions(columns, kept, rules.regions, known)
    for number, region in enumerate(regions):
        inside = slice(region.first, region.last)
        share = compute_region_share(region, columns, rules.regions, known, types)
        lost = rules.regions.kinds[region.kind].points * share
        because[inside] = np.where(lost < points[inside], number, because[inside])
        points[inside] = np.minimum(points[inside], lost)
    return Correction("regions", points, because, tuple(f"{region.kind}: {region.found_by}" for region in regions))


def correct_hidden(columns: PageColumns, kept: Mask, rules: HiddenText, types: Mapping[str, float]) -> Correction:
    """Hidden blocks lose points, unless the page hides most of what would be kept and shows it later."""
    visible, words = columns.blocks.visible, np.where(kept, columns.words, 0.0)
    shows_enough = words[visible].sum() >= rules.least_visible * words.sum()
    points = np.where(visible, 0.0, rules.points * average_by_type(rules.counts, types) * shows_enough)
    return Correction("hidden", points, np.zeros(len(points), dtype=np.intp), ("the markup hides it",))
