"""Rule files -> plain mappings that remember their lines. The only place that reads YAML.

YAML is read as a node graph and turned into plain values here, so that every key keeps its line, and so that
a file is bounded before it is expanded: bytes, values (an alias counts each time it is used) and depth.
Only the safe scalar types exist; a tag that would build anything else is an error.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from webclean.errors import RuleError

MAX_BYTES: Final = 4_000_000
MAX_VALUES: Final = 200_000
MAX_DEPTH: Final = 60

Path_ = tuple[str | int, ...]
_TEXT: Final = "tag:yaml.org,2002:str"
_FLOAT: Final = "tag:yaml.org,2002:float"
_SEQUENCE: Final = "tag:yaml.org,2002:seq"
_MAPPING: Final = "tag:yaml.org,2002:map"
_DECIMAL: Final = re.compile(r"[-+]?\d+\.\d+\Z")
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, eq=False)
class RuleText:
    """One rule file: its values and the line of each key path, `("content", "gain", "below") -> 12`.

    digest: SHA-256 of the text.
    """

    file: Path
    values: dict[str, Any]
    lines: dict[Path_, int]
    digest: bytes

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


@lru_cache(maxsize=512)
def read_rule_file(path: Path) -> RuleText:
    """Read one file. Raises `RuleError` with file and line for anything that is not a safe, bounded mapping."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise RuleError(f"{size:,} bytes: a rule file has at most {MAX_BYTES:,}", file=str(path))
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RuleError(error.strerror or str(error), file=str(path)) from error
    except UnicodeDecodeError as error:
        raise RuleError(f"not UTF-8: {error.reason} at byte {error.start}", file=str(path)) from error
    return read_rule_text(text, path)


def read_rule_text(text: str, path: Path) -> RuleText:
    """Read rules from a string; `path` names it in errors."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        reader = _NodeReader(loader, path)
        values = {} if node is None else reader.read(node, (), 0)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise RuleError(
            " ".join(part for part in (error.context, error.problem) if part),
            file=str(path),
            line=mark.line + 1 if mark else 0,
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        message = " ".join(str(error).split()) or "nested too deep"
        raise RuleError(f"not YAML that can be read: {message}", file=str(path)) from error
    finally:
        loader.dispose()
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise RuleError("a rule file is a mapping of sections", file=str(path), line=1)
    return RuleText(path, values, reader.lines, hashlib.sha256(text.encode()).digest())


@dataclass(slots=True)
class _NodeReader:
    """Turns a node graph into plain values, counting as it goes."""

    loader: Any
    file: Path
    lines: dict[Path_, int] = field(default_factory=dict)
    n_values: int = 0

    def read(self, node: Node, path: Path_, depth: int) -> Any:
        self.n_values += 1
        if self.n_values > MAX_VALUES:
            raise self._error(f"more than {MAX_VALUES:,} values once aliases are expanded", node, path)
        if depth > MAX_DEPTH:
            raise self._error(f"nested deeper than {MAX_DEPTH} levels (or an alias of its own parent)", node, path)
        if isinstance(node, ScalarNode):
            return self._read_scalar(node)
        if isinstance(node, SequenceNode):
            if node.tag != _SEQUENCE:
                raise self._refuse_tag(node, path)
            return [self._item(item, (*path, number), depth) for number, item in enumerate(node.value)]
        if node.tag != _MAPPING:
            raise self._refuse_tag(node, path)
        assert isinstance(node, MappingNode)
        return self._read_mapping(node, path, depth)

    def _read_scalar(self, node: ScalarNode) -> Any:
        """Text and plain decimals at once; all other scalars as the safe loader builds them."""
        if node.tag == _TEXT:
            return node.value
        if node.tag == _FLOAT and _DECIMAL.match(node.value):
            return float(node.value)
        return self.loader.construct_object(node)

    def _item(self, node: Node, path: Path_, depth: int) -> Any:
        self.lines[path] = node.start_mark.line + 1
        return self.read(node, path, depth + 1)

    def _read_mapping(self, node: MappingNode, path: Path_, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if key_node.tag == _TEXT else self._read_key(key_node, path)
            below = (*path, key)
            if key in values:
                raise self._error(f"{key!r} stands here twice", key_node, below)
            self.lines[below] = key_node.start_mark.line + 1
            values[key] = self.read(value_node, below, depth + 1)
        return values

    def _read_key(self, node: Node, path: Path_) -> str:
        key = self._read_scalar(node) if isinstance(node, ScalarNode) else None
        if key is None or isinstance(key, bool):
            raise self._error("a key is a plain word (quote it if it looks like something else)", node, path)
        return str(key)

    def _refuse_tag(self, node: Node, path: Path_) -> RuleError:
        return self._error(f"tag {node.tag!r} is not allowed: rules are plain values", node, path)

    def _error(self, message: str, node: Node, path: Path_) -> RuleError:
        return RuleError(message, file=str(self.file), line=node.start_mark.line + 1, key=format_path(path))


def format_path(path: Path_) -> str:
    """`content.gain[0].below`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.lstrip(".")
