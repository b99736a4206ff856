"""What a worker does for the endpoints in shapes that people already use: a task -> bytes of the answer."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from webclean.outputs.flow.sanitise import sanitise_url
from webclean.page import CleanPage
from webclean.server.schema import ScrapeRequest
from webclean.server.tasks import PageTask, clean_task, returns_failures

READER_FORMATS: Final = ("markdown", "html", "text")


@returns_failures
def describe_reader(task: PageTask, *, wanted: str, as_json: bool) -> bytes:
    """The answer to `GET /r/`: JSON, or text under a head of title, URL and date."""
    page = clean_task(task)
    content = {"markdown": page.to_markdown, "html": page.to_html, "text": page.to_text}[wanted]()
    if as_json:
        data = {
            "title": page.title,
            "description": page.fields.description.value,
            "url": page.url,
            "content": content,
            "publishedTime": page.date,
        }
        return msgspec.json.encode({"code": 200, "status": 20000, "data": data})
    if wanted != "markdown":
        return content.encode()
    dated = f"Published Time: {page.date}\n\n" if page.date else ""
    head = f"Title: {page.title or ''}\n\nURL Source: {page.url}\n\n{dated}Markdown Content:\n"
    return f"{head}{content}".encode()


@returns_failures
def describe_scrape(task: PageTask, *, asked: ScrapeRequest, status: int) -> bytes:
    """The answer to `POST /v1/scrape`. status: with which the page was served."""
    with write_tag_rules(asked.include_tags, asked.exclude_tags, everything=not asked.only_main_content) as paths:
        page = clean_task(replace(task, rules=(*task.rules, *paths)))
        data: dict[str, Any] = {}
        if "markdown" in asked.formats:
            data["markdown"] = page.to_markdown()
        if "html" in asked.formats:
            data["html"] = page.to_html(fragment=True)
        if "rawHtml" in asked.formats:
            data["rawHtml"] = page.source.markup
        if "links" in asked.formats:
            data["links"] = list_links(page)
        data["metadata"] = {
            "title": page.title,
            "description": page.fields.description.value,
            "language": page.language,
            "author": page.author,
            "publishedTime": page.date,
            "ogImage": page.fields.image.value,
            "sourceURL": asked.url,
            "url": page.url,
            "statusCode": status,
        }
    return msgspec.json.encode({"success": True, "data": data})


def list_links(page: CleanPage) -> list[str]:
    """The URLs of the links in the kept blocks, each once, in reading order."""
    found = (sanitise_url(link.url, page.url) for block in page.blocks if block.kept for link in block.links)
    return list(dict.fromkeys(url for url in found if url))


@contextmanager
def write_tag_rules(include: Sequence[str], exclude: Sequence[str], *, everything: bool) -> Iterator[tuple[Path, ...]]:
    """A rule file for selectors of what alone is kept and of what is dropped; none if there are no such selectors.

    Keep beats drop, so what is kept leaves out what is dropped.
    """
    rules: dict[str, Any] = {}
    inside = {"selector": list(include)} if include else {}
    outside = {"outside": list(exclude)} if exclude else {}
    if include or everything:
        rules["included"] = {"when": {**inside, **outside}, "action": "keep", "because": "the request includes it"}
    if include:
        rules["not-included"] = {"when": {"outside": list(include)}, "action": "drop", "because": "not in includeTags"}
    if exclude:
        rules["excluded"] = {"when": {"selector": list(exclude)}, "action": "drop", "because": "in excludeTags"}
    if not rules:
        yield ()
        return
    with tempfile.TemporaryDirectory(prefix="webclean-") as folder:
        path = Path(folder) / "request.yaml"
        path.write_bytes(msgspec.json.encode({"rules": rules}))  # JSON is YAML
        yield (path,)
