"""A server of ours and a web site to read, both on the loopback address, for the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import uvicorn

from webclean.server.app import build_app
from webclean.server.settings import ServerSettings

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ARTICLE = (FIXTURES / "content" / "blog-comments" / "input.html").read_bytes()


@contextmanager
def serve(settings: ServerSettings) -> Iterator[str]:
    """A running server; its base URL."""
    config = uvicorn.Config(build_app(settings), host="127.0.0.1", port=0, log_level="error", lifespan="on")
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

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.agents.add(self.headers.get("user-agent", ""))
            found = site.pages.get(self.path) or (site.find(self.path) if site.find else None)
            headers, body = found or ({}, b"")
            self.send_response(404 if found is None else 302 if "location" in headers else 200)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            pass

    running = Server((host, 0), Handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    site.base = f"http://{host}:{running.server_address[1]}"
    yield site
    running.shutdown()
    running.server_close()
