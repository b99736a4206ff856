"""Columns -> the platforms that the page was made with: what it says of itself in class names, addresses of scripts
and meta elements (rules, `platforms/`). Its host is never asked.

All signs of all platforms are looked for at once: names among the classes, ids and custom elements of the page, the
others in one scan of the addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from webclean import core
from webclean.features import PageColumns
from webclean.model import FoundPlatform
from webclean.parse import read_attribute
from webclean.parse.columns import find_attribute, list_classes, list_undefined, list_words, read_attributes
from webclean.rules.page_schema import Platform
from webclean.rules.rule_schema import cached_per_rule_set

_VERSION: Final = re.compile(r"\b[vVX]?(\d[\w.-]*)")
"""`3.8.4`, `v4.4.1`, `X3.4` of what a generator says after the name; not digits within a word (a commit, a logo)."""
_LEAST_LIKELY: Final = 2
"""Signs that others may have too: one proves nothing, two of one platform by chance are rare."""
_GENERATOR: Final = "generator"


class Sign(msgspec.Struct, frozen=True):
    """A sign of a platform. file: of the platform. kind: a field of `Signs`. is_sure: it is enough alone."""

    file: str
    kind: str
    text: str
    is_sure: bool


class _SignTable(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The signs of all platforms, by how they are looked for.

    names: class, id or tag -> its signs. generators: how the generator begins, in lower case, and the sign that it is.
    literals: finds the texts of the others, `in_attributes`, and the name of the generator, by their numbers.
    """

    names: Mapping[str, list[Sign]]
    generators: list[tuple[str, Sign]]
    in_attributes: list[Sign]
    literals: Any


def find_platforms(columns: PageColumns, platforms: Mapping[str, Platform]) -> tuple[FoundPlatform, ...]:
    """The platforms of a page, each after those that it runs on. platforms: name of the file -> what it says."""
    if not platforms:
        return ()
    table = _compile_signs(platforms)
    found: dict[str, dict[Sign, str]] = {}
    for sign, version in (*_find_names(columns, table), *_find_metas(columns, table), *_find_addresses(columns, table)):
        signs = found.setdefault(sign.file, {})
        # the first that states a version
        signs[sign] = signs.get(sign) or version
    if not found:
        return ()
    known = {
        file: signs
        for file, signs in found.items()
        if len(signs) >= _LEAST_LIKELY or any(sign.is_sure for sign in signs)
    }
    # where the generator names one, those go that addresses alone tell: a blog that sells through a button of a shop,
    # or takes a script from the site of its owner; what runs on the same as the named one stays
    named = [file for file, signs in known.items() if any(sign.kind == _GENERATOR for sign in signs)]
    family = {file: {file, *platforms[file].runs_on} for file in known}
    of_named = set().union(*(family[file] for file in named))
    left, placed = sorted(known), []
    if named:
        left = [file for file in left if family[file] & of_named or any(sign.kind != "path" for sign in known[file])]
    while left:
        # of two that each run on the other, the first
        ready = next((file for file in left if set(left).isdisjoint(platforms[file].runs_on)), left[0])
        left.remove(ready)
        version = next(filter(None, known[ready].values()), "")
        evidence = tuple(sorted(f"{sign.kind}: {sign.text}" for sign in known[ready]))
        placed.append(FoundPlatform(ready, platforms[ready].name, version, evidence))
    return tuple(placed)


@cached_per_rule_set
def _compile_signs(platforms: Mapping[str, Platform]) -> _SignTable:
    signs = [
        Sign(file, kind, text, of is platform.surely)
        for file, platform in platforms.items()
        for of in (platform.surely, platform.likely)
        for kind in of.__struct_fields__
        for text in getattr(of, kind)
    ]
    names: dict[str, list[Sign]] = {}
    for sign in signs:
        if sign.kind == "name":
            names.setdefault(sign.text, []).append(sign)
    in_attributes = [sign for sign in signs if sign.kind in ("path", "meta")]
    texts = [sign.text.casefold() for sign in in_attributes] + [_GENERATOR]
    return _SignTable(
        names,
        [(sign.text.lower(), sign) for sign in signs if sign.kind == _GENERATOR],
        in_attributes,
        core.LiteralSet(texts, list(range(len(texts))), [False] * len(texts)),
    )


def _find_names(columns: PageColumns, table: _SignTable) -> Iterator[tuple[Sign, str]]:
    document, known = columns.document, table.names.keys()
    of_page = (list_classes(document), list_words(document, "id"), list_undefined(document).keys())
    for name in {name for words in of_page for name in known & words}:
        yield from ((sign, "") for sign in table.names[name])


def _find_metas(columns: PageColumns, table: _SignTable) -> Iterator[tuple[Sign, str]]:
    document = columns.document
    for row, number in table.literals.find_rows(document.attrs.found, "name"):
        name = (read_attribute(document, row, "name") or "").lower()
        if document.names[row] != "meta":
            continue
        if name == _GENERATOR:
            content = (read_attribute(document, row, "content") or "").strip()
            for start, sign in table.generators:
                if content.lower().startswith(start):
                    version = _VERSION.search(content, len(sign.text))
                    yield sign, version[1] if version else ""
        elif number < len(table.in_attributes):
            sign = table.in_attributes[number]
            if sign.kind == "meta" and sign.text.lower() == name:
                yield sign, ""


def _find_addresses(columns: PageColumns, table: _SignTable) -> Iterator[tuple[Sign, str]]:
    document = columns.document
    # links of a page lead anywhere: what it is made of stands in `src`, and in the `href` of `link` elements
    linked = [row for row in find_attribute(document, "rel") if document.names[row] == "link"]
    n_path = len(table.in_attributes)
    found = table.literals.find_rows(document.attrs.found, "src")
    numbers = {number for _, number in found}
    of_page = {number for row, number in found if document.names[row] != "img"}
    for place, number in table.literals.find(read_attributes(document, linked, "href")):
        numbers.add(number)
        # a page has dozens of addresses with the same sign
        if number not in of_page:
            # no icon, and no image that is fetched ahead
            is_image = (read_attribute(document, linked[place], "as") or "").lower() == "image"
            if not is_image and "icon" not in (read_attribute(document, linked[place], "rel") or "").lower():
                of_page.add(number)
    for number in numbers:
        if number < n_path and table.in_attributes[number].kind == "path":
            sign = table.in_attributes[number]
            # pages show images of other sites, and with them their addresses
            yield (sign if number in of_page else msgspec.structs.replace(sign, is_sure=False)), ""
