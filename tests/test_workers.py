"""One input costs no other its result, whatever it does to the process that works on it."""

import ctypes
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

import webclean
from tests import write_file
from webclean.workers import FailureKind, PoolError, WorkerPool, WorkLimits, count_cpus, measure_memory


def work(item: object) -> object:  # noqa: PLR0911, PLR0912
    """Doubles numbers; words do harm."""
    match item:
        case int():
            return 2 * item
        case "raise":
            raise LookupError("no such thing")
        case "segfault":
            ctypes.string_at(0)
        case "exit":
            os._exit(3)
        case "hang":
            while True:
                pass
        case "hang in C":
            return "".join(["a" * 40, "b"]).count("x") + ctypes.CDLL(None).usleep(60_000_000)
        case "eat":
            return len([bytes(10**8) for _ in range(1000)])
        case "eat in pieces":
            return [bytes(50_000) for _ in range(10**6)]
        case "unpicklable":
            return lambda: None
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "doze":
            time.sleep(0.5)
        case "priority":
            return os.getpriority(os.PRIO_PROCESS, 0)
        case "worker":
            return os.getpid()
    return None


HARM = {
    "raise": FailureKind.RAISED,
    "segfault": FailureKind.CRASH,
    "exit": FailureKind.CRASH,
    "hang": FailureKind.TIMEOUT,
    "hang in C": FailureKind.TIMEOUT,
    "eat": FailureKind.MEMORY,
    "unpicklable": FailureKind.RAISED,
    "killed": FailureKind.CRASH,
}


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool[object, object]]:
    with WorkerPool(work, jobs=2, limits=WorkLimits(seconds=2, memory_mb=300)) as made:
        yield made


def test_harm_is_told_and_costs_no_neighbour(pool: WorkerPool[object, object]) -> None:
    items: list[object] = list(range(100))
    for place, word in enumerate(HARM):
        items.insert(7 + 11 * place, word)
    found = list(pool.map(items))
    assert [item for item, _ in found] == items
    for item, outcome in found:
        if isinstance(item, int):
            assert (outcome.value, outcome.failure) == (2 * item, None)
        else:
            assert outcome.failure is not None, item
            assert outcome.failure.kind is HARM[str(item)], outcome


def test_messages_say_what_happened(pool: WorkerPool[object, object]) -> None:
    words = ("raise", "segfault", "exit", "eat", "eat in pieces")
    told = {word: pool.submit(word, seconds=30).result().failure for word in words}
    assert told["raise"] is not None
    assert (told["raise"].error, told["raise"].message) == ("LookupError", "no such thing")
    messages = {word: failure.message for word, failure in told.items() if failure}
    assert "SIGSEGV" in messages["segfault"]
    assert "exit code 3" in messages["exit"]
    assert "300 MB" in messages["eat"]
    assert "300 MB" in messages["eat in pieces"]


def test_the_working_folder_is_on_the_path_of_no_process_of_ours(tmp_path: Path) -> None:
    """What lies in the folder of an unpacked crawl is no module: neither of the command, nor of the server of forks,
    its tracker and the workers."""
    names = ("token", "signal", "random", "secrets", "queue", "socket", "yaml", "numpy", "webclean")
    for name in names:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r} + ' ')\n")
    page = tmp_path / "page.html"
    page.write_text("<h1>Tides</h1><p>The tide rises twice a day in the bay of the town, and falls as often.</p>")
    environment = {**os.environ, "PYTHONPATH": str(Path(webclean.__file__).parents[1])}
    code = "import sys, webclean.cli; sys.exit(webclean.cli.main())"
    for arguments in (["clean", page.name], ["batch", page.name, "-o", "out", "--quiet"]):
        command = [sys.executable, "-P", "-c", code, *arguments]
        assert subprocess.run(command, cwd=tmp_path, env=environment, check=False, timeout=60).returncode == 0
    assert not (tmp_path / "ran").exists()


def test_a_single_input_may_have_a_time_of_its_own(pool: WorkerPool[object, object]) -> None:
    failure = pool.submit("hang", seconds=0.2).result().failure
    assert failure is not None
    assert failure.message == "not done after 0.2 s"


def test_a_function_may_tell_of_its_steps_and_has_its_time_for_each() -> None:
    with WorkerPool(count_slowly, jobs=1, limits=WorkLimits(seconds=1.5)) as pool:
        heard: list[object] = []
        outcome = pool.submit(4, listen=heard.append).result()
        assert (heard, outcome.value) == ([0, 1, 2, 3], "done")
        heard.clear()
        failure = pool.submit(-2, listen=heard.append).result().failure
        assert failure is not None
        assert (heard, failure.kind) == ([0, 1], FailureKind.CRASH)
        assert pool.submit(1).result().value == "done"


def count_slowly(number: int) -> Generator[int, None, str]:
    """Yields so many numbers, half a second for each; a negative number ends the process after them."""
    for step in range(abs(number)):
        time.sleep(0.5)
        yield step
    if number < 0:
        os._exit(3)
    return "done"


def test_inputs_wait_in_their_order_and_cancelled_ones_are_let_go() -> None:
    with WorkerPool(work, jobs=1, limits=WorkLimits(seconds=20)) as pool:
        pool.submit("worker").result()
        first = pool.submit("doze")
        while not first.running():
            time.sleep(0.01)
        done: list[str] = []
        waiting = {}
        for name, order in (("b", 2.0), ("c", 2.0), ("gone", 1.5), ("a", 1.0), ("now", 0.0)):
            waiting[name] = pool.submit(1, order=order)
            waiting[name].add_done_callback(lambda _, name=name: done.append(name))  # type: ignore[misc]
        assert waiting["gone"].cancel()
        assert waiting["c"].result().value == 2
        assert done == ["gone", "now", "a", "b", "c"]


def test_a_worker_is_kept_while_nothing_happens(pool: WorkerPool[object, object]) -> None:
    assert len({pool.submit("worker").result().value for _ in range(20)}) <= 2


def test_workers_that_are_killed_while_they_wait_cost_nothing() -> None:
    with WorkerPool(work, jobs=2, limits=WorkLimits(seconds=20)) as pool:
        for _ in range(5):
            workers = {outcome.value for _, outcome in pool.map(["worker"] * 8)}
            for worker in workers:
                assert isinstance(worker, int)
                ended = os.pidfd_open(worker)
                os.kill(worker, signal.SIGKILL)
                # on a busy machine a killed worker may still take an input
                assert select.select([ended], [], [], 20)[0]
                os.close(ended)
            assert [outcome.value for _, outcome in pool.map(range(20))] == list(range(0, 40, 2))


def test_a_worker_that_keeps_much_memory_is_replaced_after_its_answer() -> None:
    with WorkerPool(keep, jobs=1, limits=WorkLimits(seconds=20, kept_mb=30)) as pool:
        workers = [pool.submit(n_mb).result().value for n_mb in (0, 1, 60, 0, 20, 0)]
        assert len({str(worker) for worker in workers}) == 2
        assert workers[2] == workers[0] != workers[3] == workers[5]


def keep(n_mb: int) -> int:
    """Hold megabytes for good, and tell the process."""
    _kept.append(b"x" * (n_mb << 20))
    return os.getpid()


_kept: list[bytes] = []


@pytest.mark.skipif(sys.platform != "linux", reason="the system has no timers of processor time")
def test_time_of_the_processor_is_bounded_apart() -> None:
    limits = WorkLimits(seconds=20, cpu_seconds=0.2, niceness=3)
    with WorkerPool(work, jobs=1, limits=limits) as pool:
        assert pool.submit("doze").result().failure is None
        failure = pool.submit("hang").result().failure
        assert failure is not None
        assert (failure.kind, failure.message) == (FailureKind.TIMEOUT, "not done after 0.2 s of processor time")
        assert pool.submit("priority").result().value == os.getpriority(os.PRIO_PROCESS, 0) + 3


def test_memory_is_what_a_process_holds() -> None:
    (held,) = (int(kb) << 10 for kb in re.findall(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text()))
    assert measure_memory() == pytest.approx(held, rel=0.05)
    assert measure_memory(os.getpid()) == pytest.approx(held, rel=0.05)
    assert measure_memory(1 << 30) == 0


def test_cpus_are_those_that_the_process_may_use() -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert count_cpus() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert count_cpus() == len(before)


def test_inputs_are_read_only_as_needed(pool: WorkerPool[object, object]) -> None:
    read: list[int] = []

    def count() -> Iterator[object]:
        for number in range(1000):
            read.append(number)
            yield number

    outcomes = pool.map(count())
    for _ in range(10):
        next(outcomes)
    assert len(read) < 10 + 33 * pool.jobs


def test_a_slow_first_input_holds_back_no_more_than_allowed(pool: WorkerPool[object, object]) -> None:
    read: list[int] = []

    def count() -> Iterator[object]:
        yield "hang"
        for number in range(500):
            read.append(number)
            yield number

    item, _ = next(pool.map(count(), n_held=8))
    assert item == "hang"
    assert len(read) < 8 * pool.jobs


def test_closing_drops_what_is_under_way() -> None:
    pool = WorkerPool(work, jobs=1)
    under_way, waiting = pool.submit("hang"), pool.submit(1)
    time.sleep(0.1)
    pool.close()
    for future in (under_way, waiting):
        with pytest.raises(PoolError, match="closed"):
            future.result(timeout=5)
    with pytest.raises(PoolError, match="closed"):
        pool.submit(1)


def test_what_fails_in_the_pool_itself_is_told_to_all_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    with WorkerPool(work, jobs=1) as pool:
        assert pool.submit(1).result().value == 2
        under_way = pool.submit("hang")

        def refuse(*_: object) -> None:
            raise OSError("too many open files")

        monkeypatch.setattr("webclean.workers.wait", refuse)
        waiting = pool.submit(1)
        for future in (under_way, waiting):
            with pytest.raises(PoolError, match="the pool failed: OSError: too many open files"):
                future.result(timeout=20)


class Unloadable:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (int, ("no number",))

    def __call__(self, item: object) -> object:
        return item


def test_a_function_that_cannot_be_loaded_is_told() -> None:
    with WorkerPool(Unloadable(), jobs=1) as pool, pytest.raises(PoolError, match="no number"):
        for _ in range(2):
            pool.submit(1).result()


ORPHAN = """
import sys, time
from tests.test_workers import work
from webclean.workers import WorkerPool, WorkLimits
if __name__ == "__main__":
    pool = WorkerPool(work, jobs=2, limits=WorkLimits(seconds=1))
    print(pool.submit("worker").result().value, flush=True)
    pool.submit("hang"); pool.submit("hang")
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = write_file(tmp_path / "orphan.py", ORPHAN)
    root = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as driver:
        assert driver.stdout is not None
        worker = Path("/proc") / driver.stdout.readline().strip()
        assert worker.exists()
        driver.kill()
    for _ in range(100):
        if not worker.exists():
            break
        time.sleep(0.1)
    assert not worker.exists()
