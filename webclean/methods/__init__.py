"""Published extraction methods, each a pure function: page -> mask of the text blocks that it keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from webclean.features import PageColumns
from webclean.methods.density import (
    compute_composite_density,
    compute_punctuation_density,
    compute_text_density,
    select_by_density,
    select_by_line_density,
    select_by_text_symbol_density,
)
from webclean.model import Mask
from webclean.rules import RuleSet

Method = Callable[[PageColumns, RuleSet], Mask]

METHODS: Final[dict[str, Method]] = {
    "punctuation-density": lambda columns, rules: select_by_density(columns, compute_punctuation_density),
    "text-density": lambda columns, rules: select_by_density(columns, compute_text_density),
    "composite-text-density": lambda columns, rules: select_by_density(columns, compute_composite_density),
    "line-density": lambda columns, rules: select_by_line_density(columns, rules.methods.line_density),
    "text-symbol-density": lambda columns, rules: select_by_text_symbol_density(columns),
}
"""Name -> method, which returns bool [n_blocks]. `scorecard`, the default of `webclean.clean`, and
`patent`, which makes more than a mask, are not among them."""
