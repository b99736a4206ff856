"""A list of URLs -> pages, a few at a time, in the order of the list, and one at a time from each host."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from webclean.errors import InputError, WebcleanError
from webclean.parse.url import check_page_url, find_host
from webclean.web.fetch import FetchLimits, fetch_bytes

_AT_ONCE: Final = 8
"""Pages that are being fetched."""
_AHEAD: Final = 16
"""Pages that are fetched before they are asked for."""


def fetch_pages(
    urls: Iterable[str], *, max_bytes: int, allow_private: bool = False, pause: float = 1.0
) -> Iterator[dict[str, Any]]:
    """`{url, html, charset, problem}` for each URL; html is None where there is a problem.

    pause: seconds between the end of one page and the start of the next of the same host.
    """
    polite = _Politeness(pause)
    limits = FetchLimits(max_bytes=max_bytes, allow_private=allow_private)
    waiting: deque[Future[dict[str, Any]]] = deque()
    threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="webclean-fetch")
    try:
        for url in urls:
            waiting.append(threads.submit(_fetch, url, limits, polite))
            if len(waiting) >= _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        threads.shutdown(cancel_futures=True)


def _fetch(url: str, limits: FetchLimits, polite: _Politeness) -> dict[str, Any]:
    try:
        check_page_url(url)
        if not url.lower().startswith(("http://", "https://")):
            raise InputError("not a URL that begins with http:// or https://")
        with polite.lock(find_host(url)):
            fetched = fetch_bytes(url, limits)
    except WebcleanError as error:
        return {"url": url, "html": None, "problem": str(error)}
    return {"url": fetched.url, "html": fetched.body, "charset": fetched.charset}


class _Politeness:
    """One page at a time from each host, with a pause after it."""

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._guard = threading.Lock()
        self._hosts: dict[str, _Host] = defaultdict(lambda: _Host(pause))

    def lock(self, host: str) -> _Host:
        with self._guard:
            return self._hosts[host]


class _Host:
    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._lock = threading.Lock()
        self._free_at = 0.0

    def __enter__(self) -> None:
        self._lock.acquire()
        time.sleep(max(0.0, self._free_at - time.monotonic()))

    def __exit__(self, *exc: object) -> None:
        self._free_at = time.monotonic() + self._pause
        self._lock.release()
