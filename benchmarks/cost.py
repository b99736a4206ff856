"""The gate of cost: cleaning the fixtures must not cost more bare parses than pinned.

usage: python benchmarks/cost.py [--rounds N] [--repin]

All pages of `fixtures/`, without scripts, style sheets and comments, are parsed and cleaned in turns. Each round gives
one ratio of processor times, and the median of the rounds counts, so that neither a busy machine nor a slow one
matters. The figures of `cost.yaml` hold for compiled kernels; without them nothing is compared. --repin writes the
figures of this run.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import checkout  # noqa: F401  webclean of this clone
import yaml
from page_folders import FIXTURES
from speed import clean_blocks, parse_bare, read_htmls, strip_markup, time_once
from systems import make_webclean

import webclean
from webclean.kernels import IS_COMPILED

PINNED = Path(__file__).with_name("cost.yaml")
SLACK = 1.15
"""How much over the pinned figure a cost may be."""
ALL = 1000
Task = Callable[[bytes, str], object]


def measure_costs(rounds: int) -> dict[str, float]:
    """Task -> its cost in bare parses, the median of the rounds."""
    pages = [(strip_markup(html), url) for html, url in read_htmls(FIXTURES, ALL)]
    cleaner = webclean.Cleaner()
    tasks: dict[str, Task] = {
        "text": make_webclean(cleaner, fields=False),
        "fields": make_webclean(cleaner),
        "blocks": partial(clean_blocks, cleaner),
    }
    ratios: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        bare, spent = 0.0, dict.fromkeys(tasks, 0.0)
        for html, url in pages:
            bare += time_once(parse_bare, html, url)
            for name, task in tasks.items():
                spent[name] += time_once(task, html, url)
        if number:  # the first round fills the caches
            for name in tasks:
                ratios[name].append(spent[name] / bare)
    return {name: median(found) for name, found in ratios.items()}


def find_faults(costs: dict[str, float], pinned: dict[str, float]) -> list[str]:
    """A line for each cost that is too high."""
    return [
        f"FAULT {name} costs {costs[name]:.1f} bare parses, over {SLACK} x {most}"
        for name, most in pinned.items()
        if costs[name] > SLACK * most
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--repin", action="store_true", help="write the figures of this run")
    options = parser.parse_args(arguments)
    costs = measure_costs(options.rounds)
    print("in bare parses:", ", ".join(f"{name} {cost:.1f}" for name, cost in costs.items()))
    if options.repin:
        PINNED.write_text(yaml.safe_dump({name: round(cost, 1) for name, cost in costs.items()}), encoding="utf-8")
    if not IS_COMPILED:
        print("the kernels are not compiled: nothing to compare")
        return 0
    faults = find_faults(costs, yaml.safe_load(PINNED.read_text(encoding="utf-8")))
    print(*faults, sep="\n")
    return bool(faults)


if __name__ == "__main__":
    raise SystemExit(main())
