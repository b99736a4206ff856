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

--target: files that hold a page (container), batch readers (warc, arc, gzip, zstd, jsonl, parquet), rule files (rules),
the API (api) and tools of models (mcp), as `fuzz_targets.py` says; `fuzz_coverage.py --target NAME` looks for inputs of
theirs that reach new code.

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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Final

import checkout
from fuzz_pages import change_pages, draw_pages, read_corpus
from fuzz_properties import LIMITS, URL, PropertyError, check_page, write_all
from fuzz_targets import TARGETS, list_inputs

import webclean

_N_SAMPLE: Final = 40
_FAULT: Final = 86
"""Exit code that the address sanitizer is told to use."""
_RUN: Final = 300.0
"""Seconds of a process that checks itself, after which it says how many pages it saw and another one goes on."""


@dataclass(frozen=True, slots=True)
class Job:
    """What one process looks at, until its time is up or it has seen so many inputs.

    target: of `fuzz_targets.py`; '' for pages. corpus: folder of further pages. unchanged: these as they are.
    """

    target: str = ""
    seed: int = 1
    seconds: float = float("inf")
    runs: int | None = None
    corpus: Path | None = None
    unchanged: bool = False

    def list_inputs(self) -> Iterator[bytes]:
        """The inputs, the same for a seed."""
        if self.target:
            return list_inputs(self.target, self.seed)
        pages = read_corpus(self.corpus)
        if self.unchanged:
            return iter(pages)
        drawn = zip(draw_pages(self.seed * 1_000_000), change_pages(self.seed, pages), strict=True)
        return chain.from_iterable(drawn)

    def check(self, data: bytes, number: int = 0) -> str | None:
        """A digest of what a page gives, None for one that a limit refused and for other inputs; raises what fails."""
        if not self.target:
            return check_page(data, number=number)
        TARGETS[self.target].check(data)
        return None

    def find_failure(self, data: bytes, number: int = 0) -> str:
        """What fails for an input, '' if nothing does."""
        try:
            self.check(data, number)
        except Exception as error:  # whatever is raised is a finding
            return describe_failure(error)
        return ""


@dataclass(slots=True)
class Tally:
    """What a run did."""

    n_inputs: int = 0
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


def shrink(data: bytes, why: str, job: Job = Job(), seconds: float = 30.0) -> bytes:
    """A smaller input that fails in the same way: pieces are left out, half of it first, then smaller ones."""
    end = time.monotonic() + seconds
    size = max(1, len(data) // 2)
    while time.monotonic() < end:
        at, is_smaller = 0, False
        while at < len(data) and time.monotonic() < end:
            less = data[:at] + data[at + size :]
            if job.find_failure(less) == why:
                data, is_smaller = less, True
            else:
                at += size
        if size == 1 and not is_smaller:
            break
        size = max(1, size // 2)
    return data


def run_job(job: Job) -> Tally:
    """Check inputs; each kind of failure is told and kept once, made smaller."""
    tally, start, rng = Tally(), time.monotonic(), random.Random(job.seed)
    for data in islice(job.list_inputs(), job.runs):
        tally.n_inputs += 1
        try:
            digest = job.check(data, tally.n_inputs)
        except Exception as error:  # whatever is raised is a finding
            why = describe_failure(error)
            if why not in tally.findings:
                print(f"input {tally.n_inputs} of seed {job.seed}: {why}: {str(error)[:200]}", flush=True)
                tally.findings[why] = shrink(data, why, job) if job.find_failure(data) == why else data
            continue
        finally:
            tally.seconds = time.monotonic() - start
        if digest is None:
            tally.n_refused += not job.target
        elif len(tally.sample) < _N_SAMPLE:
            tally.sample.append((data, digest))
        elif rng.random() < _N_SAMPLE / tally.n_inputs:
            tally.sample[rng.randrange(_N_SAMPLE)] = (data, digest)
        if tally.seconds > job.seconds:
            break
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
    with contextlib.suppress(KeyboardInterrupt):
        for data in Job(seed=seed, corpus=folder).list_inputs():
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
            if time.monotonic() - start > seconds:
                break
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
    findings = options.findings or checkout.CLONE / "build" / "findings"
    if options.checked:
        return supervise_checked(60 * options.minutes, options.seed, options.corpus, findings)
    seconds = 60 * options.minutes
    jobs = [Job("", options.seed + at, seconds, None, options.corpus) for at in range(options.jobs)]
    if options.target or options.unchanged:  # as many as asked for, however long that takes
        runs = options.runs if options.target else None
        jobs = [Job(options.target or "", options.seed, runs=runs, corpus=options.corpus, unchanged=options.unchanged)]
    if len(jobs) > 1:
        with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
            tallies = pool.map(run_job, jobs)
    else:
        tallies = [run_job(jobs[0])]
    return report(tallies, options.target or "page", findings if options.findings else None)


def report(tallies: Sequence[Tally], name: str, folder: Path | None) -> int:
    """Say what was found, write it into a folder, and give the exit code."""
    n_inputs, seconds = sum(tally.n_inputs for tally in tallies), max(tally.seconds for tally in tallies)
    n_refused, sample = sum(tally.n_refused for tally in tallies), [pair for tally in tallies for pair in tally.sample]
    n_other = compare_processes(sample) if sample else 0
    findings = {why: data for tally in tallies for why, data in tally.findings.items()}
    print(f"{n_inputs:,} inputs ({name}) in {seconds:.0f} s; {n_refused} refused, {len(findings)} findings")
    print(f"another result with another hash seed: {n_other} of {len(sample)}")
    for why, data in sorted(findings.items()):
        print(f"{why}\n    {data[:300]!r}")
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"{name}-{hashlib.sha256(data).hexdigest()[:8]}.bin"
            file.write_bytes(data)
            file.with_suffix(".txt").write_text(f"{why}\n", encoding="utf-8")
    return int(bool(findings or n_other))


if __name__ == "__main__":
    raise SystemExit(main())
