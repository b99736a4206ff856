"""Marked home pages as examples of page types."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from webclean.errors import InputError
from webclean.learn.home_pages import read_home_pages
from webclean.rules import load_rules

MARK = '<div data-block="1" data-block-type="{kind}">{text}</div>'


def write_page(folder: Path, name: str, **chars: int) -> None:
    """A page whose marks have so many characters each, in words of ten."""
    parts = "".join(MARK.format(kind=kind, text=" ".join(["abcdefghij"] * (n // 10))) for kind, n in chars.items())
    html = f"<body>{parts}".encode()
    (folder / name).write_bytes(gzip.compress(html) if name.endswith(".gz") else html)


@pytest.mark.parametrize(
    ("chars", "page_type"),
    [
        ({"LinkList": 350, "Article": 650}, "listing"),
        ({"LinkList": 340, "Article": 100, "Content": 560}, None),
        ({"LinkList": 290, "Article": 490, "Content": 220}, "service"),
        ({"LinkList": 290, "Article": 500, "Content": 210}, None),
        ({"LinkList": 490}, None),  # too little text
        ({"LinkList": 500}, "listing"),
    ],
)
def test_the_type_follows_from_the_marked_text(chars: dict[str, int], page_type: str | None, tmp_path: Path) -> None:
    write_page(tmp_path, "example.org.html.gz", **chars)
    assert [page.page_type for page in read_home_pages(tmp_path, load_rules())] == ([page_type] if page_type else [])


def test_a_page_is_as_it_was_before_the_marks_and_named_after_its_site(tmp_path: Path) -> None:
    folder = tmp_path / "homes"
    folder.mkdir()
    write_page(folder, "example.org.html", LinkList=600)
    (page,) = read_home_pages(folder, load_rules())
    assert b"data-block" not in page.html
    assert (page.id, page.url, page.domain, page.corpus) == (
        "example.org",
        "http://example.org/",
        "example.org",
        "homes",
    )


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no \\*\\.html"):
        list(read_home_pages(tmp_path, load_rules()))
