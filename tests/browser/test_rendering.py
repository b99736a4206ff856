"""Pages that scripts fill, rendered by a real Chromium that asks nothing but what was checked."""

import asyncio
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import webclean
from tests import write_file
from tests.browser.conftest import NAMES, give_up
from tests.web_sites import Handler, run_site
from webclean.cli import main
from webclean.errors import FetchError, InputError
from webclean.web import rendering
from webclean.web.fetch import Fetched, FetchLimits
from webclean.web.rendering import fetch_page, find_reason, render_bytes

TEXT = "The tide rises twice a day in the bay of the town, as the master of the harbour wrote in his book. " * 3
SHELL = '<title>Tides</title><div id="root">Loading</div><img src="/photo.png"><script src="/app.js"></script>'
APP = """fetch("/api/tides.json").then(answer => answer.json()).then(data => {
  root.innerHTML = "<h1>Tides of the bay</h1>" + data.map(line => "<p>" + line + "</p>").join("")
})"""
FILES = {
    "/": ("text/html; charset=utf-8", SHELL),
    "/app.js": ("text/javascript", APP),
    "/api/tides.json": ("application/json", f'["{TEXT}", "Größe der Flut: 4 m am Kai."]'),
    "/static": ("text/html", f"<title>Tides</title><p>{TEXT}</p><script>document.body.append('By a script.')</script>"),
    "/hang": ("text/html", "<p>Loading</p><script>while (true) {}</script>"),
    "/busy": ("text/html", "<p id=a>Loading</p><script>setInterval(() => fetch('/api/tides.json?' + Date.now()), 20);"
              f"a.textContent = '{TEXT}'</script>"),
}  # fmt: skip
LOCAL = FetchLimits(allow_private=True, max_seconds=60)
# the pipes of Playwright's driver may be collected after the event loop that they belonged to
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Site(Handler):
    asked: list[str] = []

    def respond(self) -> None:
        self.asked.append(self.path)
        kind, body = FILES.get(self.path.partition("?")[0], ("", ""))
        self.answer(200 if body else 404, {"Content-Type": kind}, body.encode())


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if find_spec("playwright") is None or not any(map(shutil.which, NAMES)):
        give_up("playwright or Chromium is not installed")
    with run_site(Site) as url:
        yield url


def test_a_page_is_rendered_when_it_shows_nothing_and_says_so(server: str) -> None:
    Site.asked.clear()
    page = fetch_page(f"{server}/", limits=LOCAL, render="when_needed")
    assert " ".join(TEXT.split()) in page.text
    assert "Größe der Flut: 4 m am Kai." in page.text
    assert page.title == "Tides of the bay"
    assert page.url == f"{server}/"
    assert page.warnings[0] == (
        "the page was rendered by a browser, because it shows next to nothing without its scripts"
    )
    assert Site.asked == ["/", "/app.js", "/api/tides.json"]


def test_a_page_that_shows_its_text_is_not_rendered_unless_always(server: str) -> None:
    static = fetch_page(f"{server}/static", limits=LOCAL, render="when_needed")
    assert static.warnings == ()
    rendered = fetch_page(f"{server}/static", limits=LOCAL, render="always")
    assert "By a script." in "".join(block.text for block in rendered.blocks)
    assert rendered.warnings == ("the page was rendered by a browser, as was asked for",)


def test_nothing_is_rendered_by_default(server: str) -> None:
    page = fetch_page(f"{server}/", limits=LOCAL)
    assert page.warnings == ("the page shows next to nothing without its scripts: a browser may show more",)
    assert page.is_bare


@pytest.mark.parametrize(("rule", "render", "shell", "full"), [
    ("when_empty", "never", False, False), ("when_empty", "when_needed", True, False),
    ("when_empty", "always", True, True), ("always", "never", False, False), ("always", "when_needed", True, True),
    ("never", "when_needed", False, False), ("never", "always", True, True),
])  # fmt: skip
def test_rules_say_which_pages_are_rendered(rule: str, render: Any, shell: bool, full: bool, tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", f"version: 1\nscript_pages: {{render: {rule}}}\n")
    cleaner = webclean.Cleaner(rules=rules)
    pages = [cleaner.clean(SHELL), cleaner.clean(f"<p>{TEXT}</p><script></script>")]
    assert [bool(find_reason(page, render)) for page in pages] == [shell, full]


def test_the_browser_asks_no_address_that_is_not_public(server: str) -> None:
    """The page is as if from the web; what it wants of this machine it does not get, whichever way it asks."""
    Site.asked.clear()
    host = server.removeprefix("http://")
    markup = f"""<p id="a">Loading</p><iframe src="{server}/frame"></iframe><script src="{server}/script.js"></script>
    <script>
    const tried = [fetch("{server}/fetch"), fetch("http://localhost:{host.partition(":")[2]}/name"),
                   fetch("{server}/post", {{method: "POST", body: "x"}})]
    new Image().src = "{server}/image"
    navigator.sendBeacon("{server}/beacon")
    new Promise((_, no) => {{ const s = new WebSocket("ws://{host}/socket"); s.onclose = s.onerror = no }})
    Promise.allSettled(tried).then(all => {{ a.textContent = all.map(one => one.status).join(" ") }})
    </script>"""
    served = Fetched("http://page.example/", markup.encode(), "text/html", "utf-8")
    shown = render_bytes(served, FetchLimits(max_seconds=60))
    assert b"rejected rejected rejected" in shown.body
    assert Site.asked == []


def test_time_is_limited(server: str) -> None:
    with pytest.raises(FetchError, match=r"took longer than 4 s|cannot be rendered"):
        fetch_page(f"{server}/hang", limits=FetchLimits(allow_private=True, max_seconds=4), render="always")


def test_requests_are_limited_and_what_is_there_is_taken(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Site.asked.clear()
    monkeypatch.setattr(rendering, "_MAX_IDLE_SECONDS", 4.0)  # enough of a page that never stops asking
    page = fetch_page(f"{server}/busy", limits=LOCAL, render="always")
    assert " ".join(TEXT.split()) in page.text
    assert len(Site.asked) <= 201


def test_rendering_works_where_an_event_loop_runs(server: str) -> None:
    async def fetch() -> webclean.CleanPage:
        return fetch_page(f"{server}/", limits=LOCAL, render="when_needed")

    assert "twice a day" in asyncio.run(fetch()).text


def test_the_command_line_renders(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", f"{server}/", "--allow-private", "--render", "when_needed"]) == 0
    assert "twice a day" in capsys.readouterr().out
    assert main(["clean", f"{server}/", "--allow-private"]) == 0
    assert "twice a day" not in capsys.readouterr().out


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, server: str) -> None:
    served = Fetched("http://page.example/", b"<p>a", "text/html", None)
    monkeypatch.setenv("WEBCLEAN_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(FetchError, match=r"http://page\.example/: no browser: "):
        render_bytes(served)
    monkeypatch.setitem(__import__("sys").modules, "playwright.async_api", None)
    with pytest.raises(InputError, match=r"webclean\[render\]"):
        render_bytes(served)
