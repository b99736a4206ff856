"""Tag codes, the sets of tags that the HTML standard defines, and what the scan of a tree must know of names.

The sets come from the WHATWG HTML standard (https://html.spec.whatwg.org/); they are not tuned. `BLOCK` has the
elements that the rendering section (15.3) displays as block, list item or table part.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean import core

_NAMES: Final = """
    html head title base link meta style body article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer
    address main p hr pre blockquote ol ul menu li dl dt dd figure figcaption div a em strong small s cite q dfn
    abbr ruby rt rp data time code var samp kbd sub sup i b u mark bdi bdo span br wbr ins del picture source img
    iframe embed object param video audio track map area table caption colgroup col tbody thead tfoot tr td th
    form label input button select datalist optgroup option textarea output progress meter fieldset legend details
    summary dialog script noscript template slot canvas svg math font center tt big strike frame frameset noframes
    marquee dir acronym applet search noembed plaintext xmp listing nobr
""".split()  # noqa: SIM905  a table of words reads better

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


BLOCK: Final = tag_mask(
    "html body article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main p hr pre blockquote "
    "ol ul menu li dl dt dd figure figcaption div table caption tbody thead tfoot tr td th form fieldset legend "
    "details summary dialog center dir search frameset noframes listing xmp plaintext option optgroup"
)
HEADING: Final = tag_mask("h1 h2 h3 h4 h5 h6")
FORMATTING: Final = tag_mask("b big code em font i nobr s small strike strong tt u")
"""Formatting elements (HTML standard 13.2.4.3) but links: one that is not closed is opened anew in all that follows, so
that what is said of it (the icon of a share button is hidden) says nothing of the blocks that it stands around."""
LIST: Final = tag_mask("ul ol dl menu dir")
LIST_ITEM: Final = tag_mask("li dt dd")
CELL: Final = tag_mask("td th")
INVISIBLE: Final = tag_mask(
    "head title script style template noscript noframes noembed iframe object svg math canvas "
    "select datalist textarea audio video map"
)
"""Text in these is not text of the page: it is not displayed, is a fallback, or is the value of a form control."""

VOID: Final = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()  # noqa: SIM905
)
"""Elements without content and end tag (HTML standard 13.1.2), and those that are written like them (13.3)."""
RAW_TEXT: Final = frozenset(("script", "style", "noscript", "iframe", "noembed", "noframes", "template"))
"""Elements whose content is not parsed as part of the page (with scripting enabled, as in a browser)."""
FALLBACK: Final = frozenset(("noscript", "noframes"))
"""Raw-text elements whose content is markup for browsers without scripts or frames."""


_NAMES_OF_FLAG: Final = {
    "void": " ".join(VOID),
    "raw": "script style xmp iframe noembed noframes noscript",
    "skipped": " ".join(RAW_TEXT),
    "foreign": "svg math",
    "point": "foreignObject desc title mi mo mn ms mtext",
    "unknown": "plaintext annotation-xml",
    "block": " ".join(name for name, code in CODE.items() if BLOCK[code]),
    "invisible": " ".join(name for name, code in CODE.items() if INVISIBLE[code]),
    "anchor": "a",
    "padded": "pre textarea listing",
}
"""Flag of `core.SCAN_FLAGS` -> the names that have it. void and raw: HTML 13.3, serialising with scripting on."""

FLAGS: Final[dict[str, int]] = {}
"""Name of an element -> the sum of its flags."""
for _flag, _names in _NAMES_OF_FLAG.items():
    for _name in _names.split():
        FLAGS[_name] = FLAGS.get(_name, 0) | core.SCAN_FLAGS[_flag]
