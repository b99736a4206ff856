"""One cleaner shared by threads, forked and spawned processes gives the same results, and keeps nothing of a page.

`python benchmarks/endurance.py` does the same with as many pages as are asked for.
"""

from __future__ import annotations

import multiprocessing

import endurance
import pytest

import webclean

PAGES = sorted(endurance.read_pages(), key=lambda page: len(page[0]))[:24]
"""The short ones, for all that counts here is how many there are."""


def test_eight_threads_give_what_one_gives() -> None:
    alone = endurance.clean_in_threads(PAGES, 36, n_threads=1)
    assert len(set(alone)) == len(PAGES)
    assert endurance.clean_in_threads(PAGES, 36, n_threads=8) == alone


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_give_what_one_gives(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    pages = PAGES[:6]
    assert endurance.clean_in_processes(pages, method) == endurance.clean_in_threads(pages, 6, n_threads=1)


def test_memory_does_not_grow_with_the_number_of_pages() -> None:
    growth = endurance.measure_growth(PAGES[:6], n_pages=36, n_first=12)
    assert growth.n_objects < 1_000
    assert growth.n_bytes < 500_000


def test_what_is_kept_of_pages_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    clean = endurance.digest_page

    def keep(cleaner: webclean.Cleaner, page: endurance.Page) -> str:
        kept.append(bytearray(99_999))
        return clean(cleaner, page)

    monkeypatch.setattr(endurance, "digest_page", keep)
    assert endurance.measure_growth(PAGES[:2], n_pages=12, n_first=4).n_bytes > 700_000
