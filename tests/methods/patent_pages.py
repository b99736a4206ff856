"""Pages for the steps of the patent, and their elements by id."""

from typing import Any

from msgspec.structs import replace

from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns
from webclean.methods.patent.blocks import StructuredPage
from webclean.parse import parse_page
from webclean.rules import load_rules

RULES = load_rules()


def make_page(html: str, **changes: Any) -> StructuredPage:
    """changes: of the settings in `methods.patent.blocks`, or of `methods.patent` itself."""
    document = parse_page(html)
    patent = RULES.methods.patent
    own = {name: value for name, value in changes.items() if name in patent.__struct_fields__}
    blocks = replace(patent.blocks, **{name: value for name, value in changes.items() if name not in own})
    methods = replace(RULES.methods, patent=replace(patent, **({"blocks": blocks} | own)))
    return StructuredPage(PageColumns(document, find_text_blocks(document)), replace(RULES, methods=methods))


def row_of(page: StructuredPage, name: str) -> int:
    return next(row for row, attrs in enumerate(page.document.attrs) if attrs.get("id") == name)


def name_rows(page: StructuredPage, rows: Any) -> list[str]:
    """The ids of elements, or their tags where they have none."""
    return [str(page.document.attrs[row].get("id") or page.document.names[row]) for row in rows]
