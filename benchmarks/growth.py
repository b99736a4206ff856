"""How time and memory grow with the size of a page, beside the parser's own.

usage: python benchmarks/growth.py [--largest BYTES] [--picture FILE]

Three shapes of pages are written from 10 kB up, two sizes for each power of ten: paragraphs, nested elements, and a
list of links with classes. Each page is parsed and cleaned in a process of its own. Time is processor time; memory is
the peak of the process over what it had before. An exponent of 1 is linear growth; it is taken over the pages from
100 kB on, for below that constant costs count. --picture draws seconds and MB by size.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import checkout  # noqa: F401  webclean of this clone
import turbohtml
from speed import fit_exponent

import webclean
from webclean.model import Limits

SMALLEST = 10_000
_PARAGRAPH = "<p class='text'>The river rises in the hills and falls, after a long way, into the sea at last. </p>\n"
_NESTED = "<div class='box'><section><h2>A heading</h2><ul><li><b>One</b> and two.</li></ul></section></div>\n"
_LINK = (
    "<li class='teaser item-{0}'><a href='/news/2024/{0}/page.html'>A title of page {0}</a> <span>12 May</span></li>\n"
)
SHAPES: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda n: _PARAGRAPH * (n // len(_PARAGRAPH)),
    "nested": lambda n: ("<div>" * 40 + _NESTED * 40 + "</div>" * 40) * (n // (40 * len(_NESTED)) + 1),
    "links": lambda n: "<ul>" + "".join(_LINK.format(i) for i in range(n // len(_LINK))) + "</ul>",
}
LIMITS = Limits(max_bytes=1 << 40, max_elements=1 << 30, max_attributes=1 << 30, max_seconds=1e6)


def measure_once(shape: str, size: int, task: str) -> tuple[float, float]:
    """Seconds of processor time and MB of memory of one page, in this process."""
    page = f"<!doctype html><title>x</title><body>{SHAPES[shape](size)}".encode()
    cleaner = webclean.Cleaner(limits=LIMITS)
    cleaner.clean(b"<p>A first page fills the caches.")
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    if task == "parse":
        tree = turbohtml.parse(page)
        assert tree is not None
    else:
        assert cleaner.clean(page).text is not None
    spent = time.process_time() - start
    return spent, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def measure_apart(shape: str, size: int, task: str) -> tuple[float, float]:
    """The same in a process of its own."""
    command = [sys.executable, str(Path(__file__)), "--one", shape, str(size), task]
    seconds, memory = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return seconds, memory


def draw_growth(measured: dict[str, list[tuple[int, float, float]]], path: Path) -> None:
    """A picture of seconds and MB by size, a line for each shape. measured: shape -> (bytes, seconds, MB) of each."""
    import matplotlib.pyplot as plt  # noqa: PLC0415  optional: the extra `compare`

    figure, (times, memory) = plt.subplots(1, 2, figsize=(9, 4))
    for shape, points in measured.items():
        sizes, seconds, megabytes = zip(*points, strict=True)
        times.plot(sizes, seconds, marker="o", label=shape)
        memory.plot(sizes, megabytes, marker="o", label=shape)
    times.set(xscale="log", yscale="log", xlabel="bytes of the page", ylabel="seconds of processor time")
    memory.set(xscale="log", yscale="log", xlabel="bytes of the page", ylabel="MB over what the process had")
    for axes in (times, memory):
        axes.grid(True, alpha=0.3)
        axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=10_000_000, metavar="BYTES")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="seconds and MB by size, as SVG")
    parser.add_argument("--one", nargs=3, metavar=("SHAPE", "BYTES", "TASK"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        shape, size, task = options.one
        print(json.dumps(measure_once(shape, int(size), task)))
        return 0
    print("| shape | bytes | parse s | clean s | x parse | parse MB | clean MB | x parse |\n|" + "---|" * 8)
    measured: dict[str, list[tuple[int, float, float]]] = {}
    steps = (SMALLEST * 10**power * part for power in range(9) for part in (1, 3))
    sizes = [size for size in steps if size <= options.largest]
    for shape in SHAPES:
        for size in sizes:
            (parse_s, parse_mb), (clean_s, clean_mb) = (measure_apart(shape, size, task) for task in ("parse", "clean"))
            times, more = clean_s / max(1e-6, parse_s), clean_mb / max(1.0, parse_mb)
            print(
                f"| {shape} | {size:,} | {parse_s:.4f} | {clean_s:.4f} | {times:.1f} | {parse_mb:.0f} | {clean_mb:.0f} "
                f"| {more:.1f} |",
                flush=True,
            )
            measured.setdefault(shape, []).append((size, clean_s, clean_mb))
        large = [(size, seconds) for size, seconds, _ in measured.get(shape, ()) if size >= 10 * SMALLEST]
        if len(large) > 1:
            print(f"| {shape} | exponent | | {fit_exponent(*zip(*large, strict=True)):.2f} | | | | |")
    if options.picture:
        draw_growth(measured, options.picture)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
