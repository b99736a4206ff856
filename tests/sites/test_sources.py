"""Files, folders and lists -> the pages of a site."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from webclean.errors import InputError
from webclean.sites.site_pages import SitePage, list_site_pages, read_file


def test_folders_are_searched_through_and_files_taken_as_they_are(tmp_path: Path) -> None:
    for name in ("b.html", "a/c.HTM", "a/d.html.gz", "e.txt", "f.xhtml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "folder.html").mkdir()
    pages = list_site_pages([tmp_path, tmp_path / "e.txt"])
    assert [page.name for page in pages] == ["a/c.HTM", "a/d.html.gz", "b.html", "f.xhtml", str(tmp_path / "e.txt")]
    assert pages[0] == SitePage("a/c.HTM", tmp_path / "a" / "c.HTM", None)


def test_a_list_names_urls_and_files_beside_it(tmp_path: Path) -> None:
    listed = tmp_path / "list.tsv"
    listed.write_text("# note\n\nHTTPS://x.net/1\na.html\thttps://x.net/2 \nb.html\t\n", encoding="utf-8")
    assert list_site_pages([], listed) == [
        SitePage("HTTPS://x.net/1", None, "HTTPS://x.net/1"),
        SitePage("a.html", tmp_path / "a.html", "https://x.net/2"),
        SitePage("b.html", tmp_path / "b.html", None),
    ]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pages: give files"):
        list_site_pages([tmp_path])
    with pytest.raises(InputError, match="gone: no such file or folder"):
        list_site_pages([tmp_path / "gone"])
    with pytest.raises(InputError, match="cannot be read"):
        list_site_pages([], tmp_path / "gone.tsv")
    with pytest.raises(InputError, match="cannot be read"):
        read_file(tmp_path / "gone.html")
    (tmp_path / "bad.gz").write_bytes(b"not packed")
    with pytest.raises(InputError, match="cannot be read"):
        read_file(tmp_path / "bad.gz")


def test_packed_pages_are_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>a"))
    (tmp_path / "a.html").write_bytes(b"<p>b")
    assert [read_file(tmp_path / name) for name in ("a.html.gz", "a.html")] == [b"<p>a", b"<p>b"]
