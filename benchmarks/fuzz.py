"""Broken pages, and what must hold of each: only errors of webclean, nothing made up, nothing that runs, same result.

usage: python benchmarks/fuzz.py --minutes N [--jobs N] [--seed N] [--corpus DIR] [--findings DIR]
       python benchmarks/fuzz.py --unchanged [--corpus DIR]      real pages as they are
       python benchmarks/fuzz_coverage.py      the same, guided by coverage (atheris)

Half of the pages are drawn from hypothesis strategies for broken markup, half are real pages (the fixtures, and those
of `--corpus`) that are changed: cut, spliced, repeated, with bytes flipped and tags of the strategies put in. Each page
goes through `check_page`, which lists the properties. A page that fails one is made smaller as long as it fails in the
same way, and written to `--findings`. At the end a sample of the pages is cleaned again in a process with another hash
seed, which must give the same results.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import checkout  # noqa: F401  webclean of this clone
import html5lib
import numpy as np
import turbohtml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seed_hypothesis
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.tasklists import tasklists_plugin
from page_folders import find_fixtures, read_fixture

import webclean
from webclean.model import Limits
from webclean.outputs.flow import Node, RenderOptions, build_flow
from webclean.outputs.html import render_html
from webclean.outputs.markdown import render_markdown
from webclean.page import CleanPage
from webclean.parse import parse_page
from webclean.parse.controls import drop_controls
from webclean.parse.empty_tags import close_empty_tags
from webclean.parse.packed import unpack

LIMITS: Final = Limits(max_seconds=20)
URL: Final = "https://example.org/news/page.html"
_READER: Final = MarkdownIt("commonmark", {"html": True, "maxNesting": 400}).enable(["table", "strikethrough"])
_READER.use(tasklists_plugin)
_ACTIVE: Final = frozenset(("script", "style", "iframe", "object", "embed", "form", "base", "link", "svg", "template"))
_RUNNING_URL: Final = re.compile(r"\s*(?:javascript|vbscript|data:text|file)\s*:?", re.IGNORECASE)
_CHANGED_ON_PURPOSE: Final = frozenset(("math", "noteref", "note", "ruby"))
"""Elements of the tree of clean elements whose text is not that of the page: TeX, labels of footnotes, readings."""
_OF_PLAYERS: Final = frozenset(("iframe", "video", "audio", "object", "embed", "button", "noscript", "noframes"))
_N_SAMPLE: Final = 40

TAGS: Final = """
    html head body title base meta link script style noscript template iframe p div span a b i em strong u s font small
    code pre kbd h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr td th form input
    button select option optgroup textarea label fieldset legend img picture source figure figcaption video audio object
    embed br hr wbr blockquote q cite section article aside nav header footer main details summary dialog svg path title
    desc foreignObject math mi mo mn mrow annotation-xml ruby rb rt rtc rp frameset frame noframes center marquee
    plaintext xmp listing image isindex nobr applet x-card o:p time abbr sub sup mark del ins menu address
""".split()  # noqa: SIM905  a table of words reads better
ATTRIBUTES: Final = (
    *(" type=checkbox", " type=checkbox checked"),
    *("", "", "", " class=x", ' class="content main"', ' class="comment ad"', " id=a", " id=main", ' href="/a/1"'),
    *(' href="//["', ' href="javascript:alert(1)"', ' href="#a"', " href", ' onclick="alert(1)"', ' src="/i.png"'),
    *(" src=http://[::1 ", " hidden", ' style="display:none"', ' style="x:expression(1)"', " colspan=3", " rowspan=9"),
    *(" dir=rtl", " lang=de", ' role="navigation"', ' itemprop="headline"', ' type="application/ld+json"', " start=7"),
    *(' datetime="2024-05-06"', " rel=next", ' name="author" content="Ann Bo"', ' property="og:title" content="One"'),
    *(' charset="gbk"', " =", ' "', " '", " /", ' data-a="&quot;"', " width=1 height=1", ' poster="/p.png"', ' a"b=c'),
)  # fmt: skip
WORDS: Final = (
    *("one ", "two", " three. ", "The ferry leaves the harbour at nine, and everyone waits. ", "\n", "\t", " ", "\0"),
    *("*", "_x_", "1. ", "# h", "- ", "> q", "| a | b |", "`", "```", "~~", "[x](y)", "![", "\\", "$x$", "\\(x\\)"),
    *("&lt;script&gt;", "&amp;", "&#x202e;", "&#0;", "&#xD800;", "&nosuch;", "&#27;", "<", "</", "<!", "<!--", "-->"),
    *("]]>", "<![CDATA[", "<?xml", "漢字。", "ภาษาไทย", "שלום", "\u202e", "\ufeff", "\ud800", "é", "12 May 2024"),
    *('{"@type":"Article","headline":"x"}', "<!doctype html>", "1", "Home", "Comments", "Read more", "© 2024", "\r"),
    *("\u00a0", "$ 12.50", "By Ann Bo", "\x1b[31m"),
)  # fmt: skip

tags = st.builds(
    lambda close, name, attributes, end: f"</{name}{end}" if close else f"<{name}{''.join(attributes)}{end}",
    st.booleans(),
    st.sampled_from(TAGS),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=2),
    st.sampled_from((">",) * 12 + ("/>", "", " ")),
)
pieces = st.one_of(tags, tags, st.sampled_from(WORDS), st.text(max_size=6))
repeated = st.builds(lambda piece, n: piece * n, pieces, st.sampled_from((1,) * 12 + (2, 3, 9, 40)))
pages = st.lists(repeated, max_size=50).map("".join)
"""Broken markup."""


class PropertyError(AssertionError):
    """A page for which a property does not hold."""


@dataclass(slots=True)
class Tally:
    """What a run did."""

    n_pages: int = 0
    n_refused: int = 0
    seconds: float = 0.0
    findings: dict[str, bytes] = field(default_factory=dict)
    sample: list[tuple[bytes, str]] = field(default_factory=list)


def hold(is_so: bool, said: str) -> None:
    """Raise `PropertyError` unless something is so."""
    if not is_so:
        raise PropertyError(said)


def squeeze(text: str) -> str:
    return "".join(text.split())


def check_page(data: bytes, *, number: int = 0) -> str | None:
    """Clean one page and check what must hold of every page.

    Gives a digest of the result, or None if a limit refused the page. Raises `PropertyError`, and whatever webclean
    raises that is not its own error. number: decides which of the slow checks are made.
    """
    start = time.monotonic()
    try:
        page = webclean.clean(data, url=URL, limits=LIMITS)
        written = write_all(page)
    except webclean.LimitExceeded:
        return None
    hold(time.monotonic() - start < 3 * LIMITS.max_seconds, "over the limit of time")
    check_spans(page)
    check_text(page)
    check_outputs(page, written)
    check_round_trips(page)
    if number % 3 == 0:
        again = write_all(webclean.clean(data, url=URL, limits=LIMITS))
        hold(again == written, "another result for the same bytes")
    if number % 5 == 0:
        check_xpaths(page, data)
    return hashlib.sha256(repr(sorted(written.items())).encode("utf-8", "surrogatepass")).hexdigest()


def write_all(page: CleanPage) -> dict[str, str]:
    """Every part of the result as text."""
    written = {
        "text": page.text,
        "markdown": page.to_markdown(include_metadata=True),
        "html": page.to_html(include_metadata=True),
        "mobile": page.to_mobile_html(),
        "dict": json.dumps(page.to_dict(include_reasons=True), ensure_ascii=False),
    }
    n_input = max(page.source.n_bytes, len(page.source.markup), 50_000)
    for name, text in written.items():
        hold(len(text) < 60 * n_input, f"{name} is far longer than the page")
        text.encode()  # no lone surrogates
    return written


def check_spans(page: CleanPage) -> None:
    """Subtrees nest; text blocks are in order and disjoint; semantic blocks are inside those they name as parent."""
    document, blocks = page.analysis.columns.document, page.analysis.columns.blocks
    end, parent = document.end, document.parent
    if len(document):
        inner = parent >= 0
        hold(bool((end[inner] <= end[parent[inner]]).all()), "a subtree ends after that of its parent")
        hold(bool((parent < np.arange(len(document))).all()), "an element comes before its parent")
    hold(bool((blocks.first < blocks.last).all()), "an empty text block")
    hold(bool((blocks.first[1:] >= blocks.last[:-1]).all()), "text blocks overlap")
    for number, block in enumerate(page.blocks):
        hold(block.parent is None or block.parent < number, "a block comes before the one that it is in")


def check_text(page: CleanPage) -> None:
    """Kept and dropped blocks are all displayed text; the text of the result is made of kept blocks."""
    columns = page.analysis.columns
    document, blocks = columns.document, columns.blocks
    of_page = Counter(squeeze("".join(document.text)))
    of_blocks = Counter(squeeze("".join(blocks.text)))
    hold(not of_blocks - of_page, "a text block has characters that the page does not have")
    shown = [
        text
        for text, owner in zip(document.text, document.text_owner.tolist(), strict=True)
        if document.displayed[owner]
    ]
    left_out = Counter(filter(str.isalnum, squeeze("".join(shown)))) - of_blocks
    hold(not left_out, f"text that is in no block: {''.join(left_out)[:20]!r}")
    hold(len(page.analysis.decisions.kept) == len(blocks), "a text block without a decision")
    owned = page.segment_of
    hold(len(owned) == len(blocks) and bool((owned >= 0).all()), "a text block in no semantic block")


def check_outputs(page: CleanPage, written: dict[str, str]) -> None:
    """Nothing in the documents can run or load anything but images; no output has control characters."""
    for name, text in written.items():
        hold(drop_controls(text) == text, f"control characters in {name}")
    for name in ("html", "mobile"):
        for element in turbohtml.parse(written[name]).find_all():
            holder = element.parent
            allowed = (
                ("style",)
                if name == "mobile" and isinstance(holder, turbohtml.Element) and holder.tag == "head"
                else ()
            )
            hold(element.tag not in _ACTIVE or element.tag in allowed, f"<{element.tag}> in {name}")
            for key, written_value in element.attrs.items():
                value = " ".join(written_value) if isinstance(written_value, list) else written_value or ""
                is_inert = not key.startswith("on") and key not in ("style", "srcdoc", "action", "formaction", "ping")
                hold(is_inert, f"{key}= in {name}")
                if key in ("href", "src"):
                    hold(_RUNNING_URL.match(value) is None, f"{value[:40]!r} in {name}")


def check_round_trips(page: CleanPage) -> None:
    """HTML and Markdown read back as the kept text, where no formula, footnote or player stands for other text."""
    columns = page.analysis.columns
    document, blocks, kept = columns.document, columns.blocks, page.analysis.decisions.kept
    if not _OF_PLAYERS.isdisjoint(document.names):
        return
    flow = build_flow(document, blocks, kept, RenderOptions(images=False))
    if not _CHANGED_ON_PURPOSE.isdisjoint(_list_names(flow)):
        return
    wanted = squeeze("".join(text for text, keep in zip(blocks.text, kept.tolist(), strict=True) if keep))
    if "pre" in _list_names(flow):
        wanted_counts, exact = Counter(wanted), False  # line numbers of code are left out
    else:
        wanted_counts, exact = Counter(wanted), True
    for name, markup in (("html", render_html(flow)), ("markdown", _READER.render(render_markdown(flow)))):
        holder = turbohtml.parse(markup).find("body")
        body = squeeze(holder.text if holder else "")
        if exact:
            hold(body == wanted, f"{name} reads back as {_differ(body, wanted)}")
        else:
            hold(not Counter(body) - wanted_counts, f"{name} reads back with more text")


def _differ(found: str, wanted: str) -> str:
    at = next(
        (at for at, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]),
        min(len(found), len(wanted)),
    )
    return f"{found[max(0, at - 10) : at + 20]!r}, not {wanted[max(0, at - 10) : at + 20]!r}"


def _list_names(node: Node) -> set[str]:
    names, todo = set(), [node]
    while todo:
        node = todo.pop()
        names.add(node.name)
        todo += [child for child in node.children if isinstance(child, Node)]
    return names


def check_xpaths(page: CleanPage, data: bytes) -> None:
    """The XPaths of blocks lead to one element each of html5lib's tree, where that is the tree of the engine.

    After a `noscript` whose tags are not whole, that is the tree of a browser that runs scripts.
    """
    document = page.analysis.columns.document
    if page.source.kind != "html" or page.source.part or len(data) > 60_000:
        return
    other = parse_page(data, url=URL, engine="html5lib", limits=LIMITS, on_limit="truncate")
    if other.names != document.names or other.parent.tolist() != document.parent.tolist():
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            markup = close_empty_tags(page.source.markup)
            trees = [
                html5lib.parse(markup, treebuilder="lxml", namespaceHTMLElements=False, scripting=scripting)
                for scripting in (False, True)  # they differ after a `noscript` whose tags are not whole
            ]
        except (ValueError, SyntaxError):  # lxml refuses some names, control characters and doctypes of html5lib
            return
    paths = [path for block in page.blocks for path in block.xpaths]
    wrong = [[path for path in paths if len(tree.xpath(path)) != 1] for tree in trees]
    hold(not all(wrong), f"{wrong[0][:1]} do not lead to one element")  # all of a page hold in one and the same tree


def draw_pages(seed: int) -> Iterator[bytes]:
    """Pages of the strategies, in batches."""
    batch: list[str] = []
    while True:
        seed += 1
        batch.clear()

        @seed_hypothesis(seed)
        @settings(
            max_examples=50,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(pages)
        def collect(page: str) -> None:
            batch.append(page)

        collect()
        for page in batch:
            yield page.encode("utf-8", "surrogatepass")


def change_pages(seed: int, corpus: Sequence[bytes]) -> Iterator[bytes]:
    """Real pages, each changed a few times; a window of long ones, so that most of the time goes into cleaning."""
    rng = random.Random(seed)
    while True:
        data = rng.choice(corpus)
        if len(data) > 20_000:
            start = rng.randrange(len(data) - 10_000)
            data = data[:2_000] + data[start : start + 10_000]
        for _ in range(rng.choice((1, 1, 2, 4, 8))):
            data = rng.choice(_CHANGES)(rng, data, corpus)
        yield data[:200_000]


def _write_piece(rng: random.Random) -> bytes:
    slash = rng.choice(("", "", "/"))
    tag = f"<{slash}{rng.choice(TAGS)}{rng.choice(ATTRIBUTES)}>"
    return rng.choice((tag, tag, rng.choice(WORDS))).encode("utf-8", "surrogatepass") * rng.choice((1, 1, 1, 3, 200))


def _cut(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    first, last = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:first] + data[last:]


def _repeat(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start : start + rng.randrange(1, 400)] * rng.choice((2, 3, 30)) + data[start:]


def _flip(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 5, 50)) if changed else 0):
        changed[rng.randrange(len(changed))] = rng.choice(
            (0, 0x1B, 0x22, 0x26, 0x3C, 0x3E, 0x80, 0xFF, rng.randrange(256))
        )
    return bytes(changed)


def _splice(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    other = rng.choice(corpus)
    start, at = rng.randrange(len(other) + 1), rng.randrange(len(data) + 1)
    return data[:at] + other[start : start + rng.randrange(1, 3_000)] + data[at:]


def _insert(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    places = [found.start() for found in re.finditer(rb"[<>]", data)] or [0]
    at = rng.choice(places)
    return data[:at] + _write_piece(rng) + data[at:]


def _drop_tag(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"<[^<>]*>", data))
    if not found:
        return data
    tag = rng.choice(found)
    return data[: tag.start()] + data[tag.end() :]


_CHANGES: Final[tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...]] = (
    _cut, _repeat, _flip, _splice, _insert, _insert, _insert, _drop_tag, _drop_tag,
)  # fmt: skip


def read_corpus(folder: Path | None) -> list[bytes]:
    """The fixtures, and the HTML files of a folder, also packed ones."""
    found = [read_fixture(path).html for path in find_fixtures()]
    if folder:
        found += [unpack(path.read_bytes(), LIMITS.max_bytes) for path in sorted(folder.rglob("*.html*"))]
    return found


def describe_failure(error: BaseException) -> str:
    """What failed and where, the same for the same cause."""
    place = ""
    trace = error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        if "webclean" in code.co_filename:
            place = f"{Path(code.co_filename).name}:{code.co_name}"
        trace = trace.tb_next
    said = (
        re.sub(r"reads back as.*", "reads back differently", str(error)) if isinstance(error, PropertyError) else place
    )
    return f"{type(error).__name__}: {re.sub(r'[0-9]+', 'N', said)[:100]}"


def find_failure(data: bytes, number: int = 0) -> str:
    """What fails for a page, '' if nothing does."""
    try:
        check_page(data, number=number)
    except Exception as error:
        return describe_failure(error)
    return ""


def shrink(data: bytes, why: str, seconds: float = 30.0) -> bytes:
    """A smaller page that fails in the same way: pieces are left out, half of the page first, then smaller ones."""
    end = time.monotonic() + seconds
    size = max(1, len(data) // 2)
    while time.monotonic() < end:
        at, is_smaller = 0, False
        while at < len(data) and time.monotonic() < end:
            less = data[:at] + data[at + size :]
            if find_failure(less) == why:
                data, is_smaller = less, True
            else:
                at += size
        if size == 1 and not is_smaller:
            break
        size = max(1, size // 2)
    return data


def run_job(job: tuple[float, int, Path | None]) -> Tally:
    """Check pages until the time is up. job: seconds, seed, folder of further pages."""
    seconds, seed, folder = job
    tally, start = Tally(), time.monotonic()
    sources = (draw_pages(seed * 1_000_000), change_pages(seed, read_corpus(folder)))
    rng = random.Random(seed)
    while time.monotonic() - start < seconds:
        data = next(sources[tally.n_pages % 2])
        tally.n_pages += 1
        try:
            digest = check_page(data, number=tally.n_pages)
        except Exception as error:
            why = describe_failure(error)
            if why not in tally.findings:
                print(f"seed {seed}: {why}: {str(error)[:200]}", flush=True)
                tally.findings[why] = shrink(data, why) if find_failure(data) == why else data
            continue
        if digest is None:
            tally.n_refused += 1
        elif len(tally.sample) < _N_SAMPLE:
            tally.sample.append((data, digest))
        elif rng.random() < _N_SAMPLE / tally.n_pages:
            tally.sample[rng.randrange(_N_SAMPLE)] = (data, digest)
    tally.seconds = time.monotonic() - start
    return tally


def check_corpus(folder: Path | None) -> int:
    """Check the fixtures and the pages of a folder as they are; 1 if a property does not hold."""
    n_failed = n_pages = n_refused = 0
    for n_pages, data in enumerate(read_corpus(folder), start=1):
        try:
            n_refused += check_page(data, number=n_pages) is None
        except Exception as error:  # whatever is raised is a finding
            n_failed += 1
            name = hashlib.sha256(data).hexdigest()[:12]
            print(f"page {n_pages}, {name}: {describe_failure(error)}: {str(error)[:200]}")
    print(f"{n_pages} pages, {n_refused} refused by a limit, {n_failed} with a property that does not hold")
    return int(n_failed > 0)


def compare_processes(sample: Iterable[tuple[bytes, str]]) -> int:
    """Number of pages that give another result in a process with another hash seed."""
    pages_of_sample = [(data.hex(), digest) for data, digest in sample]
    code = "import json, sys, fuzz\nfor data in json.load(sys.stdin): print(fuzz.check_page(bytes.fromhex(data)))"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    given_pages = json.dumps([data for data, _ in pages_of_sample])
    done = subprocess.run(
        [sys.executable, "-c", code], input=given_pages, env=environment, capture_output=True, text=True, check=True
    )
    answers = done.stdout.split()
    return sum(answer != digest for answer, (_, digest) in zip(answers, pages_of_sample, strict=True))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="further pages, as HTML files")
    parser.add_argument(
        "--unchanged", action="store_true", help="check the pages of the corpus as they are, and no others"
    )
    parser.add_argument("--findings", type=Path, metavar="DIR", help="where pages that fail are written")
    options = parser.parse_args(arguments)
    if options.unchanged:
        return check_corpus(options.corpus)
    jobs: list[Any] = [(60 * options.minutes, options.seed + at, options.corpus) for at in range(options.jobs)]
    if options.jobs > 1:
        with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
            tallies = pool.map(run_job, jobs)
    else:
        tallies = [run_job(jobs[0])]
    n_pages, seconds = sum(tally.n_pages for tally in tallies), max(tally.seconds for tally in tallies)
    n_other = compare_processes(pair for tally in tallies for pair in tally.sample)
    n_refused = sum(tally.n_refused for tally in tallies)
    print(f"{n_pages:,} pages in {seconds:.0f} s, {n_pages / seconds:.1f} a second; {n_refused} refused")
    print(f"another result with another hash seed: {n_other} of {sum(len(tally.sample) for tally in tallies)}")
    findings = {why: data for tally in tallies for why, data in tally.findings.items()}
    for number, (why, data) in enumerate(sorted(findings.items())):
        print(f"{why}\n    {data[:300]!r}")
        if options.findings:
            options.findings.mkdir(parents=True, exist_ok=True)
            (options.findings / f"{number}.html").write_bytes(data)
            (options.findings / f"{number}.txt").write_text(f"{why}\n", encoding="utf-8")
    return int(bool(findings or n_other))


if __name__ == "__main__":
    raise SystemExit(main())
