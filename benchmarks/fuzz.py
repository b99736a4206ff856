"""Broken pages, and what must hold of each: only errors of webclean, nothing made up, nothing that runs, same result.

usage: python benchmarks/fuzz.py --minutes N [--jobs N] [--seed N] [--corpus DIR] [--findings DIR]
       python benchmarks/fuzz.py --target NAME [--runs N] [--seed N] [--findings DIR]    what else takes bytes
       python benchmarks/fuzz.py --unchanged [--corpus DIR]      real pages as they are
       python benchmarks/fuzz.py --checked --minutes N [...]     with the core that checks itself, and for it alone
       python benchmarks/fuzz_coverage.py      the same, guided by coverage (atheris)

Half of the pages are drawn from hypothesis strategies for broken markup, half are real pages (the fixtures, and those
of `--corpus`) that are changed: cut, spliced, repeated, with bytes flipped and tags of the strategies put in. Each page
goes through `check_page`, which lists the properties. A page that fails one is made smaller as long as it fails in the
same way, and written to `--findings`. At the end a sample of the pages is cleaned again in a process with another hash
seed, which must give the same results.

--target: batch readers (warc, gzip, zstd, jsonl, parquet), rule files (rules) and the API (api), as `fuzz_targets.py`
says; `fuzz_coverage.py --target NAME` looks for inputs of theirs that reach new code.

--checked is for what a page could do to the memory of the process: run `python build_core.py --checked` first. The core
then checks indices and pointers, each column is memory of its own, and the first fault ends the process. So pages are
cleaned in another process; the page that ended it is kept, and a new one goes on with the next seed. Of the properties
only those are looked at that an error shows.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import checkout
from fuzz_pages import change_pages, draw_pages, read_corpus
from fuzz_properties import LIMITS, URL, PropertyError, check_page, write_all
from fuzz_targets import TARGETS, close_folders, list_inputs

import webclean

_N_SAMPLE: Final = 40
_FAULT: Final = 86
"""Exit code that the address sanitizer is told to use."""
_RUN: Final = 300.0
"""Seconds of a process that checks itself, after which it says how many pages it saw and another one goes on."""


@dataclass(slots=True)
class Tally:
    """What a run did."""

    n_pages: int = 0
    n_refused: int = 0
    seconds: float = 0.0
    findings: dict[str, bytes] = field(default_factory=dict)
    sample: list[tuple[bytes, str]] = field(default_factory=list)


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


def shrink(data: bytes, why: str, seconds: float = 30.0, find: Callable[[bytes], str] | None = None) -> bytes:
    """A smaller page that fails in the same way: pieces are left out, half of it first, then smaller ones.

    find: what fails for an input, where it is not a page.
    """
    end, find = time.monotonic() + seconds, find or find_failure
    size = max(1, len(data) // 2)
    while time.monotonic() < end:
        at, is_smaller = 0, False
        while at < len(data) and time.monotonic() < end:
            less = data[:at] + data[at + size :]
            if find(less) == why:
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


def run_checked(seconds: float, seed: int, folder: Path | None, last: Path) -> None:
    """Clean pages by a core that checks itself, until the time is up. Prints how many; ends at the first fault.

    last: file that holds the page that is being cleaned.
    """
    unraised: list[str] = []
    sys.unraisablehook = lambda hook: unraised.append(
        f"{type(hook.exc_value).__name__}: {hook.exc_value} {hook.object}"
    )
    start, n_pages = time.monotonic(), 0
    sources = (draw_pages(seed * 1_000_000), change_pages(seed, read_corpus(folder)))
    with contextlib.suppress(KeyboardInterrupt):
        while time.monotonic() - start < seconds:
            data = next(sources[n_pages % 2])
            last.write_bytes(data)
            n_pages += 1
            try:
                page = webclean.clean(data, url=URL, limits=LIMITS)
                if n_pages % 4:  # all that is compiled is in these; the rest is mostly Python, and slow
                    _ = page.text, page.title, page.date, page.author, page.blocks
                else:
                    write_all(page)
            except webclean.LimitExceeded:
                pass
            except Exception as error:
                unraised.append(f"{describe_failure(error)}: {error}")
            if unraised:
                print(f"{n_pages} pages", flush=True)
                print("\n".join(unraised), file=sys.stderr)
                os._exit(_FAULT)
            if n_pages % 500 == 0:
                print(f"{n_pages} pages", flush=True)
    print(f"{n_pages} pages", flush=True)


def supervise_checked(seconds: float, seed: int, folder: Path | None, findings: Path) -> int:
    """Run `run_checked` in processes until the time is up, and keep the pages that ended one. 1 if one did."""
    findings.mkdir(parents=True, exist_ok=True)
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout
    environment = {
        **os.environ,
        "WEBCLEAN_CORE": str(checkout.CLONE / "build" / "checked"),
        "LD_PRELOAD": library.strip(),  # Python itself is not compiled with it
        "PYTHONMALLOC": "malloc",  # so that texts and lists have marked ends too
        "ASAN_OPTIONS": f"detect_leaks=0:allocator_may_return_null=1:exitcode={_FAULT}",
        "UBSAN_OPTIONS": f"print_stacktrace=1:exitcode={_FAULT}",
    }
    start, n_pages, n_found = time.monotonic(), 0, 0
    while (left := min(_RUN, seconds - (time.monotonic() - start))) > 1:
        last = findings / f"last-{seed}.html"
        command = [sys.executable, __file__, "--child", str(last), "--minutes", str(left / 60), "--seed", str(seed)]
        if folder:
            command += ["--corpus", str(folder)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
        counts = re.findall(r"^(\d+) pages$", done.stdout, re.MULTILINE)
        n_pages += int(counts[-1]) if counts else 0
        if done.returncode:
            n_found += 1
            (findings / f"fault-{seed}.txt").write_text(done.stderr, encoding="utf-8")
            last.rename(findings / f"fault-{seed}.html")
            print(f"seed {seed}: exit code {done.returncode}: {done.stderr[:300]}", flush=True)
            if not counts and n_found > 3 * (n_pages > 0) + 3:
                break  # it does not start
        print(f"{n_pages:,} pages in {time.monotonic() - start:.0f} s, {n_found} faults", flush=True)
        seed += 1
    return int(n_found > 0)


def run_target(name: str, n_runs: int, seed: int, findings: Path | None) -> int:
    """Check so many inputs of a target; each kind of failure is told and kept once, made smaller. 1 if there is one."""
    check, found, n_last = TARGETS[name].check, dict[str, bytes](), 0
    start = time.monotonic()
    for number, data in enumerate(islice(list_inputs(name, seed), n_runs)):
        why = find_target_failure(check, data)
        if why:
            n_last = number + 1
            if why not in found:
                found[why] = shrink(data, why, find=partial(find_target_failure, check))
                print(f"{name}, seed {seed}: {why}: {found[why][:200]!r}", flush=True)
                if findings:
                    findings.mkdir(parents=True, exist_ok=True)
                    digest = hashlib.sha256(found[why]).hexdigest()[:8]
                    (findings / f"{name}-{digest}.bin").write_bytes(found[why])
    seconds = time.monotonic() - start
    print(
        f"{name}: {n_runs:,} inputs in {seconds:.0f} s, {len(found)} findings, the last in input {n_last:,}", flush=True
    )
    close_folders()
    return int(bool(found))


def find_target_failure(check: Callable[[bytes], None], data: bytes) -> str:
    """What fails for an input, '' if nothing does."""
    try:
        check(data)
    except Exception as error:  # whatever is raised is a finding
        return describe_failure(error)
    return ""


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
    known = list(sample)
    pages, digests = [data.hex() for data, _ in known], [digest for _, digest in known]
    code = "import json, sys, fuzz\nfor data in json.load(sys.stdin): print(fuzz.check_page(bytes.fromhex(data)))"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command, given = [sys.executable, "-c", code], json.dumps(pages)
    done = subprocess.run(command, input=given, env=environment, capture_output=True, text=True, check=True)
    return sum(answer != digest for answer, digest in zip(done.stdout.split(), digests, strict=True))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="further pages, as HTML files")
    parser.add_argument(
        "--unchanged", action="store_true", help="check the pages of the corpus as they are, and no others"
    )
    parser.add_argument("--target", choices=sorted(TARGETS), help="other than pages")
    parser.add_argument("--runs", type=int, default=10_000, metavar="N", help="inputs of the target (10000)")
    parser.add_argument("--checked", action="store_true", help="with the core of `build_core.py --checked`")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--findings", type=Path, metavar="DIR", help="where pages that fail are written")
    options = parser.parse_args(arguments)
    if options.child:
        run_checked(60 * options.minutes, options.seed, options.corpus, options.child)
        return 0
    if options.target:
        return run_target(options.target, options.runs, options.seed, options.findings)
    if options.checked:
        findings = options.findings or checkout.CLONE / "build" / "findings"
        return supervise_checked(60 * options.minutes, options.seed, options.corpus, findings)
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
