"""One handler for each page type (patent A5 to A7): columns, rules -> which text blocks are kept, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from webclean.features import PageColumns
from webclean.handlers.content import handle_content
from webclean.handlers.index import handle_index
from webclean.handlers.multi_block import handle_multi_block
from webclean.handlers.no_feature import handle_no_feature
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions, PageType
from webclean.rules import RuleSet

Handler = Callable[[PageColumns, RuleSet, Mapping[str, float], Sequence[RuleMatch]], BlockDecisions]
"""(columns, rules, subtype -> probability, rules that apply to the page) -> decisions."""

HANDLERS: Final[dict[PageType, Handler]] = {
    PageType.CONTENT: handle_content,
    PageType.MULTI_BLOCK: handle_multi_block,
    PageType.INDEX: handle_index,
    PageType.NO_FEATURE: handle_no_feature,
}
