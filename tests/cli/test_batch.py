"""`webclean batch` as it is typed."""

import io
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests import write_file
from webclean.batch.tables import find_schema
from webclean.cli import main
from webclean.cli.terminal import Progress

pytest.importorskip("pyarrow", reason="webclean batch needs the extra batch")
pytest.importorskip("fastwarc", reason="webclean batch needs the extra batch")

FIXTURES = Path(__file__).parents[2] / "fixtures"
PAGE = (FIXTURES / "content" / "news-en-harbour" / "input.html").read_text(encoding="utf-8")
RULE = "rules:\n  notes: {when: {selector: aside}, action: drop, because: they are notes}\n"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    write_file(folder / "a.html", PAGE)
    (folder / "b b.html").write_bytes(b"%PDF-1.4 \0")
    (folder / "c.html").write_text("<link rel=canonical href=https://own.example/c><p>Peas and beans", encoding="utf-8")
    (folder / "notes.txt").write_text("x")
    return folder


def test_what_came_of_the_pages_is_told(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", str(pages), "-o", str(pages.parent / "out"), "--jobs", "1"]) == 1
    told = capsys.readouterr().err
    assert "skipped 1: " in told
    assert "3 pages in " in told
    assert "failed: 1 not_a_page" in told
    assert "2 pages without a URL have that of their canonical link" in told


def test_json_lines_have_the_columns_of_the_tables(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = pages.parent / "out"
    arguments = ["batch", str(pages), "-o", str(output), "--format", "jsonl.zst", "--blocks", "--quiet", "--jobs", "1"]
    assert main(arguments) == 1
    assert capsys.readouterr().err == ""
    zstd = pytest.importorskip("backports.zstd")
    for table in ("pages", "blocks"):
        lines = zstd.decompress((output / table / "00000-00000.jsonl.zst").read_bytes()).splitlines()
        assert lines
        assert all([*json.loads(line)] == find_schema(table).names for line in lines)


def test_pages_come_from_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "\n".join(json.dumps({"html": PAGE, "url": f"https://x.net/{n}"}) for n in range(3))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(lines.encode()))))  # type: ignore[arg-type]
    rules = write_file(tmp_path / "rules.yaml", RULE)
    arguments = ["batch", "-o", str(tmp_path / "out"), "--jobs", "1", "--format", "jsonl"]
    assert main([*arguments, "--rules", str(rules)]) == 0
    assert capsys.readouterr().err == f"webclean: 3 pages in {tmp_path / 'out'}\n"
    rows = [json.loads(line) for line in (tmp_path / "out" / "pages" / "00000-00000.jsonl").read_text().splitlines()]
    assert [row["url"] for row in rows] == [f"https://x.net/{n}" for n in range(3)]
    assert any(reason["rule"] == "notes" for reason in rows[0]["reasons"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.warc.gz", "-o", "out"], "missing.warc.gz: no such file or folder"),
        (["missing.warc.gz"], "say where to with -o OUT"),
        (["missing.warc.gz", "-o", "out", "--jobs", "0"], "at least 1"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["batch", *arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    assert message in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that progress reads, in seconds."""
    seconds = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: seconds[0])
    return seconds


def test_progress_tells_rate_time_left_and_errors_by_kind(now: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = Progress(1000)
    for second in (1, 10):
        now[0] = second
        progress.count(50, Counter({"timeout": 1}), 50 * second)
        assert ("left" in terminal.getvalue()) == (second > 5)
    shown = terminal.getvalue().split("\r")[-1]
    assert shown.startswith("100 pages, 10.0 a second, 0:00:")
    assert shown.endswith("left, 2 failed (2 timeout)")
    progress.finish()
    assert terminal.getvalue().split("\r")[-1].strip() == "100 pages, 10.0 a second, 2 failed (2 timeout)"


def test_no_time_left_is_told_by_a_slow_first_page(now: list[float]) -> None:
    progress = Progress(1_000_000)
    for second, done in ((9, 1), (20, 2)):
        now[0] = second
        progress.count(1, done=done)
        assert progress.estimate_left(done) is None
    for second in range(21, 51):
        now[0] = second
        progress.count(1, done=10_000 * second)
    # 10,000 a second since the first page, also where the workers took nine seconds to start
    assert progress.estimate_left(500_000) == 41
    assert progress.estimate_left(1_000_000) == 0


def test_a_pipe_gets_a_line_of_progress_now_and_then(now: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(1000)
    for second in (1, 29, 31, 32):
        now[0] = second
        progress.count(10)
    progress.finish()
    assert [line.split(",")[0] for line in capsys.readouterr().err.splitlines()] == [
        "webclean: 30 pages",
        "webclean: 40 pages",
    ]
    Progress(1000).finish()
    assert capsys.readouterr().err == ""
