"""The kernels run where they were compiled from the sources as they are, and else their twins do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from webclean import kernels

CHECKOUT = Path(__file__).resolve().parents[2]
PROGRAM = (
    "import sys, webclean; from webclean.kernels import IS_COMPILED; "
    "page = webclean.clean(sys.stdin.buffer.read()); "
    "print(IS_COMPILED, page.page_subtype, page.title); print(page.text)"
)


def run(page: bytes, setting: str | None) -> tuple[str, str]:
    environment = {name: value for name, value in os.environ.items() if name != "WEBCLEAN_KERNELS"}
    environment |= {"PYTHONPATH": str(CHECKOUT), "PYTHONIOENCODING": "utf-8"}
    if setting is not None:
        environment["WEBCLEAN_KERNELS"] = setting
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, input=page, env=environment, capture_output=True, check=True).stdout.decode()
    first, _, rest = done.partition(" ")
    return first, rest


def test_the_environment_turns_kernels_off_and_the_answer_stays() -> None:
    page = min((CHECKOUT / "fixtures").glob("content/*/input.html")).read_bytes()
    off, plain = run(page, "off")
    assert off == "False"
    assert run(page, None)[1] == plain


def test_kernels_of_other_sources_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEBCLEAN_KERNELS", raising=False)
    monkeypatch.setattr(kernels, "STAMP", tmp_path / "compiled.txt")
    assert kernels._load() == {}
    kernels.STAMP.write_text("0" * 64, encoding="ascii")
    assert kernels._load() == {}
    if kernels.IS_COMPILED:
        kernels.STAMP.write_text(kernels.hash_sources(), encoding="ascii")
        assert set(kernels._load()) == set(kernels.NAMES)


def test_every_kernel_is_listed() -> None:
    assert {path.stem for path in kernels.FOLDER.glob("*.py")} - {"__init__"} == set(kernels.NAMES)
