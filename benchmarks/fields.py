"""Title, date and author: ours beside trafilatura, readability-lxml and htmldate on one folder of labelled pages.

usage: python benchmarks/fields.py --data DIR [--limit N] [--cross-validated [--beside DIR ...]] [--json FILE]

DIR holds html/ID.html.gz and ground-truth/ID.json. Prints for each system and field the share right of the pages that
have the field, the share answered of those that have none, and milliseconds a page: ours beyond the columns that
cleaning has read, peers' with their parse. A peer that is not installed is named as such.
--cross-validated learns the three cards anew for each fifth of the sites, so that no page is scored by a card that
saw its site; dates and authors are sought near to the title that such a card shows. --beside names a corpus whose pages
are learnt from as well, as those of the shipped cards are, and not scored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean

import turbohtml
from harness import make_parser, take_about, write_figures

from webclean import Cleaner
from webclean.laboratory.field_cards import FIELDS, FieldPages, list_agreements, read_truth, score_answers
from webclean.rules import load_rules
from webclean.workbench.labelled_pages import LabelledPage, read_pages

Answers = dict[str, str | None]


def answer_trafilatura(page: LabelledPage) -> Answers:
    import trafilatura  # noqa: PLC0415  a peer, installed only where it is measured

    found = trafilatura.extract_metadata(page.html, default_url=page.url)
    return {"title": found.title, "date": found.date, "author": found.author} if found else {}


def answer_readability(page: LabelledPage) -> Answers:
    import readability  # noqa: PLC0415

    return {"title": readability.Document(page.html.decode("utf-8", "replace")).short_title()}


def answer_htmldate(page: LabelledPage) -> Answers:
    import htmldate  # noqa: PLC0415

    markup = page.html.decode("utf-8", "replace")
    return {"date": htmldate.find_date(markup, url=page.url, original_date=True)}


PEERS: dict[str, tuple[str, Callable[[LabelledPage], Answers], tuple[str, ...]]] = {
    "trafilatura": ("trafilatura", answer_trafilatura, FIELDS),
    "readability-lxml": ("readability", answer_readability, ("title",)),
    "htmldate": ("htmldate", answer_htmldate, ("date",)),
}
"""Name -> the package that is imported, what it answers, and the fields that it knows."""


def measure_peer(pages: list[LabelledPage], answer: Callable[[LabelledPage], Answers]) -> tuple[list[Answers], float]:
    """Answers and milliseconds of processor time a page; a page that a peer fails on has none."""
    answers, began = [], time.process_time()
    for page in pages:
        try:
            answers.append(answer(page))
        except Exception:
            answers.append({})
    return answers, 1000 * (time.process_time() - began) / len(pages)


def measure_ours(pages: list[LabelledPage]) -> tuple[list[Answers], dict[str, float]]:
    """Answers of the shipped cards, and milliseconds of processor time a page: for `clean`, and after it for the three
    fields that are compared and for all; and, to have a measure of the machine, for turbohtml's parse."""
    cleaner, answers, spent = Cleaner(), [], dict.fromkeys(("clean", "three", "all", "parse"), 0.0)
    for page in pages:
        began = time.process_time()
        found = cleaner.clean(page.html, url=page.url).fields
        cleaned = time.process_time()
        answers.append({"title": found.title.value, "date": found.date.value, "author": found.author.value})
        spent["three"] += time.process_time() - cleaned
        dict(found)
        ended = time.process_time()
        turbohtml.parse(page.html)
        spent["parse"] += time.process_time() - ended
        spent["clean"] += cleaned - began
        spent["all"] += ended - cleaned
    return answers, {name: 1000 * seconds / len(pages) for name, seconds in spent.items()}


def summarise_answers(field: str, truths: Sequence[str | None], answers: Sequence[str | None]) -> dict[str, float]:
    """`FIELD`: share right of the pages that have it; `FIELD false`: share answered of those that have none."""
    shares = zip((field, f"{field} false"), list_agreements(field, truths, answers), strict=True)
    return {name: fmean(agreed) for name, agreed in shares if agreed}


def print_system(
    name: str, pages: list[LabelledPage], answers: list[Answers], fields: tuple[str, ...], ms: float
) -> dict[str, float]:
    """Print a line for each field; the same as figures."""
    summary: dict[str, float] = {}
    for field in fields:
        truths, own = [read_truth(page, field) for page in pages], [a.get(field) for a in answers]
        print(f"{name:22s} {field:7s} {score_answers(field, truths, own)}  {ms:.2f} ms")
        summary |= summarise_answers(field, truths, own)
    return summary


def main() -> None:
    arguments = make_parser(__doc__, json_file=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--cross-validated", action="store_true")
    arguments.add_argument("--beside", type=Path, action="append", default=[], metavar="DIR")
    given = arguments.parse_args()
    pages = list(take_about(list(read_pages(given.data)), given.limit))
    answers, ours = measure_ours(pages)
    summary = {"webclean": print_system("webclean", pages, answers, FIELDS, ours["three"])}
    beside = f"cleaning takes {ours['clean']:.2f} ms, turbohtml's parse {ours['parse']:.2f} ms"
    print(f"{'webclean, all fields':22s} {ours['all']:.2f} ms; {beside}")
    if given.cross_validated:
        found = FieldPages([*pages, *(page for folder in given.beside for page in read_pages(folder))], load_rules())
        unseen = summary["webclean, unseen sites"] = {}
        for field in FIELDS:
            truths = [read_truth(page, field) for page in pages]
            own = [answer.value for answer in found.answer_unseen(field)[: len(pages)]]
            print(f"{'webclean, unseen sites':22s} {field:7s} {score_answers(field, truths, own)}")
            unseen |= summarise_answers(field, truths, own)
    for name, (package, answer, fields) in PEERS.items():
        if not find_spec(package):
            print(f"{name:22s} not installed")
            continue
        answers, ms = measure_peer(pages, answer)
        summary[name] = print_system(name, pages, answers, fields, ms)
    write_figures(given.json, summary, len(pages))


if __name__ == "__main__":
    main()
