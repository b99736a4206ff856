"""Feeds, sitemaps and crawls of a site on this machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters import need
from tests.web_sites import Site, publish
from webclean.cli import main
from webclean.errors import InputError
from webclean.web.fetch import FetchLimits

need("scrapy", "crawl")
need("feedparser", "crawl")
parquet = need("pyarrow.parquet", "crawl")

ROOT = Path(__file__).resolve().parents[2]
HTML = {"content-type": "text/html; charset=utf-8"}
XML = {"content-type": "application/xml"}
LOCAL = FetchLimits(allow_private=True)
TEXT = "The {} of the harbour is told here at length, so that whoever comes to the quay in the morning knows of it. "


def make_page(subject: str, *links: str) -> tuple[dict[str, str], bytes]:
    anchors = "".join(f"<li><a {link}</a></li>" for link in links)
    body = f"<title>{subject}</title><main><h1>{subject}</h1><p>{TEXT.format(subject) * 3}</p><ul>{anchors}</ul></main>"
    return HTML, body.encode()


PAGES = {
    "/": make_page(
        "Port", "href=/museum>Museum of glass", "href=/choir>Choir practice", "href=/tides#now>Tide tables",
        "href=/secret/1>Secret", "rel=nofollow href=/ads>Advertisement", "href=/none>Gone",
        "href=https://elsewhere.example/>Elsewhere", "href=/moved>Moved", "href=/map.pdf>Map",
    ),
    "/museum": make_page("Museum of glass", "href=/museum/2>More glass"),
    "/museum/2": make_page("More glass"),
    "/choir": make_page("Choir practice"),
    "/tides": make_page("Tide tables", "href=/>Port", "href=/tides/may>Tide tables of May"),
    "/tides/may": make_page("Tide tables of May"),
    "/secret/1": make_page("Secret"),
    "/ads": make_page("Advertisement"),
    "/moved": ({"location": "http://169.254.1.1/"}, b""),
    "/robots.txt": ({"content-type": "text/plain"}, b"User-agent: *\nDisallow: /secret/\nSitemap: /maps.xml\n"),
    "/maps.xml": (
        XML, b"<sitemapindex><sitemap><loc>/a.xml</loc></sitemap><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>"
    ),
    "/a.xml": (
        XML,
        b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/tides</loc>"
        b"<lastmod>2024-03-01</lastmod></url><url><loc>/choir</loc></url></urlset>",
    ),
    "/feed": (
        {"content-type": "application/rss+xml"},
        b"<rss version='2.0'><channel><title>Port</title><item><title>Tide  tables</title><link>/tides</link>"
        b"<pubDate>Fri, 01 Mar 2024 07:00:00 GMT</pubDate></item><item><title>No link</title></item></channel></rss>",
    ),
    "/front": (
        HTML,
        b"<link rel=alternate type='application/rss+xml' href=/feed><link rel=alternate type=application/atom+xml "
        b"href=/broken><p>Front",
    ),
}  # fmt: skip


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr("webclean.web.discovery._PAUSE", 0)
    with publish() as site:
        site.pages = dict(PAGES)
        yield site


def crawl(site: Site, output: Path, *options: str) -> tuple[list[str], str]:
    """Crawl in a process of its own, for a reactor runs once; the paths of the pages in order, and what was said."""
    command = [sys.executable, "-m", "webclean", "crawl", f"{site.base}/", "-o", str(output), "--delay", "0", *options]
    done = subprocess.run([*command, "--jobs", "1"], capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
    assert "Traceback" not in done.stderr
    if done.returncode:
        return [], done.stderr
    rows = parquet.read_table(output / "pages").to_pylist()
    assert all(row["status"] == "ok" and TEXT.format(row["title"]) in f"{row['text']} " for row in rows)
    return [row["url"].removeprefix(site.base) for row in rows], done.stderr


def test_a_site_is_crawled_into_tables_breadth_first(site: Site, tmp_path: Path) -> None:
    paths, told = crawl(site, tmp_path / "out", "--allow-private")
    assert paths == ["/", "/museum", "/choir", "/tides", "/museum/2", "/tides/may"]
    assert f"6 pages in {tmp_path / 'out'}.warc.gz" in told
    assert "1 HTTP 404" in told
    assert "Forbidden by robots.txt" in told
    assert not {"/secret/1", "/ads", "/map.pdf"} & set(site.asked)
    assert all(agent.startswith("webclean/") for agent in site.agents)
    # the pages as served stay, so that they can be cleaned anew
    again, told = crawl(site, tmp_path / "out", "--allow-private")
    assert (again, "exists already" in told) == ([], True)
    n_asked = len(site.asked)
    assert crawl(site, tmp_path / "out", "--allow-private", "--resume")[0] == paths
    assert len(site.asked) == n_asked


def test_links_on_the_topic_come_first_and_pages_are_counted(site: Site, tmp_path: Path) -> None:
    options = ("--allow-private", "--topic", "tide tables", "--max-pages", "4", "--blocks")
    paths, _ = crawl(site, tmp_path / "out", *options)
    # the next request is chosen while a page is ranked, so a link is overtaken by one other at most
    assert (paths[:2], paths[3], len(paths)) == (["/", "/tides"], "/tides/may", 4)
    assert parquet.read_table(tmp_path / "out" / "blocks").num_rows > 3
    only, _ = crawl(site, tmp_path / "few", "--allow-private", "--follow", "museum", "--max-depth", "1")
    assert only == ["/", "/museum"]


def test_private_addresses_are_not_crawled(site: Site, tmp_path: Path) -> None:
    for base in (site.base, site.base.replace("127.0.0.1", "localhost")):
        site.base = base
        paths, told = crawl(site, tmp_path / "out")
        assert (paths, site.asked) == ([], [])
        assert "could be read" in told
        assert "not a public address" in told
    assert not list(tmp_path.iterdir())


def test_feeds_and_sitemaps_are_listed(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    urls = tmp_path / "urls.txt"
    command = ["links", "--allow-private", f"{site.base}/front"]
    assert main([*command, "--feeds", "-o", str(urls)]) == 0
    line = f"{site.base}/tides\t2024-03-01T07:00:00Z\tTide tables\n"
    assert capsys.readouterr().out == line
    assert urls.read_text() == f"{site.base}/tides\n"
    assert main(["links", "--allow-private", f"{site.base}/feed", "--feeds"]) == 0
    assert capsys.readouterr().out == line
    assert main([*command, "--sitemaps"]) == 0
    tides = f"{site.base}/tides\t2024-03-01\t\n"
    assert capsys.readouterr().out == f"{tides}{site.base}/choir\t\t\n"
    assert main([*command, "--sitemaps", "--top", "1"]) == 0
    assert capsys.readouterr().out == tides
    assert main(["batch", str(urls), "-o", str(tmp_path / "out"), "--allow-private", "--jobs", "1", "--quiet"]) == 0
    assert parquet.read_table(tmp_path / "out" / "pages").column("title").to_pylist() == ["Tide tables"]


def test_what_is_no_feed_or_sitemap_is_told(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    from webclean.web.discovery import list_feed_entries, list_sitemap_entries

    with pytest.raises(InputError, match="is no feed and links to none"):
        list(list_feed_entries(f"{site.base}/choir", LOCAL))
    site.pages["/maps.xml"] = (XML, b"<urlset></urlset>")
    with pytest.raises(InputError, match="names no page"):
        list(list_sitemap_entries(site.base, LOCAL))
    site.pages["/maps.xml"] = (XML, b"no sitemap")
    with pytest.raises(InputError, match="is no sitemap"):
        list(list_sitemap_entries(site.base, LOCAL))
    assert main(["links", f"{site.base}/feed", "--feeds"]) == 2
    assert "not a public address" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["links", "page.html", "--feeds"])
