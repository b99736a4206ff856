"""Site files of ftr-site-config (`host.txt`, lines of `key: value`) -> site rules.

The format is that of Five Filters' Full-Text RSS, public domain (CC0):
https://help.fivefilters.org/full-text-rss/site-patterns.html

The first `body` whose XPath matches is the content: what lies outside is dropped, what lies inside and is not
stripped is kept (`prune: no`) or given points (the default, so that cleaning may still drop parts of it). Each rule
applies only where its own XPath matches, so a page on which none matches is cleaned as if there were no rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from webclean.checks import find_unusable
from webclean.errors import InputError
from webclean.parse.url import find_registered_domain_of_host
from webclean.rules.files import write_yaml

BODY_POINTS: Final = 3.0
"""For what is inside the `body` of a site file, in log-odds: enough to keep what the cards are in doubt about, not what
they surely drop, since such a `body` may hold noise that its file leaves to cleaning (`prune`)."""
HEADER: Final = "Converted from ftr-site-config (CC0)."
"""First line of the files that are written: it tells them from those that a person wrote."""

_LINE: Final = re.compile(r"\s*(?P<key>[A-Za-z_]+)(?:\((?P<argument>.*)\))?\s*:\s*(?P<value>.*?)\s*\Z", re.DOTALL)
_ACTIONS: Final = {
    "title": "title",
    "date": "date",
    "author": "author",
    "next_page_link": "next_page",
    "single_page_link": "single_page",
}
"""The action for each key whose value is the XPath of a field or a link."""
_WITHOUT_EFFECT: Final = frozenset(("tidy", "parser", "autodetect_on_failure", "convert_double_br_tags", "test_url"))


class Directive(NamedTuple):
    """One line of a site file."""

    line: int
    key: str
    argument: str | None
    value: str


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """The rules for one host, what could not be converted (line, text, why), and pages to try them on."""

    rules: dict[str, dict[str, Any]]
    left_out: list[tuple[int, str, str]]
    test_urls: list[str]


def convert_site_config(text: str) -> SiteConfig:
    """Convert the text of one `host.txt`. It never raises: what cannot be converted is in `left_out`."""
    found: dict[str, list[Directive]] = {}
    rules: dict[str, dict[str, Any]] = {}
    left_out: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        match = _LINE.match(line)
        if match is not None and (match["value"] or match["key"] == "replace_string"):
            key = match["key"].lower()
            found.setdefault(key, []).append(Directive(number, key, match["argument"], match["value"]))
        elif match is None and line.strip() and not line.lstrip().startswith("#"):
            left_out.append((number, line.strip(), "not a line of `key: value`"))

    def take(key: str) -> list[Directive]:
        return found.pop(key, [])

    def leave_out(directive: Directive, why: str) -> None:
        left_out.append((directive.line, f"{directive.key}: {directive.value}", why))

    # Full-Text RSS looks for the text anywhere in class or id, so `contains` and not `=`
    names = [_quote(one.value.strip("'\"")) for one in take("strip_id_or_class")]
    strips = [_as_xpath(one.value) for one in take("strip")]
    strips += [f"//*[contains(@class, {name}) or contains(@id, {name})]" for name in names]
    for one in take("strip_attr"):
        leave_out(one, "attributes are not part of the text")
    if strips:
        rules["strip"] = {"when": {"selector": _one_or_more(strips)}, "action": "drop"}
    is_kept = any(one.value.lower() in ("no", "false", "0") for one in take("prune")[-1:])
    rules |= _write_bodies([_as_xpath(one.value) for one in take("body")], strips, is_kept=is_kept)
    images = [_quote(one.value.strip("'\"")) for one in take("strip_image_src")]
    for number, name in enumerate(images, start=1):
        path = f"//img[contains(@src, {name})]"
        rules[f"strip-image-{number}"] = {"when": {"selector": path}, "action": "drop_images"}
    conditions = [_as_xpath(one.value) for one in take("if_page_contains")]
    for key, name in _ACTIONS.items():
        is_asked = bool(conditions) and key.endswith("_link")
        asked = {"when": {"page_contains": _one_or_more(conditions)}} if is_asked else {}
        for number, one in enumerate(take(key), start=1):
            rules[f"{name.replace('_', '-')}-{number}"] = {**asked, "action": {name: _as_xpath(one.value)}}
    rules |= _write_replacements(take("find_string"), take("replace_string"), leave_out)
    test_urls = [one.value for one in take("test_url")]
    for key in found.keys() - _WITHOUT_EFFECT:
        for one in found[key]:
            leave_out(one, "webclean has nothing that does this")
    return SiteConfig(rules, sorted(left_out), test_urls)


def _write_bodies(bodies: list[str], strips: list[str], *, is_kept: bool) -> dict[str, Any]:
    """Two rules for each `body`: one for what is inside and not stripped, one for what is outside."""
    rules: dict[str, Any] = {}
    stripped = {"outside": _one_or_more(strips)} if strips else {}
    for number, path in enumerate(bodies, start=1):
        # of several `body` lines the first that matches counts
        lacks = {"page_lacks": _one_or_more(bodies[: number - 1])} if number > 1 else {}
        rules[f"body-{number}"] = {
            "when": {**lacks, "selector": path, **stripped},
            "action": "keep" if is_kept else {"points": BODY_POINTS},
        }
        outside = {"page_contains": path, **lacks, "outside": path}
        rules[f"outside-body-{number}"] = {"when": outside, "action": "drop"}
    return rules


def _write_replacements(
    finds: list[Directive], replacements: list[Directive], leave_out: Callable[[Directive, str], None]
) -> dict[str, Any]:
    """Rules for `find_string` with the `replace_string` of the same number, and for `replace_string(TEXT)`."""
    pairs = [(one.line, one.argument, one.value) for one in replacements if one.argument is not None]
    for find, by in zip_longest(finds, [one for one in replacements if one.argument is None]):
        if find and by:
            pairs.append((find.line, find.value, by.value))
        else:
            leave_out(find or by, "find_string and replace_string go in pairs")
    return {
        f"replace-{number}": {"action": {"replace": {"find": find, "by": by}}}
        for number, (_, find, by) in enumerate(sorted(pairs), start=1)
    }


def _as_xpath(value: str) -> str:
    """Site files may leave out the leading slashes and use relative paths; functions stay as they are."""
    value = value.strip()
    return value if re.match(r"[/(.]|[a-z-]+\(", value) else f"//{value}"


def _quote(text: str) -> str:
    """A string literal of XPath 1.0, which has no escapes."""
    return f"'{text}'" if "'" not in text else f'"{text}"'


def _one_or_more(values: list[str]) -> str | list[str]:
    return values[0] if len(values) == 1 else values


@dataclass(slots=True)
class Imported:
    """The rules of several files by site, pages to try them on by site, and how much there was.

    Site files are by registered domain here, by host in ftr-site-config: a site may have rules of several files.
    """

    sites: dict[str, dict[str, Any]]
    pages: dict[str, list[str]]
    n_rules: int = 0
    n_left_out: int = 0

    def add(self, path: Path) -> list[tuple[int, str, str]]:
        """Convert one file; what could not be converted: (line, text, why). Raises `InputError`."""
        try:
            made = convert_site_config(path.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from error
        # one refused XPath would make the whole site file unusable
        for (_, name, *_), message in list(find_unusable({"rules": made.rules})):
            if made.rules.pop(str(name), None) is not None:
                made.left_out.append((0, str(name), message))
        host = path.stem.lstrip(".")
        site = find_registered_domain_of_host(host)
        # a file for a part of a site is bound to it
        bound = {} if host == site else {"url": rf"^[a-z]+://([^/]*\.)?{host.replace('.', '[.]')}(/|$)"}
        for name, rule in made.rules.items():
            asked = {"when": {**bound, **rule.get("when", {})}} if bound else {}
            because = f"{host}.txt of ftr-site-config says so"
            self.sites.setdefault(site, {})[f"{host}/{name}"] = {**rule, **asked, "because": because}
        self.sites.setdefault(site, {})
        self.pages.setdefault(site, []).extend(made.test_urls)
        self.n_rules += len(made.rules)
        self.n_left_out += len(made.left_out)
        return made.left_out

    def write(self, folder: Path) -> list[Path]:
        """Write a file for each site; those that are left as they are, for they were written by hand."""
        folder.mkdir(parents=True, exist_ok=True)
        kept = []
        for site, rules in self.sites.items():
            path = folder / f"{site}.yaml"
            if rules and path.exists() and not path.read_text(encoding="utf-8").startswith(f"# {HEADER}"):
                kept.append(path)
            elif rules:
                header = "\n".join((HEADER, *(f"A page to try it on: {url}" for url in self.pages[site])))
                path.write_text(write_yaml({"rules": rules}, header=header), encoding="utf-8")
        return kept
