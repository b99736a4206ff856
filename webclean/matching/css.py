"""CSS selectors over the columns of a document, for those that need no more than tags, classes, ids, attributes and
what they stand in: `.post .body > p`, `a[rel=author]`, `#main, #content`.

Most selectors of rules are of this kind, and answered here they cost a look at the attributes, where the tree that lxml
evaluates selectors on costs as much as a third of cleaning the page. cssselect parses them; a selector with anything
else (`:not()`, `+`, namespaces) is left to lxml (`matching.select`). An XPath that asks the same of elements and then
for an attribute, as rules do for dates (`//p[@class="meta"]//time/@datetime`), is read as the selector that it stands
for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from functools import lru_cache
from typing import Any, Final

import cssselect
import numpy as np
from cssselect.parser import Attrib, Class, CombinedSelector, Element, Hash

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask, Rows
from webclean.parse.columns import find_attribute, list_holding, list_words, read_attribute

_HOLDS: Final[dict[str, Callable[[str, str], bool]]] = {
    "=": str.__eq__,
    "~=": lambda value, part: part in value.split(),
    "^=": str.startswith,
    "$=": str.endswith,
    "*=": str.__contains__,
}
"""Operators of attributes -> whether a value has the part, which is not empty."""
_NOTHING: Final = np.empty(0, dtype=np.int64)
_ESCAPED: Final = frozenset('&<>"')
"""Characters that the serialised page, of which attributes are slices, writes otherwise."""


def select_by_columns(document: Document, selector: str) -> Rows | None:
    """int64 [n]: rows of the matching elements, in document order; None if the selector asks for more than columns
    tell."""
    parsed = _parse(selector)
    if parsed is None:
        return None
    present = _list_classes(document)
    # most selectors of rules name a class that the page has nowhere
    found = [_find_rows(document, tree) for tree, classes in parsed if all(name in present for name in classes)]
    if not found:
        return _NOTHING
    # a row that two of the selectors match stands once
    return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


_STEP: Final = re.compile(
    r"""(?P<axis>//?)(?P<tag>\*|[a-z][a-z0-9]*)
    (?:\[(?P<function>contains\(|starts-with\()?\s*@(?P<name>[a-z-]+)\s*[=,]\s*(?P<value>"[^"\\]+"|'[^'\\]+')\s*\)?\])?""",
    re.VERBOSE,
)
_OPERATORS: Final = {None: "=", "contains(": "*=", "starts-with(": "^="}


@lru_cache(maxsize=4096)
def read_attribute_path(xpath: str) -> tuple[str, str] | None:
    """An XPath of an attribute of elements that a plain selector tells: the selector, the attribute.

    >>> read_attribute_path('//*[contains(@class, "meta")]//time/@datetime')
    ('*[class*="meta"] time', 'datetime')
    """
    path, _, attribute = xpath.strip().rpartition("/@")
    steps = list(_STEP.finditer(path))
    if not re.fullmatch(r"[a-z-]+", attribute) or not steps or "".join(step[0] for step in steps) != path:
        return None
    if steps[0]["axis"] != "//":  # `/a` is the root alone
        return None
    parts = [
        f"{' > ' if step['axis'] == '/' else ' '}{step['tag']}"
        + (f"[{step['name']}{_OPERATORS[step['function']]}{step['value']}]" if step["name"] else "")
        for step in steps
    ]
    return "".join(parts).strip(), attribute


@lru_cache(maxsize=4096)
def _parse(selector: str) -> tuple[tuple[Any, frozenset[str]], ...] | None:
    """The trees of a list of selectors and the classes that each needs; None if it cannot be answered by columns."""
    try:
        parsed = cssselect.parse(selector)
    except cssselect.SelectorError:
        return None
    trees = tuple(one.parsed_tree for one in parsed)
    plain = all(one.pseudo_element is None for one in parsed) and all(map(_is_plain, trees))
    return tuple((tree, frozenset(_list_needed(tree))) for tree in trees) if plain else None


def may_select(document: Document, selectors: tuple[str, ...]) -> bool:
    """Whether some of the selectors may match: not where each needs a class, and the page has none of these."""
    needed = _compile_needed(selectors)
    return needed is None or bool(needed.find_rows(document.attrs.found, "class"))


@lru_cache(maxsize=1024)
def _compile_needed(selectors: tuple[str, ...]) -> Any:
    """`core.LiteralSet` that finds the values of `class` with what some selectors need; None if one needs no class."""
    trees = [classes for selector in selectors for _, classes in _parse(selector) or ((None, frozenset[str]()),)]
    names = [min(classes).casefold() for classes in trees if classes]
    # escaped in the markup, of which attributes are slices
    if len(names) < len(trees) or any(not name.isascii() or not _ESCAPED.isdisjoint(name) for name in names):
        return None
    return core.LiteralSet(names, [0] * len(names), [False] * len(names))


def _list_needed(tree: Any) -> Iterator[str]:
    """The classes in a selector."""
    if isinstance(tree, Class):
        yield tree.class_name
    for part in ("selector", "subselector"):
        if hasattr(tree, part):
            yield from _list_needed(getattr(tree, part))


def _is_plain(tree: Any) -> bool:
    if isinstance(tree, Element):
        return tree.namespace is None
    if isinstance(tree, Class | Hash):
        return _is_plain(tree.selector)
    if isinstance(tree, Attrib):
        known = tree.operator == "exists" or (tree.operator in _HOLDS and bool(tree.value and tree.value.value))
        return known and tree.namespace is None and _is_plain(tree.selector)
    if isinstance(tree, CombinedSelector):
        return tree.combinator in " >" and _is_plain(tree.selector) and _is_plain(tree.subselector)
    return False


def _find_rows(document: Document, tree: Any) -> Rows:
    """int64 [n]: rows that a plain selector matches, rising."""
    if isinstance(tree, CombinedSelector):
        below = _find_rows(document, tree.subselector)
        return below[_are_inside(document, below, _find_rows(document, tree.selector), tree.combinator)]
    if isinstance(tree, Element):
        return _find_tag(document, tree.element)
    found = _find_attribute(document, tree)
    inner = tree.selector
    # `.post` is `*.post`: nothing more is asked
    if isinstance(inner, Element) and not inner.element:
        return found
    # a tag is asked of the few rows that have the attribute
    if isinstance(inner, Element) and inner.element:
        name = inner.element.lower()
        return found[[document.names[row] == name for row in found.tolist()]] if len(found) else found
    return np.intersect1d(found, _find_rows(document, inner), assume_unique=True)


def _find_tag(document: Document, name: str | None) -> Rows:
    if name is None:
        return np.arange(len(document))
    wanted = name.lower()
    return np.array([row for row, tag in enumerate(document.names) if tag == wanted], dtype=np.int64)


def _find_attribute(document: Document, tree: Any) -> Rows:
    """Rows with the class, id or attribute that the outermost part of a selector asks for."""
    if isinstance(tree, Class):
        name, part, holds = "class", tree.class_name, _HOLDS["~="]
    elif isinstance(tree, Hash):
        name, part, holds = "id", tree.id, _HOLDS["="]
    elif tree.operator == "exists":
        return np.array(find_attribute(document, tree.attrib.lower()), dtype=np.int64)
    else:
        name, part, holds = tree.attrib.lower(), tree.value.value, _HOLDS[tree.operator]
    if part.isascii() and _ESCAPED.isdisjoint(part):
        pairs = list_holding(document, name, part.lower())
    else:
        pairs = [(row, read_attribute(document, row, name) or "") for row in find_attribute(document, name)]
    return np.array([row for row, value in pairs if holds(value, part)], dtype=np.int64)


@cached_per_page
def _list_classes(document: Document) -> Container[str]:
    """All classes of a page: most that rules ask for are not among them."""
    return list_words(document, "class")


def _are_inside(document: Document, rows: Rows, above: Rows, combinator: str) -> Mask:
    """bool [n]: whether each row is below one of the rows `above` (` `) or a child of one (`>`)."""
    if combinator == ">":
        return np.isin(document.parent[rows], above)
    before = np.searchsorted(above, rows, side="left")
    # how far the subtrees that begin before a row reach
    reach = np.concatenate(([0], np.maximum.accumulate(document.end[above]))) if len(above) else np.zeros(1)
    return np.asarray(reach[before] > rows)
