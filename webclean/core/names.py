"""The names of elements (tag, class, id, role, ...) -> their numbers and words, and siblings that are alike in name.

    <ul><li class=post-1> <li class=post-2> <li class=post-3></ul> <p>

`li post-1`, `li post-2` and `li post-3` are three names; but for their numbers they are one, so the three `li` are a
group of siblings alike. What a word of a name and such a number is, `features.words` and `features.page_words` say.

Enters: a `Page` with elements, attributes and words below each. Leaves: the columns that `read_names` names, and the
words of the names; the group of siblings alike whose members are the records of a page. Keep: numbers are given in the
order of first occurrence, names of tag and class alone first, so that the numbers of both sorts are those of one list;
0 is the name of an element without words. Tested by `tests/core/test_names.py`, `tests/segments/test_records.py` and
the golden columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from cython.cimports.libc.math import rint, sqrt
from cython.cimports.libc.string import memcpy, memset

from webclean.core.attributes import Attributes
from webclean.core.features import at_least_1
from webclean.core.lexicon import GOLDEN, WordSet, hash_path, number_keys
from webclean.core.page import Page
from webclean.core.words import Words, cut_names

_LEAST_LETTERS = cython.declare(cython.int, 3)
"""Before a number that is none of the name: `q3` and `md-8` name things of their own."""


@cython.dataclasses.dataclass(repr=False, eq=False)
class NamePlan:
    """What is constant: the same for all pages.

    keys: the attributes that name an element, the first of which stands in the shorter name. kinds, base: of
    `cut_names`. longest: characters of a name that are read. lower: name beyond ASCII -> in lower case, as long.
    is_block: uint8 [n_codes]. least: siblings of a group. n_levels: elements of a path. most_steps: from one element in
    a group to the next, on the way out.
    """

    keys: tuple
    kinds: Any
    base: cython.ulonglong
    longest: cython.Py_ssize_t
    lower: Callable
    is_block: cython.const[cython.uchar][::1]
    least: cython.longlong
    n_levels: cython.int
    most_steps: cython.int


def _number_into(
    attributes: Attributes,
    tags: list,
    wanted: cython.p_uchar,
    keys: tuple,
    numbers: dict,
    short: cython.p_longlong,
    full: cython.p_longlong,
) -> cython.Py_ssize_t:
    """Number the distinct names of elements: the tag, then the values of some attributes, with spaces between. How many
    names of tag and first attribute alone there are, which come before the others.

    Rows with the same tag and the same first attribute are found without making their names.

    Args:
        attributes: of the page.
        tags: [n_elements], names of tags, equal ones the same object.
        wanted: uint8 [n_elements].
        keys: names of the attributes.
        numbers: empty; name -> its number from 1 on, in the order in which the names first occur.
        short: int64 [n_elements], the number of the name of tag and first attribute of each wanted row, 0 for others.
        full: int64 [n_elements], the same for all of the name.
    """
    n: cython.Py_ssize_t = len(tags)
    n_short: cython.Py_ssize_t = _number_short(attributes, tags, wanted, keys[0], numbers, short)
    listed: list = list(numbers)
    longer: dict = {}  # row -> its name, of the rows with a further attribute
    i: cython.Py_ssize_t
    for key in keys[1:]:
        number: cython.int = attributes.number_of.get(key, -1)
        for i in range(attributes.start_of_name[number], attributes.start_of_name[number + 1]) if number >= 0 else ():
            at: cython.int = attributes.by_name[i]
            row: cython.Py_ssize_t = attributes.row[at]
            if wanted[row]:
                # a row may have an id, a role and a label: they are joined in the order of the keys
                name: str = longer[row] if row in longer else listed[short[row] - 1]
                value: str = attributes._read(at)
                longer[row] = name + " " + value if value else name
    memcpy(full, short, 8 * n)
    for row, name in longer.items():
        full[row] = numbers.setdefault(name, len(numbers) + 1)
    return n_short


def _number_short(
    attributes: Attributes, tags: list, wanted: cython.p_uchar, key: str, numbers: dict, short: cython.p_longlong
) -> cython.Py_ssize_t:
    """Number the names of tag and one attribute; how many there are."""
    n: cython.Py_ssize_t = len(tags)
    mask: cython.Py_ssize_t = 1024
    # half of the places stay free, or looking for one that is taken would take long
    while mask < 2 * n:
        mask *= 2
    # rows, by the hashes of their names
    table: cython.p_int = attributes.page.take_ints(mask)
    memset(table, 0xFF, cython.sizeof(cython.int) * mask)
    mask -= 1
    at: cython.p_int = attributes._place_by_row(attributes.number_of.get(key, -1))
    for row in range(n):
        short[row] = 0
        if not wanted[row]:
            continue
        # equal tags are one string, so its address stands for the name
        of = attributes.value[at[row]] if at[row] >= 0 else -1
        hashed = (cython.cast(cython.ulonglong, cython.cast(cython.p_void, tags[row])) ^ ((of + 1) << 1)) * GOLDEN
        # the lowest bits of an address are those of its alignment, equal for all
        place: cython.Py_ssize_t = (hashed >> 24) & mask
        while table[place] >= 0:
            known = table[place]
            # both sides without a value are -1; an empty value is one of its own, and becomes the same name by
            # `setdefault` below
            if tags[known] is tags[row] and (attributes.value[at[known]] if at[known] >= 0 else -1) == of:
                break
            place = (place + 1) & mask
        if table[place] < 0:
            table[place] = row
            name: str = tags[row]
            value: str = attributes._read(at[row]) if of >= 0 else ""
            if value:
                name = name + " " + value
            # from 1 on: 0 is the name of elements without words
            short[row] = numbers.setdefault(name, len(numbers) + 1)
        else:
            short[row] = short[table[place]]
    return len(numbers)


def read_names(page: Page, attributes: Attributes, plan: NamePlan) -> Words:
    """Add the names of elements and their repetition to a page: `name` to `group` of elements, `item`, `outer` and
    `path` of blocks, `group_size` to `group_spread` of groups, and `element_names`. The words of the names."""
    n: cython.Py_ssize_t = page.n_elements
    wanted: cython.p_uchar = page.take_flags(n)
    for i in range(n):
        # two thirds of the elements hold pictures, scripts and spacing: what they are called says nothing of a text
        wanted[i] = page.n_words_below[i] > 0
    page.add("name", n)
    page.add("class_name", n)
    numbers: dict = {}
    page.n_class_names = 1 + _number_into(
        attributes, page.names, wanted, plan.keys, numbers, page.class_name, page.name
    )
    page.element_names = ["", *numbers]
    _number_alike(page)
    _group_siblings(page, plan)
    _find_repeated(page, plan)
    _number_paths(page, plan)
    return cut_names(page.element_names, plan.longest, plan.lower, plan.kinds, plan.base)


def _number_alike(page: Page) -> cython.void:
    """A number for each class name without the numbers at the ends of its words, equal for equal ones."""
    n: cython.Py_ssize_t = page.n_class_names
    found: cython.p_longlong = page.take_rows(n)
    numbers: dict = {}
    names: list = page.element_names
    has_numbers: cython.bint = False
    page.add("alike", page.n_elements)
    for i in range(n):
        name: str = names[i]
        plain: str = _drop_numbers(name)
        has_numbers |= plain is not name
        found[i] = numbers.setdefault(plain, len(numbers))
    # numbers rise as names do then, so both columns are the same
    if not has_numbers:
        memcpy(page.alike, page.class_name, 8 * page.n_elements)
        return
    for i in range(page.n_elements):
        page.alike[i] = found[page.class_name[i]]


def _drop_numbers(name: str) -> str:
    """The name without the numbers at the ends of its words; itself if it has none."""
    kind: cython.int = PyUnicode_KIND(name)
    data: cython.p_void = PyUnicode_DATA(name)
    n: cython.Py_ssize_t = PyUnicode_GET_LENGTH(name)
    n_letters = kept_from = end = 0
    plain: str = ""
    while end < n:
        start: cython.Py_ssize_t = end
        c: cython.uint = PyUnicode_READ(kind, data, start)
        end += 1
        if 65 <= c <= 90 or 97 <= c <= 122:
            n_letters += 1
            continue
        # `q3` and `col-md-8` name things of their own, `post-118` is one of many
        if n_letters < _LEAST_LETTERS or not (c == 45 or c == 95 or 48 <= c <= 57):
            n_letters = 0
            continue
        n_letters = 0
        while end < n and 48 <= PyUnicode_READ(kind, data, end) <= 57:
            end += 1
        # a hyphen without a number behind it: `post-title`
        if not 48 <= PyUnicode_READ(kind, data, end - 1) <= 57:
            continue
        # `web2print` goes on: its number is not at the end of a word
        if end == n or cython.cast(cython.Py_UCS4, PyUnicode_READ(kind, data, end)).isspace():
            plain = plain + name[kept_from:start]
            kept_from = end
    return plain + name[kept_from:] if kept_from else name


def _group_siblings(page: Page, plan: NamePlan) -> cython.bint:
    """Add `group`, and size, words and spread of the groups. Sums are added in document order."""
    n: cython.Py_ssize_t = page.n_elements
    room: cython.Py_ssize_t = 16
    # half of the places stay free
    while room < 2 * n:
        room *= 2
    first: cython.p_longlong = page.take_rows(room)  # element of a group, by its hash
    memset(first, 0xFF, 8 * room)
    page.add("group", n)
    for column in ("group_size", "group_words", "group_spread"):
        page.add(column, n + 1)
    group, size, total, spread = page.group, page.group_size, page.group_words, page.group_spread
    parent: cython.p_longlong = page.parent
    names: cython.p_longlong = page.alike
    words: cython.p_double = page.n_words_below
    n_groups: cython.Py_ssize_t = 0
    for i in range(n):
        group[i] = -1
        # words in a row are no list, though each has its `span`
        if words[i] <= 0 or not plan.is_block[page.tag[i]]:
            continue
        # of parent and name, both below 2^32; the two are compared themselves, so a hash that fits both by chance is
        # harmless
        key = (cython.cast(cython.ulonglong, parent[i]) << 32) + cython.cast(cython.ulonglong, names[i])
        place: cython.Py_ssize_t = ((key * GOLDEN) >> 20) & (room - 1)
        while first[place] >= 0 and (parent[first[place]] != parent[i] or names[first[place]] != names[i]):
            place = (place + 1) & (room - 1)
        if first[place] < 0:
            first[place] = i
            group[i] = n_groups
            size[n_groups] = total[n_groups] = spread[n_groups] = 0.0
            n_groups += 1
        else:
            group[i] = group[first[place]]
        size[group[i]] += 1
        total[group[i]] += words[i]
        spread[group[i]] += words[i] * words[i]
    for i in range(n_groups):
        mean = total[i] / size[i]
        # for equal lengths rounding may put the difference just below 0
        variance = spread[i] / size[i] - mean * mean
        spread[i] = sqrt(variance if variance > 0 else 0.0) / at_least_1(mean)
    size[n_groups] = total[n_groups] = spread[n_groups] = 0.0  # of no group, to which -1 refers
    for name in ("group_size", "group_words", "group_spread"):
        page.shorten(name, n_groups + 1)
    for i in range(n):
        if group[i] >= 0 and size[group[i]] < plan.least:
            group[i] = -1


def find_torn(page: Page, kept: cython.const[cython.uchar][:], least: cython.double, times: cython.double) -> list:
    """Rows of the siblings alike that have no kept text, between others that have.

    page: with names (`read_names`). kept: bool [n_blocks]. least: siblings of a group. times: by which the words of one
    may differ from the mean of those with kept text.
    """
    n: cython.Py_ssize_t = page.n_elements
    # kept blocks of the elements before each, then of those before its end
    before: cython.p_longlong = page.take_rows(n + 1, True)
    for i in range(page.n_blocks):
        before[page.row[i] + 1] += kept[i]
    for i in range(n):
        before[i + 1] += before[i]
    # of each group the first and the last with kept text, how many have it and their words
    first: cython.p_longlong = page.take_rows(n + 1, True)
    last: cython.p_longlong = page.take_rows(n + 1, True)
    words: cython.p_double = page.take_floats(n + 1, True)
    size: cython.p_longlong = page.take_rows(n + 1, True)
    for i in range(n):
        if page.group[i] >= 0 and before[page.end[i]] > before[i]:
            at: cython.Py_ssize_t = page.group[i]
            first[at] = first[at] if size[at] else i
            last[at] = i
            size[at] += 1
            words[at] += page.n_words_below[i]
    found: list = []
    for i in range(n):
        at = page.group[i]
        if at >= 0 and first[at] < i < last[at] and page.group_size[at] >= least and before[page.end[i]] == before[i]:
            mean = words[at] / size[at]
            if mean <= times * page.n_words_below[i] and page.n_words_below[i] <= times * mean and page.displayed[i]:
                found.append(i)
    return found


def _find_repeated(page: Page, plan: NamePlan) -> cython.bint:
    """Add `item` and `outer`: the innermost and the outermost element of a group around each block."""
    n: cython.Py_ssize_t = page.n_elements
    nearest: cython.p_longlong = page.take_rows(n)
    page.add("item", page.n_blocks)
    page.add("outer", page.n_blocks)
    for i in range(n):
        if page.group[i] >= 0:
            nearest[i] = i
        else:
            nearest[i] = nearest[page.parent[i]] if page.parent[i] >= 0 else -1
    for i in range(page.n_blocks):
        item: cython.Py_ssize_t = nearest[page.row[i]]
        page.item[i] = item
        # a page of nested lists may be as deep as it is long
        steps: cython.int = plan.most_steps
        while steps and item >= 0 and page.parent[item] >= 0 and nearest[page.parent[item]] >= 0:
            item = nearest[page.parent[item]]
            steps -= 1
        page.outer[i] = item


def _number_paths(page: Page, plan: NamePlan) -> cython.bint:
    """Add `path`: equal for blocks whose elements, and those above them, are alike in name."""
    n: cython.Py_ssize_t = page.n_blocks
    keys: cython.pointer[cython.ulonglong] = cython.cast(cython.pointer[cython.ulonglong], page.take(8 * n))
    page.add("path", n)
    for i in range(n):
        keys[i] = hash_path(page.parent, page.alike, plan.n_levels, page.row[i])
    number_keys(keys, n, page.path, page)


def score_names(
    words: Words,
    known: WordSet,
    points: cython.const[cython.double][::1],
    is_naming: cython.const[cython.uchar][::1],
    n_names: cython.Py_ssize_t,
    unit: cython.double,
) -> Any:
    """float64 [n_names]: sum of the points of the different words of each name; and how many different naming words all
    have.

    points, is_naming: by place in `known`. unit: sums are rounded to 1 / unit.
    """
    made = np.zeros(n_names, dtype=np.float64)
    total: cython.double[::1] = made
    n_known: cython.Py_ssize_t = 0
    # 1 + the last name with each word: `post post-title` is a post once
    seen: cython.int[::1] = np.zeros(points.shape[0] + 1, dtype=np.intc)
    for i in range(words.n):
        at, place = words.text[i], known.look_up(words.key[i])
        if place >= 0 and seen[place] != at + 1:
            n_known += is_naming[place] and not seen[place]
            seen[place] = at + 1
            total[at] += points[place]
        if i + 1 == words.n or words.text[i + 1] != at:
            # so that sums do not depend on the order of the words
            total[at] = rint(total[at] * unit) / unit
    return made, n_known


class Records:
    """The members of one group of siblings, each with several text blocks and running text: teasers, posts, products.

    rows: n elements. share: of the page's running text. count: their effective number, 1 / the sum of their squared
    shares (Simpson, 1949): one long article beside two short boxes of its class counts as hardly more than one record.
    """

    rows: cython.p_longlong
    n: cython.Py_ssize_t
    share: cython.double
    count: cython.double


@cython.cfunc
def find_records(page: Page) -> Records:
    """The group that the running text of the page is spread over most: share x (1 - 1 / count). None of its elements,
    and 0 and 0, where there is no such group."""
    found: Records = Records()
    group: cython.p_longlong = page.group
    n_groups: cython.Py_ssize_t = 0
    best: cython.Py_ssize_t = -1
    most: cython.double = 0.0
    all_prose: cython.double = at_least_1(page.n_prose_words_below[0] if page.n_elements else 0.0)
    for i in range(page.n_elements):
        n_groups = group[i] + 1 if group[i] >= n_groups else n_groups
    total: cython.p_double = page.take_floats(2 * n_groups, True)
    squares: cython.p_double = total + n_groups
    for i in range(page.n_elements):
        if _is_record(page, i):
            total[group[i]] += page.n_prose_words_below[i]
            squares[group[i]] += page.n_prose_words_below[i] * page.n_prose_words_below[i]
    for i in range(n_groups):
        if total[i] > 0:
            # 1 - 1 / count is 0 for one record: a single long article is no list, whatever its share
            spread = total[i] / all_prose * (1 - 1 / (total[i] * total[i] / squares[i]))
            if best < 0 or spread > most:
                best, most = i, spread
    if best < 0:
        return found
    found.share = total[best] / all_prose
    found.count = total[best] * total[best] / squares[best]
    found.rows = page.take_rows(page.n_elements)
    for i in range(page.n_elements):
        if group[i] == best and _is_record(page, i):
            found.rows[found.n] = i
            found.n += 1
    return found


@cython.exceptval(check=False)
@cython.inline
def _is_record(page: Page, row: cython.Py_ssize_t) -> cython.bint:
    """Whether an element is of a group and holds several text blocks, of which some are running text."""
    # one text block is a menu's item or a tag; without running text it is a link with a picture
    return page.group[row] >= 0 and page.n_blocks_below[row] >= 2 and page.n_prose_words_below[row] > 0
