"""The reference engine: html5lib, pure Python, the WHATWG algorithm as of 2013. Markup in, `ParsedNodes` out.

Some parts of webclean use html5lib whatever the engine: its tree is the one that XPaths of blocks are valid in. All
that they need of it is here, so that no other file imports html5lib.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, Final
from xml.etree import ElementTree

from webclean.parse.columns import TOKEN_LISTS, Attributes
from webclean.parse.engines import Engine, walk_elements
from webclean.parse.limits import REBUILD_SLACK, Budget
from webclean.parse.tags import RAW_TEXT

NAME: Final = "html5lib"
CLOCK_ELEMENTS: Final = 1024
"""Number of elements between two checks of the time."""

_SPACES: Final = " \t\n\f\r"
_ASCII_SPACE: Final = re.compile(f"[{_SPACES}]+")
_PREFIXES: Final = {
    "{http://www.w3.org/1999/xlink}": "xlink",
    "{http://www.w3.org/XML/1998/namespace}": "xml",
    "{http://www.w3.org/2000/xmlns/}": "xmlns",
}


class _Stop(Exception):  # noqa: N818  not an error: it ends parsing where the page is cut
    """Ends parsing: a limit is reached and the page may be truncated."""


class _BoundedElements:
    """Creates elements for the tree builder and stops at a limit, also at the one of depth: html5lib is slow on deep
    trees."""

    def __init__(self, tree: Any, budget: Budget) -> None:
        self._make, self._tree, self._budget = tree.elementClass, tree, budget
        self._n_made = 0

    def __call__(self, name: str, namespace: str | None = None) -> Any:
        budget, self._n_made = self._budget, self._n_made + 1
        depth = len(self._tree.openElements)
        if depth > budget.limits.max_depth:
            budget.exceed("max_depth", depth)
            raise _Stop
        # the parser makes more elements than the page has: it rebuilds formatting elements and throws some away
        if self._n_made > budget.limits.max_elements * REBUILD_SLACK:
            budget.exceed("max_elements", self._n_made)
            raise _Stop
        # the clock is read now and then: at each element it would cost more than the element
        if self._n_made % CLOCK_ELEMENTS == 0 and budget.is_late():
            raise _Stop
        return self._make(name, namespace)


@cache
def _load_library() -> Any:
    """html5lib, imported when it is first needed: for most pages that is never."""
    import html5lib  # noqa: PLC0415

    return html5lib


def _parse_bounded(markup: str, budget: Budget) -> Any:
    """The root element, parsed within the limits."""
    html5lib = _load_library()
    parser = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    with suppress(_Stop):
        parser.tree.elementClass = _BoundedElements(parser.tree, budget)
        parser.parse(markup, scripting=True)
    return parser.tree.getDocument()


def write_tree(root: Any) -> str:
    """The markup of an lxml tree in the XHTML namespace."""
    return str(_load_library().serialize(root, tree="lxml", omit_optional_tags=False, quote_attr_values="always"))


@lru_cache(maxsize=4096)
def write_xml_name(name: str) -> str:
    """A name in the form of html5lib's lxml builder: `o:p` becomes `oU0003Ap`."""
    if name.isascii() and name.isalnum():
        return name
    from html5lib._ihatexml import nonXmlNameBMPRegexp  # noqa: PLC0415

    return str(nonXmlNameBMPRegexp.sub(lambda wrong: f"U{ord(wrong[0]):05X}", name))


def _read_attributes(found: dict[str, str]) -> dict[str, str]:
    """Attributes in the form of the default engine: namespaces as prefixes, one space between tokens."""
    attributes = {}
    for key, value in found.items():
        namespace, brace, local = key.rpartition("}")
        prefix = _PREFIXES.get(namespace + brace, "")
        # html5lib names foreign attributes by their namespace, the default engine by prefix, as they are written
        name = "xmlns" if (prefix, local) == ("xmlns", "xmlns") else f"{prefix}:{local}" if prefix else key
        attributes[name] = " ".join(_ASCII_SPACE.split(value.strip(_SPACES))) if name in TOKEN_LISTS else value
    return attributes


def _read_element(element: Any) -> tuple[str, Attributes, str | list[Any]]:
    """Name, attributes and content, as `walk_elements` asks for them."""
    name = element.tag.rpartition("}")[2]
    attrs = _read_attributes(element.attrib)
    if name in RAW_TEXT:
        if name != "template":
            return name, attrs, element.text or ""
        # html5lib does not know it: what is inside has become elements
        bare = ElementTree.Element(element.tag)
        bare.text = element.text
        bare.extend(element)
        markup = str(_load_library().serialize(bare, omit_optional_tags=False, quote_attr_values="always"))
        return name, attrs, markup.removeprefix("<template>").removesuffix("</template>")
    inside = [element.text] if element.text else []
    for child in element:
        # comments have a function for a tag
        inside += [child] if isinstance(child.tag, str) else []
        inside += [child.tail] if child.tail else []
    return name, attrs, inside


ENGINE: Final = Engine(lambda markup, budget: walk_elements(_parse_bounded(markup, budget), budget, _read_element))
