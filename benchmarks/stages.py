"""Cost of each stage: every function of this package that `pipeline.py` and `page/` call, timed from outside.

The stages are found by looking, so that this measures whatever the pipeline calls. A column that is computed on demand
counts for the stage that first asks for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from types import FunctionType, ModuleType
from typing import Any

import checkout  # noqa: F401  webclean of this clone

import webclean
from webclean import pipeline as pipeline_module
from webclean.page import CleanPage, analysis, clean_page

ASKED_FOR = ("text", "fields", "blocks")
"""Parts of a result that are asked for, in this order."""

Clock = dict[str, float]


@contextmanager
def time_calls(modules: Sequence[ModuleType]) -> Iterator[Clock]:
    """While inside, the exclusive seconds of each function of this package that the modules call, by name."""
    clock: Clock = {}
    stack: list[float] = []
    originals: list[tuple[dict[str, Any], Any, Any]] = []

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            stack.append(0.0)
            start = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                spent = time.process_time() - start
                clock[name] = clock.get(name, 0.0) + spent - stack.pop()
                if stack:
                    stack[-1] += spent

        return timed

    for module in modules:
        for holder in [vars(module), *(value for value in vars(module).values() if type(value) is dict)]:
            for key, value in list(holder.items()):
                if type(value) is FunctionType and value.__module__.startswith("webclean."):
                    if value.__module__ == module.__name__:
                        continue
                    originals.append((holder, key, value))
                    holder[key] = wrap(value.__name__, value)
    try:
        yield clock
    finally:
        for holder, key, value in originals:
            holder[key] = value


def measure_stages(cleaner: webclean.Cleaner, pages: Sequence[tuple[bytes, str]], rounds: int = 3) -> dict[str, float]:
    """Mean seconds a page of each stage, the median over the rounds, in the order in which stages first run."""
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        with time_calls([pipeline_module, analysis, clean_page]) as clock:
            for html, url in pages:
                _ask(cleaner.clean(html, url=url or None))
        for name, spent in clock.items():
            found.setdefault(name, []).append(spent / len(pages))
    return {name: median(times) for name, times in found.items()}


def _ask(result: CleanPage) -> None:
    for part in ASKED_FOR:
        getattr(result, part)
