"""A tree of clean elements -> plain text, or Markdown (CommonMark 0.31 with the tables and strikethrough of GitHub's
dialect), each in reading order.

In plain text each block stands on its own lines: paragraphs are separated by a blank line, list items and table rows by
a line break, cells by a tab. Preformatted text keeps its lines and indentation, `br` ends a line, and each item of an
unordered list starts with `- `. Formulas are TeX between dollar signs, readings of ruby stand in brackets. Nothing else
is added to the text of the page, and images, videos and rules are left out.

A Markdown parser reads the same text back, because characters that would be syntax at their place are escaped. `*`
starts or ends emphasis only at certain places, which depend on the characters on both sides of it (left- and
right-flanking delimiter runs, CommonMark 6.2). Elsewhere the element is written as an HTML tag, which Markdown allows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, cast

from webclean import core
from webclean.outputs.flow import HEADINGS, INLINE, LEAVES, LISTS, Node, list_ruby, read_text, write_formula

MAX_PADDING: Final = 4
"""Cells that a table may get for each that it has; `_SMALL_TABLE` more are always allowed. One long row above many
short ones grew a page of some hundred kilobytes to hundreds of megabytes when all rows were filled up to it."""
_SMALL_TABLE: Final = 1_000
_TASKS: Final = {"done": "[x] ", "open": "[ ] "}
_FENCES: Final = re.compile(r"`{3,}")


def render_text(flow: Node) -> str:
    """The plain text of a tree."""
    return cast("str", core.render_plain(flow, INLINE, LEAVES, LISTS, read_text))


def render_markdown(flow: Node) -> str:
    """The blocks of a tree as Markdown, separated by blank lines."""
    return "\n\n".join(_render_children(flow))


def _render_children(node: Node) -> list[str]:
    """One string for each block in a node; adjacent inline children become one paragraph."""
    made: list[str] = []
    before, alternate = "", False
    for part in node.split_lines():
        if isinstance(part, list):
            made.append(render_inline(part))
            before = ""
            continue
        # two lists that follow each other would be read as one, three as well: markers alternate
        alternate = part.name == before and not alternate
        before = part.name
        is_list = before in ("ul", "ol")
        made += [_render_list(part, alternate)] if is_list else _WRITERS.get(before, _render_children)(part)
    return [block for block in made if block]


def _render_heading(node: Node) -> list[str]:
    text = render_inline(node.children, line_break=" ")
    before = text[:-1]
    is_escaped = (len(before) - len(before.rstrip("\\"))) % 2 == 1  # `#` alone was, as the start of a line
    text = f"{before}\\#" if text.endswith("#") and not is_escaped else text
    return [f"{'#' * int(node.name[1])} {text}"]


def _render_paragraph(node: Node) -> list[str]:
    only = node.children[0]
    # as a block of its own, which dialects with formulas set on a line
    if type(only) is Node and only.name == "math" and "display" in only.attributes and len(node.children) == 1:
        return [f"$$\n{only.attributes['tex']}\n$$"]
    return [render_inline(node.children)]


def _render_quotation(node: Node) -> list[str]:
    """A quotation; a callout with its kind and its title in the first line, as GitHub and Obsidian read it."""
    kind = node.attributes.get("callout")
    title, rest = (node.children[0], node.children[1:]) if "titled" in node.attributes else (None, node.children)
    body = "\n\n".join(_render_children(node.copy_with(rest)))
    if not kind:
        return [_prefix_lines(body, "> ", "> ")]
    said = render_inline([" ".join(read_text(title).split())]) if isinstance(title, Node) else ""
    return [_prefix_lines(f"[!{kind}] {said}".rstrip() + f"\n{body}".rstrip(), "> ", "> ")]


def _render_term(node: Node) -> list[str]:
    """The term of a description list, in bold type because Markdown has no such lists."""
    if all(child.name in INLINE and child.name != "strong" for child in node.find_nodes()):
        return [render_inline([Node("strong", {}, list(node.children))])]
    return _render_children(node)


def _render_code(node: Node) -> list[str]:
    text = str(node.children[0])
    # a fence inside the code would end it: that around is one longer
    longest = max((len(run) for run in _FENCES.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{node.attributes.get('language', '')}\n{text}\n{fence}"]


def _render_list(node: Node, alternate: bool) -> str:
    """The items of a list, separated by blank lines if any item contains paragraphs. alternate: with other markers."""
    items = list(node.find_nodes())
    first = int(node.attributes.get("start", "1"))
    is_loose = any(
        child.name not in INLINE and child.name not in ("ul", "ol") for item in items for child in item.find_nodes()
    )
    rendered = []
    for number, item in enumerate(items, start=first):
        marker = f"{number}{')' if alternate else '.'} " if node.name == "ol" else "* " if alternate else "- "
        begin = item.children[0] if item.children else None
        # a box before a list or heading is read as the text `[x]`
        is_text = isinstance(begin, str) or (begin is not None and (begin.name in INLINE or begin.name == "p"))
        task = _TASKS.get(item.attributes.get("task", ""), "") if is_text else ""
        text = ("\n\n" if is_loose else "\n").join(_render_children(item))
        rendered.append(_prefix_lines(task + text, marker, " " * len(marker)))
    return ("\n\n" if is_loose else "\n").join(rendered)


def _prefix_lines(text: str, first: str, others: str) -> str:
    line, *rest = text.split("\n")
    return "\n".join([first + line, *(others + line if line else others.rstrip() for line in rest)])


def _render_table(node: Node) -> list[str]:
    """The caption, then the table. A table without a header row gets an empty one, because the dialect requires it.

    Short rows are filled up with empty cells. The dialect does not ask for that (GFM, 4.10), so where a few long rows
    stand among many short ones, which would multiply the table, they stay short.
    """
    made = [block for child in node.find_nodes() if child.name == "caption" for block in _render_children(child)]
    lines = [line for line in node.find_nodes() if line.name == "tr"]
    grid = lay_out([list(line.find_nodes()) for line in lines])
    width = max((len(line) for line in grid), default=0)
    if not width:
        return made
    texts = [["<br>".join(filter(None, _render_cell_lines(cell))) if cell else "" for cell in line] for line in grid]
    if width * len(grid) <= MAX_PADDING * sum(map(len, grid)) + _SMALL_TABLE:
        texts = [line + [""] * (width - len(line)) for line in texts]
    # a first row of data stays one, below an empty header, for the dialect knows no table without
    is_headed = all(cell is None or cell.name == "th" or not cell.children for cell in grid[0])
    head, body = (texts[0] + [""] * (width - len(texts[0])), texts[1:]) if is_headed else ([""] * width, texts)
    rows = [head, ["---"] * width, *body]
    made.append("\n".join(f"| {' | '.join(line)} |" for line in rows))
    return made


def lay_out(lines: list[list[Node]]) -> list[list[Node | None]]:
    """Each cell in its column, None where a cell spans. A span is cut at the length of the longest row of cells. Cells
    that span so much that they would multiply the table are taken as single ones."""
    width = max((len(cells) for cells in lines), default=0)
    room = MAX_PADDING * sum(map(len, lines)) + _SMALL_TABLE
    spanned: dict[int, int] = {}
    grid: list[list[Node | None]] = []
    for cells in lines:
        line: list[Node | None] = []
        for cell in cells:
            while spanned.get(len(line), 0):
                line.append(None)
            if room < len(line):
                # spans that would multiply the table are dropped, its cells are not
                return [list(single) for single in lines]
            n_rows = int(cell.attributes.get("rowspan", "1"))
            # `colspan=1000` means all columns there are
            n_columns = min(int(cell.attributes.get("colspan", "1")), max(1, width - len(line)))
            for column in range(len(line), len(line) + n_columns):
                spanned[column] = n_rows
            line += [cell, *([None] * (n_columns - 1))]
        grid.append(line)
        room -= len(line)
        spanned = {column: left - 1 for column, left in spanned.items() if left > 1}
    return grid


def _render_cell_lines(node: Node) -> Iterable[str]:
    """The lines of a cell; a cell is written on one line, with `<br>` between its blocks."""
    for part in node.split_lines():
        if isinstance(part, list):
            yield render_inline(part, line_break="<br>", in_table=True)
        elif part.name == "pre":
            for code in read_text(part).split("\n"):
                yield render_inline([Node("code", {}, [code])], in_table=True) if code.strip() else ""
        else:
            yield from _render_cell_lines(part)


_WRITERS: Final[dict[str, Callable[[Node], list[str]]]] = {
    **dict.fromkeys(HEADINGS, _render_heading),
    "p": _render_paragraph,
    "pre": _render_code,
    "blockquote": _render_quotation,
    "table": _render_table,
    "dt": _render_term,
    "summary": _render_term,
    # further lines of a footnote are indented (Markdown Extra)
    "note": lambda node: [
        _prefix_lines("\n\n".join(_render_children(node)), f"[^{node.attributes['label']}]: ", "    ")
    ],
    "hr": lambda _: ["---"],
}


_DELIMITERS: Final = {"strong": "**", "em": "*", "del": "~~"}
_SPECIAL: Final = re.compile(r"\\|`|\*|\[|\]|<|~|_(?:(?<![^\W_]_)|(?![^\W_]))|&(?=#?\w{1,40};)")
"""Signs that would be syntax; `_` only at the edge of a word. Each alternative begins with its sign, for then the
expression passes over all other characters at once."""
_FORMULA: Final = re.compile(r"\$(?=\$?\S(?:[^$]*\S)?\$)")
"""A dollar sign that would be read as the start of a formula."""
# headings, items, quotations, and the underlines that make the line above a heading; `*` is escaped anywhere
_LINE_START: Final = re.compile(r"(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|={1,}\s*$|-{2,}\s*$)")
# nine digits at most (CommonMark 5.2): `1789. A year` would be the 1789th item
_ORDERED_START: Final = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_BACKTICKS: Final = re.compile(r"`+")
_URL_UNSAFE: Final = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "|": "%7C", "`": "%60"}
)
# `?a=1&copy;=2` would be read with a copyright sign
_ENTITY: Final = re.compile(r"&(?=#?\w{1,40};)")


def render_inline(children: list[Node | str], *, line_break: str = "\\\n", in_table: bool = False) -> str:
    """One line, or several where there are line breaks."""
    return cast("str", core.render_line(children, _WRITER, _DELIMITERS, line_break, in_table=in_table))


class _Writer:
    """What `core.render_line` asks for: texts whose signs need escapes, and what is no text."""

    def write_formula(self, node: Node, in_table: bool) -> str:
        """The TeX of a formula."""
        written = write_formula(node)
        # a sign that TeX reads, for an escape would be one more sign of the formula where nobody takes it off
        return written.replace("\\|", "\\Vert ").replace("|", "\\vert ") if in_table else written

    list_ruby = staticmethod(list_ruby)

    def escape(self, text: str, in_table: bool) -> str:
        """A text with the signs escaped that would be syntax at their place."""
        escaped = _SPECIAL.sub(r"\\\g<0>", text)
        # one dollar sign alone begins no formula, and most texts have none
        if text.count("$") > 1:
            escaped = _FORMULA.sub(r"\\\g<0>", escaped)
        return escaped.replace("|", "\\|") if in_table else escaped

    def escape_beginning(self, text: str) -> str:
        """Escape the start of a line that would be read as a heading, list, quotation or underline."""
        if _LINE_START.match(text):
            return f"\\{text}"
        return _ORDERED_START.sub(r"\1\\\2", text, count=1) if _ORDERED_START.match(text) else text

    def write_code(self, node: Node, in_table: bool, *, follows_code: bool) -> str:
        """A code span; an HTML element if a code span is just before it, for the backticks would run together."""
        text = " ".join(read_text(node).split())
        if follows_code:
            return f"<code>{self.escape(text, in_table)}</code>"
        longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
        fence = "`" * (longest + 1)
        # a backtick at the edge would run together with the fence; parsers take one space off each side
        pad = " " if text.startswith("`") or text.endswith("`") else ""
        return f"{fence}{pad}{text.replace('|', chr(92) + '|') if in_table else text}{pad}{fence}"

    def write_data(self, url: str) -> str:
        """The destination of a picture that is written into the page: its kind, and how much is left out."""
        return f'{self.write_url(url.partition(",")[0])}, "{round(len(url) / 1000, 1)} kB left out"'

    def write_url(self, url: str) -> str:
        """A link destination, in which characters that would end it are percent-encoded (RFC 3986, 2.1)."""
        written = url.translate(_URL_UNSAFE)
        return _ENTITY.sub("&amp;", written) if "&" in written else written


_WRITER: Final = _Writer()
