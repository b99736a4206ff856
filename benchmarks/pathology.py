"""Pages that are made to cost: time and memory of each part of the result, linear or refused.

usage: python benchmarks/pathology.py [--sizes BYTES BYTES] [--only NAME] [--docs]
       python benchmarks/pathology.py --gate

Every page is cleaned in a process of its own, once at each size, with the default limits: what they refuse is named.
Seconds are processor time of the whole page: text, then fields, semantic blocks with links, records, XPaths and
reasons, then each rendering. The exponent is that of the time between the two sizes (1 is linear; below a tenth of a
second constant costs hide it, so it is not given). Memory is the peak of the process over what it had before. Every
text block is kept, so that the renderings have all of the page to write.

`--gate` measures a dozen of the pages, small, in this process, and ends with 1 where the time of one grows faster than
its bytes to the power of 1.6. It runs by itself: tests count what Python runs, and do not see loops of compiled code.

`--docs` writes the table into docs/hostile-pages.md.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from harness import DOCS, format_table, make_parser, replace_table
from msgspec import structs

import webclean
from webclean.model import Limits
from webclean.page import CleanPage

PROSE = "<p>The ferry leaves the harbour at nine, and whoever wants a seat by the window comes half an hour early.</p>"
URL = "https://example.org/news/"
MAX_SECONDS = 300


def repeat(unit: str) -> Callable[[int], str]:
    """Pages of one unit many times; `{}` in it is the number of the unit."""
    if "{}" not in unit:
        return lambda size: unit * (size // len(unit))
    return lambda size: "".join(unit.replace("{}", str(at)) for at in range(size // (len(unit) + 2)))


def nest(start: str, inner: str = "x") -> Callable[[int], str]:
    """Elements inside each other."""
    return lambda size: start * (size // len(start)) + inner


def _write_long_row(size: int) -> str:
    n = size // 30
    return f"{PROSE * 3}<table><tr>{'<td>a' * n}</tr>{'<tr><td>b c</tr>' * n}</table>"


def _write_spans(size: int) -> str:
    n = size // 50
    row = "<tr><td colspan=1000 rowspan=1000>b c</tr>"
    return f"{PROSE * 3}<table><tr>{'<td rowspan=1000>a' * n}</tr>{row * n}</table>"


CASES: dict[str, Callable[[int], str]] = {
    "article": repeat(PROSE),
    "deep div": nest("<div>"),
    "deep list": nest("<ul><li>a"),
    "deep table": nest("<table><tr><td>a"),
    "deep inline": nest("<span>a"),
    "deep quotes": nest("<blockquote><p>a b c"),
    "deep links with text": nest("<div>word <a href=/x>a</a>"),
    "deep section with heading": nest("<section><h2>a b</h2>"),
    "attributes of one element": lambda size: "<p" + "".join(f" a{at}=1" for at in range(size // 9)) + f">{PROSE}",
    "elements with attributes": repeat("<b a=1 c=2 d=3>a </b>"),
    "one class of many names": lambda size: f"<p class='{' '.join(f'n{at}' for at in range(size // 8))}'>{PROSE}</p>",
    "many classes": repeat("<p class='n{} m{}'>a b c</p>"),
    "lines alike": repeat("<p>2026-11-02 GET {} of a visitor"),
    "list items": repeat("<li>a b c"),
    "entries": repeat("<li><a href=/n/{}>Ferry {} is late again</a><p>Whoever wants a seat comes early.</p></li>"),
    "links": repeat('<a href="/x/{}">link {}</a> '),
    "links to one page": repeat('<a href="/x">link</a> '),
    "links of a long address": lambda size: f"<a href=/{'x' * (size // 2)}>" + "<p>a b c d" * (size // 20),
    "h1": repeat("<h1>Ferries are late again</h1>"),
    "h1 with text": repeat("<h1>Ferries {}</h1><p>They are late again today.</p>"),
    "headings": repeat("<h2>Ferries {}</h2><p>short text here</p>"),
    "title": lambda size: f"<title>{'Ferries | ' * (size // 10)}</title>{PROSE}",
    "sections of entries": repeat(
        "<section><h2>Part {}</h2>" + "<li><a href=/{}>Ferry {} is late</a>" * 5 + "</section>"
    ),
    "cells in a row": lambda size: f"<table><tr>{'<td><a href=/x>ferry</a>' * (size // 24)}</table>",
    "one long row, many short": _write_long_row,
    "spans": _write_spans,
    "tables in tables": repeat("<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f<td>g</table></table>"),
    "text in tables": repeat("<table>a<tr>b<td>c</table>"),
    "one word": lambda size: f"<p>{'a' * size}</p>",
    "one line of words": lambda size: f"<p>{'word ' * (size // 5)}</p>",
    "punctuation": lambda size: f"<p>{'.,!?;:' * (size // 6)}</p>",
    "commas and digits": lambda size: f"<p>{'1, 2. ' * (size // 6)}</p>",
    "dates": repeat("<p>12 May 2024, 3 June</p>"),
    "prices": repeat("<li>$ 12.50 EUR 3,20"),
    "by-lines": repeat("<p>By Ann Bo</p>"),
    "entities": repeat("&amp;&#x41;&notit;"),
    "broken entities": repeat("&#99999999;&unknown"),
    "NULs": repeat("\0a\0 b"),
    "surrogates": repeat("<p>a\ud800 b\udc00"),
    "controls": repeat("\x1b[31m\u202e a "),
    "spaces": lambda size: f"<p>a{' ' * size}b</p>",
    "line breaks": repeat("a<br>"),
    "lines of code": lambda size: "<pre>" + "  a b\n" * (size // 6) + "</pre>",
    "code": repeat("<code>a b</code> "),
    "many pre": repeat("<pre>1</pre>"),
    "backquotes": lambda size: f"<p>{'` ``' * (size // 4)}</p>",
    "markdown signs": lambda size: f"<p>{'*_[]()#' * (size // 7)}</p>",
    "dollars": repeat("<p>a $ b $$ c \\( d"),
    "formulas": repeat("<script type=math/tex>x_1</script>"),
    "drawn formulas": repeat("<span class=MathJax>x</span><script type=math/tex>x</script>"),
    "MathML": repeat("<math><mi>x</mi><mo>=</mo><mn>1</mn></math>"),
    "math in math": nest("<math hidden>"),
    "drawn MathML": repeat("<math hidden><mi>x</mi></math><span class=mwe-math-element>x</span>"),
    "deep MathML": lambda size: f"<math>{'<mrow>' * (size // 6)}x</math>",
    "images": repeat("<p>a b<img src=/{}.png alt=x>"),
    "figures": repeat("<figure><img src=/{}.png width=300><figcaption>a b c</figcaption></figure>"),
    "media": repeat("<video src=/{}.mp4></video>"),
    "footnotes": repeat("<sup id=r{}><a href=#n{}>1</a></sup><li id=n{}>note <a href=#r{}>back</a>"),
    "unclosed formatting": lambda size: "".join(f"<b a{at}=1>" for at in range(size // 24)) + "<p>a" * (size // 8),
    "crossed formatting": repeat("<b><i></b>a</i>"),
    "unclosed links": repeat("<a href=/{}>a "),
    "unclosed buttons": repeat("<button>a "),
    "unclosed headings": repeat("<h1><h2>a "),
    "html attributes": repeat("<html a{}=1>"),
    "body attributes": repeat("<body a{}=1>"),
    "selects": repeat("<select><option>a<option selected>b</select>"),
    "selectedcontent": repeat("<select><button><selectedcontent></button><option selected>a"),
    "forms": repeat("<form><input name=q><button>Go</button></form>"),
    "templates": nest("<template><p>a b"),
    "style sheet": lambda size: f"<style>{'.a{color:red}' * (size // 13)}</style>{PROSE * 3}",
    "inline styles": repeat("<p style='color:red;font-size:3px;display:block'>a b c</p>"),
    "unclosed comment": lambda size: f"{PROSE * 3}<!--{'-- > ' * (size // 5)}",
    "comments": repeat("<!-- a --><p>b "),
    "unclosed tag": lambda size: f"{PROSE * 3}<p {'a ' * (size // 2)}",
    "less than": repeat("a < b <"),
    "JSON-LD": repeat('<script type="application/ld+json">{"@type":"Article","headline":"Ferries {}"}</script>'),
    "deep JSON-LD": lambda size: f'<script type="application/ld+json">{"[" * size}</script>{PROSE * 3}',
    "wide JSON-LD": lambda size: (
        f'<script type="application/ld+json">[{",".join(["{}"] * (size // 3))}]</script>{PROSE * 3}'
    ),
    "metas": repeat("<meta name=author content='Ann Bo'>"),
    "link elements": repeat("<link rel=alternate hreflang=en href=/{}>"),
    "noscript": repeat("<noscript><p>a b <img src=/{}.png></noscript>"),
    "SVG": repeat("<svg><path d=M0><text>a b</text></svg>"),
    "deep SVG": lambda size: f"<svg>{'<g>' * (size // 3)}<text>a</text></svg>{PROSE}",
    "long names": lambda size: f"<x-{'y' * 9_000}>" * (size // 9_003) + "<h2>a b</h2><p>c d" * 50,
    "paths of dots": repeat("<a href='../../../../{}'>a b</a> "),
    "ids": repeat("<p id=n{}>a b c</p>"),
    "Chinese": repeat("<p>渡轮九点离港，想坐窗边的人要早到半小时。</p>"),
    "Thai": lambda size: f"<p>{'เรือข้ามฟากออกจากท่า' * (size // 60)}</p>",
    "right to left": repeat("<p dir=rtl>המעבורת יוצאת בתשע</p>"),
    "text only": lambda size: "The ferry leaves at nine. " * (size // 26),
    "JSON": lambda size: json.dumps([{"ferry": at} for at in range(size // 15)]),
    "deep JSON": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "XML": lambda size: f"<?xml version='1.0'?><list>{'<ferry>nine</ferry>' * (size // 19)}</list>",
    "entities of XML": lambda size: (
        f"<?xml version='1.0'?><!DOCTYPE l [<!ENTITY a '{'lol' * (size // 9)}'>]><l>{'&a;' * (size // 9)}</l>"
    ),
}  # fmt: skip
"""Name -> function of a size in bytes that writes a page of about that size."""

PARTS: dict[str, Callable[[CleanPage], Any]] = {
    "text": lambda page: page.text,
    "fields": lambda page: dict(page.fields),
    "blocks": lambda page: [
        (block.text, block.links, block.records, block.xpaths, block.importance, block.reasons) for block in page.blocks
    ],
    "markdown": lambda page: page.to_markdown(),
    "html": lambda page: page.to_html(),
    "mobile": lambda page: page.to_mobile_html(),
    "dict": lambda page: page.to_dict(include_reasons=True),
}


def keep_all(page: CleanPage) -> CleanPage:
    """The page with every text block kept, so that renderings have all of it to write."""
    decisions = page.analysis.decisions
    page.analysis = replace(page.analysis, decisions=structs.replace(decisions, kept=np.ones_like(decisions.kept)))
    return page


def measure_once(name: str, size: int, limits: Limits | None = None) -> dict[str, Any]:
    """What a page costs, in this process: seconds by part, names of the limits that refused one, MB, bytes out."""
    page_bytes = CASES[name](size).encode("utf-8", "surrogatepass")
    cleaner = webclean.Cleaner(limits=limits)
    first = cleaner.clean(f"<h1>Ferries</h1>{PROSE * 3}", url=URL)  # fills the caches
    for compute in PARTS.values():
        compute(first)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, refused, n_out, page = dict[str, float](), dict[str, str](), 0, None
    parts: dict[str, Callable[[Any], Any]] = {"clean": lambda _: keep_all(cleaner.clean(page_bytes, url=URL)), **PARTS}
    for part, compute in parts.items():
        start = time.process_time()
        try:
            made = compute(page)
            page, n_out = page or made, max(n_out, len(made) if isinstance(made, str) else 0)
        except webclean.LimitExceeded as error:
            refused[part] = error.limit
        seconds[part] = time.process_time() - start
        if page is None:
            break
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {"bytes": len(page_bytes), "seconds": seconds, "refused": refused, "mb": memory, "out": n_out}


def measure_apart(name: str, size: int) -> dict[str, Any]:
    """The same in a process of its own; `failed` says how it ended otherwise."""
    command = [sys.executable, str(Path(__file__)), "--one", name, str(size)]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": f"longer than {MAX_SECONDS} s"}
    if done.returncode:
        return {"failed": done.stderr.strip().split("\n")[-1][:200] or f"exit code {done.returncode}"}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def find_exponent(small: dict[str, Any], large: dict[str, Any]) -> float | None:
    """Exponent of the growth of time between two sizes; None where the smaller one is too quick to measure."""
    if "failed" in small or "failed" in large or small["refused"] or large["refused"]:
        return None
    (n, spent), (n_more, longer) = ((found["bytes"], sum(found["seconds"].values())) for found in (small, large))
    if spent < 0.1 or n_more < 2 * n:
        return None
    return math.log(longer / spent) / math.log(n_more / n)


HEAD: Final = ("page", "text s", "fields s", "blocks s", "slowest rendering s", "exponent", "MB", "refused by")


def describe(name: str, small: dict[str, Any], large: dict[str, Any]) -> list[str]:
    """A row of the table."""
    if "failed" in large:
        return [name, f"**{large['failed']}**", *[""] * (len(HEAD) - 2)]
    seconds, exponent = large["seconds"], find_exponent(small, large)
    rendered, slowest = max((seconds.get(part, 0.0), part) for part in ("markdown", "html", "mobile", "dict"))
    return [
        name,
        f"{seconds['clean'] + seconds.get('text', 0):.2f}",
        *(f"{seconds[part]:.2f}" if part in seconds else "" for part in ("fields", "blocks")),
        f"{rendered:.2f} ({slowest})" if "markdown" in seconds else "",
        "" if exponent is None else f"{exponent:.1f}",
        f"{large['mb']:.0f}",
        ", ".join(dict.fromkeys(large["refused"].values())),
    ]


def measure_all(sizes: Sequence[int], only: str) -> list[list[str]]:
    """The rows of the table, each printed when it is known."""
    rows = []
    for name in CASES:
        if only in name:
            rows.append(describe(name, *(measure_apart(name, size) for size in sizes)))
            print(*rows[-1], sep=" | ", flush=True)
    return rows


SLOW_SECONDS: Final = 1.0
"""From here on a part of a page has a row of its own in the docs."""


def shorten_table(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows of which a part is slow or which a limit refuses, and one of the most that any other page takes."""
    shown, others = [], []
    for row in rows:
        seconds = [cell.partition(" ")[0] for cell in row[1:5]]
        if row[-1] or "**" in row[1] or max(float(cell or 0) for cell in seconds) >= SLOW_SECONDS:
            shown.append([*row])
        else:
            others.append([*seconds, *row[5:-1]])
    most = (max(column, key=lambda cell: float(cell or 0)) for column in zip(*others, strict=True))
    return [*shown, [f"{len(others)} others, at most", *most, ""]]


GATE: Final = (
    "article", "deep div", "deep list", "deep table", "deep inline", "deep links with text", "links", "lines alike",
    "line breaks", "unclosed formatting", "unclosed comment", "html attributes",
)  # fmt: skip
"""The pages of `--gate`."""
MOST_GROWTH: Final = 1.6
"""Exponent of `--gate`: small pages are noisy, and the square is what it looks for."""


def find_growth_faults(sizes: tuple[int, int] = (25_000, 100_000)) -> Iterator[str]:
    """A line for each page whose time grows too fast; the quickest of three rounds counts."""
    for name in GATE:
        rounds = [[measure_once(name, size) for size in sizes] for _ in range(3)]
        small, large = (min(found, key=lambda one: sum(one["seconds"].values())) for found in zip(*rounds, strict=True))
        spent, longer = (sum(found["seconds"].values()) for found in (small, large))
        print(f"{name}: {spent:.3f} s, then {longer:.3f} s", flush=True)
        # of what is quicker than that, the constant part is most
        if longer > max(spent, 0.05) * (large["bytes"] / small["bytes"]) ** MOST_GROWTH:
            yield f"FAULT {name} takes {spent:.3f} s, then {longer:.3f} s: more than by the power of {MOST_GROWTH}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs=2, default=(200_000, 1_000_000), metavar="BYTES")
    parser.add_argument("--only", default="", metavar="NAME", help="pages with this in their name")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/hostile-pages.md")
    parser.add_argument("--gate", action="store_true", help="fail where the time of a page grows too fast")
    parser.add_argument("--one", nargs=2, metavar=("NAME", "BYTES"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        name, size = options.one
        print(json.dumps(measure_once(name, int(size))))
        return 0
    if options.gate:
        faults = list(find_growth_faults())
        print(*faults, sep="\n")
        return bool(faults)
    rows = measure_all(options.sizes, options.only)
    if options.docs:
        replace_table(DOCS / "hostile-pages.md", "pathology", format_table(HEAD, shorten_table(rows)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
