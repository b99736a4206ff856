"""What the system says of processes: their memory, their processor time; and how far they stand back."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Final

MB: Final = 1 << 20
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096


def count_cpus() -> int:
    """CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def measure_memory(process: int | str = "self") -> int:
    """Bytes of memory that a process holds; 0 if it has ended, and where the system does not say."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * _PAGE_BYTES
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
