"""trafilatura's `extract` and `bare_extraction`, with its arguments, by webclean.

As with trafilatura, a page without text, or one that a filter refuses, gives None and a line in the log. Accepted
without effect: fast, no_fallback, tei_validation (the output is valid by the way it is made), deduplicate,
date_extraction_params, settingsfile, config.
"""

from __future__ import annotations

from typing import Any

from webclean.compat.document import ExtractedDocument
from webclean.compat.formats import WRITERS
from webclean.compat.options import Options
from webclean.compat.parts import take_parts
from webclean.outputs.xml import build_xml


def extract(  # noqa: PLR0913, PLR0917  the arguments of trafilatura.extract
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: Any = None,
    options: Any = None,
) -> str | None:
    """The text of a page in the format `txt`, `markdown`, `html`, `json`, `csv`, `xml` or `xmltei`; None without text.

    Raises `AttributeError` for an unknown format and `ValueError` for `python`, which is of `bare_extraction`.
    """
    chosen = Options.read(locals())
    if chosen.format == "python":
        raise ValueError("'python' format only usable in bare_extraction() function")
    parts = take_parts(filecontent, chosen)
    return None if parts is None else WRITERS[chosen.format](parts)


def bare_extraction(  # noqa: PLR0913, PLR0917  the arguments of trafilatura.bare_extraction
    filecontent: Any,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    as_dict: bool = False,
    prune_xpath: str | list[str] | None = None,
    config: Any = None,
    options: Any = None,
) -> ExtractedDocument | dict[str, Any] | None:
    """The text, the comments and, if asked for, the fields of a page; None for a page without text."""
    parts = take_parts(filecontent, Options.read(locals()))
    if parts is None:
        return None
    document = parts.document
    document.body, document.commentsbody = (
        build_xml(flow, "body", formatting=parts.options.marks) for flow in (parts.main, parts.comments)
    )
    return document.as_dict() if as_dict else document
