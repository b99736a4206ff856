"""`webclean learn TARGET`, rules from labelled pages, and `webclean compare`, methods and peers on labelled pages.

What each command says and takes stands here; the modules of the laboratory do it.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

from webclean.cli import Family, Profile, Rules, command, require
from webclean.cli.terminal import Progress
from webclean.errors import InputError

OnePages = Annotated[Path, "the labelled pages", "DIR"]
MarkedPages = Annotated[Path, "the marked pages", "DIR"]
Corpora = Annotated[tuple[str, ...], "labelled pages; may be given repeatedly", "DIR"]
RulesFile = Annotated[Path | None, "write the rules here", "FILE", "--output,-o"]
Limit = Annotated[int | None, "learn from about N pages, spread over the folder", "N"]
Shuffles = Annotated[int, "cross-validations, each shuffled anew", "N"]


def _learn(
    learner: str,
    data: Path | tuple[str, ...],
    output: Path | None,
    *,
    limit: int | None = None,
    is_marked: bool = False,
    writes_folder: bool = False,
    **settings: Any,
) -> int:
    """Read the pages, labelled or marked, let a learner learn from them, print its report and write what it learnt.

    learner: `MODULE:FUNCTION` of the laboratory, which is given pages, rules and settings and gives a `Learnt`.
    writes_folder: several files.
    """
    require("learning", "learn", "scipy", "sklearn")
    from webclean.laboratory.marked_pages import read_marked_pages  # noqa: PLC0415  the help needs none of it
    from webclean.rules import load_rules  # noqa: PLC0415
    from webclean.workbench.labelled_pages import read_corpora, read_pages, spread_evenly  # noqa: PLC0415

    if output and writes_folder:
        output.mkdir(parents=True, exist_ok=True)  # now: learning takes long, and a folder may be forbidden
    rules = load_rules()
    if isinstance(data, tuple):
        found: Iterable[Any] = read_corpora(data)
    else:
        found = read_marked_pages(data, rules) if is_marked else read_pages(data)
    module, _, function = learner.partition(":")
    learn = getattr(import_module(f"webclean.laboratory.{module}"), function)
    learnt = learn(spread_evenly(list(found), limit), rules, **settings)
    if learnt.report:
        print(learnt.report)
    # all is learnt before anything is written: a half-written folder would be a mixture of two cards
    for name, text in learnt.write().items() if output else ():
        path = Path(output or "", name)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path}")
    return 0


@command("the cards of title, date and author, into one file")
def fields(
    *,
    data: Corpora,
    output: Annotated[Path | None, "write the cards into this rule file", "FILE", "--output,-o"] = None,
    limit: Limit = None,
) -> int:
    """Learn how much each feature is worth for a field, and print the scores of cross-validation by site. DIR holds
    html/ID.html.gz and ground-truth/ID.json or truth/ID.json; of pages whose title is not stated, a title that stands
    in the first lines of the text is taken. The same data give the same card.

    examples:
      webclean learn fields --data pages/
      webclean learn fields --data pages/ --data news/ --output my-rules/fields_cards.yaml
    """
    return _learn("field_cards:learn_fields", data, output, limit=limit)


@command("the page-type card")
def page_type(
    *,
    data: Corpora,
    output: RulesFile = None,
    marked: Annotated[Path | None, "home pages whose blocks are marked, as `learn roles` reads them", "DIR"] = None,
) -> int:
    """Learn what tells page types apart and write it as YAML (section page_type): an additive card for the subtypes.
    Prints the scores of cross-validation by site on the first corpus, which has pages of all types, and on each further
    one by the card learnt without it. DIR holds html/ID.html.gz and ground-truth/ID.json or truth/ID.json.

    examples:
      webclean learn page-type --data pages/ --output my-rules/page_type.yaml
      webclean learn page-type --data pages/ --data news/ --marked home-pages/ --output my-rules/page_type.yaml
    """
    return _learn("type_cards:learn_page_types", data, output, marked=marked)


@command("the patent's tree of page types")
def page_type_tree(*, data: Corpora, output: RulesFile = None) -> int:
    """Learn the patent's decision tree, ID3 over its 13 attributes, for the four types of page, and
    write it as YAML (section page_type.patent). Prints the scores of cross-validation by site.

    example:
      webclean learn page-type-tree --data pages/ --output my-rules/page_type_tree.yaml
    """
    return _learn("type_cards:learn_page_type_tree", data, output)


@command("the role card of semantic blocks")
def roles(*, data: MarkedPages, output: RulesFile = None, shuffles: Shuffles = 3) -> int:
    """Learn the points that give a semantic block its role and write them as YAML (section roles). DIR holds pages,
    *.html or *.html.gz, whose elements are marked with data-block and data-block-type. Prints how the blocks agree with
    the marks, by cross-validation by site: BCubed F1, roles by type of mark and their mean, what is rightly kept."""
    return _learn("segment_cards:learn_roles", data, output, is_marked=True, shuffles=shuffles)


@command("the cards that decide blocks, and points of words")
def scorecard(
    *,
    data: Corpora,
    output: Annotated[Path | None, "write the rules into this folder", "DIR", "--output,-o"] = None,
    limit: Limit = None,
    no_scores: Annotated[bool, "write the cards without cross-validating them"] = False,
) -> int:
    """Learn which text blocks belong to the main content and write it as YAML: score_card.yaml, article_card.yaml,
    second_card.yaml, plain_card.yaml, word_points.yaml and confidence.yaml. Prints the scores of cross-validation by
    site, overall and by page type; of several corpora also the scores of each one when it is left out. DIR holds
    html/ID.html.gz and ground-truth/ID.json or truth/ID.json. The first DIR is the one that has every page type. The
    same data give the same files.

    examples:
      webclean learn scorecard --data pages/ --output my-rules/
      webclean learn scorecard --data pages/ --limit 300        only the scores, of every n-th page
    """
    learner = "block_cards:learn_block_cards"
    return _learn(learner, data, output, limit=limit, writes_folder=True, scored=not no_scores)


@command("the card that divides a page into blocks")
def splits(*, data: MarkedPages, output: RulesFile = None, shuffles: Shuffles = 3) -> int:
    """Learn the points by which a part of a page is split into smaller blocks and write them as YAML (section splits).
    DIR holds pages, *.html or *.html.gz, whose elements are marked with data-block and data-block-type. Prints BCubed
    F1 of the blocks, by cross-validation by site.

    example:
      webclean learn splits --data marked-pages/ -o splits.yaml
      webclean blocks page.html --rules splits.yaml
    """
    return _learn("segment_cards:learn_splits", data, output, is_marked=True, shuffles=shuffles)


@command("the card of the sections of a page")
def sections(*, data: MarkedPages, output: RulesFile = None, shuffles: Shuffles = 3) -> int:
    """Learn the points by which people name a part of a page and write them as YAML (card sections). DIR holds pages as
    for `learn splits`; of marks within marks all count. Prints the share of marks that a block or a section equals (IoU
    of characters of .75 or more) and how many of these there are for each mark, by cross-validation by site.

    example:
      webclean learn sections --data marked-pages/ -o sections.yaml
      webclean blocks page.html --rules sections.yaml
    """
    return _learn("segment_cards:learn_sections", data, output, is_marked=True, shuffles=shuffles)


@command("the tree that finds titles")
def title_tree(*, data: OnePages, output: RulesFile = None, limit: Limit = None) -> int:
    """Learn the decision tree that marks which text of a page is its title, C4.5 over its similarity to <title>,
    length, position, tag and looks, and print the scores of cross-validation by site. It finds titles where the rules
    say `fields: {title: {method: tree}}`. DIR holds html/ID.html.gz and ground-truth/ID.json.

    examples:
      webclean learn title-tree --data pages/ --output my-rules/title_tree.yaml
    """
    return _learn("field_cards:learn_titles", data, output, limit=limit)


TARGETS: Final = (fields, page_type, page_type_tree, roles, scorecard, splits, sections, title_tree)
"""In the order in which `--help` lists them."""
learn: Final = Family("learn", "TARGET", TARGETS)


@command()
def compare(
    *,
    data: OnePages,
    methods: Annotated[str | None, "only these methods (default: all)", "A,B"] = None,
    no_peers: Annotated[bool, "only methods of webclean"] = False,
    limit: Annotated[int | None, "only N pages, evenly spread", "N"] = None,
    rules: Rules = (),
    profile: Profile = "balanced",
    json: Annotated[Path | None, "write the table's figures", "FILE"] = None,
) -> int:
    """Score every method of webclean, and every peer that is installed (trafilatura, resiliparse,
    readability-lxml), on labelled pages: html/ID.html.gz with ground-truth/ID.json or truth/ID.json, or
    ID.html.gz beside ID.txt. P, R, F1 by words and by the longest common subsequence; milliseconds a page (a
    method of webclean without the shared parse).

    examples:
      webclean compare --data pages/
      webclean compare --data pages/ --methods scorecard,patent --no-peers
      webclean compare --data pages/ --methods scorecard --no-peers --rules my/     what rules of yours are worth
    """
    from webclean.laboratory import comparison  # noqa: PLC0415  the help needs none of it
    from webclean.pipeline import METHOD_NAMES  # noqa: PLC0415
    from webclean.rules import LayerKey, open_rules  # noqa: PLC0415
    from webclean.workbench.labelled_pages import LAYOUT, read_pages, spread_evenly  # noqa: PLC0415

    chosen = methods.split(",") if methods else list(METHOD_NAMES)
    for name in chosen:
        if name not in METHOD_NAMES:
            raise InputError(f"unknown method {name!r}: one of {', '.join(METHOD_NAMES)}")
    peers, book, rows = {} if no_peers else comparison.find_peers(), open_rules(rules), list[comparison.Row]()
    book.for_page(LayerKey(profile=profile))  # what cannot be read is told here, not as an error of each page
    pages = [page for page in spread_evenly(list(read_pages(data)), limit) if page.has_text]
    if not pages:
        raise InputError(f"{data}: no page has a true text; wanted: {LAYOUT}")
    progress = Progress(len(pages))
    for page in pages:
        rows += comparison.compare_page(page, chosen, peers, book, profile)
        progress.count()
    progress.finish()
    by_method = comparison.group_by_method(rows)
    print(comparison.format_table(by_method))
    if json:
        comparison.write_json(by_method, json)
    return 0
