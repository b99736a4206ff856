"""Evidence in the page's address. NaN when the address is not known."""

from __future__ import annotations

import math

from webclean.classify.evidence.registry import PageMaterial, evidence, split_slug


def count_digits(text: str) -> int:
    """Digits in a text."""
    return sum(char.isdigit() for char in text)


@evidence("steps", "steps of the address's path; 0 for a home page")
def url_depth(page: PageMaterial) -> float:
    return len(page.path) if page.url else math.nan


@evidence("characters", "characters of the address's path")
def url_chars(page: PageMaterial) -> float:
    return len(page.url.path) if page.url else math.nan


@evidence("digits", "digits in the address's path")
def url_digits(page: PageMaterial) -> float:
    return count_digits(page.url.path) if page.url else math.nan


@evidence("parameters", "parameters of the address's query")
def url_parameters(page: PageMaterial) -> float:
    return len([part for part in page.url.query.split("&") if part]) if page.url else math.nan


@evidence("0 or 1", "the address ends in a slash")
def url_ends_in_slash(page: PageMaterial) -> float:
    return float(page.url.path.endswith("/")) if page.url else math.nan


@evidence("words", "words of the last step of the path: a written-out title has many")
def slug_words(page: PageMaterial) -> float:
    return len(split_slug(page.slug)) if page.url else math.nan


@evidence("characters", "characters of the last step of the path")
def slug_chars(page: PageMaterial) -> float:
    return len(page.slug) if page.url else math.nan


@evidence("digits", "digits of the last step of the path")
def slug_digits(page: PageMaterial) -> float:
    return count_digits(page.slug) if page.url else math.nan


@evidence("0 or 1", "the last word of the address ends in one s, as plurals do: /shoes, /recipes")
def slug_is_plural(page: PageMaterial) -> float:
    if not page.url:
        return math.nan
    last = (split_slug(page.slug) or [""])[-1]
    return float(len(last) > 3 and last.endswith("s") and not last.endswith("ss"))


@evidence("links", "links whose last step is a title written out (four words or more)")
def title_link_count(page: PageMaterial) -> float:
    return page.n_title_links


@evidence("share", "distinct links whose last step is a title written out / distinct links")
def title_link_share(page: PageMaterial) -> float:
    return page.n_title_links / max(1, len(set(page.link_targets)))


@evidence("links", "distinct links that lead below this page's own address")
def child_link_count(page: PageMaterial) -> float:
    if not page.url:
        return math.nan
    own = "/".join(page.path)
    if not own:
        return math.nan
    below = f"/{own}/"
    return sum(below in target and not target.endswith(below) for target in set(page.link_targets))


@evidence("links", "links that differ from this page's address in the last step alone")
def sibling_link_count(page: PageMaterial) -> float:
    if not page.url or len(page.path) < 2:
        return math.nan
    above = "/" + "/".join(page.path[:-1])
    found = 0
    for target in set(page.link_targets):
        head, _, last = target.split("?")[0].rstrip("/").rpartition("/")
        found += head.endswith(above) and bool(last)
    return found
