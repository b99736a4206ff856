"""What is done on pages of a type, and why a text is empty or next to it."""

from pathlib import Path

import numpy as np
import pytest

import webclean
from tests import write_file
from webclean.cli import main
from webclean.decide.explain import explain_block
from webclean.segments import list_title_blocks
from webclean.segments.semantic_page import segment_page

LINES = [
    "Ferry back on the crossing",
    "Council votes on the levee again",
    "Otters win",
    "Hospital to reopen its ward in fall",
    "Beekeeper found",
    "Bridge gets one more year, with lights and a lane for bicycles",
    "Rents slip",
    "Swim called off over algae in the lower river",
]


def make_board() -> str:
    """An index page without any class or id: nothing but tables and links."""
    rows = "".join(f"<tr><td><a href=/2014/{i}301.html>{line}</a><td>0{i}-18" for i, line in enumerate(LINES))
    return (
        f"<body><table><tr><td><a href=/>Home</a> <a href=/s>Sport</a> <a href=/w>Weather</a></table>"
        f"<table>{rows}</table><table><tr><td>Copyright 2014 The Post</table>"
    )


def test_the_titles_of_a_list_share_their_fate(tmp_path: Path) -> None:
    page = webclean.clean(make_board(), page_type="index", url="http://post.example/")
    assert [line for line in LINES if line not in page.text] == []
    assert "Copyright" not in page.text
    off = write_file(tmp_path / "off.yaml", "segments: {index_pages: {lists: []}}")
    assert webclean.clean(make_board(), page_type="index", rules=off).text != page.text


def test_a_line_that_is_a_title_and_an_author_is_the_title_of_its_entry() -> None:
    rows = "".join(
        f"<li><a href=/book/{n}>{line}</a>, by Moss (Quay Press, 19{n}1)</li>" for n, line in enumerate(LINES)
    )
    analysis = webclean.clean(f"<h1>Books</h1><ul>{rows}</ul>", page_type="index").analysis
    parts = segment_page(analysis.columns, analysis.rules, analysis.decisions)
    assert len(list_title_blocks(parts, analysis.rules.segments.index_pages, [1])[1]) == len(LINES)


@pytest.mark.parametrize(
    "entry",
    [
        "<a href=/p/{n}><div>{title}</div><div>Oak and larch, no. {n}</div></a>",
    ],
)
def test_the_title_of_an_entry_is_not_its_longest_link(entry: str) -> None:
    titles = ["Tern, 14 foot", "Otter skiff", "Long Heron of 1931", "Wherry Ada", "Punt for two", "Grebe, with oars"]
    rows = "".join(f"<li>{entry.format(n=n, title=title)}</li>" for n, title in enumerate(titles))
    analysis = webclean.clean(f"<h1>Boats</h1><ul>{rows}</ul>", page_type="index").analysis
    parts = segment_page(analysis.columns, analysis.rules, analysis.decisions)
    found = list_title_blocks(parts, analysis.rules.segments.index_pages, range(len(parts)))
    assert [analysis.columns.blocks.text[at] for places in found.values() for at in places if at] == titles


PROSE = "<p>The ferry left the harbour before dawn, and the crew counted crates of beans while the fog came in.</p>"
CONSENT = (
    "<div role=dialog class=cookie-consent><h2>We value your privacy</h2><p>We and our partners store and read cookies"
    " on your device, and use them for adverts, measurements and research about those who come here.</p></div>"
)


@pytest.mark.parametrize(
    ("before", "kept", "dropped"),
    [
        pytest.param(f"<div><h2>How the mill was saved</h2>{PROSE}</div>", ["crates of beans"], [], id="prose"),
        pytest.param(CONSENT, [], ["our partners"], id="dialog"),
        pytest.param(CONSENT.replace("role=dialog ", ""), [], ["our partners"], id="dialog by its names"),
    ],
)
def test_what_stands_beside_a_list_does_not_push_it_out(before: str, kept: list[str], dropped: list[str]) -> None:
    rows = "".join(f"<li><a href=/2014/{n}301.html>{line}</a></li>" for n, line in enumerate(LINES))
    menu = "<nav><a href=/>Home</a> <a href=/s>Sport</a> <a href=/w>Weather</a></nav>"
    markup = f"<body>{menu}{before}<ul>{rows}</ul><footer>Copyright 2014 The Post</footer>"
    text = webclean.clean(markup, page_type="index", url="http://post.example/").text
    assert [line for line in (*LINES, *kept) if line not in text] == []
    assert [line for line in ("Weather", "Copyright", *dropped) if line in text] == []


def test_the_one_entry_of_a_search_is_its_text() -> None:
    entry = "<div class=result><h3><a href=/2024/ferry>Ferry stuck in fog</a></h3><p>The boat waits.</p></div>"
    menu = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("news", "sport", "weather", "contact"))
    markup = f"<body><ul class=nav>{menu}</ul><h1>Search</h1>{entry}<footer>Copyright 2014 The Post</footer>"
    assert "Ferry stuck in fog" in webclean.clean(markup, page_type="index", url="http://post.example/?q=fog").text


def test_blocks_of_index_pages_are_kept_as_their_text_is() -> None:
    page = webclean.clean(FIXTURES / "index/portal-en-front/input.html", page_type="index")
    kept = [set(block.text.split("\n")) for block in page.blocks if block.kept and block.text]
    assert kept
    assert all(any(line in page.text for line in lines) for lines in kept)
    assert not any(line in page.text for block in page.blocks if not block.kept for line in block.text.split("\n"))


def explain_all(page: webclean.CleanPage) -> set[str]:
    """The rules that decided the page's text blocks."""
    analysis, n = page.analysis, len(page.analysis.columns.blocks)
    return {explain_block(analysis.columns, analysis.decisions, analysis.rules, at).decided_by.rule for at in range(n)}


def test_a_part_that_would_lose_all_of_its_text_keeps_what_is_near_the_cut(tmp_path: Path) -> None:
    markup = Path("fixtures/multi_block/company-about-bootstrap/input.html").read_bytes()
    assert "of rope laid last year" in webclean.clean(markup, url="https://www.tideswellrope.example/about-us").text
    off = write_file(tmp_path / "off.yaml", "segments: {index_pages: {text_reach: 0}}")
    assert (
        "of rope laid last year"
        not in webclean.clean(markup, url="https://www.tideswellrope.example/about-us", rules=off).text
    )


@pytest.mark.parametrize("page_type", ["index", "multi_block"])
@pytest.mark.parametrize("consent", [CONSENT, CONSENT.replace("role=dialog ", "")])
def test_what_excludes_a_part_takes_its_text_with_it(page_type: str, consent: str) -> None:
    parts = "".join(f"<section><h2>{line}</h2>{PROSE}</section>" for line in LINES)
    page = webclean.clean(f"<body>{consent}<main>{parts}</main>", page_type=page_type)
    assert "our partners" not in page.text
    assert [block for block in page.blocks if block.kept and "our partners" in block.text] == []


def test_a_part_whose_text_is_kept_has_no_role_that_nothing_is_kept_of(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "all.yaml", "rules: {all: {when: {selector: .cookie-consent *}, action: keep}}")
    page = webclean.clean(f"<body>{CONSENT}<main><h1>Mill</h1>{PROSE * 3}</main>", rules=rules)
    assert "our partners" in page.text
    (block,) = [block for block in page.blocks if "our partners" in block.text]
    assert block.kept
    assert block.role != webclean.Role.DIALOG
    assert "its text is kept" in block.reasons[0].evidence or "all" in [reason.rule for reason in block.reasons]


def test_rules_have_the_last_word_on_lists(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "rules:\n  no-otters: {when: {text: Otters}, action: drop}\n")
    page = webclean.clean(make_board(), page_type="index", rules=rules)
    assert "Otters" not in page.text
    assert "Beekeeper found" in page.text


def test_what_a_handler_turned_round_says_why(tmp_path: Path) -> None:
    page = webclean.clean(make_board(), page_type="index")
    analysis = page.analysis
    under = np.flatnonzero(analysis.decisions.kept & (analysis.decisions.score < analysis.decisions.cut))
    assert len(under)
    for block in under.tolist():
        said = explain_block(analysis.columns, analysis.decisions, analysis.rules, block).decided_by
        assert (said.stage, said.rule) == ("index", "list")


FIXTURES = Path(__file__).parents[2] / "fixtures"
SHELL = '<!doctype html><title>App</title><div id="root"></div><script src="app.js"></script>'
LOGIN = """<!doctype html><title>Members</title><form><label>Name <input name=user></label>
<label>Password <input type=password></label><button>Log in</button></form>"""
ERROR = "<!doctype html><title>404 Not Found</title><h1>Not Found</h1><p>Nothing is here.</p>"
HIDDEN = f"""<!doctype html><title>Later</title><p>We open in spring.</p>
<div hidden>{'<p><a href="/a">Home</a> <a href="/b">Contact us</a></p>' * 20}</div>"""
SHORT = "<!doctype html><title>Soon</title><p>We open in spring.</p>"


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        (b"", "not_a_page"),
        (SHELL, "script"),
        ("<!doctype html><title>Blank</title><img src=a.png>", "no_text"),
        (ERROR, "error"),
        (LOGIN, "login"),
        (HIDDEN, "hidden"),
        (SHORT, "short"),
    ],
)
def test_an_empty_text_says_why_and_is_not_trusted(markup: str | bytes, reason: str) -> None:
    page = webclean.clean(markup)
    assert page.empty_because == reason
    assert page.warnings
    assert page.confidence < 0.1
    assert page.to_dict()["empty_because"] == reason


def test_a_text_that_is_not_empty_says_nothing() -> None:
    page = webclean.clean(FIXTURES / "content/news-en-harbour/input.html")
    assert page.empty_because is None
    assert not page.warnings


def test_rules_say_what_is_next_to_empty(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "empty: {few_words: 0}\n")
    assert webclean.clean(SHORT, rules=rules).empty_because is None


def test_the_command_line_tells_and_fails_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = write_file(tmp_path / "shell.html", SHELL)
    assert main(["clean", str(page)]) == 0
    assert "a browser may show more" in capsys.readouterr().err
    assert main(["clean", str(page), "--fail-empty"]) == 3
    assert main(["clean", str(page), str(page), "-f", "jsonl", "--fail-empty"]) == 3
    assert "2 script" in capsys.readouterr().err
    assert main(["clean", str(FIXTURES / "content/news-en-harbour/input.html"), "--fail-empty"]) == 0


def test_the_table_of_pages_has_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "pages"
    write_file(folder / "login.html", LOGIN)
    out = tmp_path / "out"
    assert main(["batch", str(folder), "-o", str(out), "--fail-empty", "--jobs", "1"]) == 3
    assert parquet.read_table(out / "pages").column("empty_because").to_pylist() == ["login"]
    assert "1 login" in capsys.readouterr().err
