"""The author or authors of a page, from meta elements, JSON-LD, microdata, links, classes and bylines.

Candidates are names; spellings that differ only in case or punctuation count as one. If a source gives several names,
all of them together are a further candidate. A text is recognised as a name by its shape (capitalised words, or a few
Chinese characters), not by a list of names. At last the names of the page are compared with each other: longer forms
of one name, lists of co-authors, owners of the site beside persons.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np

from webclean import core
from webclean.caching import Once
from webclean.features.page_words import find_words
from webclean.features.words import cut_words, make_word_set
from webclean.fields.author_lists import PLAIN_NAME, UNSPACED_NAME, join_lists, list_runs, turn_name
from webclean.fields.candidates import Candidate, Pool, fold_text
from webclean.fields.scan import SCAN_CHARS, FinderSet, compile_finder, compile_finders
from webclean.fields.site_names import names_site
from webclean.fields.statements import PageStatements, read_people
from webclean.parse.columns import mark_slices, read_attribute
from webclean.parse.tags import HEADING
from webclean.rules.page_schema import AuthorRules, Dates
from webclean.rules.python_expressions import join_templates
from webclean.rules.rule_schema import cached_per_rule_set

_MAX_CHARS: Final = 250
"""A longer text is a paragraph about the author, or a list of all authors of a site."""
_OF_PAGE: Final = frozenset(
    (
        *("meta_first", "json_ld", "itemprop_first"),
        *("author_class_first", "author_class_link_first", "byline_first"),
    )
)
"""Features of the sources that speak of the page itself: others name who comments, or wrote other articles."""
_OF_BYLINES: Final = _OF_PAGE | {"author_link_first", "user_link_first", "byline_inside_first"}
"""These, and features of weaker sources that name who wrote the page, unless it is about several things."""
_NO_PERSON: Final = ("names_site", "collective", "no_name", "has_digit", "in_comments")
_NEAR: Final = (-25, 60)
"""Elements before and after the title between which a by-line is that of the page."""
_PREFIX, _CUT, _NEVER, _COLLECTIVE, _NO_NAME = range(5)
"""Indices of the regular expressions that recognise the shapes of names."""
_MAX_SMALL: Final = 4
"""Words that begin with a small letter: those of roles and employers, but not of a sentence."""
_NUMBER: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"[^\W\d_][\w.'’-]*")
_CASELESS: Final = re.compile(r"[\u0590-\u0fff]")
"""Hebrew, Arabic, Indic and South-East Asian letters, which have no capitals."""
_MAX_ROWS: Final = 20
"""Elements of one kind that are read: a thread has hundreds of users, and the first one started it."""
_OF_POSTERS: Final = frozenset(("user_class_first", "user_link", "user_link_first", "user_class_link_first"))
"""Features that mark the first poster of a thread; who is first among the comments of an article is none."""
_SHORT_CHARS: Final = 80
"""Of a text with a name beside a date or a number: a sentence that holds both is longer."""
_ROWS_BELOW: Final = 40
"""Elements below the title with such texts: further down stand those of other articles and of comments."""
# what stands between a name and a date; a comma only before a number, for names of places have commas, too
_BESIDE: Final = re.compile(r"\s*[|·•]\s*|\s+[–—-]\s+|,\s+(?=\d)")
# `Ann on June 5, 2023`, but no `Posted on`
_ON_DATE: Final = re.compile(r"((?!\w+ed\b)[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,3}) on (?=[A-Z]\w+ \d|\d)")
# a name, with the role and the employer behind it
_SIGNED: Final = re.compile(rf"{PLAIN_NAME.pattern}(?:, [^.!?:]{{2,90}})?")


class NamePool(Pool):
    """Collects candidates; the spellings of one name share a candidate.

    anchor: row of the element that shows the title, or -1. rows: of elements that may each hold one of several authors.
    """

    def __init__(self, rules: AuthorRules, anchor: int) -> None:
        super().__init__()
        self.rules, self.anchor = rules, anchor
        shapes = rules.prefixes, rules.cuts, rules.never_names, rules.collective, rules.no_names
        self._shapes, self._cuts = compile_finders(*shapes), compile_finders(rules.cuts)
        self.rows: list[int] = []
        # several sources often have the same text
        self._list_shapes, self.read = Once(self._shapes.list_possible).__getitem__, Once(self._read).__getitem__

    def has_shape(self, text: str, number: int) -> bool:
        """Whether a shape expression matches a text. number: its index."""
        return number in self._list_shapes(text) and self._shapes.finders[number].exact.search(text) is not None

    def is_label(self, text: str) -> bool:
        """Whether a text says only that a name follows: `Written by`."""
        found = self._shapes.finders[_PREFIX].exact.match(f"{text}:")
        return found is not None and found.end() > len(text)

    def clean(self, text: str) -> str:
        """A name without the label before it and what follows it (dates, sections, counts)."""
        text = " ".join(text.split())[:_MAX_CHARS]
        if _PREFIX in self._list_shapes(text) and (found := self._shapes.finders[_PREFIX].exact.match(text)):
            text = text[found.end() :]
        if _CUT in self._list_shapes(text) and (found := next(self._cuts.find_all(text), None)):
            # at the very beginning it would leave nothing
            if found.start() > 1:
                text = text[: found.start()]
            elif _NUMBER.search(found[0]):
                # a date or a count, and perhaps a name behind it: `3 March 2024 · Ann Lee`
                behind = _BESIDE.split(text, maxsplit=1)[1:]
                return behind[0] if behind and PLAIN_NAME.fullmatch(behind[0]) else ""
        text = text.strip(" \t\u200b,;:|/-–—·•@\"'“”()[]")
        # a picture's label and the name beside it, in one element
        half = len(text) // 2
        return text[:half] if text[:half] == text[half + 1 :] and text[half : half + 1] == " " else text

    def _read(self, text: str) -> tuple[str, str]:
        """(name, its folded form) of a text; two empty strings if it is not a name."""
        name = self.clean(text)
        key = fold_text(name)
        # `article:author` of Facebook is the address of a profile
        is_none = not key or "://" in name or name.isdecimal() or self.has_shape(name, _NEVER)
        # `By extracting the text of a page first, we save time`
        is_none = is_none or sum(word[0].islower() for word in _WORD.findall(name)) > _MAX_SMALL
        return ("", "") if is_none else (name, key)

    def add(self, text: str, source: str, *features: str, row: int = -1, at: int = -1) -> None:
        """Add a name, unless the text is none. at: row where it is shown, -1 where it is not."""
        name, key = self.read(text)
        if not key:
            return
        known = self.put(key, name, source, features, row)
        if at >= 0 and self.anchor >= 0:
            distance = float(at - self.anchor)
            known.features["distance"] = min(known.features.get("distance", distance), distance, key=abs)

    def read_person(self, text: str) -> str:
        """The name that a text is, unless it is of a group, or has a word that is in no name."""
        name = self.read(text)[0]
        return "" if self.has_shape(name, _NO_NAME) or self.has_shape(name, _COLLECTIVE) else name

    def add_list(self, texts: Sequence[str], source: str, *features: str, at: int = -1, shown: str = "") -> None:
        """Add several authors as one candidate. shown: the names as they stand."""
        spelt: dict[str, str] = {}
        for name, key in map(self.read, texts):
            spelt.setdefault(key, name)
        names = list(filter(None, spelt.values()))
        value = shown or ", ".join(names)
        if len(names) > 1:
            known = self.put(fold_text(value), value, source, features, at)
            # a list without commas in one element is split into its names
            known.names, known.value = tuple(names), value
            if at >= 0 and self.anchor >= 0:
                known.features["distance"] = float(at - self.anchor)
        elif names:
            alone = [feature for feature in features if not feature.endswith("_all")]
            self.add(names[0], source, *alone, row=at, at=at)


@cached_per_rule_set
def fill_dates(rules: AuthorRules, dates: Dates) -> AuthorRules:
    """The rules with the placeholders of dates in `cuts` filled in, so that dates are defined in one place."""
    return msgspec.structs.replace(rules, cuts=join_templates((rules.cuts,), dates))


def collect_authors(
    statements: PageStatements, rules: AuthorRules, anchor: int, sites: tuple[str, ...], *, is_signed: bool
) -> list[Candidate]:
    """Every possible author with its features.

    Args:
        statements: what the page states about itself.
        rules: section `fields.author`, with `fill_dates`.
        anchor: row of the element that shows the title, or -1.
        sites: folded names of the site.
        is_signed: the page is in a language whose newspapers sign in a set form (`signature_languages`).
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
    if len(pool.rows) > 1:
        # further away links are lists of other things
        rows = [row for row in pool.rows if _NEAR[0] <= row - anchor <= _NEAR[1]] if anchor >= 0 else pool.rows
        rows = [row for row in rows if not statements.is_in_landmark(row)]
        for row, listed, shown in list_runs(statements, rows, pool.read_person, rules.joiners):
            pool.add_list(listed, "author links", "link_all", at=row, shown=shown)
    if is_signed:
        _add_signatures(pool, statements, rules)
    _add_bylines(pool, statements, rules, has_words=not is_signed)
    _add_beside_dates(pool, statements)
    document, comments = statements.document, np.array([row for row in classes[2] if row], dtype=np.intp)
    if len(comments):
        in_comments = mark_slices(comments, document.end[comments], len(document))
        for candidate in pool.found.values():
            if candidate.row >= 0 and in_comments[candidate.row]:
                # among comments the first user is only the first who commented
                kept = {name: value for name, value in candidate.features.items() if name not in _OF_POSTERS}
                candidate.features = {**kept, "in_comments": 1.0}
    compare_names(pool, sites, statements.title)
    return list(pool.found.values())


def _add_metas(pool: NamePool, statements: PageStatements, rules: AuthorRules) -> None:
    texts_of: dict[str, list[str]] = {}
    for text, source in statements.read_metas(rules.metas):
        texts_of.setdefault(source, []).append(text)
    inverted = {f"meta {name}" for name in rules.metas_inverted}
    for source, written in texts_of.items():
        texts = written
        if source in inverted:
            texts = [turn_name(part.strip()) for text in written for part in text.split(";")]
        together = ", ".join(dict.fromkeys(texts))
        # several elements of one name are co-authors, by the conventions of all names but the plainest: beside the
        # author, some sites give themselves as another
        is_list = together != texts[0] and source != f"meta {rules.metas[0]}"
        if is_list:
            pool.add_list(texts, source, "meta", "meta_all", *pool.mark_first("meta_first"))
        for text in texts:
            pool.add(text, source, *(() if is_list else ("meta", *pool.mark_first("meta_first"))))
        # for `author` both are candidates: the first name, and all names together
        if len(texts) > 1 and not is_list:
            pool.add_list(texts, source, "meta_all")
    for label, labelled in rules.metas_labelled.items():
        if any(map(pool.is_label, statements.metas.get(label, ()))):
            for text, source in statements.read_metas((labelled,)):
                pool.add(text, source, "meta_labelled")


def _add_things(pool: NamePool, statements: PageStatements, rules: AuthorRules) -> None:
    for thing in statements.things:
        # comments and videos have authors of their own
        for key in () if thing.role in rules.json_ld_reference_roles else filter(thing.values.get, rules.json_ld_keys):
            names = list(dict.fromkeys(read_people(thing.values[key], statements.things)))
            first = pool.mark_first("json_ld_first") if names else []
            if len(names) == 1:
                pool.add(names[0], f"json-ld {key}", "json_ld", *first)
                continue
            # pages of papers in physics list thousands of authors
            for name in names[:10]:
                pool.add(name, f"json-ld {key}")
            if names:
                pool.add_list(names[:60], f"json-ld {key}", "json_ld_all", *["json_ld" for _ in first])


def _add_properties(pool: NamePool, statements: PageStatements, rules: AuthorRules) -> None:
    names = statements.properties.get("name", [])
    for key in rules.properties:
        for i, row in enumerate(statements.properties.get(key.lower(), ())[:_MAX_ROWS]):
            inside = names[bisect_right(names, row) : bisect_left(names, int(statements.document.end[row]))]
            # `itemprop=author` is often a Person with its `name` inside, beside a picture and a biography
            target = inside[0] if inside else row
            text = read_attribute(statements.document, target, "content") or statements.read_text(target)
            pool.rows.append(target)
            if len(text) <= _MAX_CHARS:
                pool.add(text, f"itemprop {key}", "itemprop", *["itemprop_first"] * (i == 0), row=target, at=row)


def _add_links(pool: NamePool, statements: PageStatements, rules: AuthorRules, near: range) -> None:
    """Add links near the title to the page of an author or user."""
    kinds_of: dict[int, list[str]] = {}
    finders = compile_finders(rules.author_urls, rules.user_urls)
    # only those near the title: a page of comments has a link to a user at each
    links = statements.list_links(near)
    for i, possible in finders.find_each([target for _, target in links]):
        row, target = links[i][0], links[i][1][:SCAN_CHARS]
        found = (
            ("author_link", "user_link")[number] for number in possible if finders.finders[number].exact.search(target)
        )
        if kind := next(found, ""):
            kinds_of[row] = [kind]
    pool.rows += kinds_of
    counts: Counter[str] = Counter()
    for row, kinds in sorted(kinds_of.items()):
        # texts are the dear part: of many links of one kind the first ones are read
        text = statements.read_text(row) if counts[kinds[-1]] < _MAX_ROWS else ""
        if text and len(text) <= _MAX_CHARS:
            features = [*kinds, *[f"{kind}_first" for kind in kinds if not counts[kind]]]
            features += ["link_in_landmark"] * statements.is_in_landmark(row)
            pool.add(text, "author link", *features, row=row, at=row)
            counts.update(kinds)


def _add_classes(pool: NamePool, statements: PageStatements, authors: list[int], users: list[int]) -> None:
    """Add elements whose class marks an author or user, and the first link inside each."""
    document = statements.document
    for feature, found in (("author_class", authors), ("user_class", users)):
        rows = [row for row in found if document.displayed[row] and row][:_MAX_ROWS]
        for i, row in enumerate(rows):
            text = statements.read_text(row)
            inside = range(row + 1, min(int(document.end[row]), row + _MAX_ROWS))
            linked = [(r, said) for r in inside if document.names[r] == "a" and (said := statements.read_text(r))]
            name = linked[0][1] if linked else ""
            pool.rows += [row, *(r for r, _ in linked)] if feature == "author_class" else []
            # the name and the role or the employer, in elements of their own; beside a post, what its writer is there
            parts = map(statements.read_text, inside)
            head = next((part for part in parts if part and len(part) < len(text)), "")
            head = head if text.startswith(head) else ""
            if feature == "user_class" and head:
                text, head = head, ""
            if len(text) <= _MAX_CHARS:
                pool.add(text, "class", feature, *[f"{feature}_first"] * (i == 0), row=row, at=row)
            first = [f"{feature}_link_first"] * (i == 0)
            pool.add(name, "link in class", f"{feature}_link", *first, row=row, at=row)
            # a name with a link at its beginning is found already
            if head != name:
                pool.add(head, "beginning of class", f"{feature}_head", row=row, at=row)


def _add_signatures(pool: NamePool, statements: PageStatements, rules: AuthorRules) -> None:
    """Add names in the forms in which East Asian newspapers sign: `（记者 张三 李四）`, `文/张三`, `홍길동 기자`."""
    blocks = statements.columns.blocks
    for i in statements.text_scan.find_texts(compile_finder(rules.signature_words).loose):
        text = blocks.text[i][:SCAN_CHARS]
        found = next(filter(None, (compile_finder(form).exact.search(text) for form in rules.signatures)), None)
        if found:
            # `陈智 整合`: who put a text together from others' has a place in the list, but no name
            features, names = pool.mark_first("signature_first"), UNSPACED_NAME.findall(found[1])
            pool.add_list(names, "signature", "signature", *features, at=int(blocks.row[i]))


_find_words: Final = lru_cache(maxsize=64)(lambda words: make_word_set(cut_words(words).key))


@lru_cache(maxsize=64)
def _compile_bylines(begin: str, inside: str) -> FinderSet:
    """What finds a byline at the start of a text, and one inside, where capitals alone end a name."""
    return FinderSet((compile_finder(f"^(?:{begin})"), compile_finder(inside, 0)))


def _add_bylines(pool: NamePool, statements: PageStatements, rules: AuthorRules, has_words: bool) -> None:
    """Add names from short texts that start with a byline or contain one.

    has_words: whether the page's script separates words. If so, the words of bylines are looked up among the words of
    the page, which are already computed.
    """
    columns, document, texts, n = statements.columns, statements.document, statements.columns.blocks.text, 0
    finders = _compile_bylines(rules.byline, rules.byline_inside)
    if has_words:
        words = find_words(columns)
        hits = iter(dict.fromkeys(words.text[_find_words(rules.byline_words).find(words)[0]].tolist()))
    else:
        hits = statements.text_scan.find_texts(finders.loose)
    for i in hits:
        # `by` in a paragraph is a word like any other
        if len(texts[i]) > rules.byline_chars:
            continue
        value, feature = _read_byline(texts, i, finders)
        if not value or len(value) > _MAX_CHARS:
            continue
        row, link = int(columns.row[i]), int(document.link[document.text_owner[columns.blocks.first[i]]])
        # a line in the list of contents
        if link >= 0 and (read_attribute(document, link, "href") or "").startswith("#"):
            continue
        place = [f"{feature}_first"] * (n == 0) + ["byline_in_landmark"] * statements.is_in_landmark(row)
        pool.add(value, "by-line", feature, *place, row=row, at=int(statements.block_position[i]))
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
    for i in core.list_numbered(blocks.text, first, last, _MAX_CHARS):
        text = blocks.text[i]
        if blocks.n_chars[i] > _SHORT_CHARS:
            continue
        found = [(i, name, "beside_date") for name in _BESIDE.split(text) if PLAIN_NAME.fullmatch(name)]
        if match := _ON_DATE.match(text):
            found.append((i, match[1], "on_date"))
        near = [j for j in (i - 1, i + 1) if first < j < last and _SIGNED.fullmatch(blocks.text[j])]
        if near and not pool.clean(text):  # a date or a count, with nothing before it
            found += [(j, blocks.text[j], "next_to_date") for j in near]
        # a heading beside a date is that of a text
        for j, name, feature in (one for one in found if not HEADING[statements.document.tag[blocks.row[one[0]]]]):
            pool.add(name, "beside a date", feature, row=int(blocks.row[j]), at=int(position[j]))


def compare_names(pool: NamePool, sites: tuple[str, ...], title: str) -> None:
    """Add the features of each name's shape, and those that compare the names of the page.

    sites: folded names of the site. title: text of `<title>`.
    """
    join_lists(pool.found, pool.rules.joiners, lambda name: names_site(name, sites), pool.read_person)
    candidates = list(pool.found.values())
    for candidate in candidates:
        describe_name(candidate, pool, sites)
        if UNSPACED_NAME.fullmatch(candidate.value):
            # the name of an agency, by its end, or by its place: it starts a later part of `<title>`
            is_named = re.search(rf"[\W_]{candidate.value}", title) is not None
            candidate.features["agency"] = float(candidate.features["collective"] or is_named)
    persons = [candidate for candidate in candidates if is_person(candidate)]
    stated = [person.value for person in persons if not _OF_PAGE.isdisjoint(person.features)]
    near = range(_NEAR[0], _NEAR[1] + 1)
    # heads of pages often state who owns them all, where the by-line or a meta element names a person; JSON-LD alone
    # also names who runs the site
    is_signed = any(
        "meta" in person.features
        or (person.features.get("distance", np.inf) in near and not _OF_BYLINES.isdisjoint(person.features))
        for person in persons
    )
    for candidate in candidates:
        name, features = candidate.value, candidate.features
        # `Ann Lee Staff Writer`; what follows a comma is mostly a part of how the author signs: `Ann Lee, MD`
        if any(name.startswith(value + " ") and name[len(value) + 1].isupper() for value in stated):
            features["holds_name"] = 1.0
            held = next(p for p in persons if name.startswith(p.value + " "))
            held.features = {**features, **held.features}
            held.features.pop("holds_name", None)
        if is_signed and (features["names_site"] or features["collective"]):
            features["beside_person"] = 1.0


def is_person(candidate: Candidate) -> bool:
    """Whether a name has the shape of a person's, or of several, and is none of the site or a group."""
    features = candidate.features
    is_shaped = bool(features["name_like"]) or "lists_authors" in features
    return is_shaped and not any(map(features.get, _NO_PERSON))


def describe_name(candidate: Candidate, pool: NamePool, sites: tuple[str, ...]) -> None:
    """Features of the name's shape; of a list, of its first name."""
    name = candidate.names[0] if candidate.names else candidate.value
    words = _WORD.findall(name)
    n, capitals = len(words), sum(word[0].isupper() or _CASELESS.match(word) is not None for word in words)
    # two words may lack a capital: `Ludwig van der Rohe`
    is_like = (2 <= n <= 5 and capitals >= 2 and capitals >= n - 2) or UNSPACED_NAME.fullmatch(name) is not None
    candidate.features.update(
        n_words=float(len(name.split())),
        name_like=float(is_like),
        one_word=float(n == 1 and " " not in name),
        has_digit=float(_NUMBER.search(name) is not None),
        names_site=float(names_site(name, sites)),
        collective=float(pool.has_shape(name, _COLLECTIVE)),
        no_name=float(pool.has_shape(name, _NO_NAME)),
        n_chars=float(len(name)),
    )
