"""A server of the Model Context Protocol (https://modelcontextprotocol.io): pages and their blocks as tools of a model.

Needs the extra `mcp`. `webclean mcp` runs it over standard input and output.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from pydantic import Field

from webclean import __version__
from webclean.errors import InputError, WebcleanError
from webclean.model import Block, Section
from webclean.outputs.dictionary import describe_reasons, find_heading_path, to_plain_values
from webclean.page import CleanPage
from webclean.parse import find_canonical_link
from webclean.parse.controls import drop_controls
from webclean.parse.inputs import NO_NAME
from webclean.parse.url import is_of_web
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits
from webclean.web.frontier import list_candidates, rank_links
from webclean.web.rendering import fetch_page

_INSTRUCTIONS: Final = """Reads web pages without menus, advertisements and other noise, as blocks with roles.
`page` is a URL (http, https), the path of a file below the folder of the server, or HTML markup.
Cite a block by its `link`, which opens the page at the block."""
Limit = Annotated[int, Field(ge=1, le=1_000, description="Rows at most; next_offset says where they go on.")]
Offset = Annotated[int, Field(ge=0, lt=1 << 31)]
Chars = Annotated[int, Field(ge=1, le=100_000, description="Characters at most.")]
_MOST_CHARS: Final = 100_000
"""Characters of the rows of an answer; `next_offset` says where they go on."""
_MOST_OF_TEXT: Final = 2_000
"""Characters of an address, a title or another text beside the one that was asked for."""
_MOST_OF_LIST: Final = 100
"""Texts of a list in a row."""
_Row = TypeVar("_Row")
_N_CACHED: Final = 16
"""Pages that are kept, so that a block can be explained without fetching its page again."""


class PageTools:
    """The tools, which a model knows by their names and docstrings. root: the folder whose files may be read, None for
    no files."""

    def __init__(
        self, cleaner: Cleaner | None = None, limits: FetchLimits | None = None, root: Path | None = None
    ) -> None:
        self.cleaner, self.limits, self.root = cleaner or Cleaner(), limits or FetchLimits(), root
        self._clean_once = lru_cache(_N_CACHED)(self._clean)
        # a long page is asked for in many parts
        self._write_once = lru_cache(_N_CACHED)(lambda page: page.to_markdown())

    def read(self, page: str) -> CleanPage:
        """A page by its URL, path or markup. Raises `ToolError`, whose message a model can act on."""
        try:
            return self._clean_once(page)
        except (WebcleanError, OSError, ValueError) as error:
            # the system speaks of NULs and of encodings, and of places that are the server's own
            said = str(error) if isinstance(error, WebcleanError) else f"{page[:200]}: {NO_NAME}"
            if isinstance(error, OSError):
                said = f"{page[:200]}: {error.strerror or 'cannot be read'}"
            raise ToolError(drop_controls(ascii(said)[1:-1])[:_MOST_OF_TEXT]) from error

    def _clean(self, page: str) -> CleanPage:
        if is_of_web(page):
            return fetch_page(page, cleaner=self.cleaner, limits=self.limits)
        if "<" in page:
            return self.cleaner.clean(page)
        path = (self.root or Path()).joinpath(page).resolve()
        if self.root is None or not path.is_relative_to(self.root.resolve()):
            raise InputError(f"{page}: no file that may be read; give a URL or HTML markup")
        if not path.is_file():  # reading a pipe would wait for who writes into it
            raise InputError(f"{page}: No such file")
        with path.open("rb") as file:
            url = find_canonical_link(file.read(self.cleaner.limits.max_bytes))
        return self.cleaner.clean(path, url=url)

    def read_page(
        self,
        page: str,
        format: Literal["markdown", "text"] = "markdown",  # noqa: A002
        max_chars: Chars = 40_000,
        offset: Offset = 0,
    ) -> dict[str, Any]:
        """The main content of a page as Markdown or plain text, with title, date, author, type, confidence (estimated
        F1, 0 to 1) and warnings. Where the content is empty or next to it, `empty_because` says why: do not take it for
        all that the page says. Of a long text max_chars characters from the offset on; `next_offset` is where it goes
        on, null at its end."""
        found = self.read(page)
        content = found.text if format == "text" else self._write_once(found)
        end = offset + max_chars
        is_last = end >= len(content)
        if not is_last:  # a part ends with a line, where one does in its second half
            end = content.rfind("\n", offset + max_chars // 2, end) + 1 or end
        names = ("url", "title", "date", "author", "language", "page_type", "page_label", "empty_because")
        return {
            **_bound({name: to_plain_values(getattr(found, name)) for name in names}),
            "confidence": round(found.confidence, 3),
            "warnings": _bound(list(found.warnings)),
            "content": content[offset:end],
            "n_chars": len(content),
            "next_offset": None if is_last else end,
        }

    def page_blocks(
        self,
        page: str,
        kept_only: bool = False,
        max_chars: Annotated[int, Field(ge=0, le=_MOST_CHARS)] = 500,
        limit: Limit = 100,
        offset: Offset = 0,
    ) -> dict[str, Any]:
        """The blocks of a page in reading order: id, role (content, navigation, comments, ...), whether it belongs to
        the main content, headings, text (its first max_chars characters), a link that opens the page at the block."""
        found = self.read(page)
        blocks = dict(enumerate(found.blocks))
        shown = [block for block in found.blocks if block.text and (block.kept or not kept_only)]
        return _cut("blocks", shown, offset, limit, lambda block: _describe_block(found, blocks, block, max_chars))

    def page_records(self, page: str, limit: Limit = 100, offset: Offset = 0) -> dict[str, Any]:
        """The entries of the lists of a page (teasers, products, posts, search results): block, title, URL, summary,
        and what each shows of date, author, price and counts."""
        rows = self.read(page).record_rows()
        return _cut("records", rows, offset, limit, lambda row: {key: value for key, value in row.items() if value})

    def page_sections(self, page: str, limit: Limit = 100, offset: Offset = 0) -> dict[str, Any]:
        """The outline of a page: its sections as a reader would name them, each with title, role, importance (0 to 1),
        ids of its blocks and the sections inside it. `page_blocks` and `explain_block` give their texts. The rows are
        the outermost sections; of one with many parts inside the first are shown."""
        return _cut("sections", self.read(page).sections, offset, limit, _describe_section)

    def page_links(self, page: str, topic: str = "", limit: Limit = 30, offset: Offset = 0) -> dict[str, Any]:
        """The links of a page to other pages: with a topic those that promise most on it first, with a score from 0
        to 1; else in reading order."""
        found = self.read(page)
        try:
            links: Sequence[Any] = rank_links(found, topic[:_MOST_CHARS]) if topic else list_candidates(found.blocks)
        except InputError as error:
            raise ToolError(str(error)) from error

        def describe(one: Any) -> dict[str, Any]:
            score = {"score": one.score} if topic else {}
            return {"url": one.url, "text": one.text, "block": f"b{one.block}", **score}

        return _cut("links", links, offset, limit, describe)

    def explain_block(self, page: str, block: str, max_chars: Chars = 10_000, offset: Offset = 0) -> dict[str, Any]:
        """Why a block (by its id of page_blocks) has its role and was kept or dropped: the reasons, with its text
        (max_chars characters from the offset on; `next_offset` says where it goes on), XPaths and links."""
        found = self.read(page)
        known = {one.id: one for one in found.blocks}
        if block not in known:
            first = ", ".join(list(known)[:_N_NAMED])
            raise ToolError(f"no block {block[:50]!r}; the page has {len(known)}: {first}, ...")
        one, end = known[block], offset + max_chars
        return {
            **_bound(_describe_block(found, dict(enumerate(found.blocks)), one, 0)),
            "text": one.text[offset:end],
            "next_offset": end if end < len(one.text) else None,
            "xpaths": _bound(list(one.xpaths)),
            "links": _bound([{"url": link.url, "text": link.text} for link in one.links[:_MOST_OF_LIST]]),
            "n_links": len(one.links),
            "reasons": _bound(describe_reasons(one.reasons)),
        }


_N_NAMED: Final = 10


def build_server(tools: PageTools) -> Any:
    """The server; `.run()` serves standard input and output until it is closed."""
    names = ("read_page", "page_sections", "page_blocks", "page_records", "page_links", "explain_block")
    made = [Tool.from_function(getattr(tools, name)) for name in names]
    for tool in made:  # a model that errs in a name is told, as one that errs in a value
        arguments: Any = tool.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        tool.parameters = arguments.model_json_schema(by_alias=True)
    return MCPServer("webclean", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING", tools=made)


def _cut(
    name: str, rows: Sequence[_Row], offset: int, limit: int, describe: Callable[[_Row], dict[str, Any]]
) -> dict[str, Any]:
    """Rows from an offset on, as many as an answer may hold, their total, and where they go on."""
    shown: list[dict[str, Any]] = []
    n_chars = 0
    for row in rows[offset : offset + limit]:
        shown.append(_bound(describe(row)))
        n_chars += len(json.dumps(shown[-1], ensure_ascii=False))
        if n_chars > _MOST_CHARS:
            break
    if n_chars > _MOST_CHARS and len(shown) > 1:
        shown.pop()
    end = offset + len(shown)
    return {name: shown, "n": len(rows), "next_offset": end if end < len(rows) else None}


def _bound(value: Any, depth: int = 0) -> Any:
    """A row with its texts and lists cut; but for the text of a block, which is as long as it was asked for."""
    if isinstance(value, str):
        most = _MOST_OF_TEXT if depth < 2 else _MOST_OF_TEXT // 10
        return value if len(value) <= most else f"{value[:most]}..."
    if isinstance(value, dict):
        return {key: one if key == "text" and not depth else _bound(one, depth + 1) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_bound(one, depth + 1) for one in value[: _MOST_OF_LIST if depth < 2 else _MOST_OF_LIST // 5]]
    return value


def _describe_section(section: Section, depth: int = 2) -> dict[str, Any]:
    return {
        "title": section.title,
        "role": str(section.role),
        "importance": round(section.importance, 3),
        "blocks": [block.id for block in section.blocks],
        "sections": [_describe_section(one, depth - 1) for one in section.sections] if depth else [],
    }


def _describe_block(page: CleanPage, blocks: dict[int, Block], block: Block, max_chars: int) -> dict[str, Any]:
    return {
        "id": block.id,
        "role": str(block.role),
        "kept": block.kept,
        "headings": find_heading_path(blocks, block, page.section_titles),
        "text": block.text[:max_chars] + ("..." if len(block.text) > max_chars else ""),
        "link": f"{(page.url or '').partition('#')[0]}{block.fragment}",
    }
