"""`webclean learn TARGET`, rules from labelled pages, and `webclean compare`, methods and peers on labelled pages.

What each command says and takes stands here; the modules of the laboratory do it.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Final

from webclean.cli.commands import COMMANDS, Command, Family, Option, command, flag, option, require
from webclean.cli.terminal import count_pages
from webclean.errors import InputError
from webclean.model import PageType


def _read_weight(text: str) -> tuple[str, float]:
    name, _, weight = text.partition("=")
    if name not in list(PageType):
        raise argparse.ArgumentTypeError(f"no type {name!r}: one of {', '.join(PageType)}")
    return name, float(weight)


def _output(what: str, metavar: str = "FILE") -> Option:
    return option("--output,-o", f"write {what}", metavar, Path)


def _bins(number: int) -> Option:
    return option("--bins", "bins of each measure", "N", int, default=number, dest="n_bins")


_OWN: Final = frozenset(("run", "parser_of_command", "output"))
"""Arguments that are not of the learner."""
_PAGES: Final = option("--data", "the labelled pages", "DIR", Path, required=True)
_MARKED_PAGES: Final = option("--data", "the marked pages", "DIR", Path, required=True)
_CORPORA: Final = option(
    "--data", "labelled pages; may be given repeatedly", "DIR[:WEIGHT]", str, action="append", required=True
)
_LIMIT: Final = option("--limit", "learn from about N pages, spread over the folder", "N", int)
_SHUFFLES: Final = option("--shuffles", "cross-validations, each shuffled anew", "N", int, default=3)
_TREE: Final = (
    option("--criterion", "ID3 or C4.5", choices=("gain", "gain_ratio")),
    option("--depth", "tests on the longest path of the tree", "N", int, dest="max_depth"),
    option("--min-leaf", "examples at a leaf of the tree", "N", int),
    option("--prune", "confidence of pruning, 0..0.5: less prunes more", "C", float, dest="confidence"),
)
"""How a tree is grown; what is not given is as the target has it."""
_WEIGHT_HELP: Final = """\
weight of a type's pages; those not named weigh 1 (default: index=2, multi_block=3, no_feature=5)"""


def _target(
    name: str,
    summary: str,
    learner: str,
    *options: Option,
    needs: tuple[str, ...] = ("sklearn",),
    writes_folder: bool = False,
    description: str | None = None,
    examples: str | None = None,
) -> Command:
    """One target.

    learner: `MODULE:FUNCTION` of the laboratory, which is given the options by their names and gives a `Learnt`.
    needs: packages of the extra `learn`. writes_folder: several files.
    """

    def run(args: argparse.Namespace) -> int:
        require("learning", *needs)
        module, _, function = learner.partition(":")
        if args.output and writes_folder:
            args.output.mkdir(parents=True, exist_ok=True)  # now: learning takes long, and a folder may be forbidden
        given = {name: value for name, value in vars(args).items() if name not in _OWN}
        learnt = getattr(import_module(f"webclean.laboratory.{module}"), function)(**given)
        if learnt.report:
            print(learnt.report)
        for path in learnt.save(args.output) if args.output else ():
            print(f"wrote {path}")
        return 0

    return Command(name, summary, options, run, description, examples)


TARGETS: Final = (
    _target(
        "fields",
        "the cards of title, date and author, into one file",
        "field_cards:learn_fields",
        _CORPORA,
        _output("the cards into this rule file"),
        _LIMIT,
        needs=("scipy",),
        description="""Learn how much each feature is worth for a field, and print the scores of cross-validation
by site and the features in order of their influence. DIR holds html/ID.html.gz and ground-truth/ID.json or
truth/ID.json; of pages whose title is not stated, a title that stands in the first lines of the text is taken. The same
data give the same card.""",
        examples="""examples:
  webclean learn fields --data pages/
  webclean learn fields --data pages/ --data news/ --output my-rules/fields_cards.yaml
""",
    ),
    _target(
        "page-type",
        "the page-type card",
        "type_cards:learn_page_types",
        _CORPORA,
        _output("the rules here"),
        option("--words", "words of the card", "N", int, dest="n_words"),
        option("--marked", "home pages whose blocks are marked, as `learn roles` reads them", "DIR", Path),
        description="""\
Learn what tells page types apart and write it as YAML (section page_type): an additive card for the
subtypes. Prints the scores of cross-validation by site on the first corpus, which has pages of all types, and on each
further one by the card learnt without it. DIR holds html/ID.html.gz and ground-truth/ID.json or truth/ID.json.""",
        examples="""examples:
  webclean learn page-type --data pages/ --output my-rules/page_type.yaml
  webclean learn page-type --data pages/ --data news/ --marked home-pages/ --output my-rules/page_type.yaml
""",
    ),
    _target(
        "page-type-tree",
        "the patent's tree of page types",
        "decision_tree:learn_page_type_tree",
        _CORPORA,
        _output("the rules here"),
        *_TREE,
        option("--weight", _WEIGHT_HELP, "TYPE=W", _read_weight, action="append"),
        description="""Learn the patent's decision tree, ID3 over its 13 attributes, for the four types of page, and
write it as YAML (section page_type.patent). Prints the scores of cross-validation by site.""",
        examples="""examples:
  webclean learn page-type-tree --data pages/ --output my-rules/page_type_tree.yaml
  webclean learn page-type-tree --data pages/ --criterion gain_ratio        only the scores
""",
    ),
    _target(
        "roles",
        "the role card of semantic blocks",
        "segment_cards:learn_roles",
        _MARKED_PAGES,
        _output("the card here"),
        _bins(3),
        option("--strength", "inverse of the L2 penalty", "X", float, default=0.03),
        option("--balance", "0: marks by their text, 1: all alike", "X", float, default=0.5),
        _SHUFFLES,
        description="""\
Learn the points that give a semantic block its role and write them as YAML (section roles). DIR holds
pages, *.html or *.html.gz, whose elements are marked with data-block and data-block-type. Prints how the blocks agree
with the marks, by cross-validation by site: BCubed F1, roles by type of mark and their mean, what is rightly kept.""",
    ),
    _target(
        "scorecard",
        "the cards that decide blocks, and points of words",
        "block_cards:learn_block_cards",
        _CORPORA,
        _output("the rules into this folder", "DIR"),
        _LIMIT,
        option("--min-sites", "sites that must use a word", "N", int, default=4),
        option("--worst", "list the N pages with the lowest F1", "N", int, default=20),
        option("--no-scores", "write the cards without cross-validating them", dest="scored", action="store_false"),
        flag("--quiet,-q", "no progress on stderr"),
        description="""Learn which text blocks belong to the main content and write it as YAML: score_card.yaml,
article_card.yaml, second_card.yaml, plain_card.yaml, word_points.yaml and confidence.yaml. Prints the scores of
cross-validation by site, overall, by page type and language, where F1 is lost, the worst pages, and what each feature
adds; of several corpora also the scores of each one when it is left out. DIR holds html/ID.html.gz and
ground-truth/ID.json or truth/ID.json. The first DIR is the one that has every page type. The same data give the same
files.""",
        examples="""examples:
  webclean learn scorecard --data pages/ --output my-rules/
  webclean learn scorecard --data pages/ --limit 300        only the scores, of every n-th page
  webclean learn scorecard --data pages/ --data news/:0.5   two corpora, a page of the second counts half
""",
        needs=("scipy", "sklearn"),
        writes_folder=True,
    ),
    _target(
        "splits",
        "the card that divides a page into blocks",
        "segment_cards:learn_splits",
        _MARKED_PAGES,
        _output("the card here"),
        _bins(6),
        _SHUFFLES,
        description="""Learn the points by which a part of a page is split into smaller blocks and write them as YAML
(section splits). DIR holds pages, *.html or *.html.gz, whose elements are marked with data-block and data-block-type.
Prints BCubed F1 of the blocks, by cross-validation by site.""",
        examples="""example:
  webclean learn splits --data marked-pages/ -o splits.yaml
  webclean blocks page.html --rules splits.yaml""",
    ),
    _target(
        "sections",
        "the card of the sections of a page",
        "section_card:learn_sections",
        _MARKED_PAGES,
        _output("the card here"),
        _bins(10),
        _SHUFFLES,
        description="""Learn the points by which people name a part of a page and write them as YAML (card sections).
DIR holds pages as for `learn splits`; of marks within marks all count. Prints the share of marks that a block or a
section equals (IoU of characters of .75 or more) and how many of these there are for each mark, by cross-validation by
site.""",
        examples="""example:
  webclean learn sections --data marked-pages/ -o sections.yaml
  webclean blocks page.html --rules sections.yaml""",
    ),
    _target(
        "title-tree",
        "the tree that finds titles",
        "field_cards:learn_titles",
        _PAGES,
        _output("the rules here"),
        _LIMIT,
        *_TREE,
        description="""Learn the decision tree that marks which text of a page is its title, C4.5 over its similarity to
<title>, length, position, tag and looks, and print the scores of cross-validation by site. It finds titles where the
rules say `fields: {title: {method: tree}}`. DIR holds html/ID.html.gz and ground-truth/ID.json.""",
        examples="""examples:
  webclean learn title-tree --data pages/ --output my-rules/title_tree.yaml
""",
        needs=("scipy",),
    ),
)
"""In the order in which `--help` lists them."""
learn: Final = Family("learn", "TARGET", TARGETS)


@command(
    "compare",
    COMMANDS["compare"],
    _PAGES,
    option("--methods", "only these methods (default: all)", "A,B"),
    flag("--no-peers", "only methods of webclean"),
    option("--limit", "only the first N pages", "N", int),
    option("--csv", "write one line for each method and page", "FILE", Path),
    option("--json", "write the table's figures", "FILE", Path),
    option("--chart", "write a bar chart (PNG)", "FILE", Path),
)
def compare(args: argparse.Namespace) -> int:
    """Score every method of webclean, and every peer that is installed (trafilatura, resiliparse,
    readability-lxml), on labelled pages: html/ID.html.gz with ground-truth/ID.json, or ID.html.gz beside ID.txt.
    P, R, F1 by words and by the longest common subsequence; milliseconds a page (a method of webclean without
    the shared parse).

    examples:
      webclean compare --data pages/
      webclean compare --data pages/ --methods scorecard,patent --no-peers --csv rows.csv --chart methods.png
    """
    from webclean.laboratory import comparison  # noqa: PLC0415  the help needs none of it
    from webclean.pipeline import METHOD_NAMES  # noqa: PLC0415
    from webclean.rules import load_rules  # noqa: PLC0415
    from webclean.workbench.labelled_pages import read_true_samples  # noqa: PLC0415

    methods = args.methods.split(",") if args.methods else list(METHOD_NAMES)
    for name in methods:
        if name not in METHOD_NAMES:
            raise InputError(f"unknown method {name!r}: one of {', '.join(METHOD_NAMES)}")
    peers, rules, rows = {} if args.no_peers else comparison.find_peers(), load_rules(), list[comparison.Row]()
    for page in count_pages(read_true_samples(args.data)[: args.limit or None]):
        rows += comparison.compare_page(page, methods, peers, rules)
    summaries = comparison.summarise_rows(rows)
    print(comparison.format_table(summaries))
    if args.csv:
        comparison.write_csv(rows, args.csv)
    if args.json:
        comparison.write_json(summaries, args.json)
    if args.chart:
        comparison.draw_chart(summaries, args.chart, args.data.name)
    return 0
