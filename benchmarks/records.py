"""Posts of forum threads among the records: found or missed, and who, when and what of them.

usage: python benchmarks/records.py DIR [--every N]

DIR holds labelled pages in a layout of `quality.py`. The truth is the markup of three kinds of forum software, which
says where each post is, who wrote it and when; webclean does not know their names. A record is a post's when seven in
ten of its words are the post's. `others`: records with an author that are no post (lists of other threads, mostly).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any, Final

import checkout  # noqa: F401  webclean of this clone
from lxml import html as lxml_html
from page_folders import read_folder

import webclean
from webclean.model import Record

_OWN_SHARE: Final = 0.7
_WORD: Final = re.compile(r"\w+")
_DAY_CHARS: Final = len("2024-02-03")


@dataclass(frozen=True, slots=True)
class Software:
    """XPaths of one kind of forum: the posts of a page, and of a post its author, its date and its text."""

    posts: str
    author: str
    date: str
    text: str


KINDS: Final = {
    "Discourse": Software(
        "//*[contains(@class, 'crawler-post') and contains(@class, 'topic-body')]",
        "string(.//*[contains(@class, 'creator')]//*[@itemprop='name'])",
        "string(.//time/@datetime)",
        "string(.//*[@class='post'])",
    ),
    "XenForo": Software(
        "//article[contains(concat(' ', @class, ' '), ' message--post ')]",
        "string(@data-author)",
        "string(.//time/@datetime)",
        "string(.//*[contains(@class, 'message-body')])",
    ),
    "phpBB": Software(
        "//div[starts-with(@id, 'p') and contains(concat(' ', @class, ' '), ' post ')]",
        "string(.//*[contains(@class, 'username')])",
        "string(.//p[contains(@class, 'author')]//time/@datetime)",
        "string(.//div[@class='content'])",
    ),
}


@dataclass(slots=True)
class Counts:
    """Posts of all pages of one kind; authors, dates and posts without a title count among those found."""

    pages: int = 0
    posts: int = 0
    found: int = 0
    with_author: int = 0
    right_author: int = 0
    with_date: int = 0
    right_date: int = 0
    untitled: int = 0
    others: int = 0


def split_words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def find_kind(html: bytes) -> tuple[str, list[Any]] | None:
    """The software of a page and its post elements, of pages with two posts or more."""
    tree = lxml_html.fromstring(html)
    for name, software in KINDS.items():
        posts = tree.xpath(software.posts)
        if len(posts) > 1:
            return name, posts
    return None


def count_posts(posts: Sequence[Any], software: Software, records: Iterable[Record], counts: Counts) -> None:
    """Give each post the record whose words are most its own, and count."""
    left = [(split_words(record.summary), record) for record in records]
    counts.pages += 1
    counts.posts += len(posts)
    for post in posts:
        author, date, text = (
            " ".join(post.xpath(path).split()) for path in (software.author, software.date, software.text)
        )
        words = split_words(text)
        shares = [len(own & words) / len(own) if own else 0.0 for own, _ in left]
        if not shares or max(shares) < _OWN_SHARE:
            continue
        record = left.pop(shares.index(max(shares)))[1]
        counts.found += 1
        counts.with_author += bool(author)
        counts.right_author += bool(author) and split_words(record.author or "") == split_words(author)
        counts.with_date += bool(date)
        counts.right_date += bool(date) and (record.date or "")[:_DAY_CHARS] == date[:_DAY_CHARS]
        counts.untitled += not record.title
    counts.others += sum(record.author is not None for _, record in left)


def format_counts(found: dict[str, Counts]) -> Iterator[str]:
    """A Markdown table, one row a kind."""
    names = [field.name.replace("_", " ") for field in fields(Counts)]
    yield f"| software | {' | '.join(names)} |"
    yield "|---" * (len(names) + 1) + "|"
    for name, counts in found.items():
        yield f"| {name} | {' | '.join(map(str, astuple(counts)))} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="labelled pages")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page")
    args = parser.parse_args()
    cleaner = webclean.Cleaner(limits=webclean.Limits(max_seconds=600))
    found = {name: Counts() for name in KINDS}
    for page in islice(read_folder(args.folder), 0, None, args.every):
        known = find_kind(page.html) if page.page_type == "forum" else None
        if known is not None:
            name, posts = known
            blocks = cleaner.clean(page.html, url=page.url or None).blocks
            count_posts(posts, KINDS[name], (record for block in blocks for record in block.records), found[name])
    for line in format_counts(found):
        print(line)


if __name__ == "__main__":
    main()
