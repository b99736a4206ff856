"""No part of a result grows far beyond the page: a budget of characters and of time covers each."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from markdown_it import MarkdownIt
from msgspec import structs

import webclean
from tests.counting import count_calls
from tests.outputs.kept import keep_blocks
from webclean import CleanPage, LimitExceeded, Limits
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.text import render_markdown
from webclean.workbench import explain_page

PROSE = "<p>The ferry leaves the harbour at nine, and whoever wants a seat by the window comes half an hour early.</p>"
URL = "https://example.org/"
PARTS: dict[str, Callable[[CleanPage], Any]] = {
    "text": lambda page: page.text,
    "markdown": lambda page: page.to_markdown(),
    "html": lambda page: page.to_html(),
    "mobile": lambda page: page.to_mobile_html(),
    "dict": lambda page: page.to_dict(),
    "title": lambda page: page.title,
    "images": lambda page: page.fields.images,
    "blocks": lambda page: page.blocks,
    "block texts": lambda page: [block.text for block in page.blocks],
    "links": lambda page: [block.links for block in page.blocks],
    "records": lambda page: [block.records for block in page.blocks],
    "xpaths": lambda page: [block.xpaths for block in page.blocks],
    "reasons": lambda page: [block.reasons for block in page.blocks],
}
RENDERINGS = ("text", "markdown", "html", "mobile", "dict")


def keep_all(markup: str, **options: Any) -> CleanPage:
    """The page with every text block kept."""
    page = webclean.clean(markup, url=URL, **options)
    decisions = page.analysis.decisions
    page.analysis = replace(page.analysis, decisions=structs.replace(decisions, kept=np.ones_like(decisions.kept)))
    return page


def write_entries(n: int) -> str:
    return "<ul>" + "".join(f"<li><a href=n{at}>Ferry {at} is late</a><p>Early.</p></li>" for at in range(n)) + "</ul>"


ADDRESS = "https://example.org" + "/x" * 9_000
GROWING = {
    "title around paragraphs": f"<h1>Ferries</h1>{PROSE * 40}<abbr title='{ADDRESS}'>{'<p>Late again' * 4_000}</abbr>",
    "base": f"<base href='{URL}{'x' * 2_000}/'><h1>Ferries</h1>{PROSE * 40}" + '<p>It is <a href=l>late</a> ' * 4_000,
    "base of entries": f"<base href='{URL}{'x' * 2_000}/'><h1>Ferries</h1>{write_entries(3_000)}",
    "long names": f"<x-{'y' * 9_000}>" * 40 + "".join(f"<h2>Part {at}</h2>{PROSE}" for at in range(400)),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in GROWING if "entries" not in name])
def test_no_rendering_grows_far_beyond_its_page(name: str) -> None:
    markup = GROWING[name]
    raising, cutting = (keep_all(markup, on_limit=mode) for mode in ("raise", "truncate"))
    n_over = 0
    for part in RENDERINGS:
        try:
            written = PARTS[part](raising)
        except LimitExceeded as error:
            n_over += 1
            assert error.limit == "max_output_ratio"
            written = PARTS[part](cutting)
            assert cutting.truncated == ("max_output_ratio",)
        assert len(str(written)) < 45 * max(len(markup), 50_000), part
    assert n_over


ROWS: dict[str, Callable[[CleanPage], Any]] = {
    "dict": lambda page: page.to_dict(),
    "dict with reasons": lambda page: page.to_dict(include_reasons=True),
    "block rows": lambda page: page.block_rows(),
    "search rows": lambda page: page.search_rows(),
    "text blocks": lambda page: explain_page(page)["text_blocks"],
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_many_short_blocks_are_bounded(name: str) -> None:
    """Each heading is a block with an XPath, a fragment and reasons: 5 characters become hundreds."""
    markup = "<h1>x" * 16_000
    with pytest.raises(LimitExceeded, match="max_output_ratio"):
        ROWS[name](webclean.clean(markup, url=URL))
    page = webclean.clean(markup, url=URL, on_limit="truncate")
    written = json.dumps(ROWS[name](page))
    assert page.truncated == ("max_output_ratio",)
    assert 0.5 < len(written) / (20 * len(markup)) < 1.5


def test_places_of_what_is_cut_name_nothing() -> None:
    sections = "".join(f"<section><h2>Part {at}</h2>{'<h3>x' * 40}</section>" for at in range(120))
    limits = Limits(max_output_ratio=0.4)
    page = webclean.clean(f"<h1>News</h1>{sections}", url=URL, limits=limits, on_limit="truncate")
    found = page.to_dict()
    n_blocks, todo = len(found["blocks"]), list(found["sections"])
    assert 0 < n_blocks < len(page.blocks)
    assert all(block["parent"] is None or block["parent"] < n_blocks for block in found["blocks"])
    for section in todo:
        assert all(place < n_blocks for place in section["blocks"])
        assert section["within"] is None or section["within"] < n_blocks
        todo += section["sections"]


def test_links_are_limited_also_where_importance_alone_asks_for_them() -> None:
    page = keep_all(GROWING["base of entries"], page_type="index", on_limit="truncate")
    assert all(block.importance >= 0 for block in page.blocks)  # of a few links of each block
    assert page.truncated == ()
    assert 100 < sum(len(block.links) for block in page.blocks) < 3_000
    assert page.truncated == ("max_output_ratio",)
    sections = "".join(f"<section><h2>Part {at}</h2>{PROSE * 3}{write_entries(40)}</section>" for at in range(40))
    page = keep_all(f"<base href='{URL}{'x' * 2_000}/'><h1>Ferries</h1>{sections}", page_type="index")
    assert len(page.blocks) > 20
    with pytest.raises(LimitExceeded, match="max_output_ratio"):
        assert page.blocks[0].importance >= 0


def test_what_is_cut_is_the_end() -> None:
    page = keep_all(GROWING["title around paragraphs"], on_limit="truncate")
    assert page.truncated == ()
    html = page.to_html()
    assert page.truncated == ("max_output_ratio",)
    assert html.startswith("<!doctype html>")
    assert html.endswith("</html>\n")
    assert html.count("seat by the window") == 40
    assert 100 < html.count("Late again") < 4_000
    assert page.to_text(include_title=False) == page.text
    assert page.text.count("Late again") == 4_000


def test_a_link_around_paragraphs_is_written_once() -> None:
    markup = f"<h1>Ferries</h1>{PROSE * 40}<a href='{ADDRESS}'>{'<p>Late again today' * 4_000}</a>"
    for part in RENDERINGS:
        assert len(str(PARTS[part](keep_all(markup)))) < 10 * len(markup), part


def test_the_ratio_is_a_limit_like_others() -> None:
    markup = GROWING["base"]
    assert len(keep_all(markup, limits=Limits(max_output_ratio=1_000)).to_html()) > 8_000_000
    with pytest.raises(LimitExceeded, match=r"max_output_ratio: .* is over the limit of 0\.01"):
        _ = keep_all(PROSE * 900, limits=Limits(max_output_ratio=0.01)).text
    assert keep_all(PROSE * 9, limits=Limits(max_output_ratio=0.5)).text.count("seat") == 9


@pytest.mark.parametrize("part", [name for name in PARTS if name not in ("block texts", "records")])
def test_the_time_of_every_part_is_limited(part: str) -> None:
    markup = f"<h1>Ferries</h1><img src=/i.png width=300 height=300>{PROSE * 3}{write_entries(40)}"
    analysis = keep_all(markup, page_type="index").analysis
    with pytest.raises(LimitExceeded, match="max_seconds"):
        PARTS[part](CleanPage(analysis, Limits(max_seconds=-1)))
    found = PARTS[part](CleanPage(analysis))
    assert any(found) if isinstance(found, list) else found


def write_table(rows: str) -> str:
    return render_markdown(build_flow(*keep_blocks(f"<table>{rows}</table>")))


def test_tables_of_one_long_row_and_many_short_ones_are_not_padded() -> None:
    written = write_table("<tr>" + "<td>a</td>" * 200 + "</tr>" + "<tr><td>b c</td></tr>" * 200)
    assert len(written) < 6_000
    assert written.count("\n| b c |") == 200
    _, rule, first = written.split("\n")[:3]
    assert rule.count("---") == 200
    assert first.count("| a ") == 200
    assert MarkdownIt("commonmark").enable("table").render(written).count("<td>b c</td>") == 200


@pytest.mark.parametrize("span", ["colspan=1000", "rowspan=1000"])
def test_spans_do_not_multiply_a_table(span: str) -> None:
    written = write_table("<tr>" + f"<td {span}>a</td>" * 1_500 + "</tr>" + f"<tr><td {span}>b c</td></tr>" * 1_500)
    assert len(written) < 60_000
    assert written.count("b c") == 1_500


def test_a_long_head_above_short_rows_has_as_many_cells_as_the_rule_below() -> None:
    rows = write_table("<tr><th>a<th>b</tr>" + "<tr>" + "<td>c" * 2_000 + "</tr>" + "<tr><td>d</tr>" * 2_000).split(
        "\n"
    )
    assert rows[0].count("|") == rows[1].count("|") == rows[2].count("|") == 2_001
    assert rows[3] == "| d |"


def test_small_tables_are_padded_and_spans_kept() -> None:
    written = write_table("<tr><th>a<th>b<th>c<tr><td colspan=2>d<td>e<tr><td>f")
    assert written == "| a | b | c |\n| --- | --- | --- |\n| d |  | e |\n| f |  |  |"


def test_phone_pages_of_many_blocks_name_each_once() -> None:
    entries = [write_entries(4).replace("Ferry", f"Ferry {at}.") for at in range(150)]
    sections = "".join(f"<section><h2>Part {at}</h2>{own}</section>" for at, own in enumerate(entries))
    page = webclean.clean(f"<h1>News</h1>{sections}", url=URL, page_type="index")
    assert len(page.blocks) > 140
    written = page.to_mobile_html().partition("<section")[2]
    for at in range(150):
        assert written.count(f">Part {at}<") == 1


@pytest.mark.parametrize("kind", ["article", "forum", "product", "listing"])
def test_phone_pages_of_every_layout_take_time_as_pages_grow(kind: str) -> None:
    n_calls = []
    for n in (240, 960):
        lists = "".join(f"<section><h2>Part {at}</h2>{write_entries(4)}</section>" for at in range(n // 4))
        images = "".join(f"<p><img src=/{at}.png></p>" for at in range(n))
        page = webclean.clean(f"<h1>News</h1>{PROSE * n}{lists}{images}", url=URL, page_subtype=kind)
        assert page.blocks[0].records is not None
        n_calls.append(count_calls(page.to_mobile_html))
    assert n_calls[1] < 5 * n_calls[0]
