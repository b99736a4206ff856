"""A page -> its text and its comments, apart, and its fields: what all formats of trafilatura are written from."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from lxml import etree
from lxml import html as lxml_html

from webclean.compat.document import ExtractedDocument, describe_page
from webclean.compat.options import Options
from webclean.errors import InputError, WebcleanError
from webclean.model import Role
from webclean.outputs.flow import Node, RenderOptions, build_flow
from webclean.outputs.markdown import render_markdown
from webclean.outputs.text import render_text
from webclean.page import CleanPage, count_input
from webclean.parse.limits import Budget, limit_to
from webclean.pipeline import Cleaner

LOGGER: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class PageParts:
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
        page = _clean(filecontent, options)
        document = _describe(page, options)
        main, comments = _split(page, options)
        write = render_markdown if options.marks or options.links or options.images else render_text
        document.text, document.comments = write(main), write(comments)
        document.raw_text, document.id = render_text(main), options.id
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


def _clean(filecontent: Any, options: Options) -> CleanPage:
    if options.prune_xpath:
        filecontent = _prune(filecontent, options.prune_xpath)
    page = _get_cleaner(options.profile).clean(filecontent, url=options.url)
    if page.url is not None and page.url in options.url_blacklist:
        raise _Refused("blacklisted URL")
    if options.lang and (page.language or "").partition("-")[0] not in ("", options.lang):
        raise _Refused(f"the language is {page.language}")
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
    if document.author in options.author_blacklist:
        document.author = None
    if document.url and document.url in options.url_blacklist:
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
    comments = is_comment & is_shown & columns.blocks.visible & ~main & options.comments
    shown = RenderOptions(
        links=options.links,
        images=options.images,
        tables=options.tables,
        image_attributes=page.analysis.rules.fields.images.attributes,
        tools=page.analysis.rules.tools,
    )
    with limit_to(Budget(page.limits, truncate=True, n_input=count_input(page.source))):
        return tuple(build_flow(columns.document, columns.blocks, mask, shown) for mask in (main, comments))  # type: ignore[return-value]
