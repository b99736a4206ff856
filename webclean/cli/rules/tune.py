"""`webclean rules tune`: search over thresholds, cross-validated by site."""

from __future__ import annotations

import argparse
import itertools
import tempfile
from pathlib import Path
from typing import Any

import yaml

from webclean.cli.rules.books import add_book_options, open_book
from webclean.errors import InputError, RuleError
from webclean.pipeline import Cleaner
from webclean.rules import LayerKey, RuleBook
from webclean.rules.layers import merge_values
from webclean.rules.write import write_yaml
from webclean.workbench.tune import Setting, Tuning, list_settings, tune_settings

_EXAMPLES = """examples:
  webclean rules tune --data pages/ --param statistics.min_chars=10,20,40
  webclean rules tune --data pages/ --param sites.alpha=0.3,1,3 --param sites.similarity=0.7,0.82 -o tuned.yaml
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "tune",
        help="search over thresholds, cross-validated by site; refuses to overfit",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="labelled pages")
    parser.add_argument("--param", action="append", required=True, metavar="KEY=A,B", help="a key and its values")
    parser.add_argument("--folds", type=int, default=5, help="folds of the cross-validation (default: 5)")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N pages")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the accepted values as a rule file")
    add_book_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what was found; write it when it holds. Exit code 1 when it was refused."""
    try:
        from webclean.compare.scores import score_words  # noqa: PLC0415  an extra
        from webclean.learn.dataset import group_pages, make_folds, read_pages  # noqa: PLC0415
    except ImportError as error:
        raise InputError("this command needs rapidfuzz: pip install 'webclean[compare]'") from error
    grid = dict(parse_parameter(text) for text in args.param)
    book = open_book(args.rules)
    now: Setting = tuple((key, find_value(book, key)) for key in grid)
    pages = list(itertools.islice(read_pages(args.data), args.limit))
    folds = make_folds(group_pages(pages), [page.page_type for page in pages], args.folds)

    def score(setting: Setting) -> list[float]:
        cleaner = Cleaner(rules=with_setting(book, setting))
        return [score_words(cleaner.clean(page.html, url=page.url or None).text, page.text).f1 for page in pages]

    found = tune_settings(now, list_settings(grid), folds, score)
    print("\n".join(describe(found, now)))
    if found.accepted and args.output:
        args.output.write_text(write_yaml(nest(found.best), header=found.verdict), encoding="utf-8")
    return 0 if found.accepted else 1


def parse_parameter(text: str) -> tuple[str, list[Any]]:
    """`a.b=1,2` -> ("a.b", [1, 2]). Raises `InputError`."""
    key, mark, values = text.partition("=")
    if not mark or not key or not values:
        raise InputError(f"--param {text!r}: write KEY=VALUE,VALUE,...")
    return key, [yaml.safe_load(value) for value in values.split(",")]


def find_value(book: RuleBook, key: str) -> Any:
    """The present value of a key. Raises `RuleError` when there is none."""
    value: Any = merge_values(layer.text.values for layer in book.layers(LayerKey()))
    for step in key.split("."):
        if not isinstance(value, dict) or step not in value:
            raise RuleError(f"no value at {key!r}: see `webclean rules show`", key=key)
        value = value[step]
    return value


def nest(setting: Setting) -> dict[str, Any]:
    """`a.b = 1` as `{a: {b: 1}}`."""
    made: dict[str, Any] = {}
    for key, value in setting:
        inner: Any = value
        for step in reversed(key.split(".")):
            inner = {step: inner}
        made = merge_values((made, inner))
    return made


def with_setting(book: RuleBook, setting: Setting) -> RuleBook:
    """The book with a setting laid over it."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        file.write(write_yaml(nest(setting)))
        file.flush()
        tuned = RuleBook(folders=book.folders[1:], files=[*book.files, file.name])
        tuned.for_page()
        return tuned


def describe(found: Tuning, now: Setting) -> list[str]:
    """The result in lines: scores, each value before and after, the choice of each fold, the verdict."""
    lines = [
        f"now {found.f1_now:.4f}   best on all pages {found.f1_train:.4f}   cross-validated {found.f1_validation:.4f}"
    ]
    for (key, before), (_, after) in zip(now, found.best, strict=True):
        chosen = [dict(setting)[key] for setting in found.chosen]
        lines += [f"- {key}: {before}", f"+ {key}: {after}    (folds chose {', '.join(map(str, chosen))})"]
    return [*lines, f"{'accepted' if found.accepted else 'refused'}: {found.verdict}"]
