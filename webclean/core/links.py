"""What the targets of links tell, each read once: their host, the length of their path, their directory.

Enters: distinct targets, as written. Leaves: a column for each thing that is told. Keep: nothing is resolved or
decoded: what a link leads to is told by its beginning. Tested by `tests/features` (links) and the golden columns.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.lexicon import GOLDEN


def describe_targets(targets: list[str], own: str, schemes: tuple[str, ...]) -> Any:
    """Host, path segments and directory of each target.

    Args:
        targets: as written.
        own: first directory of the page's path, '' for none.
        schemes: in lower case with the colon; a target with one of them is a script.

    Returns:
        hosts: the different ones, with user and port; host: int64 [n], 1 + the number of each target's host, 0 for a
        path, -1 for a place of the page and -2 for a script; length: float64 [n], path segments; is_own: bool [n],
        whether the path has the first directory `own`.
    """
    n: cython.Py_ssize_t = len(targets)
    host_made, length_made, is_own_made = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.uint8)
    host: cython.longlong[::1] = host_made
    length: cython.double[::1] = length_made
    is_own: cython.uchar[::1] = is_own_made
    number_of: dict = {}
    target: str
    scheme: str
    name: str
    for at in range(n):
        target = cython.cast(str, targets[at]).strip()
        if not target or target[0] == "#":
            host[at] = -1
            continue
        start = 2 if target.startswith("//") else 0
        if target[0] != "/":
            # the longest scheme that is looked for, `javascript:`, has its colon at the eleventh place
            end = target.find(":", 0, 11)
            scheme = target[: end + 1].lower()
            if scheme in schemes:
                host[at] = -2
                continue
            if (scheme == "https:" or scheme == "http:") and target.startswith("//", end + 1):
                start = end + 3
        end = -1
        if start:
            end = target.find("/", start)
            end = end if end >= 0 else len(target)
            name = target[start:end]
            host[at] = 1 + cython.cast(cython.Py_ssize_t, number_of.setdefault(name, len(number_of)))
        is_own[at] = _read_path(target, end + 1, own, cython.address(length[at]))
    return list(number_of), host_made, length_made, is_own_made.view(np.bool_)


def _read_path(target: str, start: cython.Py_ssize_t, own: str, length: cython.p_double) -> cython.bint:
    """Whether the first segment of a path is `own` and another follows. length: is set to the number of segments."""
    n_steps: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = -1
    end: cython.Py_ssize_t = -1  # of the first segment
    before: cython.Py_UCS4 = "/"
    for i in range(start, len(target)):
        c: cython.Py_UCS4 = target[i]
        if c == "?" or c == "#":
            break
        # a segment begins: empty ones (`//`) count for nothing
        if c != "/" and before == "/":
            n_steps += 1
            first = i if first < 0 else first
        elif c == "/" and before != "/" and n_steps == 1:
            end = i
        before = c
    length[0] = n_steps
    # the last segment is a page and no directory: `/shop` is not in the directory `shop`
    return n_steps > 1 and end - first == len(own) and target.startswith(own, first)


def number_folders(targets: list[str], others: tuple[str, ...]) -> Any:
    """int64 [n]: a number for the directory of each address, a hash of 63 bits; -1 for one that leads to no page.

    targets: without white space at their ends. others: what such addresses begin with, in lower case.
    """
    n: cython.Py_ssize_t = len(targets)
    made = np.empty(n, dtype=np.int64)
    number: cython.longlong[::1] = made
    target: str
    for i in range(n):
        target, number[i] = targets[i], -1
        # one character is compared first: this runs for thousands of links and is true for few
        if not target or target[0] == "#" or (target[0] in "jJmMtTdD" and target[:16].lower().startswith(others)):
            continue
        hashed: cython.ulonglong = 0
        of_folder: cython.ulonglong = 0
        for c in target:
            if c == "?":
                break
            # the hash up to the last slash is that of the directory, so no string is made of it
            if c == "/":
                of_folder = hashed
            hashed = (hashed + cython.cast(cython.ulonglong, c)) * GOLDEN
            hashed ^= hashed >> 29
        # a bit less, so that it is positive: -1 is for none
        number[i] = of_folder >> 1
    return made
