"""The handlers of multi-block, index and no-feature pages (A3, A6, A7), and the method as callers see it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webclean
from tests import write_file
from tests.methods.patent_pages import make_page
from webclean.cli import main
from webclean.methods.patent import choose_important, decide_by_patent, judge_blocks, rank_block
from webclean.methods.patent.blocks import cut_semantic_blocks
from webclean.model import PageType
from webclean.segments.urls import UrlStructure

TEXT = "The lock was dug by hand, and the water came in the spring of the year after, to the delight of the town. "
LINK = "<a href=/{0}>Link number {0}</a> "


def decide(html: str, page_type: PageType, **changes: Any) -> dict[str, tuple[bool, str]]:
    """First word of each text block -> whether it is kept, and the step that says so."""
    page = make_page(html, **changes)
    decided = decide_by_patent(page.columns, page.rules, page_type)
    assert decided.steps is not None
    firsts = [text.split()[0] for text in page.columns.blocks.text]
    return {first: (bool(decided.kept[at]), decided.steps[at].rule) for at, first in enumerate(firsts)}


SEVERAL = (
    f"<body><ul>{''.join(f'<li>{LINK.format(i)}' for i in range(4))}</ul>"
    f"<div><h2>First</h2><p>One {TEXT * 2}</p></div><div><h2>Second</h2><p>Two {TEXT * 2}</p></div>"
    f"<div bgcolor=#eee><p>Copyright 2008 by the {TEXT}</p></div>"
)


def test_each_text_of_a_multi_block_page_is_kept_and_the_other_blocks_are_dropped() -> None:
    found = decide(SEVERAL, PageType.MULTI_BLOCK)
    assert found["One"] == found["Two"] == found["First"] == (True, "S402")
    assert found["Link"] == found["Copyright"] == (False, "S404")


def test_texts_of_a_multi_block_page_are_cleaned_inside() -> None:
    html = SEVERAL.replace("<h2>First</h2>", f"<div>Posted</div><ul><li>{LINK.format(8)}{LINK.format(9)}</ul>")
    found = decide(html, PageType.MULTI_BLOCK)
    assert found["Posted"] == (False, "S303")
    assert found["One"] == (True, "S402")


def test_a_page_without_features_is_kept_but_for_what_is_hidden() -> None:
    found = decide("<body><p>Menu</p><p hidden>Secret</p><ul><li><a href=/>Home</a></ul>", PageType.NO_FEATURE)
    assert found == {"Menu": (True, "A3"), "Secret": (False, "A3"), "Home": (True, "A3")}


def describe(n: int, regularity: float, weight: float) -> UrlStructure:
    return UrlStructure(shape="x", regularity=regularity, marker_weight=weight, n_urls=n)


@pytest.mark.parametrize(
    ("urls", "important"),
    [
        ([describe(9, 0.5, 0.0), describe(9, 0.4, 0.2), describe(9, 0.4, 0.3), describe(2, 1.0, 0.2)], [0, 2]),
        ([describe(9, 0.9, -0.1), describe(1, 0.0, 1.0)], [1]),
        ([describe(2, 1.0, 0.0), describe(0, 0.0, 0.0)], [0, 1]),
    ],
    ids=["regular or tokens", "tokens against", "none, so all"],
)
def test_blocks_of_regular_urls_or_with_tokens_are_important(urls: list[UrlStructure], important: list[int]) -> None:
    chosen, why = choose_important(make_page("<p>x"), urls, np.ones(len(urls), dtype=bool))
    assert [at for at, is_important in enumerate(chosen) if is_important] == important
    assert len(why) == len(urls)


def test_a_block_that_is_too_short_is_not_important() -> None:
    urls = [describe(9, 1.0, 1.0), describe(9, 1.0, 1.0)]
    assert choose_important(make_page("<p>x"), urls, np.array([True, False]))[0] == (True, False)


def test_importance_is_tokens_then_regularity_then_size() -> None:
    page = make_page("<p>x")
    assert rank_block(page, describe(3, 1.0, 1.0), 0.25) == 0.95
    assert rank_block(page, describe(3, 0.5, 0.0), 0.04) == 0.17
    assert rank_block(page, describe(3, 0.0, -0.77), 0.01) == 0.0


def make_portal() -> str:
    def box(name: str, path: str) -> str:
        items = "".join(f"<li><a href={path.format(700 + i)}>{name} story number {i}</a>" for i in range(4))
        return f"<div><h2>{name}</h2><ul>{items}</ul></div>"

    menu = "<ul><li><a href=/about>About us</a><li><a href=/contact>Contact</a><li><a href=/login>Log in</a></ul>"
    return f"<body>{menu}{box('Photos', '/photo/{}.html')}{box('News', '/news/{}.html')}{box('Sundry', '/x/{}.html')}"


PORTAL = make_portal()


def test_important_blocks_of_an_index_page_come_in_the_order_of_their_tokens_in_every_output(tmp_path: Path) -> None:
    page = webclean.clean(PORTAL, method="patent", page_type="index")
    assert [block.heading for block in page.blocks] == ["", "Photos", "News", "Sundry"]
    assert [block.heading for block in page.ranked_blocks[:2]] == ["News", "Photos"]
    assert [block.kept for block in page.blocks] == [False, True, True, True]
    outputs = (page.text, page.to_markdown(), page.to_html(), page.to_mobile_html(), json.dumps(page.to_dict()))
    for text in outputs:
        assert text.index("News story number 3") < text.index("Photos story number 0")
    for text in outputs[:4]:
        assert text.index("Photos story number 3") < text.index("Sundry story number 0")
        assert "About us" not in text
    # .6 * mean token + .3 * regularity + .1 * root of the share: 72 of 238 characters, 80 and 20 are other boxes
    news, photos = (block.importance for block in page.ranked_blocks[:2])
    assert news == pytest.approx(
        0.6 + 0.3 + 0.1 * (sum(map(len, "".join(page.blocks[2].text.split()))) / 238) ** 0.5, abs=0.01
    )
    assert photos == pytest.approx(news - 0.6 * 0.7, abs=0.01)
    assert (
        page.blocks[2]
        .reasons[0]
        .evidence.startswith("b2 is important: 100% of 4 URLs vary regularly, mean token weight 1")
    )


def test_the_command_line_shows_blocks_in_that_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_file(tmp_path / "page.html", PORTAL)
    for command in (["blocks"], ["blocks", "--format", "rows"], ["explain"], ["clean"]):
        assert main([*command, str(file), "--method", "patent", "--page-type", "index"]) == 0
        shown = capsys.readouterr().out.rpartition("in text  text\n")[2]
        assert shown.index("News") < shown.index("Photos"), command


def test_any_method_may_rank_the_blocks_of_index_pages(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "segments: {index_pages: {by_importance: true}}")
    for kind, is_ranked in (("index", True), ("content", False)):
        page = webclean.clean(PORTAL, page_type=kind, rules=rules)
        assert page.is_ranked is is_ranked
        values = [block.importance for block in page.ranked_blocks]
        assert (values == sorted(values, reverse=True)) is is_ranked


def test_the_method_is_chosen_in_rules_and_takes_the_type_from_its_tree(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "methods: {default: patent}")
    page = webclean.clean(SEVERAL.replace("<li>", f"<li>{LINK.format(7) * 20}"), rules=rules)
    assert page.page_type is PageType.INDEX
    assert page.type_reasons[0].rule == "patent tree"
    assert page.is_ranked
    given = webclean.clean(SEVERAL, method="patent", page_type="no_feature")
    assert given.page_type is PageType.NO_FEATURE
    assert "Copyright" in given.text


def test_rules_have_the_last_word(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "rules: {a: {when: {text: 'About us'}, action: keep}, b: {when: {text: 'News story number 1'}, action: drop}}"
    )
    text = webclean.clean(PORTAL, method="patent", page_type="index", rules=rules).text
    assert "About us" in text
    assert "News story number 1" not in text
    assert "News story number 2" in text


@pytest.mark.parametrize("kind", [None, *PageType])
@pytest.mark.parametrize("html", ["", "<p>", "<body hidden><p>x", "<div hidden>a</div><p>b", "<frameset><frame>"])
def test_every_output_of_every_type_is_made_of_next_to_nothing(html: str, kind: PageType | None) -> None:
    page = webclean.clean(html, method="patent", page_type=kind)
    described = page.to_dict(include_reasons=True)
    assert len(described["blocks"]) == len(page.ranked_blocks) == len(page.blocks)
    assert "x" not in page.text
    assert page.to_mobile_html().startswith("<!doctype html>")


def test_a_selector_of_the_rules_beats_the_title_by_looks(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "rules: {t: {action: {title: '.name'}, because: it is marked}}")
    html = f"<p class=name>The plain name</p><p><font size=6>In large letters</font></p><div>{TEXT * 3}</div>"
    found = webclean.clean(html, method="patent", page_type="content")
    assert found.title == "In large letters"
    assert found.fields.title.source.startswith("patent S305")
    assert webclean.clean(html, method="patent", page_type="content", rules=rules).title == "The plain name"


def test_a_block_is_shown_if_half_of_its_text_is_kept() -> None:
    page = make_page(f"<body><div id=a>{'a' * 20}</div><div id=b>{'b' * 180}</div><div id=c>{'c' * 200}</div>")
    segments = cut_semantic_blocks(page)
    owner = segments.owner[page.columns.row].tolist()
    for kept, shown in (([True, False, False], 20), ([False, True, False], 180), ([False, False, True], 200)):
        judged = judge_blocks(page.columns, segments, np.array(kept))
        total = [sum(n for n, one in zip((20, 180, 200), owner, strict=True) if one == i) for i in range(len(segments))]
        mine = owner[kept.index(True)]
        assert judged.kept == tuple(i == mine and 2 * shown >= total[i] for i in range(len(segments)))


def test_a_list_that_stands_twice_on_an_index_page_is_shown_once() -> None:
    def write_list(word: str) -> str:
        entries = "".join(f"<li><a href=/news/2008{i}/{word}.htm>{word} headline {i} of the day</a>" for i in range(4))
        return f"<div bgcolor={word}><ul>{entries}</ul></div>"

    page = make_page(f"<body>{write_list('red')}<div><p>{TEXT}</p></div>{write_list('red')}{write_list('blue')}")
    decided = decide_by_patent(page.columns, page.rules, PageType.INDEX)
    texts = [text for text, kept in zip(page.columns.blocks.text, decided.kept, strict=True) if kept]
    assert sorted(texts) == sorted(f"{word} headline {i} of the day" for word in ("red", "blue") for i in range(4))
    assert decided.blocks is not None
    assert [reason.evidence for reason in decided.blocks.reasons][2] == "b2 is noise: the links of b0 again"
