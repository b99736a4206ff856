"""Markup -> how a text looks: size, weight, font, colour and background (patent A4, visual signal; S305; source C).

The look of a text is what the elements around it say, from the root down: presentational tags (`b`, `big`, `h1`),
attributes (`<font size=5 color=red>`, `bgcolor`), inline CSS, and those rules of the page's own style sheets whose
selector is one class, id or tag, for which a dictionary lookup is enough. The nearest element wins; all aspects are
inherited but the background, which shows through. So of

    <td style="font-size: 13px"><font size="5"><b>Bridge reopens</b></font></td>

the text is 24 pixels large and bold. The cascade (CSS Cascading 4: order, specificity, media) is not resolved: that
would cost more than the parse. Sizes of tags and keywords are those of the HTML standard (15.3) and CSS Fonts 4.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from webclean.model import Document
from webclean.parse import find_texts, read_attribute, read_raw
from webclean.parse.tags import HEADING
from webclean.storage import read_table

# one that does not end takes the rest of the sheet with it (CSS Syntax 3, 4.3.2)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# the lookbehind lets a selector begin only where one can, so that a page inside an unclosed `<style>` is read once
_RULE: Final = re.compile(r"(?<![^{}@;])([^{}@;]++)\{([^{}]*+)\}")
# a tag, class or id, or a tag with one of them: what a dictionary can answer
_SIMPLE: Final = re.compile(r"^(?:[a-z][a-z0-9]*|[.#][\w-]+|[a-z][a-z0-9]*[.#][\w-]+)$", re.IGNORECASE)
_TABLES: Final = read_table(__file__, "looks.toml")
_PROPERTIES: Final[dict[str, str]] = _TABLES["properties"]
_ATTRIBUTES: Final[dict[str, str]] = _TABLES["attributes"]
_OF_TAGS: Final[dict[str, dict[str, str]]] = _TABLES["elements"]
_KEYWORDS: Final[dict[str, float]] = _TABLES["keywords"]
_PIXELS: Final[dict[str, float]] = _TABLES["pixels"]
_SIZED: Final = frozenset(("font", "basefont"))
"""Elements whose `size`, `face` and `color` are of their text: that of an `input` or `hr` is its width."""
_FONT_SIZES: Final = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)
"""Pixels of `<font size=1>` to `<font size=7>`."""
# the ratio of `larger` and `smaller` in browsers (CSS Fonts 4, 2.5)
_STEP: Final = 1.2
_MEDIUM: Final = 16.0
# without a unit too, which quirks mode takes for pixels
_LENGTH: Final = re.compile(r"^(\d*\.?\d+)(px|pt|pc|em|rem|ex|%|in|cm|mm|vw)?$")
_RELATIVE: Final = {"em": 1.0, "ex": 0.5, "%": 0.01}
# from here on browsers choose the bold face (CSS Fonts 4, 5.2)
_BOLD: Final = 600
_CLEAR: Final = frozenset(("transparent", "none", "inherit", "initial", "unset", ""))
_MOST_TEXTS: Final = 300
"""Text nodes of an element that are asked for their looks."""
_DIGITS: Final = re.compile(r"\d+")

Style = Mapping[str, str]
"""Aspect (size, weight, font, colour, background) -> value as written, lower case."""


class Look(msgspec.Struct, frozen=True):
    """How a text looks. size: pixels. bold: weight of 600 or more. font, colour, background: as written, '' where the
    page says nothing."""

    size: float = _MEDIUM
    bold: bool = False
    font: str = ""
    colour: str = ""
    background: str = ""

    def list_changes(self, other: Look) -> tuple[str, ...]:
        """The aspects in which another look differs, in alphabetical order."""
        pairs = (
            ("background", self.background != other.background),
            ("colour", self.colour != other.colour),
            ("font", self.font != other.font),
            ("size", round(self.size) != round(other.size)),
            ("weight", self.bold != other.bold),
        )
        return tuple(name for name, differs in pairs if differs)


StyleSheet = Mapping[str, Style]
"""The page's own `style` elements: simple selector -> aspect -> value."""


def read_style_sheet(document: Document, max_chars: int) -> StyleSheet:
    """Read the rules with simple selectors; a sheet that would exceed `max_chars` characters in all is skipped."""
    rules: dict[str, dict[str, str]] = {}
    room = max_chars
    for text in read_raw(document, "style"):
        # skipped whole, for half a sheet may end inside a rule; a short one after it is still read
        if len(text) <= room:
            room -= len(text)
            for selectors, body in _RULE.findall(_COMMENT.sub(" ", text)):
                wanted = dict(read_declarations(body))
                for selector in selectors.split(",") if wanted else ():
                    if _SIMPLE.match(selector.strip()):
                        rules.setdefault(selector.strip(), {}).update(wanted)
    return rules


def read_declarations(body: str) -> Iterator[tuple[str, str]]:
    """(aspect, value) of the declarations of a rule or of a `style` attribute that say something of the look."""
    for declaration in body.split(";"):
        key, colon, value = declaration.partition(":")
        aspect = _PROPERTIES.get(key.strip().lower())
        # most declarations of a sheet are about layout
        if not colon or not aspect:
            continue
        value = " ".join(value.lower().replace("!important", "").split())
        if aspect == "shorthand":
            yield from _read_shorthand(value)
        else:
            yield aspect, value


def _read_shorthand(value: str) -> Iterator[tuple[str, str]]:
    """Weight, size and family of `font: bold 24px/1.2 Arial`; the size is the first length or size keyword."""
    words = value.split()
    for at, word in enumerate(words):
        size = word.partition("/")[0]
        if size in _KEYWORDS or size in ("larger", "smaller") or (_LENGTH.match(size) and not size.isdecimal()):
            yield "size", size
            if words[at + 1 :]:
                yield "font", " ".join(words[at + 1 :])
            return
        if word in ("bold", "bolder", "lighter", "normal") or word.isdecimal():
            yield "weight", word


def inherit_look(above: Look, style: Style) -> Look:
    """The look inside an element. above: the look around it. style: what it sets itself."""
    if not style:
        return above
    size, bold, font, colour, background = above.size, above.bold, above.font, above.colour, above.background
    if "size" in style:
        size = measure_size(style["size"], size)
    if "weight" in style:
        bold = is_bold(style["weight"], bold)
    if style.get("font") and style["font"] != "inherit":
        # the first family is the one that was meant, the others stand in for it
        font = style["font"].split(",")[0].strip("'\" ")
    if style.get("colour") and style["colour"] != "inherit":
        colour = style["colour"]
    if style.get("background", "") not in _CLEAR:
        background = style["background"]
    return Look(size, bold, font, colour, background)


def measure_size(value: str, around: float) -> float:
    """Pixels of a size as written. around: pixels of the text around, which relative sizes refer to."""
    if value.startswith("font "):
        return _measure_font_size(value[5:], around)
    if value in _KEYWORDS:
        return _KEYWORDS[value]
    if value in ("larger", "smaller"):
        return around * _STEP if value == "larger" else around / _STEP
    found = _LENGTH.match(value)
    if not found:
        return around
    number, unit = float(found[1]), found[2] or ""
    if unit in _RELATIVE:
        return number * _RELATIVE[unit] * around
    return number * _PIXELS[unit] if unit in _PIXELS else around


def _measure_font_size(value: str, around: float) -> float:
    """Pixels of the `size` of a `font` element: 1 to 7, or so many steps from 3 (HTML standard, 2.3.4)."""
    digits = _DIGITS.search(value)
    if not digits:
        return around
    # three digits are far beyond the largest; Python converts no number of thousands of digits
    step = int(digits[0][:3])
    if value[0] in "+-":
        step = 3 + step if value[0] == "+" else 3 - step
    return _FONT_SIZES[min(7, max(1, step)) - 1]


def is_bold(value: str, around: bool) -> bool:
    """Whether a weight as written is bold. around: whether the text around is."""
    if value in ("bold", "bolder"):
        return True
    if value in ("normal", "lighter"):
        return False
    return int(value) >= _BOLD if value.isdecimal() else around


class Looks:
    """The looks of one page's elements, each computed once, when it is asked for."""

    def __init__(self, document: Document, max_css_chars: int) -> None:
        """max_css_chars: style sheets are read up to so many characters."""
        self._document = document
        self._sheet = read_style_sheet(document, max_css_chars)
        self._known: dict[int, Look] = {-1: Look()}
        self._main: dict[int, Look] = {}

    def _find_style(self, row: int) -> Style:
        """Aspect -> value, as an element sets it by its tag, the style sheet, its attributes or its inline CSS."""
        document, name = self._document, self._document.names[row]
        style = dict(_OF_TAGS.get(name, {}))
        if self._sheet:
            classes, own_id = ((read_attribute(document, row, key) or "") for key in ("class", "id"))
            # from the general to the special, so that the special wins, as in the cascade
            signs = ([f".{part}" for part in classes.split()], [f"#{own_id}"])
            for key in (name, *(f"{tag}{sign}" for own in signs for tag in ("", name) for sign in own)):
                style.update(self._sheet.get(key, {}))
        for attribute, aspect in _ATTRIBUTES.items():
            # `size` of an `input` or `hr` is its width, not that of text
            asked = aspect == "background" or name in _SIZED
            if asked and (value := (read_attribute(document, row, attribute) or "").strip().lower()):
                style[aspect] = f"font {value}" if aspect == "size" else value
        style.update(read_declarations(read_attribute(document, row, "style") or ""))
        return style

    def find(self, row: int) -> Look:
        """The look of text directly inside an element. That of a link has the colour of the text around it."""
        document, path = self._document, []
        while row not in self._known:
            path.append(row)
            row = document.parent.item(row)
        look = self._known[row]
        for row in reversed(path):
            inside = inherit_look(look, self._find_style(row))
            # links have the colour of links: it says nothing of the text that they are in
            is_link = document.names[row] == "a"
            look = self._known[row] = msgspec.structs.replace(inside, colour=look.colour) if is_link else inside
        return look

    def find_main(self, row: int) -> Look:
        """The look of most of the text below an element (of its first texts), that of headings apart; the first of
        equals."""
        if row not in self._main:
            document = self._document
            chars: tuple[Counter[Look], Counter[Look]] = (Counter(), Counter())
            # the first texts show what the rest looks like, and sidebars may hold thousands
            for node in find_texts(document, row, document.end.item(row))[:_MOST_TEXTS]:
                owner, n_chars = document.text_owner.item(node), len("".join(document.text[node].split()))
                if n_chars and document.displayed[owner]:
                    block = document.block.item(owner)
                    # a heading looks unlike its text on every page, and would part any two sections
                    chars[block != row and bool(HEADING[document.tag[block]])][self.find(owner)] += n_chars
            counted = chars[False] or chars[True]
            self._main[row] = max(counted, key=counted.__getitem__) if counted else self.find(row)
        return self._main[row]
