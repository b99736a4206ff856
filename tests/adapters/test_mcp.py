"""The MCP server, asked by the client of the official SDK over standard input and output."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import webclean
from tests.adapters import need
from tests.web_sites import run_folder

mcp = need("mcp", "mcp")

ROOT = Path(__file__).resolve().parents[2]
PAGE = "content/news-en-harbour/input.html"
Ask = Callable[..., Coroutine[Any, Any, Any]]


def talk(conversation: Callable[[Any], Coroutine[Any, Any, Any]], *options: str) -> Any:
    """Run a conversation with a server of its own."""
    command = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "webclean", "mcp", "--root", str(ROOT / "fixtures"), *options],
        env={"PYTHONPATH": str(ROOT)},
    )

    async def run() -> Any:
        async with mcp.Client(command, read_timeout_seconds=60) as client:
            return await conversation(client)

    return asyncio.run(run())


async def ask(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def ask_wrongly(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


async def look_at_a_page(client: Any) -> None:
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [
        "read_page",
        "page_sections",
        "page_blocks",
        "page_records",
        "page_links",
        "explain_block",
    ]
    assert all(tool.description and tool.input_schema["required"][0] == "page" for tool in tools)

    read = await ask(client, "read_page", page=PAGE)
    assert read["title"] == "Harbour wall repairs pushed back to spring after second survey"
    assert (read["date"][:10], read["author"], read["page_type"]) == ("2023-11-14", "Imogen Tarrant", "content")
    assert "\n## What the radar found\n" in read["content"]
    assert "Skip to main content" not in read["content"]
    plain = await ask(client, "read_page", page=PAGE, format="text")
    assert "## " not in plain["content"]

    blocks = (await ask(client, "page_blocks", page=PAGE))["blocks"]
    kept = (await ask(client, "page_blocks", page=PAGE, kept_only=True, max_chars=20))["blocks"]
    assert [block["id"] for block in kept] == [block["id"] for block in blocks if block["kept"]]
    assert len(kept) < len(blocks)
    assert all(len(block["text"]) <= 23 for block in kept)
    assert {"navigation", "content", "footer"} <= {block["role"] for block in blocks}
    body = next(block for block in blocks if block["text"].startswith("The £4.2m repair"))
    # a file has the address that it gives itself
    assert body["link"].startswith("https://www.saltmarshherald.example/local/")
    assert "#:~:text=The%20%C2%A34.2m%20repair" in body["link"]

    await read_in_parts(client, read["content"], blocks)
    found = await ask(client, "explain_block", page=PAGE, block=body["id"])
    assert found["role"] == "content"
    assert len(found["text"]) > len(body["text"])
    assert [reason["stage"] for reason in found["reasons"]][-1] == "cut"
    assert "no block 'b999'; the page has " in await ask_wrongly(client, "explain_block", page=PAGE, block="b999")


async def read_in_parts(client: Any, content: str, blocks: list[dict[str, Any]]) -> None:
    parts, offset = [], 0
    while offset is not None:
        read = await ask(client, "read_page", page=PAGE, max_chars=700, offset=offset)
        parts.append(read["content"])
        offset = read["next_offset"]
    assert "".join(parts) == content
    assert max(map(len, parts)) <= 700
    assert len(parts) > 3
    assert all(part.endswith("\n") for part in parts[:-1])
    assert read["n_chars"] == len(content)
    some = await ask(client, "page_blocks", page=PAGE, limit=2, offset=1)
    assert some == {"blocks": blocks[1:3], "n": len(blocks), "next_offset": 3}
    assert (await ask(client, "read_page", page=PAGE, offset=10**6))["content"] == ""
    await ask_wrongly(client, "read_page", page=PAGE, max_chars=0)


async def read_lists_and_outline(client: Any) -> None:
    shop = "index/shop-category-lamps/input.html"
    records = await ask(client, "page_records", page=shop, limit=3)
    assert (len(records["records"]), records["next_offset"]) == (3, 3)
    assert all(record["title"] and record["block"] for record in records["records"])
    assert any("price" in record for record in records["records"])
    sections = (await ask(client, "page_sections", page=PAGE))["sections"]
    ids = {block["id"] for block in (await ask(client, "page_blocks", page=PAGE))["blocks"]}

    def walk(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [one for node in nodes for one in (node, *walk(node["sections"]))]

    assert any(section["title"] for section in walk(sections))
    assert ids & {block for section in walk(sections) for block in section["blocks"]}


async def rank_links(client: Any) -> None:
    in_order = (await ask(client, "page_links", page=PAGE, limit=5))["links"]
    assert len(in_order) == 5
    assert "score" not in in_order[0]
    ranked = (await ask(client, "page_links", page=PAGE, topic="coastal erosion", limit=3))["links"]
    assert "erosion" in ranked[0]["text"].lower()
    assert ranked[0]["score"] == 1.0
    assert "at least one word" in await ask_wrongly(client, "page_links", page=PAGE, topic="!")


async def be_refused(client: Any) -> None:
    for tool, wrong in (
        ("page_links", {"limit": -1}), ("page_links", {"limit": 10**9}), ("page_blocks", {"max_chars": -1}),
        ("page_sections", {"offset": -1}), ("read_page", {"colour": "red"}), ("explain_block", {"block": "b0", "x": 1}),
    ):  # fmt: skip
        assert "validation error" in await ask_wrongly(client, tool, page=PAGE, **wrong)
    outside = await ask_wrongly(client, "read_page", page="../pyproject.toml")
    assert "no file that may be read" in outside
    assert "not a public address" in await ask_wrongly(client, "read_page", page="http://127.0.0.1:1/")
    told = await ask_wrongly(client, "read_page", page="nothing.html")
    assert told == "Error executing tool read_page: nothing.html: No such file"
    assert "No such file" in await ask_wrongly(client, "read_page", page="nothing.html")
    assert "a NUL or half a surrogate pair is in no name" in await ask_wrongly(client, "read_page", page="a\0.html")
    markup = await ask(
        client, "read_page", page="<title>Tides</title><p>The tide rises twice a day in the bay of the town."
    )
    assert markup["content"] == "# Tides\n\nThe tide rises twice a day in the bay of the town."


def test_a_model_reads_a_page_its_blocks_links_and_reasons() -> None:
    async def conversation(client: Any) -> None:
        await look_at_a_page(client)
        await rank_links(client)
        await read_lists_and_outline(client)
        await be_refused(client)

    talk(conversation)


def test_pages_are_fetched_where_private_addresses_are_allowed() -> None:
    with run_folder(ROOT / "fixtures") as base:
        url = f"{base}/{PAGE}"

        async def conversation(client: Any) -> None:
            blocks = (await ask(client, "page_blocks", page=url, kept_only=True))["blocks"]
            assert blocks[0]["link"].startswith(f"{url}#:~:text=Harbour%20wall%20repairs")

        talk(conversation, "--allow-private")


def test_every_answer_is_bounded_and_says_where_it_goes_on() -> None:
    from webclean.server.mcp_server import PageTools

    tools = PageTools()
    links = "".join(f"<li><a href='/{n}{'x' * 3_000}'>Link {n} of the town{' more' * 900}</a></li>" for n in range(60))
    text = "The tide rises twice a day in the bay. "
    heads = "".join(f"<h2>Part {n} of the town</h2><p>{text * 5}</p>" for n in range(900))
    page = f"<title>{'t' * 9_000}</title><main><h1>Town</h1><p>{text * 8_000}</p>{heads}</main><ul>{links}</ul>"
    long = max(tools.read(page).blocks, key=lambda block: len(block.text)).id
    calls: list[tuple[str, Callable[..., dict[str, Any]], dict[str, Any]]] = [
        ("blocks", tools.page_blocks, {"max_chars": 100_000, "limit": 1_000}),
        ("links", tools.page_links, {"limit": 1_000}),
        ("sections", tools.page_sections, {"limit": 1_000}),
        ("records", tools.page_records, {"limit": 1_000}),
        ("content", tools.read_page, {"max_chars": 100_000}),
        ("text", tools.explain_block, {"block": long, "max_chars": 50_000}),
    ]
    for name, call, options in calls:
        parts, offset = [], 0
        while offset is not None:
            answer = call(page, offset=offset, **options)
            assert len(json.dumps(answer)) < 250_000, name
            parts.append(answer[name])
            offset = answer["next_offset"]
        assert len(parts) < 50
        assert name == "text" or sum(map(len, parts)) == answer.get("n", answer.get("n_chars"))


def test_a_long_page_is_rendered_once_for_all_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from webclean.page import CleanPage
    from webclean.server.mcp_server import PageTools

    n_times, render = [], CleanPage.to_markdown
    monkeypatch.setattr(CleanPage, "to_markdown", lambda page: n_times.append(1) or render(page))
    tools = PageTools()
    for offset in range(0, 2_000, 100):
        tools.read_page("<p>" + "The tide rises twice a day in the bay. " * 50, max_chars=100, offset=offset)
    assert len(n_times) == 1


def test_a_pipe_below_the_folder_is_no_file(tmp_path: Path) -> None:
    from mcp.server.mcpserver.exceptions import ToolError

    from webclean.server.mcp_server import PageTools

    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder", ".", "missing"):
        with pytest.raises(ToolError) as told:
            PageTools(root=tmp_path).read(name)
        assert str(tmp_path) not in str(told.value)


def test_blocks_without_text_are_not_told() -> None:
    from webclean.server.mcp_server import PageTools

    name = "content/broken-omitted-tags/input.html"
    page = webclean.clean(ROOT / "fixtures" / name)
    assert any(not block.text for block in page.blocks)
    tools = PageTools(root=ROOT / "fixtures")
    for kept_only in (False, True):
        told = [block["id"] for block in tools.page_blocks(name, kept_only=kept_only)["blocks"]]
        assert told == [block.id for block in page.blocks if block.text and (block.kept or not kept_only)]


def test_files_need_a_folder(tmp_path: Path) -> None:
    from mcp.server.mcpserver.exceptions import ToolError

    from webclean.server.mcp_server import PageTools

    with pytest.raises(ToolError, match="no file that may be read"):
        PageTools().read(str(ROOT / "fixtures" / PAGE))


@pytest.mark.parametrize("page", ["a\0b", "\ud800", "x" * 5_000, "../../etc/passwd", "\x1b]0;x\x07"])
def test_names_that_are_none_are_told_as_errors_of_a_tool(page: str, tmp_path: Path) -> None:
    from mcp.server.mcpserver.exceptions import ToolError

    from webclean.server.mcp_server import PageTools

    with pytest.raises(ToolError) as told:
        PageTools(root=tmp_path).read(page)
    assert str(told.value).isprintable()


def test_the_last_pages_are_kept() -> None:
    from webclean.server.mcp_server import PageTools

    reader = PageTools()
    first = reader.read("<p>First page of the town")
    for n in range(15):
        reader.read(f"<p>Page {n} of the town")
    assert reader.read("<p>First page of the town") is first
    reader.read("<p>One more page of the town")
    assert reader.read("<p>First page of the town") is first
