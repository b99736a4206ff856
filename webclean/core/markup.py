"""A tree of clean elements -> lines of HTML: what `outputs.html` writes, of nodes as `outputs.flow.nodes` has them.

Enters: children of the root. Leaves: lines. Keep: nothing is written without escapes but names of elements and
attributes, which are the tree's own and never the page's. Tested by `tests/outputs/test_round_trip.py`.
"""

from __future__ import annotations

from typing import Any

import cython


@cython.final
@cython.cclass
class _Markup:
    """The names of leaves and inline elements, attributes that are none of HTML, and what writes a formula."""

    leaves: frozenset
    inline: frozenset
    hidden: frozenset
    write_formula: Any


def render_markup(
    children: list[Any], leaves: frozenset[str], inline: frozenset[str], hidden: frozenset[str], write_formula: Any
) -> list[str]:
    """Nodes and texts as lines of HTML; adjacent inline nodes and texts are on one line.

    Args:
        children: nodes and texts.
        leaves, inline: names of elements.
        hidden: attributes that are none of HTML.
        write_formula: a `math` node -> HTML.
    """
    rules: _Markup = _Markup()
    rules.leaves, rules.inline, rules.hidden, rules.write_formula = leaves, inline, hidden, write_formula
    lines: list = []
    _write_markup(rules, children, lines)
    return lines


def escape_markup(text: str, quote: cython.bint) -> str:
    """`html.escape`; most texts have nothing to escape, and are given back."""
    c: cython.Py_UCS4
    for c in text:
        if c == "&" or c == "<" or c == ">" or (quote and (c == '"' or c == "'")):
            break
    else:
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;") if quote else text


@cython.cfunc
def _write_markup(rules: _Markup, children: list, lines: list) -> cython.bint:
    line: list = []
    for child in children:
        if type(child) is str or child.name in rules.inline:
            line.append(_write_in_line(rules, child))
            continue
        if line:
            lines.append("".join(line))
            line = []
        _write_element(rules, child, child.name, lines)
    if line:
        lines.append("".join(line))
    return True


@cython.cfunc
def _write_element(rules: _Markup, node: Any, name: str, lines: list) -> cython.bint:
    attributes: dict = node.attributes
    inner: list = []
    if name == "pre":
        lines.append(_write_pre(node, attributes))
        return True
    if name == "hr":
        lines.append("<hr>")
        return True
    if name in rules.leaves:  # a line break inside a leaf would be white space of its text
        inner.append(_write_inside(rules, node.children))
    else:
        _write_markup(rules, node.children, inner)
    if "back" in attributes and inner:
        inner.append(_add_way_back(inner.pop(), attributes["back"]))
    start: str = _write_start_tag(rules, name, attributes)
    end: str = "</div>" if name == "note" else f"</{name}>"
    # one line inside: on the line of its tags, as people write it
    if len(inner) <= 1:
        lines.append(f"{start}{''.join(inner)}{end}")
    else:
        lines.append(start)
        lines.extend(inner)
        lines.append(end)
    return True


@cython.cfunc
def _write_pre(node: Any, attributes: dict) -> str:
    language: str = attributes.get("language", "")
    direction: str = ' dir="ltr"' if "dir" in attributes else ""
    code: str = f'<code class="language-{escape_markup(language, True)}">' if language else "<code>"
    return f"<pre{direction}>{code}{escape_markup(str(node.children[0]), False)}</code></pre>"


@cython.cfunc
def _add_way_back(line: str, address: str) -> str:
    """The last line of a footnote with a link to its reference, within its paragraph."""
    text: str = line.removesuffix("</p>")
    return f'{text} <a href="{escape_markup(address, True)}" role="doc-backlink">↩</a>{line[len(text) :]}'


@cython.cfunc
def _write_start_tag(rules: _Markup, name: str, attributes: dict) -> str:
    """The start tag of a block element."""
    written: dict = {key: value for key, value in attributes.items() if key not in rules.hidden} if attributes else {}
    if name == "note":
        # HTML has no element for a footnote; the id is what its references lead to
        name, written["id"] = "div", f"note-{attributes['label']}"
    elif name == "details" and "closed" not in attributes:
        # what was kept is to be read: a closed one hides it, on paper for good
        written["open"] = ""
    start: str = f"<{name}{_write_attribute_list(written)}>"
    if "task" in attributes:
        checked: str = " checked" if attributes["task"] == "done" else ""
        start += f'<input type="checkbox" disabled{checked}> '
    return start


@cython.cfunc
def _write_inside(rules: _Markup, children: list) -> str:
    if len(children) == 1:
        return _write_in_line(rules, children[0])
    return "".join([_write_in_line(rules, child) for child in children])


@cython.cfunc
def _write_in_line(rules: _Markup, child: Any) -> str:
    """Text or an inline element as HTML."""
    if type(child) is str:
        return escape_markup(child, False)
    name: str = child.name
    if name == "math":
        return rules.write_formula(child)
    attributes: dict = child.attributes
    inner: str = _write_inside(rules, child.children)
    if name == "noteref":
        anchor: str = f' id="{escape_markup(attributes["id"], True)}"' if "id" in attributes else ""
        return f'<sup><a href="#note-{escape_markup(attributes["label"], True)}"{anchor}>{inner}</a></sup>'
    start: str = f"<{name}{_write_attribute_list(attributes)}>"
    return start if name == "br" or name == "img" else f"{start}{inner}</{name}>"


@cython.cfunc
def _write_attribute_list(attributes: dict) -> str:
    if not attributes:
        return ""
    return "".join([f' {name}="{escape_markup(value, True)}"' for name, value in attributes.items()])
