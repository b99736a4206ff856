"""The markup that a parser wrote of its tree -> the tree as columns, without an object for any node.

What a parser serialises (HTML 13.3) is far simpler than what it reads: each element that is not void has its end tag,
all attributes have a quoted value, and `<` and `"` are escaped wherever they could be mistaken. One scan therefore
finds the tree again. Its end tags are compared with its start tags; where they disagree, or where something occurs
that this scan does not know, the result is None and the caller visits the nodes of the tree instead.

    <body><p id="a">Hi <b>you</b></p></body>        rows: body, p, b; texts: "Hi " of row 1, "you" of row 2

Enters: a serialised tree, whole. Leaves: `Page` (`growth`), and where the raw elements stand. Keep: to be unsure is to
return None, never to guess, for the other way (`turbo.walk_tree`) is slower but always right; `found.at` moves forward
in each step, or the scan does not end; the stack is never higher than the room that `PageBuilder` made. Tested by
`tests/core/test_scan.py` (each case and any markup against the walk) and, for reads outside, by the checked build.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.unicode import PyUnicode_DATA

from webclean.core.attributes import unescape
from webclean.core.page_builder import BLANKS, LONGEST_BLANK, PageBuilder, find_name
from webclean.core.texts import (
    AMPERSAND,
    EQUALS,
    GREATER,
    HYPHEN,
    LESS,
    MARK,
    NEWLINE,
    QUESTION,
    QUOTE,
    RETURN,
    SLASH,
    SPACE,
    TAB,
    Chars,
    find_sign,
    is_control,
)

_PRINTED = cython.declare(cython.uint, 95)
"""Characters from the space on that are printed, of ASCII."""
_LETTERS = cython.declare(cython.uint, 0x7F - 0x3D)
"""Those from `=` on, the first after `<`: none of them ends a text or is escaped."""


def scan_markup(
    data: cython.pointer[Chars], markup: str, flags_of: dict, codes: dict, max_rows: cython.int, max_depth: cython.int
) -> object:
    """The columns of a serialised tree, or None.

    Args:
        markup: as the parser serialised it.
        flags_of: name of an element -> its flags, 0 unless given.
        codes: name of an element -> its code, 0 unless given.
        max_rows, max_depth: the result is None where the tree has more.

    Returns:
        page: `Page`, with the columns of elements, texts and attributes; raw: (row, start, end, 1 if it is escaped) of
        the content of each skipped element, in the markup.
    """
    size: cython.Py_ssize_t = len(markup)
    found: PageBuilder = PageBuilder(markup, flags_of, codes, max_rows, max_depth)
    is_known: cython.bint = True
    while is_known and found.at < size:
        if data[found.at] != LESS:
            is_known = _read_text(found, data)
            continue
        # 0 is the start of no tag: `_read_name` says that it does not end
        c = data[found.at + 1] if found.at + 1 < size else 0
        if c == SLASH:
            is_known = _read_end_tag(found, data)
        elif c == MARK or c == QUESTION:
            is_known = _pass_declaration(found, data)
        else:
            is_known = _read_start_tag(found, data)
    # an element without its end: the tree is not the one that was written (a `plaintext` has none)
    if not is_known or found.top or found.skipped_from:
        return None
    return found.finish(found.keys.listed), found.raw


def _read_text(found: PageBuilder, data: cython.pointer[Chars]) -> cython.bint:
    """Text up to the next tag. False for text outside the root."""
    start: cython.Py_ssize_t = found.at
    size: cython.Py_ssize_t = found.size
    i: cython.Py_ssize_t = start
    is_escaped: cython.bint = False
    has_control: cython.bint = False
    if found.skipped_from:
        found.at = find_sign(data, found.markup, start, LESS)
        return True
    # text outside of all elements is in no tree of a document: something else was serialised
    if found.above < 0:
        return False
    # all there is of most texts: a line break and an indentation
    while i < size and (data[i] == SPACE or data[i] == NEWLINE or data[i] == TAB or data[i] == RETURN):
        i += 1
    is_blank = i == size or data[i] == LESS
    while i < size:
        # one comparison for most characters, which are letters: what is below the first sign is a large number then
        c: cython.uint = data[i]
        if c - EQUALS >= _LETTERS:
            if c == LESS:
                break
            if c - SPACE < _PRINTED:
                is_escaped |= c == AMPERSAND
            else:
                has_control |= is_control(data[i])
        i += 1
    # the ends of the loops are the end of the text: what is no `<` is text, for the parser wrote `<` in it as `&lt;`
    found.at = i
    if has_control:
        # dropped later, and told here, lest all texts are read once more for what one page of hundreds has
        found.controls.append(found.n_texts)
    if is_blank and i - start <= LONGEST_BLANK:
        return found.add_text(_share_blank(found, data, start, i))
    return found.add_text(unescape(found.markup, start, i) if is_escaped else found.markup[start:i])


def _share_blank(
    found: PageBuilder, data: cython.pointer[Chars], start: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> str:
    """White space as a string: most of it is a line break and an indentation that stood before, of which the string is
    taken."""
    # length and ends tell nearly all of them apart: they are indented by spaces or by tabs
    place: cython.Py_ssize_t = (4 * (stop - start) + data[start] + 5 * data[stop - 1]) % BLANKS
    known: cython.int = found.blank_at[place]
    if known >= 0:
        text: str = found.texts[known]
        # one byte a character, whatever the page has: white space up to the space is Latin, so CPython made it that
        # narrow
        of_text = cython.cast(cython.p_uchar, PyUnicode_DATA(text))
        i = start if len(text) == stop - start else stop + 1
        while i < stop and data[i] == of_text[i - start]:
            i += 1
        if i == stop:
            return text
    # the newest takes the place: a page leaves a depth of indentation and seldom comes back
    found.blank_at[place] = found.n_texts
    return found.markup[start:stop]


def _read_end_tag(found: PageBuilder, data: cython.pointer[Chars]) -> cython.bint:
    """An end tag. False where it does not end the innermost open element."""
    start: cython.Py_ssize_t = found.at + 2
    name: cython.int = found.stack[0, found.top]
    if found.top == 0:
        return False
    first: cython.Py_ssize_t = found.tags.start[name]  # where the name stands in the markup
    length: cython.Py_ssize_t = found.tags.length[name]
    stop: cython.Py_ssize_t = start + length
    # the length of the open element's name is enough to find the end: anything else is the end tag of another
    if stop >= found.size or data[stop] != GREATER:
        return False
    # compared where the name first stood, and not by a hash: one string for all, and no number of this name is needed
    for i in range(length):
        if data[start + i] != data[first + i]:
            return False
    # at this height and not below it: a template in a template ends with the outer one
    if found.skipped_from == found.top:
        # an element that is no raw text was serialised with escapes: a `template`, a `style` in a picture
        found.raw.append((found.above, found.skipped_at, found.at, 1))
        found.skipped_from = 0
    if not found.skipped_from:
        found.close_row()
    found.top -= 1
    found.at = stop + 1
    return True


def _pass_declaration(found: PageBuilder, data: cython.pointer[Chars]) -> cython.bint:
    """Pass over a comment, doctype or processing instruction. False where it has no end."""
    i: cython.Py_ssize_t = found.at
    if i + 3 < found.size and data[i + 2] == HYPHEN and data[i + 3] == HYPHEN:
        # after the four characters: `<!-->` is a comment without text to a parser, and is written `<!---->`
        end = found.markup.find("-->", i + 4)
        found.at = end + 3
    else:
        end = found.markup.find(">", i)
        found.at = end + 1
    return end >= 0


def _read_start_tag(found: PageBuilder, data: cython.pointer[Chars]) -> cython.bint:
    """A start tag, and the whole content of an element whose text is not escaped."""
    name: cython.int = _read_name(found, data)
    # the walk cuts a page at its limits, and records that it did
    if name < 0 or found.n >= found.max_rows or found.top >= found.max_depth:
        return False
    flag: cython.int = found.flags[name]
    is_foreign: cython.bint = found.stack[1, found.top]
    # HTML again: `<svg><foreignObject><p>` holds a paragraph
    if is_foreign and found.flags[found.stack[0, found.top]] & SCAN_POINT:
        is_foreign = False
    if flag & SCAN_FOREIGN:
        is_foreign = True
    # before the row is added: attributes are given the number of the row that comes next
    has_href: cython.int = 0
    if found.skipped_from:
        is_read = _pass_attributes(found, data)
    else:
        has_href = _read_attributes(found, data, found.first_key + name)
        is_read = has_href >= 0
    if flag & SCAN_UNKNOWN or not is_read:
        return False
    if not found.skipped_from:
        found.add_row(name, flag, has_href)
    # in pictures and formulas `<link>` has an end tag, and `<style>` is written with escapes
    if flag & SCAN_VOID and not is_foreign:
        return True
    if flag & SCAN_RAW and not is_foreign:
        return _read_raw(found, name, flag)
    found.top += 1
    found.stack[0, found.top] = name
    found.stack[1, found.top] = is_foreign
    if not found.skipped_from:
        found.above = found.n - 1
        # the content of a template or of a picture's style sheet gets no rows; its tags are paired only to find its end
        if flag & SCAN_SKIPPED:
            found.skipped_from = found.top
            found.skipped_at = found.at
    # a parser drops the first line break in a `pre`, so a serialiser writes one that is no text (HTML 13.3)
    if flag & SCAN_PADDED and not is_foreign and found.at < found.size and data[found.at] == NEWLINE:
        found.at += 1
    return True


def _read_name(found: PageBuilder, data: cython.pointer[Chars]) -> cython.int:
    """The number of the name of a start tag; -1 where there are too many names or the tag does not end."""
    start: cython.Py_ssize_t = found.at + 1
    stop: cython.Py_ssize_t = start
    hashed: cython.uint = 0
    n_known: cython.int = found.tags.n
    while stop < found.size and data[stop] != GREATER and data[stop] != SPACE:
        hashed = hashed * 31 + data[stop]
        stop += 1
    if stop >= found.size:
        return -1
    found.at = stop
    name: cython.int = find_name(found.tags, data, found.markup, start, stop, hashed)
    if name == n_known:
        found.flags[name] = found.flags_of.get(found.tags.listed[name], 0)
        found.code[name] = found.codes.get(found.tags.listed[name], 0)
        found.first_key[name] = -1
    return name


def _read_attributes(found: PageBuilder, data: cython.pointer[Chars], likely: cython.p_int) -> cython.int:
    """The attributes of a start tag and its end. 1 if one is `href`, 0 if none is, -1 if the tag is not understood.

    likely: the number of the first name, if it is the same as in the last such tag. Tags of a template have the same
    attributes in the same order, so a name is mostly the one that was expected, and need not be looked up.
    """
    size: cython.Py_ssize_t = found.size
    i: cython.Py_ssize_t = found.at
    has_href: cython.bint = False
    # two more: a name has a character, and `data[start]` is read without asking
    while i + 2 < size and data[i] == SPACE:
        start = i + 1
        key = likely[0]
        if key < 0 or not _has_name(found, data, start, key):
            key = likely[0] = _read_key(found, data, start)
            if key < 0:
                return -1
        stop = start + found.keys.length[key]
        # a serialiser writes `name=""` even where there is no value: something else wrote this
        if stop + 1 >= size or data[stop + 1] != QUOTE:
            return -1
        # in a value `"` is written as `&quot;`, so the next one ends it, whatever `<` and `>` stand before
        i = find_sign(data, found.markup, stop + 2, QUOTE)
        has_href |= key == found.href
        # only the slice is kept: a string is made if a stage asks for it, which is rare
        found.add_attribute(key, stop + 2, i)
        likely = found.next_key + key
        i += 1
    found.at = i + 1
    return has_href if i < size and data[i] == GREATER else -1


@cython.exceptval(check=False)
def _pass_attributes(found: PageBuilder, data: cython.pointer[Chars]) -> cython.bint:
    """Pass over the attributes of a tag inside a skipped element, and its end. False if the tag is not understood."""
    size: cython.Py_ssize_t = found.size
    i: cython.Py_ssize_t = found.at
    while i + 2 < size and data[i] == SPACE:
        stop = find_sign(data, found.markup, i + 2, EQUALS)
        if stop + 1 >= size or data[stop + 1] != QUOTE:
            return False
        i = find_sign(data, found.markup, stop + 2, QUOTE) + 1
    found.at = i + 1
    return i < size and data[i] == GREATER


@cython.inline
@cython.exceptval(check=False)
def _has_name(
    found: PageBuilder, data: cython.pointer[Chars], start: cython.Py_ssize_t, key: cython.int
) -> cython.bint:
    """Whether the name of an attribute stands here, with its `=`."""
    known: cython.pointer[Chars] = data + found.keys.start[key]
    n: cython.Py_ssize_t = found.keys.length[key]
    if start + n >= found.size or data[start + n] != EQUALS:
        return False
    for i in range(n):
        if data[start + i] != known[i]:
            return False
    return True


def _read_key(found: PageBuilder, data: cython.pointer[Chars], start: cython.Py_ssize_t) -> cython.int:
    """The number of the name of an attribute; -1 where there are too many."""
    # a parser takes `=` for the first character of a name where no name stands before it: `<a =b>`
    hashed: cython.uint = data[start]
    stop: cython.Py_ssize_t = start + 1
    while stop < found.size and data[stop] != EQUALS:
        hashed = hashed * 31 + data[stop]
        stop += 1
    n_known = found.keys.n
    key: cython.int = find_name(found.keys, data, found.markup, start, stop, hashed)
    if key == n_known:
        found.next_key[key] = -1
        # asked of each new name once: whether a link has an address is needed before the attributes are sorted
        if found.keys.listed[key] == "href":
            found.href = key
    return key


def _read_raw(found: PageBuilder, name: cython.int, flag: cython.int) -> cython.bint:
    """The content of an element that is written without escapes, and its end tag."""
    listed: str = found.tags.listed[name]
    start: cython.Py_ssize_t = found.at
    stop: cython.Py_ssize_t = _find_raw_end(found.markup, start, listed)
    if stop < 0:
        return False
    if not found.skipped_from:
        found.above = found.n - 1
        if flag & SCAN_SKIPPED:
            found.raw.append((found.above, start, stop, 0))
        elif stop > start:
            found.add_text(found.markup[start:stop])
        found.close_row()
    found.at = stop + len(listed) + 3
    return True


def _find_raw_end(markup: str, start: cython.Py_ssize_t, name: str) -> cython.Py_ssize_t:
    """Where the end tag of a raw element starts; -1 for none, or for a script that hides one in a comment."""
    end: cython.Py_ssize_t = markup.find(f"</{name}>", start)
    if end >= 0 and name == "script":
        # `<!-- <script> </script> -->` in a script: the first end tag ends none (HTML, script data double escaped)
        comment: cython.Py_ssize_t = markup.find("<!--", start, end)
        if comment >= 0 and "<script" in markup[comment:end].lower():
            return -1
    return end
