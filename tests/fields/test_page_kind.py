"""What a page states about its kind."""

from __future__ import annotations

from webclean.fields.declared import list_page_kinds
from webclean.fields.statements import PageStatements
from webclean.parse import parse_page
from webclean.pipeline import build_columns

KINDS = {"story": ("NewsArticle", "Article"), "shop": ("Product",), "text": ("Article",)}
PATHS = {"tag": ("tag", "tags"), "file": ("html",)}


def find_kinds(head: str, url: str | None) -> dict[str, float]:
    columns = build_columns(parse_page(f"<head>{head}</head><p>River", url=url))
    return list_page_kinds(PageStatements(columns), KINDS, PATHS)


def test_kinds_are_those_of_things_meta_and_address() -> None:
    thing = '<script type="application/ld+json">{"@type": "Article", "headline": "River"}</script>'
    assert find_kinds(thing, None) == {"on_story": 1.0, "on_text": 1.0}
    assert find_kinds("<meta property=og:type content=Website>", None) == {"on_og_website": 1.0}
    assert find_kinds("<meta property=og:type content=video>", None) == {}
    for address, kinds in (
        ("https://x.net", {"on_front"}),
        ("https://x.net/?a=/tag/b#c", {"on_front"}),
        ("https://x.net/?p=34518", set()),
        ("https://x.net/Tag/rivers.html?a", {"at_tag", "at_file"}),
        ("https://x.net/how-the-river-shaped-eleven-towns", {"at_long_slug"}),
        ("https://x.net/rivers", set()),
    ):
        assert set(find_kinds("", address)) == kinds, address
