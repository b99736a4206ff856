"""What a worker process does: bytes of a page and options -> bytes of the answer. Pure functions of plain values.

An error of ours is returned as a `Problem`, so that nothing but plain values goes from one process to the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec

from webclean.errors import NotAPageError, WebcleanError
from webclean.model import Limits
from webclean.outputs.dictionary import describe_blocks, to_plain_values
from webclean.page import CleanPage
from webclean.pipeline import Cleaner
from webclean.server.failures import Problem, describe_error
from webclean.workbench.descriptions import describe_text_blocks


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page and how to clean it. rules: files and folders over the shipped rules."""

    html: bytes | str
    url: str | None = None
    charset: str | None = None
    rules: tuple[Path, ...] = ()
    profile: str = "balanced"
    method: str | None = None
    page_type: str | None = None
    page_subtype: str | None = None
    on_limit: str = "raise"
    limits: Limits = field(default_factory=Limits)
    formats: tuple[str, ...] = ()
    reasons: bool = False


_Rest = ParamSpec("_Rest")
_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")


def returns_failures(
    work: Callable[Concatenate[_Task, _Rest], _Answer],
) -> Callable[Concatenate[_Task, _Rest], _Answer | Problem]:
    """The same function, which returns errors of ours."""

    @wraps(work)
    def run(task: _Task, /, *rest: _Rest.args, **named: _Rest.kwargs) -> _Answer | Problem:
        try:
            return work(task, *rest, **named)
        except WebcleanError as error:
            return describe_error(error)

    return run


def clean_task(task: PageTask) -> CleanPage:
    """Clean the page of a task. Raises `NotAPageError` for bytes that are none, and what `Cleaner.clean` raises."""
    cleaner = Cleaner(
        rules=task.rules,
        profile=task.profile,
        method=task.method,
        limits=task.limits,
        on_limit="truncate" if task.on_limit == "truncate" else "raise",
    )
    page = cleaner.clean(
        task.html, url=task.url, charset=task.charset, page_type=task.page_type, page_subtype=task.page_subtype
    )
    if page.source.kind in ("binary", "empty"):
        raise NotAPageError(f"the input is {page.source.format or 'empty'}, not a page")
    return page


@returns_failures
def describe_clean(task: PageTask) -> bytes:
    """JSON of `/v1/clean`."""
    page = clean_task(task)
    described: dict[str, Any] = page.to_dict(include_reasons=task.reasons, include_markdown="markdown" in task.formats)
    if "html" in task.formats:
        described["html"] = page.to_html()
    if "mobile" in task.formats:
        described["mobile"] = page.to_mobile_html()
    return msgspec.json.encode(described)


@returns_failures
def describe_page_blocks(task: PageTask) -> bytes:
    """JSON of `/v1/blocks`."""
    page = clean_task(task)
    described = {
        "url": page.url,
        "title": page.title,
        "page_type": str(page.page_type),
        "page_subtype": page.page_subtype,
        "blocks": describe_blocks(page.ranked_blocks, page.url, include_reasons=task.reasons),
    }
    return msgspec.json.encode(described)


@returns_failures
def describe_explanation(task: PageTask) -> bytes:
    """JSON of `/v1/explain`."""
    page = clean_task(task)
    described: dict[str, Any] = page.to_dict(include_reasons=True)
    described["type_probabilities"] = to_plain_values(dict(page.analysis.classification.ranking))
    described["text_blocks"] = to_plain_values(list(describe_text_blocks(page)))
    return msgspec.json.encode(described)


def answer_nothing(task: str) -> str:
    """The same text: shows that a worker is alive."""
    return task
