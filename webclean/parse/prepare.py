"""Markup -> markup that is safe to give to an engine: bounded in cost, and changed where the engine has a bug.

Most pages need no change. To avoid a separate search for each case, a single search (`core.find_tags`) finds all
tags that may matter; the number of the group that matched tells which tag it is:

    <html lang=en><input type=hidden><col><table><b class=x><p>
    group 1        2                  3    4      none       no match

The code for a case runs only if its tags were found. Formatting tags (`<b `, `<font `) match without a group, and only
if the name is followed by white space or a slash, that is, if they may have attributes; without attributes they are
cheap to rebuild.

Markup is cut where parsing it would take far longer than its length suggests. Two constructs make short pages
expensive. The attributes of repeated `<html>` and `<body>` tags are merged one by one. Formatting elements that are not
closed are built again in every later paragraph ("reconstruct the active formatting elements", HTML 13.2.4.3): 1,000
unclosed `<b class=x>` and `<i class=x>` before 1,000 paragraphs can become a million elements. Both are counted in the
markup, before the engine parses it.

Markup that an XML serialiser wrote gets the end tags that HTML wants: `<i class="x"/>` becomes `<i class="x"></i>`.
HTML has no tags for empty elements: its parser reads `<i/>` as `<i>`, and all that follows stands in it (HTML standard,
13.2.6.4.7). A page of lxml's `etree.tostring`, or of a tool that writes XHTML, loses its order by this. It is known by
its void elements: such a tool ends each of them with a slash, and people who write HTML by hand forget some.

An element that holds text alone (`<title>`, `<textarea>`, `<iframe>`, `<style>`) and never ends has, by the standard,
all that follows for its text, and the page shows nothing. It is ended where its text can be meant to end, at the next
tag; so is a comment that never ends, if it hides most of the page.

    <title>The harbour wall<meta ...> ... </html>        becomes <title>The harbour wall</title><meta ...> ...
    <iframe src=map.html /> <p>...                       becomes <iframe src=map.html /> </iframe><p>...
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from html import escape, unescape
from typing import Final

import msgspec
import numpy as np
from lxml import etree

from webclean import core
from webclean.parse.limits import REBUILD_SLACK, Budget
from webclean.parse.snippets import count_attributes
from webclean.parse.tags import CODE, FORMATTING, VOID

MAX_REBUILT: Final = 512
"""Largest number of open formatting elements that are counted; the fast engine rebuilds no more than these."""
_FORMATTING: Final = re.compile(r"<(/?)(?i:(b|i|s|u|big|code|em|font|small|strike|strong|tt)(?:(?=>)|[\s/]))([^>]*)")
# quoted in double quotes or not at all; others are left to the tokeniser
_ORDINARY_TAG: Final = re.compile(r"<\w+([^<>\"']*(?:\"[^\"<>]*\"[^<>\"']*)*)>")


def bound_root_tags(markup: str, starts: list[int], budget: Budget) -> str:
    """The markup, cut before it has more than `max_root_tags` html and body tags, or more than `max_root_attributes`
    attributes on them. starts: offsets of these tags."""
    limits = budget.limits
    n_attributes = 0
    for number, start in enumerate(starts):
        tag = _ORDINARY_TAG.match(markup, start)
        # an upper bound is enough, and costs no parse: more than there are where values hold spaces or `=`
        n_attributes += len(tag[1].split()) + tag[1].count("=") if tag else count_attributes(markup[start:])
        if n_attributes > limits.max_root_attributes:
            budget.exceed("max_root_attributes", n_attributes)
            return markup[:start]
        if number >= limits.max_root_tags:
            budget.exceed("max_root_tags", len(starts))
            return markup[:start]
    return markup


def bound_formatting(markup: str, n_styled: int, n_tags: int, budget: Budget) -> str:
    """The markup, cut where rebuilt formatting elements may exceed the limit of elements.

    n_styled: number of formatting tags with attributes; most pages have too few to matter. n_tags: of all tags.
    The count is an upper bound: it assumes that each tag rebuilds every formatting element that is open and has
    attributes. Of elements with equal name and attributes only three count (the "Noah's Ark clause" of HTML 13.2.4.3).
    """
    maximum = budget.limits.max_elements * REBUILD_SLACK
    # few pages of people come near this bound
    if min(n_styled, MAX_REBUILT) * n_tags <= maximum:
        return markup
    n_open: dict[str, list[str]] = {}
    n_equal: dict[tuple[str, str], int] = {}
    n_kept, n_rebuilt, before = 0, 0, 0
    for found in (*_FORMATTING.finditer(markup), None):
        end = found.start() if found else len(markup)
        n_rebuilt += min(n_kept, MAX_REBUILT) * markup.count("<", before, end)
        if n_rebuilt > maximum:
            budget.exceed("max_elements", n_rebuilt)
            return markup[:before]
        if not found:
            break
        before, name = end, found[2].lower()
        # a stack for each name: an end tag closes the last element of its own
        stack = n_open.setdefault(name, [])
        if not found[1]:
            stack.append(found[3])
            n_equal[name, found[3]] = n = n_equal.get((name, found[3]), 0) + 1
            n_kept += bool(found[3]) and n <= 3
        elif stack:
            attributes = stack.pop()
            n = n_equal[name, attributes]
            n_equal[name, attributes] = n - 1
            n_kept -= bool(attributes) and n <= 3
    return markup


_LEAST: Final = 3
"""Void elements, and others, that must end with a slash."""
_TAG: Final = re.compile(r"<!--|<([a-zA-Z][^\s/<>]*)[^<>]*>")
_ENDING: Final = '"/>'
"""What such a tool writes at the end of a link, image or `meta`."""
_XHTML: Final = re.compile(
    r"(?is)\s*(?P<xml><\?xml\b[^>]*>\s*)?(?:<\?[^>]*>\s*|<!--.{0,2000}?-->\s*){0,9}"
    r"(?:<!doctype(?P<type>[^>\[]*)(?:\[.{0,9000}?\]\s*)?>\s*)?(?:<!--.{0,2000}?-->\s*){0,9}<html\b(?P<tag>[^>]*)>"
)
"""How a page begins that may be XML (XHTML 1.0, 3.1.1): a declaration, a document type, the namespace say so."""
_XML_SIGNS: Final = re.compile(r"(?i)\bDTD XHTML\b|\bxmlns\s*=\s*[\"']http://www\.w3\.org/1999/xhtml[\"']")
_RAW: Final = frozenset(("script", "style"))
_COMMENT: Final = "<!--"
_VOID_NUMBERS: Final = np.array([int.from_bytes(name.encode(), "little") for name in sorted(VOID)], dtype=np.uint64)
"""The names as the core compares them: characters of eight bytes at most, the first in the lowest byte."""


def find_empty_tags(markup: str) -> list[tuple[int, str]]:
    """End and name of each tag of an empty element that has no end tag in HTML; none in markup that people wrote."""
    is_xml = _is_xhtml(markup)
    # the core leaves at the first sign of a hand; a search of the whole markup goes on to its end
    are_written = is_xml or (core.are_written_by_tool(markup, _VOID_NUMBERS, _LEAST) and _ENDING in markup)
    found = [(end, name) for (_, end), name, is_empty in (_list_tags(markup) if are_written else ()) if is_empty]
    # one or two are slips of people, who mean the start tag that HTML reads
    return found if is_xml or len(found) >= _LEAST else []


def _is_xhtml(markup: str) -> bool:
    """Whether a page with an empty element that HTML does not know says that it is XML, and is well formed."""
    # first by one expression: pages in XML are many, and few have an element that must be closed
    found = _XHTML.match(markup)
    says_xml = found and (found["xml"] or _XML_SIGNS.search(f"{found['type']} {found['tag']}"))
    if not (says_xml and core.has_empty_element(markup, _VOID_NUMBERS)):
        return False
    if not any(is_empty for _, _, is_empty in _list_tags(markup)):
        return False
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, encoding="utf-8")
    try:
        etree.fromstring(markup.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return False
    return True


def close_empty_tags(markup: str) -> str:
    """The markup with an end tag after each of `find_empty_tags`."""
    found = find_empty_tags(markup)
    return edit(markup, ((end - 2, end, f"></{name}>") for end, name in found)) if found else markup


def edit(markup: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The markup with some of its slices replaced: (start, end, text), in order."""
    parts, done = [], 0
    for start, end, text in changes:
        parts += [markup[done:start], text]
        done = end
    return "".join((*parts, markup[done:]))


def number_tags(markup: str, attribute: str) -> tuple[str, str]:
    """The markup as it is meant, with its empty elements closed, and as HTML reads it, which passes over the slash; in
    both each start tag has its number in an attribute, so that the elements of the two trees can be paired. Formatting
    elements have none: of those that are alike, a parser reopens three at most (HTML standard, 13.2.4.3)."""
    meant, read, at = [], [], 0
    for number, (tag, name, is_empty) in enumerate(_list_tags(markup)):
        begin, end = tag
        numbered = "" if FORMATTING[CODE.get(name.lower(), 0)] else f' {attribute}="{number}"'
        start = f"{markup[at:begin]}<{name}{numbered}"
        rest = markup[begin + 1 + len(name) : end]
        meant += [start, f"{rest[:-2]}></{name}>" if is_empty else rest]
        read += [start, f"{rest[:-2]}>" if is_empty else rest]
        at = end
    return "".join((*meant, markup[at:])), "".join((*read, markup[at:]))


def _list_tags(markup: str) -> Iterator[tuple[tuple[int, int], str, bool]]:
    """(begin and end, name, whether it is that of an empty element that has an end tag in HTML) of each start tag;
    comments and the content of scripts and style sheets are passed over."""
    at = 0
    while tag := _TAG.search(markup, at):
        at = tag.end()
        name = (tag[1] or "").lower()
        # tags in comments and scripts are no tags: `"<i/>"` in a string of a script stays as it is
        if tag[0] == _COMMENT:
            at = markup.find("-->", at)
        else:
            is_closed = tag[0].endswith("/>")
            yield tag.span(), tag[1], is_closed and name not in VOID
            if name in _RAW and not is_closed:
                at = markup.find(f"</{tag[1]}", at)
        if at < 0:
            break


# the selected option would stand in the page twice (HTML, `selectedcontent`)
_SELECTED: Final = re.compile(r"(?i)(</?selectedcontent)(?=[\s/>])")


_UNCLOSED: Final = ("", "title", "textarea", "iframe", "style")
"""Names of elements that hold text alone, by their numbers in the core."""
_HIDDEN_SHARE: Final = 0.5
"""Of the markup: a last comment without an end that holds less hides what its author meant to hide, say a sidebar."""


def find_missing_ends(markup: str, found: FoundTags) -> list[tuple[int, str]]:
    """Offset and text of each end that an element that holds text alone, or a comment that hides most, should have."""
    missing, done = [], 0
    for start, name in found.unclosed:
        # inside the tag before, or in its text: no tag
        if start < done:
            continue
        tag_end = markup.find(">", start)
        done = markup.find("<", tag_end) if tag_end >= 0 else -1
        if done < 0:
            break
        missing.append((done, f"</{_UNCLOSED[name]}>"))
    at = found.last_comment
    if 0 <= at < (1 - _HIDDEN_SHARE) * len(markup) and markup.find("-->", at + 2) < 0 and markup.find("--!>", at) < 0:
        # browsers of the time ended such a comment at the first sign that could
        end = markup.find(">", at)
        missing += [(end, "--")] if end >= 0 else []
    return sorted(missing)


_SHADOW_ROOT: Final = "shadowrootmode="
_TEMPLATE: Final = re.compile(r"(?i)<(/?)template(?=[\s/>])([^>]*)")


def open_shadow_roots(markup: str) -> str:
    """The markup with declarative shadow roots as elements of their hosts (HTML, `shadowrootmode`): what a browser
    shows of `<x-card><template shadowrootmode=open><h2>Ann</h2></template></x-card>` is the heading. What the host
    holds beside it stays behind it, where most templates have their slot. Other templates show nothing, and stay.
    """
    opened: list[bool] = []
    changes = []
    for tag in _TEMPLATE.finditer(markup):
        if not tag[1]:
            opened.append(_SHADOW_ROOT in tag[2])
        # an end tag closes the last template that is open
        if opened[-1] if not tag[1] else opened and opened.pop():
            changes.append((*tag.span(), f"<{tag[1]}shadow-root{'' if tag[1] else tag[2]}"))
    return edit(markup, changes)


# each looks at no sign of a page twice, for a tag may be as long as the page
_EMPTY_TAG: Final = re.compile(r"<(\w+)(\s[^<>]*)>(\s*)</\1>")
_NAMED_MENTION: Final = re.compile(
    r"(?i)\s(?:class|data-[\w-]*(?:type|name|component))=(?:\"[^\"]*mention|'[^']*mention|mention)"
)
_MENTION_CHARS: Final = 4096  # of a tag: those with the data of a whole page are as long as the page
_DATA: Final = re.compile(r"\sdata-[\w-]+=(?:\"(\{[^\"]*)\"|'(\{[^']*)')")


def write_mentions(markup: str) -> str:
    """The markup with the name of a person in the empty element that mentions them, whose script takes it from there:
    `<span class="mention" data-attrs="{&quot;name&quot;:&quot;Ann&quot;}"></span>`."""
    changes, done = [], 0
    # from word to word: there are far more tags
    while (at := markup.find("mention", done)) >= 0:
        start, done = markup.rfind("<", done, at), markup.find("<", at)
        if done < 0:
            break
        tag = _EMPTY_TAG.match(markup, start) if start >= 0 and done - start <= _MENTION_CHARS else None
        data = _DATA.search(tag[2]) if tag and _NAMED_MENTION.search(tag[2]) else None
        if tag is None or data is None:
            continue
        try:
            told = json.loads(unescape(data[1] or data[2]))
        # objects in each other, deeper than Python reads them
        except (ValueError, RecursionError):
            continue
        name, url = (next((told[key] for key in keys if isinstance(told.get(key), str)), "") for keys in _MENTIONED)
        link = f'<a href="{escape(url)}">{escape(name)}</a>' if url and tag[1].lower() != "a" else escape(name)
        changes.append((done, done, link))
    return edit(markup, changes) if changes else markup


_MENTIONED: Final = (
    ("name", "displayName", "display_name", "label", "username"),
    ("url", "href", "link", "profile_url"),
)
"""Keys of the name of who is mentioned, and of their page."""


class FoundTags(msgspec.Struct):
    """Offsets or numbers of the tags found. n_styled: formatting tags that may have attributes. n_tags: the signs that
    begin a tag. n_column_ends: end tags that begin with `</col`. unclosed: offset and number of the name of each start
    tag that has no end, rising. last_comment: offset of the last comment or -1. n_templates: of template tags.
    n_of_data: of empty elements whose tag has a brace, as that of JSON."""

    roots: list[int] = []
    inputs: list[int] = []
    n_columns: int = 0
    n_tables: int = 0
    n_selected: int = 0
    n_styled: int = 0
    n_tags: int = 0
    n_column_ends: int = 0
    unclosed: list[tuple[int, int]] = []
    last_comment: int = -1
    n_templates: int = 0
    n_of_data: int = 0


def prepare_markup(markup: str, budget: Budget, work_around: Callable[[str, FoundTags], str] | None = None) -> str:
    """The markup, cut where parsing would be too expensive.

    Empty elements of XML get end tags. `<selectedcontent>` is renamed, because an engine would copy the selected option
    into it. Declarative shadow roots are opened. Who is mentioned by data alone is named.

    work_around: changes the markup where the engine has a bug (`Engine.work_around`).
    """
    markup = close_empty_tags(markup)
    found = find_tags(markup)
    missing = find_missing_ends(markup, found)
    if missing:
        markup = edit(markup, ((at, at, text) for at, text in missing))
        found = find_tags(markup)
    # in this order: what is cut first need not be changed by the engine's own rules
    if found.roots:
        markup = bound_root_tags(markup, found.roots, budget)
    if work_around is not None:
        markup = work_around(markup, found)
    if found.n_templates and _SHADOW_ROOT in markup:
        markup = open_shadow_roots(markup)
    if found.n_of_data:
        markup = write_mentions(markup)
    if found.n_selected:
        markup = _SELECTED.sub(r"\1-", markup)
    return bound_formatting(markup, found.n_styled, found.n_tags, budget)


def find_tags(markup: str) -> FoundTags:
    """What makes parsing expensive or wrong, found in one scan of the markup."""
    return FoundTags(*core.find_tags(markup))
