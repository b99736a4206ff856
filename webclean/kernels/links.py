# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The targets of links -> what `features.links` asks of them, each read once."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

_SLASH = cython.declare(cython.uint, 47)
_HASH = cython.declare(cython.uint, 35)
_QUESTION = cython.declare(cython.uint, 63)
_COLON = cython.declare(cython.uint, 58)


def describe_targets(
    targets: list[str],
    own: str,
    schemes: tuple[str, ...],
    same_page: cython.longlong,
    script: cython.longlong,
    relative: cython.longlong,
) -> Any:
    """Kind, path segments and directory of each target.

    Args:
        targets: without white space at the ends.
        own: first directory of the page's path, '' for none.
        schemes: in lower case with the colon; a target with one of them is a script.
        same_page, script, relative: kinds.

    Returns:
        kind: int64 [n], -1 for a target with a host; length: float64 [n], path segments; is_own: bool [n], the path has
        the first directory `own`; authority: [n], host with user and port, '' for none.
    """
    n: cython.Py_ssize_t = len(targets)
    kind_made = np.empty(n, dtype=np.int64)
    length_made = np.zeros(n, dtype=np.float64)
    is_own_made = np.zeros(n, dtype=np.uint8)
    kinds: cython.longlong[::1] = kind_made
    length: cython.double[::1] = length_made
    is_own: cython.uchar[::1] = is_own_made
    authority: list = []
    at: cython.Py_ssize_t
    i: cython.Py_ssize_t
    size: cython.Py_ssize_t
    start: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    end: cython.Py_ssize_t
    n_steps: cython.Py_ssize_t
    width: cython.int
    data: cython.p_void
    c: cython.uint
    before: cython.uint
    target: str
    host: str
    for at in range(n):
        target = targets[at]
        size = PyUnicode_GET_LENGTH(target)
        width = PyUnicode_KIND(target)
        data = PyUnicode_DATA(target)
        host = ""
        if size == 0 or PyUnicode_READ(width, data, 0) == _HASH:
            kinds[at] = same_page
            authority.append(host)
            continue
        start = 0
        kinds[at] = relative
        i = 0
        while i < size and i < 11 and PyUnicode_READ(width, data, i) != _COLON:
            i += 1
        if i < size and i < 11 and target[: i + 1].lower() in schemes:
            kinds[at] = script
            authority.append(host)
            continue
        if size >= 2 and PyUnicode_READ(width, data, 0) == _SLASH and PyUnicode_READ(width, data, 1) == _SLASH:
            start = 2
        elif i < 6 and target[: i + 3].lower() in ("http://", "https://"):
            start = i + 3
        if start:
            kinds[at] = -1
            i = start
            while i < size and PyUnicode_READ(width, data, i) != _SLASH:
                i += 1
            host = target[start:i]
            start = i + 1
        authority.append(host)
        # the path: its segments, and the first of them if another follows
        n_steps = 0
        first = -1
        last = -1
        before = _SLASH
        i = start
        end = size
        while i < size:
            c = PyUnicode_READ(width, data, i)
            if c == _QUESTION or c == _HASH:
                break
            if c != _SLASH and before == _SLASH:
                n_steps += 1
                if first < 0:
                    first = i
                elif last < 0:
                    last = i
            elif c == _SLASH and before != _SLASH and n_steps == 1:
                end = i
            before = c
            i += 1
        length[at] = n_steps
        if n_steps > 1 and own and end - first == PyUnicode_GET_LENGTH(own):
            is_own[at] = target[first:end] == own
    return kind_made, length_made, is_own_made.view(np.bool_), authority
