"""A tree of clean elements -> plain text or Markdown as trafilatura writes it.

Plain text has a line for each paragraph, heading and item (`- `), and for each row of a table (`| a | b |`); Markdown
has a blank line between blocks, but not between the items of a list or the rows of a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from webclean.outputs.flow import HEADINGS, INLINE, LISTS, Node, list_ruby, write_formula
from webclean.outputs.text import MAX_PADDING, lay_out, render_inline, render_markdown


def write_flow(flow: Node, *, marks: bool) -> str:
    """The text of a tree. marks: as Markdown."""
    return ("\n\n" if marks else "\n").join(filter(None, _list_blocks(flow, marks)))


def _list_blocks(node: Node, marks: bool) -> Iterator[str]:
    for part in node.split_lines():
        if isinstance(part, list) or part.name == "p":
            line = part if isinstance(part, list) else part.children
            yield _write_line(line, marks, "\n\n" if marks else "\n")
        elif part.name in HEADINGS or part.name == "summary":
            level = int(part.name[1]) if part.name in HEADINGS else 3
            yield ("#" * level + " " if marks else "") + _write_flat(part, marks)
        elif part.name == "pre" or (part.name == "note" and marks):
            yield render_markdown(Node("", {}, [part])) if marks else str(part.children[0])
        elif part.name in LISTS:
            yield "\n".join(_list_items(part, marks, 0))
        elif part.name == "table":
            yield "\n".join(_list_rows(part, marks)).rstrip()
        else:
            yield from _list_blocks(part, marks)


def _list_items(node: Node, marks: bool, depth: int) -> Iterator[str]:
    """The lines of a list; what stands behind a list in an item is one more paragraph of the item in Markdown."""
    for number, item in enumerate(node.find_nodes(), start=1):
        # numbers would be words of a plain text
        marker = f"{number}. " if marks and node.name == "ol" else "- "
        before, line = "  " * depth + marker, ""
        for part in item.split_lines():
            if isinstance(part, Node) and part.name in LISTS:
                if line:
                    yield before + line
                    before, line = ("\n" + "  " * depth + " " * len(marker)) if marks else "", ""
                yield from _list_items(part, marks, depth + 1)
            elif isinstance(part, Node) and part.name in ("pre", "table"):
                line = "\n".join((line, *_list_blocks(Node("", {}, [part]), marks))).lstrip("\n")
            else:
                text = _write_line(part, marks, "\n") if isinstance(part, list) else _write_flat(part, marks)
                line = f"{line} {text}".lstrip(" ")
        if line:
            yield before + line


def _list_rows(table: Node, marks: bool) -> Iterator[str]:
    """The rows of a table, of which the first may be its caption, each with all cells; below a head a row of lines."""
    rows = [[Node("th", {}, [row])] if row.name == "caption" else list(row.find_nodes()) for row in table.find_nodes()]
    grid = lay_out([row for row in rows if any(cell.children for cell in row)])
    width = max((len(row) for row in grid), default=0)
    # one long row above many short ones would multiply the table
    is_filled = width * len(grid) <= MAX_PADDING * sum(map(len, grid)) + 1000
    for number, row in enumerate(grid):
        cells = [_write_flat(cell, marks, in_table=True) if cell else "" for cell in row]
        yield f"| {' | '.join(cells + [''] * (width - len(cells)) * is_filled)} | "
        if number == 0 and any(cell and cell.name == "th" for cell in row):
            yield f"|{'---|' * width}"


def _write_flat(node: Node, marks: bool, *, in_table: bool = False) -> str:
    """All of an element in one line."""
    texts = [
        _write_line(part, marks, " ", in_table=in_table)
        if isinstance(part, list)
        else _write_flat(part, marks, in_table=in_table)
        for part in node.split_lines()
    ]
    return " ".join(" ".join(texts).split())


def _write_line(line: list[Node | str], marks: bool, line_break: str, *, in_table: bool = False) -> str:
    """Text and inline elements that follow each other."""
    if in_table:  # pictures would run together with the text beside them
        line = [part for one in line for part in ((" ", one, " ") if getattr(one, "name", "") == "img" else (one,))]
    if marks:
        return render_inline(line, line_break=line_break, in_table=in_table)
    text = "".join(_write_plain(part, line_break) for part in line)
    return text.replace("|", "\\|") if in_table else text


def _write_plain(part: Node | str, line_break: str) -> str:
    """Text without marks, but with the links and images of the tree."""
    if isinstance(part, str):
        return part
    if part.name in ("br", "math"):
        return line_break if part.name == "br" else write_formula(part)
    if part.name == "img":
        return render_inline([part])
    inner = "".join(_write_plain(one, line_break) for one in list_ruby(part)) if part.name in INLINE else ""
    return f"[{inner}]({part.attributes['href']})" if part.attributes.get("href") else inner
