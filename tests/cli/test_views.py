"""Commands that show one page: its blocks, why each is kept, its links by topic, and the page for a phone."""

import json
import re
import unicodedata
from pathlib import Path

import pytest

import webclean
from tests import Capture, Patch, write_file
from webclean.cli import main

TEXT = "The river rises in the hills, and it takes a long and winding way down to the sea, past eleven towns."
RIVERS = f"""<title>On rivers</title><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<main><h1>On rivers</h1><p>{TEXT}</p><p>{TEXT} <a href=/bridge>A bridge</a></p></main>
<footer>Copyright 2024 The River Society</footer>"""
URL = "https://www.rivers.com/a"


@pytest.fixture
def rivers(tmp_path: Path) -> str:
    path = write_file(tmp_path / "page.html", RIVERS)
    return str(path)


def run(capsys: Capture, *args: str) -> str:
    assert main(["blocks", *args, "--url", URL]) == 0
    return capsys.readouterr().out


def test_a_tree_fits_the_terminal_and_says_why(rivers: str, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    found = webclean.clean(RIVERS, url=URL)
    blocks, sections = found.blocks, [one for section in found.sections for one in section.walk()]
    head, *lines, legend = run(capsys, rivers).splitlines()
    assert head.split()[:4] == ["id", "role", "weight", "chars"]
    assert all(f"{sign} " in legend for sign in "#+-*")
    shown = [line.split()[:3] for line in lines]
    assert [line for line in shown if line[1] != "#"] == [[b.id, "+" if b.kept else "-", str(b.role)] for b in blocks]
    assert [line for line in shown if line[1] == "#"] == [[one.id, "#", str(one.role)] for one in sections]
    assert max(map(len, lines)) == 80
    _, *told, _ = run(capsys, rivers, "--reasons").splitlines()
    assert [line for line in told if not line.startswith(" " * 9)] == lines
    n_reasons = sum(len(block.reasons) + bool(block.records) for block in blocks)
    n_reasons += sum(len(section.reasons) for section in sections)
    assert len(told) == len(lines) + n_reasons > len(lines)


def test_a_page_may_be_as_wide_as_120_columns_elsewhere(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    path = write_file(tmp_path / "long.html", f"<p>{TEXT} {TEXT}")
    assert [len(line) for line in run(capsys, str(path)).splitlines()[1:-1]] == [120]


def test_rows_are_those_of_an_index(rivers: str, capsys: Capture) -> None:
    blocks = webclean.clean(RIVERS, url=URL).blocks
    rows = [json.loads(line) for line in run(capsys, rivers, "--format", "rows").splitlines()]
    assert [row["text"] for row in rows] == [block.text for block in blocks if block.text]
    assert {row["page"] for row in rows} == {URL}
    assert len({row["id"] for row in rows}) == len(rows)


def test_a_picture_is_written(rivers: str, tmp_path: Path, capsys: Capture) -> None:
    made = tmp_path / "blocks.html"
    assert run(capsys, rivers, "--html", str(made)) == f"wrote {made}\n"
    assert 'data-wc="b0"' in made.read_text(encoding="utf-8")


CHINESE = """<title>河</title><nav><a href=/>首页</a></nav><article><h1>河</h1><p>河水从山上流下来，经过十一座城镇，
一直流到大海。每座城镇都有自己的桥，桥上常常有人钓鱼。</p>
<p><b>crossed <i>tags</b> here</i></p></article><footer>版权所有</footer>"""


@pytest.fixture
def chinese(tmp_path: Path) -> str:
    path = write_file(tmp_path / "page.html", CHINESE)
    return str(path)


def measure_width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


@pytest.mark.parametrize("option", ["--text-blocks", "-v"])
def test_tables_fit_the_terminal(chinese: str, option: str, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["explain", chinese, option]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 8
    assert max(measure_width(line) for line in lines) <= 60


def test_texts_are_whole_where_that_is_asked_for(chinese: str, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    end = "桥上常常有人钓鱼。"
    for options, is_whole in ([], False), (["--whole"], True), (["--whole", "--text-blocks"], True):
        assert main(["explain", chinese, *options]) == 0
        written = capsys.readouterr().out
        assert (end in written, "…" in written) == (is_whole, not is_whole)


def test_each_block_has_one_plain_sentence(capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["explain", "fixtures/content/news-en-harbour/input.html"]) == 0
    lines = capsys.readouterr().out.partition("\n\n")[2].splitlines()[1:]
    told: dict[str, str] = {}
    for line in lines:
        if line[0] == "b":
            begins = line.rpartition("  ")[2][:12]
        told[begins] = "" if line[0] == "b" else told[begins] + line.strip()
    assert told["Your privacy"] == "a dialog or notice: inside a dialog"
    assert told["News Local C"] == "a menu: inside `nav`"
    assert told["Most read Se"] == "a list of entries beside the text, which has none of it"
    assert told["Comments (3)"] == "named comments"
    assert told["The £4.2m re"] == "named like main text; in the column of the main text"
    assert max(map(measure_width, lines)) <= 80
    assert not re.search(r"[-+]\d|_|=", "".join(told.values())), "no points, no names of features"


def test_text_blocks_say_their_fate_by_weight(chinese: str, capsys: Capture) -> None:
    main(["explain", chinese, "--json"])
    read = json.loads(capsys.readouterr().out)
    blocks = read["text_blocks"]
    assert [block["text"] for block in blocks][:2] == ["首页", "河"]
    assert all(block["reasons"] and block["xpath"].startswith("/html") for block in blocks)
    assert read["type_reasons"]
    for block in blocks:
        points = [abs(reason["points"]) for reason in block["reasons"][1:]]
        assert points == sorted(points, reverse=True)


def test_says_how_the_page_was_read(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "gbk.html"
    path.write_bytes(f"<meta charset=utf-8>{CHINESE}".encode("gbk"))
    assert main(["explain", str(path)]) == 0
    assert "encoding gbk [detected against the declared utf-8]" in capsys.readouterr().out
    path.write_text("<p>x<noscript>" + "<p>The river rises in the hills and goes down.</p>" * 9 + "</noscript>")
    assert main(["explain", str(path)]) == 0
    assert "the content of noscript" in capsys.readouterr().out


def test_the_head_names_type_subtype_and_label_and_blocks_say_how_much_of_them_is_in_the_text(
    chinese: str, capsys: Capture
) -> None:
    assert main(["explain", chinese, "--page-subtype", "blog", "-v"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "type     content (article, blog), confidence 1.00"
    assert "argument: the caller says blog" in lines[1]
    assert "page type, card: " in lines[2]
    assert any(re.match(r"b\d+ +(kept|dropped) +\w+ +\d+/\d+  ", line) for line in lines)


def test_reasons_are_shown_with_their_points_where_that_is_asked_for(chinese: str, capsys: Capture) -> None:
    def count_lines(*args: str) -> tuple[int, int]:
        assert main(["explain", chinese, *args]) == 0
        head, _, table = capsys.readouterr().out.partition("\n\n")
        return sum(line.startswith(" ") for line in head.splitlines()), len(table.splitlines())

    blocks, type_reasons = webclean.clean(CHINESE).blocks, webclean.clean(CHINESE).type_reasons
    without = count_lines()
    assert without == (1, count_lines("--reasons", "9")[1])
    for asked in (1, 5):
        more = sum(min(asked, len(block.reasons)) for block in blocks)
        assert count_lines("-v", "--reasons", str(asked)) == (min(asked, len(type_reasons)), without[1] + more)
    assert count_lines("-v") == count_lines("-v", "--reasons", "4")


def test_counts_scores_and_positions_of_tables(chinese: str, capsys: Capture) -> None:
    cleaned = webclean.clean(CHINESE)
    columns, decisions = cleaned.analysis.columns, cleaned.analysis.decisions
    assert main(["explain", chinese, "--text-blocks"]) == 0
    head, *rows = capsys.readouterr().out.partition("\n\n")[2].splitlines()
    assert head.split() == ["block", "role", "score", "words", "text"]
    rows = [row for row in rows if row[4].isdigit()]
    assert [row.split()[:2] for row in rows] == [
        [str(i), "kept" if kept else "dropped"] for i, kept in enumerate(decisions.kept.tolist())
    ]
    assert [int(row.split()[4]) for row in rows] == columns.blocks.n_words.tolist()
    assert main(["explain", chinese]) == 0
    counts = re.findall(r"^b\d+ .*? (\d+)/(\d+)  ", capsys.readouterr().out, re.MULTILINE)
    assert sum(int(taken) for taken, _ in counts) == int(columns.blocks.n_words[decisions.kept].sum())
    assert sum(int(every) for _, every in counts) == int(columns.blocks.n_words.sum())


def test_fields_warnings_and_limits_are_in_the_head(tmp_path: Path, capsys: Capture) -> None:
    path = write_file(tmp_path / "page.html", "<body a=1>" * 3000 + CHINESE)
    assert main(["explain", str(path), "--on-limit", "truncate"]) == 0
    head = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert "cut      at the limit of max_root_tags" in head
    path.write_text(CHINESE, encoding="utf-8")
    assert main(["explain", str(path)]) == 0
    head = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    title = webclean.clean(CHINESE).fields.title
    assert f"title    河  [{title.source}, {title.confidence:.2f}]" in head
    size = len(CHINESE.encode())
    assert any(line.startswith("encoding utf-8 [") and line.endswith(f"], {size} bytes") for line in head)
    assert not any(line.startswith(("cut", "input", "warning")) for line in head)


def test_json_has_each_text_once(chinese: str, capsys: Capture) -> None:
    assert main(["explain", chinese, "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert "text" not in read
    assert read["text_blocks"][0]["xpath"]
    assert read["warnings"] == []
    assert sum(read["type_probabilities"].values()) == pytest.approx(1.0, abs=0.01)


HARBOUR = """<title>Harbour</title><main><h1>Harbour news</h1>
<p>What is new in the harbour this week, and what is not.</p>
<ul><li><a href="/cranes">Two new cranes</a></li><li><a href="/ferry">The ferry timetable</a></li>
<li><a href="/fish">Fish prices</a></li></ul></main>"""


@pytest.fixture
def harbour(tmp_path: Path) -> str:
    path = write_file(tmp_path / "front.html", HARBOUR)
    return str(path)


def list_links(capsys: Capture, *args: str) -> list[list[str]]:
    assert main(["links", *args, "--url", "https://port.example/"]) == 0
    return [line.split("\t") for line in capsys.readouterr().out.splitlines()]


def test_links_are_ranked_by_words(harbour: str, capsys: Capture) -> None:
    lines = list_links(capsys, harbour, "--topic", "ferry timetable")
    assert lines[0][2:] == ["https://port.example/ferry", "The ferry timetable"]
    assert {line[2] for line in lines} == {f"https://port.example/{name}" for name in ("cranes", "ferry", "fish")}
    assert lines[0][0] == "1.000"
    assert all(len(line[0]) == 5 and float(line[0]) < 1 and line[1].startswith("b") for line in lines[1:])


def test_twenty_are_shown_when_nothing_is_said(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "many.html"
    path.write_text("".join(f"<p><a href=/fish/{i}>Fish of kind {i}</a></p>" for i in range(24)), encoding="utf-8")
    for options, n_shown in (([], 20), (["--top", "2"], 2), (["--top", "0"], 24)):
        assert len(list_links(capsys, str(path), "--topic", "fish", *options)) == n_shown


def test_an_example_page_is_a_topic_alone_or_with_words(harbour: str, tmp_path: Path, capsys: Capture) -> None:
    like = tmp_path / "like.html"
    like.write_text("<title>Cranes</title><h1>Cranes</h1><p>Cranes lift what ships bring, and cranes are tall.</p>")
    assert list_links(capsys, harbour, "--like", str(like), "--top", "1")[0][2] == "https://port.example/cranes"
    words = " ".join(["fish prices"] * 9)
    found = list_links(capsys, harbour, "--like", str(like), "--topic", words, "--top", "2")
    assert {line[2].rpartition("/")[2] for line in found} == {"cranes", "fish"}


def test_a_topic_must_be_named(harbour: str, capsys: Capture) -> None:
    assert main(["links", harbour]) == 2
    assert "name a topic: --topic WORDS or --like FILE" in capsys.readouterr().err
    assert main(["links", harbour, "--topic", "?!"]) == 2
    assert "a topic needs at least one word" in capsys.readouterr().err


PROSE = "The ferry leaves the harbour at nine, and whoever wants a seat by the window comes half an hour early. "


@pytest.fixture
def ferries(tmp_path: Path) -> str:
    sections = "".join(f"<h2>Part {at}</h2>" + f"<p>{PROSE * 4}</p>" * 4 for at in range(6))
    path = write_file(tmp_path / "page.html", f"<html lang=en><title>Ferries</title><h1>Ferries</h1>{sections}")
    return str(path)


def test_one_document_goes_to_standard_output(ferries: str, capsys: Capture) -> None:
    assert main(["phone", ferries]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<!doctype html>")
    assert "Part 5" in out


def test_a_document_goes_to_a_file(ferries: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["phone", ferries, "-o", str(tmp_path / "ferries.html")]) == 0
    assert main(["phone", ferries]) == 0
    assert (tmp_path / "ferries.html").read_text(encoding="utf-8") == capsys.readouterr().out


def test_what_contradicts_itself_is_wrong_usage(ferries: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["phone", ferries, "--inline-images", "--no-images"])
    assert left.value.code == 2


def test_inline_images_are_for_phone_pages(ferries: str) -> None:
    pytest.importorskip("PIL")
    assert main(["phone", ferries, "--inline-images"]) == 0
