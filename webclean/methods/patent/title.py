"""The title of a content page by visual evidence (patent S305): larger, bold, or on another background than the text.

Candidates are the short texts just before the content and at its start. The one that differs most from the look of the
content wins: by size, then weight, then background; of equals the nearest one before the text.
"""

from __future__ import annotations

import numpy as np

from webclean.methods.patent.structured_page import StructuredPage
from webclean.model import FieldValue


def find_visual_title(page: StructuredPage, content: int) -> FieldValue | None:
    """The title, or None if no text stands out. content: row of the content block."""
    settings, blocks = page.settings.title, page.columns.blocks
    text = page.looks.find_main(content)
    start = int(np.searchsorted(blocks.row, content))
    best: tuple[tuple[float, bool, bool], str] | None = None
    for at in range(max(0, start - settings.blocks_before), min(len(blocks), start + settings.blocks_inside)):
        n_chars = int(blocks.n_chars[at])
        if not blocks.visible[at] or not 1 < n_chars <= settings.max_chars or 2 * blocks.n_link_chars[at] > n_chars:
            continue
        look = page.looks.find_main(int(blocks.row[at]))
        size = max(1.0, round(look.size / max(1.0, text.size), 2))
        strength = (size, look.bold > text.bold, look.background != text.background)
        if strength > (1.0, False, False) and (best is None or strength >= best[0]):
            best = strength, blocks.text[at]
    if best is None:
        return None
    (ratio, bold, background), value = best
    signs = [f"{ratio:g} times as large"] * (ratio > 1) + ["bold"] * bold + ["another background"] * background
    return FieldValue(value, f"patent S305: {', '.join(signs)}", 0.5)
