"""A server of the Model Context Protocol (https://modelcontextprotocol.io): pages and their blocks as tools of a model.

Needs the extra `mcp`. `webclean mcp` runs it over standard input and output.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from webclean.errors import InputError, WebcleanError
from webclean.model import Block
from webclean.outputs.dictionary import describe_reasons, find_heading_path
from webclean.page import CleanPage
from webclean.parse.controls import drop_controls
from webclean.pipeline import Cleaner
from webclean.version import __version__
from webclean.web.fetch import FetchLimits
from webclean.web.frontier import list_candidates, rank_links
from webclean.web.rendering import fetch_page

_INSTRUCTIONS: Final = """Reads web pages without menus, advertisements and other noise, as blocks with roles.
`page` is a URL (http, https), the path of a file below the folder of the server, or HTML markup.
Cite a block by its `link`, which opens the page at the block."""
_N_CACHED: Final = 16
"""Pages that are kept, so that a block can be explained without fetching its page again."""


@dataclass(frozen=True, slots=True)
class PageReader:
    """Finds pages. root: the folder whose files may be read, None for no files."""

    cleaner: Cleaner = field(default_factory=Cleaner)
    limits: FetchLimits = field(default_factory=FetchLimits)
    root: Path | None = None
    cache: OrderedDict[str, CleanPage] = field(default_factory=OrderedDict)

    def read(self, page: str) -> CleanPage:
        """A page by its URL, path or markup. Raises `ToolError`, whose message a model can act on."""
        if page not in self.cache:
            try:
                self.cache[page] = self._clean(page)
            # names of files with a NUL or half a surrogate pair are no names: `ValueError`
            except (WebcleanError, OSError, ValueError) as error:
                raise ToolError(drop_controls(ascii(str(error))[1:-1])) from error
        self.cache.move_to_end(page)
        while len(self.cache) > _N_CACHED:
            self.cache.popitem(last=False)
        return self.cache[page]

    def _clean(self, page: str) -> CleanPage:
        if page.lower().startswith(("http://", "https://")):
            return fetch_page(page, cleaner=self.cleaner, limits=self.limits)
        if "<" in page:
            return self.cleaner.clean(page)
        path = (self.root or Path()).joinpath(page).resolve()
        if self.root is None or not path.is_relative_to(self.root.resolve()):
            raise InputError(f"{page}: no file that may be read; give a URL or HTML markup")
        return self.cleaner.clean(path)


@dataclass(frozen=True, slots=True)
class PageTools:
    """The tools, which a model knows by their names and docstrings."""

    pages: PageReader

    def read_page(self, page: str, format: Literal["markdown", "text"] = "markdown") -> dict[str, Any]:  # noqa: A002
        """The main content of a page as Markdown or plain text, with title, date, author, type, confidence (estimated
        F1, 0 to 1) and warnings. Where the content is empty or next to it, `empty_because` says why: do not take it for
        all that the page says."""
        found = self.pages.read(page)
        return {
            "url": found.url,
            "title": found.title,
            "date": found.date,
            "author": found.author,
            "language": found.language,
            "page_type": str(found.page_type),
            "page_label": found.page_label,
            "confidence": round(found.confidence, 3),
            "empty_because": found.empty_because,
            "warnings": list(found.warnings),
            "content": found.text if format == "text" else found.to_markdown(),
        }

    def page_blocks(self, page: str, kept_only: bool = False, max_chars: int = 500) -> dict[str, Any]:
        """The blocks of a page in reading order: id, role (content, navigation, comments, ...), whether it belongs to
        the main content, headings, text (its first max_chars characters), a link that opens the page at the block."""
        found = self.pages.read(page)
        shown = [block for block in found.blocks if block.text and (block.kept or not kept_only)]
        return {"blocks": [_describe_block(found, block, max_chars) for block in shown]}

    def page_links(self, page: str, topic: str = "", limit: int = 30) -> dict[str, Any]:
        """The links of a page to other pages: with a topic those that promise most on it first, with a score from 0
        to 1; else in reading order."""
        found = self.pages.read(page)
        if not topic:
            links = list_candidates(found.blocks)[:limit]
            return {"links": [{"url": one.url, "text": one.text, "block": f"b{one.block}"} for one in links]}
        try:
            ranked = rank_links(found, topic)[:limit]
        except InputError as error:
            raise ToolError(str(error)) from error
        rows = ({"url": one.url, "text": one.text, "block": f"b{one.block}", "score": one.score} for one in ranked)
        return {"links": list(rows)}

    def explain_block(self, page: str, block: str) -> dict[str, Any]:
        """Why a block (by its id of page_blocks) has its role and was kept or dropped: the reasons, with its whole
        text, XPaths and links."""
        found = self.pages.read(page)
        known = {one.id: one for one in found.blocks}
        if block not in known:
            raise ToolError(f"no block {block!r}; the page has {', '.join(known) or 'none'}")
        one = known[block]
        return {
            **_describe_block(found, one, len(one.text)),
            "xpaths": list(one.xpaths),
            "links": [{"url": link.url, "text": link.text} for link in one.links],
            "reasons": describe_reasons(one.reasons),
        }


def build_server(reader: PageReader | None = None) -> Any:
    """The server; `.run()` serves standard input and output until it is closed."""
    tools = PageTools(reader or PageReader())
    server: Any = MCPServer("webclean", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING")
    for tool in (tools.read_page, tools.page_blocks, tools.page_links, tools.explain_block):
        server.add_tool(tool)
    return server


def _describe_block(page: CleanPage, block: Block, max_chars: int) -> dict[str, Any]:
    return {
        "id": block.id,
        "role": str(block.role),
        "kept": block.kept,
        "headings": find_heading_path(dict(enumerate(page.blocks)), block, page.section_titles),
        "text": block.text[:max_chars] + ("..." if len(block.text) > max_chars else ""),
        "link": f"{(page.url or '').partition('#')[0]}{block.fragment}",
    }
