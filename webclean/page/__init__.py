"""`CleanPage`, the result of cleaning a page.

Text blocks, page type and the decisions to keep or drop are computed before a `CleanPage` is created. Text, semantic
blocks and fields are computed on first access and cached; Markdown and HTML are rendered at each call. A caller who
reads only the text does not pay for the rest.
"""

from __future__ import annotations

from webclean.page.clean_page import CleanPage
from webclean.page.formats import FORMATS, MAX_TREES, Analysis, count_input

__all__ = ["FORMATS", "MAX_TREES", "Analysis", "CleanPage", "count_input"]
