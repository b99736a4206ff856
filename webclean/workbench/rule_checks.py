"""Rule files, looked through whatever page they are for: their faults, their tests, and what is suspicious.

Rule files -> all their faults, each with file, line, key, what is allowed, and how to fix it. A rule book -> its rules
with file and line; -> the results of their tests (pages, and the texts in them that must be kept or dropped); -> what
is valid but suspicious: never fires, too broad, unexplained, untested. (Rules that contradict each other on a page are
named by the warnings of that page.)

A rule file of a site as it is being edited -> the same of it, before it is saved. Its text is written into a copy of
the rule folder, made of links, in which it takes the place of the saved file.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial, reduce
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from webclean.checks import check_text, find_unusable
from webclean.decide.rule_matches import list_holding, match_rules
from webclean.errors import InputError, RuleError, WebcleanError
from webclean.matching.expressions import fold_typography
from webclean.matching.select import select_rows, select_strings
from webclean.model import Document
from webclean.page import CleanPage
from webclean.page.formats import Analysis
from webclean.parse.url import ends_as_host, find_host
from webclean.pipeline import Cleaner
from webclean.rules import LayerKey, RuleBook
from webclean.rules.files import Path_, RuleText, find_shipped_rules, read_rule_file, read_rule_text, write_yaml
from webclean.rules.layers import LAYER_FOLDERS, Layer, find_origin, leave_out, list_layer_files, merge_values
from webclean.rules.rule_schema import FIELD_SELECTORS, PostTest, Rule, RuleTest, as_tuple
from webclean.rules.schema import RuleSet
from webclean.rules.validate import Fault, convert_rules, find_faults, find_faulty_cards, find_unknown_types, locate
from webclean.workbench.starter import SAY_WHY


@dataclass(frozen=True, slots=True)
class RuleSource:
    """A rule, where it stands, and the site, profile or platform that the file is for."""

    id: str
    rule: Rule
    file: Path
    line: int
    site: str | None = None
    profile: str | None = None
    platform: str | None = None


def list_rules(book: RuleBook, files: tuple[Path, ...] = ()) -> Iterator[RuleSource]:
    """The rules of all files of the book in order, or of `files` alone. Raises `RuleError` for a faulty one."""
    below = [layer.text.values for layer in book.layers(LayerKey())]
    for path in files or list_rule_files(book):
        text = read_rule_file(path)
        layer = [Layer("file", text)]
        found = convert_rules(merge_values([*below, text.values]), partial(find_origin, layer))
        check_text(text)
        written = text.values.get("rules") or {}
        for name, values in written.items():
            rule = found.rules[name]
            if "tests" not in values:  # those of a lower layer belong to another rule
                rule = msgspec.structs.replace(rule, tests=())
            yield _place_rule(name, rule, text, ("rules", name))


def _place_rule(name: str, rule: Rule, text: RuleText, key: Path_) -> RuleSource:
    kinds = ("sites", "profiles", "platforms")
    layer = (text.file.stem if text.file.parent.name == kind else None for kind in kinds)
    return RuleSource(name, rule, text.file, text.find_line(key), *layer)


def list_rule_files(book: RuleBook) -> list[Path]:
    """Every rule file of the book: built-in, profiles, types, languages, sites, and the files of the call."""
    inside = (path for folder in book.folders[1:] for sub in LAYER_FOLDERS for path in (folder / sub).glob("*"))
    unused = (path for path in inside if path.suffix != ".yaml" and path.suffix.lower() in (".yml", ".yaml"))
    return [*(path for folder in book.folders for path in list_layer_files(folder)), *unused, *book.files]


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test of one rule or platform: `faults` is empty when it passed."""

    __test__ = False

    source: RuleSource
    number: int
    faults: tuple[str, ...]


def run_rule_tests(book: RuleBook, files: tuple[Path, ...] = ()) -> Iterator[TestResult]:
    """Run the tests of all rules and platforms of a book, or only of those in `files`. A test page of a site file
    without a URL of its own is cleaned as a page of that site, one of a profile with that profile."""
    cleaners: dict[str | None, Cleaner] = {}
    for source in list_tested(book, files):
        if source.profile not in cleaners:
            cleaners[source.profile] = Cleaner(rules=book, profile=source.profile or "balanced")
        # a rule that another layer switches off is not checked
        is_met = not source.rule.enabled
        for number, test in enumerate(source.rule.tests, start=1):
            page, faults = _clean_test(cleaners[source.profile], source, test)
            is_met = is_met or page is None or _is_met(source.id, page.analysis)
            # one test page may show what the rule leaves alone; if it is about none of the pages, they test nothing
            if not is_met and number == len(source.rule.tests):
                faults.append("the rule matches nothing on the pages of its tests")
            yield TestResult(source, number, tuple(faults))


def list_tested(book: RuleBook, files: tuple[Path, ...] = ()) -> Iterator[RuleSource]:
    """All rules; and for the tests in the section `platform` of a file a rule that is switched off."""
    yield from list_rules(book, files)
    for path in files or list_rule_files(book):
        if path.parent.name == "platforms":
            text = read_rule_file(path)
            tests = msgspec.convert((text.values.get("platform") or {}).get("tests") or (), tuple[RuleTest, ...])
            rule = Rule(action="keep", enabled=False, tests=tests)
            yield _place_rule("platform", rule, text, ("platform", "tests"))


def _clean_test(cleaner: Cleaner, source: RuleSource, test: RuleTest) -> tuple[CleanPage | None, list[str]]:
    """The cleaned page of a test, None where it cannot be read; what is wrong with it."""
    if test.html is None and test.file is None:
        return None, ["a test needs `html` or `file`"]
    try:
        html = (source.file.parent / (test.file or "")).read_bytes() if test.html is None else test.html
        # a rule in a site file needs a page of that site
        page = cleaner.clean(html, url=test.url or (f"https://{source.site}/" if source.site else None))
    except (OSError, WebcleanError) as error:
        return None, [str(error)]
    faults = []
    if source.platform and all(found.file != source.platform for found in page.platforms):
        faults.append(f"the page is not told as one of {source.platform}")
    return page, [*faults, *check_page(page, test)]


def check_page(page: CleanPage, test: RuleTest) -> Iterator[str]:
    """The expectations of a test that a cleaned page does not meet; straight quotes stand for curly ones."""
    text = fold_typography(page.text)
    for wanted in test.keep:
        if fold_typography(wanted) not in text:
            yield f"must be kept and is not: {wanted!r}"
    for unwanted in test.drop:
        if fold_typography(unwanted) in text:
            yield f"must be dropped and is not: {unwanted!r}"
    for name in ("title", "date", "author"):
        expected, found = getattr(test, name), getattr(page, name)
        if expected is not None and fold_typography(expected) != fold_typography(found or ""):
            yield f"{name} is {found!r}, not {expected!r}"
    kinds = [str(kind) for kind in (page.page_type, page.page_subtype, page.page_label) if kind]
    if test.page_type is not None and test.page_type not in kinds:
        yield f"page_type is {', '.join(kinds)}, not {test.page_type!r}"
    if test.posts is not None:
        yield from _check_posts(page, test.posts)


def _check_posts(page: CleanPage, expected: Sequence[PostTest]) -> Iterator[str]:
    # entries of a menu say nothing
    found = [record for block in page.blocks for record in block.records if record.summary]
    if len(found) != len(expected):
        yield f"there are {len(found)} posts, not {len(expected)}"
    for number, (record, post) in enumerate(zip(found, expected, strict=False), start=1):
        for name in ("author", "date", "url"):
            wanted, value = getattr(post, name), getattr(record, name)
            if wanted is not None and wanted != value:
                yield f"{name} of post {number} is {value!r}, not {wanted!r}"
        if post.text is not None and post.text not in record.summary:
            yield f"post {number} must say {post.text!r}"


TOO_BROAD_SHARE: Final = 0.8  # a drop rule that takes more of the pages' words than this is reported


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about one rule."""

    source: RuleSource
    kind: str
    message: str


def lint_rules(sources: Iterable[RuleSource], pages: Iterable[Analysis] = ()) -> Iterator[Finding]:
    """Remarks about the rules; `never fires` and `too broad` need pages to try them on."""
    pages = list(pages)
    for source in sources:
        yield from _lint_alone(source)
        if pages and source.rule.enabled:
            yield from _lint_on_pages(source, pages)


def _lint_alone(source: RuleSource) -> Iterator[Finding]:
    rule, effect, when = source.rule, source.rule.effect, source.rule.when
    asked = (when.selector, when.outside, when.path, when.token, when.text, when.exact_text, when.features)
    if not rule.because and not rule.description:
        yield Finding(source, "unexplained", "says neither `because` nor `description`")
    if rule.because == SAY_WHY:
        yield Finding(source, "unexplained", f"`because` is still {SAY_WHY!r}: write what pages will show")
    if effect.decide == "drop" and not any(asked):
        yield Finding(source, "too broad", "drops every block of every page")
    if rule.enabled and not rule.tests and rule.learnt is None:
        yield Finding(source, "untested", "carries no test")


def _lint_on_pages(source: RuleSource, pages: list[Analysis]) -> Iterator[Finding]:
    applies, words, taken, rules = False, 0, 0, {source.id: source.rule}
    for page in pages:
        if source.site and source.site not in (page.facts.url or ""):
            continue
        # only pages that the rule is for: on others it drops nothing
        if list_holding(page.columns.document, page.facts, rules):
            n_words, matches = page.columns.blocks.n_words, match_rules(page.columns, page.facts, rules)
            applies |= _finds_something(source.rule, bool(matches), page.columns.document)
            words += int(n_words.sum())
            taken += sum(int(n_words[match.blocks].sum()) for match in matches)
    if not applies:
        yield Finding(source, "never fires", f"matches nothing on the {len(pages)} pages it was tried on")
    elif source.rule.effect.decide == "drop" and taken > TOO_BROAD_SHARE * words:
        yield Finding(source, "too broad", f"drops {taken / max(1, words):.0%} of the words of the pages it applies to")


def _is_met(name: str, page: Analysis) -> bool:
    """Whether a rule of a page matches something there."""
    document, matched = page.columns.document, any(match.id == name for match in page.matches)
    rules = {name: page.rules.rules[name]} if name in page.rules.rules else {}
    return any(_finds_something(one.rule, matched, document) for one in list_holding(document, page.facts, rules))


def _finds_something(rule: Rule, matched: bool, document: Document) -> bool:
    """Whether a rule that is for a page matches something there: elements, a field, or text blocks (`matched`)."""
    effect = rule.effect
    wanted = [name for name in FIELD_SELECTORS if getattr(effect, name)]
    if not (wanted or effect.posts):
        return matched
    if any(any(select_strings(document, getattr(effect, name))) for name in wanted):
        return True
    return effect.posts is not None and any(len(select_rows(document, item)) for item in as_tuple(effect.posts.each))


def list_faults(book: RuleBook, files: Iterable[Path]) -> Iterator[RuleError]:
    """The faults of each file, by line; of a file that is not YAML, the first. Each is read over the files of the book
    that can be read."""
    base = []
    for path in (*(path for folder in book.folders for path in sorted(folder.glob("*.yaml"))), *book.files):
        with suppress(RuleError):
            base.append(read_rule_file(path))
    for path in files:
        below = [text for text in base if text.file != path]
        faults = list(_find_unused(path))
        try:
            faults += _find_in_text(read_rule_file(path), below)
        except RuleError as error:
            faults.append(error)
        yield from sorted(faults, key=lambda fault: fault.line)


_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*")


def _find_unused(path: Path) -> Iterator[RuleError]:
    """Why no page ever has the rules of a file."""
    if path.parent.name in LAYER_FOLDERS and path.suffix != ".yaml":
        yield RuleError("is never used: files of layers end in .yaml", file=str(path))
    elif path.parent.name == "sites":
        host = find_host(f"http://{path.stem}/")
        # of all names under a suffix, such as `co.uk`, none is a site's
        if host != path.stem or not _HOST.fullmatch(host) or (ends_as_host(f"a.{host}") and not ends_as_host(host)):
            meant = f"; name it {host}.yaml" if host != path.stem and _HOST.fullmatch(host) else ""
            yield RuleError(f"is never used: {path.stem!r} is no host as URLs have it{meant}", file=str(path))


def _find_in_text(text: RuleText, below: list[RuleText]) -> Iterator[RuleError]:
    """The faults at places that the file sets; each place is reported once."""
    where = partial(find_origin, [Layer("file", text)])
    # a file alone lacks what is required; over the others it is judged as it will be read
    merged = merge_values([*(lower.values for lower in below), text.values])
    found = [*find_faults(merged, RuleSet), *find_unknown_types(merged), *find_unusable(text.values)]
    sound = reduce(leave_out, (path for path, _ in found), text.values)
    told: dict[Path_, str] = {}
    for path, message in (*found, *_find_in_cards(sound, below)):
        told.setdefault(path, message)
    yield from (locate(path, message, where) for path, message in told.items() if where(path) is not None)


def _find_in_cards(sound: dict[str, Any], below: list[RuleText]) -> Iterator[Fault]:
    """What is wrong with the cards of a file, of which `sound` has the right form. Read over the layers below; over the
    shipped ones alone if those of the caller are faulty themselves."""
    shipped = find_shipped_rules()
    # faults of cards are found in a rule set that can be made: with faulty files of the caller there is none
    for lower in (below, [text for text in below if shipped in text.file.parents]):
        try:
            rules = msgspec.convert(merge_values([*(text.values for text in lower), sound]), RuleSet)
        except (msgspec.ValidationError, ValueError):
            continue
        yield from find_faulty_cards(rules)
        return


SITE_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?")
"""Names of sites that a file may have: hosts, and nothing that leads out of a folder."""


@dataclass(frozen=True, slots=True)
class EditedRules:
    """A rule file that is being edited. site: that it is for; None: for every page. text: YAML. file: the page on
    which its tests run. html: that page. folder: the rule folder in which it is or will be saved, if there is one."""

    text: str
    site: str | None = None
    file: str = "page.html"
    html: bytes = b""
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said about an edited file. kind: `fault`, `test`, or the kind of a finding. line: 0 for the whole
    file. passed: whether it is a test that passed."""

    kind: str
    line: int
    message: str
    passed: bool = False


@contextmanager
def write_edited(edited: EditedRules) -> Iterator[tuple[tuple[Path, ...], Path]]:
    """(paths to open as rules, the edited file among them) while the context lasts."""
    with tempfile.TemporaryDirectory(prefix="webclean-rules-") as name:
        folder = Path(name)
        if edited.site is None:
            file = folder / "edited.yaml"
            paths: tuple[Path, ...] = (file,)
        else:
            # it becomes the name of a file, and comes from a form
            if not SITE_NAME.fullmatch(edited.site):
                raise RuleError(f"{edited.site!r} cannot be the name of a site")
            file = folder / "sites" / f"{edited.site}.yaml"
            paths = (folder,)
        page = file.with_name(Path(edited.file).name)
        file.parent.mkdir(parents=True, exist_ok=True)
        for path in edited.folder.rglob("*") if edited.folder else ():
            place = folder / path.relative_to(edited.folder or "")
            # files and not folders are linked: the edited file is written beside links
            if path.is_file() and place not in (file, page):
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(path.resolve())
        page.write_bytes(edited.html)
        file.write_text(edited.text, encoding="utf-8")
        yield paths, file


def review_edited(book: RuleBook, file: Path, page: CleanPage) -> Iterator[Remark]:
    """The results of its tests, and findings about its rules on a page. The file must be without faults."""
    for source in list_tested(book, (file,)):
        for test in source.rule.tests:
            # the text comes from a browser: a test must not read files elsewhere
            if test.file is not None and Path(test.file).name != test.file:
                yield Remark("fault", source.line, f"{test.file!r}: the page of a test stands beside its rules")
                return
    for result in run_rule_tests(book, (file,)):
        name = f"test {result.number} of {result.source.id}"
        for fault in result.faults:
            yield Remark("test", result.source.line, f"{name}: {fault}")
        if not result.faults:
            yield Remark("test", result.source.line, f"{name} passes", passed=True)
    for finding in lint_rules(list_rules(book, (file,)), [page.analysis]):
        yield Remark(finding.kind, finding.source.line, f"{finding.source.id}: {finding.message}")


_SECTION: Final = re.compile(r"rules\s*:\s*(?:#.*)?$")
_TOP_LEVEL: Final = re.compile(r"[^\s#-]")


def add_rules(text: str, rules: Mapping[str, Any], file: Path) -> str:
    """A rule file with further rules at the end of its `rules` section; all else stays as written. A taken id gets
    another number. Raises `RuleError` for a file that cannot be read, `InputError` where the section is
    written in a form that cannot be added to."""
    taken = dict(read_rule_text(text, file).values.get("rules") or {})
    named: dict[str, Any] = {}
    for name, rule in rules.items():
        # `keep-1` of a second save becomes the next free number
        stem = name.rpartition("-")[0] or name
        number = next(n for n in count(1) if f"{stem}-{n}" not in taken and f"{stem}-{n}" not in named)
        named[f"{stem}-{number}"] = rule
    head, *entries = write_yaml({"rules": named}).rstrip("\n").split("\n")
    lines = text.rstrip().split("\n") if text.strip() else []
    start = next((at for at, line in enumerate(lines) if _SECTION.match(line)), None)
    if start is None:
        written = [*lines, *([""] if lines else []), head, *entries]
    else:
        end = next((at for at in range(start + 1, len(lines)) if _TOP_LEVEL.match(lines[at])), len(lines))
        written = [*lines[:end], *entries, *lines[end:]]
    result = "\n".join(written) + "\n"
    try:
        # read back: a section in flow style, or tabs, would take the new lines for something else
        is_whole = list(read_rule_text(result, file).values["rules"]) == [*taken, *named]
    except RuleError:
        is_whole = False
    if not is_whole:
        raise InputError("write `rules:` in lines of their own, indented by two spaces, so that rules can be added")
    return result
