"""What the caller of a phone page chooses, and what the page is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from webclean.model import Block, Rows
from webclean.outputs.flow import Node
from webclean.outputs.flow.head import Head
from webclean.outputs.phone.pieces import Spans
from webclean.rules.uses_schema import Phone, PhoneLabels


class Layout(StrEnum):
    """How the content of a page is set: as a text, as posts, as a product, as a manual, or as ranked cards."""

    ARTICLE = "article"
    THREAD = "thread"
    PRODUCT = "product"
    DOCUMENTATION = "documentation"
    INDEX = "index"


def name_part(number: int) -> str:
    """The address of a part of a page where the caller names none: `2.html`."""
    return f"{number}.html"


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """What a phone page shows, and where its links lead.

    images: whether it has images. link: a link's address -> the address that is written, such as that of a server that
    renders the target for phones as well. image: an image's address -> the one that is written, such as a `data:` URL,
    or None to leave the image out; its alternative text then stays. offline: the page may load nothing, not even
    images, but `data:` URLs. part_bytes: bytes of text of one part, instead of those of the rules. name_part: number of
    a part, from 1 -> its address.
    """

    images: bool = True
    link: Callable[[str], str] | None = None
    image: Callable[[str], str | None] | None = None
    offline: bool = False
    part_bytes: int | None = None
    name_part: Callable[[int], str] = name_part


@dataclass(frozen=True, slots=True, eq=False)
class PhoneSource:
    """The content of one page, or of one page of several that are joined.

    flow: the clean elements of the kept text. blocks: all semantic blocks; `Block.number` is the index in `spans` and
    what `owner` holds. owner: [n_elements], number of the semantic block around an element. spans: for each block, for
    each of its records, the rows of the elements it was read from, `(first, end)`. base: what relative URLs of records
    are relative to.
    """

    flow: Node
    blocks: Sequence[Block] = ()
    owner: Rows | Sequence[int] = ()
    spans: Sequence[Sequence[tuple[int, int]]] = ()
    base: str | None = None

    def list_records(self) -> tuple[list[tuple[int, int]], Spans]:
        """(Block, number in its records) of all records of the page, and their spans in the same order."""
        places = [(number, at) for number, spans in enumerate(self.spans) for at in range(len(spans))]
        return places, Spans([self.spans[number][at] for number, at in places])

    def find_block(self, row: int) -> int:
        """Number of the semantic block of an element, -1 if it is in none."""
        return int(self.owner[row]) if 0 <= row < len(self.owner) else -1


@dataclass(frozen=True, slots=True, eq=False)
class PhonePage:
    """All that a phone page is made of. price, image: of a product, '' if not known."""

    head: Head
    layout: Layout
    sources: Sequence[PhoneSource]
    rules: Phone
    price: str = ""
    image: str = ""
    options: PhoneOptions = field(default_factory=PhoneOptions)

    @property
    def labels(self) -> PhoneLabels:
        """What the page itself says, in its language if the rules know it."""
        code = self.head.language.lower().partition("-")[0]
        return self.rules.labels.get(code) or self.rules.labels["en"]
