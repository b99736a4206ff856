"""What a page might do to the process that cleans it. Imports next to nothing: workers import it."""

import os
import signal
import time
from typing import Any


def crash(_: Any) -> bytes:
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""


def leave(_: Any) -> bytes:
    os._exit(3)


def hang(_: Any) -> bytes:
    while True:
        pass


def doze(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def spin(seconds: float) -> float:
    """Take seconds of processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds


def eat(_: Any) -> bytes:
    return b"x" * 3_000_000_000


def fall(_: Any) -> bytes:
    raise RuntimeError("secret of the inside")


def echo(task: Any) -> Any:
    return task
