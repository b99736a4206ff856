"""One cleaner shared by threads, forked and spawned processes gives the same results, and keeps nothing of a page.

Results and cleaners go from process to process and are copied.
"""

import copy
import gc
import hashlib
import json
import multiprocessing
import pickle
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path

import pytest
from page_folders import find_fixtures, read_fixture

import webclean
from tests import write_file
from webclean.page import CleanPage

Page = tuple[bytes, str | None]
"""Bytes and URL."""
PAGES = sorted(((page.html, page.url) for page in map(read_fixture, find_fixtures())), key=lambda page: len(page[0]))[
    :24
]
"""The short ones, for all that counts here is how many there are."""


def digest_page(cleaner: webclean.Cleaner, page: Page) -> str:
    """A digest of all that is made of a page."""
    cleaned = cleaner.clean(page[0], url=page[1])
    made = (json.dumps(cleaned.to_dict(include_reasons=True)), cleaned.to_markdown(), cleaned.to_mobile_html())
    return hashlib.sha256("\0".join(made).encode("utf-8", "surrogatepass")).hexdigest()


def digest_apart(page: Page) -> str:
    return digest_page(webclean.Cleaner(), page)


def clean_in_threads(pages: Sequence[Page], n_pages: int, n_threads: int) -> list[str]:
    """The digests of the pages, again from the start until there are enough, in threads that share one cleaner."""
    cleaner = webclean.Cleaner()
    with ThreadPoolExecutor(n_threads) as threads:
        return list(threads.map(lambda page: digest_page(cleaner, page), islice(cycle(pages), n_pages)))


def measure_growth(
    pages: Sequence[Page], n_pages: int, n_first: int, digest: Callable[[webclean.Cleaner, Page], str] = digest_page
) -> tuple[int, int]:
    """Objects and bytes that Python holds after `n_pages` more than after `n_first`."""
    cleaner = webclean.Cleaner()
    tracemalloc.start()
    try:
        for at, page in enumerate(islice(cycle(pages), n_pages)):
            if at == n_first:
                gc.collect()
                before = len(gc.get_objects()), tracemalloc.get_traced_memory()[0]
            digest(cleaner, page)
        gc.collect()
        return len(gc.get_objects()) - before[0], tracemalloc.get_traced_memory()[0] - before[1]
    finally:
        tracemalloc.stop()


def test_eight_threads_give_what_one_gives() -> None:
    alone = clean_in_threads(PAGES, 36, 1)
    assert len(set(alone)) == len(PAGES)
    assert clean_in_threads(PAGES, 36, 8) == alone


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_give_what_one_gives(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    here = clean_in_threads(PAGES[:6], 6, 1)  # before the others start
    with multiprocessing.get_context(method).Pool(2) as processes:
        assert processes.map(digest_apart, PAGES[:6], chunksize=1) == here


def test_memory_does_not_grow_with_the_number_of_pages() -> None:
    n_objects, n_bytes = measure_growth(PAGES[:6], n_pages=36, n_first=12)
    assert n_objects < 1_000
    assert n_bytes < 500_000


def test_what_is_kept_of_pages_is_seen() -> None:
    kept = []

    def keep(cleaner: webclean.Cleaner, page: Page) -> str:
        kept.append(bytearray(99_999))
        return digest_page(cleaner, page)

    assert measure_growth(PAGES[:2], 12, 4, keep)[1] > 700_000


FIXTURES = Path(__file__).parent.parent / "fixtures"
STORIES = [FIXTURES / name / "input.html" for name in ("content/news-en-harbour", "index/forum-board")]
FORMATS = ("text", "markdown", "html")
RULE = "rules: {{notes: {{when: {{selector: aside}}, action: {action}, because: notes stand there}}}}"


def describe(page: CleanPage) -> list[object]:
    return [page.to_dict(include_reasons=True), page.to_mobile_html(), *map(page.render, FORMATS)]


def store(page: CleanPage) -> CleanPage:
    return pickle.loads(pickle.dumps(page))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.parent.name)
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda page: pickle.loads(pickle.dumps(page))], ids=["copy", "pickle"]
)
def test_a_copy_of_a_page_is_the_page(path: Path, copied: object) -> None:
    page = webclean.clean(path.read_bytes(), url="https://example.org/a/b")
    twin = copied(page)  # type: ignore[operator]
    assert describe(twin) == describe(page)


def test_a_copy_holds_what_was_decided_and_no_columns() -> None:
    page = webclean.clean(STORIES[0].read_bytes(), url="https://example.org/")
    twin = pickle.loads(pickle.dumps(page))
    assert (twin.text, twin.title, twin.page_type, twin.url) == (page.text, page.title, page.page_type, page.url)
    assert [block.links for block in twin.blocks] == [block.links for block in page.blocks]
    assert "analysis" not in vars(twin)
    assert len(pickle.dumps(page)) < 4 * len(STORIES[0].read_bytes()) + 100_000


def test_a_copy_is_no_other_page_when_the_rules_have_changed(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", RULE.format(action="keep"))
    stored = pickle.dumps(webclean.clean(STORIES[0].read_bytes(), rules=rules))
    rules.write_text(RULE.format(action="drop"))
    twin = pickle.loads(stored)
    assert twin.text
    with pytest.raises(webclean.RuleError, match="rules have changed"):
        twin.to_markdown()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pages_are_cleaned_in_other_processes(method: str) -> None:
    pages = [path.read_bytes() for path in STORIES]
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        found = list(pool.map(webclean.clean, pages))
        again = list(pool.map(webclean.Cleaner(profile="recall").clean, pages))
    assert [page.text for page in found] == [webclean.clean(page).text for page in pages]
    assert [page.text for page in again] == [webclean.clean(page, profile="recall").text for page in pages]
