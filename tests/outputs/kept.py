"""A page of markup with the blocks to keep chosen by hand, and semantic blocks made by hand."""

import re
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Block, Document, Mask, Role, TextBlocks
from webclean.parse import parse_page


def keep_blocks(markup: str, drop: Iterable[str] = (), url: str | None = None) -> tuple[Document, TextBlocks, Mask]:
    """Keep every text block but those whose text holds one of `drop`."""
    document = parse_page(markup, url=url)
    blocks = find_text_blocks(document)
    kept = np.array([not any(word in text for word in drop) for text in blocks.text], dtype=bool)
    return document, blocks, kept


EMPTY: Final = {
    **dict.fromkeys(("texts", "headings", "fragments"), ""),
    **dict.fromkeys(("xpaths", "links", "records", "reasons"), ()),
    "importance": 0.0,
}
"""What is told of the blocks, a list each -> what is not said."""


def make_blocks(*blocks: dict[str, Any]) -> list[Block]:
    """Each block by `role`, `kept`, `parent` and the names of its parts; what is not said is empty."""
    parts = SimpleNamespace(**{name: [block.get(name, none) for block in blocks] for name, none in EMPTY.items()})
    return [
        Block(f"b{n}", block.get("role", Role.CONTENT), block.get("kept", True), block.get("parent"), n, parts)
        for n, block in enumerate(blocks)
    ]


def read_cases(*names: str) -> list[tuple[str, str]]:
    """Pairs of what is given and what is written, of files in `cases`: a line `.` stands between both, `~~~~~` after
    each pair; lines that begin with `#:` before a pair say why it is there."""
    files = (Path(__file__).parent / "cases" / f"{name}.txt" for name in names)
    cases = [case for file in files for case in file.read_text(encoding="utf-8").split("~~~~~\n")[:-1]]
    pairs = (re.sub(r"\A(?:#: .*\n)+", "", case).removesuffix("\n").partition("\n.\n") for case in cases)
    return [(given, written) for given, _, written in pairs]
