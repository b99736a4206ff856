"""Host and registered domain of a URL, from the public suffix list that ships with tldextract. Never the network.

Both are asked for once a link, so hosts are cut out of the string and what the suffix list says of a host is kept.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import tldextract

_AUTHORITY: Final = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.\-]*:)?//([^/?#\\]*)")
"""Scheme and authority (RFC 3986, 3; a backslash ends the authority as in the WHATWG URL standard)."""

_split_host: Final = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def find_host(url: str) -> str:
    """Lower-case host without user, port, brackets and final dot; '' for a relative URL. No check that it is valid."""
    found = _AUTHORITY.match(url.strip())
    if found is None:
        return ""
    host = found[1].rpartition("@")[2]
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].rstrip(".").lower()


@lru_cache(maxsize=8192)
def find_registered_domain_of_host(host: str) -> str:
    """`news.example.co.uk` -> `example.co.uk`; the host itself where there is none (an IP address, `localhost`)."""
    return _split_host.extract_str(host).top_domain_under_public_suffix or host


def find_registered_domain(url: str) -> str:
    """Registered domain of a URL, '' where it has no host."""
    host = find_host(url)
    return find_registered_domain_of_host(host) if host else ""


@lru_cache(maxsize=8192)
def list_sites_of_host(host: str) -> tuple[str, ...]:
    """The host and the hosts above it, widest first, from the registered domain down.

    `a.news.example.co.uk` -> `example.co.uk`, `news.example.co.uk`, `a.news.example.co.uk`. A host below no registered
    suffix (`news.intranet`) has all of them; an address has no host above it.
    """
    found = _split_host.extract_str(host)
    widest = found.top_domain_under_public_suffix
    if found.ipv4 or found.ipv6:
        return (host,)
    labels = host.split(".")
    first = len(labels) - (widest.count(".") + 1 if widest else 1)
    return tuple(".".join(labels[start:]) for start in range(first, -1, -1))


def list_sites(url: str) -> tuple[str, ...]:
    """The hosts whose site rules apply to a URL, widest first; none where it has no host."""
    host = find_host(url)
    return list_sites_of_host(host) if host else ()
