"""What tools leave in a page: the names that they give the parts of what they write (rules, `tools`), as patterns, and
the elements that have them; preformatted text without what a tool adds to it (numbers of lines, headers, buttons, text
for a pointer that rests on it), with its programming language, and what is code though it stands in no `pre`; and the
direction in which the kept text runs (right to left for Arabic, Hebrew and the like).

    <table> <tr> <td class="blob-num"> <td> line        GitHub, GitLab
    <div class="cm-content"> <div> line                 editors
    <div> <code> line <br> line </code> </div>          code that fills its block, several lines or set as a block
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, compress, islice
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow import Node
from webclean.parse import climb, count_tags, find_attribute, find_texts, read_attribute
from webclean.parse.columns import list_holding, list_undefined, list_values, mark_slices
from webclean.parse.tags import BLOCK, CODE, HEADING, N_CODES, tag_mask
from webclean.rules import load_rules
from webclean.rules.page_schema import Tools
from webclean.rules.rule_schema import cached_per_rule_set

# matches nowhere: an empty list of names must not match everywhere, as an empty expression does
_NOTHING = re.compile(r"(?!)")


class Conventions:
    """The names of `Tools`, and a pattern for each list of names of classes or parts of texts. language: its first
    group is the language. settings: finds what scripts that draw formulas are set up by, 0 for all, 1 for AsciiMath.
    sought: of each attribute in `_SOUGHT`, what finds the names of its lists, and the tags of these."""

    def __init__(self, tools: Tools) -> None:
        self.names = tools
        self.patterns = {
            **{
                name: _match_classes(getattr(tools, name), within)
                for within, names in _CLASSES.items()
                for name in names.split()
            },
            **{name: _match_any(map(re.escape, getattr(tools, name))) for name in _PARTS.split()},
            "picture_blanks": _match_any(rf"/{re.escape(name)}\.\w{{3,4}}(?:\?|$)" for name in tools.picture_blanks),
        }
        self.language = _match_language(tools.language_classes)
        settings = [(name.casefold(), 0) for name in tools.formula_settings]
        settings += [(name.casefold(), 1) for name in tools.asciimath_settings]
        names, numbers = map(list, zip(*settings, strict=True)) if settings else ([], [])
        self.settings: Any = core.LiteralSet(names, numbers, [False] * len(names))
        self.sought: list[tuple[str, Any, NDArray[np.uint8]]] = []
        for attribute, lists in _SOUGHT.items():
            # as the values stand in the markup, where of the signs that a name may have `&` alone is escaped
            forms = [
                part.strip("*").casefold().replace("&", "&amp;") for name in lists for part in getattr(tools, name)
            ]
            at = [number for number, name in enumerate(lists) for _ in getattr(tools, name)]
            found = core.LiteralSet(forms, at, [False] * len(forms))
            self.sought.append((attribute, found, np.array([*lists.values()]).view(np.uint8)))


_CLASSES: Final = {
    "_-": "line_numbers code_extras code_lines callout_titles comment_heads formula_elements picture_previews "
    "drawn_formulas display_formulas",
    "": "code_blocks comments formula_images",
}
"""Signs that separate names within a class -> lists of `Tools` of names of classes that are so told."""
_PARTS: Final = "note_headings formula_scripts formula_sources asciimath_scripts"
"""Lists of parts of texts and addresses."""


def find_conventions(tools: Tools | None) -> Conventions:
    """The patterns of some rules; None: of the shipped ones."""
    return _read_conventions(tools or load_rules().tools)


_read_conventions: Final = cached_per_rule_set(Conventions)


_ANY: Final = np.ones(N_CODES, dtype=bool)
_IMAGE: Final = tag_mask("img")
_SOUGHT: Final = {
    "class": {
        "notes": _ANY,
        "callouts": tag_mask("div aside section"),
        "text_extras": _ANY,
        "line_keepers": _ANY,
        "formula_images": _IMAGE,  # `tex` stands in every class of a `text`
        "code_extras": _ANY,
        "code_blocks": BLOCK,
        "line_numbers": _ANY,
        "comments": BLOCK,
    },
    "id": {"notes": _ANY},
    "src": {"formula_sources": _IMAGE},
}
"""Attribute -> lists of `Tools` whose names it may have, though on most pages it has none, and the tags of the elements
that are asked for each."""


@cached_per_page
def find_named(document: Document, conventions: Conventions) -> dict[str, set[int]]:
    """List of `Tools` -> the elements in whose class, id or `src` one of its names occurs, in any case, of the tags in
    `_SOUGHT`. Of the names of whole classes that is more than the elements that have them."""
    found = defaultdict(set)
    table: Any = document.attrs
    for attribute, sought, tags in conventions.sought:
        names = [*_SOUGHT[attribute]]
        for row, number in sought.find_rows(table.found, attribute, tags):
            found[names[number]].add(row)
    return found


def has_class(document: Document, row: int, conventions: Conventions, name: str) -> bool:
    """Whether the class of an element has one of the names of a list of `Tools`."""
    return conventions.patterns[name].search(read_attribute(document, row, "class") or "") is not None


def _match_classes(names: Iterable[str], within: str) -> re.Pattern[str]:
    """Any of some names in the value of `class`. within: signs that separate names within a class."""
    return _match_any(
        rf"(?<!\S){re.escape(name[:-1])}"
        if name.endswith("*")
        else rf"(?<![^\s{within}]){re.escape(name)}(?![^\s{within}])"
        for name in names
    )


def _match_language(beginnings: Iterable[str]) -> re.Pattern[str]:
    """A pattern for the word that follows one of some beginnings in a `class`: the longest one, with no other behind
    it."""
    # the longest first: `language-` before `lang`
    forms = sorted(beginnings, key=len, reverse=True)
    other = "|".join(map(re.escape, forms))
    before = "|".join(re.escape(form.rstrip()) + (r"\s+" if form != form.rstrip() else r"\s*") for form in forms)
    return re.compile(rf"(?<!\S)(?:{before})(?!{other})([A-Za-z][\w+#.-]{{0,30}})") if forms else _NOTHING


def _match_any(forms: Iterable[str]) -> re.Pattern[str]:
    whole = "|".join(forms)
    return re.compile(whole, re.IGNORECASE) if whole else _NOTHING


def list_children(document: Document, row: int) -> Iterator[int]:
    """The elements directly in an element, in order."""
    at, end = row + 1, document.end.item(row)
    while at < end:
        yield at
        at = document.end.item(at)


def list_texts(document: Document, row: int) -> Iterator[str]:
    """The text nodes below an element, in order."""
    end = int(document.end[row])
    return (document.text[at] for at in find_texts(document, row, end) if row <= document.text_owner[at] < end)


def read_words(document: Document, row: int) -> str:
    """The text in an element, with single spaces."""
    return " ".join("".join(list_texts(document, row)).split())


def has_text(document: Document, first: int, end: int) -> bool:
    """Whether a text begins in some rows."""
    return any(document.text[at].strip() for at in find_texts(document, first, end))


PREFORMATTED: Final = frozenset(("pre", "listing", "xmp", "plaintext"))

_LEVELS_ABOVE: Final = 3
_ELEMENTS_BELOW: Final = 4
"""How far from a `pre` its tool may have put a class: highlighters wrap it (`div.highlight > div.code > pre`) or write
`code` or a `span` for the whole text into it; further away, a class is of the page."""
# CSS Basic User Interface 4, 6.1; what cannot be selected is no part of what is copied
_UNSELECTABLE: Final = re.compile(r"user-select\s*:\s*none")
# CSS Display 3 and CSS Text 3: boxes and white space as those of `pre`
_SET_AS_BLOCK: Final = re.compile(r"display\s*:\s*block|white-space\s*:\s*pre(?![-\w])")
_LANGUAGE: Final = re.compile(r"[\w+#.-]+")
_NEVER_IN_CODE: Final = tag_mask("p ul ol dl img figure article form video")
_MAY_HOLD_LINES: Final = tag_mask("div section article main figure body center blockquote li td")


def find_code(document: Document, blocks: TextBlocks, filled: Mask, conventions: Conventions) -> dict[int, str]:
    """Row -> `pre`, for elements that hold code as `pre` does, but have another name. None holds a `pre`."""
    named, undefined = find_named(document, conventions)["code_blocks"], list_undefined(document)
    # what a tool names as its code, by class or as an element of its own
    found = {row for row in named if has_class(document, row, conventions, "code_blocks")}
    names = {*conventions.names.code_elements}
    found.update(
        row for name, rows in undefined.items() if not names.isdisjoint((name, *name.split("-"))) for row in rows
    )
    # an element with what no code has is around code and more
    inside = {row: document.tag[row + 1 : document.end.item(row)] for row in found}
    found = {row for row, tags in inside.items() if not (HEADING[tags] | _NEVER_IN_CODE[tags]).any()}
    found |= {*_find_numbered_tables(document, conventions), *_find_whole_blocks(document, blocks, conventions)}
    code: dict[int, str] = {}
    for row in found:
        # a `pre` inside is the code, but where an editor sets each line so
        inner = [at for at in range(row, document.end.item(row)) if document.names[at] in PREFORMATTED]
        if filled[row] and all(at > row and has_class(document, at, conventions, "code_lines") for at in inner):
            code[row] = "pre"
    return code


def _find_numbered_tables(document: Document, conventions: Conventions) -> list[int]:
    """Tables in which each row is the number of a line and the line."""
    cells = (row for row in find_named(document, conventions)["line_numbers"] if document.names[row] == "td")
    numbered = {document.parent.item(cell) for cell in cells if has_class(document, cell, conventions, "line_numbers")}
    found = Counter(next((at for at in climb(document, row) if document.names[at] == "table"), 0) for row in numbered)
    return [row for row, n in found.items() if document.names[row : document.end.item(row)].count("tr") == n and row]


def _find_whole_blocks(document: Document, blocks: TextBlocks, conventions: Conventions) -> set[int]:
    """`code` elements that are set as a block or hold several lines, where all of their text block is such code."""
    if not count_tags(document)[CODE["code"]]:
        return set()
    found: list[int] = []
    names = set(conventions.names.code_displays)
    for row in (document.tag == CODE["code"]).nonzero()[0].tolist():
        above, end = document.tag[document.parent[row]], document.end.item(row)
        # most are a word in a paragraph; code within code is text for a pointer that rests on it
        if not BLOCK[above] or (found and row < document.end[found[-1]]):
            continue
        classes, style = (read_attribute(document, row, name) or "" for name in ("class", "style"))
        is_set = not names.isdisjoint(classes.lower().split()) or _SET_AS_BLOCK.search(style)
        # several lines, by elements; or by line breaks where it is in no paragraph, which has none
        has_lines = not {"br", "div"}.isdisjoint(document.names[row + 1 : end])
        if is_set or has_lines or (_MAY_HOLD_LINES[above] and "\n" in "".join(list_texts(document, row)).strip()):
            found.append(row)
    rows = np.asarray(found, dtype=np.intp)
    inside = mark_slices(rows, document.end[rows], len(document))[document.text_owner]
    # blocks with a text outside of all such code
    torn = set(blocks.block_of[(blocks.block_of >= 0) & ~inside].tolist()) if found else set()
    ends = document.end[rows].tolist()
    owned = {
        row: [at for at in find_texts(document, row, end) if inside[at]] for row, end in zip(found, ends, strict=True)
    }
    return {row for row, nodes in owned.items() if torn.isdisjoint(blocks.block_of[nodes].tolist())}


def read_code(document: Document, kept: Mask, row: int, conventions: Conventions) -> str:
    """The kept text of a preformatted element with its lines and indentation unchanged; '' if it is only the line
    numbers of another."""
    extras, numbered = find_added(document, conventions)
    text = _render(document, kept, row, extras, numbered)
    # if nothing on the page can be selected, that says nothing about its parts
    text = text or _render(document, kept, row, frozenset(), numbered)
    # highlighters set code as a table of two cells: all numbers in one `pre`, all lines in another
    lines = text.split()
    are_numbers = bool(lines) and all(map(str.isdecimal, lines))
    # 1, 2, 3, ... and named so by a class nearby; a column of figures is text
    if not are_numbers or lines != [str(int(lines[0]) + at) for at in range(len(lines))]:
        return text
    below = _list_first(document, row)
    near = (*below, *islice(climb(document, row), 1, 2 * _ELEMENTS_BELOW - len(below) + 1))
    return "" if any(has_class(document, at, conventions, "line_numbers") for at in near) else text


def _render(document: Document, kept: Mask, row: int, extras: frozenset[int], numbered: frozenset[int]) -> str:
    end = document.end.item(row)
    has_extras = not extras.isdisjoint(range(row + 1, end))

    def find_added_above(node: int) -> int:
        # text that is no number is code, whatever its class says
        own = numbered if document.text[node].strip().isdecimal() else frozenset()
        above = (at for at in climb(document, int(document.text_owner[node]), row) if at in extras or at in own)
        return max(above, default=-1)

    nodes = find_texts(document, row, end)
    is_pre = document.names[row] in PREFORMATTED
    return cast("str", core.join_preformatted(document.page, kept, row, nodes, find_added_above, has_extras, is_pre))


@cached_per_page
def find_added(document: Document, conventions: Conventions) -> tuple[frozenset[int], frozenset[int]]:
    """Elements that are no code where they stand in code: buttons, headers, what cannot be selected; and those whose
    numbers are numbers of lines."""
    named = find_named(document, conventions)
    extras = {row for row in named["code_extras"] if has_class(document, row, conventions, "code_extras")}
    extras |= {row for row, style in list_holding(document, "style", "user-select") if _UNSELECTABLE.search(style)}
    if count_tags(document)[CODE["button"]]:
        extras.update((document.tag == CODE["button"]).nonzero()[0].tolist())
    extras.update(_find_headers(document, conventions))
    numbered = (row for row in named["line_numbers"] if has_class(document, row, conventions, "line_numbers"))
    return frozenset(extras), frozenset(numbered)


def _find_headers(document: Document, conventions: Conventions) -> Iterator[int]:
    """Elements with what copies or names the code, in a `pre` whose code stands in a `code` of its own.

    <pre> <div> <span>python</span> <button>Copy</button> </div> <div> <code> ... </code> </div> </pre>
    """
    n_tags = count_tags(document)
    for row in (document.tag == CODE["pre"]).nonzero()[0].tolist() if n_tags[CODE["code"]] else ():
        end = document.end.item(row)
        codes = [at for at in range(row + 1, end) if document.tag[at] == CODE["code"]]
        if len(codes) != 1 or codes[0] == row + 1:
            continue
        after = document.end.item(codes[0])
        # a prompt is no block, and stands in the line of the code
        for at in (*range(row + 1, codes[0]), *range(after, end)):
            is_beside = document.end[at] <= codes[0] or at >= after
            if is_beside and (BLOCK[document.tag[at]] or is_label(read_words(document, at), conventions)):
                yield at


def is_label(words: str, conventions: Conventions) -> bool:
    """Whether a text beside code copies, runs or counts it, or is the name of a language."""
    words = words.lower().strip(" :\u2026.")
    names = conventions.names
    return words in names.code_labels or words in names.code_languages or bool(_COUNT.fullmatch(words))


_COUNT: Final = re.compile(r"\d+ (?:lines?|loc|zeilen?|lignes?|líneas?|linhas?|righe|строк[аи]?)|\d+ ?行")
"""How many lines code has."""


def find_labels(document: Document, filled: Mask, conventions: Conventions) -> set[int]:
    """Elements around code that hold its language, or what copies it, and nothing else.

    <div> <div>java <button>Copy</button></div> <pre>...</pre> </div>
    """
    found: set[int] = set()
    if not count_tags(document)[CODE["pre"]]:
        return found
    extras, _ = find_added(document, conventions)
    for code in ((document.tag == CODE["pre"]) & filled).nonzero()[0].tolist():
        end, labels = document.end.item(code), set()
        for above in islice(climb(document, code), 1, _LEVELS_ABOVE + 1):
            # not those of the code: it may have thousands
            for node in chain(
                find_texts(document, above, code), find_texts(document, end - 1, document.end.item(above))
            ):
                owner, text = document.text_owner.item(node), document.text[node].strip().lower()
                if not text or not above <= owner < document.end[above] or code <= owner < end:
                    continue
                is_known = is_label(text, conventions) or not extras.isdisjoint(climb(document, owner, above))
                # a longer text is a text about the code
                if owner == above or not (is_known or text == find_language(document, code, conventions)):
                    break
                labels.add(owner)
            else:
                found |= labels
                continue
            break
    return found


def _list_first(document: Document, row: int) -> range:
    return range(row, min(document.end.item(row), row + _ELEMENTS_BELOW))


def find_language(document: Document, row: int, conventions: Conventions) -> str:
    """The language named on the `pre`, on the first elements in it or the nearest around it; '' if there is none."""
    names, inside = conventions.names.language_attributes, range(row + 1, document.end.item(row))
    # behind a header that a tool wrote into the `pre`
    code = [at for at in inside if document.tag[at] == CODE["code"]][:1] if len(inside) >= _ELEMENTS_BELOW else []
    for near in (*_list_first(document, row), *code, *islice(climb(document, row), 1, _LEVELS_ABOVE + 1)):
        # of an element that HTML defines, `lang` is the language of people
        told = names if document.tag[near] else (*names, "lang", "language")
        said = ((read_attribute(document, near, name) or "").strip() for name in told)
        by_class = conventions.language.search(read_attribute(document, near, "class") or "")
        found = next(filter(None, said), by_class[1] if by_class else "")
        if found:
            language = found.lower()
            is_none = language in conventions.names.no_languages or not _LANGUAGE.fullmatch(language)
            return "" if is_none else language
    return ""


# CSS Text 3, 3.1, and 4, 3.1: `pre`, `pre-wrap`, `pre-line`, `preserve-breaks`
_KEEPS_LINES: Final = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces)")


def find_kept_lines(document: Document, conventions: Conventions) -> set[int]:
    """The text nodes whose line breaks are line breaks of the page, for a style or a class says so."""
    rows = {row for row, style in list_holding(document, "style", "white-space") if _KEEPS_LINES.search(style)}
    names, named = {*conventions.names.line_keepers}, find_named(document, conventions)["line_keepers"]
    # without the screens that Tailwind sets before one: `md:whitespace-pre-line`
    classes = ((row, (read_attribute(document, row, "class") or "").split()) for row in named)
    rows.update(row for row, words in classes if any(word.rpartition(":")[2].strip("!") in names for word in words))
    if not rows:
        return set()
    first = np.array(sorted(rows), dtype=np.intp)
    keeps = mark_slices(first, document.end[first], len(document))[document.text_owner]
    return {node for node in keeps.nonzero()[0].tolist() if "\n" in document.text[node]}


def split_lines(text: str) -> Iterator[str | Node]:
    """The lines of a text whose line breaks are kept, with a `br` between them that says where a line is empty."""
    done = 0
    for found in _LINE_ENDS.finditer(text):
        yield text[done : found.start()]
        yield Node("br", {"gap": ""} if found[0].count("\n") > 1 else {})
        done = found.end()
    yield text[done:]


_LINE_ENDS: Final = re.compile(r"[^\S\n]*\n\s*")
DIRECTIONS: Final = frozenset(("ltr", "rtl"))
# Hebrew, Arabic, Syriac, Thaana, N'Ko, and the presentation forms of the first two
_RIGHT_TO_LEFT: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAMPLE: Final = 4000
"""So many characters of the kept text are looked at."""


def find_directions(document: Document, blocks: TextBlocks, kept: Mask) -> tuple[str, dict[int, str]]:
    """`rtl` or `ltr`: what `html` or `body` declares, otherwise the direction of most letters; and row -> the direction
    that it declares."""
    values = zip(find_attribute(document, "dir"), list_values(document, "dir"), strict=True)
    declared = {row: value for row, text in values if (value := text.strip().lower()) in DIRECTIONS}
    for row, value in declared.items():
        if document.names[row] in ("html", "body"):
            return value, declared
    # the direction of the kept text counts: a page in Arabic may have a menu in English
    text = "".join(compress(blocks.text, kept.tolist()))[:_SAMPLE]
    # no letter of ASCII runs from right to left
    n_right = 0 if text.isascii() else len(_RIGHT_TO_LEFT.findall(text))
    return "rtl" if n_right and 2 * n_right > len(_LETTER.findall(text)) else "ltr", declared
