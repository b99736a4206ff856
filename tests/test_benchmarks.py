"""The benchmarks count what they say they count."""

import json
from pathlib import Path

import conformance
import corpora
import fields
import pathology
import pytest
import segments
import sites
from gate import Pinned, find_faults, raise_floors
from page_folders import Layout, find_layout, hash_pages, read_folder
from quality import agree_titles, format_table, score_page, score_snippets, score_words_and_characters, summarise_rows
from speed import fit_exponent, repeat_body
from systems import Extract

from tests import write_file, write_labelled
from webclean.errors import InputError
from webclean.model import Limits
from webclean.workbench.labelled_pages import LabelledPage

FIXTURES = Path(__file__).parent.parent / "fixtures"
PAGE = LabelledPage(
    id="a",
    url="https://example.org/",
    html=b"<p>x",
    text="one two three",
    page_type="article",
    title="A title",
    date="2024-05-06",
    kept_snippets=("one two", "three"),
    dropped_snippets=("menu", "foot"),
)


def test_scores() -> None:
    assert score_words_and_characters("你好 world", "你好世 world").f1 == pytest.approx(6 / 7)
    assert score_snippets("One\n  two", ("one two", "three")) == 0.5
    assert agree_titles("The river rises agaim", "The river rises again")
    assert not agree_titles("The river rises again | The Herald", "The river rises again")


def test_a_system_is_scored_and_its_failure_is_counted() -> None:
    def fails(html: bytes, url: str) -> Extract:
        raise RuntimeError("out of order")

    layout = find_layout(FIXTURES)
    good = score_page(lambda html, url: Extract("one two four menu", "A title", "2024-05-06"), "good", PAGE, layout)
    bad = score_page(fails, "bad", PAGE, layout)
    assert (good.precision, good.recall) == (0.5, 2 / 3)
    assert (good.kept_snippets, good.dropped_snippets, good.title, good.date, good.type) == (0.5, 0.5, 1.0, 1.0, None)
    assert bad.f1 == 0.0
    assert bad.error == "RuntimeError: out of order"
    assert "| errors | 0 | 1 |" in format_table([good, bad])


def test_corpora_are_scored_by_what_their_labels_have(tmp_path: Path) -> None:
    truths = {
        "a": {"text": "one two", "with": ["one"], "without": ["menu"], "title": "A Title", "language": "en"},
        "b": {"text": "三四", "language": "zh"},
        "c": {"with": ["six seven", "eight"], "date": "2024-05-06", "date_slack": 1},
    }
    for page_id, truth in truths.items():
        write_labelled(tmp_path / "small", page_id, "<p>", truth, "truth")
    assert corpora.find_corpora([tmp_path]) == {"small": tmp_path / "small"}
    found = {
        "a": Extract("one two menu x", "a title"),
        "b": Extract("三"),
        "c": Extract("six  seven", date="2024-05-07"),
    }
    pages = list(read_folder(tmp_path / "small"))
    rows = [corpora.score_page(lambda html, url, own=found[p.id]: own, p, Layout.TRUTH) for p in pages]
    assert corpora.summarise_corpus("small", rows) == {
        "small f1": pytest.approx(2 / 3),
        "small precision": pytest.approx(0.75),
        "small recall": pytest.approx(0.75),
        "small snippets f1": pytest.approx(2 / 3),
        "small snippets precision": pytest.approx(2 / 3),
        "small snippets recall": pytest.approx(2 / 3),
        "small title": 1.0,
        "small date": 1.0,
    }


def test_a_type_counts_at_the_level_of_its_label() -> None:
    layout = find_layout(FIXTURES)
    for kind, label, agrees in (("article", "blog", 1.0), ("service", "article", 1.0), ("listing", "portal", 0.0)):
        found = Extract("one", page_type=kind, page_label=label)
        assert score_page(lambda html, url, found=found: found, "webclean", PAGE, layout).type == agrees


def test_the_gate_fails_below_a_floor_and_on_another_corpus_and_only_raises() -> None:
    row = score_page(lambda html, url: Extract("one two three"), "webclean", PAGE, find_layout(FIXTURES))
    summary = summarise_rows([row])
    pinned = Pinned(corpus="now", floors={"f1": 0.9}, pages={"a": 0.9})
    assert find_faults(pinned, summary, [row], "now") == []
    assert "not the pinned" in find_faults(pinned, summary, [row], "other")[0]
    low = summary | {"f1": 0.8}
    assert "below the floor" in find_faults(pinned, low, [row], "now")[0]
    raise_floors(pinned, low, [row], each_page=True)
    assert pinned.floors["f1"] == 0.9
    raise_floors(pinned, summary, [row], each_page=True)
    assert pinned.floors["f1"] == pytest.approx(0.998)
    assert pinned.pages["a"] == pytest.approx(0.97)


def test_the_hash_changes_with_a_page_and_with_a_label(tmp_path: Path) -> None:
    (tmp_path / "content" / "one").mkdir(parents=True)
    folder = tmp_path / "content" / "one"
    (folder / "input.html").write_bytes(b"<p>x")
    (folder / "truth.txt").write_text("x")
    (folder / "meta.json").write_text("{}")
    hashes = {hash_pages(list(read_folder(tmp_path)))}
    (folder / "truth.txt").write_text("y")
    hashes.add(hash_pages(list(read_folder(tmp_path))))
    (folder / "input.html").write_bytes(b"<p>y")
    hashes.add(hash_pages(list(read_folder(tmp_path))))
    assert len(hashes) == 3
    with pytest.raises(InputError):
        find_layout(folder)


def test_growth_is_fitted_over_pages_that_grow() -> None:
    assert fit_exponent([1, 2, 4, 8], [1, 4, 16, 64]) == pytest.approx(2.0)
    assert repeat_body(b"<body a><p>x</p></body>", 3) == b"<body a><p>x</p><p>x</p><p>x</p></body>"


def test_figures_of_sites_count_pages_that_changed() -> None:
    rows = [sites.Row("a", "1", 0.5, 0.9, 1), sites.Row("a", "2", 0.5, 0.505, 1), sites.Row("b", "3", 0.8, 0.7, 1)]
    assert sites.summarise_rows(rows) == pytest.approx(
        {"without": 0.6, "templates": 0.7016667, "better": 1, "worse": 1, "sites": 2}, rel=1e-4
    )


def test_a_field_counts_where_it_is_and_where_it_is_not() -> None:
    truths = ["2024-05-06", "2024-05-07", None]
    found = fields.summarise_answers("date", truths, ["2024-05-06", None, "2024-01-01"])
    assert found == {"date": 0.5, "date false": 1.0}
    assert fields.summarise_answers("date", truths[:1], ["2024-05-06"]) == {"date": 1.0}


def test_unseen_segments_are_cut_by_cards_of_other_sites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for site in range(10):
        parts = "".join(f"<p>Text {part} of site {site}, which is long enough to count.</p>" for part in range(4))
        marked = f'<div class="a" data-block="1" data-block-type="Content">{parts}</div>'
        (tmp_path / f"site{site}.com.html").write_text(f"<body>{marked}{marked}")
    assert segments.main(["--data", str(tmp_path), "--unseen", "--json", str(tmp_path / "means.json")]) == 0
    found = json.loads((tmp_path / "means.json").read_text())["summary"]["webclean"]
    assert set(found) == {"f1", "found", "nodes"}
    assert f"marks found {found['found']:.3f}" in capsys.readouterr().out
    assert segments.main(["--data", str(tmp_path), "--worst", "1"]) == 0
    assert "10 pages  BCubed precision " in capsys.readouterr().out


CASES = """#data
<p class=" a  b">one<!-- x --><svg xlink:href=y><title>two</title></svg>
three
#errors
#document
| <html>
|   <head>
|   <body>
|     <p>
|       class=" a  b"
|       "one"
|       <!--  x  -->
|       <svg svg>
|         xlink href="y"
|         <svg title>
|           "two"
|       "
three"

#data
<p>
#errors
#document-fragment
div
#document
| <p>

#data
<template><p>a</template><p>b
#errors
#document
| <html>
|   <head>
|     <template>
|       content
|         <p>
|           "a"
|   <body>
|     <p>
|       "c"
"""


def test_cases_of_conformance_are_read_and_compared(tmp_path: Path) -> None:
    folder = tmp_path / "tree-construction"
    write_file(folder / "made.dat", CASES)
    first, last = conformance.read_cases(tmp_path)
    assert first.tree.elements[3:] == [
        ("p", 2, (("class", "a b"),)),
        ("svg", 3, (("xlink:href", "y"),)),
        ("title", 4, ()),
    ]
    assert first.tree.texts == [(3, "one"), (5, "two"), (3, "\nthree")]
    assert (last.number, last.tree.texts) == (3, [(4, "c")])
    assert [conformance.compare(first, engine) for engine in ("fast", "html5lib")] == ["", ""]
    assert conformance.compare(last, "fast") == "text: [(4, 'b')] for [(4, 'c')]"
    assert conformance.compare(last, "html5lib").startswith("element: ")


@pytest.mark.parametrize(("power", "n_faults"), [(1.0, 0), (2.0, len(pathology.GATE))])
def test_the_gate_of_growth_tells_a_square(power: float, n_faults: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(name: str, size: int) -> dict[str, object]:
        return {"bytes": size, "seconds": {"clean": 0.1 * (size / 25_000) ** power}, "refused": {}}

    monkeypatch.setattr(pathology, "measure_once", measure)
    assert len(list(pathology.find_growth_faults())) == n_faults


def test_a_page_that_costs_is_measured_part_by_part() -> None:
    found = pathology.measure_once("entries", 3_000)
    assert set(found["seconds"]) == {"clean", *pathology.PARTS}
    assert found["refused"] == {}
    assert found["out"] > 3_000
    refused = pathology.measure_once("html attributes", 5_000, Limits(max_root_tags=10))
    assert refused["refused"] == {"clean": "max_root_tags"}
    assert pathology.find_exponent(refused, found) is None
    small, large = ({"bytes": n, "seconds": {"clean": n / 100, "text": n / 100}, "refused": {}} for n in (100, 400))
    assert pathology.find_exponent(small, large) == pytest.approx(1)
    assert pathology.describe("x", small, {**large, "mb": 1})[5] == "1.0"
    rows = [
        ["a", "0.1", "0.2", "0.3", "0.4 (dict)", "", "9", ""],
        ["b", "2.0", "", "", "", "", "1", ""],
        ["c", "", "", "", "", "", "1", "x"],
    ]
    others = ["1 others, at most", "0.1", "0.2", "0.3", "0.4", "", "9", ""]
    assert pathology.shorten_table(rows) == [*rows[1:], others]
