"""The workbench in a browser: choosing blocks by mouse and keyboard, editing rules and seeing the result, saving."""

from pathlib import Path
from urllib.parse import quote

import pytest

import webclean
from tests.browser.conftest import Watched, list_fixtures
from tests.web_sites import Site

PAGE = """<title>Ferries of the bay</title><body><nav><a href=/a>All the lines</a> <a href=/b>Contact us</a></nav><main>
<h1>Ferries of the bay</h1><div class="story"><p>The ferry leaves the harbour at nine, and whoever wants a seat by the
window comes half an hour early.</p><p class="weather">The weather is fair today, the harbour master says, and will stay
so until the evening.</p><p>In summer it leaves at eight, and at seven on Sundays, when the town wants to see the
islands.</p></div></main><footer>All rights reserved</footer>"""


def inspect(watched: Watched, base: str, url: str) -> None:
    watched.page.goto(f"{base}/inspect?url={quote(url, safe='')}")
    watched.page.wait_for_selector("#tree [role=treeitem]")
    watched.page.wait_for_selector("#picture[data-ready]")


def wait_for_look(watched: Watched, text: str) -> None:
    watched.page.wait_for_function("text => document.getElementById('changes').innerText.includes(text)", arg=text)


@pytest.mark.parametrize("path", list_fixtures()[::5])
def test_every_page_can_be_inspected_on_any_screen(watched: Watched, base: str, site: Site, path: str) -> None:
    inspect(watched, base, site.base + path)
    assert {width: watched.measure_overflow(width) for width in (320, 390, 1280)} == {320: 0, 390: 0, 1280: 0}
    assert watched.faults == []
    assert watched.page.frame_locator("#picture").locator("[data-wc]").count() > 0


@pytest.fixture
def ferries(site: Site) -> str:
    site.pages["/ferries"] = ({"content-type": "text/html"}, PAGE.encode())
    return f"{site.base}/ferries"


def test_a_text_is_chosen_in_the_page_and_explained(watched: Watched, base: str, ferries: str) -> None:
    inspect(watched, base, ferries)
    page = watched.page
    picture = page.frame_locator("#picture")
    picture.locator("p.weather").click()
    page.wait_for_selector("#reasons blockquote")
    assert page.locator("#reasons blockquote").inner_text().startswith("The weather is fair")
    assert page.locator("#reasons strong").inner_text() == "Kept"
    assert page.locator("#reasons tbody tr").count() > 3
    assert page.locator("[aria-selected=true] .label").inner_text().startswith("The weather is fair")
    assert "wc-chosen" in str(picture.locator("p.weather").get_attribute("class"))
    picture.locator("nav a").first.click()  # a link of the page leads nowhere
    page.wait_for_function("() => document.querySelector('#reasons strong').innerText === 'Dropped'")
    assert page.url.startswith(f"{base}/inspect")
    shown = page.locator("#picture").evaluate("frame => frame.contentDocument.URL")
    assert shown.startswith(f"{base}/inspect/pictures/")


def test_the_tree_is_moved_in_by_keys(watched: Watched, base: str, ferries: str) -> None:
    inspect(watched, base, ferries)
    page = watched.page

    def focused() -> str:
        return str(page.evaluate("document.activeElement.dataset.key"))

    page.locator("#options select").last.focus()
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role') === 'treeitem'"):
            break
    first = focused()
    assert first.startswith("block ")
    page.keyboard.press("ArrowDown")
    second = focused()
    assert second != first
    page.keyboard.press("ArrowUp")
    assert focused() == first
    page.keyboard.press("End")
    last = page.evaluate("document.activeElement.querySelector('.label').innerText")
    page.keyboard.press("Home")
    assert focused() == first
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")  # opens
    page.keyboard.press("ArrowRight")  # goes in
    assert focused().startswith("text ")
    page.keyboard.press("Enter")
    page.wait_for_selector("#reasons blockquote")
    assert page.locator("#reasons blockquote").inner_text() == last == "All rights reserved"
    page.keyboard.press("ArrowLeft")
    assert focused().startswith("block ")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "false"
    assert watched.faults == []


def test_options_are_switched(watched: Watched, base: str, ferries: str) -> None:
    inspect(watched, base, ferries)
    page = watched.page
    for name, value in (("page_type", "index"), ("method", "text-density"), ("profile", "recall")):
        with page.expect_response("**/inspect/look") as answer:
            page.locator(f"#options [name={name}]").select_option(value)
        assert answer.value.request.post_data_json[name] == value
        assert answer.value.ok
    expected = webclean.clean(PAGE, url=ferries, page_type="index", method="text-density", profile="recall")
    page.get_by_text("The text as it is now").click()
    page.wait_for_function("text => document.getElementById('text').textContent === text", arg=expected.text)
    assert page.locator("#verdict").inner_text().startswith("index")


def test_the_tree_is_searched(watched: Watched, base: str, ferries: str) -> None:
    inspect(watched, base, ferries)
    page = watched.page
    shown = """[...document.querySelectorAll('#tree [role=treeitem]')].filter((one) => one.offsetParent)
        .map((one) => one.querySelector('.label').innerText)"""
    n_all = page.locator("#tree [role=treeitem]").count()
    page.get_by_label("Search the blocks").fill("HARBOUR MASTER")
    assert page.evaluate(shown)[-1].startswith("The weather is fair")
    assert len(page.evaluate(shown)) < n_all
    assert page.locator("#n-found").inner_text().endswith(" found")
    page.get_by_label("Search the blocks").fill("")
    assert page.locator("#tree [role=treeitem]:not([hidden])").count() == n_all
    assert watched.faults == []


def test_the_type_is_written_as_a_rule(watched: Watched, base: str, ferries: str) -> None:
    inspect(watched, base, ferries)
    page = watched.page
    button = page.get_by_role("button", name="Write the type as a rule")
    assert not button.is_visible()
    with page.expect_response("**/inspect/look"):
        page.locator("#options [name=page_subtype]").select_option("forum")
    with page.expect_response("**/inspect/look"):
        button.click()
    page.wait_for_selector("#remarks .passed")
    assert "page_type: forum" in page.locator("#yaml").input_value()
    assert page.locator("#options [name=page_subtype]").input_value() == ""
    assert "forum" in page.locator("#verdict").inner_text()
    assert not button.is_visible()
    assert watched.faults == []


def test_an_edit_is_seen_at_once(watched: Watched, base: str, ferries: str) -> None:
    inspect(watched, base, ferries)
    page = watched.page
    weather = page.frame_locator("#picture").locator("p.weather")
    assert weather.get_attribute("data-wc-left") is None
    page.locator("#yaml").fill("rules:\n  w:\n    when: {selector: .weather}\n    action: dro\n")
    page.wait_for_selector("#remarks .fault")
    assert "dro" in page.locator("#remarks .fault").inner_text()
    page.locator("#remarks .fault button").click()
    assert page.evaluate("document.getSelection().toString()").strip() == "action: dro"
    page.locator("#yaml").fill("rules:\n  w:\n    when: {selector: .weather}\n    action: drop\n    because: daily\n")
    wait_for_look(watched, "The weather is fair")
    assert page.locator("#changes del").count() == 1
    page.frame_locator("#picture").locator("p.weather[data-wc-left]").wait_for()
    assert watched.faults == []


def test_a_text_is_dropped_and_the_rule_saved(watched: Watched, base: str, ferries: str, rules_dir: Path) -> None:
    inspect(watched, base, ferries)
    page = watched.page
    assert page.get_by_role("button", name="Save").is_disabled()
    page.frame_locator("#picture").locator("p.weather").click()
    page.locator("#reasons input").fill("it changes daily")
    page.get_by_role("button", name="Drop such text").click()
    wait_for_look(watched, "The weather is fair")
    page.wait_for_selector("#remarks .passed")
    yaml = page.locator("#yaml").input_value()
    assert "because: it changes daily" in yaml
    page.get_by_role("button", name="Save").click()
    page.wait_for_function(
        "() => document.getElementById('saved').innerText.startsWith('Saved sites/127.0.0.1.yaml and')"
    )
    assert (rules_dir / "sites" / "127.0.0.1.yaml").read_text() == yaml
    assert "weather" not in webclean.clean(PAGE, url=ferries, rules=rules_dir).text
    inspect(watched, base, ferries)
    assert page.locator("#yaml").input_value() == yaml
    assert "Nothing" in page.locator("#changes").inner_text()
    page.goto(f"{base}/read?url={quote(ferries, safe='')}")
    assert "weather" not in page.locator("main").inner_text()
    assert watched.faults == []
    for path in (rules_dir / "sites").iterdir():
        path.unlink()
