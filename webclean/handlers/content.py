"""Handler of content pages (patent A5, fig. 3).

The patent's steps, each decided by lines of the cards in `rules/`, so that it may be outvoted and is explained. Which
features a card asks for is a matter of the rules; these stand for the steps:

- S301, the largest text block, and S302, expansion to the parent while it gains text: the first pass. A block is
  weighed by where the running text of the page is (`inside_densest`, `before_main_path`, `after_main_path`) and by what
  the containers around it hold (`words_per_block_*`, `link_density_*`), on pages without telling names also by what it
  shares with the largest text and what each parent gains (`largest_container_share`, `gain_*`, `container_share_*`).
- S303, cleaning inside: the second pass, by what the first one gave siblings, neighbours and containers.
- The head and tail of S303: what stands outside the text or in a region of its own (`decide.corrections`); with the
  copyright notice of S301 the cut and the rules (`copyright-notice`).
- S304, images and captions: an option of the outputs. S305, title and time: `fields`. S306, the text: `outputs`.

The literal steps are the method `patent` of `webclean.methods`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webclean.decide import cut_blocks, weigh_blocks, weigh_page, weigh_surroundings
from webclean.features import PageColumns
from webclean.matching.match import RuleMatch
from webclean.model import BlockDecisions
from webclean.rules import RuleSet


def handle_content(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Weigh by the main text, clean inside, cut: the steps of `decide_blocks`, which the other handlers start from."""
    near_main_text = weigh_blocks(columns, rules, types)  # S301, S302
    cleaned_inside = weigh_surroundings(columns, near_main_text, rules)  # S303
    cleaned_around = weigh_page(columns, cleaned_inside, rules)
    return cut_blocks(columns, cleaned_around, rules, matches)
