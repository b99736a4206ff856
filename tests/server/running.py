"""A server of ours and a web site to read, both on the loopback address, for the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from tests.web_sites import Handler, run_site
from webclean.server.app import build_app
from webclean.server.connections import BoundedProtocol
from webclean.server.settings import ServerSettings

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ARTICLE = (FIXTURES / "content" / "blog-comments" / "input.html").read_bytes()


@contextmanager
def serve(settings: ServerSettings) -> Iterator[str]:
    """A running server; its base URL."""
    config = uvicorn.Config(
        build_app(settings), host="127.0.0.1", port=0, log_level="error", lifespan="on", http=BoundedProtocol
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


@dataclass
class Site:
    """A web site. pages: path -> (headers, body), or a function of the path; asked: the paths asked for, in order."""

    base: str = ""
    pages: dict[str, tuple[dict[str, str], bytes]] = field(default_factory=dict)
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
            headers, body = found or ({}, b"")
            self.answer(404 if found is None else 302 if "location" in headers else 200, headers, body)

    with run_site(Pages, host) as site.base:
        yield site
