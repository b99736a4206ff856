"""What runs in a worker process, and the pipe between it and the pool.

A worker loads the function once, then answers each input with its outcome. Large buffers in values are not copied.
"""

from __future__ import annotations

import contextlib
import gc
import pickle
import signal
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Final

from webclean.workers.measures import MB, measure_memory
from webclean.workers.outcomes import Failure, FailureKind, Outcome, Step, WorkLimits, fail

GONE: Final = object()
"""In place of what a worker says: it has died."""
_LARGE: Final = 1 << 14
"""Bytes of a buffer that is sent apart from the value it is in."""
_NEW_OBJECTS: Final = 10_000
"""Containers that are left over from which on the garbage collector looks for cycles among them: some ten times a page
at Python's 700, which is 2 to 3 % of what a page costs, and once or twice so."""
_GRACE: Final = 5.0
"""Seconds over the time of an input after which a worker ends itself, for its parent must be gone."""


@dataclass(frozen=True, slots=True)
class LastOutcome:
    """What a worker says that is to be replaced."""

    outcome: Outcome[Any]


def work(pipe: Connection, function: bytes, limits: WorkLimits, preload: tuple[str, ...]) -> None:
    """What a worker process does: say that it is ready (None), then answer each input with an `Outcome`, and where the
    function is a generator with a `Step` for each value before it; its outcome is what it returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C too, and ends the workers
    try:
        for name in preload:
            import_module(name)
        run = pickle.loads(function)
        # what was loaded stays, so nobody need look for cycles in it
        gc.freeze()
        gc.set_threshold(_NEW_OBJECTS)
        _limit_memory(limits.memory_mb)
    except Exception as error:
        send_value(pipe, f"the function cannot be loaded in a worker: {type(error).__name__}: {error}")
        return
    send_value(pipe, None)
    n_first = measure_memory()
    with contextlib.suppress(EOFError, OSError):
        while True:
            outcome = _try(run, receive_value(pipe), limits, pipe)
            is_worn = limits.kept_mb is not None and measure_memory() > n_first + limits.kept_mb * MB
            try:
                send_value(pipe, LastOutcome(outcome) if is_worn else outcome)
            except (EOFError, OSError):
                return
            except MemoryError as error:
                send_value(pipe, fail(FailureKind.MEMORY, "the result is too large", error))
            except Exception as error:
                send_value(pipe, fail(FailureKind.RAISED, f"the result cannot be sent: {error}", error))


def _try(run: Callable[[Any], Any], item: Any, limits: WorkLimits, pipe: Connection) -> Outcome[Any]:
    started = time.perf_counter()
    value, failure = None, None
    _end_self_after(limits.seconds + _GRACE)
    try:
        value = run(item)
        if isinstance(value, Generator):
            value = _walk(value, limits, pipe)
    except MemoryError:
        failure = Failure(FailureKind.MEMORY, f"needs more than {limits.memory_mb} MB", "MemoryError")
    except Exception as error:
        failure = Failure(FailureKind.RAISED, str(error), type(error).__name__)
    finally:
        _end_self_after(0)
    return Outcome(value, failure, time.perf_counter() - started)


def _walk(steps: Generator[Any, None, Any], limits: WorkLimits, pipe: Connection) -> Any:
    """Send what a generator yields, each within the time of an input, and give what it returns."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return end.value
        send_value(pipe, Step(step))
        _end_self_after(limits.seconds + _GRACE)


def _end_self_after(seconds: float) -> None:
    """Let the system end this process after a time, 0: never. Without a handler that holds in a loop in C too."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory(memory_mb: int | None) -> None:
    if memory_mb is None or sys.platform != "linux":
        return
    import resource  # noqa: PLC0415  not on Windows

    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        used = int(file.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + memory_mb * MB
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


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
