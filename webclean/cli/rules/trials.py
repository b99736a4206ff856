"""Commands that try rules on pages: `webclean rules diff` and `tune`.

What two rule sets make of the same pages; a search over thresholds, cross-validated by site.
"""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import yaml

from webclean.batch.sources import URLS_HELP, PageUrls, read_url_list
from webclean.checks import check_text
from webclean.cli.commands import command, option
from webclean.cli.rules.look import BOOK, DATA, open_book
from webclean.cli.terminal import Progress, count_pages
from webclean.compare.dataset import group_pages, make_folds, read_samples, read_true_samples
from webclean.errors import InputError, RuleError
from webclean.pipeline import Cleaner
from webclean.rules import LayerKey, RuleBook
from webclean.rules.files import write_yaml
from webclean.rules.layers import list_profiles, merge_values
from webclean.rules.published import list_settings as list_settings_of
from webclean.workbench.trials import Setting, Tuning, list_combinations, tune_settings

_DIFF_DESCRIPTION = """\
Clean the same pages with two rule sets and show which texts change, the largest loss first; with F1
before and after where the true text is known. Exit code 1 when the mean F1 falls. Rules of a site apply to pages with a
URL: that of the data set or of --urls, else the page's canonical link."""

_DIFF_EXAMPLES = """examples:
  webclean rules diff shipped my/ --data pages/                   what my rules change
  webclean rules diff my/ tuned.yaml --data pages/ --html diff.html
  webclean rules diff balanced precision --data pages/ --limit 50 two profiles, on fifty of the pages
"""


_SIDE: Final = "`shipped`, a rule file or folder over the shipped rules, or a profile"


@command(
    "diff",
    "pages that change between two rule sets, with F1 where truth exists",
    option("before", _SIDE, "A"),
    option("after", "the same", "B"),
    *DATA,
    option("--urls", URLS_HELP, "FILE", Path),
    option("--html", "write the changes side by side", "FILE", Path),
    description=_DIFF_DESCRIPTION,
    examples=_DIFF_EXAMPLES,
)
def diff(args: argparse.Namespace) -> int:
    """Print the changes; exit code 1 when the mean F1 falls."""
    from webclean.workbench.trials import compare_rules, format_diff, render_diff_html  # noqa: PLC0415  an extra

    before, after = (open_cleaner(name) for name in (args.before, args.after))
    samples = read_samples(args.data, args.limit)
    urls = PageUrls(read_url_list(args.urls), args.data, frozenset(sample.id for sample in samples))
    pages = [replace(page, url=urls.find(page.id, page.html, page.url or None) or "") for page in samples]
    urls.warn([before.book, after.book])
    found = compare_rules(before, after, count_pages(pages))
    print("\n".join(format_diff(found)))
    if args.html:
        args.html.write_text(render_diff_html(found, args.before, args.after), encoding="utf-8")
    return 1 if found.f1_after < found.f1_before else 0


def open_cleaner(name: str) -> Cleaner:
    """A cleaner with the shipped rules alone, with a file or folder laid over them, or with a profile."""
    if name == "shipped":
        return Cleaner(rules=open_book([]))
    if Path(name).exists():
        return Cleaner(rules=open_book([Path(name)]))
    book = open_book([])
    profiles = list_profiles(book.folders)
    if name not in profiles:
        raise InputError(f"{name}: no such file or folder, and no profile ({', '.join(profiles)})")
    return Cleaner(rules=book, profile=name)


_TUNE_DESCRIPTION = """\
Try values of some settings on pages whose true text is known. For each fold of the pages the best
values are chosen on the other folds and scored on this one, and pages of one site are never parted. A gain that does
not hold on pages it was not chosen on is refused: exit code 1, and nothing is written. Every combination is tried: two
settings of three values clean all pages nine times. `webclean rules schema --settings` lists what can be set."""

_TUNE_EXAMPLES = """examples:
  webclean rules tune --data pages/ --param cut.beta=0.6,0.85,1.2
  webclean rules tune --data pages/ --param cut.beta=0.6,0.85 --param cut.shift=-0.5,0,0.5 -o tuned.yaml --limit 200
  webclean rules tune --data pages/ --param 'segments.cut.whole=[nav],[nav,footer]'     lists, as in YAML
"""


@command(
    "tune",
    "search over thresholds, cross-validated by site; refuses to overfit",
    *DATA,
    option("--param", "a key and values to try; may be repeated", "KEY=A,B", action="append", required=True),
    option("--folds", "folds of the cross-validation", type_=int, default=5),
    option("-o,--output", "write the accepted values as a rule file", "FILE", Path),
    BOOK,
    description=_TUNE_DESCRIPTION,
    examples=_TUNE_EXAMPLES,
)
def tune(args: argparse.Namespace) -> int:
    """Print what was found; write it when it holds. Exit code 1 when it was refused."""
    with tempfile.TemporaryDirectory() as folder:
        found, now = search(args, Path(folder))
    print("\n".join(describe(found, now)))
    if found.accepted and args.output:
        args.output.write_text(write_yaml(nest(found.best), header=found.verdict), encoding="utf-8")
        print(f"{args.output} written; what it changes: webclean rules diff shipped {args.output} --data {args.data}")
    return 0 if found.accepted else 1


def search(args: argparse.Namespace, folder: Path) -> tuple[Tuning, Setting]:
    """What was found, and the present values. folder: for rule files of the combinations, which must last as long as
    their books: a book looks whether its files have changed."""
    from webclean.compare.dataset import score_words  # noqa: PLC0415  an extra

    grid = dict(parse_parameter(text) for text in args.param)
    book = open_book(args.rules)
    now: Setting = tuple((key, find_value(book, key)) for key in grid)
    settings = list_combinations(grid)
    tuned = {
        setting: with_setting(book, setting, folder / f"{number}.yaml")
        # the present values are scored like the others, once
        for number, setting in enumerate(dict.fromkeys((now, *settings)))
    }
    pages = read_true_samples(args.data, args.limit)
    groups = group_pages(pages)
    n_groups = len(set(groups.tolist()))
    # a fold without a site has nothing to be scored on
    if n_groups < args.folds:
        raise InputError(f"{args.data}: {n_groups} sites with a true text, too few for {args.folds} folds")
    folds = make_folds(groups, [page.page_type for page in pages], args.folds)
    print(f"{len(pages)} pages of {n_groups} sites, {len(tuned)} combinations", file=sys.stderr)
    progress = Progress(len(tuned) * len(pages))

    def score(setting: Setting) -> list[float]:
        cleaner, scores = Cleaner(rules=tuned[setting]), []
        for page in pages:
            scores.append(score_words(cleaner.clean(page.html, url=page.url or None).text, page.text).f1)
            progress.count()
        return scores

    found = tune_settings(now, settings, folds, score)
    progress.finish()
    return found, now


def parse_parameter(text: str) -> tuple[str, list[Any]]:
    """`a.b=1,2` -> ("a.b", [1, 2]). Raises `InputError`."""
    key, mark, values = text.partition("=")
    if not mark or not key or not values:
        raise InputError(f"--param {text!r}: write KEY=VALUE,VALUE,...")
    try:
        # values are written as in rule files: numbers, texts, lists
        return key, list(yaml.safe_load(f"[{values}]"))
    except yaml.YAMLError as error:
        raise InputError(f"--param {text!r}: not values of YAML: write KEY=VALUE,VALUE,...") from error


def find_value(book: RuleBook, key: str) -> Any:
    """The present value of a key. Raises `InputError` when there is none."""
    value: Any = merge_values(layer.text.values for layer in book.layers(LayerKey()))
    for step in key.split("."):
        if not isinstance(value, dict) or step not in value:
            known = [setting.key for setting in list_settings_of(book.for_page())]
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise InputError(f"--param: no setting {key!r}; {hint}`webclean rules schema --settings` lists all")
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


def with_setting(book: RuleBook, setting: Setting, file: Path) -> RuleBook:
    """The book with a setting, written to a file, laid over it."""
    file.write_text(write_yaml(nest(setting)), encoding="utf-8")
    tuned = RuleBook(folders=book.folders[1:], files=[*book.files, file])
    try:
        # faulty values end here and not after an hour of cleaning
        tuned.for_page(check=check_text)
    except RuleError as error:
        raise InputError(f"--param {error.key}: {str(error).rpartition(f'{error.key}: ')[2]}") from error
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
