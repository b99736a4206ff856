"""Pages that show next to nothing until their scripts have run: what their markup or data hold all the same.

The page inside `noscript`, `noframes`, `template` or a script of a type such as `text/template`: a parser with
scripting on reads the content of all of them as no part of the page, as browsers do. That markup is parsed separately
and replaces the body; the head is kept, because fields such as the title are read from it. It is not parsed in place,
since an unclosed tag in it would swallow the rest of the page.

    <nav>300 words of links</nav> <div id=app></div> <noscript>the thread, 900 words</noscript>     the noscript
    <article>400 words</article> <template>a form for comments, 200 words</template>                as it stands

The text in the data of scripts: frameworks send a page as JSON, from which scripts make what is seen: `__NEXT_DATA__`
and other scripts of the type `application/json`, or an attribute of an element (`data-page`); for search engines many
say the text as `articleBody` of JSON-LD (https://schema.org/articleBody). Which keys hold text is said by rules. The
text, HTML, BBCode or plain, becomes the body of the page; the head is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape, unescape
from itertools import islice
from typing import Any, Final

import msgspec

from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Document, TextBlocks
from webclean.parse import count_tags, parse_part, read_data_scripts, read_templates
from webclean.parse.columns import ParsedNodes, build_document
from webclean.parse.limits import Budget, check_time
from webclean.parse.tags import CODE, FALLBACK
from webclean.parse.xpath import build_xpath
from webclean.rules.page_schema import NoscriptRules, ScriptPages


def find_noscript_page(
    document: Document, blocks: TextBlocks, rules: NoscriptRules
) -> tuple[Document, TextBlocks] | None:
    """The page in the longest `noscript`, `noframes` or template that is enough; None where none is.

    It must have more words than the page shows, and many more than the page has running text: a page of menus shows
    next to nothing, too. A frameset has no text of its own, so any text in its `noframes` is enough.
    """
    held = {**document.fallback, **read_templates(document)}
    # a word and the space after it are two characters; most are a few words that ask for scripts
    longest = max(map(len, held.values()), default=-1)
    if longest < 0 or (longest + 1 < 2 * rules.min_words and find_body(document) is not None):
        return None
    shown = blocks.n_words[blocks.visible]
    is_running = (shown >= rules.running_words) & (2 * blocks.n_link_words[blocks.visible] < shown)
    # a `noscript` of a few words asks for scripts to be turned on; it must say more than the page does
    enough = max(rules.min_words, shown.sum(), rules.min_ratio * shown[is_running].sum())
    least = 1.0 if find_body(document) is None else float(enough)
    for row in sorted(held, key=lambda row: -len(held[row])):
        # nothing is looked at that cannot be enough
        if len(held[row]) + 1 < 2 * least:
            break
        # a template is often one to be filled in
        is_form = document.names[row] not in FALLBACK and any(sign in held[row] for sign in rules.placeholders)
        if is_form or len(_TAG.sub(" ", held[row]).split()) < least:
            continue
        inner = graft_markup(document, row, held[row], document.names[row])
        found = None if inner is None else find_text_blocks(inner)
        if inner is not None and found is not None and found.n_words[found.visible].sum() >= least:
            return inner, found
    return None


def find_body(document: Document) -> int | None:
    """The row of the body, or None: a frameset has none."""
    return document.names.index("body") if "body" in document.names else None


def graft_markup(document: Document, row: int, markup: str, part: str) -> Document | None:
    """The document with markup of one of its elements, such as `noscript`, as its body; None where it is a frameset.

    XPaths of the new document all point at that element (`anchor`), because the original page has no other elements for
    them.
    """
    inner = parse_part(markup, document)
    inner_body = find_body(inner)
    if inner_body is None:
        return None
    body = find_body(document)
    if body is None:
        # the content takes its place: rows before it are the head, whose title is the page's
        body = document.names.index("frameset")
    cut, moved = body + 1, body - inner_body
    head_texts = [i for i, owner in enumerate(document.text_owner.tolist()) if owner < body]
    body_texts = [i for i, owner in enumerate(inner.text_owner.tolist()) if owner >= inner_body]
    first = inner_body + 1
    walk = ParsedNodes(
        names=[*document.names[:body], "body", *inner.names[first:]],
        parent=document.parent[:cut].tolist() + [above + moved for above in inner.parent[first:].tolist()],
        attrs=[*islice(document.attrs, cut), *islice(inner.attrs, first, None)],
        text=[document.text[i] for i in head_texts] + [inner.text[i] for i in body_texts],
        text_owner=[int(document.text_owner[i]) for i in head_texts]
        + [int(inner.text_owner[i]) + moved for i in body_texts],
        text_next=[min(cut, int(document.text_next[i])) for i in head_texts]
        + [int(inner.text_next[i]) + moved for i in body_texts],
        raw={at: kept for at, kept in document.raw.items() if at < body}
        | {at + moved: kept for at, kept in inner.raw.items() if at > inner_body},
    )
    source = replace(document.source, part=part)
    made = build_document(walk, source, document.engine, document.url, Budget(truncate=True))
    return replace(made, truncated=document.truncated, anchor=build_xpath(document, row))


_TAG: Final = re.compile(r"<[^>]*>")
# a string with several paragraphs is a text by itself, not a part of one
_PARAGRAPH_END: Final = re.compile(r"</p\s*>|\n", re.IGNORECASE)
# lists inside each other; real data have a handful
_MAX_DEPTH: Final = 60
_MAX_VALUES: Final = 200_000
"""Values of one script that are looked at."""


@dataclass(frozen=True, slots=True)
class DataText:
    """A string of a text key. lists: the numbers of the lists that it is in, outermost first."""

    text: str
    n_words: int
    lists: tuple[int, ...]


def is_bare(document: Document, blocks: TextBlocks, rules: ScriptPages) -> bool:
    """Whether a page has scripts and shows next to nothing."""
    n_scripts = count_tags(document)[CODE["script"]]
    return n_scripts > 0 and blocks.n_words[blocks.visible].sum() <= rules.max_visible_words


def describe_script_page(document: Document, blocks: TextBlocks, rules: ScriptPages) -> Iterator[str]:
    """What a reader should know of a page that scripts fill."""
    if document.source.part == "script":
        yield "the page shows next to nothing without its scripts: the text is from their data"
    elif not document.source.part and document.source.kind == "html" and is_bare(document, blocks, rules):
        yield "the page shows next to nothing without its scripts: a browser may show more"


def find_script_page(document: Document, blocks: TextBlocks, rules: ScriptPages) -> tuple[Document, TextBlocks] | None:
    """The page in the data of its scripts or attributes; None where it shows enough itself, or none has a text."""
    n_visible = int(blocks.n_words.dot(blocks.visible))
    if n_visible > rules.max_visible_words or find_body(document) is None:
        return None
    least = max(rules.min_words, rules.min_ratio * n_visible) if n_visible else rules.blank_words
    best: tuple[int, int, str] = (0, -1, "")
    held = list(read_data_scripts(document).items())
    for row, attrs in enumerate(document.attrs):
        # `data-page` of Inertia, `data-preloaded` of Discourse: a script reads it from there
        values = [value for name, value in attrs.items() if name.startswith("data-")]
        held += [(row, value) for value in values if value and value[0] in "{[" and len(value) > 2 * least]
    for row, data in held:
        check_time()
        n_words, markup = find_text(data, rules)
        # a few words in a heap of settings are a notice of the shop, say, and not the page
        if n_words < rules.min_words and len(markup) < rules.short_share * len(data):
            continue
        # of script data with the same words the first counts: its row is negative
        best = max(best, (n_words, -row, markup))
    if best[0] < least:
        return None
    inner = graft_markup(document, -best[1], best[2], "script")
    return None if inner is None else (inner, find_text_blocks(inner))


def find_text(script: str, rules: ScriptPages) -> tuple[int, str]:
    """Number of words and markup of the text in some JSON: its longest string of a text key; or all parts of one list,
    where these have more words and the longest string is one of them, or they have more than twice as many."""
    try:
        found = list(_list_texts(msgspec.json.decode(script), frozenset(rules.text_keys)))
    except (ValueError, RecursionError):
        return 0, ""
    if not found:
        return 0, ""
    # a text in parts (the paragraphs of an editor) is a list of strings; so are the teasers beside a text
    longest = max(found, key=lambda one: one.n_words)
    sums: dict[int, int] = {}
    for one in found:
        for number in one.lists if one.n_words >= rules.part_words else ():
            sums[number] = sums.get(number, 0) + one.n_words
    # of lists with the same words the innermost counts: it was numbered last
    number = max(sums, key=lambda key: (sums[key], key)) if sums else -1
    is_whole = number not in longest.lists or len(_PARAGRAPH_END.findall(longest.text)) > 1
    if is_whole and longest.n_words * 2 >= sums.get(number, 0):
        return longest.n_words, _write_markup(longest.text, rules)
    parts = [one for one in found if number in one.lists and one.n_words >= rules.part_words]
    return sums[number], "\n".join(_write_markup(one.text, rules) for one in parts)


def _list_texts(data: Any, keys: frozenset[str]) -> Iterator[DataText]:
    """The strings of text keys, in the order of the data."""
    todo: list[tuple[Any, bool, tuple[int, ...]]] = [(data, False, ())]
    n_values = n_lists = 0
    while todo and n_values < _MAX_VALUES:
        value, is_text, lists = todo.pop()
        n_values += 1
        if isinstance(value, str):
            inner = None
            # data that a page has in an attribute may hold JSON as a string
            if value[:1] in ("{", "["):
                with suppress(ValueError, RecursionError):
                    inner = msgspec.json.decode(value)
            if inner is not None:
                todo.append((inner, False, lists))
            elif is_text and (n_words := len(_TAG.sub(" ", value).split())):
                yield DataText(value, n_words, lists)
        # data of scripts nest without end where someone wants them to
        elif len(lists) > _MAX_DEPTH:
            continue
        elif isinstance(value, list):
            n_lists += 1
            todo += [(one, is_text, (*lists, n_lists)) for one in reversed(value)]
        elif isinstance(value, dict):
            todo += [(one, key in keys, lists) for key, one in reversed(value.items())]


def _write_markup(text: str, rules: ScriptPages) -> str:
    """A string as markup: HTML as it is, BBCode as HTML, plain text with a paragraph for each line."""
    if _TAG.search(text):
        return f"<div>{text}</div>"
    if any(tag[1].lower() in rules.bracket_tags for tag in _BRACKET_END.finditer(text)):
        return f"<div>{_write_bracket_tags(text, rules)}</div>"
    return "\n".join(f"<p>{escape(line, quote=False)}</p>" for line in text.splitlines() if line.strip())


_BRACKET_END: Final = re.compile(r"\[/(\w{1,20})\]")
_BRACKET_TAG: Final = re.compile(r"\[(/?)(\w{1,20}|\*)\]")


def _write_bracket_tags(text: str, rules: ScriptPages) -> str:
    """BBCode as HTML: `[b]` and other tags that rules name, and `[url=/a]text[/url]`, `[img]/a.png[/img]`."""

    def write_address(found: re.Match[str]) -> str:
        element = rules.bracket_tags.get(found[1].lower(), "a")
        # `dQw4w9WgXcQ;full`: what follows says how it is shown
        value = unescape(found[2] or found[3]).strip("\"' ").partition(";")[0]
        address = escape(rules.address_tags[found[1].lower()].replace("%s", value))
        return f'<a href="{address}">{found[3]}</a>' if element == "a" else f'<{element} src="{address}"></{element}>'

    def write_tag(found: re.Match[str]) -> str:
        element = rules.bracket_tags.get(found[2].lower())
        return f"<{found[1]}{element}>" if element else found[0]

    names = "|".join(map(re.escape, rules.address_tags))
    addresses = re.compile(rf"\[({names})(?:=([^\]]*))?\](.*?)\[/\1\]", re.IGNORECASE | re.DOTALL)
    written = addresses.sub(write_address, escape(text)) if names else escape(text)
    return _BRACKET_TAG.sub(write_tag, written).replace("\n", "<br>")
