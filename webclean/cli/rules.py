"""`webclean rules`: see, check, test and start rule sets.

The values that apply to a page and where each comes from; what is wrong or suspicious; the tests of rules; a site file
from a page; the JSON Schema for editors; the features that rules refer to by name.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

from webclean.checks import list_names
from webclean.cli import Family, Option, command
from webclean.cli.clean import write_file
from webclean.cli.page_options import PageReading, Reading, complete_name, read_page
from webclean.cli.terminal import shorten_path
from webclean.errors import InputError
from webclean.parse import find_canonical_link
from webclean.parse.url import list_sites
from webclean.pipeline import Cleaner
from webclean.rules import LayerKey, RuleBook, open_rules
from webclean.rules.explanations import describe_schema
from webclean.rules.files import Path_, format_path
from webclean.rules.layers import LAYER_FOLDERS, VARIABLE, find_origin, find_user_folders, merge_values
from webclean.workbench import describe_features
from webclean.workbench.rule_checks import lint_rules, list_faults, list_rule_files, list_rules, run_rule_tests
from webclean.workbench.starter import name_site, write_rules_for

Book = Annotated[
    tuple[Path, ...],
    f"a rule file, or a folder laid out like the shipped one; may be repeated, later wins. ${VARIABLE} or "
    "~/.config/webclean/rules come first",
    "PATH",
]
Files = Annotated[tuple[Path, ...], Option("rule files (default: all of the book)", "FILE", nargs="*")]


def open_book(paths: Iterable[Path]) -> RuleBook:
    """The shipped rules, the user's folders, then the given files and folders."""
    return open_rules([*find_user_folders(), *paths])


@command("the values that apply to a page, with the file each is from")
def show(
    *,
    effective: Annotated[str | None, "the rules for a page of this site (default: for any site)", "URL"] = None,
    profile: Annotated[str, "the profile"] = "balanced",
    page_type: Annotated[str | None, "a page type, subtype or label", "TYPE", "--type"] = None,
    language: Annotated[str | None, "a language code", "CODE"] = None,
    key: Annotated[str, "only keys that start with this", "PREFIX"] = "",
    rules: Book = (),
) -> int:
    """Print one line a value: key, value, layer, file and line."""
    book = open_book(rules)
    sites = list_sites(effective) if effective else ()
    chosen = LayerKey(profile=profile, page_subtype=page_type, language=language, sites=sites)
    print(f"# hash {book.for_page(chosen).hash}")
    layers = book.layers(chosen)
    for path, value in list_values(merge_values(layer.text.values for layer in layers)):
        name = format_path(path)
        if name.startswith(key):
            origin = find_origin(layers, path)
            where = f" = {value!r}  # {origin.layer}, {shorten_path(origin.file)}:{origin.line}" if origin else ""
            print(f"{name}{where}")
    return 0


def list_values(values: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value that is not a mapping, with its path, in order."""
    if isinstance(values, dict) and values:
        for key, item in values.items():
            yield from list_values(item, (*path, key))
    else:
        yield path, values


@command("find faults, and rules that never fire or are too broad")
def check(
    *,
    files: Files = (),
    page: Annotated[tuple[Path, ...], "try the rules on this page; repeatable"] = (),
    url: Annotated[str | None, "the URL of the pages"] = None,
    rules: Book = (),
) -> int:
    """Print all faults of the files, exit code 2, or else findings, exit code 1."""
    # a file of sites/ is read by its place in a folder, not laid over all pages
    book = open_book([*rules, *(path for path in files if path.parent.name != "sites")])
    faults = list(list_faults(book, files or tuple(list_rule_files(book))))
    for fault in faults:
        print(f"webclean: {fault}", file=sys.stderr)
    if faults:
        return 2
    # what is faulty beside the files that were named ends here
    book.for_page()
    sources, cleaner = list(list_rules(book, files)), Cleaner(rules=book)
    findings = list(lint_rules(sources, (cleaner.clean(path.read_bytes(), url=url).analysis for path in page)))
    for finding in findings:
        source = finding.source
        print(f"{source.file}:{source.line}: {source.id}: {finding.kind}: {finding.message}")
    counts = ((len(sources), "rule"), (len(findings), "finding"))
    print(", ".join(f"{number} {word}{'s' * (number != 1)}" for number, word in counts))
    return 1 if findings else 0


@command("run the tests that rules carry")
def test(*, files: Files = (), rules: Book = ()) -> int:
    """Print failures and the totals. Exit code 1 when a test fails."""
    n_passed, n_failed, book = 0, 0, open_book(rules)
    # a file in a layer's folder (`sites/`, ...) is in force by way of the folder above, any other as one of the call
    places = {path: path.resolve().parent for path in files}
    known = {folder.resolve() for folder in book.folders}
    added = dict.fromkeys(place.parent for place in places.values() if place.name in LAYER_FOLDERS)
    # a file in `sites/` of a known folder is in force already; twice it would win over the rest of the folder
    loose = [path for path, place in places.items() if place.name not in LAYER_FOLDERS and place not in known]
    more = [folder for folder in added if folder not in known]
    for result in run_rule_tests(RuleBook(folders=[*book.folders[1:], *more], files=[*book.files, *loose]), files):
        for fault in result.faults:
            print(f"{result.source.file}:{result.source.line}: {result.source.id}, test {result.number}: {fault}")
        n_failed += bool(result.faults)
        n_passed += not result.faults
    print(f"{n_passed} passed, {n_failed} failed")
    return int(n_failed > 0)


@command("write rules for a site from one of its pages")
def new(
    *,
    source: Annotated[str, Option("a file, or a URL to fetch", "PAGE", nargs="")],
    url: Annotated[str | None, "the URL of the page, when it is a file"] = None,
    page_type: Annotated[
        str, "the type, subtype or label that the page is to have: a rule says so", "TYPE", "--type"
    ] = "",
    keep: Annotated[tuple[str, ...], "a text that must be kept", "TEXT"] = (),
    drop: Annotated[tuple[str, ...], "a text that must be dropped", "TEXT"] = (),
    output: Annotated[Path | None, "a file, or a folder (DIR/sites/SITE.yaml)", "PATH", "-o,--output"] = None,
) -> int:
    """Write a rule file for the site of a page, and the page beside it, on which the tests of the rules run. There is a
    rule for the element around each text that is not kept or dropped already. Quotes, dashes and spaces of any form
    find each other. Names of elements that a build or a page makes anew (css-1q2w3e) are passed over, and a comment
    says so. A page without --url has that of its canonical link.

    examples:
      webclean rules new page.html --url https://news.example/a/1 --keep "Corrections" -o my/
      webclean rules new page.html --url https://news.example/a/1 --drop "Sign up for" --drop "Read more" -o my/
      webclean rules new page.html --url https://farm.example/t/7 --type forum -o my/      the page is of another type
      webclean rules new https://news.example/a/1 --drop "Sign up for"                        print the file
    """
    if not (keep or drop or page_type):
        raise InputError("say what the page is to be: --keep TEXT, --drop TEXT or --type TYPE")
    # a file without a URL has that of its canonical link
    read = read_page(complete_name(source), PageReading(url=url, reading=Reading()))
    own = read.url or find_canonical_link(read.body)
    page = Cleaner().clean(read.body, url=own, charset=read.charset, page_subtype=page_type or None)
    is_folder = output is not None and output.suffix != ".yaml"
    target = output / "sites" / f"{name_site(page.url)}.yaml" if output and is_folder else output
    beside = target.with_suffix(".html") if target else Path("page.html")
    made = write_rules_for(page, keep, drop, beside.name, page_type)
    remarks = [*made.remarks]
    if page.url is None and made.text:
        remarks.append(
            "no --url, and the page does not say its address: the rules are for example.org until the file is named "
            "after the site and its tests have the URL"
        )
    for sentence in remarks:
        print(f"webclean: {sentence}", file=sys.stderr)
    if target is None or not made.text:
        print(made.text, end="")
        return 0
    # both are looked at before one is written
    for path in (target, beside):
        if path.exists():
            raise InputError(f"{path} exists already: without -o the rules are printed, to be added by hand")
    write_file(target, made.text)
    beside.write_bytes(read.body)
    print(target, beside, sep="\n")
    return 0


@command("the JSON Schema of rule files, for editors that complete and check")
def schema() -> int:
    """Print the schema."""
    print(json.dumps(describe_schema(*list_names()), indent=2, ensure_ascii=False))
    return 0


@command("the features that rules and cards may name (Markdown)")
def features() -> int:
    """Print the reference page."""
    print(describe_features(), end="")
    return 0


_EXAMPLES = """examples:
  webclean rules show --effective https://news.example/a/1    every value, and the file it is from
  webclean rules new page.html --url https://news.example/a/1 --keep "Corrections" -o my/
  webclean rules test my/sites/news.example.yaml
"""
_LISTED: Final = (show, check, test, new, schema, features)
rules: Final = Family("rules", "WHAT", _LISTED, _EXAMPLES)
