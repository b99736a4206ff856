"""Hosts and registered domains, read off a URL without the network."""

import socket
from urllib.parse import urljoin

import pytest

from webclean import InputError
from webclean.parse import parse_page
from webclean.parse.url import (
    MAX_BASE,
    MAX_URL,
    check_page_url,
    find_address,
    find_base,
    find_host,
    find_registered_domain,
    find_registered_domain_of_host,
    join_url,
    list_sites,
    split_url,
)


@pytest.mark.parametrize(
    ("url", "host", "domain"),
    [
        ("https://news.example.co.uk/a", "news.example.co.uk", "example.co.uk"),
        ("HTTPS://user:word@News.Example.COM:8080?q=//other.org", "news.example.com", "example.com"),
        ("//cdn.example.com.cn/x.js", "cdn.example.com.cn", "example.com.cn"),
        ("http://例え.jp/", "例え.jp", "例え.jp"),
        ("http://192.0.2.1/a", "192.0.2.1", "192.0.2.1"),
        ("http://[2001:db8::1]:80/", "2001:db8::1", "2001:db8::1"),
        ("http://localhost:8000/", "localhost", "localhost"),
        ("/a/b//c", "", ""),
        ("mailto:someone@example.com", "", ""),
        ("", "", ""),
    ],
)
def test_host_and_registered_domain(url: str, host: str, domain: str) -> None:
    assert find_host(url) == host
    assert find_registered_domain(url) == domain


def test_never_asks_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("opened a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    find_registered_domain_of_host.cache_clear()
    assert find_registered_domain("https://www.example.com.au/") == "example.com.au"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://a.b.:80", "a.b"),
        (" //A.b ", "a.b"),
        ("x+1.-:\\//a", ""),
        ("x+1.-://a@b@c/", "c"),
        ("https://a\\b", "a"),
        ("https://a#b", "a"),
        ("https://[::1", "::1"),
        ("1a://b", ""),
        ("https:/a", ""),
    ],
)
def test_hosts_of_odd_addresses(url: str, host: str) -> None:
    assert find_host(url) == host


@pytest.mark.parametrize(
    ("url", "sites"),
    [
        ("https://a.news.example.co.uk/x", ("example.co.uk", "news.example.co.uk", "a.news.example.co.uk")),
        ("https://example.com", ("example.com",)),
        ("https://news.intranet/", ("intranet", "news.intranet")),
        ("https://localhost/", ("localhost",)),
        *((f"https://{name}/", ("xn--bcher-kva.de", "bücher.de")) for name in ("bücher.de", "xn--bcher-kva.de")),
        ("http://192.0.2.1/a", ("192.0.2.1",)),
        ("http://[2001:db8::1]/", ("2001:db8::1",)),
        ("/a", ()),
    ],
)
def test_sites_from_the_most_general_on(url: str, sites: tuple[str, ...]) -> None:
    assert list_sites(url) == sites


def test_a_joined_address_has_a_length_to_keep() -> None:
    base = "https://a.b/"
    assert join_url(base, "x" * (MAX_URL - len(base))) == base + "x" * (MAX_URL - len(base))
    assert join_url(base, "x" * (MAX_URL - len(base) + 1)) is None
    long = base + "x" * MAX_URL
    assert join_url("https://c.d/", long) == long


def test_the_address_of_a_page_is_one() -> None:
    for good in (None, "", "/a", "https://a.b:80/c"):
        check_page_url(good)
    for bad in ("http://[x", "http://a:b/", "http://a:99999/", "http://a/\ud800"):
        with pytest.raises(InputError, match="not the URL of a page: http://"):
            check_page_url(bad)
    with pytest.raises(InputError) as caught:
        check_page_url("http://[" + "é" * 300)
    assert "http://[" + "\\xe9" * 192 + ":" in str(caught.value)


def test_the_parts_of_what_is_no_address_are_empty() -> None:
    assert split_url("https://a.b/c?d#e") == ("https", "a.b", "/c", "d", "e")
    assert split_url("http://[x") == ("", "", "", "", "")


@pytest.mark.parametrize(
    ("head", "url", "base"),
    [
        ("", "https://a.b/c", "https://a.b/c"),
        ("<base href=/d/>", "https://a.b/c", "https://a.b/d/"),
        ("<base><base href='/ d\n/'><base href=/e/>", "https://a.b/c", "https://a.b/d/"),
        ("<body><base href=/d/>", "https://a.b/c", "https://a.b/c"),
        ("<base href=http://x.y/>", None, "http://x.y/"),
        ("<base href=/d/>", None, "/d/"),
        ("<base href=//x.y/>", None, None),
        ("<base href=//x.y/>", "https://a.b/", "https://x.y/"),
        ("<base href=javascript:1>", "https://a.b/", "https://a.b/"),
        ("<base href=ftp://x.y/>", None, None),
        ("<base href=http://[x>", "https://a.b/", "https://a.b/"),
    ],
)
def test_relative_addresses_are_relative_to_the_first_base(head: str, url: str | None, base: str | None) -> None:
    assert find_base(parse_page(f"{head}<p>x", url=url)) == base


@pytest.mark.parametrize(
    ("head", "url", "address"),
    [
        ("<link rel=canonical href=https://c.d/e>", "https://a.b/c", "https://a.b/c"),
        ("<link rel='shortlink Canonical' href=' https://c.d/e\n'>", None, "https://c.d/e"),
        ("<meta property=og:url content=https://o.g/><link rel=canonical href=https://c.d/e>", None, "https://c.d/e"),
        ("<link rel=canonical href=/e><meta property=og:url content=HTTP://o.g/>", None, "HTTP://o.g/"),
        ("<link rel=icon href=https://c.d/><a rel=canonical href=https://c.d/>x</a>", None, ""),
        ("<link rel=canonical href=https:///><link rel=canonical href=http://[x>", None, ""),
        ("<link rel=canonical><meta property=og:url>", None, ""),
        ("<base href=https://c.d/>", None, ""),
    ],
)
def test_a_page_without_an_address_has_that_which_it_states(head: str, url: str | None, address: str) -> None:
    assert find_address(parse_page(f"{head}<p>x", url=url)) == address


def test_a_long_base_is_none() -> None:
    for n, is_used in ((MAX_BASE, True), (MAX_BASE + 1, False)):
        href = "https://x.y/".ljust(n, "z")
        assert (find_base(parse_page(f"<base href={href}>", url="https://a.b/")) == href) is is_used


@pytest.mark.parametrize(
    ("base", "target", "joined"),
    [
        ("https://a.b/c/d", "", "https://a.b/c/d"),
        ("", "e", "e"),
        (None, "http://[x", "http://[x"),
        (None, "/a/b?c#d", "/a/b?c#d"),
        ("https://example.org/x/y?z#w", "a/b?c#d", "https://example.org/x/a/b?c#d"),
        ("https://example.org?x", "/a", "https://example.org/a"),
        ("https://example.org/x/", "http://other.org/a//b", "http://other.org/a//b"),
        ("https://example.org/x/", "/a/../b", "https://example.org/b"),
        ("https://example.org/x/", "/./b", "https://example.org/b"),
        ("https://example.org/x/", "/..", "https://example.org/"),
        ("https://example.org/x/", "//other.org/a", "https://other.org/a"),
        ("https://example.org/x/", "https://other.org/a?", "https://other.org/a"),
        ("https://example.org/x/", "/a#", "https://example.org/a"),
        ("https://user@example.org/x/", "/a", "https://user@example.org/a"),
        ("http://[::1]/x", "/a", "http://[::1]/a"),
        ("file:///x/y", "/a", "file:///a"),
        ("mailto:ann@example.org", "/a", "/a"),
        ("https://example.org/x/", "/a\\b c", "https://example.org/a\\b c"),
    ],
)
def test_addresses_are_joined_as_by_the_standard_library(base: str | None, target: str, joined: str) -> None:
    assert join_url(base, target) == joined
    if base:
        assert urljoin(base, target) == joined


def test_controls_are_escaped_and_what_is_no_address_is_none() -> None:
    assert join_url("https://a.b/", "x\x1by") == "https://a.b/x%1By"
    assert join_url("https://a.b/", "http://[x") is None
