"""Fetching, against a server on the loopback address."""

import ipaddress
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import httpcore
import httpx
import pytest

from tests.web_sites import Handler, fake_name, run_site
from webclean.errors import FetchError
from webclean.web import fetch
from webclean.web.fetch import PAGES, FetchLimits, _read_response, fetch_bytes, is_public
from webclean.web.rendering import fetch_page

PAGE = "<title>河</title><p>河水从山上流下来，经过十一座城镇，一直流到大海。每座城镇都有自己的桥。</p>".encode("gbk")
LOCAL = FetchLimits(allow_private=True, max_seconds=5)


ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/loop": (302, {"Location": "/loop"}, b""),
    "/moved": (301, {"Location": "/page"}, b""),
    "/file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/image": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
    "/large": (200, {"Content-Type": "text/html"}, b"x" * 50_000),
    "/page": (200, {"Content-Type": 'text/html; charset="GBK"'}, PAGE),
}


class Site(Handler):
    def respond(self) -> None:
        if self.path == "/slow":
            self.send_response(200)
            self.end_headers()
            for _ in range(40):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.1)
        elif self.path.startswith("/to?"):
            self.answer(302, {"Location": self.path[4:]})
        else:
            self.answer(*ANSWERS.get(self.path, (404, {}, b"")))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with run_site(Site) as url:
        yield url


def test_the_charset_of_the_server_is_used(server: str) -> None:
    page = fetch_page(f"{server}/page", limits=LOCAL)
    assert page.source.encoding in ("gbk", "gb18030")
    assert page.url == f"{server}/page"


def test_redirects_are_followed(server: str) -> None:
    fetched = fetch_bytes(f"{server}/moved", LOCAL)
    assert fetched.body == PAGE
    assert fetched.charset == "gbk"
    assert fetched.url == f"{server}/page"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/loop", "more than 10 redirects"),
        ("/file", "only http and https"),
        ("/image", "is image/png, not a page"),
        ("/missing", "HTTP 404"),
        ("/to?javascript:1", "only http and https|path must be empty"),
        ("/to?http://]/", "not a URL|Invalid URL in location"),
        ("/to?http://[::1", "not a URL|Invalid URL in location"),
        ("/to?http://xn--/", "Malformed A-label|not a URL"),
        ("/to?http://127.0.0.1:x/", "not a URL|Invalid URL in location"),
    ],
)
def test_what_cannot_be_fetched(server: str, path: str, message: str) -> None:
    with pytest.raises(FetchError, match=message):
        fetch_bytes(server + path, LOCAL)


def test_size_and_time_are_limited(server: str) -> None:
    with pytest.raises(FetchError, match="more than 10000 bytes"):
        fetch_bytes(f"{server}/large", FetchLimits(allow_private=True, max_bytes=10_000))
    with pytest.raises(FetchError, match=r"longer than 0\.5 s"):
        fetch_bytes(f"{server}/slow", FetchLimits(allow_private=True, max_seconds=0.5))


def test_private_addresses_are_refused(server: str) -> None:
    port = server.rpartition(":")[2]
    for host in ("127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]", "2130706433"):
        with pytest.raises(FetchError, match=r"not a public address|unknown host|not a URL"):
            fetch_bytes(f"http://{host}:{port}/page")


def test_where_a_connection_goes_is_looked_at_again(server: str) -> None:
    parts = httpx.URL(server)
    stream = httpcore.SyncBackend().connect_tcp(parts.host, parts.port or 80)
    response = httpx.Response(200, extensions={"network_stream": stream})
    with pytest.raises(FetchError, match=f"{parts.host}, which is not a public address"):
        _read_response(response, "https://a.org/", FetchLimits(), PAGES)
    assert _read_response(httpx.Response(200), "https://a.org/", FetchLimits(), PAGES).body == b""
    stream.close()


def test_each_name_is_resolved_once_and_that_address_connected_to(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    port = int(server.rpartition(":")[2])
    asked = fake_name(monkeypatch, "page.example", lambda n_asked: ["127.0.0.1" if n_asked == 1 else "127.0.0.9"])
    assert fetch_bytes(f"http://page.example:{port}/page", LOCAL).body == PAGE
    assert asked == ["page.example"]
    with pytest.raises(FetchError, match="not a public address"):
        fetch_bytes(f"http://page.example:{port}/page")


@pytest.mark.parametrize(("n_closed", "is_reached"), [(0, True), (1, True), (2, True), (3, False)])
def test_three_addresses_of_a_name_are_tried(
    server: str, n_closed: int, monkeypatch: pytest.MonkeyPatch, *, is_reached: bool
) -> None:
    port = int(server.rpartition(":")[2])
    # nothing listens on the further addresses of the loopback network
    addresses = [*(f"127.0.0.{at + 2}" for at in range(n_closed)), "127.0.0.1"]
    fake_name(monkeypatch, "page.example", lambda _: addresses)
    if is_reached:
        assert fetch_bytes(f"http://page.example:{port}/page", LOCAL).body == PAGE
    else:
        with pytest.raises(FetchError, match="cannot connect"):
            fetch_bytes(f"http://page.example:{port}/page", LOCAL)


CERTIFICATE = Path(__file__).with_name("page_example.pem")
"""A key and its certificate for page.example, signed by itself and good for a hundred years."""


@pytest.fixture
def secure_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, list[str]]]:
    """Port of a TLS server that every name leads to, and the names that it is asked for."""
    names: list[str] = []
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)
    context.sni_callback = lambda connection, name, here: names.append(name)

    def resolve(host: str, port: int | None, *rest: object, **named: object) -> object:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port or 0))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with run_site(Site, tls=context) as url:
        yield int(url.rpartition(":")[2]), names


def test_a_pinned_address_is_asked_for_the_name_and_must_prove_it(
    secure_server: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, names = secure_server
    monkeypatch.setattr(fetch, "load_trust", lambda: ssl.create_default_context(cafile=str(CERTIFICATE)))
    fetched = fetch_bytes(f"https://page.example:{port}/moved", LOCAL)
    assert (fetched.body, fetched.url) == (PAGE, f"https://page.example:{port}/page")
    assert set(names) == {"page.example"}
    with pytest.raises(FetchError, match=r"other\.example"):
        fetch_bytes(f"https://other.example:{port}/page", LOCAL)
    with pytest.raises(FetchError, match="not a public address"):
        fetch_bytes(f"https://page.example:{port}/page")


def test_a_certificate_that_nobody_vouches_for_is_refused(secure_server: tuple[int, list[str]]) -> None:
    port, _ = secure_server
    with pytest.raises(FetchError, match=r"(?i)certificate"):
        fetch_bytes(f"https://page.example:{port}/page", LOCAL)


PUBLIC = "93.184.216.34 2606:2800:220:1:248:1893:25c8:1946 64:ff9b::5db8:d822 2002:5db8:d822::1"
OTHERS = """
    10.0.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 192.0.0.9 192.88.99.1 192.0.2.1 198.18.0.1 198.51.100.1
    240.0.0.1 255.255.255.255 ::1 fe80::1 fd00::1 ::ffff:10.0.0.1 2002:7f00:1:: 64:ff9b::7f00:1 64:ff9b:1::1 fec0::1
    ::7f00:1 100::1 2001::1 2001:db8::1 2001:20::1 3fff::1 5f00::1 ff02::1
"""


def test_public_addresses() -> None:
    for address in (PUBLIC + OTHERS).split():
        assert is_public(ipaddress.ip_address(address)) is (address in PUBLIC.split()), address


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://example.org/", "http:///x", "http://[::1", "page.html", "http://]/", "http://xn--/", "javascript:1"),
        *("http://example.org:x/", "http://127.0.0.1:99999/", "http://[v1.x]/", "http://\ud800/", "http://a\0b/"),
        "http://./",
    ],
)
def test_what_is_not_a_web_address(url: str) -> None:
    with pytest.raises(FetchError):
        fetch_bytes(url)


def test_proxies_of_the_environment_are_not_asked(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert fetch_bytes(f"{server}/page", FetchLimits(allow_private=True)).body
