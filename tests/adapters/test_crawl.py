"""Feeds, sitemaps and crawls of a site on this machine."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import write_file
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


def make_chain(path: str) -> tuple[dict[str, str], bytes]:
    """A page of a calendar without end, each with the next day and with the number of a session."""
    number = int(path.rpartition("/")[2].partition("?")[0] or 0)
    return make_page(f"Day {number} of the tide", f"href=/deep/{number + 1}?sid={number}>Tide of day {number + 1}")


def test_an_endless_chain_is_left_and_links_of_no_promise_are_followed_from_the_start(
    site: Site, tmp_path: Path
) -> None:
    for n in range(40):
        site.pages[f"/deep/{n}"] = make_chain(f"/deep/{n}")
    shops = [f"href=/shop-{chr(97 + n)}>Shop {chr(97 + n)}" for n in range(15)]
    site.pages["/"] = make_page("Port", "href=/deep/0>Tide of day 0", *shops, "href=/choir>Choir practice")
    site.pages |= {f"/shop-{chr(97 + n)}": make_page(f"Shop {chr(97 + n)}") for n in range(15)}
    paths, told = crawl(site, tmp_path / "out", "--allow-private", "--topic", "tides", "--max-pages", "25")
    assert sum(path.startswith("/deep/") for path in paths) == 6
    assert "chains of addresses alike" in told
    assert [path for path in paths if "shop" in path] == [f"/shop-{chr(97 + n)}" for n in range(15)]
    assert not [path for path in paths if "sid=" in path]


def test_a_site_says_how_it_is_crawled(site: Site, tmp_path: Path) -> None:
    times: dict[str, float] = {}

    def serve(path: str) -> tuple[dict[str, str], bytes]:
        times.setdefault(path, time.monotonic())
        pages = {
            "/": make_page("Port", "href=/one>One", "href=/two>Two", "href=/three>Three"),
            "/one": ({**HTML, "x-robots-tag": "noarchive, nofollow"}, make_page("One", "href=/hidden/1>H")[1]),
            "/two": make_page("Two", "href=/hidden/2>H"),
            "/three": ({**HTML, "x-robots-tag": "googlebot: nofollow"}, make_page("Three", "href=/four>Four")[1]),
            "/four": make_page("Four"),
        }
        headers, body = pages[path]
        return headers, (b"<META NAME=Robots content='NoIndex,NoFollow'>" + body if path == "/two" else body)

    site.pages = dict.fromkeys(("/", "/one", "/two", "/three", "/four"), serve)
    site.pages["/robots.txt"] = ({"content-type": "text/plain"}, b"User-agent: *\nCrawl-delay: 0.5\n")
    paths, told = crawl(site, tmp_path / "out", "--allow-private")
    assert paths == ["/", "/one", "/two", "/three", "/four"]
    assert "2 links of pages marked nofollow" in told
    assert max(times.values()) - min(times.values()) > 4 * 0.5 - 0.3


def test_retry_after_is_waited_for(site: Site, tmp_path: Path) -> None:
    times: list[float] = []

    def serve(path: str) -> tuple[dict[str, str], bytes]:
        times.append(time.monotonic())
        return ({":status": "503", "retry-after": "1"}, b"") if len(times) == 1 else make_page("Choir practice")

    site.pages = {"/": make_page("Port", "href=/choir>Choir practice"), "/choir": serve}
    assert crawl(site, tmp_path / "out", "--allow-private")[0] == ["/", "/choir"]
    assert times[1] - times[0] > 0.6


def test_a_killed_crawl_goes_on_without_asking_again(site: Site, tmp_path: Path) -> None:
    out, killed = tmp_path / "out", threading.Event()
    paths = ["/museum", "/choir", "/tides", "/moor"]
    links = [f"href={path}>{path[1:]} of the port" for path in paths]
    site.pages = {"/": make_page("Port", *links)} | {path: make_page(path[1:], *links) for path in paths}

    def stop(path: str) -> tuple[dict[str, str], bytes]:
        if not killed.is_set():
            killed.set()
            process.kill()
        return make_page(path[1:])

    site.pages["/tides"] = stop
    command = [sys.executable, "-m", "webclean", "crawl", f"{site.base}/", "-o", str(out), "--delay", "0"]
    process = subprocess.Popen([*command, "--allow-private"], cwd=ROOT, stderr=subprocess.DEVNULL)
    assert process.wait(60) != 0
    cache = tmp_path / "out.crawl"
    written = sorted(cache.rglob("request_body"), key=lambda path: path.stat().st_mtime_ns)
    written[-1].unlink()  # the answer that was being written
    assert crawl(site, out, "--allow-private") == ([], f"webclean: {cache} exists already: --resume goes on with the "
        "crawl that was stopped, or name another folder\n")  # fmt: skip
    n_asked = len(site.asked)
    again, told = crawl(site, out, "--allow-private", "--resume")
    assert again == ["/", *paths]
    assert f"goes on with the answers that are in {cache}" in told
    assert site.asked[n_asked:] == ["/choir", "/tides", "/moor"]
    assert not cache.exists()


def test_private_addresses_are_not_crawled(site: Site, tmp_path: Path) -> None:
    for base in (site.base, site.base.replace("127.0.0.1", "localhost")):
        site.base = base
        paths, told = crawl(site, tmp_path / "out")
        assert (paths, site.asked) == ([], [])
        assert "could be read" in told
        assert "not a public address" in told
    assert not list(tmp_path.iterdir())


def test_feeds_and_sitemaps_are_listed(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["links", "--allow-private", f"{site.base}/front"]
    assert main([*command, "--feeds"]) == 0
    line = f"{site.base}/tides\t2024-03-01T07:00:00Z\tTide tables\n"
    assert capsys.readouterr().out == line
    urls = write_file(tmp_path / "urls.txt", line)
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
