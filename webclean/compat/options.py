"""The arguments of trafilatura that have an effect here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

FORMATS: Final = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")

_NAMES: Final = {
    "favor_precision": "precision", "favor_recall": "recall", "include_comments": "comments", "output_format": "format",
    "include_tables": "tables", "include_images": "images", "include_formatting": "formatting",
    "include_links": "links", "target_language": "lang", "record_id": "id",
}  # fmt: skip
"""Argument -> its name in `Options`, where they differ."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a page is read and what of it is written. formatting: None for the default of the format."""

    format: str = "txt"
    url: str | None = None
    id: str | None = None
    precision: bool = False
    recall: bool = False
    comments: bool = True
    formatting: bool | None = None
    links: bool = False
    images: bool = False
    tables: bool = True
    lang: str | None = None
    max_tree_size: int | None = None
    with_metadata: bool = False
    only_with_metadata: bool = False
    url_blacklist: frozenset[str] = frozenset()
    author_blacklist: frozenset[str] = frozenset()
    prune_xpath: str | list[str] | None = None

    @classmethod
    def read(cls, arguments: dict[str, Any]) -> Self:
        """The options of a call; those of trafilatura's `Extractor` in `options` win over its other arguments.

        Raises `AttributeError` for an unknown format.
        """
        given = {_NAMES.get(name, name): value for name, value in arguments.items() if value is not None}
        extractor = arguments.get("options")
        if extractor is not None:
            given |= {name: getattr(extractor, name) for name in cls.__slots__ if hasattr(extractor, name)}
            given |= {"precision": extractor.focus == "precision", "recall": extractor.focus == "recall"}
        known = {name: given[name] for name in cls.__slots__ if name in given}
        if known["format"] not in FORMATS:
            raise AttributeError(f"Cannot set format, must be one of: {', '.join(FORMATS)}")
        return cls(**known)

    @property
    def profile(self) -> str:
        """The profile of rules; as in trafilatura, recall wins."""
        return "recall" if self.recall else "precision" if self.precision else "balanced"

    @property
    def metadata(self) -> bool:
        """Whether the fields of the page are asked for."""
        asked = self.with_metadata or self.only_with_metadata or self.format == "xmltei"
        return bool(asked or self.url_blacklist or self.author_blacklist)

    @property
    def marks(self) -> bool:
        """Whether emphasis and other marks of text are written."""
        return self.format == "markdown" if self.formatting is None else self.formatting
