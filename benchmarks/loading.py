"""What loading rules costs, each time in a fresh process: importing webclean and cleaning are not counted.

usage: python benchmarks/loading.py [RULES...] [--rounds N] [--max-ms X]

RULES are files and folders laid over the shipped rules. Wall and processor time of `load_rules`, medians of the rounds,
and what of it is reading YAML and what is checking. Exit code 1 when the median of the processor time is over --max-ms.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from statistics import median

import checkout  # noqa: F401  webclean of this clone

_ROUND = """
import json, sys, time, webclean
from webclean.rules import LayerKey, open_rules
wall, own = time.perf_counter(), time.process_time()
book = open_rules(sys.argv[1:])
book.layers(LayerKey())
read = time.process_time()
book.for_page()
print(json.dumps([time.perf_counter() - wall, time.process_time() - own, read - own, time.process_time() - read]))
"""
_NAMES = ("wall", "processor", "reading YAML", "checking and freezing")


def measure_loading(paths: list[str], rounds: int) -> dict[str, float]:
    """Median milliseconds of each part, over fresh processes."""
    command = [sys.executable, "-P", "-c", _ROUND, *paths]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(rounds)]
    return {name: 1000 * median(values) for name, values in zip(_NAMES, zip(*runs, strict=True), strict=True)}


def main() -> int:
    """Print the parts."""
    parser = argparse.ArgumentParser(description="Milliseconds that loading rules takes in a fresh process.")
    parser.add_argument("rules", nargs="*", metavar="RULES", help="files and folders over the shipped rules")
    parser.add_argument("--rounds", type=int, default=15, help="fresh processes (default: 15)")
    parser.add_argument("--max-ms", type=float, metavar="X", help="exit with 1 over this processor time")
    args = parser.parse_args()
    found = measure_loading(args.rules, args.rounds)
    print("\n".join(f"{name:22} {value:6.1f} ms" for name, value in found.items()))
    return int(args.max_ms is not None and found["processor"] > args.max_ms)


if __name__ == "__main__":
    sys.exit(main())
