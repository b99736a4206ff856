"""Plain values -> YAML text that reads well: short mappings and lists of scalars in one line."""

from __future__ import annotations

from typing import Any, Final

import yaml

_WIDTH: Final = 110


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def write_yaml(values: Any, *, header: str = "") -> str:
    """YAML in block style, with values that fit a line in flow style. header: written as comment lines."""
    comment = "".join(f"# {line}".rstrip() + "\n" for line in header.splitlines())
    return comment + yaml.dump(
        _mark(values), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH, default_flow_style=False
    )


class _Flow(dict[str, Any]):
    """A mapping written in one line."""


class _FlowList(list[Any]):
    """Numbers written in one line."""


def _mark(value: Any) -> Any:
    """Mark the innermost mappings that fit a line."""
    if isinstance(value, dict):
        inside = {key: _mark(item) for key, item in value.items()}
        plain = all(not isinstance(item, dict | list | tuple) for item in value.values())
        return _Flow(inside) if plain and value and len(repr(value)) < _WIDTH - 20 else inside
    if isinstance(value, list | tuple):
        marked = [_mark(item) for item in value]
        return _FlowList(marked) if all(isinstance(item, int | float) for item in value) else marked
    return value


_Dumper.add_representer(
    _Flow, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True)
)
_Dumper.add_representer(
    _FlowList, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)
)
