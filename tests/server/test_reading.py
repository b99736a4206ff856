"""Reading mode: pages are opened by address, as text or as a file, and what they link to is read in reading mode."""

import re
from html import escape, unescape
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

import webclean
from tests.server.running import ARTICLE
from tests.server.ssrf_forms import list_forms
from tests.web_sites import Site
from webclean.server.service import Metrics, Page, PageStore
from webclean.server.tasks import PageTask, render_reading

HTML = {"content-type": "text/html; charset=utf-8"}
BROWSER = {"accept": "text/html,application/xhtml+xml"}
LINKED = b"""<title>Ferries of the bay</title><h1>Ferries of the bay</h1><p>The ferry leaves the harbour at nine, and
whoever wants a seat by the window <a href="/late?a=1&amp;b=%2F">comes early</a>, or writes to
<a href="mailto:ferry@example.org">the office</a>, or <a href="https://other.example/x#top">asks the others</a>.</p>
<p>In summer <img src="/ferry.png" alt="a ferry" width="300" height="200"> it leaves at eight, and at seven on Sundays.
<a href="javascript:alert(1)">Never</a> late, they say, and never <a href="#foot">early</a> either.</p>"""


def list_links(document: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'<a href="([^"]*)"', document.partition("</nav>")[2])]


def test_links_lead_on_in_reading_mode(client: httpx.Client, site: Site) -> None:
    site.pages["/linked"] = (HTML, LINKED)
    document = client.get("/read", params={"url": f"{site.base}/linked"}).text
    links = list_links(document)
    targets = [parse_qs(urlsplit(link).query)["url"][0] for link in links if link.startswith("/read?")]
    assert f"{site.base}/late?a=1&b=%2F" in targets
    assert "https://other.example/x#top" in targets
    assert "mailto:ferry@example.org" in links
    assert not [link for link in links if "javascript" in link or "alert" in link]
    site.pages["/late?a=1&b=%2F"] = (HTML, ARTICLE)
    followed = client.get(next(link for link in links if "late" in link))
    assert "without losing your temper" in followed.text
    assert site.asked[-1] == "/late?a=1&b=%2F"


def test_the_bar_leads_to_the_page_itself_and_to_its_inspection(client: httpx.Client, site: Site) -> None:
    url = f"{site.base}/article"
    bar = client.get("/read", params={"url": url}).text.partition("<nav")[2].partition("</nav>")[0]
    links = [unescape(link) for link in re.findall(r'href="([^"]*)"', bar)]
    assert links == ["/", url, f"/inspect?url={url.replace(':', '%3A').replace('/', '%2F')}"]


def test_a_page_is_fetched_once_for_reading_on(client: httpx.Client, site: Site) -> None:
    site.pages["/once"] = (HTML, LINKED)
    site.asked.clear()
    first = client.get("/read", params={"url": f"{site.base}/once"})
    again = client.get("/read", params={"url": f"{site.base}/once", "images": "0"})
    assert site.asked == ["/once"]
    assert "<img" in first.text
    assert "<img" not in again.text


def test_no_script_may_run_and_nothing_but_images_load(client: httpx.Client, site: Site) -> None:
    answer = client.get("/read", params={"url": f"{site.base}/article"})
    policy = answer.headers["content-security-policy"]
    directives = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert "script-src" not in directives
    assert "allow-scripts" not in directives["sandbox"]
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("how", ["pasted", "file", "both"])
def test_pasted_html_and_files_are_opened(client: httpx.Client, how: str) -> None:
    fields = {"url": "example.org/ferries/1", "to": "read"}
    gbk = "<h1>河</h1><p>河水从山上流下来，经过十一座城镇，一直流到大海。每座城镇都有自己的桥。</p>".encode("gbk")
    files = {"file": ("page.html", gbk if how == "file" else LINKED, "text/html")} if how != "pasted" else None
    if how != "file":
        fields["html"] = LINKED.decode() if how == "pasted" else "<p>not this</p>"
    answer = client.post("/open", data=fields, files=files, follow_redirects=True)
    assert answer.status_code == 200
    assert answer.history[0].status_code == 303
    if how == "file":
        assert "十一座城镇" in answer.text
        return
    assert "seat by the window" in answer.text
    assert "/read?url=https%3A%2F%2Fexample.org%2Flate%3Fa%3D1%26b%3D%252F" in list_links(answer.text)
    assert client.get(str(answer.url)).text == answer.text


def test_an_address_alone_is_read_or_inspected(client: httpx.Client, site: Site) -> None:
    answer = client.post("/open", data={"url": f" {site.base}/article ", "to": "inspect"})
    assert answer.headers["location"].startswith("/inspect?url=http%3A%2F%2F127.0.0.1")
    answer = client.post("/open", data={"url": "example.org/a", "to": "read"})
    assert answer.headers["location"] == "/read?url=https%3A%2F%2Fexample.org%2Fa"
    assert client.post("/open", data={"url": "  "}, headers=BROWSER).status_code == 422
    assert client.get("/read").headers["location"] == "/"


def test_failures_are_pages_for_browsers_and_problems_for_programs(client: httpx.Client, site: Site) -> None:
    for url, status, text in (
        (f"{site.base}/missing", 502, "HTTP 404 Not Found"),
        ("file:///etc/passwd", 502, "only http and https"),
        ('https://<script>alert("x")</script>/', 502, "unknown host"),
    ):
        answer = client.get("/read", params={"url": url}, headers=BROWSER)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert 'role="alert"' in answer.text
        assert text in answer.text
        assert "<script>alert" not in answer.text
    gone = client.get("/read", params={"page": "no-such-page"}, headers=BROWSER)
    assert gone.status_code == 410
    assert client.get("/read", params={"page": "no-such-page"}).json()["kind"] == "gone"
    assert "text/html" in client.get("/no/such/path", headers=BROWSER).headers["content-type"]
    assert client.get("/v1/clean", headers=BROWSER).headers["content-type"] == "application/problem+json"


def test_pages_are_kept_within_limits_of_bytes_and_time() -> None:
    store = PageStore(10_000, 3_600, Metrics().stored)
    first = store.put(Page(b"x" * 4_000))
    second = store.put(Page(b"y" * 4_000), "url https://example.org/")
    assert store.get(first) == Page(b"x" * 4_000)
    assert second == "url https://example.org/"
    third = store.put(Page(b"z" * 4_000))
    assert [store.get(key) is None for key in (first, second, third)] == [False, True, False]
    assert store.get(store.put(Page("w" * 6_000))) is None  # a character may take two bytes
    assert len({store.put(Page(b"")) for _ in range(5)}) == 5
    short = PageStore(10_000, 0.0, Metrics().stored)
    assert short.get(short.put(Page(b"x"))) is None


def test_own_pages_run_no_script_of_others(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert not re.search(r"<script(?! type=\"module\" src=\"/static/)", page.text)
    assert " on" not in "".join(re.findall(r"<[^>]*>", page.text)).replace(" one", "")
    assert "javascript" in client.get("/static/home.js").headers["content-type"]
    assert client.get("/static/../app.py").status_code == 404
    for path in ("/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        assert client.get(path).status_code == 404


def test_reading_is_what_the_library_renders(client: httpx.Client, site: Site) -> None:
    url = f"{site.base}/article"
    shown = client.get("/read", params={"url": url}).text
    expected = webclean.clean(ARTICLE, url=url).to_mobile_html()
    bar = shown[shown.index('<nav aria-label="webclean"') : shown.index("</nav>\n") + 7]
    unlinked = re.sub(r'<a href="[^"]*"', "<a", shown.replace(bar, ""))
    assert unlinked.split() == re.sub(r'<a href="[^"]*"', "<a", expected).split()


def test_images_of_a_page_lead_to_no_network_of_its_reader() -> None:
    """A browser sends the requests, so that they reach what stands beside the reader, and this server itself."""
    names = ("/metrics", "metrics", "//printer/", "http://printer/", "http://nas.local/", "http://a.internal./")
    local = [*list_forms(8), *names]
    shown = ["https://example.org/a.png", "http://8.8.8.8/b.png", "data:image/png;base64," + "A" * 600]
    images = "".join(f'<p><img src="{escape(url)}" alt="picture {n}"></p>' for n, url in enumerate(shown + local))
    task = PageTask(f"<h1>Ferries</h1>{'<p>The ferry leaves at nine, and everyone waits for it.</p>' * 9}{images}")
    document = render_reading(task, query={"page": "x"})
    assert isinstance(document, str)
    sources = re.findall(r'<img[^>]* src="([^"]*)"', document)
    assert set(sources) == set(shown)
    assert "picture 3" in document
    at_home = render_reading(task, query={"page": "x"}, private_images=True)
    assert 'src="http://127.0.0.1:8/secret"' in str(at_home)
