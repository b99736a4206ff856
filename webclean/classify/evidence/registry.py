"""`PageMaterial`, what the pieces of evidence share about one page, and the registry of evidence over it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

import numpy as np

from webclean.blocks.features import PageColumns, mark_subtrees
from webclean.blocks.match import compile_pattern
from webclean.errors import RuleError
from webclean.model import Document, Floats, Mask, Rows, TextBlocks
from webclean.parse.tags import CODE, HEADING, N_CODES, tag_mask
from webclean.rules.page_type_schema import PageTypeRules

_EXTENSION: Final = re.compile(r"\.[a-z]{2,5}$")
_SLUG_SPLIT: Final = re.compile(r"[-_+.]|%20")


@dataclass(frozen=True, eq=False)
class PageMaterial:
    """One page's columns and what several pieces of evidence need of them, each computed once."""

    columns: PageColumns
    rules: PageTypeRules

    @property
    def document(self) -> Document:
        return self.columns.document

    @property
    def blocks(self) -> TextBlocks:
        return self.columns.blocks

    @cached_property
    def url(self) -> SplitResult | None:
        """The page's address in its parts, None when it is not known or not an address."""
        try:
            return urlsplit(self.document.url) if self.document.url else None
        except ValueError:
            return None

    @cached_property
    def path(self) -> list[str]:
        """The steps of the address's path."""
        return split_path(self.url.path) if self.url else []

    @cached_property
    def slug(self) -> str:
        """The last step of the path without a file extension, '' for a home page."""
        return _EXTENSION.sub("", self.path[-1].lower()) if self.path else ""

    @cached_property
    def block_tag(self) -> Rows:
        """int32 [n_blocks]: tag code of the element of each block."""
        return self.document.tag[self.blocks.row]

    @cached_property
    def n_words(self) -> Floats:
        """float64 [n_blocks]: words of each block; so many characters of a script without spaces make a word."""
        return np.minimum(self.blocks.n_words, self.blocks.n_chars / self.rules.chars_per_word)

    @cached_property
    def n_link_words(self) -> Floats:
        """float64 [n_blocks]: words in links, counted as `n_words`."""
        return np.minimum(self.blocks.n_link_words, self.blocks.n_link_chars / self.rules.chars_per_word)

    @cached_property
    def total_words(self) -> float:
        """Words of the page, at least 1."""
        return max(1.0, float(self.n_words.sum()))

    @cached_property
    def is_long(self) -> Mask:
        """bool [n_blocks]: running text, at least `long_block_words` words and hardly any links."""
        return (self.n_words >= self.rules.long_block_words) & (self.n_link_words < 0.3 * self.n_words)

    @cached_property
    def n_main_words(self) -> float:
        """Words of the blocks of running text whose elements are children of one element, where they are most."""
        rows = self.blocks.row[self.is_long]
        if not len(rows):
            return 0.0
        _, group = np.unique(self.document.parent[rows], return_inverse=True)
        return float(np.bincount(group, self.n_words[self.is_long]).max())

    @cached_property
    def is_link(self) -> Mask:
        """bool [n_blocks]: more than half of the characters are link text."""
        return self.blocks.n_link_chars > 0.5 * self.blocks.n_chars

    @cached_property
    def is_heading(self) -> Mask:
        """bool [n_blocks]: the block is a heading element."""
        return HEADING[self.block_tag]

    @cached_property
    def n_tags(self) -> Rows:
        """int32 [n_codes]: elements of each tag."""
        return np.bincount(self.document.tag, minlength=N_CODES).astype(np.int32)

    @cached_property
    def text(self) -> str:
        """The page's text, one block a line, at most `sample_chars` characters."""
        return "\n".join(self.blocks.text)[: self.rules.sample_chars]

    @cached_property
    def n_sample_words(self) -> float:
        """Words of `text`, at least 1; exact while the page is shorter than the sample."""
        n_chars = sum(map(len, self.blocks.text)) + len(self.blocks.text)
        return max(1.0, self.total_words * len(self.text) / max(1, n_chars))

    @cached_property
    def title(self) -> str:
        """Text of the first title element."""
        rows = np.flatnonzero(self.document.tag == CODE["title"])
        if not len(rows):
            return ""
        texts = np.flatnonzero(self.document.text_owner == rows[0])
        return " ".join(self.document.text[i] for i in texts)

    def count_tag(self, name: str) -> float:
        """Elements of a tag."""
        return float(self.n_tags[CODE[name]])

    @cached_property
    def counted(self) -> dict[str, float]:
        """Pattern -> matches, of those that were asked for."""
        return {}

    def count_pattern(self, name: str, text: str) -> float:
        """Matches of one of the `patterns` of the rules, always asked of the same text."""
        found = self.counted.get(name)
        if found is None:
            found = self.counted[name] = float(len(compile_pattern(self.rules.patterns[name]).findall(text)))
        return found

    def share_under(self, names: str) -> float:
        """Share of the page's words inside elements of the given tags."""
        if not len(self.blocks):
            return 0.0
        inside = mark_subtrees(self.document, tag_mask(names)[self.document.tag])[self.blocks.row]
        return float(self.n_words[inside].sum()) / self.total_words


def split_path(path: str) -> list[str]:
    """`/a/b%20c/` -> `a`, `b c`."""
    return [unquote(step) for step in path.split("/") if step]


def split_slug(slug: str) -> list[str]:
    """`how-to_bake+bread` -> how, to, bake, bread."""
    return [word for word in _SLUG_SPLIT.split(slug) if word]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A named number about a page: how rules call it, its unit, what it means and how it is computed."""

    name: str
    unit: str
    meaning: str
    compute: Callable[[PageMaterial], float]


EVIDENCE: Final[dict[str, Evidence]] = {}


def evidence(unit: str, meaning: str) -> Callable[[Callable[[PageMaterial], float]], Callable[[PageMaterial], float]]:
    """Register a function as the evidence of its own name."""

    def register(compute: Callable[[PageMaterial], float]) -> Callable[[PageMaterial], float]:
        EVIDENCE[compute.__name__] = Evidence(compute.__name__, unit, meaning, compute)
        return compute

    return register


def measure_page(material: PageMaterial, names: Sequence[str]) -> Floats:
    """float64 [n]: the named pieces of evidence; NaN where one says nothing of this page."""
    return np.array([EVIDENCE[name].compute(material) for name in names], dtype=np.float64)


def check_evidence(name: str, key: str) -> None:
    """Raise `RuleError` for evidence that does not exist."""
    if name not in EVIDENCE:
        raise RuleError(f"no evidence {name!r}: one of {', '.join(sorted(EVIDENCE))}", key=key)
