"""The text, the records and the phone page of a list say the same of its entries."""

import numpy as np
import pytest
from msgspec.structs import replace

import webclean
from webclean.page import CleanPage
from webclean.segments import list_entries, list_title_blocks
from webclean.segments.semantic_page import segment_page

NAMES = ("Sport", "Music", "Travel", "Health", "Money", "Science")
PARTS = ("Rowing", "Chess", "Sailing")
SAID = "<p>The ferry is back on the crossing after a long winter in the yard, and it leaves at eight, as before.</p>"


def clean_list(markup: str) -> CleanPage:
    page = f"<title>Post</title><body><div><h1>Post</h1>{SAID * 2}</div>{markup}"
    return webclean.clean(page, url="https://post.example/", page_type="index")


def list_titles(page: CleanPage, *, is_any_kept: bool) -> list[str]:
    """The texts that are kept or dropped as titles of lists, where the cards keep all texts or none."""
    columns, rules, decisions = page.analysis.columns, page.analysis.rules, page.analysis.decisions
    cut = -np.inf if is_any_kept else np.inf
    semantic = segment_page(columns, rules, replace(decisions, cut=cut))
    found = list_title_blocks(semantic, rules.segments.index_pages, range(len(semantic)))
    return [columns.blocks.text[at] for titles in found.values() for at in titles]


@pytest.mark.parametrize("line", ["<p>{}</p>", "<div><b>{}</b></div>"])
def test_lines_of_entries_are_kept_as_the_titles_of_lists_are_if_other_text_of_the_list_is(line: str) -> None:
    links = [[f"<a href=/{name}/{part}>{name} {part}</a>" for part in PARTS] for name in NAMES]
    page = clean_list("<div>" + "".join(line.format(", ".join(own)) for own in links) + "</div>")
    lines = [", ".join(f"{name} {part}" for part in PARTS) for name in NAMES]
    assert [text for text in list_titles(page, is_any_kept=True) if "," in text] == lines
    assert not [text for text in list_titles(page, is_any_kept=False) if "," in text]


@pytest.mark.parametrize("rank", ["h3", "h4"])
@pytest.mark.parametrize("around", ["<div>{}</div>", "<section><p>Agenda</p>{}</section>"])
def test_two_stories_side_by_side_are_both_in_the_text_or_neither(around: str, rank: str) -> None:
    titles = ["The museum shows the letters of the fleet", "Two bakeries share an oven"]
    stories = "".join(
        f"<div><{rank}><a href=/news/2024-{i}.html>{title}</a></{rank}><p>What came of it, in a word.</p></div>"
        for i, title in enumerate(titles)
    )
    found = list_titles(clean_list(around.format(stories)), is_any_kept=True)
    assert [title for title in titles if title in found] == titles


@pytest.mark.parametrize(
    ("item", "around"),
    [("<li><a href=/{0}>{0}</a></li>", "<ul>{}</ul>"), ("<p><a href=/{0}>{0}</a></p>", "<div>{}</div>")],
)
@pytest.mark.parametrize("n_kept", [0, 4, 6])
def test_a_block_with_kept_text_has_the_entries_that_the_text_has(item: str, around: str, n_kept: int) -> None:
    names = [f"{name} of the harbour town" for name in NAMES]
    page = clean_list(around.format("<h2>Desks</h2>" + "".join(map(item.format, names))))
    columns, decisions = page.analysis.columns, page.analysis.decisions
    kept = np.array([text == "Desks" or text in names[:n_kept] for text in columns.blocks.text])
    semantic = segment_page(columns, page.analysis.rules, decisions)
    told = {
        by_parts: [
            one.title
            for found in list_entries(semantic, replace(decisions, kept=kept, by_parts=by_parts))
            for _, one in found
            if one.title in names
        ]
        for by_parts in (True, False)
    }
    assert told == {True: names[:n_kept], False: names}


def test_entries_of_blocks_without_kept_text_and_pictures_stay_records() -> None:
    pictures = "".join(
        f'<div><a href=/film/{i}><img src=/{i}.jpg alt="The long film of {name}"></a></div>'
        for i, name in enumerate(NAMES)
    )
    page = clean_list(f"<div><h2>Films</h2>{pictures}</div>")
    columns, decisions = page.analysis.columns, page.analysis.decisions
    semantic = segment_page(columns, page.analysis.rules, decisions)
    before = [[one.title for _, one in found] for found in semantic.entries]
    for kept in (
        np.zeros(len(columns.blocks), dtype=bool),
        np.array([text == "Films" for text in columns.blocks.text]),
    ):
        told = list_entries(semantic, replace(decisions, kept=kept, by_parts=True))
        assert [[one.title for _, one in found] for found in told] == before
    assert sum(map(len, before)) >= len(NAMES)
