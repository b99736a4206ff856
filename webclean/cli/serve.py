"""Commands that serve pages: `webclean serve` and `webclean mcp`.

Reading mode, a workbench for rules and a JSON API over HTTP; pages and their blocks for language models, over standard
input and output.
"""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from webclean.cli import AllowPrivate, Profile, Rules, command, require
from webclean.errors import InputError
from webclean.model import Limits
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits
from webclean.workers import count_cpus

if TYPE_CHECKING:
    from webclean.server import ServerSettings

TOKEN: Final = "WEBCLEAN_TOKEN"
_PACKAGES: Final = ["starlette", "uvicorn", "cachetools", "limits", "python_multipart", "prometheus_client"]


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask."""

    token_file: Annotated[Path | None, f"holds the token to ask for (or ${TOKEN})", "FILE"] = None
    no_token: Annotated[bool, "serve other machines without a token"] = False
    allowed_host: Annotated[tuple[str, ...], "a name of this server; * for any", "NAME"] = ()
    rate: Annotated[str, "pages of one client; none: no limit", "N/UNIT"] = "1200/minute"


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits of the server and of each page."""

    workers: Annotated[int, "processes that clean pages", "N"] = count_cpus()
    slow_workers: Annotated[int, "... more at low priority, for pages that take long", "N"] = 2
    max_bytes: Annotated[int, "of a page", "N"] = 10_000_000
    max_memory: Annotated[int, "for cleaning a page", "MB"] = 1000
    timeout: Annotated[float, "for cleaning a page", "S"] = 10.0
    max_waiting: Annotated[int, "pages that may wait", "N"] = 64
    allow_private: AllowPrivate = False


@command()
def serve(
    *,
    host: Annotated[str, "address to listen at"] = "127.0.0.1",
    port: Annotated[int, "port to listen at; 0: any"] = 8080,
    rules: Rules = (),
    rules_dir: Annotated[Path | None, "folder of rules that the workbench writes into", "DIR"] = None,
    access: Annotated[Access, "who may ask"],
    limits: Annotated[ServerLimits, "limits"],
) -> int:
    """Serve / (read a page), /inspect (a workbench for rules), /v1/... (a JSON API, described at /openapi.json),
    /healthz and /metrics. Only this machine can reach it, unless --host says otherwise; then a token is needed: by
    --token-file or $WEBCLEAN_TOKEN. Pages are fetched from public addresses alone and cleaned in worker processes.

    examples:
      webclean serve                                       http://127.0.0.1:8080
      webclean serve --rules-dir my-rules/                 ... the workbench saves rules there
      WEBCLEAN_TOKEN=... webclean serve --host 0.0.0.0 --allowed-host clean.example.org
      curl -s localhost:8080/r/https://example.org/        a page as Markdown
      curl -s --data-binary @page.html -H 'content-type: text/html' 'localhost:8080/v1/clean?url=https://example.org/a'
    """
    require("webclean serve", "serve", *_PACKAGES)
    import uvicorn  # noqa: PLC0415  start-up of other commands stays fast

    from webclean.server.app import BoundedProtocol, build_app  # noqa: PLC0415

    settings = read_settings(host, rules, rules_dir, access, limits)
    uvicorn.run(
        build_app(settings),
        host=host,
        port=port,
        # with port 0 the system chooses, and only the log at `info` says which
        log_level="warning" if port else "info",
        server_header=False,
        http=BoundedProtocol,
        # uvicorn's own bounds come before ours: connections cost memory before any page is read
        limit_concurrency=512,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=10,
    )
    return 0


def read_settings(
    host: str, rules: tuple[Path, ...], rules_dir: Path | None, access: Access, limits: ServerLimits
) -> ServerSettings:
    """The settings of the server. Raises `InputError` for one that is open to strangers and asks for no token."""
    from webclean.server import LOOPBACK, ServerSettings  # noqa: PLC0415  start-up of other commands stays fast

    token = read_token(access.token_file)
    # an open server fetches whatever strangers ask for: nobody should start one by leaving out an option
    if not is_loopback(host) and not (token or access.no_token):
        raise InputError(f"{host} is open to other machines: set ${TOKEN} or --token-file, or say --no-token")
    if rules_dir:
        rules_dir.mkdir(parents=True, exist_ok=True)
    return ServerSettings(
        workers=max(1, limits.workers),
        slow_workers=max(1, limits.slow_workers),
        max_bytes=limits.max_bytes,
        max_seconds=limits.timeout,
        max_memory=limits.max_memory << 20,
        max_waiting=limits.max_waiting,
        rate="" if access.rate == "none" else access.rate,
        token=token,
        # other Host headers are refused: a page in a browser could else reach this server by a name of its own
        hosts=(*LOOPBACK, host.lower(), *(name.lower() for name in access.allowed_host)),
        allow_private=limits.allow_private,
        rules=rules,
        rules_dir=rules_dir,
    )


def read_token(path: Path | None) -> str:
    """The token of a file, else of the environment; '' for none. Raises `InputError` for an empty file."""
    if path is None:
        return os.environ.get(TOKEN, "")
    token = path.read_text(encoding="utf-8").strip()
    if not token:
        raise InputError(f"{path}: no token in it")
    return token


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@command()
def mcp(
    *,
    root: Annotated[Path | None, "a folder whose files may be read (default: none)", "DIR"] = None,
    timeout: Annotated[float, "seconds a page may take", "S"] = 30.0,
    allow_private: AllowPrivate = False,
    rules: Rules = (),
    profile: Profile = "balanced",
) -> int:
    """Serve pages over standard input and output by the Model Context Protocol: the tools read_page, page_blocks,
    page_links and explain_block.

    examples:
      webclean mcp                       pages of the web, and HTML markup
      webclean mcp --root pages/         ... and the files of a folder
      claude mcp add webclean -- webclean mcp
    """
    require("webclean mcp", "mcp", "mcp")
    from webclean.server.mcp_server import PageReader, build_server  # noqa: PLC0415  its library is an extra

    if root is not None and not root.is_dir():
        raise InputError(f"{root}: not a folder")
    cleaner = Cleaner(rules=rules, profile=profile, limits=Limits(max_seconds=timeout))
    limits = FetchLimits(max_seconds=timeout, allow_private=allow_private)
    build_server(PageReader(cleaner, limits, root)).run()
    return 0
