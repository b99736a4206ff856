"""URLs of pages in a folder, so that rules of their sites apply."""

import gzip
import json
from pathlib import Path

import pytest

import webclean
from tests import Capture, write_file
from webclean.batch.sources import read_url_list
from webclean.cli import main
from webclean.errors import InputError
from webclean.parse import find_canonical_link

TEXT = "Take a leek and cut it, and wash it well, since sand hides between the leaves of every leek that you buy."
PAGE = f"<!doctype html><title>Soup</title>LINK<main><h1>Soup</h1><p>{TEXT}</p><p>Salt late, and {TEXT}</p></main>"
LINK = '<link rel="canonical" href="https://www.cook-book.com/soup">'
RULE = "rules:\n  salt: {when: {text: Salt late}, action: drop, because: it is said below}\n"
WARNING = (
    "webclean: there are rules for 1 site, but no page has a URL, so none of them applies: "
    "give --url URL, or for many pages --urls FILE\n"
)


@pytest.fixture
def rules(tmp_path: Path) -> str:
    write_file(tmp_path / "mine" / "sites" / "cook-book.com.yaml", RULE)
    return str(tmp_path / "mine")


def make_pages(tmp_path: Path, **links: str) -> str:
    (tmp_path / "pages").mkdir()
    for name, link in links.items():
        (tmp_path / "pages" / f"{name}.html").write_text(PAGE.replace("LINK", link))
    return str(tmp_path / "pages")


def clean_folder(capsys: Capture, *args: str) -> tuple[dict[str, tuple[str | None, bool]], str]:
    """Name -> URL and whether the salt was dropped; and what stands on standard error."""
    assert main(["clean", "-f", "jsonl", *args]) == 0
    captured = capsys.readouterr()
    records = map(json.loads, captured.out.splitlines())
    found = {Path(page["source"]).name: (page["url"], "Salt late" not in page["text"]) for page in records}
    return found, captured.err


def test_pages_of_a_folder_have_the_url_of_their_canonical_link(tmp_path: Path, rules: str, capsys: Capture) -> None:
    pages = make_pages(tmp_path, a=LINK, b="")
    found, err = clean_folder(capsys, "--input-dir", pages, "--rules", rules)
    assert found == {"a.html": ("https://www.cook-book.com/soup", True), "b.html": (None, False)}
    assert err == ""


def test_a_page_that_is_named_is_not_taken_at_its_word(tmp_path: Path, rules: str, capsys: Capture) -> None:
    page = make_pages(tmp_path, a=LINK) + "/a.html"
    found, err = clean_folder(capsys, page, "--rules", rules)
    assert found == {"a.html": (None, False)}
    assert err == WARNING
    found, err = clean_folder(capsys, page, "--rules", rules, "--url", "https://cook-book.com/")
    assert (found, err) == ({"a.html": ("https://cook-book.com/", True)}, "")
    assert webclean.clean(Path(page).read_bytes(), rules=rules).url is None


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_rules_of_sites_without_a_url_are_told_once(form: str, tmp_path: Path, rules: str, capsys: Capture) -> None:
    pages = make_pages(tmp_path, a="", b="")
    command = ["clean", "--input-dir", pages, "-f", form, "-o", str(tmp_path / "out")]
    assert main([*command, "--rules", rules]) == 0
    assert capsys.readouterr().err == WARNING
    assert main(command) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("line", ["{}\t{}", '{{"file": "{}", "url": "{}"}}', "./{}\t {} ", "PAGES/{}\t{}"])
@pytest.mark.parametrize("name", ["a.html", "a"])
def test_a_list_names_pages_by_file(line: str, name: str, tmp_path: Path, rules: str, capsys: Capture) -> None:
    pages, listed = make_pages(tmp_path, a=LINK, b=LINK), tmp_path / "urls"
    url = "https://blog.cook-book.com/a"
    listed.write_text("\n" + line.format(name, url).replace("PAGES", pages) + "\n")
    found, _ = clean_folder(capsys, "--input-dir", pages, "--rules", rules, "--urls", str(listed))
    assert found == {"a.html": (url, True), "b.html": ("https://www.cook-book.com/soup", True)}
    found, _ = clean_folder(capsys, pages + "/a.html", "--rules", rules, "--urls", str(listed))
    assert found == {"a.html": (url, True)}


def test_a_list_without_any_of_the_pages_is_told(tmp_path: Path, capsys: Capture) -> None:
    pages, listed = make_pages(tmp_path, a=""), tmp_path / "urls"
    listed.write_text("other.html\thttps://x.net/\n")
    found, err = clean_folder(capsys, "--input-dir", pages, "--urls", str(listed))
    assert found == {"a.html": (None, False)}
    assert err == "webclean: none of the files that --urls lists is one of the pages\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a.html https://x.net/", "wanted: FILE<TAB>URL"),
        ("a.html\t", "wanted: FILE<TAB>URL"),
        ('{"file": "a.html"}', "wanted: FILE<TAB>URL"),
        ('{"file": 1, "url": "https://x.net/"}', "wanted: FILE<TAB>URL"),
        ('{"file": ', "not JSON"),
        ("a.html\tx.net/a", "not an absolute URL: 'x.net/a'"),
        ("a.html\thttp://[::1", "not the URL of a page"),
    ],
)
def test_a_wrong_line_of_a_list_is_named(line: str, message: str, tmp_path: Path, capsys: Capture) -> None:
    listed = write_file(tmp_path / "urls", f"b.html\thttps://x.net/b\n{line}\n")
    assert main(["clean", "--input-dir", make_pages(tmp_path, a=""), "--urls", str(listed), "-f", "jsonl"]) == 2
    assert capsys.readouterr().err.startswith(f"webclean: {listed}:2: {message}")
    with pytest.raises(InputError, match="cannot be read"):
        read_url_list(tmp_path / "missing")


@pytest.mark.parametrize(
    ("markup", "url"),
    [
        (LINK, "https://www.cook-book.com/soup"),
        ("<LINK REL='shortlink Canonical' HREF=' http://x.net/a '>", "http://x.net/a"),
        ("<link rel=canonical href=/soup>" + LINK, "https://www.cook-book.com/soup"),
        ("<link rel=canonical href='http://[::1'>", None),
        ("<link rel=canonical href='https://'>", None),
        ("<link rel=canonical>", None),
        ("<link rel=alternate href=https://x.net/canonical>", None),
        (f"<!-- {LINK} --><script>'{LINK}'</script>", None),
        ("", None),
    ],
)
def test_the_canonical_link_is_the_first_absolute_one(markup: str, url: str | None) -> None:
    page = f"<html><head>{markup}</head><p>x"
    assert find_canonical_link(page.encode()) == url
    assert find_canonical_link(gzip.compress(page.encode())) == url
    assert find_canonical_link(page.encode("utf-16")) == url


def test_what_is_no_page_has_no_canonical_link() -> None:
    assert find_canonical_link(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + LINK.encode()) is None
