"""Handler of content pages (patent A5, fig. 3).

The patent's steps, and where each is decided here; all thresholds are lines of the cards in `rules/`:

- S301, the largest text block, unless it is the copyright notice: `largest_container_share`, `densest_container_share`
  and `running_text_around` score a block by what it shares with it; the rule `copyright-notice` takes the notice out.
- S302, expansion to the parent while it gains text: `gain_1`, `gain_2`, `container_share_*`, `sentence_words_*`.
- S303, cleaning inside: link blocks by `link_density_*`, runs of structure tags by the `alike_*` features, head and
  tail by `position`, `from_last_sentence`, `sentence_words_left`; then the second pass over what all this gave the
  neighbours and containers, and the cut.
- S304, images and captions: an option of the outputs. S305, title and time: `fields`. S306, the text: `outputs`.

The literal steps are the method `patent` of `webclean.methods`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webclean.blocks.features import PageColumns
from webclean.blocks.match import RuleMatch
from webclean.decide import BlockDecisions, decide_blocks
from webclean.rules import RuleSet


def handle_content(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep the blocks that the score card keeps."""
    return decide_blocks(columns, rules, types, matches)
