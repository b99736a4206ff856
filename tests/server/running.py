"""A server of ours on the loopback address, for the tests."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from webclean.server import ServerSettings
from webclean.server.app import listen

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ARTICLE = (FIXTURES / "content" / "blog-comments" / "input.html").read_bytes()


@contextmanager
def serve(settings: ServerSettings) -> Iterator[str]:
    """A running server; its base URL."""
    server, opened = listen(settings, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, args=([opened],), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    yield f"http://127.0.0.1:{opened.getsockname()[1]}"
    server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


@contextmanager
def connect(headers: dict[str, str] | None = None, **settings: Any) -> Iterator[httpx.Client]:
    """A client of a server with one worker, no limit of pages per client, and these settings."""
    with (
        serve(ServerSettings(**{"workers": 1, "rate": "none", **settings})) as base,
        httpx.Client(base_url=base, timeout=600, trust_env=False, headers=headers) as client,
    ):
        yield client
