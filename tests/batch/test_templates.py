"""Templates are learnt from the same pages of a site in any order, as few of a large site as of others."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from archives import Sample, read_rows, write_warc

from webclean.batch.job import choose_sample, rank_page, run_job, sample_source
from webclean.batch.sources import list_sources
from webclean.batch.tables import Shape
from webclean.batch.work import Job, Plan
from webclean.pipeline import Cleaner

from .site_pages import write_page, write_sites

pytest.importorskip("pyarrow", reason="jobs need the extra batch")
pytest.importorskip("fastwarc", reason="web archives need the extra batch")

CLEANER = Cleaner()
NOTICE = "ninety years"


def sample(path: Path, n_pages: int, number: int = 0) -> list[dict[str, object]]:
    plan = Plan(Job((), path.parent, CLEANER, shape=Shape()), list_sources([str(path)], 100).found)
    return list(sample_source(plan, number, n_pages))


def test_a_sample_has_the_pages_of_the_smallest_ranks_of_each_site(tmp_path: Path) -> None:
    pages = [write_page("a.com", number) for number in range(200)] + [
        write_page("b.com", number) for number in range(5)
    ]
    rows = sample(write_warc(tmp_path / "a.warc.gz", pages), 10)
    for site, n_all in (("a.com", 200), ("b.com", 5)):
        found = [row for row in rows if row["site"] == site]
        ranks = sorted(rank_page(page.url) for page in pages if f".{site}/" in page.url)
        assert [row["rank"] for row in choose_sample(found, 10)] == ranks[:10]
        assert len(found) <= min(n_all, 60)
    halves = [sample(write_warc(tmp_path / f"{i}.warc.gz", reversed(pages[i::2])), 10) for i in (0, 1)]
    both = [row for row in halves[0] + halves[1] + halves[0] if row["site"] == "a.com"]
    assert choose_sample(both, 10) == choose_sample([row for row in rows if row["site"] == "a.com"], 10)
    first = choose_sample(both, 1)[0]
    assert zlib.decompress(first["packed"]) == next(page.html for page in pages if page.url == first["url"])


def test_pages_without_an_address_are_in_no_sample(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<p>no address")
    pages = [replace(write_page("a.com", 1), html=b""), write_page("b.com", 1)]
    assert [row["site"] for row in sample(write_warc(tmp_path / "empty.warc.gz", pages), 10)] == ["b.com"]
    (tmp_path / "empty.warc.gz").unlink()
    (tmp_path / "b.html").write_bytes(b"<link rel=canonical href=https://news.b.com/x><p>its own")
    assert [row["site"] for row in sample(tmp_path, 10)] == []
    plan = Plan(Job((), tmp_path, CLEANER, shape=Shape(canonical=True)), list_sources([str(tmp_path)], 100).found)
    rows = list(sample_source(plan, 0, 10))
    assert [(row["site"], row["url"]) for row in rows] == [("b.com", "https://news.b.com/x")]


def test_what_repeats_on_a_site_is_no_text_of_its_pages(tmp_path: Path) -> None:
    pages = [*write_sites(30, 12, 3), Sample("lone", write_page("lone.net", 1).html, "https://lone.net/1")]
    for i in (0, 1):
        write_warc(tmp_path / f"{i}.warc.gz", pages[i::2])
    inputs = tuple(str(tmp_path / f"{i}.warc.gz") for i in (0, 1))
    run_job(Job(inputs, tmp_path / "plain", CLEANER, jobs=1))
    assert sum(NOTICE in row["text"] for row in read_rows(tmp_path / "plain")) == 67
    job = Job(inputs, tmp_path / "out", CLEANER, jobs=1, site_pages=20)
    run_job(job)
    rows = read_rows(tmp_path / "out")
    assert {row["url"] for row in rows if NOTICE in row["text"]} == {"https://lone.net/1"}
    assert all(f"Story {row['url'].rpartition('/')[2]}" in row["text"] for row in rows)
    learnt = tmp_path / "out" / "rules" / "sites"
    names = ["big-paper.com.yaml", "paper-0.org.yaml", "paper-1.org.yaml", "paper-2.org.yaml"]
    assert sorted(path.name for path in learnt.iterdir()) == names
    assert "Learnt from 20 pages" in (learnt / names[0]).read_text()
    mark = json.loads((tmp_path / "out" / "_parts" / "sites.json").read_text())
    assert (mark["sites"], mark["with_rules"], mark["problems"]) == (4, 4, {})
    assert not list(tmp_path.rglob("*.webclean-part"))
