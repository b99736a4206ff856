"""Text and inline elements of a clean tree -> a line of Markdown that reads back as the same text.

The line is first a list of tokens: text that is written as it is, and where an element opens and closes. Which sign an
element gets depends on the characters around it, so it is chosen when all tokens are known:

    <strong>Ann</strong>s     open strong, "Ann", close strong, "s"     ->     <strong>Ann</strong>s     (not **Ann**s)

Signs and escapes of Markdown are given by `outputs.markdown`, which is asked where a text holds a character that may
need one (`Writer` there).

Enters: children of a paragraph. Leaves: text. Keep: what is written reads back as the same text, which
`tests/outputs/test_round_trip.py` asks a CommonMark parser about; a text without signs costs no call into Python.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import cython

TOKEN_TEXT = cython.declare(cython.int, 0)
TOKEN_OPEN = cython.declare(cython.int, 1)
TOKEN_CLOSE = cython.declare(cython.int, 2)


class _Token:
    """A piece of the line: text, or where the element `name` opens or closes; pair: the token of its other end."""

    kind: cython.int
    pair: cython.Py_ssize_t
    text: str
    name: str


class _Line:
    """A line that is written. delimiters: sign of an element where it may have one, emphases: those of stars."""

    tokens: list
    writer: Any
    delimiters: dict
    in_table: cython.bint


def render_line(
    children: list[Any], writer: Any, delimiters: dict[str, str], line_break: str, *, in_table: bool
) -> str:
    """One line, or several where there are line breaks.

    Args:
        children: texts and nodes.
        writer: `escape`s texts and their beginnings, and writes URLs, code, formulas.
        delimiters: name of an element -> its sign; others are written as HTML.
        line_break: what `br` becomes.
        in_table: whether the line is in a cell.
    """
    line: _Line = _Line()
    line.tokens, line.writer, line.delimiters, line.in_table = [], writer, delimiters, in_table
    if len(children) == 1 and type(children[0]) is str:  # most paragraphs: nothing to pair
        text: str = _escape_text(line, children[0])
        return (text if in_table else _escape_beginning(line, text)).strip()
    _collect_tokens(line, children, line_break)
    written: list = []
    for at in range(len(line.tokens)):
        token: _Token = line.tokens[at]
        written.append(token.text if token.kind == TOKEN_TEXT else _write_sign(line, token, at))
    return "".join(written).strip()


def _add_token(line: _Line, kind: cython.int, text: str, name: str) -> _Token:
    token: _Token = _Token()
    token.kind, token.text, token.name, token.pair = kind, text, name, -1
    line.tokens.append(token)
    return token


def _collect_tokens(line: _Line, children: list, line_break: str) -> None:
    joined: list = _join_texts(line, children)
    n: cython.Py_ssize_t = len(joined)
    for at in range(n):
        child = joined[at]
        if type(child) is str:
            _add_written_text(line, child, joined[at + 1] if at + 1 < n else None)
        else:
            _collect_element(line, child, child.name, line_break)


def _add_written_text(line: _Line, child: str, following: Any) -> None:
    """Add a text; its beginning is escaped where it begins the line, or one after a line break."""
    text: str = _escape_text(line, child)
    token: _Token
    starts: cython.bint = True
    # "!" before a link would make an image of it
    if child.endswith("!") and following is not None and type(following) is not str and following.name == "a":
        text = f"{text[: len(text) - 1]}\\!"
    for token in line.tokens:
        if token.kind != TOKEN_OPEN:
            starts = False
            break
    # text after a line break begins a line of the source, where `1.` or `#` would make a list or heading
    if not starts:
        token = line.tokens[len(line.tokens) - 1]
        starts = token.text == "\\\n"
    _add_token(line, TOKEN_TEXT, _escape_beginning(line, text) if starts and not line.in_table else text, "")


def _collect_element(line: _Line, child: Any, name: str, line_break: str) -> None:
    if name == "br":
        _add_token(line, TOKEN_TEXT, line_break, "")
    elif name == "img":
        alt: str = _escape_text(line, child.attributes.get("alt", ""))
        src: str = child.attributes["src"]
        target: str = line.writer.write_data(src) if src.startswith("data:") else _write_target(line, src)
        _add_token(line, TOKEN_TEXT, f"![{alt}]({target})", "")
    elif name == "math":
        _add_token(line, TOKEN_TEXT, line.writer.write_formula(child, line.in_table), "")
    elif name == "noteref":
        _add_token(line, TOKEN_TEXT, f"[^{child.attributes['label']}]", "")
    elif name == "code":
        follows_code: cython.bint = False
        opened = len(line.tokens)
        if opened:
            token: _Token = line.tokens[opened - 1]
            follows_code = token.text.endswith("`")
        _add_token(line, TOKEN_TEXT, line.writer.write_code(child, line.in_table, follows_code=follows_code), "")
    elif name == "a":
        _add_token(line, TOKEN_TEXT, "[", "")
        # some readers end a link's text at a line break
        _collect_tokens(line, child.children, " " if line_break == "\\\n" else line_break)
        _add_token(line, TOKEN_TEXT, f"]({_write_target(line, child.attributes['href'])})", "")
    else:
        opened = len(line.tokens)
        token = _add_token(line, TOKEN_OPEN, "", name)
        _collect_tokens(line, child.children, line_break)
        token.pair = len(line.tokens)
        _add_token(line, TOKEN_CLOSE, "", name).pair = opened


def _join_texts(line: _Line, children: list) -> list:
    """The same, adjacent texts as one, also of ruby and abbreviations: `9` and `. ` start a list together."""
    joined: list = []
    last: Any = None
    for child in children:
        inner = [child]
        if type(child) is not str and child.name == "ruby":
            inner = _join_texts(line, line.writer.list_ruby(child))
        elif type(child) is not str and child.name == "abbr":
            inner = _join_texts(line, child.children)
        for piece in inner:
            if type(piece) is str and type(last) is str:
                last = last + piece
                joined[len(joined) - 1] = last
            else:
                last = piece
                joined.append(piece)
    return joined


def _escape_text(line: _Line, text: str) -> str:
    """A text with its signs escaped; one that has none of those that may need it, as it is."""
    n_dollars: cython.int = 0
    for char in text:
        # letters first, the most frequent ones by name: this is asked of each character of a page
        if char > "~" or char in " etaoinshrdlucmfwypvbgk.,":
            continue
        if char in "\\`*[]<~_&" or (char == "|" and line.in_table):
            return line.writer.escape(text, line.in_table)
        if char == "$":
            n_dollars += 1
            if n_dollars > 1:
                return line.writer.escape(text, line.in_table)
    return text


def _escape_beginning(line: _Line, text: str) -> str:
    """The beginning of a line with a sign escaped that would make a heading, list, quotation or underline of it."""
    if not text:
        return text
    first: cython.Py_UCS4 = text[0]
    return line.writer.escape_beginning(text) if first in "#-+>=" or first.isdecimal() else text


def _write_target(line: _Line, url: str) -> str:
    """A link destination."""
    for char in url:
        if char in " ()<>\\|`&":
            return line.writer.write_url(url)
    return url


def _write_sign(line: _Line, token: _Token, at: cython.Py_ssize_t) -> str:
    """The sign that opens or closes an element."""
    first: cython.Py_ssize_t = at if token.kind == TOKEN_OPEN else token.pair
    last: cython.Py_ssize_t = token.pair if token.kind == TOKEN_OPEN else at
    if token.name in line.delimiters and _is_flanking(line, first, last):
        # as HTML where it would not be read as emphasis: Markdown allows both (CommonMark 6.6)
        return line.delimiters[token.name]
    return f"</{token.name}>" if token.kind == TOKEN_CLOSE else f"<{token.name}>"


def _is_flanking(line: _Line, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.bint:
    """Whether delimiters around the tokens from first to last would be read as emphasis, given the characters beside
    them (left- and right-flanking delimiter runs, CommonMark 6.2)."""
    if first > 0:
        token: _Token = line.tokens[first - 1]
        # `*a**b*`: two runs of stars in a row would be read as one
        if token.kind == TOKEN_CLOSE:
            return False
    if last + 1 < len(line.tokens):
        token = line.tokens[last + 1]
        if token.kind == TOKEN_OPEN:
            return False
    if _starts_first(line, first, last):
        return False
    start: str = _find_written(line, first, 1)
    end: str = _find_written(line, last, -1)
    if not start or not end:
        return False
    head: cython.Py_UCS4 = start[0]
    tail: cython.Py_UCS4 = end[len(end) - 1]
    text: str = _find_written(line, first, -1) or " "
    before: cython.Py_UCS4 = text[len(text) - 1]
    text = _find_written(line, last, 1) or " "
    after: cython.Py_UCS4 = text[0]
    if head.isspace() or tail.isspace():
        return False
    # left-flanking: a sign at the beginning needs white space or a sign before the delimiter; right-flanking likewise
    opens: cython.bint = not _is_sign(head) or before.isspace() or _is_sign(before)
    closes: cython.bint = not _is_sign(tail) or after.isspace() or _is_sign(after)
    return opens and closes


def _starts_first(line: _Line, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.bint:
    """Whether an element starts where another one does in which more emphasis follows: of a run of three stars, the
    later ones could close the wrong one (`***a* b *c***`)."""
    if first == 0:
        return False
    token: _Token = line.tokens[first - 1]
    if token.kind != TOKEN_OPEN:
        return False
    for at in range(last + 1, token.pair):
        token = line.tokens[at]
        if token.kind == TOKEN_OPEN and token.name in ("strong", "em"):
            return True
    return False


def _find_written(line: _Line, at: cython.Py_ssize_t, step: cython.int) -> str:
    """What is written before (step -1) or after (step 1) a token: the nearest text, or the sign of an HTML tag; '' if
    there is nothing."""
    at += step
    while 0 <= at < len(line.tokens):
        token: _Token = line.tokens[at]
        if token.text:
            return token.text
        if token.kind != TOKEN_TEXT:
            first, last = (at, token.pair) if token.kind == TOKEN_OPEN else (token.pair, at)
            if token.name not in line.delimiters or _starts_first(line, first, last):
                return "<" if step > 0 else ">"
        at += step
    return ""


def _is_sign(character: cython.Py_UCS4) -> cython.bint:
    """Whether a character is punctuation or a symbol (Unicode categories P and S); of ASCII, all that can be seen and
    is no letter or digit."""
    if character < 128:
        return character > 32 and character != 127 and not character.isalnum()
    category: str = unicodedata.category(chr(character))
    return category[0] == "P" or category[0] == "S"
