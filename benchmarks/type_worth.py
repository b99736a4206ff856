"""What the right page type is worth: word F1 with the true, the predicted and no type.

usage: python benchmarks/type_worth.py DIR [--every N] [--rules PATH]

DIR holds labelled pages in the layout of `webclean learn` (html/ID.html.gz, ground-truth/ID.json). Every page is
cleaned four times by the same rules:

true       the labelled subtype is given, and `no_feature` for a page that hardly has text
unseen     the answer of a type card that saw no page of the page's site (five folds) is given
shipped    nothing is given: the shipped card, learnt from all of the pages if they are the WCXB development split, says
none       every page is given as content and the cards' adjustments by type are left out: no types

The cards of blocks are the same in all four, so levels are those of pages that they know, and the differences count.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

import checkout  # noqa: F401  webclean of this clone
from msgspec.structs import replace

import webclean
from webclean.classify.classification import choose_subtype
from webclean.compare.dataset import LabelledPage, read_pages, score_words
from webclean.learn.harness import LabelledPages, read_columns
from webclean.learn.page_types import Examples, collect_examples, predict_out_of_fold, stand_for
from webclean.model import PageType
from webclean.pipeline import Cleaner
from webclean.rules import RuleSet, load_rules

Given = Mapping[str, str]
NO_TYPE: Final[Given] = {"page_type": PageType.CONTENT.value, "page_subtype": "article"}


def leave_out_types(rules: RuleSet) -> RuleSet:
    """The same rules without what the cards add by type."""
    cards = {name: replace(getattr(rules, name), by_type={}) for name in ("score_card", "second_card", "article_card")}
    return replace(rules, **cards)


def list_true(examples: Examples, rules: RuleSet) -> list[Given]:
    """What the labels say of each page."""
    types = stand_for(examples.subtypes, examples, rules)
    return [{"page_type": t, "page_subtype": s} for t, s in zip(types, examples.subtypes, strict=True)]


def list_unseen(examples: Examples, rules: RuleSet) -> list[Given]:
    """What a card says of each page that has seen none of its site, by the rules of `classify.card`."""
    types, least = rules.page_type.types, rules.page_type.no_feature_words
    said: list[Given] = []
    for probabilities, n_words in zip(predict_out_of_fold(examples), examples.n_words, strict=True):
        subtype = choose_subtype(probabilities, types)
        kind = PageType.NO_FEATURE.value if n_words < least else types[subtype]
        said.append({"page_type": kind, "page_subtype": subtype})
    return said


def score_all(pages: Sequence[LabelledPage], given: Sequence[Given], cleaner: Cleaner) -> list[float]:
    """Word F1 of each page with what is given of its type."""
    cleaned = (cleaner.clean(page.html, url=page.url or None, **own) for page, own in zip(pages, given, strict=True))
    return [score_words(found.text, page.text).f1 for found, page in zip(cleaned, pages, strict=True)]


def format_table(pages: Sequence[LabelledPage], scores: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """A Markdown table: F1 over all pages and by true subtype; pages that differ from `none`, and by how much."""
    n_pages = Counter(page.page_type for page in pages)
    kinds = sorted(n_pages, key=lambda kind: (-n_pages[kind], kind))
    yield f"| type | all | {' | '.join(kinds)} | pages that change | their F1 without, with | standard error of all |"
    yield "|---" * (len(kinds) + 5) + "|"
    for name, own in scores.items():
        by_kind = [fmean(f1 for f1, p in zip(own, pages, strict=True) if p.page_type == kind) for kind in kinds]
        gains = [f1 - before for f1, before in zip(own, scores["none"], strict=True)]
        changed = [i for i, gain in enumerate(gains) if gain]
        pair = [fmean(column[i] for i in changed) for column in (scores["none"], own)] if changed else []
        cells = [f"{fmean(own):.4f}", *(f"{f1:.3f}" for f1 in by_kind), str(len(changed))]
        cells += [", ".join(f"{f1:.3f}" for f1 in pair), f"{stdev(gains) / len(gains) ** 0.5:.4f}"]
        yield f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="labelled pages")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page")
    parser.add_argument("--rules", action="append", default=[], metavar="PATH", help="rules over the shipped ones")
    args = parser.parse_args()
    pages, rules = list(read_pages(args.folder))[:: args.every], load_rules(*args.rules)
    examples = collect_examples(LabelledPages(tuple(pages), by_corpus=False), map(read_columns, pages), rules)
    limits = webclean.Limits(max_seconds=600)
    cleaner, typeless = Cleaner(rules=args.rules, limits=limits), Cleaner(rules=leave_out_types(rules), limits=limits)
    ways: dict[str, tuple[Sequence[Given], Cleaner]] = {
        "true": (list_true(examples, rules), cleaner),
        "unseen": (list_unseen(examples, rules), cleaner),
        "shipped": ([{}] * len(pages), cleaner),
        "none": ([NO_TYPE] * len(pages), typeless),
    }
    for line in format_table(pages, {name: score_all(pages, given, by) for name, (given, by) in ways.items()}):
        print(line)


if __name__ == "__main__":
    main()
