"""What a site is called: the field `site_name`, and all names by which parts of titles and authors are told to be the
site's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from webclean.features.block_features import SAME_SITE, find_links
from webclean.fields.candidates import fold_text
from webclean.fields.declared import rank_values
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.parse import read_attribute
from webclean.parse.url import find_registered_domain_of_host, split_url
from webclean.rules.page_schema import FieldRules, TitleRules

# Each part adds up to three candidates (the run before it, the run from it on, itself), which are all compared.
_MAX_PARTS: Final = 6
_MAX_HOME_LINKS: Final = 2
"""Links to the front page that are read for the name of the site: the logo is among the first."""
_MAX_NAME_CHARS: Final = 40
"""Of the name of a site; a longer text in a link to the front page is a slogan."""
_LEAST_NAME: Final = 4
"""Letters of a name, or of a part of one, that says which site is meant: shorter ones are in many by chance."""
_LEAST_PART: Final = 0.4
"""Of a name: a smaller part of it may be what the page is about."""


@lru_cache(maxsize=64)
def split_title(title: str, separators: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Spans of the parts between separators, at most the first six."""
    spans, start = [], 0
    for found in re.finditer("|".join(f"(?:{pattern})" for pattern in separators), title):
        # an empty part, before the first separator or between two, is none
        if found.start() > start:
            spans.append((start, found.start()))
        start = found.end()
    if start < len(title):
        spans.append((start, len(title)))
    return tuple(spans[:_MAX_PARTS])


def find_site_names(statements: PageStatements, rules: TitleRules) -> tuple[str, ...]:
    """Folded names of the site: the declared ones, the labels of its host name, and what logos and banners say."""
    names = [content for content, _ in statements.read_metas(rules.site_name_metas)]
    types = set(rules.site_types)
    for thing in statements.things:
        if not types.isdisjoint(thing.types) and thing.role not in rules.subject_roles:
            names += thing.texts("name") + thing.texts("alternateName")
    host = statements.host
    domain = find_registered_domain_of_host(host) if host else ""
    names += [domain, domain.partition(".")[0]]
    # short labels are `www`, `m`, `en`, which are words of other names
    names += [label for label in host.removesuffix(domain).split(".") if len(label) > 3]
    document = statements.document
    for row in _list_home_links(statements):
        inside = range(row + 1, int(document.end[row]))
        pictured = (read_attribute(document, r, "alt") for r in inside if document.names[r] == "img")
        names += [
            name for name in (statements.read_text(row), next(pictured, "")) if name and len(name) <= _MAX_NAME_CHARS
        ]
    return tuple(dict.fromkeys(filter(None, map(fold_text, names))))


def _list_home_links(statements: PageStatements) -> Iterator[int]:
    """Rows of the first links to the front page, and of links to a directory above the page that a heading consists
    of."""
    document, links = statements.document, find_links(statements.columns)
    address = split_url(statements.address).path
    home = (links.kind == SAME_SITE) & (links.length == 0)
    for i in np.flatnonzero(home)[:_MAX_HOME_LINKS].tolist():
        target = links.distinct[links.number[i]]
        # `/?p=1` is a page of its own; where the page's address is not known, all hosts are taken for its own
        if "?" not in target and (address or "//" not in target):
            yield int(links.row[i])
    for heading in statements.rows_of("h1")[:_MAX_HOME_LINKS]:
        # the link that a heading consists of, in it or around it; one around a card leads where its heading does
        outer = int(document.link[heading])
        i = int(links.row.searchsorted(outer if outer >= 0 else heading))
        if i == len(links.row) or links.row[i] >= document.end[heading] or links.kind[i] != SAME_SITE:
            continue
        row, target = int(links.row[i]), split_url(links.distinct[links.number[i]])
        is_above = target.path != address and address.startswith(target.path) if address else links.length[i] < 2
        if is_above and not target.query and statements.read_text(row) == statements.read_text(heading):
            yield row


@lru_cache(maxsize=1024)
def names_site(part: str, sites: tuple[str, ...]) -> bool:
    """Whether a part of a title is the name of the site. sites: its folded names."""
    folded = fold_text(part)
    n = len(folded)
    if n == 0 or folded in sites:  # what has neither letters nor digits says nothing else either
        return True
    for site in sites:
        if site not in folded and folded not in site:
            continue
        # the part is in the name (`Guardian`, theguardian.com), or the name in the part (`BBC News`)
        if n < len(site):
            if n >= _LEAST_NAME and n >= _LEAST_PART * len(site):
                return True
        # `REI Co-op` of rei.com: as a word where it has too few letters to be sought in words
        elif len(site) >= _LEAST_PART * n and (len(site) >= _LEAST_NAME or site in part.casefold().split()):
            return True
    return False


def find_site_name(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """The name of the site, as it is written for readers."""
    # `twitter:site` is an account, which mostly has the site's name
    found = [(text.lstrip("@"), source) for text, source in statements.read_metas(rules.site_name.metas)]
    for thing in statements.things:
        if thing.role in rules.site_name.json_ld_roles or (thing.depth < 3 and "WebSite" in thing.types):
            found += [(name, f"json-ld {thing.role or 'WebSite'}") for name in thing.texts("name")[:1]]
    domain = find_registered_domain_of_host(statements.host) if statements.host else ""
    label = fold_text(domain.partition(".")[0])
    title = statements.title
    # from the end, where most sites put their name
    for start, end in reversed(split_title(title, rules.title.separators)):
        part = title[start:end].strip()
        folded = fold_text(part)
        if label and folded and (folded in label or label in folded) and len(part) <= rules.site_name.max_chars:
            found.append((part, "title"))
    if domain:
        found.append((domain, "url"))
    short = [(value, source) for value, source in found if 0 < len(value) <= rules.site_name.max_chars]
    ranked = rank_values(short, 1.0)
    # a part of `<title>` that is in the host's name may be of a brand or an author; a domain is no name for readers
    return replace(ranked, confidence={"title": 0.7, "url": 0.4}.get(ranked.source, 0.95)) if short else ranked
