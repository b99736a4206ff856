"""Hosts and registered domains, read off a URL without the network."""

from __future__ import annotations

import socket

import pytest

from webclean.parse.url import find_host, find_registered_domain, find_registered_domain_of_host


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
