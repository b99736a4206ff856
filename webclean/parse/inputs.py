"""What a caller hands in -> bytes or markup: bytes, a string, a path, a file object or an lxml tree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import html5lib
from lxml import etree

from webclean.errors import InputError
from webclean.parse.limits import Budget

_XHTML: Final = "{http://www.w3.org/1999/xhtml}"


@runtime_checkable
class Readable(Protocol):
    """A file object, binary or text."""

    def read(self, size: int = -1, /) -> Any: ...


Input: TypeAlias = (
    "bytes | bytearray | memoryview | str | os.PathLike[str] | Readable | etree._Element | etree._ElementTree"
)
"""A string is markup, never a path; a path is a `pathlib.Path` or another `os.PathLike`."""


def read_input(html: Input, budget: Budget) -> bytes | str:
    """Bytes as they came, or text that needs no decoding; never more than `max_bytes`.

    Raises `InputError` for what is none of the inputs or cannot be read, `LimitExceeded` for too much of it.
    """
    maximum = budget.limits.max_bytes
    read: object
    if isinstance(html, bytes | str):  # asked first: what follows is slow to ask
        read = html
    elif isinstance(html, os.PathLike):
        try:
            with Path(html).open("rb") as file:
                read = file.read(maximum + 1)
        except OSError as error:
            raise InputError(f"cannot read {os.fspath(html)}: {error.strerror or error}") from error
    elif isinstance(html, etree._Element | etree._ElementTree):
        read = write_markup(html)
    elif isinstance(html, Readable):
        read = _read_file(html, maximum)
    else:
        read = html
    if isinstance(read, bytearray | memoryview):
        read = bytes(read)
    if not isinstance(read, bytes | str):
        raise InputError(f"a page is bytes, a string, a path, a file object or an lxml tree, not {type(read).__name__}")
    if len(read) > maximum:
        budget.exceed("max_bytes", len(read))
        return read[:maximum]
    return read


def mend_text(text: str) -> str:
    """The text without a byte-order mark at its start, which a decoder left there, and without halves of pairs, as a
    file opened with `surrogateescape` has them: each becomes U+FFFD.
    """
    text = text.removeprefix("\ufeff")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _read_file(file: Readable, maximum: int) -> object:
    """Read up to one byte (or character) over the maximum: a file may return less than asked for."""
    parts: list[Any] = []
    n_read = 0
    try:
        while n_read <= maximum:
            part = file.read(maximum + 1 - n_read)
            if not isinstance(part, bytes | str):
                raise InputError(f"the file object gave {type(part).__name__}, not bytes or text")
            if not part:
                break
            parts.append(part)
            n_read += len(part)
    except (OSError, ValueError) as error:
        raise error if isinstance(error, InputError) else InputError(f"cannot read the file object: {error}") from error
    return type(parts[0])().join(parts) if parts else b""


def write_markup(tree: etree._Element | etree._ElementTree) -> str:
    """Markup of an lxml tree; trees with the XHTML namespace (html5lib's default) are written by html5lib."""
    root = tree.getroot() if isinstance(tree, etree._ElementTree) else tree
    if root is None:
        return ""
    if isinstance(root.tag, str) and root.tag.startswith(_XHTML):
        return str(html5lib.serialize(root, tree="lxml", omit_optional_tags=False, quote_attr_values="always"))
    return str(etree.tostring(tree, method="html", encoding="unicode", with_tail=False))
