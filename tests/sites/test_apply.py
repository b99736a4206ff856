"""What learnt rules do to pages, what happens when a site changes, and the command line around it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from invented_sites import SyntheticPage, generate_host, generate_site

from tests import Capture, Patch
from tests.web_sites import run_folder
from webclean.cli import main
from webclean.pipeline import Cleaner
from webclean.rules import RuleBook
from webclean.workbench.labelled_pages import score_words

pytest.importorskip("rapidfuzz")


def write_pages(folder: Path, pages: Sequence[SyntheticPage]) -> Path:
    folder.mkdir()
    for page in pages:
        (folder / f"{page.name}.html").write_text(page.html, encoding="utf-8")
    return folder


def rename_blocks(page: SyntheticPage) -> SyntheticPage:
    """The page after a redesign: other names, and the content one level deeper."""
    html = page.html.replace('id="story"', 'id="body"').replace('"entry text"', '"prose"')
    html = html.replace("<body>", "<body><main><div><div>").replace("</body>", "</div></div></main></body>")
    return SyntheticPage(page.name, html, page.article)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site file learnt from 150 pages through the command line."""
    folder = tmp_path_factory.mktemp("site")
    pages = write_pages(folder / "pages", list(generate_site(150)))
    assert main(["sites", "learn", str(pages), "-o", str(folder / "site.yaml")]) == 0
    return folder / "site.yaml"


def mean_f1(cleaner: Cleaner, pages: Sequence[SyntheticPage]) -> float:
    return sum(score_words(cleaner.clean(page.html).text, page.article).f1 for page in pages) / len(pages)


def test_templates_lift_short_articles_under_long_comments(learnt: Path) -> None:
    fresh = list(generate_site(210))[150:]
    assert mean_f1(Cleaner(), fresh) < 0.90
    assert mean_f1(Cleaner(rules=[learnt]), fresh) > 0.97


def test_a_page_of_no_known_template_is_cleaned_as_if_nothing_were_known_and_says_so(learnt: Path) -> None:
    page = next(iter(generate_site(1)))
    other = "<article><h1>Tea</h1>" + "<p>Pour the water, wait four minutes, and drink it while it is hot.</p>" * 8
    cleaner = Cleaner(rules=[learnt])
    assert not any("templates" in warning for warning in cleaner.clean(page.html).warnings)
    cleaned = cleaner.clean(other)
    assert any("templates of this site" in warning for warning in cleaned.warnings)
    assert cleaned.text == Cleaner().clean(other).text


def test_of_pages_that_share_no_template_nothing_is_learnt_and_it_is_said(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "pages").mkdir()
    for number, path in enumerate(sorted((Path(__file__).parents[2] / "fixtures" / "content").glob("*/input.html"))):
        (tmp_path / "pages" / f"{number}.html").write_bytes(path.read_bytes())
    assert main(["sites", "learn", str(tmp_path / "pages"), "-o", str(tmp_path / "site.yaml")]) == 0
    assert "nothing was learnt: the pages share no template" in capsys.readouterr().err
    assert RuleBook(files=[tmp_path / "site.yaml"]).for_page().rules == RuleBook().for_page().rules


def test_five_pages_of_a_template_are_enough(tmp_path: Path) -> None:
    pages = list(generate_host(45, layouts=("article",)))
    (tmp_path / "pages").mkdir()
    for page in pages[:5]:
        (tmp_path / "pages" / f"{page.id}.html").write_bytes(page.html)
    file = tmp_path / "site.yaml"
    assert main(["sites", "learn", str(tmp_path / "pages"), "-o", str(file)]) == 0
    assert {"template-1", "template-1-varied"} <= set(RuleBook(files=[file]).for_page().rules)
    cleaner = Cleaner(rules=[file])
    for page in pages[5:]:
        text = cleaner.clean(page.html).text
        assert not [fact for fact in page.kept_snippets if fact not in text]


def test_pages_are_fetched_from_a_list_of_urls(tmp_path: Path, capsys: Capture) -> None:
    folder = write_pages(tmp_path / "pages", list(generate_site(20, n_templates=1)))
    names = [*sorted(path.name for path in folder.iterdir()), "gone.html"]
    listed, output = tmp_path / "urls.txt", tmp_path / "site.yaml"
    command = ["sites", "learn", str(listed), "--pause", "0", "-o", str(output)]
    with run_folder(folder) as site:
        listed.write_text("# pages\n" + "".join(f"{site}/{name}\n" for name in names))
        assert main([*command, "--allow-private"]) == 1
        assert "gone.html: HTTP 404 File not found\n" in capsys.readouterr().err
        assert output.read_text().startswith("# Learnt from 20 pages")
        listed.write_text(f"{site}/{names[0]}\n")
        assert main(command) == 1
        assert "not a public address" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["learn", "."], ["learn", "missing.html"], ["learn", ".", "--urls", "missing.tsv"]],
)
def test_wrong_arguments_end_with_code_2(
    arguments: list[str], tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sites", *arguments]) == 2
    assert capsys.readouterr().err.startswith("webclean: ")
