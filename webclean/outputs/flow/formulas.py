r"""Document -> its formulas: TeX, MathML if the page has it, and the rows that show them; and texts with TeX between
delimiters -> pieces of text and formulas.

A page may hold one formula several times: as TeX for the script that draws it, as MathML for screen readers, and as
spans or a picture for the eye. All of these become one formula.

    <span class="katex"> <span> <math> ... <annotation encoding="application/x-tex"> </math> </span>     KaTeX
                         <span aria-hidden="true"> spans </span> </span>
    <span class="MathJax"> spans </span> <script type="math/tex">                                        MathJax 2
    <mjx-container> <mjx-math aria-hidden="true"> <mjx-assistive-mml> <math>                             MathJax 3
    <span> <math alttext="..."> <img alt="..."> </span>                                                  Wikipedia

From a MathML element the search climbs as long as everything else in the element above is a copy for the eye: hidden
from screen readers, or a picture with the same TeX. No class names are needed for that.

A picture's alternative text is TeX where it holds a command with its argument. `\( \)`, `\[ \]` and `$$ $$` are read on
every page if what is between them can be TeX; `$ $` and the backticks of AsciiMath only where a script that draws such
formulas, or an element made for them, says so. AsciiMath stays as the author wrote it, which readers of TeX can read.

MathML becomes clean nodes with only names of MathML 3 and the attributes that change what a formula says
or how it is set: nothing in them can load or run anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import parse_qs, unquote

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow import Node
from webclean.outputs.flow.mathml import read_drawn, read_mathml
from webclean.outputs.flow.tex import TABLES, write_tex
from webclean.outputs.flow.tools import Conventions, find_named, has_class, list_texts, read_words
from webclean.parse import climb, count_tags, find_attribute, find_texts, read_attribute
from webclean.parse.columns import list_holding, list_undefined, read_formula_scripts
from webclean.parse.controls import drop_controls
from webclean.parse.tags import BLOCK, CODE
from webclean.parse.url import split_url

# Wikipedia writes it around every formula; whether it is displayed is said by its element
_DISPLAY_STYLE: Final = re.compile(r"\{\s*\\(?:displaystyle|textstyle)\s+(.*)\}", re.DOTALL)
# a command with its argument, which no path such as C:\\Users has
_COMMAND: Final = re.compile(r"\\[a-zA-Z]+\*?\s*\{")
_DELIMITED: Final = re.compile(r"\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$(.*)\$)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula. first, end: the rows that show it."""

    first: int
    end: int
    tex: str
    is_display: bool
    mathml: Node | None = None

    def make_node(self) -> Node:
        """The node of the flow tree: `tex`, `display`, and the presentation MathML of the page below it."""
        attributes = {"tex": self.tex, **({"display": "block"} if self.is_display else {})}
        return Node("math", attributes, list(self.mathml.children) if self.mathml else [])


def find_formulas(document: Document, blocks: TextBlocks, kept: Mask, conventions: Conventions) -> dict[int, Formula]:
    """First row -> formula, of those that stand in kept text, or by themselves just before or after it; none lies
    inside another."""
    candidates, found = [*_list_candidates(document, conventions)], {}
    covered = np.zeros(len(document) if candidates else 0, dtype=bool)
    starts = document.text_next[blocks.first]
    for formula in candidates:
        # the surer source of a formula that the page has twice came first
        if not formula.tex or covered[formula.first : formula.end].any():
            continue
        covered[formula.first : formula.end] = True
        after = int(np.searchsorted(starts, formula.first, side="right"))
        near = [at for at in (after - 1, after) if 0 <= at < len(blocks)]
        # a formula without text of its own (a picture) goes with the text of its block, else with a neighbour
        around = [at for at in near if blocks.row[at] == document.block[formula.first]]
        if kept[around or near].any():
            found[formula.first] = formula
    return dict(sorted(found.items()))


def _list_candidates(document: Document, conventions: Conventions) -> Iterator[Formula]:
    """The surest source first."""
    n_tags = count_tags(document)
    scripts = read_formula_scripts(document) if n_tags[CODE["script"]] else {}
    marks = {*conventions.names.formula_attributes, *conventions.names.formula_texts}
    if n_tags[CODE["math"]] or scripts or not marks.isdisjoint(document.attrs.found.names):
        yield from _list_marked(document, conventions)
    for row in list_undefined(document).get("mjx-container", ()):
        drawn = read_drawn(document, row)
        tex, is_display = write_tex(drawn).strip(), _is_display(document, row, conventions)
        yield Formula(row, int(document.end[row]), tex, is_display, drawn)
    if n_tags[CODE["img"]]:
        for row, alt in (*list_holding(document, "alt", "\\"), *list_holding(document, "alt", "$")):
            is_tex = _COMMAND.search(alt) or (_DELIMITED.fullmatch(alt) and _LOOKS_LIKE_TEX.search(alt))
            if document.tag[row] == CODE["img"] and is_tex and _is_balanced(alt):
                yield Formula(row, row + 1, clean_tex(alt), not read_words(document, int(document.block[row])))
        named = find_named(document, conventions)
        images = sorted(named["formula_images"] | named["formula_sources"])
        yield from filter(None, (_read_image(document, row, conventions) for row in images))


def _list_marked(document: Document, conventions: Conventions) -> Iterator[Formula]:
    """Formulas in scripts, in elements that an attribute marks, and in MathML."""
    for row, source in read_formula_scripts(document).items():
        mode = read_attribute(document, row, "type") or ""
        if "mml" not in mode.lower():
            # MathJax 2 draws before the script: the spans are a copy for the eye, and their text would be there twice
            first = _find_drawn(document, row, conventions)
            yield Formula(first, row + 1, clean_tex(source), "display" in mode)
    for name in conventions.names.formula_attributes:
        for row in find_attribute(document, name):
            tex = clean_tex(read_attribute(document, row, name) or "")
            yield Formula(row, int(document.end[row]), tex, _is_display(document, row, conventions))
    for name in conventions.names.formula_texts:
        for row in find_attribute(document, name):
            is_display = read_attribute(document, row, name) == "display"
            yield Formula(row, int(document.end[row]), clean_tex("".join(list_texts(document, row))), is_display)
    done = 0
    for row in (document.tag == CODE["math"]).nonzero()[0].tolist():
        if row >= done:  # one inside another is part of it
            done = int(document.end[row])
            yield _read_element(document, row, conventions)


@cached_per_page
def list_formulaic(document: Document) -> list[int]:
    """The text blocks that may be or hold a formula between signs."""
    found: list[int] = core.list_formulaic(document.page.block_texts)
    return found


def _find_drawn(document: Document, row: int, conventions: Conventions) -> int:
    """The first row of what is drawn just before its script, else the row of the script."""
    above, first = int(document.parent[row]), row
    while first - 1 > above:
        sibling = next(at for at in climb(document, first - 1) if document.parent[at] == above)
        is_drawn = has_class(document, sibling, conventions, "drawn_formulas")
        if document.names[sibling] != "mjx-container" and not is_drawn:
            break
        first = sibling
    return first


def _read_element(document: Document, row: int, conventions: Conventions) -> Formula:
    """A MathML element, with all around it that shows the same."""
    mathml = read_mathml(document, row)
    inside = range(row, int(document.end[row]))
    notes = (at for at in inside if document.names[at] == "annotation")
    written = (at for at in notes if "tex" in (read_attribute(document, at, "encoding") or "").lower())
    tex = next((clean_tex("".join(list_texts(document, at))) for at in written), "")
    tex = tex or clean_tex(read_attribute(document, row, "alttext") or "")
    # the surest first: what the author wrote, then what the page says it is, then what it looks like
    told = (read_attribute(document, document.parent.item(row), name) for name in conventions.names.formula_entries)
    tex = tex or next((clean_tex(value) for value in told if value), "") or write_tex(mathml).strip()
    top, is_display = row, mathml.attributes.get("display") == "block" or _is_display(document, row, conventions)
    # climb out of all that draws the same formula once more
    while _repeats(document, int(document.parent[top]), top, tex):
        top = int(document.parent[top])
        is_display = is_display or _is_display(document, top, conventions)
    return Formula(top, int(document.end[top]), tex, is_display, mathml)


def _repeats(document: Document, above: int, row: int, tex: str) -> bool:
    """Whether an element holds, beside the row in it, only copies of the formula for the eye."""
    # a paragraph is text around a formula; a `div` may be the box that a tool sets it in
    if above < 0 or (BLOCK[document.tag[above]] and document.names[above] != "div"):
        return False
    start, end, inner_end = above + 1, int(document.end[above]), int(document.end[row])
    for at in (*range(start, row), *range(inner_end, end)):
        name = document.names[at]
        is_copy = name == "img" and (
            clean_tex(read_attribute(document, at, "alt") or "") == tex
            or read_attribute(document, at, "aria-hidden") == "true"
        )
        if name in ("math", "img") and not is_copy:
            return False
    owners = {
        int(document.text_owner[node])
        for node in find_texts(document, above, end)
        if above <= document.text_owner[node] < end and not document.text[node].isspace()
    }
    # text beside the formula that screen readers hear is no copy of it
    return all(
        row <= owner < inner_end
        or any(read_attribute(document, at, "aria-hidden") == "true" for at in climb(document, owner, above))
        for owner in owners
    )


def _read_image(document: Document, row: int, conventions: Conventions) -> Formula | None:
    """A picture of a formula, whose alternative text or URL holds the TeX."""
    source = read_attribute(document, row, "src") or ""
    is_formula_source = conventions.patterns["formula_sources"].search(source)
    if not is_formula_source and not has_class(document, row, conventions, "formula_images"):
        return None
    tex = clean_tex(read_attribute(document, row, "alt") or "")
    if not tex and is_formula_source:
        query = parse_qs(split_url(source).query)
        whole = "" if query else unquote(split_url(source).query)
        tex = clean_tex(next((query[name][0] for name in conventions.names.formula_parameters if name in query), whole))
    # a picture in a block without text has a line of its own
    is_display = _is_display(document, row, conventions) or not read_words(document, int(document.block[row]))
    return Formula(row, row + 1, tex, is_display) if tex else None


def _is_display(document: Document, row: int, conventions: Conventions) -> bool:
    """Whether the element, or its class, says that the formula has a line of its own."""
    is_shown = document.names[row] == "mjx-container" and read_attribute(document, row, "display") == "true"
    return is_shown or has_class(document, row, conventions, "display_formulas")


# commands with no more than names and groups behind them, which set nothing
_DEFINITIONS: Final = re.compile(
    r"\\(?:begingroup|endgroup|require|DeclareMathOperator\*?|(?:re)?newcommand\*?|[gx]?def|let|newenvironment)(?![a-zA-Z])"
    r"(?:\s*(?:\\[a-zA-Z]+|\[[^\]]*\]|#\d|=|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}))*\s*"
)
_EQUATION: Final = re.compile(r"\\begin\{(equation|displaymath|math)(\*?)\}(.*)\\end\{\1\2\}", re.DOTALL)
_LABEL: Final = re.compile(r"\\label\{[^{}]*\}")


def clean_tex(tex: str) -> str:
    """TeX without delimiters, a style for the whole of it, and empty lines; '' if it only defines commands."""
    tex = drop_controls(tex).strip()
    if found := _DELIMITED.fullmatch(tex):
        tex = next(part for part in found.groups() if part is not None).strip()
    if "\\" in tex:
        # environments of one line say the same as the delimiters of a display formula
        tex = _EQUATION.sub(lambda found: found[3], tex) if "\\begin" in tex else tex
        tex = _LABEL.sub("", tex).strip()
        tex = tex if _DEFINITIONS.sub("", tex) else ""
    # `{\displaystyle a}+{b}` has braces at both ends that are not a pair
    if (found := _DISPLAY_STYLE.fullmatch(tex)) and _is_balanced(found[1]):
        tex = found[1]
    return "\n".join(line for line in map(str.strip, tex.strip().removesuffix("%").split("\n")) if line)


def _is_balanced(tex: str) -> bool:
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return False
    return depth == 0


_ENVIRONMENTS: Final = "|".join(map(re.escape, TABLES["environments"].split()))
# read on every page, where what is between them looks like TeX
_ALWAYS: Final = re.compile(
    r"\\\((?P<i>.+?)\\\)|\\\[(?P<d>.+?)\\\]|\$\$(?P<e>[^$]+)\$\$|\$latex\s+(?P<l>[^$]+?)(?:&(?:bg|fg|s)=\w+)*\$"
    rf"|(?P<n>\\begin\{{(?P<name>(?:{_ENVIRONMENTS})\*?)\}}.+?\\end\{{(?P=name)\}})"
    r"|\[(?P<tag>i?tex|latex|math)\](?P<t>.+?)\[/(?P=tag)\]",
    re.DOTALL,
)
# no white space inside and no digit behind: `$5 and $6$` is no formula
_DOLLARS: Final = re.compile(_ALWAYS.pattern + r"|(?<![\\$])\$(?P<s>[^\s$](?:[^$]*[^\s$])?)\$(?!\d)", re.DOTALL)
_BACKTICKS: Final = re.compile(_ALWAYS.pattern + r"|`(?P<a>[^`\n]+)`", re.DOTALL)
_DISPLAYS: Final = frozenset("den")
"""Groups of what is set on a line of its own."""
# a sign that formulas have, or a variable alone
_LOOKS_LIKE_TEX: Final = re.compile(r"[\\^_={}+<>]|^\s*[A-Za-z]\s*$")
_LEVELS_ABOVE: Final = 3
"""An element made for formulas is looked for so far around a text: it holds the text, with a `span` or two between."""


@cached_per_page
def _find_delimiters(document: Document, conventions: Conventions) -> list[bool]:
    """Whether a script of the page draws formulas between dollars, and between backticks."""
    rows = (document.tag == CODE["script"]).nonzero()[0].tolist()
    sources = [read_attribute(document, row, "src") or "" for row in rows]
    # a loader with a neutral name is told by its settings, which are a script of the page itself
    set_up = {number for _, number in conventions.settings.find([document.source.markup] if rows else [])}
    patterns = conventions.patterns
    return [
        any(map(patterns[f"{kind}_scripts"].search, sources)) or number in set_up
        for number, kind in enumerate(("formula", "asciimath"))
    ]


def split_formulas(document: Document, node: int, conventions: Conventions) -> list[str | Node]:
    """The text of a node, with a node of the flow tree for each formula in it."""
    text = document.text[node]
    has_dollars, has_backticks = _find_delimiters(document, conventions)
    # a page whose script draws AsciiMath writes its formulas so, and its dollars are prices
    if has_backticks and "`" in text:
        pattern = _BACKTICKS
    else:
        # an element that is made for formulas, by its name or class, or has one just around it
        near = islice(climb(document, int(document.text_owner[node])), _LEVELS_ABOVE)
        made = conventions.patterns["formula_elements"]
        is_found = has_dollars or (
            _DOLLARS.search(text)
            and any(made.search(f"{document.names[at]} {read_attribute(document, at, 'class') or ''}") for at in near)
        )
        pattern = _DOLLARS if is_found else _ALWAYS
    pieces: list[str | Node] = []
    done = 0
    for found in pattern.finditer(text):
        name = next(name for name, value in found.groupdict().items() if value is not None and len(name) == 1)
        source = found[name]
        # prices between dollars, and brackets escaped in a text about regular expressions, are no formulas
        if name != "a" and not _LOOKS_LIKE_TEX.search(source):
            continue
        if found.start() > done:
            pieces.append(text[done : found.start()])
        done = found.end()
        # a formula that only defines commands shows nothing
        if tex := clean_tex(source):
            is_display = name in _DISPLAYS or (name == "t" and found[0] == text.strip())
            pieces.append(Formula(-1, -1, tex, is_display).make_node())
    return [*pieces, text[done:]] if done < len(text) else pieces
