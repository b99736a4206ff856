"""Handler of content pages (patent A5, fig. 3).

The patent decides by a sequence of steps. Here each step is represented by lines of the cards in `rules/`, so that no
single step decides alone and each one is explained. The features that correspond to the steps:

- S301, find the largest text block, and S302, expand to the parent while that gains text: the first pass. Blocks are
  scored by their distance from the page's running text (`inside_densest`, `before_main_path`, `after_main_path`) and by
  the text of the containers around them (`words_per_block_*`, `link_density_*`); on pages with few meaningful names
  also by what they share with the largest text (`largest_container_share`, `gain_*`, `container_share_*`).
- S303, remove noise inside: the second pass, by the points of siblings, neighbours and containers.
- S303, head and tail: the corrections for blocks outside the text or in a separate region (`decide.corrections`), and
  the cut. S301, the copyright notice: the cut, and the rule `copyright-notice`.
- S304, images and captions: an option of the outputs. S305, title and time: `fields`. S306, the text: `outputs`.

The steps as the patent has them are the method `patent` (`webclean.patent`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webclean.decide import apply_corrections, cut_blocks, score_first_pass, score_second_pass
from webclean.features import PageColumns
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions
from webclean.rules import RuleSet


def handle_content(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Score twice, correct, cut: the steps of `decide_blocks`, which the other handlers call."""
    near_main_text = score_first_pass(columns, rules, types, matches)  # S301, S302
    cleaned_inside = score_second_pass(columns, near_main_text, rules)  # S303
    cleaned_around = apply_corrections(columns, cleaned_inside, rules)
    return cut_blocks(columns, cleaned_around, rules, matches)
