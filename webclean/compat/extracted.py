"""A page as trafilatura's users know it: the arguments that have an effect here, its fields, its text and its comments.

`ExtractedDocument` has the names of trafilatura's `Document`; all formats are written from `PageParts`.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache, wraps
from inspect import Parameter, Signature
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from lxml import etree
from lxml import html as lxml_html

from webclean.errors import InputError, WebcleanError
from webclean.model import Mask, Role
from webclean.outputs.flow import Node, TreeOptions
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.text import render_markdown, render_text
from webclean.page import CleanPage, count_input
from webclean.parse.limits import Budget, limit_to
from webclean.parse.url import split_url
from webclean.pipeline import Cleaner

_Made = TypeVar("_Made")
FORMATS: Final = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")
_DEFAULTS: Final[dict[str, Any]] = {
    "url": None, "record_id": None, "fast": False, "no_fallback": False, "favor_precision": False,
    "favor_recall": False, "include_comments": True, "output_format": "txt", "tei_validation": False,
    "target_language": None, "include_tables": True, "include_images": False, "include_formatting": None,
    "include_links": False, "deduplicate": False, "date_extraction_params": None, "with_metadata": False,
    "only_with_metadata": False, "max_tree_size": None, "url_blacklist": None, "author_blacklist": None,
    "as_dict": False, "settingsfile": None, "prune_xpath": None, "config": None, "options": None,
}  # fmt: skip
"""Argument of trafilatura's functions behind the page -> its default, in their order."""
_NAMES: Final = {
    "favor_precision": "precision", "favor_recall": "recall", "include_comments": "comments", "output_format": "format",
    "include_tables": "tables", "include_images": "images", "include_formatting": "formatting",
    "include_links": "links", "target_language": "lang", "record_id": "id",
}  # fmt: skip
"""Argument -> its name in trafilatura's `Extractor`, where they differ."""


class Options(SimpleNamespace):
    """The arguments of a call by their names in `_DEFAULTS`; None is as if it were not given."""

    def __init__(self, **given: Any) -> None:
        """Those of trafilatura's `Extractor` in `options` win over the others. Raises `AttributeError` for an unknown
        format."""
        given = _DEFAULTS | {name: value for name, value in given.items() if value is not None}
        if (extractor := given["options"]) is not None:
            names = {name: _NAMES.get(name, name) for name in _DEFAULTS}
            given |= {name: getattr(extractor, own) for name, own in names.items() if hasattr(extractor, own)}
            given |= {f"favor_{focus}": extractor.focus == focus for focus in ("precision", "recall")}
        super().__init__(**given)
        if self.output_format not in FORMATS:
            raise AttributeError(f"Cannot set format, must be one of: {', '.join(FORMATS)}")

    @property
    def metadata(self) -> bool:
        """Whether fields are asked for."""
        asked = self.with_metadata or self.only_with_metadata or self.output_format == "xmltei"
        return bool(asked or self.url_blacklist or self.author_blacklist)

    @property
    def marks(self) -> bool:
        """Whether emphasis and other marks of text are written."""
        return bool(self.output_format == "markdown" if self.include_formatting is None else self.include_formatting)


def takes(*lacking: str, **changed: Any) -> Callable[[Callable[[Any, Options], _Made]], Callable[..., _Made]]:
    """Gives a function of a page and options the arguments of trafilatura's function of its name.

    lacking: those of `_DEFAULTS` that it does not have. changed: defaults that differ.
    """
    kind = Parameter.POSITIONAL_OR_KEYWORD
    taken = [Parameter(name, kind, default=own) for name, own in (_DEFAULTS | changed).items() if name not in lacking]
    signature = Signature([Parameter("filecontent", kind), *taken])

    def wrap(function: Callable[[Any, Options], _Made]) -> Callable[..., _Made]:
        @wraps(function)
        def call(*values: Any, **named: Any) -> _Made:
            given = signature.bind(*values, **named)
            given.apply_defaults()
            return function(given.arguments.pop("filecontent"), Options(**given.arguments))

        call.__signature__ = signature  # type: ignore[attr-defined]  # shown by `help`
        return call

    return wrap


@dataclass(slots=True, eq=False)
class ExtractedDocument:
    """A page as trafilatura's users know it. body, commentsbody: the text and the comments as XML. Fields are None
    where metadata was not asked for."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    body: etree._Element | None = None
    comments: str | None = None
    commentsbody: etree._Element | None = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def sign(self) -> None:
        """Set the fingerprint: equal for equal titles and texts."""
        text = f"{self.title} {self.raw_text}".encode("utf-8", "surrogatepass")
        self.fingerprint = hashlib.sha256(text).hexdigest()[:16]


def describe_page(page: CleanPage) -> ExtractedDocument:
    """The fields of a page, without its text."""
    found = page.fields
    url = page.url or found.canonical.value
    return ExtractedDocument(
        title=found.title.value,
        author=found.author.value,
        url=url,
        hostname=(split_url(url or "").hostname or "").removeprefix("www.") or None,
        description=found.description.value,
        sitename=found.site_name.value,
        date=(found.date.value or "")[:10] or None,
        categories=[found.section.value] if found.section.value else [],
        tags=list(found.keywords.values),
        license=found.licence.value,
        image=found.image.value,
        pagetype=page.page_label,
        filedate=datetime.now(UTC).date().isoformat(),
    )


LOGGER: Final = logging.getLogger(__name__)


class PageParts(NamedTuple):
    """A page that was not refused. main, comments: its clean elements."""

    document: ExtractedDocument
    main: Node
    comments: Node
    options: Options


class _Refused(WebcleanError):  # noqa: N818  no error: a page that the caller does not want
    """Why a page is discarded."""


def take_parts(filecontent: Any, options: Options) -> PageParts | None:
    """Clean a page; None, with a line in the log, if it has no text or a filter refuses it."""
    try:
        page = take_page(filecontent, options)
        if options.target_language and (page.language or "").partition("-")[0] not in ("", options.target_language):
            raise _Refused(f"the language is {page.language}")
        document = _describe(page, options)
        main, comments = _split(page, options)
        write = render_markdown if options.marks or options.include_links or options.include_images else render_text
        document.text, document.comments = write(main), write(comments)
        document.raw_text, document.id = render_text(main), options.record_id
        if not document.raw_text:
            raise _Refused("no text")
        if options.max_tree_size and len(main.children) > options.max_tree_size:
            raise _Refused(f"{len(main.children)} elements in the text")
        document.sign()
        return PageParts(document, main, comments, options)
    except WebcleanError as error:
        LOGGER.warning("discarding data: %s: %s", options.url, error)
        return None


@lru_cache(maxsize=3)
def _get_cleaner(profile: str) -> Cleaner:
    return Cleaner(profile=profile)


def take_page(filecontent: Any, options: Options) -> CleanPage:
    """Clean a page. Raises `_Refused` for a text without markup, which for trafilatura is no page, and what `clean`
    raises."""
    # a response of urllib3 or of `fetch_response`
    content = getattr(filecontent, "data", filecontent)
    if options.prune_xpath:
        content = _prune(content, options.prune_xpath)
    profile = "recall" if options.favor_recall else "precision" if options.favor_precision else "balanced"
    page = _get_cleaner(profile).clean(content, url=options.url)
    if page.source.kind in ("text", "empty", "binary"):
        raise _Refused("no HTML")
    return page


def _prune(filecontent: Any, paths: str | list[str]) -> Any:
    """The page as a tree of lxml without the elements of some XPaths."""
    if isinstance(filecontent, str | bytes):
        if not filecontent.strip():
            raise InputError("the page is empty")
        filecontent = lxml_html.document_fromstring(filecontent)
    for path in [paths] if isinstance(paths, str) else paths:
        for element in filecontent.xpath(path):
            if isinstance(element, etree._Element) and element.getparent() is not None:
                element.drop_tree()
    return filecontent


def _describe(page: CleanPage, options: Options) -> ExtractedDocument:
    """The fields of a page, empty where they are not asked for. Raises `_Refused` for a page without those it needs."""
    document = describe_page(page) if options.metadata else ExtractedDocument()
    if document.author in (options.author_blacklist or ()):
        document.author = None
    if document.url and document.url in (options.url_blacklist or ()):
        raise _Refused("blacklisted URL")
    if options.only_with_metadata and not (document.date and document.title and document.url):
        raise _Refused("no metadata")
    return document


def _split(page: CleanPage, options: Options) -> tuple[Node, Node]:
    """The clean elements of the kept text, and of the comments of readers.

    Comments are those of the kept semantic blocks that are comments, also where their text is not part of the main
    text. A page of nothing else is text.
    """
    columns, kept, inside = page.analysis.columns, page.analysis.decisions.kept, page.segment_of
    is_comment = np.array([block.role is Role.COMMENTS for block in page.blocks], dtype=bool)[inside]
    is_shown = np.array([block.kept for block in page.blocks], dtype=bool)[inside]
    main = kept & ~is_comment
    main = main if main.any() else kept
    comments = is_comment & is_shown & columns.blocks.visible & ~main & options.include_comments
    shown = {name: getattr(options, f"include_{name}") for name in ("links", "images", "tables")}
    main_tree, comment_tree = build_trees(page, main, comments, **shown)
    return main_tree, comment_tree


def build_trees(page: CleanPage, *masks: Mask, **shown: bool) -> list[Node]:
    """The clean elements of the text blocks of each mask, together within the limits of the page. shown: options of
    `TreeOptions`."""
    columns, rules = page.analysis.columns, page.analysis.rules
    options = TreeOptions(image_attributes=rules.fields.images.attributes, tools=rules.tools, **shown)
    with limit_to(Budget(page.limits, truncate=True, n_input=count_input(page.source))):
        return [build_flow(columns.document, columns.blocks, mask, options) for mask in masks]
