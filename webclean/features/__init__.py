"""Features of text blocks: the named numbers that cards and rules refer to, and what they are made of.

Each is a line of `core/features.toml`: a name, a unit, a meaning and an expression.
"""

from __future__ import annotations

from webclean.features.block_features import BLOCK_FEATURES, measure
from webclean.features.page_columns import PageColumns

__all__ = ["BLOCK_FEATURES", "PageColumns", "measure"]
