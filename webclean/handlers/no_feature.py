"""Handler of pages without an obvious feature (patent A3): neither clear blocks nor long text.

The output is the normalised markup: what there is to read is the page. So nothing is cut out for being short or
unlike running text; the layer `rules/types/no_feature.yaml` moves the cut to where only what the cards are sure of,
such as menus and copyright notices, and what a rule drops, is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webclean.decide import decide_blocks
from webclean.features import PageColumns
from webclean.matching.match import RuleMatch
from webclean.model import BlockDecisions
from webclean.rules import RuleSet


def handle_no_feature(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep the page but for what is surely no text."""
    return decide_blocks(columns, rules, types, matches)
