"""What an input may take in a worker and what comes of it, what the system says of processes, what runs in a worker
process, and the pipe between it and the pool.

A worker loads the function once, then answers each input with its outcome. Large buffers in values are not copied.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Final, Generic, NamedTuple, TypeVar

Result = TypeVar("Result")


class FailureKind(StrEnum):
    """Why an input has no result."""

    RAISED = "raised"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an input has no result. error: the name of the exception's type, '' if there was none."""

    kind: FailureKind
    message: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """What came of one input: a value, or a failure. seconds: time in the worker."""

    value: Result | None
    failure: Failure | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Aside:
    """What becomes of an input that takes long: its worker goes on beside the others, stands back for them, and another
    takes its place.

    after: seconds of processor time (of time, where the system does not tell) that an input has at full speed.
    n_workers: how many may be aside. memory_mb: megabytes that they may hold together over what they had when they
    started; one alone may hold more. niceness: how far they stand back (0 to 19). Aside, the time of an input is that
    of the processor.

    Where there is no room for one more, it begins anew once there is, in turn among owners, and has lost what it had at
    full speed. Where those aside hold too much memory, the one that was served least begins anew once it is alone. So
    neither many long inputs nor one that never ends keep short ones out, and none is given up for another.
    """

    after: float
    n_workers: int = 2
    memory_mb: int = 1_024
    niceness: int = 10


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """What one input may take. memory_mb: megabytes of address space over what a worker has when it starts; None: all
    there is. It holds where the system has `RLIMIT_AS` (Linux). kept_mb: megabytes that a worker may keep after an
    input over what it had when it started; one that keeps more is replaced, for what was freed in pieces does not go
    back to the system; None: any. aside: what becomes of inputs that take long; None: they hold their worker."""

    seconds: float = 60.0
    memory_mb: int | None = 2_048
    kept_mb: int | None = None
    aside: Aside | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What a function yields on the way: the time of its input begins anew, and who submitted it is told the value."""

    value: Any


class PoolError(RuntimeError):
    """The pool cannot work: its function cannot be loaded in a worker, or it was closed."""


def fail(kind: FailureKind, message: str, error: BaseException | None = None) -> Outcome[Any]:
    """The outcome of an input that was not worked on to its end."""
    return Outcome(None, Failure(kind, message, type(error).__name__ if error else ""), 0.0)


MB: Final = 1 << 20
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096


def count_cpus() -> int:
    """CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def measure_memory(process: int | str = "self", *, reserved: bool = False) -> int:
    """Bytes of memory that a process holds, or of address space that it has reserved (proc_pid_statm(5)); 0 if it has
    ended, and where the system does not say."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0 if reserved else 1]) * _PAGE_BYTES
    except (OSError, IndexError):
        return 0


def measure_cpu(process: int) -> float:
    """Seconds of processor time of a process; seconds of time, where the system does not say (proc_pid_stat(5))."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return time.monotonic()


def lower_priority(process: int, niceness: int) -> None:
    """Let a process stand back further, where the system can."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it has ended, or has stood back further
            os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, process) + niceness)


GONE: Final = object()
"""In place of a message of a worker: it has died."""
_LARGE: Final = 1 << 14
"""Bytes of a buffer that is sent apart from the value it is in."""
_NEW_OBJECTS: Final = 10_000
"""Containers that are left over from which on the garbage collector looks for cycles among them: some ten times a page
at Python's 700, which is 2 to 3 % of what a page costs, and once or twice so."""
PATIENCE: Final = 20
"""Times of its time that an input may take aside, where the others leave it little of the processor."""
_GRACE: Final = 5.0
"""Seconds over the time of an input after which a worker ends itself, for its parent must be gone."""


class Reply(NamedTuple):
    """The message of a worker that is done with an input. is_worn: the worker is to be replaced."""

    outcome: Outcome[Any]
    is_worn: bool = False


def work(pipe: Connection, function: bytes, limits: WorkLimits, preload: tuple[str, ...]) -> None:
    """What a worker process does: say that it is ready (None), then send a `Reply` to each input, and where the
    function is a generator with a `Step` for each value before it; its outcome is what it returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C too, and ends the workers
    try:
        for name in preload:
            import_module(name)
        run = pickle.loads(function)
        # loaded modules stay, so the garbage collector need not search them for cycles
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
                send_value(pipe, Reply(outcome, is_worn))
            except (EOFError, OSError):
                return
            except MemoryError as error:
                send_value(pipe, Reply(fail(FailureKind.MEMORY, "the result is too large", error)))
            except Exception as error:
                send_value(pipe, Reply(fail(FailureKind.RAISED, f"the result cannot be sent: {error}", error)))


def _try(run: Callable[[Any], Any], item: Any, limits: WorkLimits, pipe: Connection) -> Outcome[Any]:
    started = time.perf_counter()
    value, failure = None, None
    _end_self_after(_bound_time(limits))
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
        _end_self_after(_bound_time(limits))


def _bound_time(limits: WorkLimits) -> float:
    return limits.seconds * (PATIENCE if limits.aside else 1) + _GRACE


def _end_self_after(seconds: float) -> None:
    """Let the system end this process after a time, 0: never. Without a handler that holds in a loop in C too."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory(memory_mb: int | None) -> None:
    if memory_mb is None or sys.platform != "linux":
        return
    import resource  # noqa: PLC0415  not on Windows

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = measure_memory(reserved=True) + memory_mb * MB
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


def receive_message(pipe: Connection) -> Any:
    """A message of a worker: None (it is ready), a `Step`, a `Reply`, a text (it cannot work) or `GONE` (it died)."""
    try:
        return receive_value(pipe)
    except (EOFError, OSError):
        return GONE
    except Exception as error:
        return Reply(fail(FailureKind.RAISED, f"the result cannot be read: {error}", error))


def receive_value(pipe: Connection) -> Any:
    """What `send_value` sent at the other end. Raises `EOFError`, `OSError`, and what unpickling raises."""
    head = memoryview(pipe.recv_bytes())
    buffers = [pipe.recv_bytes() for _ in range(int.from_bytes(head[:4], "little"))]
    return pickle.loads(head[4:], buffers=buffers)
