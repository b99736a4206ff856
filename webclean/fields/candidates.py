"""Candidates for title, date and author: their features, and the card that chooses one.

Each source that states a value adds a feature to that candidate, so sources that agree add up. If no candidate has at
least 0 points, the field is empty.

The modules that find a candidate (`title`, `date`, `date_days`, `author`) also set its features; a feature that is not
set is 0. Features of the page are equal for all candidates, so they decide only whether the field has a value at all
(`choose_candidate`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from webclean.features.cards import compile_card, softmax
from webclean.model import FieldValue
from webclean.parse.limits import check_time
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import Card

MAX_ALTERNATIVES: Final = 5
"""Other values that a result tells: what is further down is hardly ever right."""


class Candidate(msgspec.Struct):
    """A possible value: its first source, its features (name -> value), and the row of its element or -1."""

    value: str
    source: str
    features: dict[str, float] = {}
    row: int = -1


class Pool:
    """Collects candidates by a key; the spellings of one key share a candidate."""

    def __init__(self) -> None:
        self.found: dict[str, Candidate] = {}

    def put(self, key: str, value: str, source: str, features: Iterable[str], row: int) -> Candidate:
        """The candidate of a key, with further features."""
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = Candidate(value, source, row=row)
        elif known.value.isupper() and not value.isupper():
            known.value = value  # capitals are typography: the h1 shouts what `<title>` says
        for feature in features:
            known.features[feature] = 1.0
        return known


def score_candidates(candidates: Iterable[Candidate], card: Card, page: dict[str, float] | None = None) -> list[float]:
    """Points of each candidate: of its own features plus those of the page. Features not in the card have 0 points."""
    check_time()
    # features of the page are the same for all candidates, so their points are summed once
    compiled = compile_card(card)
    score, start = compiled.row_plan.score, compiled.start
    of_page: float = score(page, start)[0] - start[0] if page else 0.0
    return [of_page + score(candidate.features, start)[0] for candidate in candidates]


def choose_candidate(
    candidates: Sequence[Candidate], card: Card, page: dict[str, float] | None = None
) -> tuple[Candidate | None, FieldValue]:
    """The candidate with the most points (of equals, the first) if it has at least 0, else None; and the field's value.

    The confidence is the probability of that choice in a softmax over the points of all candidates and of the choice
    "no value", which has 0 points.
    """
    if not candidates:
        return None, FieldValue(None)
    points = score_candidates(candidates, card, page)
    # stable: of equals the first stays first, and candidates come in the order of trust
    order = sorted(range(len(points)), key=points.__getitem__, reverse=True)
    ranked = [candidates[number] for number in order]
    shares = softmax([0.0, *(points[number] for number in order)])
    if points[order[0]] < 0:
        return None, FieldValue(None, "", shares[0], list_alternatives(ranked))
    best = ranked[0]
    return best, FieldValue(best.value, best.source, shares[1], list_alternatives(ranked[1:]))


def list_alternatives(candidates: Iterable[Candidate]) -> tuple[tuple[str, str], ...]:
    """(value, source) of the best of the given candidates, which are in order of points; each value once."""
    found: dict[str, str] = {}
    for candidate in candidates:
        found.setdefault(candidate.value, candidate.source)
        if len(found) == MAX_ALTERNATIVES:
            break
    return tuple(found.items())


Values = Mapping[str, float]
"""Name -> value, of the features that are not 0."""

TITLE_FEATURES: Final = FeatureRegistry[Values, float]("title candidate", "fields.title.card")
TITLE_TREE_FEATURES: Final = FeatureRegistry[Values, float]("title text", "fields.title.tree")
DATE_FEATURES: Final = FeatureRegistry[Values, float](
    "date candidate", "fields.date.card", "fields.date.modified_card", cards=("fields.date.card",)
)
AUTHOR_FEATURES: Final = FeatureRegistry[Values, float]("author candidate", "fields.author.card")
_FLAG: Final = "0 or 1"
_KINDS: Final = {"published": "publication", "modified": "modification"}


def _declare(registry: FeatureRegistry[Values, float], unit: str, meanings: Mapping[str, str]) -> None:
    """Register features that are read from a candidate's values. meanings: name -> meaning."""
    for name, meaning in meanings.items():
        registry.feature(unit, meaning, name=name)(_read_value(name))


def _declare_family(registry: FeatureRegistry[Values, float], prefix: str, meaning: str) -> None:
    """Register the features whose names begin with a prefix."""
    registry.family(prefix, _FLAG, meaning)(lambda name: _read_value(prefix + name))


def _read_value(name: str) -> Callable[[Values], float]:
    def read(values: Values) -> float:
        return values.get(name, 0.0)

    return read


def _with_first(meanings: Mapping[str, str]) -> dict[str, str]:
    """Each feature, and `NAME_first`, which marks the first candidate that has it."""
    return {
        key: text
        for name, meaning in meanings.items()
        for key, text in ((name, meaning), (f"{name}_first", f"the first of those: {meaning}"))
    }


def _declare_page_kinds(registry: FeatureRegistry[Values, float]) -> None:
    """What `page_kind.list_page_kinds` finds."""
    meaning = "the page says it is this: a kind of `fields.page_kinds`, `og_article`, `og_website`, `front` (no path)"
    _declare_family(registry, "on_", meaning)
    _declare_family(registry, "at_", "the path says it is this: a kind of `fields.page_paths`, `long_slug`")


def _declare_title() -> None:
    for tag in ("h1", "h2"):
        flags = {
            tag: f"text of an {tag}",
            f"{tag}_first": f"text of the first {tag}",
            f"{tag}_only": f"text of the only {tag}",
            f"{tag}_in_landmark": f"text of an {tag} in nav, footer or aside",
        }
        _declare(TITLE_FEATURES, _FLAG, flags)
    for name, stated in (("title", "`<title>`"), ("og", "a meta title")):
        parts = {
            "whole": f"all of {stated}",
            "start": f"{stated} without parts at its end",
            "end": f"{stated} without parts at its beginning",
            "after_site": f"{stated} without parts at its beginning, which name the site",
            "middle": f"one part of {stated}, neither its first nor its last",
            "without_site": f"{stated} without the parts at its ends that name the site",
            "first_part": f"the first part of {stated} that does not name the site",
        }
        _declare(TITLE_FEATURES, _FLAG, {f"{name}_{part}": meaning for part, meaning in parts.items()})
    flags = {
        "leads_away": "a heading that is a link to another page, as that of a teaser is",
        "json_ld": "a headline or name in JSON-LD",
        "json_ld_nested": "a headline or name deep inside JSON-LD",
        "itemprop": "a microdata property that gives a title",
        "text": "a text block that is part of `<title>` or og:title",
        "shown_unheaded": "a shown part of `<title>`, on a page without og:title and h1; not on the front page",
        "h1_below_site_name": "text of the first h1, where `<title>` only names the site; not on the front page",
        "inside_title": "part of `<title>`",
        "inside_og": "part of og:title",
        "largest_text": "in much larger letters than most of the page, on a page without h1 and h2",
        "names_site": "names the site",
        "holds_separator": "more than one part of a title, with what stands between them, and not shown so",
    }
    _declare(TITLE_FEATURES, _FLAG, flags)
    shares = {
        "title_similarity": "similarity to `<title>`, by insertions and deletions",
        "og_similarity": "similarity to og:title",
        "part_similarity": "similarity to the most similar part of `<title>`",
        "slug_share": "words that the last part of the address holds",
        "h1_slug_share": "the same, of an h1",
    }
    _declare(TITLE_FEATURES, "share", shares)
    _declare(TITLE_FEATURES, "words", {"n_words": "words; in scripts without spaces two characters count as one"})
    _declare(TITLE_FEATURES, "characters", {"n_chars": "characters"})
    for name in ("h1", "title_without_site", "og_without_site", "title_whole", "names_site"):
        _declare_family(TITLE_FEATURES, f"{name}_on_", f"`{name}`, on a page that says it is of this kind (`on_`)")


def _declare_title_tree() -> None:
    flags = {
        "is_bold": "in bold letters",
        "is_largest": "in the largest letters of all texts that can be the title",
        "other_colour": "in another colour than most of the page",
        "other_background": "on another background than most of the page",
    }
    _declare(
        TITLE_TREE_FEATURES, "share", {"title_similarity": "1 - edit distance to `<title>` / the longer of the two"}
    )
    _declare(TITLE_TREE_FEATURES, "characters", {"n_chars": "characters, without white space"})
    _declare(TITLE_TREE_FEATURES, "share", {"position": "texts before it / texts of the page"})
    _declare(TITLE_TREE_FEATURES, "1 to 7", {"heading_level": "1 to 6 in h1 to h6, else 7"})
    _declare(TITLE_TREE_FEATURES, "ratio", {"size_ratio": "size of its letters / size of those of most of the page"})
    _declare(TITLE_TREE_FEATURES, _FLAG, flags)


def _declare_date() -> None:
    for kind, noun in _KINDS.items():
        sources = {
            f"meta_{kind}": f"a meta element states it as day of {noun}",
            f"json_ld_{kind}": f"JSON-LD states it as day of {noun}",
            f"json_ld_{kind}_otherwise": f"JSON-LD states it as day of {noun} by a less usual key",
            f"json_ld_{kind}_of_part": f"JSON-LD states it as day of {noun} of a part of the page, such as a comment",
            f"json_ld_{kind}_of_part_otherwise": "the same by a less usual key",
            f"itemprop_{kind}": f"microdata states it as day of {noun}",
            f"attribute_{kind}": f"an attribute of an element for scripts states it as day of {noun}",
        }
        _declare(DATE_FEATURES, _FLAG, _with_first(sources))
        flags = {
            f"meta_like_{kind}": f"a meta element whose name holds a word for {noun} states it",
            f"time_{kind}": f"a `time` element with a class for {noun}, or in one, states it",
            f"text_{kind}": f"a text states it behind a label for {noun}",
        }
        _declare(DATE_FEATURES, _FLAG, flags)
    flags = {
        "url": "stands in the address",
        "attribute": "stands in an attribute of an element for scripts",
        **_with_first({"titled": "stands in the `title` of an element that shows a relative date"}),
        "relative": "a text states it as relative date: 3 hours ago",
        "text_short": "stands in a short text",
        "earliest": "the earliest of several days that metas, JSON-LD, microdata or labels state",
        "latest": "the latest of several such days",
        "only_modified": "stated as modification alone, while another day is stated as publication",
        "modified_shown_plain": "the same, but a text shows it without a label",
        "said_modified": "`only_modified`, and a label or a class says so; no meta element states a publication",
        "said_modified_beside_meta": "the same where a meta element states a publication",
        "meta_tells_both": "a meta element states it as publication, another one another day as modification",
    }
    for name, what in (("time", "a `time` element"), ("text", "a text")):
        flags |= {
            name: f"{what} shows it",
            f"{name}_first": f"the first day that {what} shows",
            f"{name}_first_below": f"the first day that {what} shows below the title",
            f"{name}_in_landmark": f"{what} in nav, footer or aside shows it",
            f"{name}_in_link": f"{what} in a link shows it",
        }
        distance = {f"{name}_distance": f"from the title to {what} that shows it, negative above"}
        _declare(DATE_FEATURES, "elements", distance)
    _declare(DATE_FEATURES, _FLAG, flags)
    unstated = "days found, where none is stated as publication; else 0 (of the page)"
    _declare(DATE_FEATURES, "candidates", {"n_unstated": unstated})
    _declare_page_kinds(DATE_FEATURES)


def _declare_author() -> None:
    for name, where in (("json_ld", "JSON-LD"), ("json_ld_of_part", "JSON-LD about a part of the page")):
        flags = {
            name: f"the one author, or all authors of the first list, in {where}",
            f"{name}_first": f"the first author in {where}",
            f"{name}_one_of_several": f"one of several authors in {where}",
            f"{name}_all": f"all of several authors in {where}",
        }
        _declare(AUTHOR_FEATURES, _FLAG, flags)
    sources = {
        "meta": "a meta element names them",
        "itemprop": "a microdata property names them",
        "rel_author": "text of a link with rel=author",
        "author_link": "text of a link to the page of an author",
        "user_link": "text of a link to the page of a user",
        "author_class": "text of an element with a class for authors",
        "author_class_link": "text of the first link in such an element",
        "user_class": "text of an element with a class for users",
        "user_class_link": "text of the first link in such an element",
        "byline": "follows a by-line at the beginning of a short text",
        "byline_inside": "follows a by-line inside a short text",
        "signature": "stands in a set form in which East Asian newspapers sign",
    }
    _declare(AUTHOR_FEATURES, _FLAG, _with_first(sources))
    flags = {
        "author_class_head": "the beginning of such an element, in an element of its own",
        "user_class_head": "the same of an element with a class for users",
        "meta_all": "the names of several meta elements together",
        "link_all": "all names of an element that holds links to several authors and only what joins names beside them",
        "twitter_label": "a shared card names them under a label for authors",
        "beside_date": "stands beside a number in a short text below the title",
        "on_date": "stands before a date, with `on` between",
        "next_to_date": "is a short text below the title, next to one with a number",
        "byline_in_landmark": "a by-line in nav, footer or aside",
        "link_in_landmark": "a link in nav, footer or aside",
        "in_comments": "stands among comments",
        "agency": "a short name in Chinese characters or Hangul that is an agency's",
        "name_like": "has the shape of a person's name",
        "list_like": "has the shape of several names",
        "one_word": "is one word",
        "lower_case": "has no capital",
        "has_digit": "holds a digit",
        "names_site": "names the site",
        "collective": "has a word for a group of people or a company",
        "no_name": "has a word that is in no name",
        "beside_person": "names the site or a group, where a by-line names a person",
        "lists_authors": "several persons, of whom the first is named alone elsewhere",
        "heads_list": "the first of such a list",
        "holds_name": "begins with the name of a person that another source states, and goes on without a comma",
    }
    _declare(AUTHOR_FEATURES, _FLAG, flags)
    _declare(AUTHOR_FEATURES, "words", {"n_words": "words of the name"})
    _declare(AUTHOR_FEATURES, "characters", {"n_chars": "characters of the name"})
    _declare(AUTHOR_FEATURES, "elements", {"distance": "from the title to where the name is shown, negative above"})
    _declare(AUTHOR_FEATURES, "candidates", {"n_candidates": "names found (of the page)"})
    _declare_page_kinds(AUTHOR_FEATURES)


_declare_title()
_declare_title_tree()
_declare_date()
_declare_author()
