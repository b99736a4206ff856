"""Pages that are named on the command line -> what is written of them, in this process or in worker processes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from webclean.batch.sources import PageUrls
from webclean.cli.pages import clean_page
from webclean.errors import LimitExceeded, NotAPageError, RuleError, WebcleanError
from webclean.page import CleanPage
from webclean.page.formats import find_format, list_switches
from webclean.pipeline import Cleaner
from webclean.web.inline_images import render_offline
from webclean.web.joining import join_pages
from webclean.workers import FailureKind, WorkerPool, WorkLimits

IN_PROCESS: Final = 16
"""Pages that are cleaned here where nothing is said: worker processes take longer to start than these take."""
_TIMES: Final = 3
"""Times the seconds that a page may take by its own clock, after which its worker is ended."""
_FAULTS: Final = (MemoryError, RecursionError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError)
PRELOAD: Final = ("webclean.warm", "webclean.cli.rendering")


@dataclass(frozen=True, slots=True)
class Rendered:
    """What is written of a page; None if it failed, and why. kind: as `error_kind` of the table of pages. has_url,
    is_listed: whether it has a URL, and whether that is of the list."""

    written: str | None
    kind: str = ""
    message: str = ""
    has_url: bool = False
    is_listed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RenderPage:
    """Reads and cleans one page and writes it in the chosen format; sent to workers, so args has plain values alone."""

    cleaner: Cleaner
    args: argparse.Namespace
    urls: PageUrls

    def __call__(self, name: str) -> Rendered:
        """Raises `RuleError`, for then no page can be cleaned."""
        known, listed = self.urls.n_known, self.urls.n_listed
        try:
            page = clean_page(name, self.cleaner, self.args, self.urls.find)
            if self.args.join:
                page = _join(page, name, self.cleaner, self.args)
            written, kind, message = render_page(page, name, self.args), "", ""
        except RuleError:
            raise
        except WebcleanError as error:
            written, kind, message = None, _name_kind(error), str(error)
        except _FAULTS as error:
            kind = "memory" if isinstance(error, MemoryError) else "raised"
            written, message = None, f"internal error, please report it: {type(error).__name__}: {error}"
        return Rendered(written, kind, message, self.urls.n_known > known, self.urls.n_listed > listed)


def _name_kind(error: WebcleanError) -> str:
    kinds: tuple[tuple[type[WebcleanError], str], ...] = ((NotAPageError, "not_a_page"), (LimitExceeded, "limit"))
    return next((kind for of, kind in kinds if isinstance(error, of)), "unreadable")


def render_pages(names: list[str], render: RenderPage, jobs: int | None) -> Iterator[tuple[str, Rendered]]:
    """Each name and what came of its page, in order.

    jobs: worker processes; None: one for each CPU where there are many pages; 0: this process.
    """
    if jobs == 0 or "-" in names or (jobs is None and len(names) <= IN_PROCESS):
        for name in names:
            yield name, render(name)
        return
    limits = WorkLimits(seconds=_TIMES * render.args.timeout)
    with WorkerPool(render, jobs=jobs, limits=limits, preload=PRELOAD) as pool:
        for name, outcome in pool.map(names):
            failure = outcome.failure
            if failure is not None and failure.error == "RuleError":
                raise RuleError(failure.message)
            if failure is not None:
                told = f"{failure.error}: {failure.message}" if failure.kind is FailureKind.RAISED else failure.message
                yield name, Rendered(None, str(failure.kind), told)
            elif outcome.value is not None:
                render.urls.count(has_url=outcome.value.has_url, is_listed=outcome.value.is_listed)
                yield name, outcome.value


def plain_arguments(args: argparse.Namespace) -> argparse.Namespace:
    """The arguments without functions and parsers, which do not go to another process."""
    plain = (str, int, float, bool, list, tuple, type(None))
    return argparse.Namespace(**{name: value for name, value in vars(args).items() if isinstance(value, plain)})


def write_failures(failures: Iterable[tuple[str, Rendered]]) -> Iterator[str]:
    """A JSON line for each page that failed."""
    for name, rendered in failures:
        told = {"source": name, "error_kind": rendered.kind, "error": rendered.message}
        yield json.dumps(told, ensure_ascii=False) + "\n"


def _join(page: CleanPage, name: str, cleaner: Cleaner, args: argparse.Namespace) -> CleanPage:
    """The joined page; standard error shows for each link whether it was followed."""
    joined = join_pages(page, cleaner=cleaner, allow_private=args.allow_private)
    for step in joined.steps:
        print(f"webclean: {name}: {step.rule} {step.evidence}", file=sys.stderr)
    return joined


def add_format_options(group: argparse._ArgumentGroup) -> None:
    """The options that formats take, each with the formats that take it."""
    for switch in list_switches():
        what = f"no {switch.description}" if switch.default else switch.description
        group.add_argument(switch.flag, action="store_true", help=f"{what} ({', '.join(switch.formats)})")


def render_page(page: CleanPage, name: str, args: argparse.Namespace) -> str:
    """A page in the format and with the options of the arguments."""
    if args.format == "mobile" and args.inline_images:
        return render_offline(page, allow_private=args.allow_private)[0]
    form = find_format(args.format)
    shown = {
        switch.name: switch.default != getattr(args, switch.flag.lstrip("-").replace("-", "_"))
        for switch in list_switches()
        if args.format in switch.formats
    }
    named = {"source": name} if "source" in form.options.__struct_fields__ else {}
    return end_line(page.render(args.format, **shown, **named))


def end_line(text: str) -> str:
    """Text that ends with a line break, unless it is empty."""
    return text if not text or text.endswith("\n") else f"{text}\n"
