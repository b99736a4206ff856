"""What the stages computed for one page (`Analysis`), and the formats in which it is written: one table (`FORMATS`),
which `CleanPage`, the command line, the server and batches read; and what renderings are made of: the kept content as
one tree, or as one tree for each ranked block; and all that a phone page shows.

A further format is a file in `webclean/outputs/` that writes the tree of clean elements, or another part of a page, and
a line in `FORMATS`:

    Format("rtf", ".rtf", "text/rtf", MarkdownOptions, _write_rtf)

With that `page.render("rtf")`, `webclean clean --format rtf` with the options it takes, and `formats` of the server's
`/v1/clean` know it. The options that a format takes are the fields of its struct; each is stated there alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Concatenate,
    Final,
    NotRequired,
    ParamSpec,
    TypedDict,
    TypeVar,
    cast,
    get_args,
    get_type_hints,
)

import msgspec
import numpy as np
from msgspec import Meta

from webclean.blocks.text_blocks import find_lines
from webclean.classify import Classification
from webclean.errors import InputError
from webclean.features import PageColumns
from webclean.fields import list_field_types
from webclean.fields.entities import read_path
from webclean.matching.conditions import PageFacts, RuleMatch
from webclean.matching.expressions import compile_pattern
from webclean.model import Block, BlockDecisions, FoundPlatform, Mask, PageType, Reason, Rows, Source
from webclean.outputs.dictionary import BlockObject, SectionObject
from webclean.outputs.flow import Node, TreeOptions, write_front_matter
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.flow.lines import says_names
from webclean.outputs.html import render_html
from webclean.outputs.phone import UNSIGNED, Layout, PhoneOptions, PhonePage, PhoneSource, render_phone
from webclean.outputs.text import render_markdown, render_text
from webclean.page.choices import find_choices, find_gallery, find_telephone
from webclean.parse import climb, sum_before
from webclean.parse.tags import CODE
from webclean.parse.url import find_base
from webclean.rules import RuleSet
from webclean.segments import list_entries
from webclean.segments.semantic_page import segment_page
from webclean.segments.units import match_whole

Page = Any
"""A `CleanPage`. Its module imports this one, so its type cannot be named here."""
_Takes = ParamSpec("_Takes")
_Page = TypeVar("_Page")
_Shown = TypeVar("_Shown")
_Made = TypeVar("_Made")


class TextOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What plain text shows."""

    include_tables: Annotated[bool, Meta(description="tables of data")] = True
    include_comments: Annotated[bool, Meta(description="comments of readers")] = True
    include_title: Annotated[bool, Meta(description="the title above the text")] = False
    include_metadata: Annotated[bool, Meta(description="title, author, date, ... before the text")] = False


class MarkdownOptions(TextOptions, frozen=True, kw_only=True):
    """What Markdown shows. It has the title by default; plain text has not, because most labelled texts are without."""

    include_title: Annotated[bool, Meta(description="title above the text")] = True
    include_links: Annotated[bool, Meta(description="links")] = True
    include_images: Annotated[bool, Meta(description="images")] = True


class HtmlOptions(MarkdownOptions, frozen=True, kw_only=True):
    """What HTML shows. include_metadata: as `meta` elements."""

    fragment: Annotated[bool, Meta(description="only what goes into the body")] = False


class MobileOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a phone page shows. options: where links and images lead, and what else may be chosen."""

    include_images: Annotated[bool, Meta(description="images")] = True
    options: PhoneOptions | None = None


class JsonOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a page as JSON has. source: a name of the page, as its first key."""

    include_reasons: Annotated[
        bool, Meta(description="why each block is kept or dropped", extra={"flag": "--reasons"})
    ] = False
    include_markdown: Annotated[bool, Meta(description="the text as Markdown too")] = False
    source: str | None = None


class Format(msgspec.Struct, frozen=True):
    """A format: its name, the ending of its files, its media type (RFC 6838), the struct of its options, and the
    function that writes a page with such options."""

    name: str
    suffix: str
    media_type: str
    options: type[Any]
    write: Callable[[Any, Any], str]


class Switch(msgspec.Struct, frozen=True):
    """An option that is on or off, and the formats that take it with this default."""

    name: str
    default: bool
    description: str
    flag: str
    formats: tuple[str, ...]


def _write_text(page: Page, shown: TextOptions) -> str:
    tree = TreeOptions(
        # a title is added above the tree, which is then no longer that of plain text alone
        links=False,
        images=False,
        tables=shown.include_tables,
        marks=False,
        plain=not shown.include_title,
    )
    return _add_front_matter(render_text(page.build_tree(shown, tree)), page, shown)


def _write_markdown(page: Page, shown: MarkdownOptions) -> str:
    return _add_front_matter(render_markdown(_build_marked(page, shown)), page, shown)


def _write_html(page: Page, shown: HtmlOptions) -> str:
    flow = _build_marked(page, shown)
    if shown.fragment:  # without a head, whose fields take as long as the text
        return render_html(flow, fragment=True)
    head = page.describe_head(everything=shown.include_metadata)
    return render_html(flow, head, metadata=shown.include_metadata)


def _build_marked(page: Page, shown: MarkdownOptions) -> Node:
    tree = TreeOptions(links=shown.include_links, images=shown.include_images, tables=shown.include_tables)
    return cast("Node", page.build_tree(shown, tree))


def _add_front_matter(text: str, page: Page, shown: TextOptions) -> str:
    return f"{write_front_matter(page.describe_head())}\n\n{text}" if shown.include_metadata else text


SCHEMA_VERSION: Final = 2
"""Rises when a key goes or changes its meaning; keys may be added without it."""


if TYPE_CHECKING:
    FieldsObject = dict[str, Any]
else:  # `PageFields` lists the fields
    FieldsObject = TypedDict("FieldsObject", list_field_types())
    FieldsObject.__doc__ = (
        "All fields; dates are ISO 8601, languages BCP 47 tags, URLs absolute when that of the page is known."
    )


class PageObject(TypedDict):
    """A cleaned page. text: the main content. confidence: estimated F1 of the words of `text`. encoding: WHATWG name.
    empty_because: why the text is empty or next to it: script, login, list, ...; null where it is not. warnings:
    messages for people. truncated: limits at which the page was cut. rules: hash of the rules.
    page_subtype, page_label: names of the rules, such as article or blog. platforms: each after those that it runs on.
    pages, joined: of a text on several pages, the URLs of its parts, and each link that was followed or not."""

    schema_version: int
    url: str | None
    page_type: PageType
    page_subtype: str | None
    page_label: str | None
    platforms: list[FoundPlatform]
    type_confidence: float
    confidence: float
    title: str | None
    date: str | None
    author: str | None
    language: str | None
    text: str
    markdown: NotRequired[str]
    fields: FieldsObject
    blocks: list[BlockObject]
    sections: list[SectionObject]
    encoding: str
    empty_because: str | None
    warnings: list[str]
    truncated: list[str]
    rules: str
    type_reasons: NotRequired[list[Reason]]
    source: NotRequired[str]
    pages: NotRequired[list[str | None]]
    joined: NotRequired[list[Reason]]


OPTIONAL_KEYS: Final = frozenset(("markdown", "type_reasons", "source", "pages", "joined"))
"""Keys of `PageObject` that are there only if they were asked for."""


def describe_page_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one page; every line of `--format jsonl` is such an object. It is made of the
    types of the parts, so that it cannot drift."""
    (page,), parts = msgspec.json.schema_components([PageObject])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A page cleaned by webclean, version {SCHEMA_VERSION}",
        **page,
        "$defs": parts,
    }


def _write_json(page: Page, shown: JsonOptions, indent: int | None = 1) -> str:
    name = {} if shown.source is None else {"source": shown.source}
    described = page.to_dict(include_reasons=shown.include_reasons, include_markdown=shown.include_markdown)
    return json.dumps({**name, **described}, ensure_ascii=False, indent=indent)


_ALL: Final = (
    Format("text", ".txt", "text/plain", TextOptions, _write_text),
    Format("markdown", ".md", "text/markdown", MarkdownOptions, _write_markdown),
    Format("html", ".html", "text/html", HtmlOptions, _write_html),
    Format(
        "mobile", ".html", "text/html", MobileOptions, lambda page, shown: render_phone(describe_phone(page, shown))
    ),
    Format("json", ".json", "application/json", JsonOptions, _write_json),
    Format(
        "jsonl", ".jsonl", "application/jsonl", JsonOptions, lambda page, shown: _write_json(page, shown, indent=None)
    ),
)
FORMATS: Final = {form.name: form for form in _ALL}
"""Name -> format."""
RENDERINGS: Final = {name: form for name, form in FORMATS.items() if form.media_type in ("text/markdown", "text/html")}
"""The formats that a page as JSON may hold beside its text."""


def find_format(name: str) -> Format:
    """The format of a name. Raises `InputError` for an unknown one."""
    if name not in FORMATS:
        raise InputError(f"unknown format {name!r}; known: {', '.join(FORMATS)}")
    return FORMATS[name]


def list_switches() -> list[Switch]:
    """The options that are on or off, in the order of the formats. One whose default differs between formats is two."""
    found: dict[tuple[str, bool], Switch] = {}
    for form in FORMATS.values():
        hints = get_type_hints(form.options, include_extras=True)
        for option in msgspec.structs.fields(form.options):
            kind, *about = get_args(hints[option.name]) or (None,)
            # options of other types are for callers in Python alone
            if kind is not bool:
                continue
            name, default, meta = option.name, option.default, about[0]
            # a flag is named by what it changes: `--no-links`, `--with-metadata`
            short = name.removeprefix("include_")
            flag = f"--no-{short}" if default else f"--with-{short}" if short != name else f"--{name}"
            known = found.get((name, default))
            formats = (*(known.formats if known else ()), form.name)
            flag = (meta.extra or {}).get("flag") or flag
            found[name, default] = Switch(name, default, meta.description or "", flag, formats)
    return list(found.values())


def takes_options(
    make: Callable[_Takes, _Shown],
) -> Callable[[Callable[[_Page, _Shown], _Made]], Callable[Concatenate[_Page, _Takes], _Made]]:
    """Turn a method of one argument, a struct of options, into one that takes each option by name."""

    def decorate(method: Callable[[_Page, _Shown], _Made]) -> Callable[Concatenate[_Page, _Takes], _Made]:
        @wraps(method)
        def call(page: _Page, /, *given: _Takes.args, **named: _Takes.kwargs) -> _Made:
            return method(page, make(*given, **named))

        taken = signature(make).parameters.values()
        vars(call)["__signature__"] = Signature([Parameter("self", Parameter.POSITIONAL_ONLY), *taken])  # for `help`
        return call

    return decorate


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What the stages computed for one page: columns, page type, decisions, and the rules that were used.

    empty: why the text is empty or next to it, a key of `webclean.decide.handlers.REASONS`.
    """

    columns: PageColumns
    rules: RuleSet
    classification: Classification
    decisions: BlockDecisions
    warnings: tuple[str, ...] = ()
    matches: tuple[RuleMatch, ...] = ()
    facts: PageFacts = field(default_factory=PageFacts)
    empty: str | None = None
    platforms: tuple[FoundPlatform, ...] = ()


def count_input(source: Source) -> int:
    """Bytes or characters of a page, of which there are more."""
    # bytes of UTF-16 are twice its characters, and a text page is longer than its input: what helps the reader counts
    return max(source.n_bytes, len(source.markup))


MAX_TREES: Final = 100
"""Each of the first ranked blocks gets a tree of its own; all further blocks are one tree, for a tree takes time."""


def build_ranked_flow(
    analysis: Analysis, kept: Mask, blocks: Sequence[Block], segment_of: Rows, options: TreeOptions
) -> Node:
    """The kept text blocks, semantic block by semantic block. blocks: all of the page, in the order of their rank.

    segment_of: int [n_blocks], the number of the semantic block that a text block is in.
    """
    has_kept = np.bincount(segment_of[kept], minlength=len(blocks)) > 0
    numbers = [block.number for block in blocks if has_kept[block.number]]
    # a page of ten thousand teasers would take minutes; far down, order says little
    groups = [[number] for number in numbers[:MAX_TREES]] + [numbers[MAX_TREES:]]
    return build_parts(analysis, [kept & np.isin(segment_of, group) for group in groups if group], options)


def build_parts(analysis: Analysis, masks: Sequence[Mask], options: TreeOptions) -> Node:
    """One tree of several parts of the kept text, one after the other. masks: the text blocks of each part."""
    document, blocks = analysis.columns.document, analysis.columns.blocks
    parts = (build_flow(document, blocks, np.asarray(mask, dtype=bool), options) for mask in masks)
    shown = [part for part in parts if part.children]
    # the direction is that of the page, which each part states
    attributes = shown[0].attributes if shown else {}
    return Node("", attributes, [child for part in shown for child in part.children])


_MOST_HEADINGS: Final = 3
"""So many headings before the lead may be its own; more are a list."""
_SERVICE: Final = "service"


def find_lead_texts(analysis: Analysis, kept: Mask) -> Mask:
    """bool [n_blocks]: the kept text blocks of the lead of an index page, if more than its headings stands before it;
    else none."""
    lead = np.zeros(len(kept), dtype=bool)
    if analysis.classification.page_type.value == PageType.INDEX and not analysis.decisions.blocks:
        page = segment_page(analysis.columns, analysis.rules, analysis.decisions)
        if page.lead is not None and page.lead.is_told:
            is_lead = np.zeros(len(page) + 1, dtype=bool)  # the last one is for text outside of all
            is_lead[page.lead.blocks] = True
            lead = kept & is_lead[page.columns.segment_of]
            is_heading = analysis.columns.is_heading[: int(lead.argmax())][kept[: int(lead.argmax())]]
            lead &= len(is_heading) > _MOST_HEADINGS or not is_heading.all()
    return lead


def describe_phone(page: Page, shown: MobileOptions) -> PhonePage:
    """What the phone page of a page is made of."""
    options = shown.options or PhoneOptions()
    # images are left out where either of the two options says so
    options = replace(options, images=options.images and shown.include_images)
    layout, fields, columns, rules = page.layout, page.fields, page.analysis.columns, page.analysis.rules
    is_empty, is_product = not page.analysis.decisions.kept.any(), layout is Layout.PRODUCT
    # dates and names that services state are mostly those of the page's making, and tell its reader nothing
    is_signed = layout not in UNSIGNED and page.page_subtype != _SERVICE
    head = page.describe_head(signed=is_signed)
    language = head.language.lower().partition("-")[0]
    # a wrong name or date at the top of a page is worse than none
    signed = ("author", "date") if is_signed else ()
    unsure = [name for name in signed if getattr(fields, name).confidence < rules.phone.signed_from]
    # whoever is named in the head alone is mostly the one who put the page there
    unsure += ["author"] if not says_names(" ".join(columns.blocks.text), head.author) else []
    head = replace(head, **dict.fromkeys(unsure, ""))
    own = [value for value, source in fields.availability.alternatives if source == "text"]
    if own or (language not in ("", "en") and fields.availability.source != "text"):
        # what is stated is a word of schema.org: the page's own is read once, and in the reader's language
        head = replace(head, availability=next(iter(own), ""))
    image = (fields.image.value or "") if is_product or is_empty else ""
    stated = list(read_path(fields.offer.product, "image")) if is_product else []
    return PhonePage(
        head=head,
        layout=layout,
        sources=page._list_phone_sources(options.images),
        rules=rules.phone,
        price=(price := fields.offer.find_shown_price() if is_product else ""),
        former=fields.offer.find_former_price(price) if price else "",
        image=image,
        gallery=find_gallery(columns, page.analysis.decisions.kept, rules, stated, image) if is_product else (),
        description=(fields.description.value or "") if is_empty else "",
        choices=find_choices(columns, rules.phone.choices) if is_product else (),
        telephone=find_telephone(columns) if page.page_subtype == _SERVICE else ("", ""),
        options=options,
        is_button=compile_pattern(match_whole(rules.segments.records.buttons)).search,
        is_edited=compile_pattern(rules.phone.edited).search,
        is_idle=compile_pattern(match_whole(rules.phone.idle)).search,
        months=rules.dates.months.get(language, ()),
    )


def find_phone_source(page: Page, *, images: bool) -> PhoneSource:
    """The kept content of a page, and all of its semantic blocks."""
    analysis, blocks = page.analysis, page.blocks
    columns, rules = analysis.columns, analysis.rules
    kept = keep_quotations(page, analysis.decisions.kept)
    shown = TreeOptions(images=images, image_attributes=rules.fields.images.attributes, tools=rules.tools)
    flow = build_flow(columns.document, columns.blocks, kept, shown)
    semantic = segment_page(columns, rules, analysis.decisions)
    owner = semantic.columns.segments.owner[columns.document.block]
    spans = [[(unit.first, unit.end) for unit, _ in found] for found in list_entries(semantic, analysis.decisions)]
    # a picture at the top alone may be that of any list
    lead = semantic.lead.blocks if semantic.lead and semantic.lead.is_told else ()
    return PhoneSource(flow, blocks, owner, spans, find_base(columns.document), lead)


LAYOUTS: Final = {"forum": Layout.THREAD, "product": Layout.PRODUCT, "documentation": Layout.DOCUMENTATION}
"""Subtype -> layout of its phone page; others have that of an article."""


_QUOTED_CHARS: Final = 300
"""About so many characters of a quotation stay if the page has its text elsewhere; the rest would be read twice."""


def keep_quotations(page: Page, kept: Mask) -> Mask:
    """bool [n_blocks]: kept text blocks, and in a thread those of the quotations in kept text, so that replies answer
    something.

    A quotation belongs to the text beside it in the smallest element around both, most of which is kept. What rules
    drop by name is none.
    """
    if page.layout is not Layout.THREAD:
        return kept
    document, blocks = page.analysis.columns.document, page.analysis.columns.blocks
    found, dropped = kept.copy(), page.analysis.decisions.dropped_by or {}
    said, end = "", 0
    # characters before each block, and kept ones
    sums = [sum_before(chars) for chars in (blocks.n_chars, blocks.n_chars * kept)]
    for row in ((document.tag == CODE["blockquote"]) & document.displayed).nonzero()[0].tolist():
        if row < end:  # in another quotation
            continue
        end = int(document.end[row])
        spans = (find_lines(document, blocks, at).tolist() for at in climb(document, row))
        first, last = inside = next(spans)
        before, after = next((around for around in spans if around != inside), inside)
        n_beside, n_kept = (int(n[after] - n[last] + n[first] - n[before]) for n in sums)
        if 2 * n_kept <= n_beside:
            continue
        said = said or " ".join(blocks.text[block] for block in kept.nonzero()[0].tolist())
        n_chars = 0
        for block in range(first, last):
            text = blocks.text[block]
            if block not in dropped and not (n_chars and n_chars + len(text) > _QUOTED_CHARS and text in said):
                found[block] = True
                n_chars += len(text)
    return found
