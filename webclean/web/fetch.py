"""URL -> bytes of a page, within limits of size, time and redirects. The one place that asks the network.

Addresses that are not public (loopback, private, link-local, ...) are refused by default. A host name is resolved once
for each hop, and the connection goes to the address that was checked, so that the name cannot resolve to another one
in between (DNS rebinding). Proxies of the environment are not used: they connect to addresses that are not checked.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from webclean import __version__
from webclean.errors import FetchError
from webclean.parse.url import find_host, is_of_web, join_url
from webclean.storage import read_table

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""All that is given out of IPv6 for the public internet (IANA, IPv6 Address Space)."""
_NOT_PUBLIC: Final = tuple(map(ipaddress.ip_network, (
    "192.0.0.0/24", "192.88.99.0/24",
    "2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20",
)))  # fmt: skip
"""Protocol assignments, the former 6to4 relays, documentation, AS112: what `is_global` of some Python versions allows
(IANA special-purpose address registries)."""
AGENT: Final = f"webclean/{__version__}"
"""What requests say of who asks."""
_ENCODINGS: Final = frozenset(("", "identity", "gzip", "deflate"))
_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
_MAX_ADDRESSES: Final = 3
"""Addresses of one name that are tried before giving up."""


class Wanted(NamedTuple):
    """What may be fetched, as `fetched.toml` says."""

    name: str
    accept: str
    family: str
    types: Sequence[str]


WANTED: Final = {name: Wanted(**about) for name, about in read_table(__file__, "fetched.toml").items()}
PAGES: Final = WANTED["pages"]


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits for fetching one page. max_bytes: of the decompressed body. max_seconds: for everything together."""

    max_bytes: int = 20_000_000
    max_seconds: float = 30.0
    max_redirects: int = 10
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as served. url: after redirects; charset: what the server declared."""

    url: str
    body: bytes
    content_type: str
    charset: str | None
    status: int = 200


def fetch_bytes(url: str, limits: FetchLimits | None = None, *, wanted: Wanted = PAGES) -> Fetched:
    """Fetch one page, or what is wanted. Raises `FetchError`; its message begins with the URL."""
    import httpx  # noqa: PLC0415  a third of the time that importing webclean would take

    limits = limits or FetchLimits()
    headers = {"user-agent": AGENT, "accept": wanted.accept, "accept-encoding": "gzip, deflate"}
    timeout = httpx.Timeout(limits.max_seconds)
    options: dict[str, Any] = {"verify": load_trust(), "trust_env": False, "follow_redirects": False}
    with httpx.Client(headers=headers, timeout=timeout, **options) as client:
        return _run_within(lambda: _follow(client, url, limits, wanted), client.close, url, limits.max_seconds)


@cache
def load_trust() -> ssl.SSLContext:
    """The certificates that are trusted: those of certifi. Kept, for reading them takes longer than most requests."""
    import httpx  # noqa: PLC0415

    return httpx.create_ssl_context(trust_env=False)


def _run_within(work: Callable[[], Fetched], stop: Callable[[], None], url: str, seconds: float) -> Fetched:
    """Run in a thread with a time limit: resolving a name, or a server that sends byte by byte, has none of its own."""
    done: Future[Fetched] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # handed to the caller's thread
            done.set_exception(error)

    # no thread of a pool, which would be waited for when the process ends
    threading.Thread(target=run, daemon=True, name="webclean-fetch").start()
    if done not in wait([done], seconds).done:
        stop()
        raise FetchError(f"{url}: took longer than {seconds:g} s")
    return done.result()


def _follow(client: Any, url: str, limits: FetchLimits, wanted: Wanted) -> Fetched:
    # here and not by httpx: each hop is a name of its own, whose address is checked
    here = url
    for _ in range(limits.max_redirects + 1):
        result = _request(client, here, limits, wanted)
        if isinstance(result, Fetched):
            return result
        here = result
    raise FetchError(f"{url}: more than {limits.max_redirects} redirects")


def _request(client: Any, url: str, limits: FetchLimits, wanted: Wanted) -> Fetched | str:
    """One request: the page, or the URL of a redirect."""
    import httpx  # noqa: PLC0415

    host = _check_url(url)
    addresses = _resolve(url, host, limits.allow_private)
    error: Exception | None = None
    for address in addresses[:_MAX_ADDRESSES]:
        target = httpx.URL(url).copy_with(host=str(address), fragment=None)
        headers = {"host": httpx.URL(url).netloc.decode("ascii").rpartition("@")[2]}
        extensions = {"sni_hostname": httpx.URL(url).raw_host.decode("ascii")}
        try:
            with client.stream("GET", target, headers=headers, extensions=extensions) as response:
                return _read_response(response, url, limits, wanted)
        except (httpx.ConnectError, httpx.ConnectTimeout) as failure:
            error = failure
        # also what its handling of redirects raises for a host that is none, and sockets for a port that is none
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, OverflowError) as failure:
            raise FetchError(f"{url}: {failure or type(failure).__name__}") from failure
    raise FetchError(f"{url}: cannot connect: {error}") from error


def _check_url(url: str) -> str:
    """The host of a URL. Raises `FetchError` for a URL that cannot be fetched."""
    import httpx  # noqa: PLC0415

    shown = _show(url)
    try:
        parts, asked = urlsplit(url), httpx.URL(url)
        host = asked.raw_host.decode("ascii") and asked.host
    except (ValueError, httpx.InvalidURL) as error:
        raise FetchError(f"{shown}: not a URL: {error}") from error
    if parts.scheme.lower() not in ("http", "https"):
        raise FetchError(f"{shown}: only http and https are fetched")
    if not host:
        raise FetchError(f"{shown}: no host")
    return host


def _show(url: str) -> str:
    """What is not known to be a URL, for a message."""
    return ascii(url[:200])[1:-1]


def _resolve(url: str, host: str, allow_private: bool) -> list[Address]:
    """The addresses of a host that may be connected to."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise FetchError(f"{url}: unknown host {host}") from error
    addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    allowed = [address for address in dict.fromkeys(addresses) if allow_private or is_public(address)]
    if not allowed:
        raise FetchError(f"{url}: {host} is {addresses[0]}, which is not a public address")
    return allowed


def is_public(address: Address) -> bool:
    """Whether an address is one of the public internet (IANA special-purpose registries), whatever form it is in."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address not in _UNICAST:
            return False
    if any(address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def may_be_public(url: str) -> bool:
    """Whether an absolute URL of the web may lead to the public internet, as far as can be said without asking for the
    address of its name. For what a reader's own browser loads, which reaches networks that this machine does not."""
    # as browsers do: line breaks go, `\\` is `/`, other forms of digits and dots become plain ones
    written = url.strip().translate(_AS_READ)
    host = unicodedata.normalize("NFKC", unquote(find_host(written))).translate(_AS_READ).rstrip(".")
    if not host or not is_of_web(written):
        return False
    address = _read_address(host)
    if address is not None:
        return is_public(address)
    return "." in host and not f".{host}".endswith(_LOCAL_NAMES)


_LOCAL_NAMES: Final = (".localhost", ".local", ".internal", ".home.arpa", ".test", ".invalid")
"""Domains that are none of the public internet (RFC 6761, 6762, 8375; ICANN for `internal`)."""
_AS_READ: Final = str.maketrans({"\\": "/", "\t": None, "\n": None, "\r": None, "\u3002": "."})


def _read_address(host: str) -> Address | None:
    """The address that a host is, also in the forms of `inet_aton` (`127.1`, `0x7f.1`), which browsers take."""
    with suppress(ValueError):
        return ipaddress.ip_address(host.partition("%")[0])
    with suppress(OSError, ValueError):
        return ipaddress.IPv4Address(socket.inet_aton(host))
    return None


def _read_response(response: Any, url: str, limits: FetchLimits, wanted: Wanted) -> Fetched | str:
    stream = response.extensions.get("network_stream")
    peer = stream.get_extra_info("server_addr") if stream else None
    # the address that the connection goes to is checked once more
    if peer and not limits.allow_private and not is_public(ipaddress.ip_address(str(peer[0]).partition("%")[0])):
        raise FetchError(f"{url}: connected to {peer[0]}, which is not a public address")
    location = response.headers.get("location")
    if response.status_code in _REDIRECTS and location:
        target = join_url(url, str(location).strip())
        if target is None:
            raise FetchError(f"{url}: redirects to what is not a URL: {_show(str(location))}")
        return target
    if response.status_code >= 400:
        raise FetchError(f"{url}: HTTP {response.status_code} {response.reason_phrase}".rstrip())
    declared = Message()  # reads the header as RFC 9110, 8.3 says
    declared["content-type"] = header = response.headers.get("content-type", "")
    content_type, charset = declared.get_content_type() if header else "", declared.get_content_charset()
    if content_type and not content_type.startswith(wanted.family) and content_type not in wanted.types:
        raise FetchError(f"{url}: is {content_type}, not {wanted.name}")
    if response.headers.get("content-encoding", "").strip().lower() not in _ENCODINGS:
        raise FetchError(f"{url}: content encoding that was not asked for")
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > limits.max_bytes:
            raise FetchError(f"{url}: more than {limits.max_bytes} bytes")
    return Fetched(url, bytes(body), content_type, charset, response.status_code)
