"""Handler of pages without an obvious feature (patent A3): the output is the normalised markup.

The page has been repaired by the parser; all that it displays is kept, and the outputs write it as correct markup.
"""

from __future__ import annotations

from webclean.methods.patent.marks import Marks
from webclean.methods.patent.structured_page import StructuredPage
from webclean.model import Reason


def mark_no_feature(page: StructuredPage) -> Marks:
    """Keep every text block that is displayed."""
    marks = Marks(page, Reason("patent", "A3", "hidden"))
    reason = Reason("patent", "A3", "the page has no obvious feature: all of it is kept")
    marks.set(page.columns.blocks.visible, True, reason)
    return marks
