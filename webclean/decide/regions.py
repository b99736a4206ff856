"""Finds regions below or beside an article: reader comments, lists of related and latest articles, boxes.

A region is a slice of the blocks in reading order. It is identified by a class or id (`<div id=comments>`) or by a
heading, together with what belongs to the heading:

    <div>  <h3>Comments (2)</h3>  <p>First!</p> ... </div>      the element that begins with the heading
    <p>The last paragraph.</p>
    <h3>Read also</h3> <ul>...</ul>  <h3>Weather</h3>           the heading and its siblings, up to the next one

**Other stories** stand beside the text: elements side by side, each with running text and a heading that is a link to
another page of the site.

    <li> <h3><a href=/roof>Roof repairs to cost twice</a></h3> <p>Builders found a second one under it.</p> </li>
    <li> <h3><a href=/boat>Rowing club looks for a boat</a></h3> <p>The old eight sank at the stage.</p> </li>

A region lowers the points of its blocks; by how much depends on the page's type (`rules/regions.yaml`).

The core searches the page (`core.regions`). This file has what the search is given, the words of the rule set by which
a name or a heading tells the kind of a region, and how far each region counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, Final

import msgspec
import numpy as np

from webclean import core
from webclean.blocks.text_blocks import find_lines
from webclean.errors import RuleError
from webclean.features import PageColumns
from webclean.features.block_features import SAME_SITE, find_headline, find_links
from webclean.features.page_columns import RANK
from webclean.features.page_words import find_name_words, find_names, find_words
from webclean.features.words import NAME_WORD, WordSet, list_phrases, list_spellings, make_lexicon, split_name
from webclean.model import Correction, Floats, Mask, Rows
from webclean.parse.columns import mark_slices, read_attribute, sum_before
from webclean.parse.tags import FORMATTING, HEADING, tag_mask
from webclean.parse.url import find_address, join_url
from webclean.rules.decide_schema import Regions, Stories
from webclean.rules.page_schema import Concepts
from webclean.rules.rule_schema import cached_per_rule_set
from webclean.rules.schema import RuleSet
from webclean.rules.validate import suggest

_WHOLE_PAGE: Final = tag_mask("html body main")
_NO_REGION: Final = _WHOLE_PAGE | FORMATTING | tag_mask("h1 head title")
"""Formatting elements are no regions: an `i` that is not closed, such as the icon of a share button, is opened again
around all that follows (`parse.tags`)."""
_LIMITS: Final = ("most_kept", "most_words", "link_share")
"""Fields of `RegionKind` that the search compares with."""
_MOST_NAMES: Final = 1 << 14
"""So many names are cached with their kind: more than the pages of a site have, but bounded for a server."""
_LIKELY: Final = 0.5  # chance of an article, of which a review is one
_BOX_WORDS: Final = 60  # of a box that names goods, at most
_FEWEST_BOXES: Final = 2  # of a review


class Region(msgspec.Struct, frozen=True):
    """Blocks `first:last`. found_by: the name or heading that tells its kind. words_before: kept words of prose before
    it; if its kind may be that of the posts of a thread, without the words in other regions of that kind."""

    kind: str
    first: int
    last: int
    found_by: str
    words_before: float


@cached_per_rule_set
def plan_regions(rules: Regions, known: RegionWords) -> Any:
    """The `core.RegionPlan` of a rule set: limits of kinds as arrays, and what tells a kind."""
    kinds = rules.kinds.values()
    return core.RegionPlan(
        number_of={name: number for number, name in enumerate(rules.kinds)},
        words_before=rules.words_before,
        heading_chars=rules.heading_chars,
        may_be=(~_NO_REGION).view(np.uint8),
        whole_page=_WHOLE_PAGE.view(np.uint8),
        rank=RANK,
        in_names=known.lexicon.compiled,
        begin_headings=known.begin_headings,
        # pages of a site share most of their names
        find_in_names=lru_cache(maxsize=_MOST_NAMES)(known.find_in_names),
        find_in_heading=known.find_in_heading,
        after_text=np.array([kind.after_text for kind in kinds], dtype=np.uint8),
        **{name: np.array([float(getattr(kind, name)) for kind in kinds]) for name in _LIMITS},
    )


def find_regions(columns: PageColumns, kept: Mask, rules: Regions, known: RegionWords) -> tuple[Region, ...]:
    """The regions of a page; those of one kind may nest. kept: bool [n_blocks], what would be kept without regions."""
    if not len(columns.blocks) or not rules.kinds:
        return ()
    document, texts, kinds = columns.document, columns.blocks.text, list(rules.kinds)
    columns.view("words")  # measured, which the search asks for
    names, words = find_name_words(columns), find_words(columns)
    found = plan_regions(rules, known).find(
        document.page,
        kept,
        find_headline(columns),
        (document.attrs.found, find_names(columns).index, names.text, names.key),
        (words.text, words.key),
    )
    regions = [
        Region(kinds[kind], first, last, f"named {by}" if type(by) is str else f"headed {texts[by]}", before)
        for kind, first, last, by, before in found
    ]
    for name, settings in rules.kinds.items():
        own = [number for number, one in enumerate(regions) if one.kind == name] if settings.in_threads else []
        # each comment of a thread may be a region: words in the comments before it do not count
        if len(own) > 1:
            firsts, lasts = np.array([(regions[number].first, regions[number].last) for number in own]).T
            is_text = kept & columns.is_prose & ~mark_slices(firsts, lasts, len(kept))
            before_each = sum_before(columns.words * is_text)[firsts].tolist()
            for number, before in zip(own, before_each, strict=True):
                regions[number] = msgspec.structs.replace(regions[number], words_before=before)
    return tuple(regions)


def correct_regions(columns: PageColumns, kept: Mask, rules: RuleSet, types: Mapping[str, float]) -> Correction | None:
    """Lower the points of blocks in a region; in several regions the lowest points count. None without a region."""
    known = compile_region_words(rules.regions, rules.concepts)
    # the search needs the text that would be kept: comments are below a text, and a list may be most of a page
    regions = find_regions(columns, kept, rules.regions, known)
    if not regions:
        return None
    points, because = np.zeros(len(kept)), np.zeros(len(kept), dtype=np.intp)
    reviewed = list_reviewed(columns, kept, regions) if types.get("article", 0.0) >= _LIKELY else []
    spared = set(reviewed)
    for number, region in enumerate(regions):
        if region in spared:
            continue
        share = compute_region_share(region, columns, rules.regions, known, types)
        own, lost = points[region.first : region.last], rules.regions.kinds[region.kind].points * share
        lower = own > lost
        own[lower], because[region.first : region.last][lower] = lost, number
    for block in (block for region in reviewed for block in _list_facts(columns, region)):
        points[block] = rules.regions.reviewed

    def tell(at: int) -> str:
        found = regions[because[at]]
        return f"{found.kind}: {found.found_by}" if points[at] < 0 else "goods between paragraphs"

    return make_correction("regions", points, tell)


def make_correction(name: str, points: Floats, tell: str | Callable[[int], str]) -> Correction | None:
    """A correction that adds points, float64 [n_blocks], to those of the blocks; None if it adds nothing. tell: the
    evidence, or the function that gives it for a block."""
    if not np.count_nonzero(points):
        return None
    return Correction(name, points, (lambda _: tell) if isinstance(tell, str) else tell)


def correct_stories(columns: PageColumns, kept: Mask, rules: Stories, types: Mapping[str, float]) -> Correction | None:
    """Other stories beside the text lose points. kept: bool [n_blocks], what would be kept so far."""
    blocks, share = columns.blocks, rules.counts.average(types)
    is_head = columns.is_heading & (blocks.n_link_chars >= blocks.n_chars) & blocks.visible
    heads = is_head.nonzero()[0]
    # most articles have no heading that is a link, or one: that of their own title
    if not share or len(heads) < rules.least:
        return None
    found = np.zeros(len(kept), dtype=bool)
    words = np.where(kept & columns.is_prose, columns.words, 0.0)
    for units in _list_stories(columns, heads[heads > find_headline(columns)], words):
        if len(units) >= rules.least:
            roots = np.array(units)
            found |= mark_slices(roots, columns.document.end[roots], len(columns.document))[columns.row]
    # if most text stands below such headings, they are what the page is about
    is_beside = words[found].sum() <= rules.most * words[~found].sum()
    return make_correction("stories", found * (rules.points * share * is_beside), "begins with a link to its own page")


def _list_stories(columns: PageColumns, heads: Rows, words: Floats) -> list[list[int]]:
    """The elements side by side that each hold one of some headings, which link to other pages of the site, and running
    text. words: float64 [n_blocks], kept words of running text."""
    document, links = columns.document, find_links(columns)
    page = re.split(r"[?#]", find_address(document), maxsplit=1)[0].rstrip("/")
    rows, n_words = columns.row[heads].tolist(), sum_before(words)
    units: dict[int, list[int]] = {}
    # only headings with running text before the next heading: most have none
    for row in columns.row[heads[np.diff(n_words[heads], append=n_words[-1]) > 0]].tolist():
        at = links.row.searchsorted(row if document.link[row] < 0 else document.link[row])
        target = links.distinct[links.number[at]] if at < len(links.row) and links.row[at] < document.end[row] else ""
        # chapters stand below the address of what they are chapters of
        is_part = bool(page) and (join_url(document.url, target) or "").startswith(page)
        if not target or links.kind[at] != SAME_SITE or is_part:
            continue
        unit, above = row, document.parent.item(row)
        while above > 0 and bisect_left(rows, document.end.item(above)) - bisect_left(rows, above) == 1:
            unit, above = above, document.parent.item(above)
        first, last = find_lines(document, columns.blocks, unit)
        if n_words[first] and n_words[last] > n_words[first]:
            units.setdefault(above, []).append(unit)
    return list(units.values())


def list_reviewed(columns: PageColumns, kept: Mask, regions: Sequence[Region]) -> list[Region]:
    """The regions that name the goods of a review: boxes with a price, after each of which the text goes on.

    <p>It stays lit for two hours.</p>      <div class=related-product> <h3>The smoker</h3> <b>$38</b> </div>
    <p>Heavy, and slow to start.</p>        <div class=related-product> <h3>The duck</h3> <b>$61</b> </div>
    """
    is_text = kept & columns.is_prose
    # on most pages there is no text between regions
    if len(regions) < _FEWEST_BOXES or not is_text[regions[0].last : regions[-1].first].any():
        return []
    small = [one for one in regions if columns.words[one.first : one.last].sum() <= _BOX_WORDS]
    n_text = np.concatenate([[0], np.cumsum(is_text)])
    has_price, texts = columns.prices_dates.prices.search, [columns.blocks.text[one.first : one.last] for one in small]
    # one search of all texts shows that most pages have no region with a price
    if not has_price("\n".join(chain.from_iterable(texts))):
        return []
    boxes = [one for one, own in zip(small, texts, strict=True) if any(map(has_price, own))]
    if len(boxes) < _FEWEST_BOXES:
        return []
    after = [*(one.first for one in boxes[1:]), len(kept)]
    between = [one for one, end in zip(boxes, after, strict=True) if n_text[end] > n_text[one.last]]
    return between if len(between) >= _FEWEST_BOXES and 3 * len(between) >= 2 * len(boxes) else []


def _list_facts(columns: PageColumns, region: Region) -> Iterator[int]:
    """The blocks of a box that say what the thing is called and what it costs."""
    for block in range(region.first, region.last):
        is_heading = HEADING[columns.document.tag[columns.row[block]]]
        if is_heading or block == region.first or columns.prices_dates.prices.search(columns.blocks.text[block]):
            yield block


def compute_region_share(
    region: Region, columns: PageColumns, rules: Regions, known: RegionWords, types: Mapping[str, float]
) -> float:
    """How far a region counts (0..1): by the page's types, and whether it may be the posts of a thread."""
    kind, threads = rules.kinds[region.kind], rules.threads
    share = kind.counts.average(types)
    of_thread = types.get(threads.type, 0.0)
    # outside of threads a heading `Comments` begins comments, whatever stands before it
    if kind.in_threads and of_thread:
        # in a thread the comments are the text; address and names count more than the guessed type. In a sure thread it
        # does not matter what stands before the region, or its posts would lose some of their points
        announces = not known.replies.isdisjoint(strip_text(region.found_by).split())
        is_thread = announces or columns.post_rows.shape[1] or _is_thread(columns, known)
        if of_thread > threads.sure_from and is_thread:
            return 0.0
        reach = max(1, threads.words_full - threads.words_from)
        # a region after much text has comments on that text, even on a page that looks like a thread
        share -= min(1.0, of_thread / max(1e-9, threads.full_from)) * (
            1 - min(1.0, max(0.0, (region.words_before - threads.words_from) / reach))
        )
    return max(0.0, share)


def _is_thread(columns: PageColumns, known: RegionWords) -> bool:
    """Whether the URL, or a class or id of html or body, has a word for a thread."""
    document = columns.document
    # `/forum/`, `viewtopic`, `thread-12`: engines of forums name their pages so
    words = set(strip_text(find_address(document)).split())
    for tag in ("html", "body"):
        row = document.names.index(tag) if tag in document.names else 0
        for key in ("id", "class"):
            words |= split_name(read_attribute(document, row, key) or "")
    return not known.threads.isdisjoint(words)


_NO_LETTERS: Final = re.compile(r"[\W\d_]+")


@dataclass(frozen=True, slots=True, eq=False)
class RegionWords:
    """The words that identify regions.

    names: word of a class or id, or consecutive words joined, -> kind. lexicon: finds the names with any of them.
    headings: bare text -> kind. openings: first word -> (first words of a bare text, kind), the longest first.
    begin_headings: `core.WordSet` of the first words of both. states: words by which a name tells a state of the
    element and not its purpose. threads: words that identify a thread. replies: words that announce its posts.
    """

    names: Mapping[str, str]
    lexicon: WordSet
    headings: Mapping[str, str]
    openings: Mapping[str, Sequence[tuple[str, str]]]
    begin_headings: Any
    states: frozenset[str]
    threads: frozenset[str]
    replies: frozenset[str]

    def find_in_names(self, names: str) -> tuple[str, str] | None:
        """(kind, name) of the first of an element's names that identifies a kind. names: separated by spaces.

        A name with a word for a state is skipped: `has-comments` describes an article, and is not a comment region.
        Words are read one by one and joined (`comment-list` is `commentlist` too), single letters never: `c-mt-6` sets
        a margin.
        """
        for name in names.split():
            words = list(map(str.lower, NAME_WORD.findall(name)))
            if self.states.isdisjoint(words):
                longer = [word for word in words if len(word) > 1]
                # longer names are tried first: `author-box` names a box, while the `author` of a post alone does not
                for word in ("".join(longer), *map("".join, pairwise(longer)), *words):
                    if word in self.names:
                        return self.names[word], name
        return None

    def find_in_heading(self, text: str) -> str | None:
        """The kind that a short text announces: "Comments (12)", "12 comments on: Rivers"."""
        bare = strip_text(text)
        kind = self.headings.get(bare)
        if kind is not None:
            return kind
        openings = self.openings.get(bare.partition(" ")[0], ())
        return next((kind for opening, kind in openings if bare.startswith(opening)), None)


def strip_text(text: str) -> str:
    """Lower case, words between single spaces, without digits and signs."""
    return _NO_LETTERS.sub(" ", text.lower()).strip()


@cached_per_rule_set
def compile_region_words(regions: Regions, concepts: Concepts) -> RegionWords:
    """The words of a rule set's `regions`. Raises `RuleError` for an unknown concept."""
    names = {word.replace("-", ""): name for name, kind in regions.kinds.items() for word in kind.names.split()}
    known = [*names, *(word for kind in regions.kinds.values() for word in kind.names.replace("-", " ").split())]
    listed = _list_spelled(((name, kind.openings.values()) for name, kind in regions.kinds.items()))
    openings: dict[str, list[tuple[str, str]]] = {}
    # the longest first: `read also` before `read`
    for text, kind in sorted(listed, key=lambda entry: -len(entry[0])):
        openings.setdefault(text.partition(" ")[0], []).append((f"{text} ", kind))
    phrases = {}
    for name, settings in regions.kinds.items():
        for concept in settings.concepts:
            if concept not in concepts:
                raise RuleError(suggest(concept, list(concepts), "concept"), key=f"regions.kinds.{name}.concepts")
        of_concepts = {concept: concepts[concept] for concept in settings.concepts}
        phrases[name] = [tuple(phrase for _, _, phrase in list_phrases(of_concepts))]
    # a heading that a region lists itself wins over the phrases of a concept
    headings = dict(_list_spelled(phrases.items()))
    headings |= _list_spelled(((name, kind.headings.values()) for name, kind in regions.kinds.items()))
    return RegionWords(
        names=names,
        lexicon=make_lexicon(known),
        headings=headings,
        openings=openings,
        begin_headings=make_lexicon([*openings, *(text.partition(" ")[0] for text in headings)]).compiled,
        states=frozenset(regions.states.split()),
        threads=frozenset(regions.threads.names.split()),
        replies=frozenset(regions.threads.replies.split()),
    )


def _list_spelled(by_kind: Iterable[tuple[str, Iterable[tuple[str, ...]]]]) -> Iterator[tuple[str, str]]:
    """(bare text, kind) of the texts of each kind, in each of their spellings."""
    for name, groups in by_kind:
        for text in chain.from_iterable(groups):
            yield from ((spelling, name) for spelling in list_spellings(strip_text(text)))
