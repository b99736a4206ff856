"""trafilatura's functions, with its arguments and in its formats, by webclean:

from webclean.compat import extract, fetch_url, extract_metadata  # instead of: from trafilatura import ...

As with trafilatura, a page without text, or one that a filter refuses, gives None and a line in the log. Accepted
without effect: fast, no_fallback, tei_validation (the output is valid by the way it is made), date_config, no_ssl. Of
settings (config, settingsfile) the sizes, those of dates and repetitions and the bounds of fetching are heeded.

What comes out is written in `documents.py` and `text.py`; the fields are those of `fields.py`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from configparser import ConfigParser
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache, wraps
from hashlib import blake2b
from inspect import Parameter, Signature
from itertools import count
from types import SimpleNamespace
from typing import Any, Final, TypeVar
from unicodedata import normalize

import numpy as np
from lxml import etree
from lxml import html as lxml_html

from webclean.compat.documents import NAMES, WRITERS, ExtractedDocument, PageParts
from webclean.compat.fields import describe_page
from webclean.compat.text import write_flow
from webclean.errors import InputError, WebcleanError
from webclean.model import Limits, Mask, Role
from webclean.outputs.flow import HEADINGS, Node, TreeOptions
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.text import render_text
from webclean.outputs.xml import build_xml
from webclean.page import CleanPage, count_input
from webclean.parse import read_source
from webclean.parse.columns import find_attribute, list_values, mark_subtrees
from webclean.parse.limits import Budget, limit_to, start_budget
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits, fetch_bytes

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


class Options(SimpleNamespace):
    """The arguments of a call by their names in `_DEFAULTS`; None is as if it were not given."""

    def __init__(self, **given: Any) -> None:
        """Those of trafilatura's `Extractor` in `options` win over the others. Raises `AttributeError` for an unknown
        format."""
        given = _DEFAULTS | {name: value for name, value in given.items() if value is not None}
        if (extractor := given["options"]) is not None:
            names = {name: NAMES["arguments"].get(name, name) for name in _DEFAULTS}
            given |= {name: getattr(extractor, own) for name, own in names.items() if hasattr(extractor, own)}
            given |= {f"favor_{focus}": extractor.focus == focus for focus in ("precision", "recall")}
        super().__init__(**given)
        if self.output_format not in FORMATS:
            raise AttributeError(f"Cannot set format, must be one of: {', '.join(FORMATS)}")

    def read_size(self, name: str) -> int | None:
        """A number of the settings (`MIN_OUTPUT_SIZE`); None where there is none. Raises `FileNotFoundError` for a file
        of settings that is missing."""
        return read_setting(_read_settings(str(self.settingsfile)) if self.settingsfile else self.config, name)

    @property
    def metadata(self) -> bool:
        """Whether fields are asked for."""
        asked = self.with_metadata or self.only_with_metadata or self.output_format == "xmltei"
        return bool(asked or self.url_blacklist or self.author_blacklist)

    @property
    def marks(self) -> bool:
        """Whether emphasis and other marks of text are written."""
        return bool(self.output_format == "markdown" if self.include_formatting is None else self.include_formatting)


@lru_cache(maxsize=8)
def _read_settings(file: str) -> ConfigParser:
    settings = ConfigParser()
    if not settings.read(file):
        raise FileNotFoundError(f"{file}: there is no such file of settings")
    return settings


def read_setting(config: Any, name: str) -> int | None:
    """A number of trafilatura's settings, which are a `ConfigParser`, 0 for `off`; None where it is not set."""
    text = "" if config is None else str(config.get("DEFAULT", name, fallback="")).strip()
    return 0 if text.lower() in ("off", "no", "false") else int(text) if text.isdecimal() and len(text) < 19 else None


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


LOGGER: Final = logging.getLogger(__name__)


class _Refused(WebcleanError):  # noqa: N818  no error: a page that the caller does not want
    """Why a page is discarded."""


def take_parts(filecontent: Any, options: Options) -> PageParts | None:
    """Clean a page; None, with a line in the log, if it has no text or a filter refuses it."""
    try:
        page = take_page(filecontent, options)
        if options.target_language and (page.language or "").partition("-")[0] not in ("", options.target_language):
            raise _Refused(f"the language is {page.language}")
        asked = (options.date_extraction_params or {}).get("extensive_search", True)
        extensive = asked and options.read_size("EXTENSIVE_DATE_SEARCH") != 0
        document = describe_page(page, extensive=extensive) if options.metadata else ExtractedDocument()
        if document.author in (options.author_blacklist or ()):
            document.author = None
        if document.url and document.url in (options.url_blacklist or ()):
            raise _Refused("blacklisted URL")
        if options.only_with_metadata and not (document.date and document.title and document.url):
            raise _Refused("no metadata")
        main, comments = _split(page, options)
        text, least = render_text(main), options.read_size("MIN_EXTRACTED_SIZE") or 0
        if len(text) < least and not (options.favor_precision or options.favor_recall):
            options.favor_recall = True
            more = _split(take_page(filecontent, options), options)
            if len(render_text(more[0])) > len(text):
                main, comments = more
        if options.deduplicate:
            main.children[:] = [part for part in main.find_nodes() if not _is_repeated(part, options)]
            if len(main.children) > 1 and _is_repeated(main, options):
                raise _Refused("the text came before")
        marks = options.marks and options.output_format != "json"
        document.text, document.comments = (write_flow(flow, marks=marks) for flow in (main, comments))
        document.raw_text, document.id = " ".join(render_text(main).split()), options.record_id
        shortest, of_comments = options.read_size("MIN_OUTPUT_SIZE"), options.read_size("MIN_OUTPUT_COMM_SIZE")
        is_short = len(document.raw_text) < (1 if shortest is None else shortest)
        if is_short and (not document.raw_text or len(document.comments) < (1 if of_comments is None else of_comments)):
            raise _Refused(f"a text of {len(document.raw_text)} characters" if document.raw_text else "no text")
        options.max_tree_size = options.max_tree_size or options.read_size("MAX_TREE_SIZE")
        if options.max_tree_size and len(main.children) > options.max_tree_size:
            raise _Refused(f"{len(main.children)} elements in the text")
        document.sign()
        return PageParts(document, main, comments, options.metadata, options.marks)
    except WebcleanError as error:
        LOGGER.warning("discarding data: %s: %s", options.url, error)
        return None


@lru_cache(maxsize=4096)
def _count_calls(digest: bytes) -> count[int]:
    """Counts how often a text came. digest: in place of the text, for thousands of pages would be kept."""
    return count()


reset_caches: Final = _count_calls.cache_clear
"""Forgets the texts that came before, as trafilatura's function of this name."""


def _is_repeated(part: Node, options: Options) -> bool:
    """Whether a text came often before, in calls with `deduplicate`, which may be a cache of trafilatura."""
    text, cache = " ".join(render_text(part).split()), options.deduplicate
    digest = blake2b(text.encode(), digest_size=16).digest()
    n_before = cache.increment(text) if hasattr(cache, "increment") else next(_count_calls(digest))
    least, most = options.read_size("MIN_DUPLCHECK_SIZE"), options.read_size("MAX_REPETITIONS")
    return bool(len(text) > (100 if least is None else least) and n_before > (2 if most is None else most))


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
    most = options.read_size("MAX_FILE_SIZE")
    if most and isinstance(content, str | bytes) and len(content) > most:
        raise _Refused(f"more than {most} bytes")
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
    else:
        filecontent = deepcopy(filecontent)  # the caller goes on with it
    for path in [paths] if isinstance(paths, str) else paths:
        for element in filecontent.xpath(path):
            if isinstance(element, etree._Element) and element.getparent() is not None:
                element.drop_tree()
    return filecontent


def _split(page: CleanPage, options: Options) -> tuple[Node, Node]:
    """The clean elements of the kept text, and of the comments of readers.

    Comments are those of the kept semantic blocks that are comments, also where their text is not part of the main
    text. A page of nothing else is text, unless it is to be without comments: then what stands in an element that is
    named as comments is left out too, but on a board, whose posts are its text.
    """
    columns, kept, inside = page.analysis.columns, page.analysis.decisions.kept, page.segment_of
    is_comment = np.array([block.role is Role.COMMENTS for block in page.blocks], dtype=bool)[inside]
    is_shown = np.array([block.kept for block in page.blocks], dtype=bool)[inside]
    main = kept & ~is_comment
    if page.fields.discussion is not None:
        # the page states that it is a thread: what is named as comments are its posts
        main = main | (_find_comments(page) & columns.blocks.visible)
    elif not options.include_comments:
        main = main & ~_find_comments(page)
    elif not main.any():
        main = kept
    comments = is_comment & is_shown & columns.blocks.visible & ~main & options.include_comments
    shown = {name: getattr(options, f"include_{name}") for name in ("links", "images", "tables")}
    rules, blocks = page.analysis.rules, columns.blocks
    images = rules.fields.images.attributes
    made = TreeOptions(image_attributes=images, tools=rules.tools, table_words=_TABLE_WORDS, **shown)
    # both together within the limits of the page
    with limit_to(Budget(page.limits, truncate=True, n_input=count_input(page.source))):
        text = build_flow(columns.document, blocks, main, made)
        while len(text.children) > 1 and getattr(text.children[-1], "name", "") in HEADINGS:
            text.children.pop()  # nothing is below it
        return text, build_flow(columns.document, blocks, comments, made)


_TABLE_WORDS: Final = 60
"""Small tables are tables whatever is in them; longer cells are those of a layout, unless the table is one of data."""
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")


def _find_comments(page: CleanPage) -> Mask:
    """bool [n_blocks]: inside of an element whose class or id has a word for comments (`regions.kinds.comments`)."""
    document, rules = page.analysis.columns.document, page.analysis.rules.regions
    texts = page.analysis.columns.blocks.row
    roots = np.zeros(len(document), dtype=bool)
    if not len(texts) or page.page_label == rules.threads.type or "comments" not in rules.kinds:
        return np.zeros(len(texts), dtype=bool)
    names, states = set(rules.kinds["comments"].names.split()), set(rules.states.split())
    for name in ("class", "id"):
        for row, value in zip(find_attribute(document, name), list_values(document, name), strict=True):
            words = (set(_NO_WORD.split(token)) for token in value.lower().split())
            # `comments-open` says what the page has, and is of what holds all of it
            holds_all = row <= texts[0] and texts[-1] < document.end[row]
            if not holds_all and any(names & one and not states & one for one in words):
                roots[row] = True
    found: Mask = mark_subtrees(document, roots)[texts]
    return found


@takes("as_dict")
def extract(filecontent: Any, options: Options) -> str | None:
    """The text of a page in the format `txt`, `markdown`, `html`, `json`, `csv`, `xml` or `xmltei`; None without text.

    Raises `AttributeError` for an unknown format and `ValueError` for `python`, which is of `bare_extraction`.
    """
    if options.output_format == "python":
        raise ValueError("'python' format only usable in bare_extraction() function")
    parts = take_parts(filecontent, options)
    return None if parts is None else normalize("NFC", WRITERS[options.output_format](parts))


@takes("record_id", "tei_validation", "settingsfile", output_format="python")
def bare_extraction(filecontent: Any, options: Options) -> ExtractedDocument | dict[str, Any] | None:
    """The text, the comments and, if asked for, the fields of a page; None for a page without text."""
    parts = take_parts(filecontent, options)
    if parts is None:
        return None
    document = parts.document
    document.body, document.commentsbody = (
        build_xml(flow, "body", formatting=options.marks) for flow in (parts.main, parts.comments)
    )
    return document.as_dict() if options.as_dict else document


@takes("as_dict", "no_fallback", "with_metadata", "only_with_metadata", "max_tree_size")
def extract_with_metadata(filecontent: Any, options: Options) -> ExtractedDocument | None:
    """The fields of a page, and as their `text` what `extract` writes; None for a page without text."""
    if options.output_format == "python":
        raise ValueError("'python' format only usable in bare_extraction() function")
    options.with_metadata = True
    parts = take_parts(filecontent, options)
    if parts is None:
        return None
    parts.document.text = WRITERS[options.output_format](parts)
    return parts.document


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: dict[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: set[str] | None = None,
) -> ExtractedDocument:
    """The fields of a page without its text; an empty document for what is no page."""
    try:
        document = describe_page(take_page(filecontent, Options(url=default_url)), extensive=extensive)
    except WebcleanError as error:
        LOGGER.warning("no metadata: %s: %s", default_url, error)
        return ExtractedDocument()
    if document.author in (author_blacklist or ()):
        document.author = None
    return document


def baseline(filecontent: Any) -> tuple[etree._Element, str, int]:
    """The most text that is not surely noise (the profile `recall`), as `body` with its paragraphs, as text, and the
    length of that; empty for what is no page."""
    parts = take_parts(filecontent, Options(favor_recall=True))
    if parts is None:
        return etree.Element("body"), "", 0
    text = parts.document.text or ""
    return build_xml(parts.main, "body", formatting=False), text, len(text)


_BESIDE: Final = (Role.FOOTER, Role.SIDEBAR, Role.ADVERTISEMENT, Role.DIALOG)


def html2txt(content: Any, clean: bool = True) -> str:
    """All that a page shows, in one line; '' for what is no page, also for feeds. clean: without footers, side columns,
    advertisements and dialogs."""
    try:
        page = take_page(content, Options())
        if page.source.kind == "xml":
            raise _Refused("a feed")
    except WebcleanError as error:
        LOGGER.warning("no text: %s", error)
        return ""
    columns, roles = page.analysis.columns.blocks, page.text_block_roles
    shown = zip(columns.text, columns.visible, roles, strict=True)
    texts = (text for text, visible, role in shown if visible and not (clean and role in _BESIDE))
    return " ".join(" ".join(texts).split())


def load_html(htmlobject: Any, max_size: int | None = None) -> lxml_html.HtmlElement | None:
    """The tree of a page, decoded as webclean does; None for what is no page, and for more bytes than max_size. Raises
    `TypeError` for what is neither a tree, a response, bytes nor text."""
    content = getattr(htmlobject, "data", htmlobject)
    if isinstance(content, lxml_html.HtmlElement):
        return content
    if not isinstance(content, bytes | str):
        raise TypeError("incompatible input type", type(htmlobject))
    try:
        limits = Limits() if max_size is None else Limits(max_bytes=max_size)
        source = read_source(content, start_budget(limits, "raise"))
    except WebcleanError as error:
        LOGGER.warning("no page: %s", error)
        return None
    if source.kind != "html":
        return None
    # bytes, because lxml refuses text that declares its encoding
    parser = lxml_html.HTMLParser(encoding="utf-8")
    return lxml_html.document_fromstring(source.markup.encode("utf-8", "replace"), parser=parser)


@dataclass(frozen=True, slots=True)
class Response:
    """A page as served. url: after redirects. html: decoded, where that was asked for. headers: None, they are not
    kept."""

    data: bytes
    status: int
    url: str
    html: str | None = None
    headers: dict[str, str] | None = None


def fetch_response(
    url: str, *, decode: bool = False, no_ssl: bool = False, with_headers: bool = False, config: Any = None
) -> Response | None:
    """Fetch a page, from public addresses alone; None, with a line in the log, where that fails."""
    try:
        given = {"max_seconds": "DOWNLOAD_TIMEOUT", "max_bytes": "MAX_FILE_SIZE", "max_redirects": "MAX_REDIRECTS"}
        read: dict[str, Any] = {limit: read_setting(config, name) for limit, name in given.items()}
        got = fetch_bytes(url, FetchLimits(**{limit: size for limit, size in read.items() if size is not None}))
        html = read_source(got.body, start_budget(Limits(), "raise"), got.charset).markup if decode else None
        return Response(got.body, got.status, got.url, html)
    except WebcleanError as error:
        LOGGER.error("download error: %s", error)
        return None


def fetch_url(url: str, no_ssl: bool = False, config: Any = None, options: Any = None) -> str | None:
    """The markup of a page of the web, decoded; None, with a line in the log, where it cannot be fetched."""
    response = fetch_response(url, decode=True, config=getattr(options, "config", config))
    return response.html if response else None
