"""The targets of links -> what `features.links` asks of them, each read once.

Enters: distinct targets, as written. Leaves: a column for each thing that is told of them. Keep: nothing is resolved or
decoded: what a link leads to is told by its beginning, in a time that does not grow with its query. Tested by
`tests/features` (links) and the golden columns.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

from webclean.core.characters import QUESTION, SLASH
from webclean.core.page import Page

_HASH = cython.declare(cython.uint, 35)
_COLON = cython.declare(cython.uint, 58)
_IS_SAME_PAGE = cython.declare(cython.Py_ssize_t, -1)
_IS_SCRIPT = cython.declare(cython.Py_ssize_t, -2)


def list_links(page: Page) -> Any:
    """int64 [n_links]: the elements that are links; the nearest link of such a one is itself."""
    n: cython.Py_ssize_t = 0
    for i in range(page.n_elements):
        n += page.link[i] == i
    made = np.empty(n, dtype=np.int64)
    rows: cython.longlong[::1] = made
    n = 0
    for i in range(page.n_elements):
        if page.link[i] == i:
            rows[n] = i
            n += 1
    return made


def describe_targets(
    targets: list[str],
    own: str,
    schemes: tuple[str, ...],
    same_page: cython.longlong,
    script: cython.longlong,
    relative: cython.longlong,
    find_kind: Any,
) -> Any:
    """Kind, path segments and directory of each target.

    Args:
        targets: as written.
        own: first directory of the page's path, '' for none.
        schemes: in lower case with the colon; a target with one of them is a script.
        same_page, script, relative: kinds.
        find_kind: a host, with user and port -> the kind of what leads there; asked once of each.

    Returns:
        kind: int64 [n]; length: float64 [n], path segments; is_own: bool [n], the path has the first directory `own`.
    """
    n: cython.Py_ssize_t = len(targets)
    kind_made = np.empty(n, dtype=np.int64)
    length_made = np.zeros(n, dtype=np.float64)
    is_own_made = np.zeros(n, dtype=np.uint8)
    kinds: cython.longlong[::1] = kind_made
    length: cython.double[::1] = length_made
    is_own: cython.uchar[::1] = is_own_made
    kind_of: dict = {}
    target: str
    name: str
    last: str = ""  # the host before, which most links have too
    kind: cython.longlong = -1
    for at in range(n):
        target = cython.cast(str, targets[at]).strip()
        start = _find_host(target, schemes)
        if start < 0:
            kinds[at] = same_page if start == _IS_SAME_PAGE else script
            continue
        kinds[at] = relative
        end = _find_host_end(target, start) if start else -1
        if start:
            name = target[start:end]
            if kind < 0 or name != last:
                if name not in kind_of:
                    kind_of[name] = find_kind(name)
                kind, last = kind_of[name], name
            kinds[at] = kind
        # from the slash after the host on, or from the beginning where there is none (`end` is -1 then)
        is_own[at] = _read_path(target, end + 1, own, cython.address(length[at]))
    return kind_made, length_made, is_own_made.view(np.bool_)


@cython.cfunc
def _find_host(target: str, schemes: tuple) -> cython.Py_ssize_t:
    """Where the host of a target begins; 0 for a path alone, `_IS_SAME_PAGE` or `_IS_SCRIPT` for what is neither."""
    size: cython.Py_ssize_t = PyUnicode_GET_LENGTH(target)
    width: cython.int = PyUnicode_KIND(target)
    data: cython.p_void = PyUnicode_DATA(target)
    i: cython.Py_ssize_t = 0
    if size == 0 or PyUnicode_READ(width, data, 0) == _HASH:
        return _IS_SAME_PAGE
    # the longest scheme that is looked for, `javascript:`, has its colon at the eleventh place
    while i < size and i < 11 and PyUnicode_READ(width, data, i) != _COLON:
        i += 1
    # first: two of five targets are
    if _is_web(width, data, size, i):
        return i + 3
    if i < size and i < 11 and target[: i + 1].lower() in schemes:
        return _IS_SCRIPT
    if size >= 2 and PyUnicode_READ(width, data, 0) == SLASH and PyUnicode_READ(width, data, 1) == SLASH:
        return 2
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _is_web(width: cython.int, data: cython.p_void, size: cython.Py_ssize_t, colon: cython.Py_ssize_t) -> cython.bint:
    """Whether `http` or `https`, in either case, stands before a colon, and two slashes after it."""
    web: cython.p_uchar = b"https"
    c: cython.uint
    if colon < 4 or colon > 5 or colon + 3 > size:
        return False
    for i in range(colon):
        c = PyUnicode_READ(width, data, i)
        if c | 32 != web[i]:
            return False
    return PyUnicode_READ(width, data, colon + 1) == SLASH and PyUnicode_READ(width, data, colon + 2) == SLASH


@cython.cfunc
@cython.exceptval(check=False)
def _find_host_end(target: str, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
    size: cython.Py_ssize_t = PyUnicode_GET_LENGTH(target)
    width: cython.int = PyUnicode_KIND(target)
    data: cython.p_void = PyUnicode_DATA(target)
    i: cython.Py_ssize_t = start
    while i < size and PyUnicode_READ(width, data, i) != SLASH:
        i += 1
    return i


@cython.cfunc
def _read_path(target: str, start: cython.Py_ssize_t, own: str, length: cython.pointer[cython.double]) -> cython.bint:
    """Whether the first segment of a path is `own` and another follows. length: is set to the number of segments."""
    size: cython.Py_ssize_t = PyUnicode_GET_LENGTH(target)
    width: cython.int = PyUnicode_KIND(target)
    data: cython.p_void = PyUnicode_DATA(target)
    n_steps: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = -1
    end: cython.Py_ssize_t = size  # of the first segment
    c: cython.uint
    before: cython.uint = SLASH
    for i in range(start, size):
        c = PyUnicode_READ(width, data, i)
        if c == QUESTION or c == _HASH:
            break
        # a segment begins: empty ones (`//`) count for nothing
        if c != SLASH and before == SLASH:
            n_steps += 1
            if first < 0:
                first = i
        elif c == SLASH and before != SLASH and n_steps == 1:
            end = i
        before = c
    length[0] = n_steps
    # the last segment is a page and no directory: `/shop` is not in the directory `shop`
    return n_steps > 1 and own != "" and end - first == PyUnicode_GET_LENGTH(own) and target[first:end] == own
