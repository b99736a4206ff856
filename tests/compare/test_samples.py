"""Folders of pages that rules are tried on."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from webclean.compare.dataset import LabelledPage, read_samples
from webclean.errors import InputError


def test_pages_with_and_without_a_true_text(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes(b"<p>b")
    (tmp_path / "b.txt").write_text(" true text\n", encoding="utf-8")
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>a"))
    (tmp_path / "c.txt").write_text("no page", encoding="utf-8")
    assert read_samples(tmp_path) == [
        LabelledPage("a", "", b"<p>a", has_text=False),
        LabelledPage("b", "", b"<p>b", "true text"),
    ]


def test_labelled_pages_have_their_type(tmp_path: Path) -> None:
    for name in ("html", "ground-truth"):
        (tmp_path / name).mkdir()
    for number, url in enumerate(("https://a.net/", None)):
        (tmp_path / "html" / f"{number}.html.gz").write_bytes(gzip.compress(b"<p>x"))
        label = {"url": url, "_internal": {"page_type": {"primary": "forum"}}, "ground_truth": {"main_content": "x"}}
        (tmp_path / "ground-truth" / f"{number}.json").write_text(json.dumps(label))
    first, second = read_samples(tmp_path)
    assert (first.id, first.url, first.html, first.text, first.page_type) == (
        ("0", "https://a.net/", b"<p>x", "x", "forum")
    )
    assert (second.url, second.has_text) == ("", True)
    assert [sample.id for sample in read_samples(tmp_path, 1)] == ["0"]


@pytest.mark.parametrize(
    ("limit", "ids"),
    [(None, "0123456"), (0, "0123456"), (2, "03"), (3, "024"), (4, "0135"), (7, "0123456"), (9, "0123456")],
)
def test_a_limit_spreads_over_the_folder(tmp_path: Path, limit: int | None, ids: str) -> None:
    for number in range(7):
        (tmp_path / f"{number}.html").touch()
    assert [sample.id for sample in read_samples(tmp_path, limit)] == list(ids)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pages; wanted"):
        read_samples(tmp_path)
    (tmp_path / "a.html.gz").write_bytes(b"not packed")
    with pytest.raises(InputError, match=r"a\.html\.gz: cannot be read"):
        read_samples(tmp_path)
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>" * 99)[:-9])
    with pytest.raises(InputError, match="cannot be read"):
        read_samples(tmp_path)
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>"))
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="cannot be read"):
        read_samples(tmp_path)
