"""Row -> lxml XPath, valid in the html5lib tree of the same bytes (namespaces off).

The tree is that of `html5lib.parse(data, treebuilder="lxml", namespaceHTMLElements=False)`. Its lxml builder replaces
characters that XML does not allow in names by their code, and keeps the namespace of SVG and MathML. After a
`noscript` whose tags are not whole, it is the tree with scripting on, in which `noscript` holds text.

Markup of an XML serialiser (`<i/>`) is parsed as it was meant (`parse/prepare.py`), which is another tree than
html5lib's: all that follows `<div/>` stands in it there. The paths are html5lib's all the same: each element is paired
with that of the same start tag in the tree of the bytes as they came.

And row -> tag path, which is the same on all pages of a site. A step of it is a tag with its classes. Positions among
siblings are left out, so entries of a list share a path. Classes of `html` and `body` are left out too: they name the
page (`postid-4711`) and not a place in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Final

from webclean.caching import cached_per_page
from webclean.model import Document, Rows
from webclean.parse.columns import climb, find_attribute, list_values, read_attribute
from webclean.parse.engines.html5 import write_xml_name
from webclean.parse.limits import spend_output
from webclean.parse.prepare import find_empty_tags, number_tags
from webclean.parse.snippets import list_outermost

_HEAD_NOSCRIPT: Final = frozenset(("basefont", "bgsound", "link", "meta", "noframes", "style"))
_MARK: Final = "wbr"
_NUMBER: Final = "data-webclean-number"
_ALWAYS: Final = frozenset(("html", "head", "body"))
"""Elements of every page, whether it has their tags or not."""
_FOREIGN: Final = frozenset(("svg", "math"))


def build_xpath(document: Document, row: int) -> str:
    """Absolute XPath with a position at every step, for example `/html/body[1]/div[2]/p[1]`, in the tree of the
    document itself, in which rules search: of markup of an XML serialiser, the one with its elements closed."""
    return document.anchor or _build(document, (row,))[0]


def build_xpaths(document: Document, rows: Iterable[int]) -> list[str]:
    """The XPath of each row. If the document has an `anchor`, all rows have that XPath.

    Paths over the limit of output are '' (or an error); only those of deep elements and of long names can be.
    """
    if document.anchor:
        return [document.anchor for _ in rows]
    read = _read_as_html(document)
    return _build(document, rows) if read is None else _build(read[0], [read[1][row] for row in rows])


@cached_per_page
def _read_as_html(document: Document) -> tuple[Document, list[int]] | None:
    """The tree that html5lib has of the bytes, and for each row of the document the row of its element there; None
    where that is the document's own."""
    from webclean.parse import parse_part  # noqa: PLC0415  it needs the names of this module's callers

    source = document.source
    if source.part or source.kind != "html" or not find_empty_tags(source.markup):
        return None
    meant, read = (parse_part(markup, document) for markup in number_tags(source.markup, _NUMBER))
    if meant.names != document.names:
        return None  # cut at a limit, which the numbers let it reach earlier
    place = {number: row for row, number in reversed(list(_list_numbers(read)))}
    number_of = dict(_list_numbers(meant))
    row_of: list[int] = []
    for row, (name, above) in enumerate(zip(meant.names, meant.parent.tolist(), strict=True)):
        implied = row_of[above] if above >= 0 else 0  # an element without a number: where its parent is
        # these have a place in either tree, with or without a tag
        if name in _ALWAYS and name in read.names:
            implied = read.names.index(name)
        row_of.append(place.get(number_of.get(row, ""), implied))
    return read, row_of


def _list_numbers(document: Document) -> Iterator[tuple[int, str]]:
    return zip(find_attribute(document, _NUMBER), list_values(document, _NUMBER), strict=True)


def _build(document: Document, rows: Iterable[int]) -> list[str]:
    steps = _find_steps(document)
    found = []
    for row in rows:
        chain = [steps.get(at) or _add_steps(document, steps, at) for at in climb(document, int(row))]
        chain.append("")
        n_chars = sum(map(len, chain)) + len(chain)
        # paths of a deep page are long: one path a block would take memory that grows with the square of the page
        found.append("/".join(reversed(chain)) if spend_output(n_chars) else "")
    return found


@cached_per_page
def _find_steps(_: Document) -> dict[int, str]:
    """Row -> the last step of its XPath, name and position among the siblings of that name; of those asked so far."""
    return {}


def _add_steps(document: Document, steps: dict[int, str], row: int) -> str:
    """The step of a row; those of its siblings are found with it."""
    above = document.parent.item(row)
    is_body = above >= 0 and document.names[above] == "body" and document.names.index("body") == above
    moved = list_moved_to_body(document) if is_body else []
    # lxml gives SVG and MathML their namespace, in which a plain name finds nothing
    is_foreign = any(document.names[at] in _FOREIGN for at in climb(document, above))
    n_named = Counter(moved)
    at, end = above + 1, document.end.item(above) if above >= 0 else len(document)
    while at < end:
        name = document.names[at]
        n_named[name] += 1
        written = write_xml_name(name)
        test = f"*[local-name()='{written}']" if is_foreign or name in _FOREIGN else written
        steps[at] = f"{test}[{n_named[name]}]" if above >= 0 else test
        at = document.end.item(at)
    return steps[row]


def list_moved_to_body(document: Document) -> list[str]:
    """Names of the elements of the head that html5lib moves to the start of the body.

    html5lib does not know `template`, and it parses the content of `noscript`, as without scripting. Its head therefore
    ends at the first `template`, or at the first `noscript` with elements other than `link`, `meta` and `style`.
    """
    parent = document.parent.tolist()
    if "head" not in document.names or "body" not in document.names:
        return []
    head = document.names.index("head")
    rows = [row for row in range(head, int(document.end[head])) if parent[row] == head]
    for number, row in enumerate(rows):
        strays = None
        if document.names[row] == "template":
            strays = ["template"]
        elif document.names[row] == "noscript":
            strays = _list_body_content(document.fallback[row])
        if strays is not None:
            return strays + [document.names[later] for later in rows[number + 1 :]]
    return []


def _list_body_content(markup: str) -> list[str] | None:
    """Names of the top-level elements from the first one on that is not allowed in a `noscript` of the head; None if
    all are allowed, or a tag, comment or element does not end."""
    *found, last = list_outermost(f"{markup}<{_MARK}>") or [("", "")]
    # the mark stands inside a tag, comment or element that does not end
    if last[0] != _MARK:
        return None
    for number, (name, text) in enumerate(found):
        if text.strip() or (name and name not in _HEAD_NOSCRIPT):
            return [later for later, _ in found[number:] if later]
    return None


_OF_PAGE: Final = frozenset({"html", "body"})
_OF_TABLE: Final = frozenset({"tbody", "thead", "tfoot", "tr"})
PATH_LEVELS: Final = 4
"""The most steps of a path: the element and up to three of its ancestors."""


_PAGE_NUMBER: Final = re.compile(r"[-_]\d{2,}\Z")
_N_CLASSES: Final = 3
"""Classes of an element that tell it: what follows them in WordPress are the categories and tags of an article."""


def list_lasting(names: str) -> list[str]:
    """Of the names in a class or id those that other pages of the template have too: the first ones, without the number
    of an article (`post-1204 post type-post status-publish format-standard hentry category-tea`).
    """
    return [name for name in names.split() if not _PAGE_NUMBER.search(name)][:_N_CLASSES]


def name_paths(document: Document, rows: Rows) -> list[str]:
    """The tag path of each row, outermost step first: `div.page > div.replies > div.reply > p`, with lasting classes.

    Rows of a table and their groups count only by their classes: `td.main > table > td`.
    """

    @cache
    def name_step(row: int) -> str:
        if document.names[row] in _OF_PAGE:
            return document.names[row]
        return ".".join((document.names[row], *list_lasting(read_attribute(document, row, "class") or "")))

    @cache
    def name_path(row: int) -> str:
        steps = (step for step in map(name_step, climb(document, row)) if step not in _OF_TABLE)
        return " > ".join(reversed(list(islice(steps, PATH_LEVELS))))

    return list(map(name_path, rows.tolist()))
