"""URLs of a page, split and joined; their host and registered domain (the suffix list of tldextract, offline); and the
URL that they are relative to (HTML 2.4.3, document base URL).

A page may hold any text where a URL belongs, so nothing here raises for one; no other module splits or joins URLs. Host
and domain are needed for every link. For speed, the host is found with a regular expression, and the registered domain
of each host is cached.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache, lru_cache, partial
from typing import Any, Final
from urllib.parse import SplitResult, urljoin, urlsplit

import idna

from webclean.caching import Once, cached_per_page
from webclean.errors import InputError
from webclean.model import Document
from webclean.parse.columns import count_tags, read_attribute
from webclean.parse.controls import escape_controls
from webclean.parse.tags import CODE

MAX_URL: Final = 8_192
"""A relative URL that would become longer than this is not joined (RFC 9110, 4.1 asks servers for 8,000 octets)."""
MAX_BASE: Final = 2_048
"""A longer `<base href>` is ignored: it would be written into every link."""

_NO_URL: Final = SplitResult("", "", "", "", "")
_PLAIN_URL: Final = re.compile(
    r"(https?://[a-z0-9.-]+(?::\d+)?)?"
    r"(/(?![/.])[\w/.~%+=&,:!*$@()'-]*)?"
    r"(?:\?[\w/.~%+=&,:;!*$@()'-]+)?"
    r"(?:\#[\w/.~%+=&:!-]+)?",
    re.ASCII,
)
"""URLs that joining changes nothing of but, where they have no host, what stands before the path. Most are such, and
the general way takes twenty times as long. Not so: `;` in a path (parameters), `/.` (a step up), which is looked for
apart, an empty query."""
_AUTHORITY: Final = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.\-]*:)?//([^/?#\\]*)")
"""Scheme and authority (RFC 3986, 3; a backslash ends the authority as in the WHATWG URL standard)."""


def split_url(url: str) -> SplitResult:
    """The parts of a URL; all empty if it is none (a wrong host in brackets, a character that no host may have)."""
    try:
        return urlsplit(url)
    except ValueError:
        return _NO_URL


def join_plain_url(base: str | None, target: str) -> str | None:
    """The same as `join_url` for a URL of the web, or a path on it, that has nothing to resolve, clean or escape; None
    for any other."""
    found = _PLAIN_URL.fullmatch(target) if "/." not in target else None
    if found is None or not (found[1] or found[2]):
        return None
    root = "" if found[1] or not base else _find_root(base)
    return root + target if root is not None and (not root or len(root) + len(target) <= MAX_URL) else None


def join_url(base: str | None, target: str) -> str | None:
    """A URL that is relative to `base` made absolute; as written without a base; None if it is no URL or gets too long.

    Control characters are percent-encoded.
    """
    plain = join_plain_url(base, target)
    if plain is not None:
        return plain
    try:
        joined = urljoin(base, target) if base else target
    except ValueError:
        return None
    # a URL that is long as it is written is the page's own matter; one that the base makes long multiplies the output
    return escape_controls(joined) if len(joined) <= max(MAX_URL, len(target)) else None


@cached_per_page
def find_joined(document: Document) -> Once[str | None]:
    """Target of a link -> the same as `join_url`, each joined once: pages repeat their links."""
    return Once(partial(join_url, find_base(document)))


@lru_cache(maxsize=64)
def _find_root(base: str) -> str | None:
    """Scheme and authority of a URL of the web, before which a path may be set; None for another one."""
    found = _PLAIN_URL.match(base)
    return found[1] if found is not None and found[1] and base[found.end(1) :][:1] in ("", "/", "?", "#") else None


def check_page_url(url: str | None) -> None:
    """Raise `InputError` if the address of a page is no URL; a relative one may be."""
    if url is None:
        return
    try:
        # the port is read late: `http://a:b` splits without an error
        _ = urlsplit(url).port
        # half of a surrogate pair cannot be sent, nor written as JSON
        url.encode()
    except ValueError as error:
        raise InputError(f"not the URL of a page: {ascii(url[:200])[1:-1]}: {error}") from error


@cache
def _load_suffixes() -> Any:
    """The public suffix list. tldextract is imported here because it imports all of requests."""
    import tldextract  # noqa: PLC0415

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def is_of_web(url: str) -> bool:
    """Whether a URL is absolute and one of the web."""
    return url.lower().startswith(("http://", "https://"))


def find_host(url: str) -> str:
    """Lower-case host without user, port, brackets and final dot; '' for a relative URL. It is not validated."""
    found = _AUTHORITY.match(url.strip())
    if found is None:
        return ""
    # `https://bank.example@evil.example` leads to the second
    host = found[1].rpartition("@")[2]
    # an address of IPv6, whose colons begin no port
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].rstrip(".").lower()


@lru_cache(maxsize=8192)
def find_registered_domain_of_host(host: str) -> str:
    """`news.example.co.uk` -> `example.co.uk`; the host itself if it has none (an IP address, `localhost`)."""
    return _load_suffixes().extract_str(host).top_domain_under_public_suffix or host


def ends_as_host(host: str) -> bool:
    """Whether a name ends with a public suffix and has a label before it."""
    return bool(_load_suffixes().extract_str(host).top_domain_under_public_suffix)


def find_registered_domain(url: str) -> str:
    """Registered domain of a URL, '' if it has no host."""
    host = find_host(url)
    return find_registered_domain_of_host(host) if host else ""


@lru_cache(maxsize=8192)
def list_sites_of_host(host: str) -> tuple[str, ...]:
    """The registered domain, its subdomains that contain the host, and the host: most general first.

    `a.news.example.co.uk` -> `example.co.uk`, `news.example.co.uk`, `a.news.example.co.uk`. For a host without a
    public suffix (`news.intranet`) the list starts with its last label; for an IP address it has only the address. A
    name beyond ASCII is there in both forms that URLs have (RFC 5890): `xn--bcher-kva.de`, `bücher.de`.
    """
    if not host.isascii() or "xn--" in host:
        with suppress(idna.IDNAError):
            names = idna.encode(host, uts46=True).decode(), idna.decode(host, uts46=True)
            return tuple(name for pair in zip(*map(_list_levels, names), strict=True) for name in pair)
    return _list_levels(host)


def _list_levels(host: str) -> tuple[str, ...]:
    found = _load_suffixes().extract_str(host)
    widest = found.top_domain_under_public_suffix
    # the labels of 192.0.2.1 are no domains one inside the other
    if found.ipv4 or found.ipv6:
        return (host,)
    labels = host.split(".")
    first = len(labels) - (widest.count(".") + 1 if widest else 1)
    return tuple(".".join(labels[start:]) for start in range(first, -1, -1))


def list_sites(url: str) -> tuple[str, ...]:
    """The hosts whose site rules apply to a URL, most general first; empty if it has no host."""
    host = find_host(url)
    return list_sites_of_host(host) if host else ()


def find_address(document: Document) -> str:
    """The page's URL; where it is not known, the one that the page states (`rel=canonical`, `og:url`); '' without any.
    It tells which links are the page's own. They are not joined to it: the page may be a copy."""
    return document.url or _find_stated(document)


@cached_per_page
def _find_stated(document: Document) -> str:
    for name, key, token, value in (("link", "rel", "canonical", "href"), ("meta", "property", "og:url", "content")):
        for row in (document.tag == CODE[name]).nonzero()[0].tolist() if count_tags(document)[CODE[name]] else ():
            if token in (read_attribute(document, row, key) or "").lower().split():
                stated = escape_controls((read_attribute(document, row, value) or "").strip())
                if is_of_web(stated) and split_url(stated).netloc:
                    return stated
    return ""


@cached_per_page
def find_base(document: Document) -> str | None:
    """The first `<base href>`, itself relative to the URL of the page, if it leads to a page; else the page's URL."""
    if not count_tags(document)[CODE["base"]]:
        return document.url
    for row, name in enumerate(document.names):
        if name == "base" and (href := read_attribute(document, row, "href")):
            # editors break long addresses over lines; browsers leave white space out
            base = join_url(document.url, "".join(href.split())) or ""
            scheme = split_url(base).scheme
            leads_on = scheme in ("http", "https") or not (scheme or document.url or base.startswith("//"))
            return base if base and len(base) <= MAX_BASE and leads_on else document.url
        # `base` belongs into the head (HTML 4.2.3)
        if name == "body":
            break
    return document.url
