"""The gate of cost: cleaning the fixtures must not cost more bare parses than pinned.

usage: python benchmarks/cost.py [--processes N] [--rounds N] [--repin]

All pages of `fixtures/`, without scripts, style sheets and comments, are parsed and cleaned in turns. The quickest
round counts for each page and task: on a busy machine the caches of the processor are shared, which slows cleaning more
than parsing and would move a mean or a median. Of several processes the middle one counts: where memory lies and how
hashes fall differ from one to the next, which moves a figure by up to 5 %. --repin writes the figures of this run. The
fixtures are small pages, on which constant costs weigh most: figures of `speed.py` on a corpus are lower.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import yaml
from harness import make_parser
from page_folders import FIXTURES
from speed import clean_blocks, parse_bare, read_htmls, strip_markup, time_once
from systems import make_webclean

import webclean

PINNED = Path(__file__).with_name("cost.yaml")
SLACK = 1.15
"""How much over the pinned figure a cost may be."""
ALL = 1000
Task = Callable[[bytes, str], object]


def measure_costs(rounds: int) -> dict[str, float]:
    """Task -> its cost in bare parses: the sum over the pages of the quickest of all rounds."""
    pages = [(strip_markup(html), url) for html, url in read_htmls(FIXTURES, ALL)]
    cleaner = webclean.Cleaner()
    tasks: dict[str, Task] = {
        "text": make_webclean(cleaner, fields=False),
        "fields": make_webclean(cleaner),
        "blocks": partial(clean_blocks, cleaner),
    }
    tasks["bare"] = parse_bare
    best = {name: [float("inf")] * len(pages) for name in tasks}
    for _ in range(rounds):
        for at, (html, url) in enumerate(pages):
            for name, task in tasks.items():
                best[name][at] = min(best[name][at], time_once(task, html, url))
    bare = sum(best.pop("bare"))
    return {name: sum(seconds) / bare for name, seconds in best.items()}


def measure_in_processes(rounds: int, processes: int) -> dict[str, float]:
    """The middle one of the costs that so many processes measure, one after the other."""
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        found = list(pool.map(measure_costs, [rounds] * processes))
    return {name: median(costs[name] for costs in found) for name in found[0]}


def find_faults(costs: dict[str, float], pinned: dict[str, float]) -> list[str]:
    """A line for each cost that is too high."""
    return [
        f"FAULT {name} costs {costs[name]:.1f} bare parses, over {SLACK} x {most}"
        for name, most in pinned.items()
        if costs[name] > SLACK * most
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=15, help="of each process")
    parser.add_argument("--repin", action="store_true", help="write the figures of this run")
    options = parser.parse_args(arguments)
    costs = measure_in_processes(options.rounds, options.processes)
    print("in bare parses:", ", ".join(f"{name} {cost:.1f}" for name, cost in costs.items()))
    if options.repin:
        PINNED.write_text(yaml.safe_dump({name: round(cost, 1) for name, cost in costs.items()}), encoding="utf-8")
    faults = find_faults(costs, yaml.safe_load(PINNED.read_text(encoding="utf-8")))
    print(*faults, sep="\n")
    return bool(faults)


if __name__ == "__main__":
    raise SystemExit(main())
