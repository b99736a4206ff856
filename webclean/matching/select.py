"""Selectors of rules (CSS, XPath 1.0) -> rows of a document, or texts and addresses.

CSS selectors that need no more than tags, classes, ids, attributes and what they stand in (`.post .body > p`,
`a[rel=author]`, `#main, #content`) are answered by the columns of the document: it costs a look at the attributes,
where the tree that lxml evaluates selectors on costs as much as a third of cleaning the page. cssselect parses them;
a selector with anything else (`:not()`, `+`, namespaces) and XPaths are left to lxml, for which a tree with one element
for each row is built, once a page. A selector may end by the attribute that is read, as those of Scrapy do:
`.meta time::attr(datetime)`.

Selectors are compiled when rules are read; those that could take more than O(elements x depth) time are rejected
then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import cssselect
import numpy as np
from cssselect.parser import Attrib, Class, CombinedSelector, Element, Hash
from lxml import etree

from webclean.caching import cached_per_page
from webclean.errors import RuleError
from webclean.model import Document, Rows
from webclean.parse.columns import find_attribute, find_texts, list_classes, list_holding, read_attribute

# far more than people write; each step of a selector costs a walk over the page
MAX_SELECTOR_CHARS: Final = 1000
MAX_DESCENDANT_STEPS: Final = 8

# lxml takes no other names, and pages have tags such as `<a"b>`
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_.-]")
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
# steps that start from the whole page, wherever they stand; `.//` stays below the element
_UNBOUNDED: Final = re.compile(r"(?<!\.)//|\b(?:preceding|following)\s*::")
_CALL: Final = re.compile(r"([\w-]+)\s*\(")
_FUNCTIONS: Final = frozenset(
    "last position count local-name namespace-uri name string concat starts-with contains substring-before "  # noqa: SIM905
    "substring-after substring string-length normalize-space translate boolean not true false lang number sum floor "
    "ceiling round text node comment processing-instruction and or div mod".split()
)
"""What may precede a bracket in XPath 1.0: its functions (without `id`), node tests and operators."""
_ATTRIBUTE: Final = re.compile(r"::attr\(([\w:-]+)\)\Z")
# how an XPath begins and no selector of CSS does
_XPATH: Final = re.compile(r"\s*(?:\.?/|\(+\s*\.?/|(?:count|string|normalize-space|concat|substring\S*)\()")


def compile_selector(selector: str) -> etree.XPath:
    """Compile a CSS selector, or an XPath (anything that starts with `/`, `./` or `(/`). Raises `RuleError`."""
    return _compile(selector.strip())


@lru_cache(maxsize=4096)
def _compile(selector: str) -> etree.XPath:
    # rules may come from users of a server: time must not grow with what they write
    if len(selector) > MAX_SELECTOR_CHARS:
        raise RuleError(f"a selector has at most {MAX_SELECTOR_CHARS} characters, this one {len(selector)}")
    try:
        if _XPATH.match(selector):
            _check_cost(selector)
            return etree.XPath(selector, smart_strings=False)
        # names of elements and attributes in either case, as HTML has them
        path = cssselect.HTMLTranslator().css_to_xpath(_ATTRIBUTE.sub("", selector))
        return etree.XPath(path, smart_strings=False)
    except cssselect.SelectorError as error:
        raise RuleError(f"not a CSS selector: {selector!r} ({error})") from error
    except etree.XPathError as error:
        raise RuleError(f"not an XPath: {selector!r} ({error})") from error


def _check_cost(xpath: str) -> None:
    """Raise `RuleError` for an XPath that would search the whole page again for every element."""
    # `//` inside a string is text
    bare = _QUOTED.sub("''", xpath)
    if bare.count("//") + bare.count("descendant") > MAX_DESCENDANT_STEPS:
        raise RuleError(f"an XPath has at most {MAX_DESCENDANT_STEPS} descendant steps: {xpath!r}")
    unknown = [name for name in _CALL.findall(bare) if name not in _FUNCTIONS]
    if unknown:
        raise RuleError(f"not a function of XPath 1.0: {unknown[0]!r} in {xpath!r}")
    depth, inside = 0, []
    for char in bare:
        # a search of the whole page inside a predicate runs once for each element: the square of the page
        depth += (char == "[") - (char == "]")
        inside.append(char if depth > 0 else " ")
    if _UNBOUNDED.search("".join(inside)):
        raise RuleError(f"an XPath may not search the whole page inside a predicate (use .//): {xpath!r}")


def select_rows(document: Document, selector: str) -> Rows:
    """int64 [n]: rows of the matching elements, in document order."""
    answers = _keep_answers(document)
    # several rules of a site ask for the same elements
    known = answers.get(selector)
    if known is None:
        known = select_by_columns(document, selector)
        if known is None:
            tree, found = grow_tree(document), _evaluate(document, selector)
            rows = {tree[item] for item in found if not isinstance(item, str)} if isinstance(found, list) else ()
            known = np.array(sorted(rows), dtype=np.int64)
        answers[selector] = known
    return known


@cached_per_page
def _keep_answers(_: Document) -> dict[str, Rows]:
    # one that makes the answers of its document would hold it, and both would wait for the garbage collector
    return {}


def select_all(document: Document, selectors: Iterable[str]) -> Rows:
    """int64 [n]: rows of the elements that any of some selectors matches, in document order."""
    found = [select_rows(document, selector) for selector in selectors]
    return np.unique(np.concatenate(found)) if found else _NOTHING


def select_strings(document: Document, selector: str) -> list[str]:
    """Text of matching elements, values of matching attributes, or the one string an XPath computes."""
    if attribute := _ATTRIBUTE.search(selector):
        rows = select_rows(document, selector[: attribute.start()])
        values = (read_attribute(document, row, attribute[1]) for row in rows.tolist())
        return [" ".join(value.split()) for value in values if value is not None]
    plain = select_by_columns(document, selector)
    if plain is not None:
        # text behind an element, before the next one begins, is its parent's
        nodes = [
            [at for at in find_texts(document, row, document.end.item(row)) if document.text_owner[at] >= row]
            for row in plain.tolist()
        ]
        return [" ".join("".join([document.text[at] for at in own]).split()) for own in nodes]
    found = _evaluate(document, selector)
    if not isinstance(found, list):
        return [str(found)]
    texts = (item if isinstance(item, str) else "".join(item.itertext()) for item in found)
    return [" ".join(text.split()) for text in texts]


def select_urls(document: Document, selector: str) -> list[str]:
    """The `href` of matching elements, values of matching attributes, or the one string an XPath computes."""
    if _ATTRIBUTE.search(selector):
        return select_strings(document, selector)
    rows = select_by_columns(document, selector)
    if rows is not None:
        return [(read_attribute(document, row, "href") or "").strip() for row in rows.tolist()]
    found = _evaluate(document, selector)
    # `concat(...)` computes one string
    items = found if isinstance(found, list) else [str(found)]
    return [(item if isinstance(item, str) else item.get("href") or "").strip() for item in items]


def _evaluate(document: Document, selector: str) -> Any:
    """The value of the selector: a list of elements and strings, or one string, number or truth value."""
    compiled, root = compile_selector(selector), next(iter(grow_tree(document)), None)
    return [] if root is None else compiled(root)


@cached_per_page
def grow_tree(document: Document) -> dict[Any, int]:
    """Each element of the lxml tree of a document, the root first, and its row; built when the first selector is
    evaluated, which for most pages is never."""
    return {element: row for row, element in enumerate(build_lxml_tree(document))}


def build_lxml_tree(document: Document) -> list[Any]:
    """The lxml element of each row. Names and characters that XML cannot hold are replaced by `_` and a space."""
    elements: list[Any] = []
    for row, (name, above) in enumerate(zip(document.names, document.parent.tolist(), strict=True)):
        tag = name if _NAME.match(name) else _NO_NAME.sub("_", f"_{name}")
        element = etree.Element(tag) if above < 0 else etree.SubElement(elements[above], tag)
        for key in document.attrs[row]:
            if _NAME.match(key):
                element.set(key, _CONTROL.sub(" ", read_attribute(document, row, key) or ""))
        elements.append(element)
    parent, places = document.parent, zip(document.text_owner.tolist(), document.text_next.tolist(), strict=True)
    for text, (owner, after) in zip(document.text, places, strict=True):
        clean, before = _CONTROL.sub(" ", text), after - 1
        # the last element that starts before the text may be deep inside a sibling; the tail is that sibling's
        while before > owner and parent[before] != owner:
            before = int(parent[before])
        element = elements[before]
        if before == owner:
            element.text = (element.text or "") + clean
        else:
            element.tail = (element.tail or "") + clean
    return elements


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
    has, trees, subjects = list_classes(document).__contains__, parsed.trees, parsed.subjects
    # most selectors of rules name a class that the page has nowhere
    if subjects and not any(map(has, subjects)):
        return _NOTHING
    found = [_find_rows(document, tree) for tree, classes in trees if all(map(has, classes))]
    if not found:
        return _NOTHING
    # a row that two of the selectors match stands once
    return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


class _Parsed(NamedTuple):
    """trees: of the selectors of a list, with the classes that each needs, that of the element itself last. subjects:
    these last ones, of which a match has one; none where a selector needs no class."""

    trees: tuple[tuple[Any, tuple[str, ...]], ...]
    subjects: frozenset[str]


@lru_cache(maxsize=4096)
def _parse(selector: str) -> _Parsed | None:
    """What a list of selectors asks for; None if it cannot be answered by columns."""
    try:
        parsed = cssselect.parse(selector)
    except cssselect.SelectorError:
        return None
    trees = tuple(one.parsed_tree for one in parsed)
    plain = all(one.pseudo_element is None for one in parsed) and all(map(_is_plain, trees))
    if not plain:
        return None
    needed = [tuple(_list_needed(tree)) for tree in trees]
    subjects = frozenset(classes[-1] for classes in needed if classes) if all(needed) else frozenset()
    return _Parsed(tuple(zip(trees, needed, strict=True)), subjects)


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
        below, above = _find_rows(document, tree.subselector), _find_rows(document, tree.selector)
        if tree.combinator == ">":
            return below[np.isin(document.parent[below], above)]
        # how far the subtrees that begin before a row reach
        reach = np.concatenate(([0], np.maximum.accumulate(document.end[above]))) if len(above) else np.zeros(1)
        return below[reach[np.searchsorted(above, below, side="left")] > below]
    if isinstance(tree, Element):
        name = tree.element and tree.element.lower()
        return np.array([row for row, tag in enumerate(document.names) if name in (None, tag)], dtype=np.int64)
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
