"""Phone pages of every fixture in Chromium: as wide as the screen, without errors, usable by all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import turbohtml
from page_folders import find_fixtures, read_meta

import webclean
from tests.browser.conftest import list_violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

WIDTHS = (320, 390, 1280)
STRUCTURES = [
    path
    for kind in ("code", "math", "media", "scripts", "tables")
    for path in sorted((Path(__file__).parents[2] / "fixtures" / "structure").glob(f"*/{kind}/*.html"))
]
"""Pages of what may be wider than a screen, or runs in another direction."""
FOLDERS = find_fixtures()
PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900"/></svg>'
OVERFLOW = """() => [...document.querySelectorAll('body *')].filter(e => {
    const box = e.getBoundingClientRect();
    return (box.right > innerWidth + 1 || box.left < -1) && !e.closest('.scroll, .strip, pre, math');
}).map(e => e.outerHTML.slice(0, 120)).concat(
    document.documentElement.scrollWidth > innerWidth ? ['page ' + document.documentElement.scrollWidth] : [])"""


def serve(route: Route) -> None:
    """Answer images with a wide one, and nothing else."""
    if route.request.resource_type == "image":
        route.fulfill(status=200, content_type="image/svg+xml", body=PIXEL)
    else:
        route.abort()


def make_tab(browser: Browser, **options: Any) -> tuple[Page, list[str]]:
    """A tab, and what its console and the network say."""
    tab = browser.new_page(**options)
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.route("**/*", serve)
    return tab, said


@pytest.fixture(scope="module")
def tab(chromium: Browser) -> Iterator[tuple[Page, list[str]]]:
    made = make_tab(chromium)
    yield made
    made[0].close()


def clean_folder(fixture: Path) -> webclean.CleanPage:
    return webclean.clean((fixture / "input.html").read_bytes(), url=read_meta(fixture).get("url") or None)


@pytest.mark.parametrize("fixture", [*FOLDERS, *STRUCTURES], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nothing_is_wider_than_the_screen(fixture: Path, tab: tuple[Page, list[str]]) -> None:
    page, said = tab
    said.clear()
    cleaned = clean_folder(fixture) if fixture.is_dir() else webclean.clean(fixture, url="https://example.org/a")
    page.set_content(cleaned.to_mobile_html(), wait_until="load")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OVERFLOW) == [], width
    assert said == []


DARK = (
    "news-en-harbour", "essay-no-classes", "news-zh-big5", "forum-thread-en", "product-teapot", "docs-code-tables",
    "portal-en-front", "shop-category-lamps", "forum-board", "statistics-tables-lists", "museum-visit", "error-404",
)  # fmt: skip


@pytest.mark.parametrize(
    ("scheme", "rules", "folders"),
    [("light", None, FOLDERS), ("dark", ["color-contrast"], [path for path in FOLDERS if path.name in DARK])],
)
def test_phone_pages_have_no_serious_barriers(
    chromium: Browser, axe: str, scheme: Any, rules: Any, folders: Sequence[Path]
) -> None:
    assert len(folders) >= len(DARK)
    tab, _ = make_tab(chromium, color_scheme=scheme, viewport={"width": 390, "height": 800})
    options = {"runOnly": rules} if rules else {}
    found = {}
    for fixture in folders:
        tab.set_content(clean_folder(fixture).to_mobile_html(), wait_until="load")
        tab.evaluate(axe)
        found[fixture.name] = list_violations(tab.evaluate("options => axe.run(options)", options))
    assert {name: lines for name, lines in found.items() if lines} == {}
    tab.set_content("<html lang=en><title>x</title><p style='color:#ccc;background:#eee'>The ferry is late.</p>")
    tab.evaluate(axe)
    assert "color-contrast" in "".join(list_violations(tab.evaluate("options => axe.run(options)", options)))
    tab.close()


@pytest.mark.parametrize(("scheme", "is_light"), [("light", True), ("dark", False)])
def test_light_and_dark_follow_the_reader(chromium: Browser, scheme: Any, is_light: bool) -> None:
    tab, _ = make_tab(chromium, color_scheme=scheme)
    tab.set_content(webclean.clean(f"<p>{'The ferry leaves at nine. ' * 20}</p>").to_mobile_html())
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]")
    assert (paper > 128) == is_light
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    tab.close()


def test_scripts_in_a_page_never_run(chromium: Browser) -> None:
    vectors = "".join(f"<p>Ferry <a href='java\nscript:fail({n})' onclick=fail({n})>late</a>.</p>" for n in range(9))
    page = webclean.clean(f"<h1>Ferries</h1>{vectors}<script>fail(0)</script>" + "<p>It is late again.</p>" * 20)
    tab, said = make_tab(chromium)
    tab.set_content(page.to_mobile_html())
    markup = turbohtml.parse(tab.content())
    assert markup.find("script") is None
    assert "javascript" not in tab.content()
    # and if one came through, the policy of the document would stop it
    tab.set_content(page.to_mobile_html().replace("</main>", "<script>document.title = 'ran'</script></main>"))
    assert tab.title() != "ran"
    assert any("Content Security Policy" in line for line in said)
    tab.close()


def test_links_have_room_for_a_finger_and_images_keep_theirs(chromium: Browser) -> None:
    names = ("All ships of the line", "What a ticket costs", "When the tide turns")
    links = "".join(f"<li><a href=/b/{n}>{name}</a></li>" for n, name in enumerate(names))
    said = "The ferry leaves at nine, and it is late again. " * 8
    page = webclean.clean(
        f"<html lang=en><h1>Ferries</h1><p>{said}</p><img src=/i.png width=800 height=450><p>{said}</p><ul>{links}</ul>"
        f"<p>{said}</p><p><a href=/c><img src=/j.png width=900 height=90 alt=Boat></a></p><p>{said}</p>",
        url="https://example.org/a",
    )
    tab, _ = make_tab(chromium, viewport={"width": 390, "height": 800})
    tab.route("**/*.png", lambda route: route.abort())
    tab.set_content(page.to_mobile_html(), wait_until="load")
    boxes = tab.locator("li a").evaluate_all("found => found.map(e => e.getBoundingClientRect().toJSON())")
    assert len(boxes) == 3 and all(box["height"] >= 24 and box["width"] >= 24 for box in boxes)
    # an image that never came has the shape that the page states
    box = tab.locator("img").first.evaluate("e => e.getBoundingClientRect().toJSON()")
    assert round(box["width"] / box["height"], 1) == 1.8
    # nor does a linked one stand out
    assert tab.locator("img").count() == 2 and tab.evaluate(OVERFLOW) == []
    tab.close()


def test_on_paper_and_without_motion_all_is_there(chromium: Browser) -> None:
    (shop,) = (folder for folder in FOLDERS if folder.name == "product-teapot")
    tab, _ = make_tab(chromium, viewport={"width": 390, "height": 800}, reduced_motion="reduce")
    tab.set_content(clean_folder(shop).to_mobile_html(), wait_until="load")
    strips = tab.locator(".strip")
    assert strips.count() > 0
    assert strips.first.evaluate("e => getComputedStyle(e).scrollSnapType") == "none"
    assert tab.evaluate("document.getAnimations().length") == 0
    tab.emulate_media(media="print")
    shown = strips.first.evaluate("e => [getComputedStyle(e).flexWrap, e.scrollWidth - e.clientWidth]")
    assert shown[0] == "wrap" and shown[1] <= 1
    tab.close()
