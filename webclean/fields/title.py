"""The title of a page (source C, patent S305): collects every possible title with its features; a card chooses one.

Where the rules ask for it (`fields.title.method`), the source's own tree does instead: the last part of this file.

Candidates: `<title>` and og:title with and without the parts at their ends (`Old mill | News | Example` has three
parts), headings, and names in JSON-LD and microdata. Features, after "title extraction by decision tree" (2010):
similarity to `<title>`, length, position, tag.
"""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import islice
from typing import Final

import numpy as np
from rapidfuzz.distance import Indel, Levenshtein

from webclean.features.looks import Looks
from webclean.fields.candidates import Candidate, Pool, fold_text, fold_words, list_alternatives
from webclean.fields.scan import compile_finder
from webclean.fields.site_names import names_site, split_title
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.parse.tags import CODE, tag_mask
from webclean.rules.card_schema import TreeNode, read_probabilities, walk_tree
from webclean.rules.page_schema import TitleRules

_TITLE_HEADING: Final = tag_mask("h1 h2")
_SUFFIX: Final = re.compile(r"\.\w{2,5}$")
_ON_KIND: Final = ("h1", "h2", "title_whole", "og_whole", "og_without_site")
"""Features whose points depend on the kind of page."""
_LEAST_HEADLINE: Final = 3
"""Words and a sign between, before an h1 that is the end of `<title>`: so few may be the name of the site."""
_MAX_CHARS: Final = 400
"""A longer text is no title: some sites write the whole description into `<title>`."""
_MAX_HEADINGS: Final = 12
"""Portals have hundreds of h2, the first of which are above what the page is about."""
# A part of a path with no more letters is a number or a mark (`/my-post/1234`); the one before it may be words.
_MIN_SLUG_LETTERS: Final = 3
_LONG_WORD: Final = re.compile(r"[^ ]{3,}")
"""The slug is searched as one run of letters: words as short as `a` or `of` occur in nearly any, across its words."""
_UNSPACED: Final = re.compile("[\u2e80-\U0010ffff]")
"""Characters of scripts without spaces: CJK radicals, kana, ideographs, Hangul; and signs."""
_UNSEEN: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""Soft hyphens and spaces without width: where a line may break is no part of a title."""
_BESIDE_SITE: Final = re.compile(r"\s+[^\w\s]+\s*|[^\w\s'’.@&+/#-]+\s*|(?<=[^\x00-\x7f])[-_.]+\s*")
"""What may part the name of the site from the rest; a hyphen between Latin letters is inside a word."""
_CLOSING: Final = {"「": "」", "『": "』", "《": "》", "“": "”", "«": "»", '"': '"'}
_MAX_LABEL: Final = 20
"""Characters of a label in front of a title, such as `Просмотр темы`."""
_NO_TITLE_TAGS: Final = frozenset(("meta", "link", "img", "html", "body"))
"""Elements with a microdata property that show no text of their own."""


class TitlePool(Pool):
    """Collects candidates; the spellings of one title share a candidate.

    sites: folded names of the site. mastheads: those of them that are no title when a heading consists of one; none on
    the front page. n_parts: folded text -> the number of parts of `<title>` or og:title that it consists of.
    """

    def __init__(self, sites: tuple[str, ...], on_front: bool, rules: TitleRules) -> None:
        super().__init__()
        self._labels, self._ends = (compile_finder(pattern).exact for pattern in (rules.labels, rules.ends))
        self.sites, self.mastheads = sites, frozenset(() if on_front else sites)
        self.n_parts: dict[str, int] = {}

    def is_label(self, text: str) -> bool:
        """Whether a text is only what stands before titles, such as `View topic`."""
        return len(text) <= _MAX_LABEL and self._labels.fullmatch(f"{text}:") is not None

    def add(self, text: str, source: str, *features: str, row: int = -1) -> None:
        text = (text if text.isascii() else text.translate(_UNSEEN)).strip()
        if label := self._labels.match(text):
            text = text[label.end() :]
        # `Old mill |`, `Old mill - Page 2`: no word of a Latin script ends so
        if text and not (text.isascii() and text[-1].isalpha()):
            text = self._ends.sub("", text)
        if not text or len(text) > _MAX_CHARS:
            return
        # a title of signs alone (`???`) folds to nothing, and is its own key
        known = self.put(fold_text(text) or text, text, source, features, row)
        # a statement of the head that is shown too gets the place where it is shown
        if known.row < 0:
            known.row = row


def collect_titles(
    statements: PageStatements, rules: TitleRules, kind: dict[str, float], sites: tuple[str, ...]
) -> list[Candidate]:
    """Every possible title with its features.

    Args:
        statements: what the page states about itself.
        rules: section `fields.title`.
        kind: features of the page's kind (`page_kind`).
        sites: folded names of the site.
    """
    pool = TitlePool(sites, "on_front" in kind, rules)
    # first: of spellings that fold alike the one that is shown becomes the value
    _add_headings(pool, statements, rules)
    stated: dict[str, str] = {}
    for text, source in statements.read_metas(rules.metas):
        stated.setdefault(text, source)
    for text, source in stated.items():
        _add_parts(pool, text, source, "og", rules)
    types = set(rules.headline_types)
    for thing in statements.things:
        if not types.isdisjoint(thing.types) and thing.role not in rules.reference_roles:
            for key in rules.headline_keys:
                for text in thing.texts(key)[:1]:
                    pool.add(text, f"json-ld {key}")
    document = statements.document
    for name in rules.properties if statements.properties else ():
        for row in statements.properties.get(name.lower(), ())[:5]:
            if document.names[row] not in _NO_TITLE_TAGS and document.displayed[row]:
                pool.add(statements.read_text(row), f"itemprop {name}", "itemprop", row=row)
    _add_parts(pool, statements.title, "title", "title", rules)
    _add_texts(pool, statements, rules)
    # where og:title is given the headline is known; a front page has many, none of which is its title
    if not stated and "on_front" not in kind:
        _add_headlines(pool, statements, rules)
    on_kind = [name for name in kind if name.startswith("on_")]
    _compare_candidates(pool, statements, rules, on_kind, next(iter(stated), ""))
    return list(pool.found.values())


def locate_title(statements: PageStatements, title: Candidate | None) -> int:
    """Row that shows a title: its own, else of the first text that is hardly more, else of the first h1; or -1.

    Dates and authors are looked for near it. A text with more: `Science: Old mill runs again (example.com)`.
    """
    if title and title.row >= 0:
        return title.row
    blocks, value = statements.columns.blocks, title.value if title else ""
    shown = (i for i, text in enumerate(blocks.text) if value in text and len(text) < 2 * len(value))
    found = next(shown, -1)
    return int(blocks.row[found]) if found >= 0 else next(iter(statements.rows_of("h1")), -1)


def _add_headings(pool: TitlePool, statements: PageStatements, rules: TitleRules) -> None:
    """Add h1 and h2. One that is only the name of the site is a masthead and left out, except on the front page."""
    displayed = statements.document.displayed
    for tag in ("h1", "h2"):
        rows = [row for row in statements.rows_of(tag) if displayed[row]][:_MAX_HEADINGS]
        texts = ((row, statements.read_text(row)) for row in rows)
        shown = ((row, text) for row, text in texts if text and fold_text(text) not in pool.mastheads)
        for i, (row, text) in enumerate(islice(shown, rules.n_subheadings if tag == "h2" else None)):
            features = [tag, "h1_first"] if tag == "h1" and not i else [tag]
            if statements.is_in_landmark(row):
                features.append(f"{tag}_in_landmark")
            if len(rows) == 1:
                features.append(f"{tag}_only")
            pool.add(text, tag, *features, row=row)


def _add_parts(pool: TitlePool, title: str, source: str, feature: str, rules: TitleRules) -> None:
    """Add a whole title, runs of its parts from either end, and what remains without the site's names."""
    title = title[:_MAX_CHARS]
    spans = split_title(title, rules.separators)
    if not spans:
        return
    spans = part_site(title, spans, pool.mastheads)
    n = len(spans)
    # one text may be several of these: of two parts, the first is also what remains without the site's name
    found = {title: (source, [f"{feature}_whole"])}

    def add(first: int, last: int, source: str, feature: str) -> None:
        text = title[spans[first][0] : spans[last][1]].strip()
        # `Mill Forum • View topic - Wheel`: the middle is the label of what follows
        if n > 1 and pool.is_label(text):
            return
        pool.n_parts[fold_text(text)] = 1 + last - first
        found.setdefault(text, (source, []))[1].append(feature)

    pool.n_parts[fold_text(title)] = n
    parts = [title[a:b] for a, b in spans]
    named = True
    for i in range(1, n):
        add(0, i - 1, f"{source} without its end", f"{feature}_start")
        # `Example | Old mill`: what follows the site's name is more than any end of a title
        named = named and fold_text(parts[i - 1]) in pool.mastheads
        end = f"{feature}_after_site" if named else f"{feature}_end"
        add(i, n - 1, f"{source} without its beginning", end)
    for i in range(1, n - 1):
        add(i, i, f"part of {source}", f"{feature}_middle")
    first, last = 0, n - 1
    # one part stays, whatever it names: a front page has nothing else
    while last > first and names_site(parts[last], pool.sites):
        last -= 1
    # a site names itself at one end: `New to Astronomy – Which telescope? - Astronomy` has a headline of two parts
    is_cut = last < n - 1
    while first < last and (fold_text(parts[first]) in pool.sites if is_cut else names_site(parts[first], pool.sites)):
        first += 1
    add(first, last, f"{source} without site name", f"{feature}_without_site")
    add(first, first, f"{source}, first part", f"{feature}_first_part")
    for text, (where, features) in found.items():
        pool.add(text, where, *features)


def part_site(title: str, spans: tuple[tuple[int, int], ...], sites: Container[str]) -> tuple[tuple[int, int], ...]:
    """The parts, of which the first and the last are divided where the name of the site begins or ends them.

    `Example: Old mill`, `【例】水車`, `例「水車」`, `水車（例）`; beside anything else
    these signs are of the headline.
    """
    (begin, end), signs = spans[0], list(_BESIDE_SITE.finditer(title))
    for sign in signs:
        if begin < sign.start() and sign.end() < end and fold_text(title[begin : sign.start()]) in sites:
            rest = end - 1 if title[end - 1] == _CLOSING.get(sign[0]) else end
            spans = ((begin, sign.start()), (sign.end(), rest), *spans[1:])
            break
    begin, end = spans[-1]
    for sign in signs:
        if begin < sign.start() and sign.end() < end and fold_text(title[sign.end() : end]) in sites:
            return (*spans[:-1], (begin, sign.start()), (sign.end(), end))
    return spans


def _add_texts(pool: TitlePool, statements: PageStatements, rules: TitleRules) -> None:
    """Add text blocks that are part of `<title>` or og:title."""
    blocks = statements.columns.blocks
    stated = [statements.title, *(text for text, _ in statements.read_metas(rules.metas[:1]))]
    fits = (blocks.n_chars >= rules.min_shown_chars) & (blocks.n_chars <= max(map(len, stated)))
    # headings are candidates anyway; a link with the words of the title leads from a list to the page itself
    other = (blocks.n_link_chars * 2 > blocks.n_chars) | _TITLE_HEADING[statements.document.tag[blocks.row]]
    every = "\n".join(stated)
    found = (i for i in (fits & ~other).nonzero()[0].tolist() if blocks.text[i] in every)
    for i in islice(found, _MAX_HEADINGS):
        pool.add(blocks.text[i], "text", "text", row=int(blocks.row[i]))


def _add_headlines(pool: TitlePool, statements: PageStatements, rules: TitleRules) -> None:
    """On a page without og:title and h1 (but mastheads), mark what is shown of `<title>`, and add the first elements
    with a class for headlines.

    Old news print the headline in a `div`, `td` or `b`, and put the name of the paper before it in `<title>`.
    """
    document, folded, n_found = statements.document, fold_text(statements.title), 0
    if any("h1" in known.features for known in pool.found.values()):
        return
    for row in statements.find_classes(rules.classes)[0]:
        text = statements.read_text(row) if document.displayed[row] and not statements.is_in_landmark(row) else ""
        if rules.min_shown_chars <= len(text) <= rules.max_headline_chars and fold_text(text) not in pool.mastheads:
            pool.add(text, "class", row=row)
            n_found += 1
        if n_found == _MAX_HEADINGS:
            break
    shown = {key: known for key, known in pool.found.items() if known.row >= 0 and key in folded}
    for key, known in shown.items():
        # between a breadcrumb and a headline (`Old mill` and `Old mill: a walk`) the longer one is the title
        if not names_site(known.value, pool.sites) and not any(key in other and key != other for other in shown):
            known.features["shown_unheaded"] = 1.0


def _compare_candidates(
    pool: TitlePool, statements: PageStatements, rules: TitleRules, on_kind: list[str], shared: str
) -> None:
    """Add the features that compare candidates with `<title>`, og:title and the URL, and their lengths.

    on_kind: features of the page's kind that the points of others depend on. shared: what og:title says.
    """
    title = statements.title
    lower_title, lower_shared = title.casefold(), shared.casefold()
    folded_title = fold_text(title)
    parts = [title[a:b].casefold() for a, b in split_title(title, rules.separators)]
    # a text that the page shows is a part of its `<title>`, whatever stands between the parts
    shown = [candidate.value.casefold() for candidate in pool.found.values() if candidate.row >= 0]
    parts = list(dict.fromkeys([*parts, *[text for text in shown if is_end(text, lower_title)]]))
    guides = dict.fromkeys([lower_title, *parts, lower_shared])
    slug = fold_text(find_slug(statements.document.url or ""))
    is_end_shown = any("title_end" in one.features and one.row >= 0 for one in pool.found.values())
    is_site_titled = folded_title in pool.mastheads
    for folded, candidate in pool.found.items():
        features, text = candidate.features, candidate.value
        lower = text.casefold()
        # each text is compared once, equal texts never: similarity is the most expensive step here
        alike = {guide: 1.0 if lower == guide else Indel.normalized_similarity(lower, guide) for guide in guides}
        features.update(
            title_similarity=alike[lower_title],
            og_similarity=alike[lower_shared],
            part_similarity=max(map(alike.__getitem__, parts), default=0.0),
            n_words=float(count_title_words(text)),
            n_chars=float(len(text)),
            slug_share=share_in_slug(fold_words(text), slug) if slug else 0.0,
        )
        if names_site(text, pool.sites):
            features["names_site"] = 1.0
        elif is_site_titled and "h1_first" in features:
            features["h1_below_site_name"] = 1.0
        if "h1" in features:
            features["h1_slug_share"] = features["slug_share"]
            # `Old mill runs again - Valley News`: the h1 has an end, which is shorter, and no part in the address
            has_end = "title_end" in features and lower_title.endswith(lower)
            # `Tom's Notes - Old mill runs again`, of which the h1 has the beginning and the text below it the end
            has_start = "title_start" in features and is_end_shown and lower_title.startswith(lower)
            n_others = count_title_words(title[: -len(text)] if has_end else title[len(text) :])
            is_shorter = n_others > max(_LEAST_HEADLINE, 1 + features["n_words"]) and not features["slug_share"]
            if (has_end or has_start) and is_shorter:
                features["h1_ends_title"] = 1.0
        # a heading may hold any sign
        if pool.n_parts.get(folded, 0) > 1 and candidate.row < 0:
            features["holds_separator"] = 1.0
        for known in filter(features.__contains__, _ON_KIND) if on_kind else ():
            features.update({f"{known}_{name}": 1.0 for name in on_kind})


def is_end(text: str, title: str) -> bool:
    """Whether a title starts or ends with a text, at a word boundary."""
    if title.startswith(text):
        return not title[len(text) : len(text) + 1].isalnum()
    return title.endswith(text) and not title[-len(text) - 1].isalnum()


def find_slug(url: str) -> str:
    """The last part of a URL's path with more than three letters, without a file extension."""
    path = url.partition("//")[2].partition("/")[2].partition("?")[0].partition("#")[0]
    for part in reversed(path.split("/")):
        if sum(map(str.isalpha, part)) > _MIN_SLUG_LETTERS:
            return _SUFFIX.sub("", part) if "." in part else part
    return ""


def share_in_slug(words: tuple[str, ...], slug: str) -> float:
    """Share of the words of a text, folded, that occur in the slug of an address (its words joined)."""
    long = _LONG_WORD.findall(" ".join(words))
    return sum(map(slug.__contains__, long)) / len(long) if long else 0.0


def count_title_words(text: str) -> int:
    """Words; in scripts without spaces two characters count as one, for most Chinese words have two."""
    n_words = len(text.split())
    if text.isascii():
        return n_words
    return max(n_words, (sum(map(str.isalnum, _UNSPACED.findall(text))) + 1) // 2)


IS_TITLE: Final = "title"
"""The answer of a leaf whose texts are titles; the other one is `other`."""
_HEADINGS: Final = {CODE[f"h{level}"]: float(level) for level in range(1, 7)}
_NO_HEADING: Final = 7.0
"""Below h6, so that one test tells headings down to any level."""


def find_title_by_tree(statements: PageStatements, rules: TitleRules) -> tuple[int, FieldValue]:
    """(row of the element that shows the title, or -1; the title), by the decision tree of source C ("title
    extraction by decision tree", 2010).

    The page is a sequence of texts. Rules leave out what cannot be a title: hidden text, text of scripts, what is
    too long or mostly a link. A C4.5 tree, learnt by `webclean learn title-tree`, marks each text as title or not,
    by its similarity to the `<title>` element, its length, its position, its tag and its looks; `<title>` itself is
    a guide and no candidate. Of several marked texts the nearest to `<title>` wins.

    Reading: similarity is 1 - edit distance / length of the longer one. Where no text is marked, the one with the
    largest share of titles at its leaf is taken, of equals the nearest to `<title>`; where there is no text at all,
    `<title>`.
    """
    candidates = collect_title_texts(statements, rules)
    best = choose_title(candidates, rules.tree)
    if best is None:
        return -1, FieldValue(statements.title or None, "title" if statements.title else "")
    rest = sorted(candidates, key=lambda candidate: -candidate.features["title_similarity"])
    others = list_alternatives(other for other in rest if other is not best)
    return best.row, FieldValue(best.value, best.source, rank_by_tree(best, rules.tree)[1], others)


def collect_title_texts(statements: PageStatements, rules: TitleRules) -> list[Candidate]:
    """The texts that can be the title, in reading order, with their features."""
    blocks, document = statements.columns.blocks, statements.document
    looks = Looks(document, rules.max_css_chars)
    # sizes and colours count against those of most of the text below the root
    page = looks.find_main(0)
    guide, n = statements.title.casefold(), len(blocks)
    # one character is a bullet or an arrow
    fits = (blocks.n_chars > 1) & (blocks.n_chars <= rules.tree_chars) & blocks.visible
    found = []
    for at in np.flatnonzero(fits & (2 * blocks.n_link_chars <= blocks.n_chars)).tolist()[: rules.tree_texts]:
        text, row = blocks.text[at], int(blocks.row[at])
        look = looks.find_main(row)
        features = {
            "title_similarity": Levenshtein.normalized_similarity(text.casefold(), guide),
            "n_chars": float(blocks.n_chars[at]),
            "position": at / n,
            "heading_level": _HEADINGS.get(int(document.tag[row]), _NO_HEADING),
            # rounded, for sizes that are computed by `em` and per cent differ in their last digits
            "size_ratio": round(look.size / max(1.0, page.size), 3),
            "is_bold": float(look.bold),
            "other_colour": float(look.colour != page.colour),
            "other_background": float(look.background != page.background),
        }
        found.append(Candidate(text, f"tree: {document.names[row]}", features, row))
    largest = max((candidate.features["size_ratio"] for candidate in found), default=1.0)
    for candidate in found:
        candidate.features["is_largest"] = float(candidate.features["size_ratio"] >= largest > 1)
    return found


def choose_title(candidates: list[Candidate], tree: TreeNode) -> Candidate | None:
    """Of the marked texts the nearest to `<title>`; without one, that of the leaf with most titles; the first of
    equals."""

    def rank(candidate: Candidate) -> tuple[bool, float, float]:
        is_marked, share, similarity = rank_by_tree(candidate, tree)
        return is_marked, 0.0 if is_marked else share, similarity

    return max(candidates, key=rank, default=None)


def rank_by_tree(candidate: Candidate, tree: TreeNode) -> tuple[bool, float, float]:
    """Whether the leaf that a text reaches marks it as title, the share of titles there, and the text's similarity to
    `<title>`."""
    leaf = walk_tree(tree, lambda name: candidate.features.get(name, 0.0))[0]
    share = read_probabilities(leaf).get(IS_TITLE, 0.0)
    return leaf.answer == IS_TITLE, share, candidate.features["title_similarity"]
