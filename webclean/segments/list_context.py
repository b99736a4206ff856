"""A list of entries -> what is known of each by the others: shared images, owners, and that they are a menu."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from webclean.model import Document, Record
from webclean.parse import read_attribute
from webclean.parse.base import find_base
from webclean.parse.pixels import is_unseen_image
from webclean.parse.tags import CODE
from webclean.parse.url import join_url
from webclean.rules.segments_schema import Records, Segments
from webclean.segments.entry import HOST_SLASHES
from webclean.segments.link_targets import strip_query
from webclean.segments.listing import Listing
from webclean.segments.units import Unit

_OWNERS_TRIED: Final = 8


def find_icons(document: Document, units: Iterable[Unit], rules: Segments) -> frozenset[str]:
    """The addresses of images that several units of a list have."""
    counts = Counter(source for unit in units for source in dict.fromkeys(list_images(document, unit, rules)))
    return frozenset(source for source, n in counts.items() if n >= rules.records.icon_units)


def list_images(document: Document, unit: Unit, rules: Segments) -> Iterator[str]:
    """The addresses of the images of a unit that are seen, as written; of each the first that is set."""
    for row in range(unit.first, unit.end):
        if document.tag[row] == CODE["img"] and not is_unseen_image(document, row, unit.first - 1):
            for name in rules.records.image_attributes:
                source = (read_attribute(document, row, name) or "").strip()
                if source and not source.startswith("data:"):
                    yield source
                    break


def have_owners(document: Document, units: Sequence[Unit], rules: Records) -> bool:
    """Whether most entries link to a page and to the folder it is in, and most of these folders are different: those of
    people, not of sections. A few entries are looked at."""
    base, n_tried = find_base(document), 0
    owners: set[str] = set()
    for unit in units if len(units) >= rules.min_units else ():
        rows = np.flatnonzero(document.link[unit.first : unit.end] == np.arange(unit.first, unit.end)) + unit.first
        if len(rows) < 2:
            continue
        targets = dict.fromkeys((read_attribute(document, row, "href") or "").strip() for row in rows.tolist())
        urls = [strip_query(join_url(base, target) or target) for target in targets]
        folders = {url.rpartition("/")[0] for url in urls}
        n_tried += len(folders) > 1
        owners.update([url for url in urls if url in folders and url.count("/") > HOST_SLASHES][:1])
        if n_tried >= _OWNERS_TRIED:
            break
    return n_tried > 0 and len(owners) >= rules.entries * n_tried


def find_menus(lists: Sequence[Sequence[Record]], listings: Sequence[Listing], rules: Records) -> set[int]:
    """The numbers of the lists of short names alone, such as facets and sections, on a page where other lists say more
    of their entries and are longer.

    Args:
        lists: the records of each block.
        listings: the units of each block.
        rules: settings.
    """
    n_rich = [sum(map(_says_more, records)) for records in lists]
    are_rich = [n >= max(rules.index_units, rules.entries * len(own)) for n, own in zip(n_rich, lists, strict=True)]
    rich_chars = sum(found.n_chars for found, is_rich in zip(listings, are_rich, strict=True) if is_rich)
    menus = set()
    for number, (records, n, listing) in enumerate(zip(lists, n_rich, listings, strict=True)):
        size = sum(len(record.title.encode()) for record in records)
        are_names = n == 0 and len(records) >= rules.index_units and size <= rules.name_bytes * len(records)
        if are_names and listing.n_chars <= rich_chars:
            menus.add(number)
    return menus


def _says_more(record: Record) -> bool:
    """Whether a record says more than a name and how many there are of it."""
    if record.summary or record.image or record.author:
        return True
    return any(field is not None and field not in record.title for field in (record.date, record.price))
