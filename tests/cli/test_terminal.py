"""Lines, numbers and paths for the terminal, and how far a command is."""

from __future__ import annotations

from pathlib import Path

import pytest

from webclean.cli.clean import plan_targets
from webclean.cli.terminal import find_width, fit, format_points, shorten_path


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("a\nb  \n", 9, "a b"), ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 4, "漢字"),
        ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("漢字漢", 4, "漢…"), ("漢字漢", 5, "漢字…"),
    ],
)  # fmt: skip
def test_a_line_ends_before_the_edge(text: str, width: int, line: str) -> None:
    assert fit(text, width) == line


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("12", 40), ("41", 41)])
def test_lines_are_forty_columns_at_least(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert find_width() == width
    monkeypatch.delenv("COLUMNS")
    assert find_width() == 100


def test_points_have_two_digits() -> None:
    assert [format_points(points) for points in (None, 1.0, -0.256)] == ["", "1.00", "-0.26"]
    assert [format_points(points, signed=True) for points in (None, 1.0, -0.256)] == ["", "+1.00", "-0.26"]


def test_paths_below_the_working_folder_are_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shorten_path(tmp_path / "a" / "b.yaml") == "a/b.yaml"
    assert shorten_path("/elsewhere/b.yaml") == "/elsewhere/b.yaml"
    assert shorten_path(f"{tmp_path}x/b") == f"{tmp_path}x/b"


def test_each_page_has_a_file_of_its_own() -> None:
    names = [
        "in/a.html",
        "in/sub/a.html",
        "other/a.html",
        "x/a.htm",
        "-",
        "https://x.net/a/b?c=1",
        "HTTP://y.net/",
        "http://" + "z" * 200,
        "http://___/",
    ]
    made = [str(path) for path in plan_targets(names, Path("out"), Path("in"), ".md")]
    assert made[:6] == ["out/a.md", "out/sub/a.md", "out/a-2.md", "out/a-3.md", "out/stdin.md", made[5]]
    assert made[5].startswith("out/x.net_a_b")
    assert made[6] == "out/y.net.md"
    assert len(made[7]) == len("out/") + 150 + len(".md")
    assert made[8] == "out/page.md"
    assert [str(path) for path in plan_targets(["in/sub/a.html"], Path("out"), None, ".txt")] == ["out/a.txt"]
