"""Input of a caller (bytes, a string, a path, a file object or an lxml tree) -> bytes or markup."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from lxml import etree

from webclean.errors import InputError
from webclean.parse.engines.html5 import write_tree
from webclean.parse.limits import Budget
from webclean.parse.packed import unpack

_XHTML: Final = "{http://www.w3.org/1999/xhtml}"


@runtime_checkable
class Readable(Protocol):
    """A file object, binary or text."""

    def read(self, size: int = -1, /) -> Any: ...


Input: TypeAlias = (
    "bytes | bytearray | memoryview | str | os.PathLike[str] | Readable | etree._Element | etree._ElementTree"
)
"""A string is markup, never a path; a path is a `pathlib.Path` or another `os.PathLike`. Bytes and files may be packed
by gzip or Zstandard."""

_NAME: Final = re.compile(
    r"https?://[^\s<>]{1,500}|[^\s<>]{1,250}\.(?:x?html?|shtml|mhtml|php|gz|zst|pdf|txt)", re.IGNORECASE
)
"""A string that is a URL or the name of a file, which someone gave for the page itself."""


def read_input(html: Input, budget: Budget) -> bytes | str:
    """The bytes, or the text if the input is text already; never more than `max_bytes`.

    Raises `InputError` if the input has another type, cannot be read or is a string that names a file or URL,
    `LimitExceeded` if it is too long.
    """
    maximum = budget.limits.max_bytes
    read: object
    if isinstance(html, bytes | str):  # checked first, because the check against the `Readable` protocol is slow
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
    if isinstance(read, bytes):
        read = unpack(read, maximum)
    if isinstance(read, str) and _NAME.fullmatch(read):
        raise InputError(
            f"{read!r} is no markup: for a file give pathlib.Path(...), for a URL call webclean.fetch_page(...)"
        )
    if len(read) > maximum:
        budget.exceed("max_bytes", len(read))
        return read[:maximum]
    return read


def mend_text(text: str) -> str:
    """Remove a byte-order mark at the start, which some decoders leave there, and replace each lone surrogate by U+FFFD
    (files opened with `errors="surrogateescape"` have them).
    """
    text = text.removeprefix("\ufeff")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _read_file(file: Readable, maximum: int) -> object:
    """Read until the end or one byte (or character) beyond the maximum. One `read` may return less than requested."""
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
    """The markup of an lxml tree. Trees in the XHTML namespace (html5lib's default) are serialised by html5lib."""
    root = tree.getroot() if isinstance(tree, etree._ElementTree) else tree
    if root is None:
        return ""
    if isinstance(root.tag, str) and root.tag.startswith(_XHTML):
        return write_tree(root)
    return str(etree.tostring(tree, method="html", encoding="unicode", with_tail=False))
