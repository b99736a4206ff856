"""Records of index pages beside those that a reader marked: precision, recall, completeness of fields.

usage: python benchmarks/record_lists.py DIR [--part unseen] [--show]

DIR holds the folders that `record_pages.yaml` names as datasets; the marks are in that file. Records of kept blocks
count. A record is right when its URL and its title (at least four fifths of the words of both) are those of a
marked one; a marked one that is given twice counts once, and what is marked as optional counts neither way. Fields
are those of records that were found: a date or a price has the marked numbers, an author or an image is the marked
one, a summary is there, counts are equal. `phone`: of the records of kept blocks, those whose titles the phone page
shows.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from statistics import fmean
from typing import Any, Final
from urllib.parse import urldefrag, urljoin

import checkout
import yaml
from harness import build_cleaner, format_table, make_parser

from webclean.model import Record
from webclean.page import CleanPage

MARKS: Final = checkout.CLONE / "benchmarks" / "record_pages.yaml"
FIELDS: Final = ("date", "author", "price", "image", "teaser", "counts", "advertisement")
_WORD: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]|[^\W\u2e80-\u9fff\uac00-\ud7af]+")
_TOKEN: Final = re.compile(r"\w+")
_TAG: Final = re.compile(r"<[^>]*>")
_SAME: Final = 0.8
"""Share of the words of two titles that agree in titles of one record."""
_MARK_CHARS: Final = 6


@dataclass(slots=True)
class Score:
    """What was found on one page or several. fields: (of a field, right of it) among the records that were found."""

    marked: int = 0
    found: int = 0
    wrong: int = 0
    kept: int = 0
    on_phone: int = 0
    fields: dict[str, list[int]] = field(default_factory=lambda: {name: [0, 0] for name in FIELDS})
    missed: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.marked)

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + self.wrong)

    @property
    def completeness(self) -> float:
        whole = sum(of for of, _ in self.fields.values())
        return sum(right for _, right in self.fields.values()) / max(1, whole)

    def add(self, other: Score) -> None:
        """Count what was found on another page as well."""
        for name in ("marked", "found", "wrong", "kept", "on_phone"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name, own in other.fields.items():
            self.fields[name] = [a + b for a, b in zip(self.fields[name], own, strict=True)]


def read_page(folder: Path, marks: dict[str, Any]) -> tuple[bytes, str]:
    """The bytes and the URL, '' if it is unknown, of a marked page."""
    dataset, name = folder / marks["dataset"], marks["id"]
    truth = dataset / "ground-truth" / f"{name}.json"
    url = json.loads(truth.read_text(encoding="utf-8"))["url"] if truth.is_file() else ""
    return gzip.decompress((dataset / ("html" if url else "") / f"{name}.html.gz").read_bytes()), url


def name_target(url: str | None, base: str) -> str:
    """A URL without its fragment, absolute if the page's URL is known."""
    return urldefrag(urljoin(base, (url or "").strip()))[0].rstrip("/")


def are_same(one: str, other: str) -> bool:
    """Whether two titles have most words in common."""
    left, right = Counter(_WORD.findall(one.casefold())), Counter(_WORD.findall(other.casefold()))
    return 2 * (left & right).total() >= _SAME * 2 * max(left.total(), right.total()) > 0


def score_page(page: CleanPage, marks: dict[str, Any], url: str) -> Score:
    """Compare the records of the kept blocks of a page with the marked ones."""
    score = Score(marked=len(marks["records"]))
    marked: dict[str, list[dict[str, Any]]] = {}
    for mark in marks["records"]:
        marked.setdefault(name_target(mark["url"], url), []).append(mark)
    optional = {name_target(target, url) for target in marks.get("optional", ())}
    left = {id(mark) for mark in marks["records"]}
    records = [record for block in page.blocks if block.kept for record in block.records]
    for record in records:
        target = name_target(record.url, url)
        fits = [mark for mark in marked.get(target, ()) if are_same(mark["title"], record.title)]
        new = [mark for mark in fits if id(mark) in left]
        if new:
            left.discard(id(new[0]))
            score.found += 1
            count_fields(score, new[0], record, url)
        elif not fits and target not in optional:
            score.wrong += 1
            score.strange.append(f"{record.title[:70]!r} {target[:90]}")
    score.missed = [f"{mark['title'][:70]!r} {mark['url'][:90]}" for mark in marks["records"] if id(mark) in left]
    shown = " ".join(unescape(_TAG.sub("", page.to_mobile_html(include_images=False))).split())
    titles = [" ".join(record.title.split()) for record in records if record.title]
    score.kept, score.on_phone = len(titles), sum(title in shown for title in titles)
    return score


def count_fields(score: Score, mark: dict[str, Any], record: Record, url: str) -> None:
    """Count the fields of a marked record, and those that its record has right."""
    given = {
        "date": record.date and has_numbers(record.date, mark.get("date", ())),
        "price": record.price and has_numbers(record.price, mark.get("price", ())),
        "author": record.author and make_digest(record.author) in mark.get("author", ()),
        "image": record.image and make_digest(urljoin(url, record.image)) in mark.get("image", ()),
        "teaser": record.summary,
        "counts": mark.get("counts", {}).items() <= {count.name: count.value for count in record.counts}.items(),
        "advertisement": record.is_advertisement,
    }
    for name in FIELDS:
        if name in mark:
            score.fields[name][0] += 1
            score.fields[name][1] += bool(given[name])


def has_numbers(text: str, ways: Iterable[str]) -> bool:
    """Whether the numbers of a text are the first of one of the ways to say it, or all of them are among its own."""
    own = f" {' '.join(re.findall(r'[0-9]+', text))} "
    return any(f" {way} ".startswith(own) or f" {way} " in own for way in ways)


def make_digest(text: str) -> str:
    """The mark of a text by its words."""
    words = " ".join(_TOKEN.findall(text.casefold()))
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:_MARK_CHARS]


def format_rows(scores: dict[str, Score]) -> str:
    """A Markdown table, one row a page, and one of all; and the means."""
    whole, rows = Score(), []
    for score in scores.values():
        whole.add(score)
    for name, score in (*scores.items(), ("all records", whole)):
        fields = [f"{right}/{of}" if of else "" for of, right in score.fields.values()]
        rates = [f"{value:.2f}" for value in (score.precision, score.recall, score.completeness)]
        rows.append([name, f"{score.marked}", *rates, *fields, f"{score.on_phone}/{score.kept}"])
    table = format_table(("page", "records", "precision", "recall", "fields", *FIELDS, "phone"), rows)
    precision, recall = (fmean(getattr(one, name) for one in scores.values()) for name in ("precision", "recall"))
    return f"{table}\n\nmean over {len(scores)} pages: precision {precision:.3f}, recall {recall:.3f}"


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of the datasets")
    parser.add_argument("--part", choices=("first", "second", "unseen"), help="only pages of one part")
    parser.add_argument("--only", metavar="ID", help="only one page")
    parser.add_argument("--show", action="store_true", help="print what was missed and what is no marked record")
    args = parser.parse_args()
    scores = {}
    cleaner = build_cleaner({})
    for marks in yaml.safe_load(MARKS.read_text(encoding="utf-8")):
        if (args.part and marks["part"] != args.part) or (args.only and marks["id"] != args.only):
            continue
        html, url = read_page(args.folder, marks)
        name = f"{marks['kind']} {marks['id']}"
        scores[name] = score_page(cleaner.clean(html, url=url or None), marks, url)
        if args.show:
            print(name, f"{scores[name].precision:.2f} {scores[name].recall:.2f}")
            print(*(f"  missed  {line}" for line in scores[name].missed[:12]), sep="\n")
            print(*(f"  strange {line}" for line in scores[name].strange[:12]), sep="\n")
    print(format_rows(scores))


if __name__ == "__main__":
    main()
