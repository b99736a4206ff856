"""Features of the page's address. NaN when the address is not known."""

from __future__ import annotations

import math

from webclean.classify.features.registry import PageView, feature


@feature("steps", "steps of the address's path; 0 for a home page")
def url_depth(page: PageView) -> float:
    return len(page.path) if page.url else math.nan


@feature("digits", "digits in the address's path")
def url_digits(page: PageView) -> float:
    return sum(map(str.isdigit, page.url.path)) if page.url else math.nan


@feature("words", "words of the last step of the path: a written-out title has many")
def slug_words(page: PageView) -> float:
    return len(page.slug_words) if page.url else math.nan


@feature("0 or 1", "the last word of the address ends in one s, as plurals do: /shoes, /recipes")
def slug_is_plural(page: PageView) -> float:
    if not page.url:
        return math.nan
    last = page.slug_words[-1] if page.slug_words else ""
    return float(len(last) > 3 and last.endswith("s") and not last.endswith("ss"))
