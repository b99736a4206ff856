"""CSS selectors and XPath over a document: a selector in; rows, strings or URLs out.

Plain selectors of CSS are answered by the columns (`matching.css`). lxml evaluates the others, for which the document
is converted to an lxml tree: once a page, when the first of them is evaluated. Selectors are compiled when rules are
read; those that could take more than O(elements x depth) time are rejected then (`compile_selector`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cssselect
import numpy as np
from lxml import etree

from webclean.caching import cached_per_page
from webclean.errors import RuleError
from webclean.matching.css import read_attribute_path, select_by_columns
from webclean.model import Document, Rows
from webclean.parse import read_attribute
from webclean.parse.columns import find_texts

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
        path = cssselect.HTMLTranslator().css_to_xpath(selector)
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


@dataclass(frozen=True, slots=True, eq=False)
class SelectorTree:
    """A document as lxml elements, one for each row.

    row_of: element -> its row.
    """

    elements: list[Any]
    row_of: dict[Any, int]


def select_rows(document: Document, selector: str) -> Rows:
    """int64 [n]: rows of the matching elements, in document order."""
    answers = _keep_answers(document)
    # several rules of a site ask for the same elements
    known = answers.get(selector)
    if known is None:
        known = answers[selector] = _select_rows(document, selector)
    return known


@cached_per_page
def _keep_answers(_: Document) -> dict[str, Rows]:
    """Selector -> its rows, of one page."""
    return {}


def _select_rows(document: Document, selector: str) -> Rows:
    plain = select_by_columns(document, selector)
    if plain is not None:
        return plain
    tree = grow_tree(document)
    found = _evaluate(tree, selector)
    rows = {tree.row_of[item] for item in found if not isinstance(item, str)} if isinstance(found, list) else ()
    return np.array(sorted(rows), dtype=np.int64)


def select_strings(document: Document, selector: str) -> list[str]:
    """Text of matching elements, values of matching attributes, or the one string an XPath computes."""
    if path := read_attribute_path(selector):
        rows = select_rows(document, path[0])
        values = (read_attribute(document, row, path[1]) for row in rows.tolist())
        return [" ".join(value.split()) for value in values if value is not None]
    plain = select_by_columns(document, selector)
    if plain is not None:
        return [_join_text(document, row) for row in plain.tolist()]
    found = _evaluate(grow_tree(document), selector)
    if not isinstance(found, list):
        return [str(found)]
    texts = (item if isinstance(item, str) else "".join(item.itertext()) for item in found)
    return [" ".join(text.split()) for text in texts]


def _join_text(document: Document, row: int) -> str:
    """The text of an element, white space normalised."""
    # text behind the element, before the next one begins, is its parent's
    within = [node for node in find_texts(document, row, document.end.item(row)) if document.text_owner[node] >= row]
    return " ".join("".join([document.text[node] for node in within]).split())


def select_urls(document: Document, selector: str) -> list[str]:
    """The `href` of matching elements, values of matching attributes, or the one string an XPath computes."""
    rows = select_by_columns(document, selector)
    if rows is not None:
        return [(read_attribute(document, row, "href") or "").strip() for row in rows.tolist()]
    found = _evaluate(grow_tree(document), selector)
    # `concat(...)` computes one string
    items = found if isinstance(found, list) else [str(found)]
    return [(item if isinstance(item, str) else item.get("href") or "").strip() for item in items]


def _evaluate(tree: SelectorTree, selector: str) -> Any:
    """The value of the selector: a list of elements and strings, or one string, number or truth value."""
    compiled = compile_selector(selector)
    return compiled(tree.elements[0]) if tree.elements else []


@cached_per_page
def grow_tree(document: Document) -> SelectorTree:
    """The lxml tree of a document, built when the first selector is evaluated; for most pages that is never."""
    elements = build_lxml_tree(document)
    return SelectorTree(elements, {element: row for row, element in enumerate(elements)})


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
    _place_text(document, elements)
    return elements


def _place_text(document: Document, elements: list[Any]) -> None:
    parent = document.parent
    for text, owner, after in zip(
        document.text, document.text_owner.tolist(), document.text_next.tolist(), strict=True
    ):
        clean = _CONTROL.sub(" ", text)
        before = after - 1
        # the last element that starts before the text may be deep inside a sibling; the tail is that sibling's
        while before > owner and parent[before] != owner:
            before = int(parent[before])
        element = elements[before]
        if before == owner:
            element.text = (element.text or "") + clean
        else:
            element.tail = (element.tail or "") + clean
