"""Every setting of every section with its kind, bounds and default, in `settings.txt`: the form of a rule file.

`python -m tests.rules.settings` writes it anew after a change that is meant; the diff is what a reviewer reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from webclean.rules.published import describe_schema

KEPT = Path(__file__).parent / "settings.txt"


def list_settings() -> Iterator[str]:
    """A line a setting, without what it does."""
    for section, definition in sorted(describe_schema()["$defs"].items()):
        for key, form in definition.get("properties", {}).items():
            shown = {name: value for name, value in form.items() if name != "description"}
            yield f"{section}.{key}: {json.dumps(shown, sort_keys=True, ensure_ascii=False)}"
        yield f"{section}: {json.dumps({name: definition.get(name) for name in ('type', 'required', 'enum', 'anyOf')})}"


if __name__ == "__main__":
    KEPT.write_text("\n".join(list_settings()) + "\n", encoding="utf-8")
