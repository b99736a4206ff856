"""The pool: a thread that hands inputs to worker processes, watches their time and replaces those that are gone."""

from __future__ import annotations

import contextlib
import heapq
import itertools
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, TypeVar

from webclean.workers.process import (
    GONE,
    MB,
    PATIENCE,
    Aside,
    FailureKind,
    Outcome,
    PoolError,
    Reply,
    Step,
    WorkLimits,
    count_cpus,
    fail,
    lower_priority,
    measure_cpu,
    measure_memory,
    receive_message,
    send_value,
    work,
)

Item = TypeVar("Item")
Result = TypeVar("Result")

_JOIN: Final = 5.0
"""Seconds in which a worker that was told to end does so."""
_MAX_FAILED_STARTS: Final = 3
"""Workers in a row that die before they are ready, after which the pool gives up: the function cannot be loaded."""
_TICK: Final = 0.02
"""Seconds between two looks at how long an input has been served, at least."""
_LOOK: Final = 0.2
"""Seconds between two looks at the memory of workers that are aside."""
_ALONE: Final = 2
"""What an input waits for that took more memory aside than there is for it and others."""
_NEVER: Final = float("inf")
_ENVIRONMENT: Final = threading.Lock()


@dataclass(slots=True, eq=False)
class _Task(Generic[Item, Result]):
    item: Item
    seconds: float
    order: tuple[float, int]
    owner: str
    listen: Callable[[Any], object] | None = None
    future: Future[Outcome[Result]] = field(default_factory=Future)
    n_kills: int = 0  # times that its worker was killed from outside
    room: int = 0  # what it has to wait for: 0 any worker, 1 room aside, 2 that nobody else is aside

    def __lt__(self, other: _Task[Item, Result]) -> bool:
        return self.order < other.order


@dataclass(slots=True, eq=False)
class _Worker(Generic[Item, Result]):
    process: Any
    pipe: Connection
    is_ready: bool = False
    is_worn: bool = False
    task: _Task[Item, Result] | None = None
    started: float = 0.0
    cpu_before: float = 0.0  # seconds of processor time before its task
    memory_before: int = 0  # bytes
    next_look: float = _NEVER  # when to see how long its task has been served
    is_aside: bool = False
    is_read: bool = False  # by a thread of its own

    def begin(self, task: _Task[Item, Result], aside: Aside | None) -> None:
        self.task, self.started = task, time.monotonic()
        if aside:
            self.cpu_before, self.next_look = measure_cpu(self.process.pid), self.started + aside.after
            self.memory_before = self.memory_before or measure_memory(self.process.pid)

    @property
    def deadline(self) -> float:
        return self.started + self.task.seconds * (PATIENCE if self.is_aside else 1) if self.task else _NEVER

    @property
    def served(self) -> float:
        """Seconds of processor time that its task has had; of time, where the system does not tell."""
        return measure_cpu(self.process.pid) - self.cpu_before


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
        self.n_restarts = 0
        self.n_set_aside = 0
        self._function = pickle.dumps(function)
        self._preload = tuple(preload)
        # workers are forked from a process without threads, where there is one; it has imported what they need
        self._context: Any = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
        if sys.platform == "linux":
            self._context.set_forkserver_preload(["webclean.workers", *self._preload])
        self._queue: queue.SimpleQueue[_Task[Item, Result]] = queue.SimpleQueue()
        self._waiting: list[_Task[Item, Result]] = []  # a heap
        self._waiting_aside: list[_Task[Item, Result]] = []
        self._last_turns: dict[str, float] = {}  # owner -> when the last input of it went aside
        self._numbers = itertools.count()
        self._workers: list[_Worker[Item, Result]] = []
        self._ending: list[Any] = []  # processes
        self._messages: queue.SimpleQueue[tuple[_Worker[Item, Result], Any]] = queue.SimpleQueue()
        self._n_failed_starts = 0
        self._reason = ""
        self._is_closing = threading.Event()
        self._woken, self._wake = multiprocessing.Pipe(duplex=False)
        self._lock = threading.Lock()
        self._supervisor = threading.Thread(target=self._supervise, name="webclean-workers", daemon=True)
        self._supervisor.start()

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
        owner: str = "",
        listen: Callable[[Any], object] | None = None,
    ) -> Future[Outcome[Result]]:
        """Queue one input. The future has an `Outcome`, whatever happens; it raises `PoolError` alone, or was cancelled
        while it waited. order: inputs with less are done first, those with the same in the order in which they came.
        owner: whose input it is, for `Aside`. listen: called in a thread of the pool with each value that the function
        yields, if it is a generator; it has its time for each of them."""
        at = (order, next(self._numbers))
        task: _Task[Item, Result] = _Task(item, seconds or self.limits.seconds, at, owner, listen)
        with self._lock:
            if self._reason:
                raise PoolError(self._reason)
            self._queue.put(task)
            self._wake.send_bytes(b"\0")
        return task.future

    def run(self, item: Item, *, seconds: float | None = None) -> Outcome[Result]:
        """The outcome of one input. Raises `PoolError`."""
        return self.submit(item, seconds=seconds).result()

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
        self._is_closing.set()
        with self._lock, contextlib.suppress(OSError):
            self._wake.send_bytes(b"\0")
        self._supervisor.join()

    def _supervise(self) -> None:
        try:
            while not self._is_closing.is_set() and not self._reason:
                self._fill_up()
                self._hand_out()
                self._listen()
        except Exception as error:
            self._give_up(f"the pool failed: {type(error).__name__}: {error}")
        finally:
            self._stop()

    def _fill_up(self) -> None:
        """Start workers until there are as many as wanted, beside those that are aside."""
        while len(self._workers) - self.n_aside < self.jobs:
            mine, theirs = self._context.Pipe()
            arguments = (theirs, self._function, self.limits, self._preload)
            process = self._context.Process(target=work, args=arguments, name="webclean-worker", daemon=True)
            with leave_working_folder():
                process.start()
            theirs.close()
            self._workers.append(_Worker(process, mine))

    def _hand_out(self) -> None:
        """Send an input to each worker that has none."""
        with contextlib.suppress(queue.Empty):
            while True:
                heapq.heappush(self._waiting, self._queue.get_nowait())
        # nobody waits for what was cancelled
        self._waiting = [task for task in self._waiting if not task.future.cancelled()]
        heapq.heapify(self._waiting)
        for worker in self._workers:
            while worker.is_ready and worker.task is None and (task := self._choose()):
                if not task.future.running() and not task.future.set_running_or_notify_cancel():
                    continue
                worker.begin(task, self.limits.aside)
                if task.room and self.limits.aside:
                    self._set_aside(worker, self.limits.aside)
                try:
                    send_value(worker.pipe, task.item)
                except (BrokenPipeError, ConnectionResetError):  # it died while it had nothing to do
                    worker.task = None
                    self._wait_again(task)
                    break
                except Exception as error:
                    worker.task = None
                    task.future.set_result(fail(FailureKind.RAISED, f"cannot be sent to a worker: {error}", error))

    def _choose(self) -> _Task[Item, Result] | None:
        """The input that is next. One that waits for room aside comes first, for it came before: of those, one of the
        owner with the fewest aside, whose turn was longest ago; none overtakes it, so that each has its turn."""
        if self._waiting_aside and self.limits.aside:
            beside = [worker.task for worker in self._workers if worker.is_aside and worker.task]
            n_of = Counter(task.owner for task in beside)
            task = min(
                self._waiting_aside, key=lambda one: (n_of[one.owner], self._last_turns.get(one.owner, 0.0), one.order)
            )
            is_alone = any(one.room == _ALONE for one in beside)
            if not beside or (task.room < _ALONE and not is_alone and len(beside) < self.limits.aside.n_workers):
                self._waiting_aside.remove(task)
                return task
        return heapq.heappop(self._waiting) if self._waiting else None

    def _wait_again(self, task: _Task[Item, Result], room: int = 0) -> None:
        task.room = max(task.room, room)
        if task.room:
            self._waiting_aside.append(task)
        else:
            heapq.heappush(self._waiting, task)

    def _listen(self) -> None:
        """Wait until a worker has something to say, is over its time or has died, or there is a new input."""
        nearest = min(min(worker.deadline, worker.next_look) if worker.task else _NEVER for worker in self._workers)
        timeout = None if nearest == _NEVER else max(0.0, nearest - time.monotonic())
        pipes = [worker.pipe for worker in self._workers if not worker.is_read]
        ready = set(wait([self._woken, *pipes], timeout))
        if self._woken in ready:
            while self._woken.poll():
                self._woken.recv_bytes()
        while not self._messages.empty():
            worker, message = self._messages.get()
            if worker in self._workers:
                self._take(worker, message)
        for worker in list(self._workers):
            if worker.pipe in ready and worker.is_aside:
                worker.is_read = True
                threading.Thread(target=self._read_aside, args=(worker,), daemon=True).start()
            elif worker.pipe in ready:
                self._take(worker, receive_message(worker.pipe))
            elif time.monotonic() >= worker.deadline or (
                worker.is_aside and worker.task and worker.served >= worker.task.seconds
            ):
                self._end(worker)
                self._n_failed_starts = 0
                if worker.task:
                    message = f"not done after {worker.task.seconds:g} s"
                    worker.task.future.set_result(fail(FailureKind.TIMEOUT, message))
        if self.limits.aside:
            self._look_after(self.limits.aside)

    def _look_after(self, aside: Aside) -> None:
        """Let workers whose task has had its time step aside, and keep those that have within their memory."""
        now = time.monotonic()
        for worker in [worker for worker in self._workers if worker.task and now >= worker.next_look]:
            left = aside.after - worker.served
            if left > 0 and not worker.is_aside:
                worker.next_look = now + max(left, _TICK)
                continue
            worker.next_look = now + _LOOK
            if not worker.is_aside and self.n_aside < aside.n_workers and not self._waiting_aside:
                self._set_aside(worker, aside)
            elif not worker.is_aside:
                self._give_way(worker, 1)
        while len(beside := [worker for worker in self._workers if worker.is_aside and worker.task]) > 1:
            held = (measure_memory(worker.process.pid) - worker.memory_before for worker in beside)
            if sum(held) <= aside.memory_mb * MB:
                return
            self._give_way(min(beside, key=lambda worker: worker.served), _ALONE)

    @property
    def n_aside(self) -> int:
        return sum(worker.is_aside for worker in self._workers)

    def _set_aside(self, worker: _Worker[Item, Result], aside: Aside) -> None:
        worker.is_aside = True
        worker.next_look = time.monotonic() + _LOOK
        self.n_set_aside += 1
        lower_priority(worker.process.pid, aside.niceness)
        if worker.task:
            self._last_turns = {task.owner: self._last_turns.get(task.owner, 0.0) for task in self._waiting_aside}
            self._last_turns[worker.task.owner] = worker.started

    def _give_way(self, worker: _Worker[Item, Result], room: int) -> None:
        """End a worker; its input begins anew once there is room for it."""
        if worker.task:
            self._wait_again(worker.task, room)
        worker.task = None
        worker.process.kill()
        self._end(worker)

    def _read_aside(self, worker: _Worker[Item, Result]) -> None:
        """Read what a worker of low priority says, which takes it long if it says much, and wake the supervisor."""
        self._messages.put((worker, receive_message(worker.pipe)))
        with self._lock, contextlib.suppress(OSError):
            self._wake.send_bytes(b"\0")

    def _take(self, worker: _Worker[Item, Result], message: Any) -> None:
        """Do what follows of a message of a worker. message: `GONE` if it has died."""
        if message is GONE:
            self._bury(worker)
            return
        if isinstance(message, Reply):
            outcome, worker.is_worn = message
            if worker.task:
                worker.task.future.set_result(outcome)
            worker.task = None
            is_out_of_memory = outcome.failure is not None and outcome.failure.kind is FailureKind.MEMORY
            if worker.is_worn or worker.is_aside or is_out_of_memory:  # what is left of its memory may be in pieces
                self._end(worker)
        elif isinstance(message, Step):
            worker.started = time.monotonic()
            if worker.task and worker.task.listen:
                worker.task.listen(message.value)
        elif message is None:
            worker.is_ready, self._n_failed_starts = True, 0
        else:
            self._give_up(str(message))

    def _bury(self, worker: _Worker[Item, Result]) -> None:
        """A worker died: its input is to blame, unless a first kill came from outside, as of a system out of memory."""
        self._end(worker)
        worker.process.join(_JOIN)
        code, task = worker.process.exitcode, worker.task
        if not worker.is_ready:
            self._n_failed_starts += 1
            if self._n_failed_starts >= _MAX_FAILED_STARTS:
                self._give_up(f"workers end before they are ready, {_describe_exit(code)}")
        if task is None:
            return
        if code == -getattr(signal, "SIGKILL", 9) and not task.n_kills:
            task.n_kills += 1
            self._wait_again(task)
        else:
            task.future.set_result(fail(FailureKind.CRASH, f"the worker ended, {_describe_exit(code)}"))

    def _end(self, worker: _Worker[Item, Result]) -> None:
        """End a worker. Nobody waits for one that is aside: one of much memory and low priority takes its time."""
        self.n_restarts += 1
        self._workers.remove(worker)
        if worker.is_aside:
            worker.process.kill()
            if not worker.is_read:  # else who reads it hears the end
                worker.pipe.close()
            self._ending = [*(process for process in self._ending if process.is_alive()), worker.process]
        else:
            _kill(worker)

    def _give_up(self, reason: str) -> None:
        with self._lock:
            self._reason = reason

    def _stop(self) -> None:
        with self._lock:
            self._reason = self._reason or "the pool is closed"
        while not self._queue.empty():
            self._waiting.append(self._queue.get())
        tasks = [*(worker.task for worker in self._workers if worker.task), *self._waiting, *self._waiting_aside]
        for worker in self._workers:
            _kill(worker)
        self._workers.clear()
        for process in self._ending:
            process.join(_JOIN)
        for task in tasks:
            if task.future.running() or task.future.set_running_or_notify_cancel():
                task.future.set_exception(PoolError(self._reason))


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


def _kill(worker: _Worker[Any, Any]) -> None:
    if worker.task or worker.is_worn or not worker.is_ready:
        worker.process.kill()
    if not worker.is_read:
        worker.pipe.close()  # a worker that waits for an input ends at this
    worker.process.join(_JOIN)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()


def _describe_exit(code: int | None) -> str:
    """`by SIGSEGV`, `with exit code 3`."""
    if code is None or code >= 0:
        return f"with exit code {code}"
    try:
        return f"by {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"
