"""Pages of several sites -> a starter file for the software that they were made with (`rules/platforms/`).

Signs are what all pages have: what the generator says, classes and ids, directories of scripts and style sheets, names
of `meta` elements. Those with the name of the platform are sure, others may be written by any program. Names that the
pages have around text that automatic cleaning drops on each of them become a rule, switched off like the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

import msgspec
import numpy as np

from webclean.blocks.structure import sum_subtrees
from webclean.classify.platforms import find_platforms
from webclean.features.names import find_names
from webclean.page import CleanPage
from webclean.parse import find_attribute, read_attributes
from webclean.parse.columns import list_values
from webclean.parse.url import split_url
from webclean.rules.features_schema import Platform
from webclean.rules.files import write_yaml
from webclean.workbench.starter import SAY_WHY, StarterRules, explain_generated, find_container

_MOST_SIGNS: Final = 12
_MOST_SELECTORS: Final = 8
"""Of each kind, the first ones: more would not be read."""
_LEAST_CHARS: Final = 3
"""Of a sign: shorter names are words of everybody."""
_PLAIN_NAME: Final = re.compile(r"[a-z_][a-z_-]*", re.IGNORECASE)
_NOT_LETTER: Final = re.compile(r"[\W_]+")
_HEADER = """{name}, started from {n}.
Look for each sign on pages of other programs: what they have too goes, or from `surely` to `likely`, of which two are
needed. Then switch rules on with `enabled: true` (or delete the line), and:
  webclean rules test FILE     run the tests at the end of each rule
  webclean rules check FILE    look for rules that do nothing or too much"""


def name_platform(name: str) -> str:
    """The name of the file of a platform: `Example Board` -> `exampleboard`."""
    return _NOT_LETTER.sub("", name.casefold()) or "platform"


def write_platform(name: str, pages: Sequence[CleanPage], files: Sequence[str]) -> StarterRules:
    """A platform's file. name: as its makers write it. files: the pages, as the tests name them."""
    known = Counter(platform.file for page in pages for platform in page.platforms)
    runs_on = sorted(file for file, n in known.items() if n == len(pages) and file != name_platform(name))
    sure, likely = dict[str, list[str]](), dict[str, list[str]]()
    for kind, signs in _find_signs(pages, name_platform(name)).items():
        for sign in signs:
            is_sure = kind == "generator" or _is_own(sign, name_platform(name))
            (sure if is_sure else likely).setdefault(kind, []).append(sign)
    parts: dict[str, Any] = {"surely": sure, "likely": likely, "runs_on": runs_on}
    platform = {"name": name, **{part: signs for part, signs in parts.items() if signs}}
    rules = _start_rules(name_platform(name), pages, files)
    count = "one page" if len(pages) == 1 else f"{len(pages)} pages"
    text = write_yaml({"platform": platform, "rules": rules}, header=_HEADER.format(name=name, n=count))
    return StarterRules(text, tuple(_list_remarks(platform, pages)), rules)


def _list_remarks(platform: dict[str, Any], pages: Sequence[CleanPage]) -> Iterator[str]:
    if len(pages) == 1:
        yield "of one page all that looks like a sign is written, also what its site alone has: give pages of others"
    alone = {"this": msgspec.convert({**platform, "runs_on": []}, Platform)}
    missed = [number for number, page in enumerate(pages, 1) if not find_platforms(page.analysis.columns, alone)]
    if missed:
        yield f"too few signs to know page {', '.join(map(str, missed))} by: look for some in its source"
    if "runs_on" in platform:
        yield f"all pages are known as made with {', '.join(platform['runs_on'])}, on which this platform then runs"


def _is_own(sign: str, platform: str) -> bool:
    """Whether a sign has the name of the platform."""
    return platform in name_platform(sign)


def _find_signs(pages: Sequence[CleanPage], platform: str) -> dict[str, list[str]]:
    """Kind of a sign (a field of `Signs`) -> the signs that all pages have."""
    rules = pages[0].analysis.rules
    # words that cards have learnt are those of everybody
    general = {word for group in rules.word_points.names for word in group.words.split()}
    paths = _find_common(map(_read_paths, pages))
    found = {
        # what the generator says before its version
        "generator": _find_common(
            [re.split(r"\s*[v\d]*\d", said)[0].strip() for name, said in _list_metas(page) if name == "generator"]
            for page in pages
        ),
        # with a hyphen, slash or underscore: names of everybody are words
        "meta": _find_common(
            [name for name, _ in _list_metas(page) if re.search(r"[-_/]", name) and not name.startswith(_OF_EVERYBODY)]
            for page in pages
        ),
        "name": [
            name
            for name in _find_common(map(_read_names, pages))
            if _is_own(name, platform)
            or not (general.issuperset(re.split("[-_]", name)) or explain_generated(name, rules.generated_names))
        ],
        # of directories one within the other, the deepest says most
        "path": [path for path in paths if not any(other != path and other.startswith(path) for other in paths)],
    }
    return {kind: signs[:_MOST_SIGNS] for kind, signs in found.items()}


def _find_common(found: Iterable[list[str]]) -> list[str]:
    """What all have, in the order of the first."""
    first, *others = found
    return [text for text in dict.fromkeys(first) if len(text) >= _LEAST_CHARS and all(text in one for one in others)]


def _list_metas(page: CleanPage) -> list[tuple[str, str]]:
    """Name, in lower case, and content of each `meta` element with a name."""
    document = page.analysis.columns.document
    rows = [row for row in find_attribute(document, "name") if document.names[row] == "meta"]
    names, contents = (read_attributes(document, rows, attribute) for attribute in ("name", "content"))
    return list(zip(map(str.lower, names), contents, strict=True))


_OF_EVERYBODY: Final = (
    "apple-", "application-", "color-", "dc.", "format-", "google-", "handheld", "mobile-", "msapplication-",
    "msvalidate", "theme-", "twitter:", "yandex-", "facebook-", "p:domain",
)  # fmt: skip
"""Beginnings of names that say something to browsers, searchers and networks."""


def _read_names(page: CleanPage) -> list[str]:
    """Classes and ids of elements with text, and names of elements of its own; those that stand often first."""
    table = find_names(page.analysis.columns)
    counts: Counter[str] = Counter()
    for number, n_elements in zip(*np.unique(table.index, return_counts=True), strict=True):
        tag, *names = table.names[number].split() or [""]
        counts.update(dict.fromkeys([*names, *([tag] if "-" in tag else [])], int(n_elements)))
    return [name for name, _ in counts.most_common() if _PLAIN_NAME.fullmatch(name)]


def _read_paths(page: CleanPage) -> list[str]:
    """Directories of scripts, style sheets, images and frames, without their host, each with those above it."""
    document = page.analysis.columns.document
    links = [row for row in find_attribute(document, "rel") if document.names[row] == "link"]
    written = [*list_values(document, "src"), *read_attributes(document, links, "href")]
    found = []
    for url in written:
        above = [str(path) for path in PurePosixPath(split_url(url).path).parents]
        found += [f"{path.rstrip('/')}/".lower() for path in above if path not in (".", "/")]
    return found


def _start_rules(file: str, pages: Sequence[CleanPage], files: Sequence[str]) -> dict[str, Any]:
    """The type of the pages, the element of the content, what stands around it: each with a test, switched off."""
    types = Counter(page.page_subtype or str(page.page_type) for page in pages)
    (likeliest, _), *_ = types.most_common(1)
    longest = [max(page.text.splitlines(), key=len, default="").strip()[:80] for page in pages]
    tests = [{"file": name, "keep": [text] if text else []} for name, text in zip(files, longest, strict=True)]
    places = [find_container(page, kept=True) for page in pages]
    containers = {place.selector if place else "" for place in places}
    # a path is that of one page
    container = containers.pop() if len(containers) == 1 and "/" not in containers else ""
    dropped = _find_dropped(pages)
    conditions = {
        "type": ({"page_contains": container} if container else {}, {"page_type": likeliest}),
        "content": ({"selector": container}, "keep"),
        "furniture": ({"selector": dropped}, "drop"),
        "fields": ({}, {"title": "//h1"}),
    }
    wanted = {"type": True, "content": bool(container), "furniture": bool(dropped), "fields": True}
    return {
        f"{file}-{part}": {
            "enabled": False,
            **({"when": when} if when else {}),
            "action": action,
            "because": SAY_WHY,
            "tests": [{"file": name, "page_type": likeliest} for name in files] if part == "type" else tests,
        }
        for part, (when, action) in conditions.items()
        if wanted[part]
    }


def _find_dropped(pages: Sequence[CleanPage]) -> list[str]:
    """Selectors of elements that hold dropped text on each page and kept text on none, the largest first."""
    totals: Counter[str] = Counter()
    on_pages: Counter[str] = Counter()
    kept: set[str] = set()
    for page in pages:
        here: Counter[str] = Counter()
        for selector, n_kept, n_dropped in _tally(page):
            if n_kept:
                kept.add(selector)
            elif n_dropped:
                here[selector] += n_dropped
        totals.update(here)
        on_pages.update(here.keys())
    shared = (name for name, _ in totals.most_common() if name not in kept and on_pages[name] == len(pages))
    return list(shared)[:_MOST_SELECTORS]


def _tally(page: CleanPage) -> Iterator[tuple[str, int, int]]:
    """For each class and id of each element: its selector, and the words below that are kept and dropped."""
    columns, decided = page.analysis.columns, page.analysis.decisions.kept
    document, blocks = columns.document, columns.blocks
    n_kept = sum_subtrees(document, blocks.row, np.where(decided, blocks.n_words, 0))
    n_dropped = sum_subtrees(document, blocks.row, np.where(decided, 0, blocks.n_words))
    for sign, attribute in ((".", "class"), ("#", "id")):
        for row, names in zip(find_attribute(document, attribute), list_values(document, attribute), strict=True):
            for name in names.split():
                if _PLAIN_NAME.fullmatch(name):
                    yield f"{sign}{name}", int(n_kept[row]), int(n_dropped[row])
