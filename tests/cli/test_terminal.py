"""Lines, numbers and paths for the terminal, and how far a command is.

Whatever a page, its address or the name of its file says, no command writes a sequence that a terminal obeys.
"""

import gzip
import re
from pathlib import Path

import pytest

from tests import write_file
from webclean.cli import main
from webclean.cli.clean import plan_targets
from webclean.cli.terminal import fit


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("a\nb  \n", 9, "a b"), ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 4, "漢字"),
        ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("漢字漢", 4, "漢…"), ("漢字漢", 5, "漢字…"),
    ],
)  # fmt: skip
def test_a_line_ends_before_the_edge(text: str, width: int, line: str) -> None:
    assert fit(text, width) == line


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


SIGNS = "\x1b]0;owned\x07\x9b31m\u202e\u2066\x00\x08"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
REFERENCES = "".join(f"&#{ord(sign)};" for sign in "\x1b\x9b\u202e\x08")
PROSE = f"<p>The ferry{SIGNS} leaves at nine{REFERENCES}, and whoever wants a seat comes half an hour early.</p>"
ENTRIES = "".join(
    f"<li><a href='/n{REFERENCES}/{at}' title='{SIGNS}'>The ferry of day {at}{SIGNS} is late</a><p>Early.</p></li>"
    for at in range(9)
)
PAGE = (
    f"<html lang='{SIGNS}'><head><title>Fer{SIGNS}ries{REFERENCES}</title><meta name=author content='Ann{SIGNS} Bo'>"
    f"<link rel=canonical href='https://e.example/{REFERENCES}'></head><body class='{SIGNS}' id='x{REFERENCES}'>"
    f"<h1>Fer{SIGNS}ries</h1>{PROSE * 6}<pre><code class='language-{REFERENCES}'>a{SIGNS}</code></pre>"
    f"<ul class='list{SIGNS}'>{ENTRIES}</ul><x-{SIGNS[1:5]}>{PROSE}</body></html>"
)
COMMANDS = (
    *(("clean", "PAGE", "--format", form) for form in ("text", "markdown", "html", "mobile", "json", "jsonl")),
    ("clean", "PAGE", "--with-metadata"),
    ("clean", "PAGE", "--reasons", "--format", "json"),
    ("explain", "PAGE"),
    ("explain", "PAGE", "--text-blocks", "-v", "--reasons", "9"),
    ("explain", "PAGE", "--json"),
    ("blocks", "PAGE", "--reasons"),
    ("blocks", "PAGE", "--format", "rows"),
    ("links", "PAGE", "--topic", "ferry"),
    ("phone", "PAGE", "-o", "OUT"),
    ("batch", "PAGE", "DAMAGED", "-o", "OUT"),
    ("rules", "new", "PAGE", "--url", "https://e.example/", "--drop", "leaves at nine"),
    ("rules", "check", "RULES"),
    ("rules", "test", "RULES"),
    ("rules", "show", "--rules", "RULES"),
    ("sites", "learn", "PAGE"),
    ("compare", "--data", "FOLDER", "--no-peers"),
    ("clean", f"no such{SIGNS[:-2]}.html"),
    ("clean", f"http://127.0.0.1/{SIGNS[:-2]}"),
    ("clean", "PAGE", "--url", f"http://e.example/{SIGNS[:-2]}"),
    ("clean", "PAGE", "--rules", "RULES"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_writes_controls(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"pa{SIGNS[:-2]}ge.html"
    page = write_file(tmp_path / "pages" / name, PAGE)
    packed = gzip.compress(PAGE.encode())
    (tmp_path / f"cut{SIGNS[:-2]}.html.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "rules.yaml").write_text(f"rules: {{x: {{when: {{text: '{SIGNS[0]}['}}}}}}", encoding="utf-8")
    places = {
        "PAGE": page,
        "FOLDER": page.parent,
        "OUT": tmp_path / "out",
        "DAMAGED": tmp_path / f"cut{SIGNS[:-2]}.html.gz",
        "RULES": tmp_path / "rules.yaml",
    }
    monkeypatch.setenv("COLUMNS", "120")
    try:
        main([str(places.get(word, word)) for word in command])
    except SystemExit as ended:
        assert ended.code in (0, 1, 2)
    told = "".join(capsys.readouterr())
    assert told or "OUT" in command
    assert "unrecognized" not in told
    assert "invalid choice" not in told
    assert CONTROLS.findall(told) == []
