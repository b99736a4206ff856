"""What a semantic block holds: its text, heading, links and records."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import numpy as np

from webclean.model import Link, Role
from webclean.parse import read_attribute
from webclean.parse.tags import HEADING
from webclean.rules.semantics_schema import Records
from webclean.semantics.columns import SemanticColumns
from webclean.semantics.records import Entry, list_text_nodes, read_entry
from webclean.semantics.units import Unit, UnitSearch


def collect_texts(columns: SemanticColumns) -> list[str]:
    """The text of each semantic block, one line a text block."""
    parts: list[list[str]] = [[] for _ in columns.segments.roots]
    for text, number in zip(columns.page.blocks.text, columns.segment_of.tolist(), strict=True):
        parts[number].append(text)
    return ["\n".join(part) for part in parts]


def collect_headings(columns: SemanticColumns) -> list[str]:
    """The first heading inside each semantic block, '' where there is none."""
    found = [""] * len(columns.segments)
    blocks = columns.page.blocks
    for index in np.flatnonzero(HEADING[columns.page.document.tag[blocks.row]])[::-1].tolist():
        found[int(columns.segment_of[index])] = blocks.text[index]
    return found


def collect_links(columns: SemanticColumns) -> list[tuple[Link, ...]]:
    """The links of each semantic block in reading order, absolute when the page's URL is known."""
    document = columns.page.document
    parts: dict[int, list[str]] = {row: [] for row in columns.link_rows.tolist()}
    for text, row in zip(document.text, document.link[document.text_owner].tolist(), strict=True):
        if row in parts:
            parts[row].append(text)
    origin = find_origin(document.url)
    made: list[list[Link]] = [[] for _ in columns.segments.roots]
    for row, part in parts.items():
        target = (read_attribute(document, row, "href") or "").strip()
        made[int(columns.segments.owner[row])].append(
            Link(resolve_url(target, document.url, origin), " ".join("".join(part).split()))
        )
    return [tuple(links) for links in made]


def find_origin(url: str | None) -> str:
    """Scheme and host of the page, '' when its URL is not known or not valid."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def resolve_url(target: str, base: str | None, origin: str) -> str:
    """A link target made absolute; as written when it cannot be."""
    if not base or not origin or target.startswith(("http://", "https://")):
        return target
    if target.startswith("/") and not target.startswith("//"):
        return origin + target
    try:
        return urljoin(base, target)
    except ValueError:
        return target


def find_block_units(columns: SemanticColumns) -> list[list[Unit]]:
    """The repeated units of the page, given to the semantic block that their text begins in."""
    document, rules = columns.page.document, columns.rules.records
    made: list[list[Unit]] = [[] for _ in columns.segments.roots]
    for unit in UnitSearch(document, rules).find(0) if len(document) else []:
        for node in list_text_nodes(document, unit):
            number = int(columns.segments.owner[document.text_owner[node]])
            if document.text[node].strip() and number >= 0:
                made[number].append(unit)
                break
    return made


def read_entries(columns: SemanticColumns, units: list[list[Unit]], roles: list[Role]) -> list[list[Entry]]:
    """The records of each semantic block; none for roles that have none."""
    wanted, document = columns.rules.records.roles, columns.page.document
    made = []
    for number, role in enumerate(roles):
        found = [read_entry(document, unit, columns.rules) for unit in units[number]] if str(role) in wanted else []
        made.append([entry for entry in found if entry is not None])
    return made


def is_index(entries: list[Entry], n_chars: float, link_density: float, rules: Records) -> bool:
    """Whether a block lists what stands on other pages: most entries lead on, and they are links or short teasers."""
    n_leading = sum(entry.leads_on for entry in entries)
    if n_leading < max(rules.index_units, rules.entries * len(entries)):
        return False
    if link_density >= rules.index_link_density:
        return True
    covered = sum(entry.n_chars for entry in entries)
    is_list = len(entries) >= rules.teaser_units and covered >= rules.teaser_coverage * n_chars
    return is_list and covered <= rules.teaser_chars * len(entries)
