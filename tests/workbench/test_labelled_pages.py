"""Reading labelled pages, and folds that never split a site."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from tests import write_labelled
from webclean.errors import InputError
from webclean.workbench.labelled_pages import (
    LabelledPage,
    Score,
    group_pages,
    make_folds,
    read_corpora,
    read_pages,
    score_subsequence,
    score_words,
    spread_evenly,
)


def make_page(number: int, url: str, text: str, page_type: str = "article") -> LabelledPage:
    return LabelledPage(str(number), url, b"", text, page_type)


def write_page(folder: Path, page_id: str, html: str, page_type: str = "category") -> None:
    label = {
        "url": "https://shop.example.com/",
        "_internal": {"page_type": {"primary": page_type}},
        "ground_truth": {"main_content": " Kettles ", "title": "Kettles", "with": ["Kettle"], "without": ["Imprint"]},
    }
    write_labelled(folder, page_id, html, label)


def test_reads_pages_by_id(tmp_path: Path) -> None:
    write_page(tmp_path, "0002", "<p>Kettle</p>")
    write_page(tmp_path, "0001", "<script>1</script><p>Kettle</p>", "article")
    first, second = read_pages(tmp_path)
    assert (first.id, first.page_type) == ("0001", "article")
    assert (second.page_type, second.text) == ("collection", "Kettles")
    assert (second.id, second.url, second.html) == ("0002", "https://shop.example.com/", b"<p>Kettle</p>")
    assert (second.kept_snippets, second.dropped_snippets) == (("Kettle",), ("Imprint",))
    assert (second.title, second.author) == ("Kettles", None)
    assert (second.date_slack, second.comments, second.domain) == (0, "", "")
    assert second.date is None


def test_reads_what_a_truth_says_of_a_page(tmp_path: Path) -> None:
    for page_id, truth in {
        "a": {"text": " Kettles ", "comments": "Mine leaks.", "language": "pt-BR", "domain": "example.org"},
        "b": {"url": "https://www.example.org/b", "with": ["Kettle"], "date": "2024-05-06", "date_slack": 1},
    }.items():
        write_labelled(tmp_path, page_id, "<p>Kettle</p>", truth, "truth")
    first, second = read_pages(tmp_path)
    assert (first.text, first.comments, first.language, first.domain) == ("Kettles", "Mine leaks.", "pt", "example.org")
    assert (first.url, first.page_type, first.title, first.date_slack) == ("", "article", None, 0)
    assert (second.text, second.kept_snippets, second.date, second.date_slack) == ("", ("Kettle",), "2024-05-06", 1)
    assert len(set(group_pages([first, second]).tolist())) == 1, "one site, told by one and in the URL of the other"


def test_another_layout_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ground-truth"):
        list(read_pages(tmp_path))


def test_a_group_shares_a_site_or_a_text() -> None:
    pages = [
        make_page(0, "https://a.example.com/1", "one"),
        make_page(1, "https://b.example.org/1", "two"),
        make_page(2, "https://www.example.com/2", "two"),
        make_page(3, "https://other.net/", ""),
        make_page(4, "https://another.net/", ""),
    ]
    groups = group_pages(pages)
    assert groups[0] == groups[1] == groups[2]
    assert len({groups[0], groups[3], groups[4]}) == 3


def test_the_largest_groups_go_first_to_the_fold_with_the_fewest_of_their_kind() -> None:
    groups = np.array([0, 0, 0, 1, 1, 2, 3, 4], dtype=np.int32)
    kinds = ["forum"] * 3 + ["article"] * 2 + ["forum", "article", "article"]
    # group 0 to fold 0; 1 has no kind in common with it, fold 1 has fewer pages; then 2 to the fold without forums,
    # 3 and 4 to the fold without articles, which is then the one with the fewest
    assert make_folds(groups, kinds, 2).tolist() == [0, 0, 0, 1, 1, 1, 0, 0]
    assert make_folds(np.array([0, 1, 2, 2], dtype=np.int32), ["a"] * 4, 2).tolist() == [1, 1, 0, 0]
    assert sorted(set(make_folds(np.arange(9, dtype=np.int32), ["a"] * 9).tolist())) == [0, 1, 2, 3, 4]
    # of equally large groups that of the first page goes first
    assert make_folds(np.array([0, 1, 1, 0], dtype=np.int32), ["a"] * 4, 2).tolist() == [0, 1, 1, 0]


def test_folds_keep_groups_whole_and_spread_types() -> None:
    groups = np.repeat(np.arange(50, dtype=np.int32), 2)
    strata = ["article"] * 60 + ["forum"] * 40
    fold = make_folds(groups, strata, 5)
    assert all(len(set(fold[groups == g])) == 1 for g in range(50))
    for k in range(5):
        assert np.sum(fold[:60] == k) == 12
        assert np.sum(fold[60:] == k) == 8


def test_corpora_are_read_one_after_the_other(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_page(tmp_path / name, "1", "<p>Kettle</p>")
    assert [page.corpus for page in read_corpora([f"{tmp_path}/one", f"{tmp_path}/other"])] == ["one", "other"]


@pytest.mark.parametrize(
    ("n", "limit", "chosen"),
    [
        (6, None, "abcdef"), (6, 0, "abcdef"), (6, 1, "a"), (6, 2, "ad"), (6, 3, "ace"), (6, 4, "abde"),
        (6, 5, "abcde"), (6, 6, "abcdef"), (6, 7, "abcdef"), (0, 3, ""),
    ],
)  # fmt: skip
def test_items_are_chosen_at_even_distances(n: int, limit: int | None, chosen: str) -> None:
    assert "".join(spread_evenly("abcdef"[:n], limit)) == chosen


def test_pages_with_and_without_a_true_text(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes(b"<p>b")
    (tmp_path / "b.txt").write_text(" true text\n", encoding="utf-8")
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>a"))
    (tmp_path / "c.txt").write_text("no page", encoding="utf-8")
    assert list(read_pages(tmp_path)) == [
        LabelledPage("a", "", b"<p>a", has_text=False),
        LabelledPage("b", "", b"<p>b", "true text"),
    ]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pages; wanted"):
        list(read_pages(tmp_path))
    (tmp_path / "a.html.gz").write_bytes(b"not packed")
    with pytest.raises(InputError, match=r"a\.html\.gz: cannot be read"):
        list(read_pages(tmp_path))
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>" * 99)[:-9])
    with pytest.raises(InputError, match="cannot be read"):
        list(read_pages(tmp_path))
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>"))
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="cannot be read"):
        list(read_pages(tmp_path))


def test_words_are_counted_without_order_and_case() -> None:
    assert score_words("a b b c", "b b d") == Score(0.5, 2 / 3, pytest.approx(4 / 7))
    assert score_words("The river, the SEA.", "sea river the the") == Score(1, 1, 1)
    assert score_words("a", "b") == Score(0, 0, 0)


def test_a_subsequence_has_order_and_no_white_space() -> None:
    assert score_subsequence("axbxc", "abc") == Score(0.6, 1.0, pytest.approx(0.75))
    assert score_subsequence("a b\nc", "abc") == Score(1, 1, 1)
    assert score_subsequence("ab", "ba") == Score(0.5, 0.5, 0.5)


def test_two_empty_texts_agree_and_one_scores_nothing() -> None:
    for score in (score_words, score_subsequence):
        assert score("", "") == Score(1, 1, 1)
        assert score("a", "") == Score(0, 0, 0)
        assert score("", "a") == Score(0, 0, 0)
