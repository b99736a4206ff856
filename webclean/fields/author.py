"""The author or authors of a page, from meta elements, JSON-LD, microdata, links, classes and bylines.

Candidates are names; spellings that differ only in case or punctuation count as one. If a source gives several names,
all of them together are a further candidate. A text is recognised as a name by its shape (capitalised words, or a few
Chinese characters), not by a list of names.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np

from webclean import core
from webclean.features.block_features import find_links
from webclean.features.block_texts import find_words
from webclean.features.words import WordSet, cut_words, make_word_set
from webclean.fields.candidates import Candidate
from webclean.fields.people import MAX_CHARS, PLAIN_NAME, UNSPACED_NAME, NamePool, compare_names
from webclean.fields.scan import SCAN_CHARS, FinderSet, compile_finder, compile_finders
from webclean.fields.statements import PageStatements, Thing, read_names
from webclean.parse import read_attribute
from webclean.parse.columns import mark_slices
from webclean.parse.tags import HEADING
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.features_schema import Dates
from webclean.rules.fields_schema import AuthorRules
from webclean.rules.python_expressions import join_templates

_CARDS: Final = tuple((f"twitter:label{i}", f"twitter:data{i}") for i in range(1, 4))
_MAX_ROWS: Final = 20
"""Elements of one kind that are read: a thread has hundreds of users, and the first one started it."""
_OF_POSTERS: Final = frozenset(("user_class_first", "user_link", "user_link_first", "user_class_link_first"))
"""Features that mark the first poster of a thread; who is first among the comments of an article is none."""
_LINK_KINDS: Final = ("author_link", "user_link")
_SHORT_CHARS: Final = 80
"""Of a text with a name beside a date or a number: a sentence that holds both is longer."""
_ROWS_BELOW: Final = 40
"""Elements below the title with such texts: further down stand those of other articles and of comments."""
# what stands between a name and a date; a comma only before a number, for names of places have commas, too
_BESIDE: Final = re.compile(r"\s*[|·•]\s*|\s+[–—-]\s+|,\s+(?=\d)")
# `Ann on June 5, 2023`, but no `Posted on`
_ON_DATE: Final = re.compile(r"((?!\w+ed\b)[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,3}) on (?=[A-Z]\w+ \d|\d)")
# a heading is no by-line where what follows `by` is written small: a word with a capital would be a name
_LOWER: Final = re.compile(r"^\w+ [a-z]+ [a-z]+(?: [a-z]+){0,3}$")
# a name, with the role and the employer behind it
_SIGNED: Final = re.compile(rf"{PLAIN_NAME.pattern}(?:, [^.!?:]{{2,90}})?")


@cached_per_rule_set
def fill_dates(rules: AuthorRules, dates: Dates) -> AuthorRules:
    """The rules with the placeholders of dates in `cuts` filled in, so that dates are defined in one place."""
    return msgspec.structs.replace(rules, cuts=join_templates((rules.cuts,), dates))


def collect_authors(
    statements: PageStatements, rules: AuthorRules, anchor: int, sites: tuple[str, ...], language: str
) -> list[Candidate]:
    """Every possible author with its features.

    Args:
        statements: what the page states about itself.
        rules: section `fields.author`, with `fill_dates`.
        anchor: row of the element that shows the title, or -1.
        sites: folded names of the site.
        language: BCP 47 tag of the page.
    """
    pool = NamePool(rules, anchor)
    # without a title the page begins at its first row
    top = max(0, anchor)
    lines = range(max(0, top - rules.lines_above), top + rules.lines_below)
    near = range(max(0, top - rules.rows_above), top + rules.rows_below)
    classes = statements.find_classes(rules.author_classes, rules.user_classes, rules.comment_classes, near=lines)
    # in the order in which sources are trusted: the first that names somebody is the source that is told
    _add_metas(pool, statements, rules)
    _add_things(pool, statements, rules)
    _add_properties(pool, statements, rules)
    _add_links(pool, statements, rules, near)
    _add_classes(pool, statements, *classes[:2])
    is_signed = language.partition("-")[0] in rules.signature_languages
    if is_signed:
        _add_signatures(pool, statements, rules)
    _add_bylines(pool, statements, rules, has_words=not is_signed)
    _add_beside_dates(pool, statements)
    candidates = list(pool.found.values())
    document, comments = statements.document, np.array([row for row in classes[2] if row], dtype=np.intp)
    in_comments = mark_slices(comments, document.end[comments], len(document)) if len(comments) else None
    for candidate in candidates if in_comments is not None else ():
        if candidate.row >= 0 and in_comments is not None and in_comments[candidate.row]:
            candidate.features["in_comments"] = 1.0
            for name in _OF_POSTERS & candidate.features.keys():
                # in comments the first user is the first who commented
                del candidate.features[name]
    compare_names(pool, sites, statements.title)
    return candidates


def _add_metas(pool: NamePool, statements: PageStatements, rules: AuthorRules) -> None:
    texts_of: dict[str, list[str]] = {}
    for name, text in statements.read_meta(rules.metas):
        texts_of.setdefault(name, []).append(text)
    first = ["meta_first"]
    for name, texts in texts_of.items():
        together = ", ".join(dict.fromkeys(texts))
        # several elements of one name are co-authors, by the conventions of all names but the plainest: beside the
        # author, some sites give themselves as another
        is_list = together != texts[0] and name != rules.metas[0]
        if is_list:
            pool.add(together, f"meta {name}", "meta", "meta_all", *first)
            first = []
        for text in texts:
            pool.add(text, f"meta {name}", *(() if is_list else ("meta", *first)))
            first = []
        # of `author` alone both are candidates: the first, and all together
        if len(texts) > 1 and not is_list:
            pool.add(together, f"meta {name}", "meta_all")
    for label_name, value_name in _CARDS:
        labels, values = statements.metas.get(label_name, ()), statements.metas.get(value_name, ())
        for label, value in zip(labels, values, strict=False):
            # the cards also state the time to read, the price, the number of comments
            if compile_finder(rules.card_labels).exact.search(label):
                pool.add(value, f"meta {value_name}", "twitter_label")


def _add_things(pool: NamePool, statements: PageStatements, rules: AuthorRules) -> None:
    seen: set[str] = set()
    for thing in statements.things:
        kind = "json_ld_of_part" if thing.role in rules.json_ld_reference_roles else "json_ld"
        for key in rules.json_ld_keys:
            if not thing.values.get(key):
                continue
            names = list(dict.fromkeys(read_people(thing.values.get(key), statements.things)))
            # pages of papers in physics list thousands of authors
            for name in names[:10]:
                first = () if kind in seen else (f"{kind}_first",)
                pool.add(name, f"json-ld {key}", *((kind, *first) if len(names) == 1 else (f"{kind}_one_of_several",)))
            if len(names) > 1:
                pool.add(", ".join(names[:20]), f"json-ld {key}", f"{kind}_all", *(() if kind in seen else (kind,)))
            if names:
                seen.add(kind)


def read_people(value: object, things: tuple[Thing, ...]) -> Iterator[str]:
    """Names of the people in a JSON-LD value, or in the objects that it refers to by `@id`."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict) and not item.get("name") and item.get("@id"):
            for thing in things:
                if thing.values.get("@id") == item["@id"] and thing.values.get("name"):
                    # one level: an object that refers to one that refers back would never end
                    yield from thing.texts("name")[:1]
                    break
        elif isinstance(item, (dict, str)):
            yield from read_names(item)


def _add_properties(pool: NamePool, statements: PageStatements, rules: AuthorRules) -> None:
    names = statements.properties.get("name", [])
    for key in rules.properties:
        for i, row in enumerate(statements.properties.get(key.lower(), ())[:_MAX_ROWS]):
            inside = names[bisect_right(names, row) : bisect_left(names, int(statements.document.end[row]))]
            first = ("itemprop_first",) if i == 0 else ()
            # `itemprop=author` is often a Person with its `name` inside, beside a picture and a biography
            for target in inside[:1] or [row]:
                content = read_attribute(statements.document, target, "content")
                text = content or statements.read_text(target)
                if text and len(text) <= MAX_CHARS:
                    pool.add(text, f"itemprop {key}", "itemprop", *first, row=target, at=row)


def _add_links(pool: NamePool, statements: PageStatements, rules: AuthorRules, near: range) -> None:
    """Add links near the title to the page of an author or user, and links with `rel=author`."""
    kinds_of: dict[int, list[str]] = {}
    links, finders = find_links(statements.columns), compile_finders(rules.author_urls, rules.user_urls)
    # only those near the title: a page of comments has a link to a user at each
    first, last = links.row.searchsorted((near.start, near.stop)).tolist()
    rows, targets = links.row[first:last].tolist(), [links.distinct[i] for i in links.number[first:last].tolist()]
    for i, possible in finders.find_each(targets):
        target = targets[i][:SCAN_CHARS]
        found = (_LINK_KINDS[number] for number in possible if finders.finders[number].exact.search(target))
        if kind := next(found, ""):
            kinds_of[rows[i]] = [kind]
    for row, tokens in statements.relations.items():
        if row in near and "author" in tokens and statements.document.link[row] == row:
            kinds_of.setdefault(row, []).append("rel_author")
    counts = {"rel_author": 0, "author_link": 0, "user_link": 0}  # of links by their last kind
    _add_link_lists(pool, statements, rules, kinds_of)
    for row, kinds in sorted(kinds_of.items()):
        # texts are the dear part: of many links of one kind the first ones are read
        text = statements.read_text(row) if counts[kinds[-1]] < _MAX_ROWS else ""
        if not text or len(text) > MAX_CHARS:
            continue
        firsts = [f"{kind}_first" for kind in kinds if counts[kind] == 0]
        for kind in kinds:
            counts[kind] += 1
        place = ["link_in_landmark"] if statements.is_in_landmark(row) else []
        pool.add(text, "author link", *kinds, *firsts, *place, row=row, at=row)


def _add_link_lists(
    pool: NamePool, statements: PageStatements, rules: AuthorRules, kinds_of: dict[int, list[str]]
) -> None:
    """Add elements with only links to several authors and what joins names: `Ann Lee and Bo Ek`."""
    rows_in: dict[int, list[int]] = {}
    for row in sorted(kinds_of):
        rows_in.setdefault(int(statements.document.parent[row]), []).append(row)
    joiner = compile_finder(rules.joiners).exact
    for holder, rows in rows_in.items():
        names = list(dict.fromkeys(filter(None, map(statements.read_text, rows))))
        text = statements.read_text(holder) if len(names) > 1 else ""
        if not text or len(text) > MAX_CHARS:
            continue
        rest = pool.clean(text)
        for name in sorted(names, key=len, reverse=True):  # the longest first, for `Lee` may be a part of `Ann Lee`
            # what remains between the names must be what joins them (`and`, a comma), or the element says more than who
            # wrote it
            rest = rest.replace(name, "|")
        if all(not part.strip() or joiner.fullmatch(part.strip()) for part in rest.split("|")):
            pool.add(text, "author links", "link_all", row=holder, at=holder)


def _add_classes(pool: NamePool, statements: PageStatements, authors: list[int], users: list[int]) -> None:
    """Add elements whose class marks an author or user, and the first link inside each."""
    document = statements.document
    for feature, found in (("author_class", authors), ("user_class", users)):
        rows = [row for row in found if document.displayed[row] and row][:_MAX_ROWS]
        for i, row in enumerate(rows):
            first = [f"{feature}_first"] * (i == 0)
            text = statements.read_text(row)
            if text and len(text) <= MAX_CHARS:
                pool.add(text, "class", feature, *first, row=row, at=row)
            inside = range(row + 1, min(int(document.end[row]), row + _MAX_ROWS))
            name = next(filter(None, (statements.read_text(r) for r in inside if document.names[r] == "a")), "")
            first = [f"{feature}_link_first"] * (i == 0)
            pool.add(name, "link in class", f"{feature}_link", *first, row=row, at=row)
            # the name and the role or the employer, in elements of their own
            parts = (statements.read_text(r) for r in inside)
            head = next((part for part in parts if part and len(part) < len(text)), "")
            # with the link at its beginning the name is found already
            if head != name and text.startswith(head):
                pool.add(head, "beginning of class", f"{feature}_head", row=row, at=row)


def _add_signatures(pool: NamePool, statements: PageStatements, rules: AuthorRules) -> None:
    """Add names in the forms in which East Asian newspapers sign: `（记者 张三 李四）`, `文/张三`, `홍길동 기자`."""
    blocks, first = statements.columns.blocks, ["signature_first"]
    for i in statements.text_scan.find_texts(compile_finder(rules.signature_words).loose):
        text = blocks.text[i][:SCAN_CHARS]
        found = next(filter(None, (compile_finder(form).exact.search(text) for form in rules.signatures)), None)
        if found:
            # `陈智 整合`: who put a text together from others' has a place in the list, but no name
            names = ", ".join(filter(None, (pool.read(name)[0] for name in UNSPACED_NAME.findall(found[1]))))
            at = int(statements.block_position[i])
            pool.add(names, "signature", "signature", *first, row=int(blocks.row[i]), at=at)
            first = []


@lru_cache(maxsize=64)
def _compile_bylines(begin: str, inside: str) -> FinderSet:
    """What finds a byline that begins a text, and one inside a text, where only capitals tell a name from what follows
    any `by`."""
    return FinderSet((compile_finder(f"^(?:{begin})"), compile_finder(inside, 0)))


@lru_cache(maxsize=64)
def _compile_words(words: tuple[str, ...]) -> WordSet:
    return make_word_set(cut_words(words).key)


def _add_bylines(pool: NamePool, statements: PageStatements, rules: AuthorRules, has_words: bool) -> None:
    """Add names from short texts that start with a byline or contain one.

    has_words: whether the page's script separates words. If so, the words of bylines are looked up among the words of
    the page, which are already computed.
    """
    columns, texts, n = statements.columns, statements.columns.blocks.text, 0
    finders = _compile_bylines(rules.byline, rules.byline_inside)
    # where words are not spaced there are none to look up
    if has_words:
        words = find_words(columns)
        hits = iter(dict.fromkeys(words.text[_compile_words(rules.byline_words).find(words)[0]].tolist()))
    else:
        hits = statements.text_scan.find_texts(finders.loose)
    for i in hits:
        # `by` in a paragraph is a word like any other
        if len(texts[i]) > rules.byline_chars:
            continue
        value, feature = _read_byline(texts, i, finders)
        if not value or len(value) > MAX_CHARS:
            continue
        first = (f"{feature}_first",) if n == 0 else ()
        row = int(columns.row[i])
        # `By extracting it`: a section, and its line in the list of contents
        if HEADING[statements.document.tag[row]] and _LOWER.search(value):
            continue
        link = int(statements.document.link[statements.document.text_owner[columns.blocks.first[i]]])
        if link >= 0 and (read_attribute(statements.document, link, "href") or "").startswith("#"):
            continue
        place = ("byline_in_landmark",) if statements.is_in_landmark(row) else ()
        at = int(statements.block_position[i])
        pool.add(value, "by-line", feature, *first, *place, row=row, at=at)
        n += 1
        if n == _MAX_ROWS:
            break


def _read_byline(texts: Sequence[str], i: int, finders: FinderSet) -> tuple[str, str]:
    """(text with the name, feature). If a text is only a label, the next one has the name."""
    text = texts[i]
    for number in finders.list_possible(text):
        found = finders.finders[number].exact.search(text)
        if found and number == 0:
            # `Written by` in an element of its own, the name in the next
            is_label = found.end() == len(text) and i + 1 < len(texts)
            return texts[i + 1] if is_label else text, "byline"
        if found:
            return next(filter(None, found.groups()), ""), "byline_inside"
    return "", ""


def _add_beside_dates(pool: NamePool, statements: PageStatements) -> None:
    """Add names next to a number below the title, in one short text (`Jane Doe · 3 March 2024`, `Jane Doe, 6 min read`)
    or in texts of their own."""
    # without a title any short text of the page would be near it
    if pool.anchor < 0:
        return
    blocks, position = statements.columns.blocks, statements.block_position
    first = int(position.searchsorted(pool.anchor))
    last = int(position.searchsorted(pool.anchor + _ROWS_BELOW, side="right"))
    for i in core.list_numbered(blocks.text, first, last, MAX_CHARS):
        text = blocks.text[i]
        if blocks.n_chars[i] > _SHORT_CHARS:
            continue
        found = [(i, name, "beside_date") for name in _BESIDE.split(text) if PLAIN_NAME.fullmatch(name)]
        # no card has points for it: shape and place of the name decide
        if match := _ON_DATE.match(text):
            found.append((i, match[1], "on_date"))
        if not pool.clean(text):  # a date or a count, with nothing before it
            near = (j for j in (i - 1, i + 1) if first < j < last and _SIGNED.fullmatch(blocks.text[j]))
            found += [(j, blocks.text[j], "next_to_date") for j in near]
        for j, name, feature in found:
            pool.add(name, "beside a date", feature, row=int(blocks.row[j]), at=int(position[j]))
