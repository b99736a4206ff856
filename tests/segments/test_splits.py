"""Pages are divided by the card of splits or by the queue, as the rules say, and each split is explained."""

from __future__ import annotations

from pathlib import Path

import webclean
from webclean.segments import segment_page

STORY = "<div><h2>Ferry {i}</h2><p>The ferry is back on the crossing after a long winter in the yard.</p></div>"
PAGE = f"<body><div>{''.join(STORY.format(i=i) for i in range(3))}</div><div><p>The end of the page</p></div>"


def count_blocks(page: str, tmp_path: Path, rules: str) -> int:
    path = tmp_path / "rules.yaml"
    path.write_text(rules)
    return len(webclean.clean(page, rules=path).blocks)


def test_a_node_is_split_above_zero_points_and_the_page_always(tmp_path: Path) -> None:
    card = "replaces: [splits]\nsplits: {{bias: {bias}, lines: {{height: {{below: [2], points: [0, {points}]}}}}}}"
    assert count_blocks(PAGE, tmp_path, card.format(bias=-1, points=0)) == 2
    assert count_blocks(PAGE, tmp_path, card.format(bias=-1, points=1)) == 2
    assert count_blocks(PAGE, tmp_path, card.format(bias=-1, points=1.1)) == 4
    assert count_blocks(PAGE, tmp_path, card.format(bias=0.1, points=0)) == 7


def test_the_queue_asks_no_card(tmp_path: Path) -> None:
    card = "replaces: [splits]\nsplits: {bias: 9}\nsegments: {cut: {method: queue, merge_share: 0}}"
    assert count_blocks(PAGE, tmp_path, card) == 4


def test_a_long_list_of_teasers_is_one_block_whatever_people_mark() -> None:
    def count(n: int) -> int:
        entries = "".join(
            f"<div class=item><h3><a href=/s/{i}>Story {i}</a></h3><p>The ferry is back, number {i}.</p></div>"
            for i in range(n)
        )
        page = webclean.clean(f"<body><h1>News</h1><div>{entries}</div><p>The end of it</p>")
        return sum("Story" in block.text for block in page.blocks)

    assert count(7) == 1


def test_what_was_and_was_not_split_is_explained_by_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(
        "replaces: [splits]\nsplits: {bias: -2, lines: {height: {below: [2], points: [0, 3]},"
        " n_parts: {below: [3], points: [-0.5, 0]}, n_images: {below: [1], points: [-0.25, 0]}}}"
    )
    page = webclean.clean(f"<body>Loose{PAGE.removeprefix('<body>')}", rules=path)
    told = [[reason for reason in block.reasons if reason.stage == "cut"] for block in page.blocks]
    own, story = told[0], told[1]
    assert own[0].rule == "text directly inside an element that was split"
    assert [(reason.rule, reason.points) for reason in own[1:]] == [("height", 3.0)]
    assert story[0].rule == "its 2 parts stay together: -2.75 points for a split"
    assert [(reason.rule, reason.points) for reason in story[1:]] == [("n_parts", -0.5), ("n_images", -0.25)]
    assert story[1].evidence == "n_parts = 2 (parts: of the node)"


def test_a_page_without_text_and_one_of_a_single_text() -> None:
    assert webclean.clean("<body></body>").blocks == ()
    analysis = webclean.clean("<body>One text").analysis
    segments = segment_page(analysis.columns, analysis.rules, analysis.decisions).columns.segments
    assert segments.why == ("the whole page is one block of text",)
