"""What corpora disagree on -> blocks that nothing is learnt from.

Whoever marks a main content decides whether the headline is part of it, or the caption of a picture. Where a further
corpus decides otherwise than the first one, its blocks of that kind teach nothing: they are left out, not punished.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from webclean.features import PageColumns, measure
from webclean.learn.material import Material
from webclean.model import Floats, Mask
from webclean.parse.tags import tag_mask

_CAPTION: Final = tag_mask("figcaption caption")
_APART: Final = 0.25
"""Corpora disagree on a kind of blocks when the shares of them that belong to the truth are so far apart."""


def _find_headline(columns: PageColumns) -> Mask:
    return np.asarray(measure(columns, "after_headline") == 0)


def _find_captions(columns: PageColumns) -> Mask:
    inside: Mask = _CAPTION[columns.tag]
    return inside


KINDS: Final[Mapping[str, Callable[[PageColumns], Mask]]] = {"headline": _find_headline, "caption": _find_captions}
"""Kinds of blocks of articles on which conventions differ."""


def find_disputed(material: Material) -> tuple[Mask, str]:
    """bool [n_blocks]: blocks of articles on which the corpus disagrees with the first one; and a table of it."""
    disputed = np.zeros(len(material.label), dtype=bool)
    lines = ["share of the blocks of articles that are main content, by the truth:"]
    for name, find in KINDS.items():
        is_kind = np.concatenate([find(columns) for columns in material.columns]) & material.is_article[material.page]
        shares, summary = list[float](), list[str]()
        for number, corpus in enumerate(material.corpora):
            own = is_kind & (material.corpus[material.page] == number)
            shares.append(_average(material.label[own]))
            is_other = bool(own.any()) and abs(shares[number] - shares[0]) > _APART
            summary.append(f"{corpus} {shares[number]:.2f}{' (left out)' if is_other else ''}" if own.any() else "")
            disputed |= own & is_other
        lines.append(f"  {name}: {', '.join(filter(None, summary))}")
    return disputed, "\n".join(lines)


def _average(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0
