"""Text and inline elements -> a line of Markdown that reads back as the same text.

In Markdown, `*` starts or ends emphasis only at certain places, which depend on the characters on both sides of it
(left- and right-flanking delimiter runs, CommonMark 6.2). Elsewhere the element is written as an HTML tag, which
Markdown allows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from webclean.outputs.flow.nodes import Node, list_ruby, read_text, write_formula

_DELIMITERS: Final = {"strong": "**", "em": "*", "del": "~~"}
_SPECIAL: Final = re.compile(r"\\|`|\*|\[|\]|<|~|_(?:(?<![^\W_]_)|(?![^\W_]))|&(?=#?\w{1,40};)")
"""Signs that would be syntax; `_` only at the edge of a word. Each alternative begins with its sign, for then the
expression passes over all other characters at once."""
_FORMULA: Final = re.compile(r"\$(?=\$?\S(?:[^$]*\S)?\$)")
"""A dollar sign that would be read as the start of a formula."""
_LINE_START: Final = re.compile(r"(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|={1,}\s*$|-{2,}\s*$)")
_ORDERED_START: Final = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_BACKTICKS: Final = re.compile(r"`+")
_URL_UNSAFE: Final = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "|": "%7C", "`": "%60"}
)
_ENTITY: Final = re.compile(r"&(?=#?\w{1,40};)")


@dataclass(slots=True)
class _Token:
    """A piece of the line. kind: `text` (written as it is), `open` or `close` of the element `name`."""

    kind: str
    text: str = ""
    name: str = ""
    pair: int = -1


def render_inline(children: list[Node | str], *, line_break: str = "\\\n", in_table: bool = False) -> str:
    """One line, or several where there are line breaks."""
    if len(children) == 1 and type(children[0]) is str:  # most paragraphs: nothing to pair
        text = _escape(children[0], in_table)
        return (text if in_table else _escape_start(text)).strip()
    tokens: list[_Token] = []
    _collect(children, tokens, line_break, in_table)
    written = [token.text if token.kind == "text" else _write_token(tokens, at) for at, token in enumerate(tokens)]
    return "".join(written).strip()


def _collect(children: list[Node | str], tokens: list[_Token], line_break: str, in_table: bool) -> None:
    joined = _join_texts(children)
    for at, child in enumerate(joined):
        if isinstance(child, str):
            following = joined[at + 1] if at + 1 < len(joined) else None
            text = _escape(child, in_table)
            if child.endswith("!") and isinstance(following, Node) and following.name == "a":
                text = f"{text[:-1]}\\!"
            starts = all(token.kind == "open" for token in tokens) or (tokens[-1].text == "\\\n")
            tokens.append(_Token("text", _escape_start(text) if starts and not in_table else text))
        elif child.name == "br":
            tokens.append(_Token("text", line_break))
        elif child.name == "img":
            alt = _escape(child.attributes.get("alt", ""), in_table)
            tokens.append(_Token("text", f"![{alt}]({_write_url(child.attributes['src'])})"))
        elif child.name == "math":
            tokens.append(_Token("text", _write_formula(child, in_table)))
        elif child.name == "noteref":
            tokens.append(_Token("text", f"[^{child.attributes['label']}]"))
        elif child.name == "code":
            follows_code = bool(tokens) and tokens[-1].text.endswith("`")
            tokens.append(_Token("text", _write_code(read_text(child), in_table, follows_code=follows_code)))
        elif child.name == "a":
            tokens.append(_Token("text", "["))
            _collect(child.children, tokens, " " if line_break == "\\\n" else line_break, in_table)
            tokens.append(_Token("text", f"]({_write_url(child.attributes['href'])})"))
        else:
            opened = len(tokens)
            tokens.append(_Token("open", name=child.name))
            _collect(child.children, tokens, line_break, in_table)
            tokens[opened].pair = len(tokens)
            tokens.append(_Token("close", name=child.name, pair=opened))


def _join_texts(children: Iterable[Node | str]) -> list[Node | str]:
    """The same, adjacent texts as one, also of ruby and abbreviations: `9` and `. ` start a list together."""
    joined: list[Node | str] = []
    for child in children:
        if isinstance(child, Node) and child.name in ("ruby", "abbr"):
            inner = _join_texts(list_ruby(child) if child.name == "ruby" else child.children)
        else:
            inner = [child]
        for piece in inner:
            last = joined[-1] if joined else None
            if isinstance(piece, str) and isinstance(last, str):
                joined[-1] = last + piece
            else:
                joined.append(piece)
    return joined


def _write_formula(node: Node, in_table: bool) -> str:
    written = write_formula(node)
    return written.replace("|", "\\|") if in_table else written


def _write_token(tokens: list[_Token], at: int) -> str:
    """The sign that opens or closes an element."""
    token = tokens[at]
    first, last = (at, token.pair) if token.kind == "open" else (token.pair, at)
    delimiter = _DELIMITERS.get(token.name)
    if delimiter and _flanks(tokens, first, last):
        return delimiter
    return f"<{'/' if token.kind == 'close' else ''}{token.name}>"


def _flanks(tokens: list[_Token], first: int, last: int) -> bool:
    """Whether delimiters around `tokens[first:last]` would be read as emphasis, given the adjacent characters."""
    if any(tokens[at].kind == "close" for at in (first - 1,) if at >= 0):
        return False
    if any(tokens[at].kind == "open" for at in (last + 1,) if at < len(tokens)):
        return False
    if _starts_first(tokens, first, last):
        return False
    start, end = _find_text(tokens, first, 1), _find_text(tokens, last, -1)
    if start is None or end is None:
        return False
    head, tail = start[0], end[-1]
    before, after = (_find_text(tokens, first, -1) or " ")[-1], (_find_text(tokens, last, 1) or " ")[0]
    if head.isspace() or tail.isspace():
        return False
    opens = not _is_punctuation(head) or before.isspace() or _is_punctuation(before)
    closes = not _is_punctuation(tail) or after.isspace() or _is_punctuation(after)
    return opens and closes


def _starts_first(tokens: list[_Token], first: int, last: int) -> bool:
    """Whether an element starts where another one does in which more emphasis follows: of a run of three stars, the
    later ones could close the wrong one (`***a* b *c***`)."""
    if not first or tokens[first - 1].kind != "open":
        return False
    rest = tokens[last + 1 : tokens[first - 1].pair]
    return any(token.kind == "open" and token.name in ("strong", "em") for token in rest)


def _find_text(tokens: list[_Token], at: int, step: int) -> str | None:
    """What is written before (step -1) or after (step 1) a token: the nearest text, or the sign of an HTML tag."""
    at += step
    while 0 <= at < len(tokens):
        token = tokens[at]
        if token.text:
            return token.text
        if token.kind != "text":
            pair = (at, token.pair) if token.kind == "open" else (token.pair, at)
            if token.name not in _DELIMITERS or _starts_first(tokens, *pair):
                return "<" if step > 0 else ">"
        at += step
    return None


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _escape(text: str, in_table: bool) -> str:
    escaped = _SPECIAL.sub(r"\\\g<0>", text)
    if text.count("$") > 1:
        escaped = _FORMULA.sub(r"\\\g<0>", escaped)
    return escaped.replace("|", "\\|") if in_table else escaped


def _escape_start(text: str) -> str:
    """Escape the start of a line that would be read as a heading, list, quotation or underline."""
    if _LINE_START.match(text):
        return f"\\{text}"
    return _ORDERED_START.sub(r"\1\\\2", text, count=1) if _ORDERED_START.match(text) else text


def _write_code(text: str, in_table: bool, *, follows_code: bool) -> str:
    """A code span; as an HTML element if a code span is just before it, because the backticks would run together."""
    text = " ".join(text.split())
    if follows_code:
        return f"<code>{_escape(text, in_table)}</code>"
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text.replace('|', chr(92) + '|') if in_table else text}{pad}{fence}"


def _write_url(url: str) -> str:
    """A link destination, in which characters that would end it are percent-encoded (RFC 3986, 2.1)."""
    written = url.translate(_URL_UNSAFE)
    return _ENTITY.sub("&amp;", written) if "&" in written else written
