"""Handler of pages without an obvious feature (patent A3): neither clear blocks nor long text.

The patent outputs the whole normalised markup of such pages. Here too no block is dropped for being short or unlike
running text: the layer `rules/types/no_feature.yaml` lowers the cut, so that only what is dropped by a rule or surely
boilerplate, such as menus and copyright notices, is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webclean.decide import decide_blocks
from webclean.features import PageColumns
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions
from webclean.rules import RuleSet


def handle_no_feature(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep all but sure boilerplate."""
    return decide_blocks(columns, rules, types, matches)
