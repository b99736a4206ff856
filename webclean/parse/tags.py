"""Tag codes, the sets of tags that the HTML standard defines, and what the scan of a tree must know of names.

The sets are those of `tags.toml`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.storage import read_table

_TABLES: Final = read_table(__file__, "tags.toml")
_NAMES: Final[list[str]] = _TABLES["names"].split()
CODE: Final[dict[str, int]] = {name: code for code, name in enumerate(_NAMES, start=1)}
"""Tag name -> code; 0 is any tag that HTML does not define."""

N_CODES: Final = len(_NAMES) + 1


def tag_mask(names: str) -> NDArray[np.bool_]:
    """bool [N_CODES], true for the codes of the space-separated names; look tags up with `mask[document.tag]`."""
    mask = np.zeros(N_CODES, dtype=bool)
    mask[[CODE[name] for name in names.split()]] = True
    # shared by all pages: a stage that marked a tag in it would change all that come after
    mask.setflags(write=False)
    return mask


BLOCK: Final = tag_mask(_TABLES["block"])
HEADING: Final = tag_mask("h1 h2 h3 h4 h5 h6")
FORMATTING: Final = tag_mask("b big code em font i nobr s small strike strong tt u")
"""Formatting elements (HTML standard 13.2.4.3) but links: one that is not closed is opened anew in all that follows, so
that what is said of it (the icon of a share button is hidden) says nothing of the blocks that it stands around."""
LIST: Final = tag_mask("ul ol dl menu dir")
LIST_ITEM: Final = tag_mask("li dt dd")
CELL: Final = tag_mask("td th")
INVISIBLE: Final = tag_mask(_TABLES["invisible"])

VOID: Final[frozenset[str]] = frozenset(_TABLES["void"].split())
RAW_TEXT: Final[frozenset[str]] = frozenset(_TABLES["raw_text"].split())
FALLBACK: Final = frozenset(("noscript", "noframes"))
"""Raw-text elements whose content is markup for browsers without scripts or frames."""


_NAMES_OF_FLAG: Final[dict[str, str]] = {
    "void": _TABLES["void"],
    "skipped": _TABLES["raw_text"],
    "block": _TABLES["block"],
    "invisible": _TABLES["invisible"],
    **_TABLES["flags"],
}
FLAGS: Final[dict[str, int]] = {}
"""Name of an element -> the sum of its flags."""
for _flag, _names in _NAMES_OF_FLAG.items():
    for _name in _names.split():
        FLAGS[_name] = FLAGS.get(_name, 0) | core.SCAN_FLAGS[_flag]
