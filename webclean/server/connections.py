"""HTTP/1.1 of uvicorn, with a bound on what a client may do before its request is one: ask, and never finish asking.

What comes after the head of a request is bounded by `guards`; before it there is no request yet, and uvicorn waits for
ever. A client that opens connections and sends a header now and then ("Slowloris") would hold all that there are.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS: Final = 10.0
"""Seconds in which the head of a request must come, as long as a connection may be idle between two requests."""
MAX_UNASKED: Final = 256
"""Connections without a whole head at a time, half of those that are served: for a further one the oldest is closed.
An honest client sends its head at once, and so is never the oldest of so many."""

_unasked: Final[dict[BoundedProtocol, asyncio.TimerHandle]] = {}
"""Connections that have not sent a whole head, the oldest first, each with the timer that will close it."""


class BoundedProtocol(H11Protocol):
    """A connection that is closed where the head of a request does not come in time."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget()

    def _watch(self) -> None:
        # the client is idle for h11 until its head is whole; bytes of a head do not start the time anew
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._forget()
        elif self not in _unasked:
            _unasked[self] = self.loop.call_later(HEAD_SECONDS, self.transport.abort)
            if len(_unasked) > MAX_UNASKED:
                oldest = next(iter(_unasked))
                oldest._forget()
                # the connection of another server in this process has another loop
                oldest.loop.call_soon_threadsafe(oldest.transport.abort)

    def _forget(self) -> None:
        timer = _unasked.pop(self, None)
        if timer is not None:
            timer.cancel()
