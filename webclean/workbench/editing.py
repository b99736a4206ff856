"""A rule file of a site as it is being edited -> what is wrong with it and what it changes, before it is saved.

The text is written into a copy of the rule folder, made of links, in which it takes the place of the saved file; there
it is read, checked and tested as `webclean rules check` and `test` do.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from webclean.errors import InputError, RuleError
from webclean.page import CleanPage
from webclean.rules import RuleBook
from webclean.rules.files import read_rule_text, write_yaml
from webclean.workbench.rule_checks import SamplePage, lint_rules, list_faults, list_rules, list_tests, run_rule_tests

SITE_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?")
"""Names of sites that a file may have: hosts, and nothing that leads out of a folder."""


_PLACE: Final = re.compile(r"^(?::\d+)?(?: at |: )")


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
        if edited.folder is not None:
            link_folder(edited.folder, folder, {file, page})
        page.write_bytes(edited.html)
        file.write_text(edited.text, encoding="utf-8")
        yield paths, file


def link_folder(source: Path, target: Path, but: set[Path]) -> None:
    """Links to all files of a folder, in the same places, but for some."""
    for path in source.rglob("*"):
        place = target / path.relative_to(source)
        # files and not folders are linked: the edited file is written beside links
        if path.is_file() and place not in but:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(path.resolve())


def list_edited_faults(book: RuleBook, file: Path) -> list[Remark]:
    """Why an edited file cannot be used; none if it can."""
    remarks = []
    for fault in list_faults(book, [file]):
        message = str(fault)
        # without the name of a file that lasts as long as the check
        after = message.partition(fault.file)[2] if fault.file else ""
        remarks.append(Remark("fault", fault.line, _PLACE.sub("", after) or message))
    return remarks


def review_edited(book: RuleBook, file: Path, page: CleanPage) -> Iterator[Remark]:
    """The results of its tests, and findings about its rules on a page. The file must be without faults."""
    for source, tests in list_tests(book, (file,)):
        for test in tests:
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
    sample = SamplePage("this page", page.analysis.columns, page.analysis.facts)
    for finding in lint_rules(list_rules(book, (file,)), [sample]):
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
