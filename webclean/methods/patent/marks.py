"""What the steps of the patent make of each text block: kept or not, and by which step."""

from __future__ import annotations

import numpy as np

from webclean.methods.patent.cleaning import find_noise, mark_captions
from webclean.methods.patent.structured_page import StructuredPage
from webclean.model import Mask, Reason


class Marks:
    """The decisions about the text blocks of one page, which later steps of a handler replace.

    kept: bool [n_blocks]. reasons: block -> the last step that decided about it.
    """

    def __init__(self, page: StructuredPage, reason: Reason) -> None:
        """All blocks start as dropped, for one reason."""
        n = len(page.columns.blocks)
        self.kept: Mask = np.zeros(n, dtype=bool)
        self.reasons: dict[int, Reason] = dict.fromkeys(range(n), reason)

    def set(self, blocks: Mask, kept: bool, reason: Reason) -> None:
        """Decide about blocks. blocks: bool [n_blocks]."""
        self.kept[blocks] = kept
        self.reasons.update(dict.fromkeys(np.flatnonzero(blocks).tolist(), reason))

    def clean_inside(self, page: StructuredPage, block: int) -> None:
        """S303 and S304: drop the noise inside an element, and captions if the rules say so."""
        inside = page.mark_under(block)
        for row, reason in find_noise(page, block).items():
            self.set(page.mark_under(row) & self.kept, False, reason)
        if not page.settings.keep_captions:
            captions = mark_captions(page) & inside & self.kept
            self.set(captions, False, Reason("patent", "S304", "the caption of an image"))
