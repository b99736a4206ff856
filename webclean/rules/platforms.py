"""Files in `platforms/` -> which platform each is about, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from webclean.errors import RuleError
from webclean.rules.files import RuleText, format_path
from webclean.rules.layers import merge_values
from webclean.rules.platform_schema import Platform
from webclean.rules.validate import find_faults

_BEFORE_THE_BLOCKS: Final = ("replace", "unwrap", "drop_images")
"""Actions that edit the page before its platform is known."""


def read_platform(texts: Sequence[RuleText]) -> Platform:
    """The platform that the files of one name are about, one of each folder, the last of which wins. Raises
    `RuleError`."""
    for text in texts:
        _check_actions(text)
    merged = merge_values(_read_section(text) for text in texts)
    try:
        return msgspec.convert(merged, Platform)
    except (msgspec.ValidationError, ValueError) as error:
        path, message = next(find_faults(merged, Platform, ("platform",)), (("platform",), str(error)))
        last = texts[-1]
        raise RuleError(message, file=str(last.file), line=last.find_line(path), key=format_path(path)) from error


def _read_section(text: RuleText) -> dict[str, Any]:
    section = text.values.get("platform", {})
    if not isinstance(section, dict):
        raise RuleError("`platform` is a mapping", file=str(text.file), line=text.find_line(("platform",)))
    return section


def _check_actions(text: RuleText) -> None:
    rules = text.values.get("rules")
    for name, rule in rules.items() if isinstance(rules, dict) else ():
        action = rule.get("action") if isinstance(rule, dict) else None
        for edit in _BEFORE_THE_BLOCKS:
            if action == edit or (isinstance(action, dict) and edit in action):
                line = text.find_line(("rules", name, "action"))
                message = f"{edit!r} edits a page before its platform is known: it belongs in the file of a site"
                raise RuleError(message, file=str(text.file), line=line)
