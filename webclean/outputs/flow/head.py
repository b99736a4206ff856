"""What is known of a page beside its text, for formats that have a place for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from html import escape


@dataclass(frozen=True, slots=True)
class Head:
    """Data shown at the top of a rendering; '' for what is not known. language: BCP 47 tag. type: page type.
    price, rating, availability: of a product."""

    title: str = ""
    author: str = ""
    date: str = ""
    url: str = ""
    language: str = ""
    type: str = ""
    price: str = ""
    rating: str = ""
    availability: str = ""

    def list_known(self) -> Iterator[tuple[str, str]]:
        """Names and values of what is known."""
        for field in fields(self):
            if value := getattr(self, field.name):
                yield field.name, value


def write_front_matter(head: Head) -> str:
    """YAML front matter: a line for each value between two lines of `---`. JSON strings are YAML (YAML 1.2, 1.3)."""
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.list_known())
    return "\n".join(("---", *lines, "---"))


def write_meta_elements(head: Head) -> str:
    """`meta` elements for the head of an HTML document, one on each line; the title has an element of its own."""
    lines = (
        f'<meta name="{name}" content="{escape(value)}">\n' for name, value in head.list_known() if name != "title"
    )
    return "".join(lines)
