"""What a worker process does with a page: an answer of the JSON API, a page of reading mode, a view of the workbench.

Pure functions of plain values; `run_call` is what every worker runs. A dictionary that a function returns is sent as
JSON, an error of ours as a problem document, so that nothing but plain values goes from one process to the other.
Workers import this module and no framework of the web.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlencode

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from webclean.decide.explain import explain_block
from webclean.errors import InputError, NotAPageError, WebcleanError
from webclean.model import Limits
from webclean.outputs.block_views import name_openings, render_picture
from webclean.outputs.dictionary import describe_reasons, to_plain_values
from webclean.outputs.phone import PhoneOptions
from webclean.page import CleanPage
from webclean.parse.url import is_of_web
from webclean.parse.xpath import build_xpaths
from webclean.pipeline import Cleaner
from webclean.rules import RuleBook, open_rules
from webclean.server.messages import CleaningOptions, ExtendRequest, InspectRequest, PageRequest, describe_error
from webclean.web.fetch import may_be_public
from webclean.workbench import count_words, describe_text_block, explain_blocks, explain_page
from webclean.workbench.rule_checks import EditedRules, Remark, add_rules, list_faults, review_edited, write_edited
from webclean.workbench.starter import write_rules_for

TEMPLATES: Final = Environment(
    loader=PackageLoader("webclean.server"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
"""The HTML pages of the server; all that is filled in is escaped."""


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page and how to clean it. charset: that was asked for, or with which the page was served. rules: files and
    folders over the shipped rules."""

    html: bytes | str
    url: str | None = None
    charset: str | None = None
    options: CleaningOptions = field(default_factory=PageRequest)
    rules: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)


def run_call(call: Callable[[], Any]) -> Any:
    """What a function of this module with its task returns, dictionaries as JSON; for an error of ours its problem."""
    try:
        found = call()
    except WebcleanError as error:
        return describe_error(error)
    return msgspec.json.encode(found) if isinstance(found, dict) else found


def clean_task(task: PageTask) -> CleanPage:
    """Clean the page of a task. Raises `NotAPageError` for bytes that are none, and what `Cleaner.clean` raises."""
    asked = task.options
    cleaner = Cleaner(
        rules=task.rules, profile=asked.profile, method=asked.method, limits=task.limits, on_limit=asked.on_limit
    )
    types = {"page_type": asked.page_type, "page_subtype": asked.page_subtype}
    page = cleaner.clean(task.html, url=task.url, charset=task.charset, **types)
    if page.source.kind in ("binary", "empty"):
        raise NotAPageError(f"the input is {page.source.format or 'empty'}, not a page")
    return page


def clean(task: PageTask) -> dict[str, Any]:
    """Clean a page: type, text, fields and blocks."""
    page, asked = clean_task(task), cast("PageRequest", task.options)
    described = page.to_dict(include_reasons=asked.reasons) | {name: page.render(name) for name in asked.formats}
    return described | (explain_page(page) if asked.text_blocks else {})


def read(task: PageTask) -> str:
    """A page as Markdown under a head of title, URL and date."""
    page = clean_task(task)
    dated = f"Published Time: {page.date}\n\n" if page.date else ""
    return f"Title: {page.title or ''}\n\nURL Source: {page.url}\n\n{dated}Markdown Content:\n{page.to_markdown()}"


def render_reading(
    task: PageTask, *, query: Mapping[str, str], images: bool = True, private_images: bool = False
) -> str:
    """The document of a page, whose links lead on in reading mode.

    query: `url` or `page`, with which the server was asked. images: whether it has any; links keep that.
    private_images: they may lead to addresses that are not public, as pages may where the operator allows them.
    """
    page = clean_task(task)
    here = page.url

    def link_page(url: str) -> str:
        leads_on = url != here and is_of_web(url)
        return f"/read?{urlencode({'url': url} if images else {'url': url, 'images': '0'})}" if leads_on else url

    def keep_public(url: str) -> str | None:
        # no address of a network that only the reader reaches, and no path, which would be one of this server
        return url if url.lower().startswith("data:") or may_be_public(url) else None

    options = PhoneOptions(images=images, image=None if private_images else keep_public, link=link_page)
    document = page.to_mobile_html(include_images=images, options=options)
    # the line above a page leads back to the form, to the page as it is, and to the workbench
    original = here if here and is_of_web(here) else ""
    bar = TEMPLATES.get_template("bar.html").render(original=original, query=urlencode(query))
    return document.replace("<body>", f"<body>\n{bar}\n", 1)


_MOST_REASONS: Final = 8
"""Reasons of the page type that the workbench shows."""
_MOST_CHANGES: Final = 400
"""Changed lines of text that it shows; rules that change more are seen to do so."""


@dataclass(frozen=True, slots=True)
class InspectTask:
    """A page of the workbench. saved: the task with the rules as they are saved, and what is asked. edited: the rules
    as they are edited, perhaps no text. open_with: rule files and folders below the edited ones."""

    saved: PageTask
    edited: EditedRules
    open_with: tuple[Path, ...] = ()


@contextmanager
def open_edited(task: InspectTask) -> Iterator[tuple[PageTask, RuleBook, list[Remark], Path | None]]:
    """The task with the edited rules, or with the saved ones where the edited cannot be used; their book, their faults,
    and the edited file (None if there is none)."""
    if not task.edited.text.strip():
        yield task.saved, open_rules(task.saved.rules), [], None
        return
    with write_edited(task.edited) as (paths, file):
        rules = (*task.open_with, *paths)
        book = open_rules(rules)
        # the file, which lasts as long as this, is not named
        found = list_faults(book, [file])
        faults = [Remark("fault", one.line, f"{one.key}: {one.message}".removeprefix(": ")) for one in found]
        yield (task.saved if faults else replace(task.saved, rules=rules)), book, faults, file


def inspect_page(task: InspectTask) -> tuple[dict[str, Any], str]:
    """What the workbench shows, and the picture of the page."""
    saved = clean_task(task.saved)
    with open_edited(task) as (edited, book, faults, file):
        page = saved if faults or file is None else clean_task(edited)
        remarks = faults or ([] if file is None else list(review_edited(book, file, page)))
    changes = list(list_changes(saved.text, page.text))[:_MOST_CHANGES]
    columns, kept = page.analysis.columns, page.analysis.decisions.kept
    paths = build_xpaths(columns.document, columns.blocks.row.tolist())
    marks = ((n, bool(kept[n]), path) for n, path in enumerate(paths))
    picture = render_picture(page.source.markup, page.blocks, marks, sections=page.sections, legend=False)
    return {**describe_inspection(page), "remarks": to_plain_values(remarks), "changes": changes}, picture


def list_changes(before: str, after: str) -> Iterator[tuple[str, str]]:
    """The lines of text that only one of two texts has, in reading order: (`+`, line) and (`-`, line)."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    for line in islice(lines, 2, None):  # the first two name the files
        if line[:1] in "+-" and line[1:].strip():
            yield line[:1], line[1:]


def describe_inspection(page: CleanPage) -> dict[str, Any]:
    """Type, fields, text, and the trees of blocks and text blocks."""
    columns, decisions = page.analysis.columns.blocks, page.analysis.decisions
    scores = [round(score, 2) for score in decisions.score.tolist()]
    numbers = (page.segment_of.tolist(), decisions.kept.tolist(), scores, columns.n_words.tolist())
    rows = zip(range(len(columns)), *numbers, columns.text, strict=True)
    keys = ("number", "block", "kept", "score", "words", "text")
    names = ("url", "page_type", "page_subtype", "page_label", "platforms", "text", "empty_because", "warnings")
    fields = {name: getattr(page.fields, name) for name in ("title", "date", "author", "language")}
    return {
        **{name: to_plain_values(getattr(page, name)) for name in names},
        "type_confidence": round(page.type_confidence, 3),
        "confidence": round(page.confidence, 3),
        "type_reasons": describe_reasons(page.type_reasons[:_MOST_REASONS]),
        "fields": {name: to_plain_values(field) for name, field in fields.items()},
        "n_words": int(columns.n_words.sum()),
        "n_kept": int(columns.n_words[decisions.kept].sum()),
        "blocks": list(describe_tree(page)),
        "text_blocks": [dict(zip(keys, row, strict=True)) for row in rows],
    }


def describe_tree(page: CleanPage) -> Iterator[dict[str, Any]]:
    """The semantic blocks in reading order. parent: number of the one around. opens: titles of the sections that
    begin with it. sentence: why it is kept or dropped."""
    opened = name_openings(page.sections)
    sentences = {block.number: sentence for block, sentence in explain_blocks(page)}
    for block, (words, kept_words) in zip(page.blocks, count_words(page), strict=True):
        yield {
            "number": block.number,
            "id": block.id,
            "parent": None if block.parent is None else page.blocks[block.parent].number,
            "role": str(block.role),
            "kept": block.kept,
            "importance": round(block.importance, 3),
            "opens": opened.get(block.number, ()),
            "label": " ".join((block.heading or block.text).split())[:120],
            "words": words,
            "kept_words": kept_words,
            "n_links": len(block.links),
            "n_records": len(block.records),
            "sentence": sentences[block.number],
            "reasons": describe_reasons(block.reasons),
        }


def explain_inspected(task: InspectTask) -> dict[str, Any]:
    number = cast("InspectRequest", task.saved.options).number
    with open_edited(task) as (edited, _, _, _):
        page = clean_task(edited)
    analysis = page.analysis
    if not 0 <= number < len(analysis.columns.blocks):
        raise InputError(f"the page has no text block {number}")
    found = explain_block(analysis.columns, analysis.decisions, analysis.rules, number)
    xpath = build_xpaths(analysis.columns.document, [int(analysis.columns.blocks.row[number])])[0]
    rounded = {"score": round(found.score, 2), "cut": round(found.cut, 2)}
    return {**describe_text_block(page, found, xpath), **rounded}


def extend_rules(task: InspectTask) -> dict[str, Any]:
    """The edited file with a rule and its test for each text that is to be kept or dropped, and for the type that
    the page is to have."""
    asked, edited = cast("ExtendRequest", task.saved.options), task.edited
    with open_edited(task) as (current, _, faults, file):
        if faults:
            raise InputError("mend the rules first; then further ones can be added")
        page = clean_task(current)
        made = write_rules_for(page, asked.keep, asked.drop, edited.file, asked.as_type)
        rules = {name: {**rule, "because": asked.because or rule["because"]} for name, rule in made.rules.items()}
        text = add_rules(edited.text, rules, file or Path(f"{edited.site or 'rules'}.yaml")) if rules else edited.text
    return {"yaml": text, "remarks": list(made.remarks)}


def check_before_saving(task: InspectTask) -> list[Remark]:
    """Why edited rules are not fit to be saved: faults, tests that fail, and that they leave no text of the page, which
    is `empty`."""
    with open_edited(task) as (edited, book, faults, file):
        if faults or file is None:
            return faults
        page = clean_task(edited)
        found = [one for one in review_edited(book, file, page) if one.kind in ("fault", "test") and not one.passed]
        if not page.text and clean_task(task.saved).text:
            found.append(Remark("empty", 0, "with these rules nothing is left of the page"))
        return found
