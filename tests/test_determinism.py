"""Same bytes, same answer: nothing depends on the order that a set of strings happens to have in a process."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import hashlib
from page_folders import find_fixtures, read_fixture
import webclean

digest = hashlib.sha256()
cleaner = webclean.Cleaner()
for folder in find_fixtures()[::4]:
    fixture = read_fixture(folder)
    page = cleaner.clean(fixture.html, url=fixture.url)
    values = page.to_dict()
    digest.update(repr(values).encode())
    table = page.analysis.columns.table
    digest.update(repr([(name, table[name].tolist()) for name in sorted(table)]).encode())
print(digest.hexdigest())
"""


def clean_in_process(seed: str) -> str:
    environment = {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_processes_give_the_same_result() -> None:
    assert clean_in_process("1") == clean_in_process("2")
