"""Values through a pipe between the pool and a worker; large buffers in them are not copied."""

from __future__ import annotations

import pickle
from multiprocessing.connection import Connection
from typing import Any, Final

from webclean.workers.outcomes import FailureKind, fail

GONE: Final = object()
"""In place of what a worker says: it has died."""
_LARGE: Final = 1 << 14
"""Bytes of a buffer that is sent apart from the value it is in."""


def send_value(pipe: Connection, value: Any) -> None:
    """Send a value; large buffers in it, as of an Arrow table, go as they are, without a copy (PEP 574)."""
    buffers: list[pickle.PickleBuffer] = []

    def keep_inside(buffer: pickle.PickleBuffer) -> bool:
        if buffer.raw().nbytes < _LARGE:
            return True
        buffers.append(buffer)
        return False

    head = pickle.dumps(value, protocol=5, buffer_callback=keep_inside)
    pipe.send_bytes(len(buffers).to_bytes(4, "little") + head)
    for buffer in buffers:
        pipe.send_bytes(buffer.raw())


def read_told(pipe: Connection) -> Any:
    """What a worker said: None when it is ready, an `Outcome`, ...; `GONE` if it has died."""
    try:
        return receive_value(pipe)
    except (EOFError, OSError):
        return GONE
    except Exception as error:
        return fail(FailureKind.RAISED, f"the result cannot be read: {error}", error)


def receive_value(pipe: Connection) -> Any:
    """What `send_value` sent at the other end. Raises `EOFError`, `OSError`, and what unpickling raises."""
    head = memoryview(pipe.recv_bytes())
    buffers = [pipe.recv_bytes() for _ in range(int.from_bytes(head[:4], "little"))]
    return pickle.loads(head[4:], buffers=buffers)
