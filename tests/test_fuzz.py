"""What must hold of every page, over the same broken pages at each run; `benchmarks/fuzz.py` looks at new ones."""

import subprocess
import sys
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fuzz
import pytest
from fuzz_pages import change_pages, draw_pages, pages, read_corpus
from fuzz_properties import PropertyError, check_page
from fuzz_targets import TARGETS, Target, list_inputs
from hypothesis import given, settings

import webclean


@given(pages)
@settings(max_examples=40, derandomize=True, deadline=None)
def test_broken_pages(page: str) -> None:
    check_page(page.encode("utf-8", "surrogatepass"), number=len(page))


@pytest.mark.parametrize(
    "page",
    [
        b"<p>9<n>. <s>H",
        b'<br/><link "/><link "/><e/><f/><g/><div>o<p>a',
        b"<div><div><noscript><div </noscript><</div><p>a",
        b"<!><noscript><div></noscript><div><div>a<ul>t",
        b'<noscript><img src="a</noscript><div>b<p>c',
        b"<strong><h><em>?</em><a href=g><em>C<a><",
        b"m<b><rt =>\xed",
        b"<h2>#",
    ],
)
def test_pages_that_once_had_a_finding(page: bytes) -> None:
    for number in (0, 5):
        check_page(page, number=number)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_what_else_takes_bytes_holds_its_properties(name: str) -> None:
    """All inputs that once had a finding, and the first changed ones; `fuzz.py --target NAME` looks at more."""
    pytest.importorskip("fastwarc", reason="the extra batch")
    pytest.importorskip("starlette", reason="the extra serve")
    if name == "mcp":
        pytest.importorskip("mcp", reason="the extra mcp")
    for data in islice(list_inputs(name, 1), 150):
        TARGETS[name].check(data)


def test_a_finding_of_a_target_is_kept_and_made_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(data: bytes) -> None:
        if b"html" in data:
            raise LookupError("no such thing")

    monkeypatch.setitem(TARGETS, "jsonl", Target(TARGETS["jsonl"].list_seeds, refuse))
    assert fuzz.main(["--target", "jsonl", "--runs", "20", "--findings", str(tmp_path)]) == 1
    assert [path.read_bytes() for path in tmp_path.glob("jsonl-*.bin")] == [b"html"]


def test_changed_fixtures() -> None:
    for number, data in enumerate(islice(change_pages(3, read_corpus(None)), 20)):
        check_page(data, number=number)


def test_a_process_that_a_fault_ends_costs_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The child is played: it ends by a fault at its first seed and by the end of its time at the second."""
    asked: list[list[str]] = []

    def play(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        if command[0] == "gcc":
            return subprocess.CompletedProcess(command, 0, "libasan.so\n")
        asked.append(command)
        last = Path(command[command.index("--child") + 1])
        last.write_bytes(b"<p>" + str(len(asked)).encode())
        assert options["env"]["WEBCLEAN_CORE"].endswith("checked")
        clock.append(clock[-1] + 30)
        code = fuzz._FAULT if len(asked) == 1 else 0
        return subprocess.CompletedProcess(command, code, "500 pages\n612 pages\n", "heap-buffer-overflow" * code)

    clock = [0.0]
    monkeypatch.setattr(fuzz.subprocess, "run", play)
    monkeypatch.setattr(fuzz.time, "monotonic", lambda: clock[-1])
    assert fuzz.supervise_checked(60, 7, None, tmp_path) == 1
    assert [command[command.index("--seed") + 1] for command in asked] == ["7", "8"]
    assert (tmp_path / "fault-7.html").read_bytes() == b"<p>1"
    assert "heap-buffer-overflow" in (tmp_path / "fault-7.txt").read_text()


@pytest.mark.parametrize("fault", ["", "raised", "said"])
def test_whatever_a_checked_page_shows_ends_its_process(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def clean(data: bytes, **_: Any) -> webclean.CleanPage:
        if fault == "raised":
            raise IndexError("out of bounds")
        if fault == "said":
            sys.unraisablehook(SimpleNamespace(exc_value=IndexError("inside"), object="core"))  # type: ignore[arg-type]
        return whole(data)

    def leave(code: int) -> None:
        raise SystemExit(code)

    whole, hook = webclean.clean, sys.unraisablehook
    monkeypatch.setattr(webclean, "clean", clean)
    monkeypatch.setattr(fuzz.os, "_exit", leave)
    monkeypatch.setattr(sys, "unraisablehook", hook)
    last = tmp_path / "last.html"
    if fault:
        with pytest.raises(SystemExit):
            fuzz.run_checked(5, 1, None, last)
        assert "IndexError" in capsys.readouterr().err
    else:
        fuzz.run_checked(0.2, 1, None, last)
        assert capsys.readouterr().err == ""
    assert last.is_file()


def test_the_same_pages_are_drawn_for_a_seed() -> None:
    corpus = read_corpus(None)
    for source in (draw_pages, lambda seed: change_pages(seed, corpus)):
        first, again, other = ([*islice(source(seed), 20)] for seed in (1, 1, 9))
        assert first == again
        assert first != other


def test_a_property_that_does_not_hold_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = webclean.CleanPage.to_html

    def add_script(page: webclean.CleanPage, **options: bool) -> str:
        return whole(page, **options) + ("<script>" if "ferry" in page.text else "")

    monkeypatch.setattr(webclean.CleanPage, "to_html", add_script)
    data = b"<h1>On</h1>" + b"<p>The ferry leaves the harbour at nine, and everyone waits for it there.</p>" * 3
    with pytest.raises(PropertyError, match="<script> in html"):
        check_page(data)
    why = fuzz.Job().find_failure(data)
    small = fuzz.shrink(data, why)
    assert fuzz.Job().find_failure(small) == why
    assert b"ferry" in small
    assert len(small) < 60


def test_another_hash_seed_gives_the_same_results() -> None:
    sample = [(data, str(check_page(data))) for data in islice(draw_pages(5), 6)]
    assert fuzz.compare_processes([*sample, (sample[0][0], "another result")]) == 1
