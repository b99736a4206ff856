"""A function and inputs -> outcomes, computed in worker processes that one input cannot take down for the others.

Whatever an input does to the process that works on it (raise, hang in Python or in C, crash, exit, eat memory), the
outcome of that input says so, a new worker takes the place of the old one, and no other input is lost or done twice.

    pool = WorkerPool(function, jobs=2, limits=WorkLimits(seconds=30, memory_mb=1024))
    outcome = pool.submit(item).result()
    for item, outcome in pool.map(items):      # in order, reading ahead no further than the workers need
        ...

A thread for each worker hands it one input at a time, through a pipe of its own, so that what it did when it died is
known. loky 3.7 and `ProcessPoolExecutor` give up the whole pool when one worker dies, and all inputs with it (the first
test of tests/test_workers.py). pebble 5.2 restarts workers, but at times gives up too when those that wait are killed,
needs 1.8 times as long for results of 10 MB, and knows no urgent inputs.
"""

from __future__ import annotations

import contextlib
import gc
import heapq
import itertools
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
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
    """What came of one input: a value, or a failure."""

    value: Result | None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """What one input may take. memory_mb: megabytes of address space over what a worker has when it starts; None: all
    there is. It holds where the system has `RLIMIT_AS` (Linux). kept_mb: megabytes that a worker may keep after an
    input over what it had when it started; one that keeps more is replaced, for what was freed in pieces does not go
    back to the system; None: any. cpu_seconds: processor time, where the system has timers of it; 0: any. niceness:
    how far workers stand back for other processes."""

    seconds: float = 60.0
    memory_mb: int | None = 2_048
    kept_mb: int | None = None
    cpu_seconds: float = 0.0
    niceness: int = 0


class PoolError(RuntimeError):
    """The pool cannot work: its function cannot be loaded in a worker, or it was closed."""


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


_JOIN: Final = 5.0
"""Seconds in which a worker whose pipe has ended does so too."""
_MAX_FAILED_STARTS: Final = 3
"""Workers in a row that die before they are ready, after which the pool gives up: the function cannot be loaded."""
_ENVIRONMENT: Final = threading.Lock()


@dataclass(slots=True, eq=False)
class _Task(Generic[Item, Result]):
    item: Item
    seconds: float
    order: tuple[float, int]
    listen: Callable[[Any], object] | None = None
    future: Future[Outcome[Result]] = field(default_factory=Future)
    n_kills: int = 0  # times that its worker was killed from outside

    def __lt__(self, other: _Task[Item, Result]) -> bool:
        return self.order < other.order


class _Worker(NamedTuple):
    process: Any
    pipe: Connection


class WorkerPool(Generic[Item, Result]):
    """Runs a function on inputs in `jobs` worker processes (default: one for each CPU). Threads may share a pool.

    function: sent to each worker once, when it starts, so that it may hold what takes long to make; it, the inputs and
    the results must pickle. preload: modules that a worker imports before it is ready; where the system can fork, that
    is once for all workers.
    """

    def __init__(
        self,
        function: Callable[[Item], Result],
        *,
        jobs: int | None = None,
        limits: WorkLimits | None = None,
        preload: Iterable[str] = (),
    ) -> None:
        self.jobs = jobs or count_cpus()
        self.limits = limits or WorkLimits()
        self._function = pickle.dumps(function)
        self._preload = tuple(preload)
        # workers are forked from a process without threads, where there is one; it has imported what they need
        self._context: Any = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
        if sys.platform == "linux":
            self._context.set_forkserver_preload(["webclean.workers", *self._preload])
        self._changed = threading.Condition()  # held where the four below are read or changed
        self._waiting: list[_Task[Item, Result]] = []  # a heap
        self._numbers = itertools.count()
        self._workers: set[_Worker] = set()
        self._reason = ""  # why the pool no longer works
        self._threads = [
            threading.Thread(target=self._serve, name="webclean-worker", daemon=True) for _ in range(self.jobs)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> WorkerPool[Item, Result]:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def submit(
        self,
        item: Item,
        *,
        seconds: float | None = None,
        order: float = 0.0,
        listen: Callable[[Any], object] | None = None,
    ) -> Future[Outcome[Result]]:
        """Queue one input. The future has an `Outcome`, whatever happens; it raises `PoolError` alone, or was cancelled
        while it waited. order: inputs with less are done first, those with the same in the order in which they came.
        listen: called in a thread of the pool with each value that the function yields, if it is a generator; it has
        its time for each of them."""
        task: _Task[Item, Result] = _Task(item, seconds or self.limits.seconds, (order, next(self._numbers)), listen)
        if not self._queue(task):
            raise PoolError(self._reason)
        return task.future

    def map(self, items: Iterable[Item], *, n_held: int = 32) -> Iterator[tuple[Item, Outcome[Result]]]:
        """Each input with its outcome, in the order of the inputs.

        Inputs are read when a worker will soon need one: two for each are waiting or under way. n_held: outcomes for
        each worker that may wait for an earlier one. Raises `PoolError`.
        """
        done: queue.SimpleQueue[Future[Outcome[Result]]] = queue.SimpleQueue()
        held: deque[tuple[Item, Future[Outcome[Result]]]] = deque()
        source, n_busy = iter(items), 0
        while True:
            for item in itertools.islice(source, max(0, min(2 * self.jobs - n_busy, n_held * self.jobs - len(held)))):
                held.append((item, self.submit(item)))
                held[-1][1].add_done_callback(done.put)
                n_busy += 1
            if not held:
                return
            done.get()
            n_busy -= 1
            while held and held[0][1].done():
                item, future = held.popleft()
                yield item, future.result()

    def close(self) -> None:
        """End the workers; inputs that are under way or wait are dropped, and their futures raise `PoolError`."""
        self._give_up("the pool is closed")
        for thread in self._threads:
            thread.join()

    def _queue(self, task: _Task[Item, Result]) -> bool:
        """Let an input wait for a worker; False where the pool no longer works."""
        with self._changed:
            if self._reason:
                return False
            # nobody waits for what was cancelled, and it may be large
            self._waiting = [one for one in self._waiting if not one.future.cancelled()]
            heapq.heapify(self._waiting)
            heapq.heappush(self._waiting, task)
            self._changed.notify()
            return True

    def _give_up(self, reason: str) -> None:
        with self._changed:
            self._reason = self._reason or reason
            waiting, self._waiting = self._waiting, []
            for worker in self._workers:
                worker.process.kill()
            self._changed.notify_all()
        for task in waiting:
            if task.future.running() or task.future.set_running_or_notify_cancel():
                task.future.set_exception(PoolError(self._reason))

    def _serve(self) -> None:
        """What a thread does until the pool is closed: hand inputs to a worker, and start another when it is gone."""
        task = None
        try:
            while worker := self._start():
                while (task := self._take()) and self._work(worker, task):
                    pass
                self._end(worker)
        except Exception as error:
            self._give_up(f"the pool failed: {type(error).__name__}: {error}")
            if task and not task.future.done():
                task.future.set_exception(PoolError(self._reason))

    def _start(self) -> _Worker | None:
        """A worker that is ready; None where the pool no longer works."""
        code = None
        for _ in range(_MAX_FAILED_STARTS):
            mine, theirs = self._context.Pipe()
            arguments = (theirs, self._function, self.limits, self._preload)
            process = self._context.Process(target=work, args=arguments, name="webclean-worker", daemon=True)
            with leave_working_folder():
                process.start()
            theirs.close()
            worker = _Worker(process, mine)
            with self._changed:
                self._workers.add(worker)
                is_closed = bool(self._reason)
            message = GONE if is_closed else receive_message(mine)
            if message is None:
                return worker
            self._end(worker)
            code = process.exitcode
            if message is not GONE:
                self._give_up(str(message))
            if self._reason:
                return None
        self._give_up(f"workers end before they are ready, {_describe_exit(code)}")
        return None

    def _take(self) -> _Task[Item, Result] | None:
        """The next input; None where the pool no longer works."""
        with self._changed:
            while not self._reason:
                while self._waiting:
                    task = heapq.heappop(self._waiting)
                    if task.future.running() or task.future.set_running_or_notify_cancel():
                        return task
                self._changed.wait()
        return None

    def _work(self, worker: _Worker, task: _Task[Item, Result]) -> bool:
        """Hand an input to a worker and hear what comes of it. Whether the worker can take another."""
        try:
            worker.pipe.send(task.item)
        except (BrokenPipeError, ConnectionResetError):  # it died while it had nothing to do
            self._wait_again(task)
            return False
        except Exception as error:
            task.future.set_result(fail(FailureKind.RAISED, f"cannot be sent to a worker: {error}", error))
            return True
        while wait([worker.pipe], task.seconds):
            message = receive_message(worker.pipe)
            if message is GONE:
                self._bury(worker, task)
                return False
            if isinstance(message, Reply):
                task.future.set_result(message.outcome)
                return not message.is_worn
            if task.listen:
                task.listen(message.value)
        task.future.set_result(fail(FailureKind.TIMEOUT, f"not done after {task.seconds:g} s"))
        return False

    def _bury(self, worker: _Worker, task: _Task[Item, Result]) -> None:
        """A worker died: its input is to blame, unless a first kill came from outside, as of a system out of memory."""
        worker.process.join(_JOIN)
        code = worker.process.exitcode
        if self._reason or (code == -getattr(signal, "SIGKILL", 9) and not task.n_kills):
            task.n_kills += 1
            self._wait_again(task)
        elif code == -getattr(signal, "SIGPROF", 27):
            message = f"not done after {self.limits.cpu_seconds:g} s of processor time"
            task.future.set_result(fail(FailureKind.TIMEOUT, message))
        else:
            task.future.set_result(fail(FailureKind.CRASH, f"the worker ended, {_describe_exit(code)}"))

    def _wait_again(self, task: _Task[Item, Result]) -> None:
        if not self._queue(task):
            task.future.set_exception(PoolError(self._reason))

    def _end(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        with self._changed:
            self._workers.discard(worker)


@contextlib.contextmanager
def leave_working_folder() -> Iterator[None]:
    """Processes that are started inside have no working folder on their path (`PYTHONSAFEPATH`): Python starts the
    server of forks, its tracker and each spawned process by `-c`, which would import a `token.py` that lies there."""
    with _ENVIRONMENT:
        before = os.environ.get("PYTHONSAFEPATH")
        os.environ["PYTHONSAFEPATH"] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ["PYTHONSAFEPATH"]
            else:
                os.environ["PYTHONSAFEPATH"] = before


def _describe_exit(code: int | None) -> str:
    """`by SIGSEGV`, `with exit code 3`."""
    names = {-one: one.name for one in signal.Signals}
    return f"with exit code {code}" if code is None or code >= 0 else f"by {names.get(code, f'signal {-code}')}"


GONE: Final = object()
"""In place of a message of a worker: it has died."""
_NEW_OBJECTS: Final = 10_000
"""Containers that are left over from which on the garbage collector looks for cycles among them: some ten times a page
at Python's 700, which is 2 to 3 % of what a page costs, and once or twice so."""
_GRACE: Final = 5.0
"""Seconds over the time of an input after which a worker ends itself, for its parent must be gone."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a function yields on the way: the time of its input begins anew, and who submitted it is told the value."""

    value: Any


class Reply(NamedTuple):
    """The message of a worker that is done with an input. is_worn: the worker is to be replaced."""

    outcome: Outcome[Any]
    is_worn: bool = False


def fail(kind: FailureKind, message: str, error: BaseException | None = None) -> Outcome[Any]:
    """The outcome of an input that was not worked on to its end."""
    return Outcome(None, Failure(kind, message, type(error).__name__ if error else ""))


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
        if limits.niceness and hasattr(os, "nice"):
            os.nice(limits.niceness)
    except Exception as error:
        pipe.send(f"the function cannot be loaded in a worker: {type(error).__name__}: {error}")
        return
    pipe.send(None)
    n_first = measure_memory()
    with contextlib.suppress(EOFError, OSError):
        while True:
            outcome = _try(run, pipe.recv(), limits, pipe)
            # what is left of the memory of a worker that ran out of it may be in pieces
            is_worn = outcome.failure is not None and outcome.failure.kind is FailureKind.MEMORY
            is_worn |= limits.kept_mb is not None and measure_memory() > n_first + limits.kept_mb * MB
            try:
                pipe.send(Reply(outcome, is_worn))
            except (EOFError, OSError):
                return
            except MemoryError as error:
                pipe.send(Reply(fail(FailureKind.MEMORY, "the result is too large", error), is_worn=True))
            except Exception as error:
                pipe.send(Reply(fail(FailureKind.RAISED, f"the result cannot be sent: {error}", error)))


def _try(run: Callable[[Any], Any], item: Any, limits: WorkLimits, pipe: Connection) -> Outcome[Any]:
    _end_self_after(limits.seconds + _GRACE, limits.cpu_seconds)
    try:
        value = run(item)
        if isinstance(value, Generator):
            steps, is_done = value, False
            while not is_done:
                try:
                    pipe.send(Step(next(steps)))
                    _end_self_after(limits.seconds + _GRACE, limits.cpu_seconds)
                except StopIteration as end:
                    value, is_done = end.value, True
        return Outcome(value)
    except MemoryError as error:
        return fail(FailureKind.MEMORY, f"needs more than {limits.memory_mb} MB", error)
    except Exception as error:
        return fail(FailureKind.RAISED, str(error), error)
    finally:
        _end_self_after(0)


def _end_self_after(seconds: float, cpu_seconds: float = 0) -> None:
    """Let the system end this process after a time, or after so much processor time; 0: never. Without a handler that
    holds in a loop in C too."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)


def _limit_memory(memory_mb: int | None) -> None:
    if memory_mb is None or sys.platform != "linux":
        return
    import resource  # noqa: PLC0415  not on Windows

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = measure_memory(reserved=True) + memory_mb * MB
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def receive_message(pipe: Connection) -> Any:
    """A message of a worker: None (it is ready), a `Step`, a `Reply`, a text (it cannot work) or `GONE` (it died)."""
    try:
        return pipe.recv()
    except (EOFError, OSError):
        return GONE
    except Exception as error:
        return Reply(fail(FailureKind.RAISED, f"the result cannot be read: {error}", error))
