"""Rule files of sites that a person goes on with.

A page -> a starter file of its site, for texts to be kept or dropped, or by what cleaning found. A class or id that a
program generated is passed over, with the evidence for that.

Site files of ftr-site-config (`host.txt`, lines of `key: value`) -> site rules. The format is that of Five Filters'
Full-Text RSS, public domain (CC0): https://help.fivefilters.org/full-text-rss/site-patterns.html. The first `body`
whose XPath matches is the content: what lies outside is dropped, what lies inside and is not stripped is kept (`prune:
no`) or given points (the default, so that cleaning may still drop parts of it). Each rule applies only where its own
XPath matches, so a page on which none matches is cleaned as if there were no rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from webclean.blocks.text_blocks import sum_subtrees
from webclean.checks import find_unusable
from webclean.decide.rule_matches import match_blocks
from webclean.errors import InputError
from webclean.matching.expressions import fold_typography
from webclean.page import CleanPage
from webclean.parse import read_attribute
from webclean.parse.url import find_registered_domain, find_registered_domain_of_host
from webclean.parse.xpath import build_xpath
from webclean.rules.files import write_yaml
from webclean.rules.rule_schema import When
from webclean.rules.schema import GeneratedNames

_PART: Final = re.compile(r"[^\W_]+")
_CHANGE: Final = re.compile(r"^(?=\d)|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")
_VOWEL: Final = re.compile(r"[aeiouy]", re.IGNORECASE)
_PIECE: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_UNLIKE_A_WORD: Final = re.compile(r"\d|[a-z][A-Z]")


def explain_generated(name: str, limits: GeneratedNames) -> str:
    """The evidence that a build or a page generated a name, such as "letters and digits mixed"; '' if it seems to last.

    Parts with letters beyond ASCII are words of some language.
    """
    parts = [part for part in _PART.findall(name) if part.isascii()]
    for before, part in pairwise(["", *parts]):
        n_digits, n, pieces = max(map(len, _DIGITS.findall(part)), default=0), len(part), _PIECE.findall(part)
        if n_digits > limits.max_digits:
            return f"a number of {n_digits} digits"
        if n >= limits.min_chars and len(_CHANGE.findall(part)) >= limits.switches:
            return "letters and digits mixed"
        if n >= max(limits.vowelless, limits.min_chars) and not part.isdigit() and not _VOWEL.search(part):
            return "no vowel"
        if len(pieces) >= limits.pieces and sum(map(len, pieces)) <= limits.piece_chars * len(pieces):
            return "capitals at random"
        if before.lower() in limits.prefixes and _UNLIKE_A_WORD.search(part):
            return f"no word after {before.lower()!r}"
    return ""


_CONTENT_SHARE: Final = 0.8
"""Of the kept words, in the smallest element that is taken for the content: captions and by-lines may stand outside."""
SAY_WHY: Final = "say why"
"""Placeholder for a reason that the author has to give; `webclean rules check` rejects it."""
_DONE: Final = {"keep": "kept", "drop": "dropped"}
_NAMELESS: Final = frozenset(
    ("html", "body", "div", "span", "p", "a", "b", "i", "em", "strong", "li", "ul", "ol", "td", "tr")
)
"""Tags that say nothing of their text; one that this page has once, other pages may have often."""
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_HEADER = """Rules for {site}, started from one page.{hint}
  webclean rules test FILE     run the tests at the end of each rule
  webclean rules check FILE    look for rules that do nothing or too much
keep beats drop. `webclean explain PAGE --text-blocks` shows why each text was kept or dropped."""
_SWITCH = "\nSwitch a rule on with `enabled: true` (or delete the line), then:"


def name_site(url: str | None) -> str:
    """The registered domain of a URL, which names the site's rule file; `example.org` without a URL."""
    return (find_registered_domain(url) if url else "") or "example.org"


@dataclass(frozen=True, slots=True)
class StarterRules:
    """A rule file for wanted texts.

    text: YAML; "" if no rule is needed. remarks: sentences for the author: why a text needs no rule, or which of
    several places one is for. rules: the rules as values, by id.
    """

    text: str
    remarks: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Place:
    """selector: of an element. passed_over: nearer names that do not last, each with what shows it."""

    selector: str
    passed_over: tuple[str, ...] = ()

    def explain(self, rule_id: str) -> str:
        """A line for the header; "" if nothing was passed over."""
        if not self.passed_over:
            return ""
        why = " Its path is not lasting either: look for a better place." if self.selector[0] == "/" else ""
        return f"\n{rule_id} passes over {', '.join(self.passed_over)}: a build or page makes such names anew.{why}"


def write_rules_for(
    page: CleanPage, keep: Sequence[str], drop: Sequence[str], file: str, page_type: str = ""
) -> StarterRules:
    """A rule, with a test, for the element around each given text that is not kept or dropped already.

    file: the page, as the tests name it. page_type: a type, subtype or label that a rule gives the page; it was cleaned
    as such. Raises `InputError` for a text that is in no text block.
    """
    columns, rules, remarks, hints = page.analysis.columns, dict[str, Any](), list[str](), ""
    if page_type:
        rules["page-type"] = write_type_rule(page, page_type, file)
    for action, texts in (("keep", keep), ("drop", drop)):
        for text in texts:
            blocks = _find_text(page, text, action)
            if not blocks:
                remarks.append(f"{text!r} is {_DONE[action]} already, so no rule is written for it")
                continue
            if len(blocks) > 1:
                more = f"stands in {len(blocks)} texts of the page that are not {_DONE[action]}"
                remarks.append(f"{text!r} {more}: the rule is for the first; quote more words to mean another")
            row = int(columns.blocks.row[blocks[0]])
            place, name = _find_place(page, row, _list_ancestors(page, row)), f"{action}-{len(rules) + 1}"
            n_texts = int(match_blocks(columns, When(selector=place.selector)).sum())
            hints += place.explain(name)
            rules[name] = {
                "description": f"{action}s {n_texts} of the {len(columns.blocks)} texts of this page",
                "when": {"selector": place.selector},
                "action": action,
                "because": SAY_WHY,
                "tests": [_start_test(page, file) | {action: [text]}],
            }
    header = _HEADER.format(site=name_site(page.url), hint=f" Say why in `because`.{hints}")
    return StarterRules(write_yaml({"rules": rules}, header=header) if rules else "", tuple(remarks), rules)


def _start_test(page: CleanPage, file: str) -> dict[str, Any]:
    # rules of a site apply by its URL, so the test has one
    return {"file": file, "url": page.url or "https://example.org/"}


def write_type_rule(page: CleanPage, page_type: str, file: str) -> dict[str, Any]:
    """A rule that gives pages like this one a type: those with the element of its content, if that has a lasting name,
    else all of the site."""
    place = find_container(page, kept=True)
    has_name = place is not None and place.selector[0] != "/"
    which = "pages with the element of the content" if has_name else "all pages: narrow them by `url`"
    return {
        "description": f"the type of {which}",
        **({"when": {"page_contains": place.selector}} if place and has_name else {}),
        "action": {"page_type": page_type},
        "because": SAY_WHY,
        "tests": [_start_test(page, file) | {"page_type": page_type}],
    }


def _find_text(page: CleanPage, text: str, action: str) -> list[int]:
    """The text blocks with a text that are not yet as wanted. Quotes and dashes of any form are alike. A text that is
    to be kept needs to be kept in one place only."""
    wanted = fold_typography(text)
    holders = [i for i, block in enumerate(page.analysis.columns.blocks.text) if wanted in fold_typography(block)]
    if not holders:
        raise InputError(f"no text block of the page holds {text!r} (webclean explain PAGE --text-blocks lists them)")
    kept = [i for i in holders if page.analysis.decisions.kept[i]]
    if action == "drop":
        return kept
    # a text may stand on a page twice (a teaser, a menu): one place is enough
    return [] if kept else holders


def _find_place(page: CleanPage, row: int, rows: Iterable[int]) -> _Place:
    """The first of some elements that has a lasting name of its own: its id, else a class, else a tag that the page has
    once; else the element `row` by its path."""
    passed: list[str] = []
    for above in rows:
        place = _name_element(page, above)
        passed += place.passed_over
        if place.selector:
            return _Place(place.selector, tuple(passed))
    return _Place(build_xpath(page.analysis.columns.document, row), tuple(passed))


def _list_ancestors(page: CleanPage, row: int) -> Iterator[int]:
    """An element and its ancestors, up to the one that contains more of other texts."""
    document, blocks = page.analysis.columns.document, page.analysis.columns.blocks
    # an element with three times as many texts is about something else, too
    most = 3 * int(np.count_nonzero((blocks.row >= row) & (blocks.row < document.end[row])))
    while row >= 0 and np.count_nonzero((blocks.row >= row) & (blocks.row < document.end[row])) <= most:
        yield row
        row = int(document.parent[row])


def write_starter(page: CleanPage, file: str) -> str:
    """YAML text: the content element as a keep rule, the largest dropped block as a drop rule, field selectors.

    file: the page, as the tests name it.
    """
    content = find_container(page, kept=True) or _Place("main")
    dropped = find_container(page, kept=False) or _Place("aside")
    lines = [text for text in page.text.splitlines() if text.strip()]
    sample = max(lines, key=len, default="")[:80]
    rules: dict[str, Any] = {
        "content": {
            "description": "the element that holds the content",
            "enabled": False,
            "when": {"selector": content.selector},
            "action": "keep",
            "because": SAY_WHY,
            "tests": [_start_test(page, file) | {"keep": [sample]}],
        },
        "noise": {
            "description": "an element that never holds content",
            "enabled": False,
            "when": {"selector": dropped.selector},
            "action": "drop",
            "because": SAY_WHY,
        },
        "title": {"enabled": False, "action": {"title": "//h1"}, "because": "the heading is the title"},
        "page-type": {**write_type_rule(page, page.page_subtype or str(page.page_type), file), "enabled": False},
    }
    hint = content.explain("content") + dropped.explain("noise") + _SWITCH
    return write_yaml({"rules": rules}, header=_HEADER.format(site=name_site(page.url), hint=hint))


def find_container(page: CleanPage, *, kept: bool) -> _Place | None:
    """The smallest element with most of the kept words, or the largest element without any."""
    own, blocks = page.analysis.decisions.kept, page.analysis.columns.blocks
    # float64 [n_elements]: the words inside each element that are kept, and those that are dropped
    n_kept, n_dropped = (
        sum_subtrees(page.analysis.columns.document, blocks.row, np.where(chosen, blocks.n_words, 0))
        for chosen in (own, ~own)
    )
    if kept and n_kept[:1].sum():
        # the last such row is the deepest: rows are in document order
        row = int(np.flatnonzero(n_kept >= _CONTENT_SHARE * n_kept[0])[-1])
        return _find_place(page, row, [row])
    without = np.where(n_kept == 0, n_dropped, 0)
    if not kept and without.any():
        row = int(np.flatnonzero(without == without.max())[-1])
        return _find_place(page, row, [row])
    return None


def _name_element(page: CleanPage, row: int) -> _Place:
    """The first name of an element that lasts; an empty selector if it has none."""
    document, limits = page.analysis.columns.document, page.analysis.rules.generated_names
    tag = document.names[row]
    names = [("#", read_attribute(document, row, "id") or "")]
    names += [(f"{tag}.", name) for name in (read_attribute(document, row, "class") or "").split()]
    passed: list[str] = []
    for sign, name in names:
        if _PLAIN_NAME.fullmatch(name):
            generated = explain_generated(name, limits)
            if not generated:
                return _Place(f"{sign}{name}", tuple(passed))
            passed.append(f"{sign}{name} ({generated})")
    is_name = tag not in _NAMELESS and document.names.count(tag) == 1
    return _Place(tag if is_name else "", tuple(passed))


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
        # of several `body` lines the first one that matches counts
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
