"""`features.toml` of the core -> the functions that fill the features, in typed Python that is compiled into it.

A feature is a line of a table; its expression reads columns of an object, which the axis of the table names. What takes
more than an expression is a column, filled by a *pass*: a function of the core whose first argument is the holder and
that assigns the column (`blocks.next_prose = ...`). A pass is found by that assignment and is called once a page,
before the first feature that reads one of its columns, after the passes whose columns it reads itself. A pass that only
adds up is written here, from a few lines of `features.toml` (`write_sums`). A method `give_NAME` of the holder assigns
columns that are made elsewhere: the features that read them *need* NAME.

For an axis `block` (functions and tables of another axis begin with its name) this writes:

    BLOCK_TABLES    title -> table, a list of (name, unit, meaning, expression, cards)
    BLOCK_NEEDS     for each feature, by its number in the order of the tables, the names of what it needs
    fill_block(blocks, number, column)      calls the passes and fills the column of a feature

The holder has an attribute `done` (`cython.ulonglong`), a bit for each pass. Its columns need no declaration: what is
assigned to an attribute tells that it is one, and of which type (`declare_columns`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

GENERATED = "generated"
"""What the core's files import the functions from that are written here."""
SUMS = "sums"
"""Name of the passes that only add up, among the sources."""
_MOST_PASSES = 60
"""Bits of `done`."""
_POINTERS = {
    **dict.fromkeys(("float64", "floats"), "cython.p_double"),
    **dict.fromkeys(("int64", "rows"), "cython.p_longlong"),
    **dict.fromkeys(("int32", "ints"), "cython.p_int"),
    **dict.fromkeys(("bool", "flags"), "cython.p_uchar"),
}
"""Type of a column in `COLUMNS`, or the end of the name of what gives its memory (`take_rows`, `hold_rows`) -> the type
of a pointer to it."""
_OF_ANY_WIDTH = "data: cython.pointer[Chars], "
"""The first argument of a function that is compiled for each width of a character (`core/texts.py`)."""
_NUMBER = "cython.double"
_COLUMN = re.compile(r"\.(\w+)")
_OF_PAGE = re.compile(r"^(?:self\.)?page\.(\w+)$")
_GIVES_MEMORY = re.compile(r"\.(?:take|hold)_(\w+)\(")


def write_sums(axes: Mapping[str, Mapping[str, Any]]) -> str:
    """A pass for each table `AXIS.sums.NAME` of `features.toml`, `sum_AXIS_NAME`: columns of float64 of one size, to
    each of which an expression of each row is added at one place.

        [block.sums.paths]              path_words = [0.0] * blocks.n
        each = "blocks.n"               for i in range(blocks.n):
        at = "blocks.path[i]"               path_words[blocks.path[i]] += page.words[i]
        size = "blocks.n"
        columns = { path_words = "page.words[i]" }

    A place below 0 is none. running: each entry becomes the sum of all before it, the last one that of all.
    """
    parts = ["import cython\n"]
    for title, axis in axes.items():
        of = axis["variable"]
        for name, table in axis.get("sums", {}).items():
            columns = table["columns"].items()
            taken = "".join(f"    {of}.{column} = page.take_floats({table['size']}, True)\n" for column, _ in columns)
            added = "".join(f"            {of}.{column}[at] += {each}\n" for column, each in columns)
            running = "".join(f"        {of}.{column}[i + 1] += {of}.{column}[i]\n" for column, _ in columns)
            parts.append(
                f"\n\n\ndef sum_{title}_{name}({of}: {axis['holder']}) -> cython.int:\n"
                f"    page: Page = {of}.page\n{taken}"
                f"    i: cython.Py_ssize_t\n    at: cython.Py_ssize_t\n    for i in range({table['each']}):\n"
                f"        at = {table['at']}\n        if at >= 0:\n{added}"
                + (f"    for i in range({table['size']} - 1):\n{running}" if table.get("running") else "")
            )
    return "".join(parts)


def declare_columns(sources: Mapping[str, str], axes: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The sources with the declarations that Cython asks for and that follow from what they say; lines stay in place.

    The class `Page` gets a pointer for each column of `COLUMNS`, in this order; the holder of an axis gets a column or
    a number for each attribute that is assigned and not declared. Each entry of a table `..._FLAGS` is a constant too.
    All classes are extension types. Of a function that Python calls and that takes the characters of a text first there
    is a copy for each width of a character, and one that chooses, which is called with the text. Any other function
    whose name begins with an underscore, or that returns a type of C, is one of C; others are called from Python, or
    say themselves what they are.

    Raises `SystemExit` where what is assigned is never read: mypy knows of no such attribute, so nothing else finds one
    that is misspelt.
    """
    trees = {name: ast.parse(text) for name, text in sources.items()}
    columns: dict[str, dict[str, str]] = {"Page": {}, **{str(axis["holder"]): {} for axis in axes.values()}}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    for node in nodes:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "COLUMNS":
            rows = ast.literal_eval(node.value)
            columns["Page"] = {name: _POINTERS[kind] for name, (kind, *_) in rows.items()}
    for node in nodes:
        for function, variable, holder in _list_fillers(node, columns):
            for name, kind in _find_columns(function, variable, columns["Page"]).items():
                if kind != _NUMBER or name not in columns[holder]:
                    columns[holder][name] = kind
    read = set().union(*map(_list_read, trees.values()), _COLUMN.findall(repr(axes)))
    for holder, own in columns.items():
        if holder != "Page" and (unread := sorted(own.keys() - read)):
            raise SystemExit(f"{holder} is given what nothing reads: {', '.join(unread)}")
    return {name: _declare(text, trees[name], columns) for name, text in sources.items()}


def _list_read(tree: ast.Module) -> set[str]:
    """The attributes that a file reads, of whatever it is. An entry that is assigned (`trees.leaves[i] = 1`) is not
    read."""
    filled = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Subscript) and _is_stored(node)}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node) not in filled)
    return {node.attr for node in found if not _is_stored(node)}


def _is_stored(node: ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store)


def _list_fillers(node: ast.AST, holders: Container[str]) -> list[tuple[ast.FunctionDef, str, str]]:
    """A function of the first argument or a method: itself, what it calls the holder of an axis, the holder's class."""
    if isinstance(node, ast.ClassDef) and node.name in holders and node.name != "Page":
        return [(part, "self", node.name) for part in node.body if isinstance(part, ast.FunctionDef)]
    if isinstance(node, ast.FunctionDef) and node.args.args:
        first = node.args.args[0]
        if isinstance(first.annotation, ast.Name) and first.annotation.id in holders and first.annotation.id != "Page":
            return [(node, first.arg, first.annotation.id)]
    return []


def _find_columns(function: ast.FunctionDef, variable: str, of_page: Mapping[str, str]) -> dict[str, str]:
    """Attributes of the variable that are assigned -> their types: pointers to memory that is taken or to columns of
    the page, else numbers."""
    found: dict[str, str] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = [*zip(target.elts, node.value.elts, strict=True)]
            for left, right in pairs:
                if isinstance(left, ast.Attribute) and ast.unparse(left.value) == variable:
                    gives, given = _GIVES_MEMORY.search(ast.unparse(right)), _OF_PAGE.search(ast.unparse(right))
                    known = of_page.get(given[1]) if given else _POINTERS[gives[1]] if gives else None
                    found[left.attr] = known or found.get(left.attr, _NUMBER)
    return found


def _declare(text: str, tree: ast.Module, columns: Mapping[str, Mapping[str, str]]) -> str:
    lines = text.split("\n")
    for node in (one for part in tree.body for one in (part, *getattr(part, "body", ()))):
        if isinstance(node, ast.FunctionDef) and _is_of_c(node):
            _decorate(lines, node, "cfunc")
        elif isinstance(node, ast.FunctionDef) and ast.unparse(node.args).startswith(_OF_ANY_WIDTH):
            _decorate(lines, node, "cfunc")
            lines[node.lineno - 1] = lines[node.lineno - 1].replace("def ", "def _any_width_", 1)
            lines += _write_choice(node)
        elif isinstance(node, ast.ClassDef):
            _decorate(lines, node, "cclass", "final")
            if node.name not in columns:
                continue
            declared = [part for part in node.body if isinstance(part, ast.AnnAssign | ast.Assign)]
            known = {
                ast.unparse(part.target if isinstance(part, ast.AnnAssign) else part.targets[0]) for part in declared
            }
            at, start = declared[0].lineno - 1, declared[0].col_offset
            own = [f"{name}: {kind}; " for name, kind in columns[node.name].items() if name not in known]
            lines[at] = " " * start + "".join(own) + lines[at][start:]
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("_FLAGS"):
            prefix = ast.unparse(node.targets[0]).removesuffix("FLAGS")
            flags = [
                f"; {prefix}{name.upper()} = cython.declare(cython.int, {bit})"
                for name, bit in ast.literal_eval(node.value).items()
            ]
            lines[(node.end_lineno or 0) - 1] += "".join(flags)
    return "\n".join(lines)


def _write_choice(node: ast.FunctionDef) -> list[str]:
    """The function that Python calls with a text, in place of one that is given the characters of a text, by the width
    of a character: of the latter there is a copy for each width, lest it is asked at each character."""
    _, text, *others = node.args.args
    given = ", ".join([text.arg, *(other.arg for other in others)])
    lines = ["", "", f"def {node.name}({', '.join(map(ast.unparse, node.args.args[1:]))}):"]
    for width, kind in ((1, "uchar"), (2, "ushort"), (4, "uint")):
        data = f"cython.cast(cython.pointer[cython.{kind}], PyUnicode_DATA({text.arg}))"
        lines += [
            f"    if PyUnicode_KIND({text.arg}) == {width}:",
            f"        return _any_width_{node.name}[cython.{kind}]({data}, {given})",
        ]
    return lines


def _is_of_c(node: ast.FunctionDef) -> bool:
    is_own = node.name.startswith("_") and not node.name.startswith("__")
    given = "".join(map(ast.unparse, node.decorator_list))
    returns_c = node.returns is not None and ast.unparse(node.returns).startswith("cython.")
    return (is_own or returns_c) and "cfunc" not in given and "ccall" not in given


def _decorate(lines: list[str], node: ast.FunctionDef | ast.ClassDef, *names: str) -> None:
    """Write decorators of Cython into the blank lines above a function or class, so that those after it stay."""
    at = min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 2
    while lines[at].lstrip().startswith("#"):
        at -= 1
    for number, name in enumerate(names):
        if lines[at - number].strip():
            raise SystemExit(f"{node.name} needs {len(names)} blank lines above it")
        lines[at - number] = f"{' ' * node.col_offset}@cython.{name}"


@dataclass
class Axis:
    """What is known of an axis: its declaration, and of the sources what reads and what fills columns of its holder.

    reads, calls: function -> attributes of the holder that it reads, functions that it gives the holder to. filled:
    attribute -> the pass that fills it. given: attribute -> what gives it. known: attributes of the class.
    """

    name: str
    declared: Mapping[str, Any]
    reads: dict[str, set[str]] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)
    filled: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    @property
    def variable(self) -> str:
        return str(self.declared["variable"])


def write_features(sources: Mapping[str, str], axes: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of the generated part. sources: name of each file of the core -> its text; axes: as in `features.toml`.

    Raises `SystemExit` for an expression that cannot be used, with the feature's name.
    """
    trees = [ast.parse(text) for text in sources.values()]
    parts = ["import cython\n"]
    for name, declared in axes.items():
        axis = Axis(name, declared)
        for tree in trees:
            _read_functions(axis, tree)
        tables = {
            title: [(feature, *row) for feature, row in table.items()] for title, table in declared["tables"].items()
        }
        parts.append(_write_axis(axis, tables))
    return "\n\n".join(parts)


def _read_functions(axis: Axis, tree: ast.Module) -> None:
    """What the functions of a file that take the holder first read, and which of its columns they fill."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == axis.declared["holder"]:
            _read_class(axis, node)
        if not isinstance(node, ast.FunctionDef) or not node.args.args:
            continue
        first = node.args.args[0]
        if not isinstance(first.annotation, ast.Name) or first.annotation.id != axis.declared["holder"]:
            continue
        axis.reads[node.name], axis.calls[node.name], assigned = _read_uses(node, first.arg)
        for column in assigned:
            if axis.filled.setdefault(column, node.name) != node.name:
                raise SystemExit(f"{column} is filled by {axis.filled[column]} and by {node.name}")


def _read_class(axis: Axis, node: ast.ClassDef) -> None:
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            axis.known.add(part.target.id)
        elif isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
            axis.known.add(part.targets[0].id)
        elif isinstance(part, ast.FunctionDef):
            axis.known.add(part.name)
            if part.name.startswith("give_"):
                _, _, assigned = _read_uses(part, "self")
                axis.given.update(dict.fromkeys(assigned, part.name.removeprefix("give_")))


def _read_uses(node: ast.AST, variable: str) -> tuple[set[str], set[str], set[str]]:
    """Attributes of a variable that are read, functions that are given it first, and attributes that are assigned."""
    reads: set[str] = set()
    calls: set[str] = set()
    assigned: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == variable:
            (assigned if isinstance(part.ctx, ast.Store) else reads).add(part.attr)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.args:
            given = part.args[0]
            if isinstance(given, ast.Name) and given.id == variable:
                calls.add(part.func.id)
    return reads - assigned, calls, assigned


def _find_needs(axis: Axis, reads: set[str], calls: set[str], where: str) -> tuple[set[str], set[str]]:
    """(passes, given things) that must be there before what reads such attributes and calls such functions."""
    todo, seen, wanted = list(calls), set(), set(reads)
    while todo:
        name = todo.pop()
        if name in axis.reads and name not in seen and name not in axis.filled.values():
            seen.add(name)
            wanted |= axis.reads[name]
            todo += axis.calls[name]
    passes, things = set(), set()
    for attribute in wanted:
        if attribute in axis.filled:
            passes.add(axis.filled[attribute])
        elif attribute in axis.given:
            things.add(axis.given[attribute])
        elif attribute not in axis.known:
            raise SystemExit(f"{where} reads {axis.variable}.{attribute}, which {axis.declared['holder']} has not")
    return passes, things


def _write_axis(axis: Axis, tables: Mapping[str, list[tuple[str, ...]]]) -> str:
    """The tables, what features need, the passes and the function that fills a feature."""
    before: dict[str, set[str]] = {}
    things: dict[str, set[str]] = {}
    for name in dict.fromkeys(axis.filled.values()):
        before[name], things[name] = _find_needs(axis, axis.reads[name], axis.calls[name], f"the pass {name}")
        before[name].discard(name)
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError as error:
        raise SystemExit(f"passes that read each other's columns: {' <- '.join(error.args[1])}") from error
    if len(order) > _MOST_PASSES:
        raise SystemExit(f"more than {_MOST_PASSES} passes of {axis.name}")
    for name in order:
        things[name] |= {thing for other in before[name] for thing in things[other]}
    rows = [row for table in tables.values() for row in table]
    branches, needs = [], []
    for number, row in enumerate(rows):
        passes, given = _read_expression(axis, row)
        needs.append(tuple(sorted(given | {thing for name in passes for thing in things[name]})))
        calls = "".join(f"        ensure_{name}({axis.variable})\n" for name in order if name in passes)
        branches.append(
            f"    {'el' * bool(number)}if number == {number}:  # {row[0]}\n{calls}"
            f"        for i in range(n):\n            column[i] = {row[3]}\n"
        )
    ensured = [_write_ensure(axis, name, number, order, before[name]) for number, name in enumerate(order)]
    return "\n\n".join(
        [
            f"{axis.name.upper()}_TABLES = {dict(tables)!r}\n{axis.name.upper()}_NEEDS = {needs!r}",
            *ensured,
            _write_fill(axis, branches),
        ]
    )


def _read_expression(axis: Axis, row: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """(passes, given things) that a feature needs."""
    try:
        tree = ast.parse(row[3], mode="eval")
    except SyntaxError as error:
        raise SystemExit(f"the expression of {row[0]} cannot be read: {row[3]}") from error
    reads, calls, _ = _read_uses(tree, axis.variable)
    return _find_needs(axis, reads, calls, f"the feature {row[0]}")


def _write_ensure(axis: Axis, name: str, number: int, order: list[str], before: set[str]) -> str:
    """A function that calls a pass unless it was called for the page."""
    lines = [f"        ensure_{other}({axis.variable})" for other in order if other in before]
    return "\n".join(
        [
            "@cython.cfunc",
            f"def ensure_{name}({axis.variable}: {axis.declared['holder']}) -> cython.int:",
            f"    if not {axis.variable}.done >> {number} & 1:",
            *lines,
            f"        {name}({axis.variable})",
            f"        {axis.variable}.done |= cython.cast(cython.ulonglong, 1) << {number}",
            "    return 0\n",
        ]
    )


def _write_fill(axis: Axis, branches: list[str]) -> str:
    shorthands = "".join(
        f"    {name}: {kind} = {axis.variable}.{name}\n" for name, kind in axis.declared["shorthands"].items()
    )
    return (
        "@cython.cfunc\n"
        f"def fill_{axis.name}({axis.variable}: {axis.declared['holder']}, number: cython.Py_ssize_t, "
        "column: cython.p_double) -> cython.int:\n"
        f"{shorthands}    i: cython.Py_ssize_t\n    n: cython.Py_ssize_t = {axis.declared['rows']}\n"
        + "".join(branches)
        + "    return 0\n"
    )
