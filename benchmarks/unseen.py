"""The whole pipeline on pages of sites, and on corpora, that no learnt card has seen.

usage: python benchmarks/unseen.py DIR [--data DIR[:WEIGHT] ...] [--marked DIR] [--limit N] [--rules FOLDER]
       [--json FILE]

DIR holds labelled pages of all types in the layout of `webclean learn`, `--data` names further corpora. For each of
five folds by registered domain the cards of blocks, the word points, the page-type card and the patent's tree are
learnt from the other four folds and written as rule files over the shipped rules; the fold's pages of DIR are then
cleaned with them as any page is: general rules, page types, handlers and all. Then each further corpus is left out of
learning altogether, and its pages are cleaned with what the others taught. `--marked` names home pages whose blocks
people marked: page types are learnt from them too, in every fold. What stays as shipped are the general rules, the
calibration of the confidence and the role cards.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from harness import make_parser, take_about, write_figures
from quality import average, score_text

from webclean.laboratory.block_cards import Learner
from webclean.laboratory.harness import N_FOLDS, LabelledPages, read_columns, say, write_tree
from webclean.laboratory.marked_pages import read_home_pages
from webclean.laboratory.type_cards import (
    collect_examples,
    format_card_rules,
    learn_patent_tree,
    learn_type_card,
    stand_for,
)
from webclean.pipeline import Cleaner
from webclean.rules import load_rules
from webclean.workbench.labelled_pages import LabelledPage, read_corpora

Row = tuple[str, bool, float, float, float, float | None, float | None]
"""Page type, whether it was told right, precision, recall, F1, found snippets of main content and of boilerplate."""


def write_rules(pages: Sequence[LabelledPage], home: Sequence[LabelledPage], folder: Path) -> None:
    """Rule files of every fold, learnt without it, in `folder/N`, and of every further corpus, in `folder/NAME`.

    home: pages of which only the type is known, in no fold.
    """
    learner = Learner(pages, load_rules())
    material = learner.material
    columns = (*material.columns, *map(read_columns, home))
    examples = collect_examples(LabelledPages((*pages, *home), by_corpus=True), load_rules(), columns)
    no_home = np.zeros(len(home), dtype=bool)
    names = [*map(str, range(N_FOLDS)), *material.corpora[1:]]
    corpora = (material.corpus == number for number in range(1, len(material.corpora)))
    for name, held_out in zip(names, (*(material.fold == fold for fold in range(N_FOLDS)), *corpora), strict=True):
        own = folder / name
        own.mkdir(parents=True, exist_ok=True)
        guessed = material.likely if name.isdecimal() else material.left_out
        made = learner.format_rules(learner.learn(~held_out, guessed))
        seen = np.flatnonzero(~np.concatenate((held_out, no_home))).tolist()
        made["page_type.yaml"] = format_card_rules(learn_type_card(examples.table.take(seen)), "")
        # from the first corpus alone, as the shipped tree
        rows = [row for row in seen if examples.corpus[row] == 0]
        tree = learn_patent_tree(examples, rows, stand_for(examples.types.tolist(), examples, learner.rules))
        made["page_type_tree.yaml"] = write_tree(("page_type", "patent", "tree"), tree, "")
        for file, text in made.items():
            (own / file).write_text(text, encoding="utf-8")
        say(f"rules written without {name}")


def clean_page(cleaner: Cleaner, page: LabelledPage) -> Row:
    """One page, scored."""
    found = cleaner.clean(page.html, url=page.url or None)
    score = score_text(found.text, page)
    text = found.text.lower()
    wanted, unwanted = (
        average(float(snippet.lower() in text) for snippet in snippets)
        for snippets in (page.kept_snippets, page.dropped_snippets)
    )
    return page.page_type, found.page_subtype == page.page_type, *score, wanted, unwanted


def summarise_rows(corpus: str, rows: Sequence[Row]) -> dict[str, float]:
    """Means over all pages and by type, named as corpora.py names them."""
    kinds, right, precision, recall, f1, wanted, unwanted = zip(*rows, strict=True)
    means = {"f1": fmean(f1), "precision": fmean(precision), "recall": fmean(recall), "type": fmean(right)}
    means |= {"kept snippets": average(wanted) or 0.0, "boilerplate snippets": average(unwanted) or 0.0}
    found = {f"{corpus} {name}": value for name, value in means.items()}
    for kind in sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind)):
        found[f"{corpus}/{kind} f1"] = fmean(score for score, of in zip(f1, kinds, strict=True) if of == kind)
    return found


def main() -> None:
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--data", action="append", default=[], metavar="DIR[:WEIGHT]", help="a further corpus")
    parser.add_argument("--marked", type=Path, metavar="DIR", help="home pages whose blocks are marked")
    parser.add_argument("--limit", type=int, help="about N pages, spread over the folder")
    parser.add_argument("--rules", type=Path, metavar="FOLDER", help="keep the learnt files here, or use those there")
    args = parser.parse_args()
    pages = list(read_corpora([str(args.folder), *args.data]))
    pages = list(take_about(pages, args.limit))
    corpora, summary = list(dict.fromkeys(page.corpus for page in pages)), dict[str, float]()
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.rules or Path(scratch)
        if not (folder / [str(N_FOLDS - 1), *corpora[1:]][-1]).exists():
            home = list(read_home_pages(args.marked, load_rules())) if args.marked else []
            write_rules(pages, home, folder)
        fold = LabelledPages(tuple(pages), by_corpus=True).fold.tolist()
        cleaners = {path.name: Cleaner(rules=path) for path in folder.iterdir()}
        for corpus in corpora:
            own = [(page, number) for page, number in zip(pages, fold, strict=True) if page.corpus == corpus]
            by = str if corpus == corpora[0] else lambda _, name=corpus: name
            rows = [clean_page(cleaners[by(number)], page) for page, number in own]
            found = summarise_rows(corpus, rows)
            languages = sorted({page.language for page, _ in own} - {""})
            for language in languages if len(languages) > 1 else ():
                f1 = [row[4] for row, (page, _) in zip(rows, own, strict=True) if page.language == language]
                found[f"{corpus}/{language} f1"] = fmean(f1)
            print(f"{corpus}: {len(rows)} pages")
            print(*(f"  {name:40s} {value:.4f}" for name, value in found.items()), sep="\n")
            summary |= found
    write_figures(args.json, {"webclean": summary}, len(pages))


if __name__ == "__main__":
    main()
