"""Rules that users keep: their own folders, and site rules of ftr-site-config.

Site rules of ftr-site-config (`host.txt`, lines of `key: value`) become rules of webclean. The format is that of Five
Filters' Full-Text RSS, public domain (CC0): https://help.fivefilters.org/full-text-rss/site-patterns.html

The first `body` whose XPath matches is the content: what lies outside is dropped, what lies inside and is not
stripped is kept (`prune: no`) or given points (the default, so that cleaning may still drop parts of it). Each rule
applies only where its own XPath matches, so a page on which none matches is cleaned as if there were no rules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

VARIABLE: Final = "WEBCLEAN_RULES"


def find_user_folders() -> list[Path]:
    """The folders of `$WEBCLEAN_RULES` (separated like `$PATH`), else `~/.config/webclean/rules` where it exists."""
    # set and empty: no folders at all
    named = os.environ.get(VARIABLE)
    if named is not None:
        return [Path(folder) for folder in named.split(os.pathsep) if folder]
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    folder = Path(config) / "webclean" / "rules"
    return [folder] if folder.is_dir() else []


BODY_POINTS: Final = 3.0
"""For what is inside the `body` of a site file, in log-odds: enough to keep what the cards are in doubt about, not what
they surely drop, since such a `body` may hold noise that its file leaves to cleaning (`prune`)."""

_LINE: Final = re.compile(r"\s*(?P<key>[A-Za-z_]+)(?:\((?P<argument>.*)\))?\s*:\s*(?P<value>.*?)\s*\Z", re.DOTALL)
_FIELDS: Final = {"title": "title", "date": "date", "author": "author"}
_LINKS: Final = {"next_page_link": "next_page", "single_page_link": "single_page"}
_WITHOUT_EFFECT: Final = frozenset(("tidy", "parser", "autodetect_on_failure", "convert_double_br_tags", "test_url"))


@dataclass(frozen=True, slots=True)
class Directive:
    """One line of a site file."""

    line: int
    key: str
    argument: str | None
    value: str


@dataclass(slots=True)
class Conversion:
    """Rules for one site, and what could not be converted: (line, text, why)."""

    rules: dict[str, dict[str, Any]] = field(default_factory=dict)
    left_out: list[tuple[int, str, str]] = field(default_factory=list)
    test_urls: list[str] = field(default_factory=list)


def convert_site_config(text: str) -> Conversion:
    """Convert the text of one `host.txt`. Never raises: what cannot be converted is in `left_out`."""
    made = Conversion()
    found: dict[str, list[Directive]] = {}
    for directive in _read_directives(text, made):
        found.setdefault(directive.key, []).append(directive)
    strips = [path for key in ("strip", "strip_id_or_class", "strip_attr") for path in _strip_paths(found, key, made)]
    if strips:
        made.rules["strip"] = {"when": {"selector": _one_or_more(strips)}, "action": "drop"}
    _convert_bodies(found.pop("body", []), strips, found, made)
    _convert_images(found.pop("strip_image_src", []), made)
    _convert_fields(found, made)
    _convert_replacements(found, made)
    made.test_urls = [directive.value for directive in found.pop("test_url", [])]
    for key, directives in found.items():
        if key not in _WITHOUT_EFFECT:
            made.left_out += [(s.line, f"{key}: {s.value}", "webclean has nothing that does this") for s in directives]
    made.left_out.sort()
    return made


def _read_directives(text: str, made: Conversion) -> Iterable[Directive]:
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            made.left_out.append((number, line.strip(), "not a line of `key: value`"))
        elif match["value"] or match["key"] == "replace_string":
            yield Directive(number, match["key"].lower(), match["argument"], match["value"])


def _strip_paths(found: dict[str, list[Directive]], key: str, made: Conversion) -> list[str]:
    paths = []
    for directive in found.pop(key, []):
        if key == "strip":
            paths.append(_as_xpath(directive.value))
        elif key == "strip_id_or_class":
            # Full-Text RSS looks for the text anywhere in class or id, so `contains` and not `=`
            quoted = _quote(directive.value.strip("'\""))
            paths.append(f"//*[contains(@class, {quoted}) or contains(@id, {quoted})]")
        else:
            made.left_out.append((directive.line, f"{key}: {directive.value}", "attributes are not part of the text"))
    return paths


def _convert_bodies(
    bodies: list[Directive], strips: list[str], found: dict[str, list[Directive]], made: Conversion
) -> None:
    prune = found.pop("prune", [])
    kept = bool(prune) and prune[-1].value.lower() in ("no", "false", "0")
    before: list[str] = []
    for number, directive in enumerate(bodies, start=1):
        path = _as_xpath(directive.value)
        # of several `body` lines the first that matches counts
        lacks = {"page_lacks": _one_or_more(before)} if before else {}
        outside = {"outside": _one_or_more(strips)} if strips else {}
        made.rules[f"body-{number}"] = {
            "when": {**lacks, "selector": path, **outside},
            "action": "keep" if kept else {"points": BODY_POINTS},
        }
        made.rules[f"outside-body-{number}"] = {
            "when": {"page_contains": path, **lacks, "outside": path},
            "action": "drop",
        }
        before.append(path)


def _convert_images(directives: list[Directive], made: Conversion) -> None:
    for number, directive in enumerate(directives, start=1):
        name = directive.value.strip("'\"")
        made.rules[f"strip-image-{number}"] = {
            "when": {"selector": f"//img[contains(@src, {_quote(name)})]"},
            "action": "drop_images",
        }


def _convert_fields(found: dict[str, list[Directive]], made: Conversion) -> None:
    conditions = [_as_xpath(directive.value) for directive in found.pop("if_page_contains", [])]
    for key, name in {**_FIELDS, **_LINKS}.items():
        for number, directive in enumerate(found.pop(key, []), start=1):
            when = {"page_contains": _one_or_more(conditions)} if conditions and key in _LINKS else {}
            rule: dict[str, Any] = {"action": {name: _as_xpath(directive.value)}}
            made.rules[f"{name.replace('_', '-')}-{number}"] = {"when": when, **rule} if when else rule


def _convert_replacements(found: dict[str, list[Directive]], made: Conversion) -> None:
    finds = found.pop("find_string", [])
    pairs = [(s.line, s.argument, s.value) for s in found.get("replace_string", []) if s.argument is not None]
    plain = [s for s in found.pop("replace_string", []) if s.argument is None]
    pairs += [(find.line, find.value, by.value) for find, by in zip(finds, plain, strict=False)]
    for extra in (finds if len(finds) > len(plain) else plain)[min(len(finds), len(plain)) :]:
        made.left_out.append((extra.line, f"{extra.key}: {extra.value}", "find_string and replace_string go in pairs"))
    for number, (_, find, by) in enumerate(sorted(pairs), start=1):
        made.rules[f"replace-{number}"] = {"action": {"replace": {"find": find, "by": by}}}


def _as_xpath(value: str) -> str:
    """Site files may leave out the leading slashes and use relative paths; functions stay as they are."""
    value = value.strip()
    return value if re.match(r"[/(.]|[a-z-]+\(", value) else f"//{value}"


def _quote(text: str) -> str:
    """A string literal of XPath 1.0, which has no escapes."""
    return f"'{text}'" if "'" not in text else f'"{text}"'


def _one_or_more(values: list[str]) -> str | list[str]:
    return values[0] if len(values) == 1 else values
