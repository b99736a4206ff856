"""Rule files -> plain mappings with the line of each key, and back. The only place that reads or writes YAML.

YAML is read event by event and converted to plain values directly, without a graph of nodes. Its size is limited before
it is expanded: bytes, values (an alias counts each time it is used) and depth. Only safe scalar types are allowed; any
other tag is an error. Lines are determined only when one is asked for. What is written reads well: short mappings and
lists of scalars stand in one line.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, NoReturn

import yaml
from yaml.events import AliasEvent, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent
from yaml.nodes import ScalarNode

from webclean.errors import RuleError
from webclean.storage import read_table

MAX_BYTES: Final = 4_000_000
MAX_VALUES: Final = 200_000
"""Aliases counted as often as they are used: a few lines of nested ones would else expand to billions of values."""
MAX_DEPTH: Final = 60
"""Rules may come from strangers (the workbench). All three limits are far above what is shipped: the largest
file has 45,000 bytes and fewer than 3,000 values, the deepest, a tree, 13 levels."""

Path_ = tuple[str | int, ...]
_TEXT: Final = "tag:yaml.org,2002:str"
_SEQUENCE: Final = "tag:yaml.org,2002:seq"
_MAPPING: Final = "tag:yaml.org,2002:map"
_DECIMAL: Final = re.compile(r"[-+]?(?:0|[1-9]\d*)(\.\d+)?\Z", re.ASCII)
# the loader in C where PyYAML was built with it: loading is then several times as fast
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_DIGITS: Final = 60
"""Characters of a number or a date; YAML reads `1:1:1` to the base of sixty, in quadratic time."""
_LIKE_NUMBERS: Final = re.compile(r"[-+.:_\da-fxo]+", re.ASCII | re.IGNORECASE)
_LOOKS_LIKE: Final = frozenset(_Loader.yaml_implicit_resolvers)
"""First characters of plain scalars that may be other than text."""


@dataclass(frozen=True, eq=False)
class RuleText:
    """One rule file: its text and its values."""

    file: Path
    text: str
    values: dict[str, Any]

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).digest()

    @cached_property
    def lines(self) -> dict[Path_, int]:
        """The line of each key path, `("content", "gain", "below") -> 12`. Reads the text again."""
        lines: dict[Path_, int] = {}
        _read_values(self.text, self.file, lines)
        return lines

    def find_line(self, path: Path_) -> int:
        """The line of a path, or of the nearest path above it that has one; 0 for none."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 0)


def find_shipped_rules() -> Path:
    """The folder of the rule sets that ship with the package: inside a wheel, or beside the source tree."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_rules", package.parent / "rules"):
        if (folder / "default.yaml").is_file():
            return folder
    raise RuleError("the rule files that ship with webclean are missing", file=str(package / "_rules"))


def read_rule_file(path: Path) -> RuleText:
    """Read one file; cached until its size or time of change differs.

    Raises `RuleError` with file and line for anything that is not a safe, bounded mapping.
    """
    return _read_rule_file(path, read_state(path))


FileState = tuple[int, int]
"""Size and time of change of a file, by which changes are detected."""


def read_state(path: Path) -> FileState:
    """The state of a file now. Raises `RuleError` for one that cannot be read."""
    try:
        found = path.stat()
    except OSError as error:
        raise RuleError(error.strerror or str(error), file=str(path)) from error
    return found.st_size, found.st_mtime_ns


@lru_cache(maxsize=512)
def _read_rule_file(path: Path, state: FileState) -> RuleText:
    if state[0] > MAX_BYTES:
        raise RuleError(f"{state[0]:,} bytes: a rule file has at most {MAX_BYTES:,}", file=str(path))
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RuleError(error.strerror or str(error), file=str(path)) from error
    except UnicodeDecodeError as error:
        raise RuleError(f"not UTF-8: {error.reason} at byte {error.start}", file=str(path)) from error
    return read_rule_text(text, path)


def read_rule_text(text: str, path: Path) -> RuleText:
    """Read rules from a string; `path` names it in errors."""
    values = _read_values(text, path)
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise RuleError("a rule file is a mapping of sections", file=str(path), line=1)
    return RuleText(path, text, values)


TAB: Final = "a tab: YAML is indented with spaces; put two spaces for each tab"
MESSAGES: Final[dict[str, dict[str, str]]] = read_table(__file__, "messages.toml")
_HASH: Final = re.compile(r"\s*(#[^\s,\]}]+)")
_HASH_INSIDE: Final = re.compile(r"[\[{,:]\s*(#[^\s])")


def _explain_comment(text: str) -> str:
    """The message where a value is none because it begins with `#`, as selectors of ids do; '' for other texts."""
    found = _HASH.match(text)
    return f"`#` begins a comment of YAML, so there is no value: put it in quotes: '{found[1]}'" if found else ""


def _explain_syntax(problem: str, lines: list[str], column: int, opened: int) -> str:
    """The message for a text that is not YAML.

    problem: the parser's message. lines: of the text, up to the one where the parser stopped, at `column`. opened:
    number of the line where the unfinished part begins.
    """
    if lines[-1][column : column + 1] == "\t":
        return TAB
    for line in lines:
        # `[#ads, .other]`: what follows the bracket is a comment, so the bracket is never closed
        at = _HASH_INSIDE.search(line)
        if at and ("flow" in problem or "expected ','" in problem):
            return _explain_comment(line[at.start(1) :])
    plain = next((plain for sign, plain in MESSAGES["syntax"].items() if sign in problem), None)
    return f"{plain.replace('{opened}', str(opened))} ({problem})" if plain else problem


def _read_values(text: str, path: Path, lines: dict[Path_, int] | None = None) -> Any:
    """The values of the only document in a text, None if it is empty. lines: filled with the line of each key path."""
    loader = _Loader(text)
    try:
        return _EventReader(loader, path, lines, text).read_document()
    except yaml.MarkedYAMLError as error:
        raise _locate(error, text, path) from error
    except yaml.YAMLError as error:
        raise RuleError(f"not YAML that can be read: {' '.join(str(error).split())}", file=str(path)) from error
    finally:
        loader.dispose()


def _locate(error: yaml.MarkedYAMLError, text: str, path: Path) -> RuleError:
    """A syntax error with its line, in plain words."""
    problem = " ".join(part for part in (error.context, error.problem) if part)
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return RuleError(problem, file=str(path))
    # split as YAML counts lines; a mark may stand behind the last one
    opened = (error.context_mark or mark).line
    # a bracket that a comment leaves open is often noticed in the line after it
    lines = text.split("\n")[max(0, min(opened, mark.line - 2)) : mark.line + 1] or [""]
    message = _explain_syntax(problem, lines, mark.column, opened + 1)
    return RuleError(message, file=str(path), line=mark.line + 1)


@dataclass(slots=True)
class _EventReader:
    """Turns parser events into plain values, counting as it goes.

    An alias is the same object as its anchor. anchors: name -> the value and the number of values in it, or None while
    it is being read. path: the keys down to the current value.
    """

    loader: Any
    file: Path
    lines: dict[Path_, int] | None
    text: str
    n_values: int = 0
    path: list[str | int] = field(default_factory=list)
    anchors: dict[str, tuple[Any, int] | None] = field(default_factory=dict)

    def read_document(self) -> Any:
        """The values of the only document."""
        self.loader.get_event()  # the stream starts
        if isinstance(self.loader.get_event(), yaml.StreamEndEvent):
            return None
        values = self._read(self.loader.get_event())
        self.loader.get_event()  # the document ends
        after = self.loader.get_event()
        if not isinstance(after, yaml.StreamEndEvent):
            self._fail("a rule file is one document", after)
        return values

    def _read(self, event: Any) -> Any:
        """The value that starts with `event`."""
        kind = type(event)
        if kind is AliasEvent:
            known = self.anchors.get(event.anchor)
            if known is None:
                # its anchor is known while it is read, but it has no value yet: a loop without end
                inside = event.anchor in self.anchors
                self._fail(f"alias {event.anchor!r} {'of its own parent' if inside else 'of nothing above it'}", event)
            # all values behind the alias count again: this is where nested aliases would explode
            self._count(known[1], event)
            return known[0]
        self._count(1, event)
        before = self.n_values
        anchor = event.anchor
        if anchor is not None:
            self.anchors[anchor] = None
        if kind is ScalarEvent:
            value = self._read_scalar(event)
        elif len(self.path) > MAX_DEPTH:
            self._fail(f"nested deeper than {MAX_DEPTH} levels", event)
        elif event.tag not in (None, "!", _MAPPING if kind is MappingStartEvent else _SEQUENCE):
            self._fail(f"tag {event.tag!r} is not allowed: rules are plain values", event)
        else:
            is_list = kind is not MappingStartEvent
            value = self._read_inside([], SequenceEndEvent) if is_list else self._read_inside({}, MappingEndEvent)
        if anchor is not None:
            self.anchors[anchor] = value, 1 + self.n_values - before
        return value

    def _count(self, n: int, event: Any) -> None:
        self.n_values += n
        if self.n_values > MAX_VALUES:
            self._fail(f"more than {MAX_VALUES:,} values once aliases are expanded", event)

    def _read_scalar(self, event: Any) -> Any:
        """Quoted text, plain text and decimals at once; all other scalars as the safe loader builds them."""
        value, tag = event.value, event.tag
        if tag is None or tag == "!":
            # most scalars: text, by its quotes or by its first character
            if not event.implicit[0] or value[:1] not in _LOOKS_LIKE:
                return value
            if not value:
                # an empty value whose text is a comment for YAML: `selector: #ads`
                mark = event.start_mark
                rest = "".join(self.text.split("\n")[mark.line : mark.line + 1])[mark.column :]
                if message := _explain_comment(rest):
                    self._fail(message, event)
            if len(value) > _MOST_DIGITS and _LIKE_NUMBERS.fullmatch(value):
                self._fail(f"a number has at most {_MOST_DIGITS} digits; a text stands in quotes", event)
            number = _DECIMAL.match(value)
            if number:
                return float(value) if number[1] else int(value)
            tag = self.loader.resolve(ScalarNode, value, event.implicit)
        if tag == _TEXT:
            return value
        try:
            return self.loader.construct_object(ScalarNode(tag, value, event.start_mark, event.end_mark))
        except (ValueError, OverflowError) as error:  # `2026-13-45` looks like a date and is none
            self._fail(f"{value[:40]!r}: {error}; a text stands in quotes", event)

    def _read_inside(self, values: Any, end: type[Any]) -> Any:
        """Fill a list or a mapping with what stands before its end."""
        path, next_event = self.path, self.loader.get_event
        while type(event := next_event()) is not end:
            key: Any = len(values) if end is SequenceEndEvent else self._read_key(event)
            path.append(key)
            # YAML takes the last one silently; who wrote both sees only one of them work
            if end is MappingEndEvent and key in values:
                self._fail(f"{key!r} stands here twice", event)
            if self.lines is not None:
                self.lines[tuple(path)] = event.start_mark.line + 1
            if end is SequenceEndEvent:
                values.append(self._read(event))
            else:
                values[key] = self._read(next_event())
            path.pop()
        return values

    def _read_key(self, event: Any) -> str:
        key = self._read_scalar(event) if type(event) is ScalarEvent else None
        # `no:` and `on:` would be truth values: nobody means that by a key
        if key is None or isinstance(key, bool):
            self._fail("a key is a plain word (quote it if it looks like something else)", event)
        return str(key)

    def _fail(self, message: str, event: Any) -> NoReturn:
        line = event.start_mark.line + 1
        raise RuleError(message, file=str(self.file), line=line, key=format_path(tuple(self.path)))


def format_path(path: Path_) -> str:
    """`content.gain[0].below`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.lstrip(".")


_WIDTH: Final = 110
"""Columns of a line that is written; short mappings stand in one if they leave twenty for key and indent."""


class _Dumper(yaml.SafeDumper):
    ignore_aliases = staticmethod(lambda data: True)

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        """In one line where it fits, but only the innermost mappings: longer ones are read by their indentation."""
        is_inmost = not any(isinstance(item, dict | list | tuple) for item in mapping.values())
        return super().represent_mapping(tag, mapping, is_inmost and len(repr(mapping)) < _WIDTH - 20)

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:
        """Numbers in one line."""
        return super().represent_sequence(tag, sequence, all(isinstance(item, int | float) for item in sequence))


def write_yaml(values: Any, *, header: str = "") -> str:
    """YAML in block style, with values that fit a line in flow style. header: written as comment lines."""
    comment = "".join(f"# {line}".rstrip() + "\n" for line in header.splitlines())
    return comment + yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
