"""Pages that are kept for reading on: the next part, a reload, the same page in the workbench."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass

from cachetools import TTLCache
from prometheus_client import Gauge


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it came. url: after redirects, if it was fetched. status: of the fetch, else 200."""

    html: bytes | str
    url: str | None = None
    charset: str | None = None
    status: int = 200


class PageStore:
    """Pages by a key that cannot be guessed, or by their URL; those longest unused go first."""

    def __init__(self, max_bytes: int, seconds: float, gauge: Gauge) -> None:
        self._pages: TTLCache[str, Page] = TTLCache(max_bytes, seconds, getsizeof=_measure)
        self._lock = threading.Lock()
        self._gauge = gauge

    def put(self, page: Page, key: str | None = None) -> str:
        """Keep a page; its key. A page that is larger than all that may be kept is not."""
        key = key or secrets.token_urlsafe(18)
        with self._lock:
            if _measure(page) <= self._pages.maxsize:
                self._pages[key] = page
            self._gauge.set(self._pages.currsize)
        return key

    def get(self, key: str) -> Page | None:
        """The page of a key, if it is still kept."""
        with self._lock:
            return self._pages.get(key)


def _measure(page: Page) -> int:
    """Bytes that a page takes, roughly."""
    return len(page.html) * (1 if isinstance(page.html, bytes) else 2) + 1_000
