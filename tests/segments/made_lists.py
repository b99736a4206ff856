"""Made lists and what the search for entries finds in them."""

import webclean
from webclean.features.page_columns import NOTHING_FOUND
from webclean.model import Record
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.segments.units import EntryColumns, Unit, UnitSearch

RULES = load_rules().segments
URL = "https://x.net/list"
SUMMARY = "The cranes are tall, and they came by ship."
LINKS = [f"<a href=/{i}>Entry {i}</a>" for i in range(6)]


def find_units(markup: str) -> list[str]:
    """The text of each unit."""
    document = parse_page(f"<body>{markup}", url=URL)
    units, columns = (
        UnitSearch(build_columns(document), RULES.records).bounds.tolist(),
        EntryColumns(document, RULES, NOTHING_FOUND),
    )
    return [" ".join(piece.text for piece in columns.list_pieces(Unit(*unit))[0]) for unit in units]


def make_list(*items: str, tag: str = "li") -> str:
    return "<ul>" + "".join(f"<{tag}>{item}</{tag}>" for item in items) + "</ul>"


def list_records(page: webclean.CleanPage) -> list[Record]:
    """The records of all blocks of a page."""
    return [record for block in page.blocks for record in block.records]
