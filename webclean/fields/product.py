"""What a page states of the one product that it is of: the objects of its JSON-LD below that product."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from webclean.fields.json_ld import Thing
from webclean.fields.statements import PageStatements
from webclean.parse import read_attribute
from webclean.parse.controls import clean_line
from webclean.rules.fields_schema import PriceRules

_MAX_PROPERTIES: Final = 20


def list_product_parts(statements: PageStatements, rules: PriceRules) -> list[Thing]:
    """The objects within the product that the page is of, such as offers; none where the page is of several."""
    names: set[str] = set()
    found: list[Thing] = []
    around: list[tuple[int, bool]] = []  # depth of each product around a thing, and whether it is the page's own
    for thing in statements.things:
        while around and around[-1][0] >= thing.depth:
            around.pop()
        if not set(rules.product_types).isdisjoint(thing.types):
            is_own = thing.role not in rules.other_roles and all(own for _, own in around)
            around.append((thing.depth, is_own))
            if is_own and thing.role not in rules.part_roles:
                names.update(thing.texts("name")[:1])
        elif around and around[-1][1]:
            found.append(thing)
    return found if len(names) <= 1 else []


def list_texts_below(statements: PageStatements, title_row: int, n_blocks: int, n_chars: int) -> Iterator[str]:
    """The short texts among the first ones below the title. title_row: the row that shows it, or -1."""
    first = int(statements.block_position.searchsorted(max(0, title_row), side="right"))
    texts = statements.columns.blocks.text[first : first + n_blocks]
    return (text for text in texts if len(text) <= n_chars)


def read_property(statements: PageStatements, name: str) -> list[str]:
    """The values of a property of microdata (lower case), those of its first elements."""
    rows = statements.properties.get(name, [])[:_MAX_PROPERTIES]
    document = statements.document
    return [
        clean_line(read_attribute(document, row, "content"))
        or clean_line(read_attribute(document, row, "href"))
        or statements.read_text(row)
        for row in rows
    ]
