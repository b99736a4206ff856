"""Platforms: told by what a page says of itself, and the rules that then apply."""

from pathlib import Path

import pytest
import yaml

import webclean
from tests import write_file
from webclean.errors import RuleError
from webclean.matching import select
from webclean.rules import RuleBook
from webclean.rules.page_schema import Platform, Signs

ROOT = Path(__file__).resolve().parents[2]
PLATFORMS = RuleBook().platforms
FIXTURES = sorted((ROOT / "fixtures").rglob("input.html"))
# fixtures whose markup is that of a platform
MADE_WITH = {
    "content/bbs-zh-discuz": ["discuz"],
    "content/blog-comments": ["wordpress"],
    "content/docs-code-tables": ["sphinx", "readthedocs"],
    "content/encyclopedia-lighthouse": ["mediawiki"],
    "content/forum-thread-en": ["vbulletin"],
    "content/qa-database-lock": ["stackexchange"],
    "content/spa-noscript-forum": ["discourse"],
    "index/blog-front-teasers": ["wordpress"],
    "index/shop-category-lamps": ["magento"],
    "multi_block/museum-visit": ["drupal"],
}
TEXT = "<p>The harbour wall is closed for repairs until the end of May, and the ferry leaves from the north pier.</p>"


def write_page(kind: str, *signs: str) -> str:
    """A page with some signs of one kind."""
    forms = {
        "generator": '<meta name="generator" content="{} 4.2">',
        "meta": '<meta name="{}" content="x">',
        "path": '<script src="https://cdn.example/a{}b"></script>',
        "name": '<div class="{}"><p>Two words</p></div>',
    }
    return "<html><body>" + "".join(forms[kind].format(sign) for sign in signs) + TEXT


def list_signs(signs: Signs) -> list[tuple[str, str]]:
    return [(kind, text) for kind in signs.__struct_fields__ for text in getattr(signs, kind)]


def find(html: str, **options: object) -> list[str]:
    return [found.file for found in webclean.clean(html, **options).platforms]


def list_family(file: str) -> set[str]:
    """A platform, and those that it runs on or that run on it."""
    runs_on = {name for name, platform in PLATFORMS.items() if file in platform.runs_on}
    return {file, *PLATFORMS[file].runs_on, *runs_on}


@pytest.mark.parametrize("file", PLATFORMS)
def test_each_sure_sign_tells_its_platform_and_no_other(file: str) -> None:
    for kind, text in list_signs(PLATFORMS[file].surely):
        found = set(find(write_page(kind, text)))
        assert file in found, (kind, text)
        assert found <= list_family(file), (kind, text)


@pytest.mark.parametrize("file", PLATFORMS)
def test_one_likely_sign_tells_nothing(file: str) -> None:
    for kind, text in list_signs(PLATFORMS[file].likely):
        assert file not in find(write_page(kind, text)), (kind, text)


def test_two_likely_signs_tell_it() -> None:
    assert find(write_page("name", "postprofile", "forabg")) == ["phpbb"]


@pytest.mark.parametrize("page", FIXTURES, ids=lambda page: f"{page.parent.parent.name}/{page.parent.name}")
def test_fixtures_are_made_with_what_they_are_made_with(page: Path) -> None:
    found = [platform.file for platform in webclean.clean(page.read_bytes()).platforms]
    assert found == MADE_WITH.get(f"{page.parent.parent.name}/{page.parent.name}", [])


@pytest.mark.parametrize(
    ("generator", "version"),
    [
        *(("phpBB 3.2.1-PL", "3.2.1-PL"), ("Jekyll v4.4.1", "4.4.1"), ("Discuz! X3.4", "3.4")),
        *(("GitBook (aa87699)", ""), ("TYPO3 CMS x TYPO3PWA", "")),  # digits within a word
    ],
)
def test_version_and_evidence_are_told(generator: str, version: str) -> None:
    platform = webclean.clean(f'<meta name="generator" content="{generator}">' + TEXT).platform
    assert platform is not None
    assert (platform.name, platform.version) == (generator.split(maxsplit=1)[0], version)
    assert platform.evidence == (f"generator: {platform.name.removesuffix('!')}",)


@pytest.mark.parametrize(
    "sign",
    [
        '<link rel="preconnect" href="https://cdn.shopify.com">',
        '<link rel="stylesheet" href="/wp-includes/css/dist/block-library/style.min.css"><p class="entry">',
        '<meta name="readthedocs-addons-api-version" content="1">',
        '<img src="https://cdn11.bigcommerce.com/s-1/images/stencil/a.png">',
        '<p><a href="https://www.vbulletin.example/clientscript/vbulletin">x</a>',  # no script
    ],
)
def test_what_pages_of_others_have_too_is_one_sign_at_most(sign: str) -> None:
    assert set(find(sign + TEXT)) <= {"wordpress"}


def test_what_runs_on_another_comes_after_it() -> None:
    page = webclean.clean(write_page("path", "/plugins/woocommerce/", "/wp-includes/"))
    assert [found.file for found in page.platforms] == ["wordpress", "woocommerce"]
    assert page.platform is not None
    assert page.platform.file == "woocommerce"
    assert page.to_dict()["platforms"][0]["name"] == "WordPress"


def test_style_sheets_count_images_when_there_are_two_signs_and_links_do_not() -> None:
    assert find('<link rel="stylesheet" href="/wp-content/themes/x/style.css">' + TEXT) == ["wordpress"]
    assert find('<img src="/wp-content/plugins/x/a.png">' + TEXT) == []
    assert find('<img src="/wp-content/plugins/x/a.png"><img src="/wp-includes/b.gif">' + TEXT) == ["wordpress"]
    assert find('<p><a href="/wp-content/plugins/x/">x</a>' + TEXT) == []


def test_icons_and_images_that_are_fetched_ahead_are_images() -> None:
    assert find('<link rel="shortcut icon" href="/wp-content/plugins/x/a.ico">' + TEXT) == []
    assert find('<link rel="preload" as="image" href="/wp-content/plugins/x/a.png">' + TEXT) == []
    assert find('<link rel="preload" as="style" href="/wp-content/plugins/x/a.css">' + TEXT) == ["wordpress"]


def test_what_addresses_alone_tell_is_of_another_site_where_the_generator_names_something_else() -> None:
    blogger, script = write_page("generator", "blogger"), '<script src="/sites/all/themes/x/a.js"></script>'
    assert find(script + TEXT) == ["drupal"]
    assert find(blogger + script) == ["blogger"]
    # but what runs on the same stays: this is the version of a part of WordPress
    elementor = write_page("generator", "Elementor")
    assert find(elementor + '<script src="/plugins/woocommerce/a.js"></script>') == ["elementor", "woocommerce"]


def test_its_rules_apply_and_can_be_switched_off() -> None:
    html = write_page("name", "phpbb", "postbody") + '<div class="signature"><p>Measure twice, dig once.</p></div>'
    with_rules, without = webclean.clean(html), webclean.clean(html, platforms=False)
    assert with_rules.page_subtype == "forum"
    assert "phpbb.yaml" in with_rules.type_reasons[0].source
    assert "Measure twice" not in with_rules.text
    assert without.platforms == ()
    assert with_rules.rules_hash != without.rules_hash


def test_a_folder_of_the_user_adds_a_platform_and_signs_to_one(tmp_path: Path) -> None:
    folder = tmp_path / "platforms"
    folder.mkdir()
    (folder / "ours.yaml").write_text(
        "platform: {name: Ours, surely: {name: [ours-page]}}\n"
        "rules: {note: {when: {selector: .note}, action: drop, because: a note}}\n"
    )
    (folder / "phpbb.yaml").write_text("platform: {surely: {name: [our-board]}}\n")
    html = '<div class="ours-page">' + TEXT + '<div class="note"><p>Written by a machine.</p></div></div>'
    page = webclean.clean(html, rules=tmp_path)
    assert [found.name for found in page.platforms] == ["Ours"]
    assert "Written by a machine" not in page.text
    assert find(write_page("name", "our-board"), rules=tmp_path) == ["phpbb"]
    assert find(write_page("generator", "phpBB"), rules=tmp_path) == ["phpbb"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("rules: {}\n", 0, "name"),
        ("platform: {name: X, surly: {}}\n", 1, "surely"),
        ("platform: {name: X, surely: {path: [ab]}}\n", 1, "at least 3 characters"),
    ],
)
def test_a_file_that_cannot_be_used_says_where(tmp_path: Path, text: str, line: int, message: str) -> None:
    write_file(tmp_path / "platforms" / "x.yaml", text)
    with pytest.raises(RuleError, match=message) as raised:
        webclean.clean(TEXT, rules=tmp_path)
    assert raised.value.file.endswith("x.yaml")
    assert raised.value.line == line


def test_sections_that_no_platform_names_are_those_of_all_pages() -> None:
    book = RuleBook()
    key = webclean.rules.LayerKey(platforms=("phpbb",))
    assert book.for_page(key).score_card is book.for_page().score_card
    assert book.for_page(key).rules.keys() > book.for_page().rules.keys()


def test_a_platform_states_its_signs() -> None:
    for file, platform in PLATFORMS.items():
        assert isinstance(platform, Platform)
        assert list_signs(platform.surely) or len(list_signs(platform.likely)) > 1, file
        assert set(platform.runs_on) <= PLATFORMS.keys(), file


def list_pages(file: str) -> set[str]:
    """The markup of all test pages in the file of a platform."""
    values = yaml.safe_load((ROOT / "rules/platforms" / f"{file}.yaml").read_text(encoding="utf-8"))
    carriers = [values["platform"], *(values.get("rules") or {}).values()]
    return {test["html"] for carrier in carriers for test in carrier.get("tests", ())}


@pytest.mark.parametrize("file", PLATFORMS)
def test_its_pages_are_told_as_its_own_and_need_no_tree(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A selector that columns do not answer costs a third of cleaning, on each page of the platform."""
    grown: list[object] = []
    monkeypatch.setattr(select, "grow_tree", grown.append)
    pages = list_pages(file)
    assert len(pages) > 1
    for html in pages:
        page = webclean.clean(html, url="https://board.example/t/7")
        assert page.text
        assert file in {found.file for found in page.platforms} <= list_family(file)
    assert not grown
