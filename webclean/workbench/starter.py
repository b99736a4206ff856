"""Texts of a page that are to be kept or dropped -> a rule file of its site, with a test for each.

A class or id that a program generated is passed over, with the evidence for that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np

from webclean.blocks.text_blocks import sum_subtrees
from webclean.decide.rule_matches import match_blocks
from webclean.errors import InputError
from webclean.matching.expressions import fold_typography
from webclean.page import CleanPage
from webclean.parse import read_attribute
from webclean.parse.url import find_registered_domain
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
            (selector, passed), name = _find_place(page, row), f"{action}-{len(rules) + 1}"
            n_texts = int(match_blocks(columns, When(selector=selector)).sum())
            if passed:
                why = " Its path is not lasting either: look for a better place." if selector[0] == "/" else ""
                hints += f"\n{name} passes over {', '.join(passed)}: a build or page makes such names anew.{why}"
            rules[name] = {
                "description": f"{action}s {n_texts} of the {len(columns.blocks)} texts of this page",
                "when": {"selector": selector},
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
    columns, kept = page.analysis.columns, page.analysis.decisions.kept
    # float64 [n_elements]: the kept words inside of each element
    n_kept = sum_subtrees(columns.document, columns.blocks.row, columns.blocks.n_words * kept)
    # the last such row is the deepest: rows are in document order
    rows = np.flatnonzero(n_kept >= max(1.0, _CONTENT_SHARE * n_kept[:1].sum())).tolist()
    selector = _name_element(page, rows[-1])[0] if rows else ""
    which = "pages with the element of the content" if selector else "all pages: narrow them by `url`"
    return {
        "description": f"the type of {which}",
        **({"when": {"page_contains": selector}} if selector else {}),
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


def _find_place(page: CleanPage, row: int) -> tuple[str, list[str]]:
    """The innermost of an element and those around it that has a lasting name of its own: its id, else a class, else a
    tag that the page has once; else the element by its path. And nearer names that do not last, with what shows it."""
    document, texts = page.analysis.columns.document, page.analysis.columns.blocks.row
    passed, above = list[str](), row
    # an element with three times as many texts is about something else, too
    most = 3 * int(np.count_nonzero((texts >= row) & (texts < document.end[row])))
    while above >= 0 and np.count_nonzero((texts >= above) & (texts < document.end[above])) <= most:
        selector, passed_over = _name_element(page, above)
        passed += passed_over
        if selector:
            return selector, passed
        above = int(document.parent[above])
    return build_xpath(document, row), passed


def _name_element(page: CleanPage, row: int) -> tuple[str, list[str]]:
    """The first name of an element that lasts, '' if it has none; and those that do not."""
    document, limits = page.analysis.columns.document, page.analysis.rules.generated_names
    tag = document.names[row]
    names = [("#", read_attribute(document, row, "id") or "")]
    names += [(f"{tag}.", name) for name in (read_attribute(document, row, "class") or "").split()]
    passed: list[str] = []
    for sign, name in names:
        if _PLAIN_NAME.fullmatch(name):
            generated = explain_generated(name, limits)
            if not generated:
                return f"{sign}{name}", passed
            passed.append(f"{sign}{name} ({generated})")
    is_name = tag not in _NAMELESS and document.names.count(tag) == 1
    return tag if is_name else "", passed
