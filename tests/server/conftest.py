"""One server and one web site for the tests of a module."""

from collections.abc import Iterator

import httpx
import pytest

from tests.server.running import ARTICLE, connect
from tests.web_sites import Site, publish

HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with publish() as site:
        site.pages["/article"] = (HTML, ARTICLE)
        yield site


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with connect(allow_private=True, max_bytes=400_000) as client:
        yield client
