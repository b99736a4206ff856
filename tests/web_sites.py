"""Web sites on the loopback address, for the tests of what fetches."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest


class Handler(BaseHTTPRequestHandler):
    """Answers each request by `respond`, and logs nothing."""

    def do_GET(self) -> None:
        self.respond()

    def respond(self) -> None:
        raise NotImplementedError

    def answer(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Clients of these tests leave early."""


@contextmanager
def run_site(handler: Callable[..., Any], host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """A running site; its URL without a slash at the end."""
    with _Server((host, 0), handler) as server:
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"{'https' if tls else 'http'}://{host}:{server.server_port}"
        finally:
            server.shutdown()


def run_folder(folder: Path) -> AbstractContextManager[str]:
    """The files of a folder as a site."""
    return run_site(partial(_Files, directory=str(folder)))


@dataclass
class Site:
    """A web site. pages: path -> (headers, body), or a function of the path; the header `:status` is its status.
    asked: the paths asked for, in order."""

    base: str = ""
    pages: dict[str, Any] = field(default_factory=dict)
    find: Callable[[str], tuple[dict[str, str], bytes] | None] | None = None
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)


@contextmanager
def publish(host: str = "127.0.0.1") -> Iterator[Site]:
    """A running web site."""
    site = Site()

    class Pages(Handler):
        def respond(self) -> None:
            site.asked.append(self.path)
            site.agents.add(self.headers.get("user-agent", ""))
            found = site.pages.get(self.path) or (site.find(self.path) if site.find else None)
            headers, body = (found(self.path) if callable(found) else found) or ({}, b"")
            status = headers.get(":status") or (404 if found is None else 302 if "location" in headers else 200)
            self.answer(int(status), {name: headers[name] for name in headers if name != ":status"}, body)

    with run_site(Pages, host) as site.base:
        yield site


def fake_name(monkeypatch: pytest.MonkeyPatch, name: str, find: Callable[[int], list[str]]) -> list[str]:
    """Let a name lead to addresses, which are found by how often it was asked for; the names asked for, in order."""
    real, asked = socket.getaddrinfo, list[str]()

    def resolve(host: str | bytes, *rest: object, **named: object) -> object:
        if host not in (name, name.encode()):
            return real(host, *rest, **named)  # type: ignore[arg-type]
        asked.append(name)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in find(len(asked))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked
