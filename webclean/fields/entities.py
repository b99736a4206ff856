"""The one thing that a page is about, after https://schema.org: a product, a recipe, an event, a job, a discussion.

Statements in JSON-LD, microdata and RDFa become objects of one form; of these the page's own is chosen, and what its
properties say is read by the paths of the rules:

    {"@type": "Product", "name": "Lamp", "offers": [{"@type": "Offer", "price": "9.50"}]}
    offers.price                                                              9.50     [json-ld offers.price]

Then meta elements (OpenGraph) and what the page shows. Every value has its source; other values are its alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from webclean.fields.candidates import fold_text
from webclean.fields.declared import rank_values
from webclean.fields.statements import PageStatements, Thing, read_names, walk_things
from webclean.model import Entity, EntityRows, FieldValue
from webclean.parse import find_attribute
from webclean.parse.snippets import read_microdata_rdfa
from webclean.parse.tags import CODE
from webclean.rules.fields_schema import Entities, EntityKind, EntityList

_VOCABULARY: Final = re.compile(r"^https?://schema\.org/")
_MAX_THINGS: Final = 2_000


class StatedThing(NamedTuple):
    """An object, and the syntax that it is stated in."""

    syntax: str
    thing: Thing


def list_stated_things(statements: PageStatements) -> list[StatedThing]:
    """The objects of all syntaxes, in the order in which they are trusted; nested ones follow the one around them."""
    found = [StatedThing("json-ld", thing) for thing in statements.things]
    document = statements.document
    # reading them takes a parse of its own, which pages without either attribute need not
    if len(find_attribute(document, "itemscope")) or len(find_attribute(document, "typeof")):
        for syntax, items in read_microdata_rdfa(document.source.markup).items():
            found += [StatedThing(syntax, thing) for item in items for thing in walk_things(item, _MAX_THINGS)]
    return found


def find_entity(
    statements: PageStatements,
    stated: Sequence[StatedThing],
    rules: Entities,
    kind: EntityKind,
    page: Mapping[str, Callable[[], FieldValue]],
    *,
    subtype: str | None,
) -> Entity | None:
    """The thing of a kind that a page is about; None where it states none, or several.

    page: field -> what gives it. subtype: of the page, which may be of one without stating it.
    """
    own = _choose_own(stated, rules, kind, page["title"]().value or "")
    if not own and subtype not in kind.page_subtypes:
        return None
    properties = {
        name: value
        for name in dict.fromkeys((*kind.properties, *kind.metas, *kind.fields))
        if (value := _read_property(statements, own, rules, kind, name, page)).value is not None
    }
    lists = {name: rows for name, each in kind.lists.items() if (rows := _read_list(own, stated, each, rules)).rows}
    # shops seldom state specifications to machines, and nearly always show them
    if "specs" in kind.lists and "specs" not in lists and (facts := _list_facts(statements, rules)):
        lists["specs"] = EntityRows(facts, "text")
    # a page that was only guessed to be of a product, and of which nothing else than its title is known, says nothing
    if not own and not lists and properties.keys() <= {"name", "description", "image", "url"}:
        return None
    types = own[0].thing.types if own else kind.types
    return Entity(next(name for name in types if name in kind.types), properties, lists)


def _choose_own(stated: Sequence[StatedThing], rules: Entities, kind: EntityKind, title: str) -> list[StatedThing]:
    """Of each syntax the object that the page is about: the only one of its name, or the one with the page's title."""
    types, others = set(kind.types), set(rules.other_roles)
    found: dict[str, dict[str, StatedThing]] = {}
    for one in stated:
        if not types.isdisjoint(one.thing.types) and one.thing.role not in others:
            name = fold_text(next(iter(one.thing.texts("name") or one.thing.texts("headline")), ""))
            # the first of a name: the page's own object stands before the offers and teasers that repeat it
            found.setdefault(one.syntax, {}).setdefault(name, one)
    shown = fold_text(title)
    # of several, the page is about none, unless it has the name of one
    certain = (by_name for by_name in found.values() if len(by_name) == 1 or shown in by_name)
    return [by_name.get(shown) or next(iter(by_name.values())) for by_name in certain]


def _read_property(
    statements: PageStatements,
    own: Sequence[StatedThing],
    rules: Entities,
    kind: EntityKind,
    name: str,
    page: Mapping[str, Callable[[], FieldValue]],
) -> FieldValue:
    found = [
        (text, f"{one.syntax} {path}")
        for one in own
        for path in kind.properties.get(name, ())
        for text in list(read_path(one.thing.values, path))[:1]
    ]
    found += statements.read_metas(kind.metas.get(name, ()))
    if not found and name in kind.fields:
        return page[kind.fields[name]]()
    # `https://schema.org/InStock` -> `InStock`
    return rank_values([(_VOCABULARY.sub("", text), source) for text, source in found], rules.confidence)


def read_path(value: Any, path: str) -> Iterator[str]:
    """The texts that a path leads to, those of all items of lists on the way."""
    name, _, rest = path.partition(".")
    for item in value if isinstance(value, list) else [value]:
        below = item.get(name) if isinstance(item, dict) else None
        if below is not None:
            yield from read_path(below, rest) if rest else _read_texts(below)


def _read_texts(value: Any) -> Iterator[str]:
    """As `read_names`; numbers too."""
    for item in value if isinstance(value, list) else [value]:
        is_number = isinstance(item, (int, float)) and not isinstance(item, bool)
        # as many digits as a decimal keeps in a float: 1250000.5 and not 1.25e+06, 9.5 and not 9.500000000000001
        yield from [f"{item:.15g}" if isinstance(item, float) else str(item)] if is_number else read_names(item)


def _read_list(
    own: Sequence[StatedThing], stated: Sequence[StatedThing], each: EntityList, rules: Entities
) -> EntityRows:
    """The rows of the first syntax that has any."""
    if each.path is None:
        of_types = [one for one in stated if not set(each.of).isdisjoint(one.thing.types)]
        given = [(one.syntax, [one.thing.values]) for one in of_types[:1]]
        given = [(syntax, [one.thing.values for one in of_types if one.syntax == syntax]) for syntax, _ in given]
    else:
        values: list[tuple[str, Any]] = [(f"{one.syntax} {each.path}", one.thing.values.get(each.path)) for one in own]
        given = [(source, value if isinstance(value, list) else [value]) for source, value in values]
    for source, items in given:
        rows = [_read_row(item, each) for item in items[: rules.max_rows] if item is not None]
        if found := tuple(row for row in rows if row):
            return EntityRows(found, source)
    return EntityRows()


def _read_row(item: Any, each: EntityList) -> dict[str, str]:
    if not isinstance(item, dict):
        text = next(_read_texts(item), "")
        return {next(iter(each.columns)): text} if text else {}
    row = {}
    for name, paths in each.columns.items():
        for path in paths:
            texts = list(read_path(item, path))
            if texts:
                row[name] = "\n".join(texts)
                break
    return row


def _list_facts(statements: PageStatements, rules: Entities) -> tuple[dict[str, str], ...]:
    """The specifications that a page shows: rows of two cells, and terms with one definition each."""
    document, found = statements.document, dict[str, str]()
    rows, tag = range(len(document.names)), document.tag
    for row in rows:
        cells: list[int] = []
        if tag[row] == CODE["tr"]:
            cells = _list_children(document, row, ("td", "th"))
        # one definition right behind its term: a term with several is a glossary
        elif tag[row] == CODE["dt"] and (after := int(document.end[row])) in rows and tag[after] == CODE["dd"]:
            cells = [row, after]
        if len(cells) == 2 and all(map(statements.shows_text, cells)):
            name, value = (statements.read_text(cell) for cell in cells)
            if name and value and len(name) <= rules.fact_chars and len(found) < rules.max_rows:
                found.setdefault(name.rstrip(": "), value)
    # one or two rows of two cells are a layout
    if len(found) < rules.fact_rows:
        return ()
    return tuple({"name": name, "value": value} for name, value in found.items())


def _list_children(document: Any, row: int, names: Iterable[str]) -> list[int]:
    wanted, found, at = {CODE[name] for name in names}, [], row + 1
    while at < document.end[row]:
        if document.tag[at] in wanted:
            found.append(at)
        at = int(document.end[at])
    return found
