"""A server of the Model Context Protocol (https://modelcontextprotocol.io): pages and their blocks as tools of a model.

Needs the extra `mcp`. `webclean mcp` runs it over standard input and output.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from webclean import __version__
from webclean.errors import InputError, WebcleanError
from webclean.model import Block, Section
from webclean.outputs.dictionary import describe_reasons, find_heading_path, to_plain_values
from webclean.page import CleanPage
from webclean.parse.controls import drop_controls
from webclean.parse.inputs import NO_NAME
from webclean.parse.url import is_of_web
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits
from webclean.web.frontier import list_candidates, rank_links
from webclean.web.rendering import load_page

_INSTRUCTIONS: Final = """Reads web pages without menus, advertisements and other noise, as blocks with roles.
`page` is a URL (http, https), the path of a file below the folder of the server, or HTML markup.
Cite a block by its `link`, which opens the page at the block."""
Limit = Annotated[int, Field(ge=1, description="Rows at most; next_offset says where they go on.")]
Offset = Annotated[int, Field(ge=0)]
_Row = TypeVar("_Row")
_N_CACHED: Final = 16
"""Pages that are kept, so that a block can be explained without fetching its page again."""


@dataclass(frozen=True, slots=True)
class PageTools:
    """The tools, which a model knows by their names and docstrings. root: the folder whose files may be read, None for
    no files."""

    cleaner: Cleaner = field(default_factory=Cleaner)
    limits: FetchLimits = field(default_factory=FetchLimits)
    root: Path | None = None
    cache: OrderedDict[str, CleanPage] = field(default_factory=OrderedDict)

    def read(self, page: str) -> CleanPage:
        """A page by its URL, path or markup. Raises `ToolError`, whose message a model can act on."""
        if page not in self.cache:
            try:
                self.cache[page] = self._clean(page)
            except (WebcleanError, OSError, ValueError) as error:
                # the system speaks of NULs and of encodings, where a model has to hear of the name that it gave
                said = error if isinstance(error, WebcleanError | OSError) else f"{page[:200]}: {NO_NAME}"
                raise ToolError(drop_controls(ascii(str(said))[1:-1])) from error
        self.cache.move_to_end(page)
        while len(self.cache) > _N_CACHED:
            self.cache.popitem(last=False)
        return self.cache[page]

    def _clean(self, page: str) -> CleanPage:
        if is_of_web(page):
            return load_page(page, cleaner=self.cleaner, limits=self.limits)
        if "<" in page:
            return self.cleaner.clean(page)
        path = (self.root or Path()).joinpath(page).resolve()
        if self.root is None or not path.is_relative_to(self.root.resolve()):
            raise InputError(f"{page}: no file that may be read; give a URL or HTML markup")
        return load_page(path, cleaner=self.cleaner, limits=self.limits)

    def read_page(
        self,
        page: str,
        format: Literal["markdown", "text"] = "markdown",  # noqa: A002
        max_chars: Annotated[int, Field(ge=1)] = 40_000,
        offset: Annotated[int, Field(ge=0)] = 0,
    ) -> dict[str, Any]:
        """The main content of a page as Markdown or plain text, with title, date, author, type, confidence (estimated
        F1, 0 to 1) and warnings. Where the content is empty or next to it, `empty_because` says why: do not take it for
        all that the page says. Of a long text max_chars characters from the offset on; `next_offset` is where it goes
        on, null at its end."""
        found = self.read(page)
        content = found.text if format == "text" else found.to_markdown()
        end = offset + max_chars
        is_last = end >= len(content)
        if not is_last:  # a part ends with a line, where one does in its second half
            end = content.rfind("\n", offset + max_chars // 2, end) + 1 or end
        names = ("url", "title", "date", "author", "language", "page_type", "page_label", "empty_because")
        return {
            **{name: to_plain_values(getattr(found, name)) for name in names},
            "confidence": round(found.confidence, 3),
            "warnings": list(found.warnings),
            "content": content[offset:end],
            "n_chars": len(content),
            "next_offset": None if is_last else end,
        }

    def page_blocks(
        self, page: str, kept_only: bool = False, max_chars: int = 500, limit: Limit = 100, offset: Offset = 0
    ) -> dict[str, Any]:
        """The blocks of a page in reading order: id, role (content, navigation, comments, ...), whether it belongs to
        the main content, headings, text (its first max_chars characters), a link that opens the page at the block."""
        found = self.read(page)
        shown = [block for block in found.blocks if block.text and (block.kept or not kept_only)]
        rows, more = _cut(shown, offset, limit)
        return {"blocks": [_describe_block(found, block, max_chars) for block in rows], **more}

    def page_records(self, page: str, limit: Limit = 100, offset: Offset = 0) -> dict[str, Any]:
        """The entries of the lists of a page (teasers, products, posts, search results): block, title, URL, summary,
        and what each shows of date, author, price and counts."""
        rows, more = _cut(self.read(page).record_rows(), offset, limit)
        return {"records": [{key: value for key, value in row.items() if value} for row in rows], **more}

    def page_sections(self, page: str) -> dict[str, Any]:
        """The outline of a page: its sections as a reader would name them, each with title, role, importance (0 to 1),
        ids of its blocks and the sections inside it. `page_blocks` and `explain_block` give their texts."""
        return {"sections": [_describe_section(section) for section in self.read(page).sections]}

    def page_links(self, page: str, topic: str = "", limit: int = 30) -> dict[str, Any]:
        """The links of a page to other pages: with a topic those that promise most on it first, with a score from 0
        to 1; else in reading order."""
        found = self.read(page)
        try:
            links: Sequence[Any] = rank_links(found, topic) if topic else list_candidates(found.blocks)
        except InputError as error:
            raise ToolError(str(error)) from error
        return {
            "links": [
                {"url": one.url, "text": one.text, "block": f"b{one.block}", **({"score": one.score} if topic else {})}
                for one in links[:limit]
            ]
        }

    def explain_block(self, page: str, block: str) -> dict[str, Any]:
        """Why a block (by its id of page_blocks) has its role and was kept or dropped: the reasons, with its whole
        text, XPaths and links."""
        found = self.read(page)
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


def build_server(tools: PageTools | None = None) -> Any:
    """The server; `.run()` serves standard input and output until it is closed."""
    tools = tools or PageTools()
    server: Any = MCPServer("webclean", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING")
    for name in ("read_page", "page_sections", "page_blocks", "page_records", "page_links", "explain_block"):
        server.add_tool(getattr(tools, name))
    return server


def _cut(rows: Sequence[_Row], offset: int, limit: int) -> tuple[Sequence[_Row], dict[str, Any]]:
    """Rows from an offset on, and their total, with where they go on."""
    end = offset + limit
    return rows[offset:end], {"n": len(rows), "next_offset": end if end < len(rows) else None}


def _describe_section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "role": str(section.role),
        "importance": round(section.importance, 3),
        "blocks": [block.id for block in section.blocks],
        "sections": [_describe_section(inside) for inside in section.sections],
    }


def _describe_block(page: CleanPage, block: Block, max_chars: int) -> dict[str, Any]:
    return {
        "id": block.id,
        "role": str(block.role),
        "kept": block.kept,
        "headings": find_heading_path(dict(enumerate(page.blocks)), block, page.section_titles),
        "text": block.text[:max_chars] + ("..." if len(block.text) > max_chars else ""),
        "link": f"{(page.url or '').partition('#')[0]}{block.fragment}",
    }
