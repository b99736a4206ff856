"""One server and one web site for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.server.running import ARTICLE, serve
from tests.web_sites import Site, publish
from webclean.server import ServerSettings

HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with publish() as site:
        site.pages["/article"] = (HTML, ARTICLE)
        yield site


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with serve(ServerSettings(workers=1, allow_private=True, rate="", max_bytes=400_000)) as base:
        yield base


@pytest.fixture(scope="module")
def client(base: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=base, timeout=30, trust_env=False) as client:
        yield client
