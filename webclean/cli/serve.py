"""Commands that serve pages: `webclean serve` and `webclean mcp`.

Reading mode, a workbench for rules and a JSON API over HTTP; pages and their blocks for language models, over standard
input and output.
"""

from __future__ import annotations

import argparse
import ipaddress
import os
from pathlib import Path
from typing import Final

from webclean.cli.commands import ALLOW_PRIVATE, COMMANDS, PROFILE, RULES, command, flag, group, option, require
from webclean.errors import InputError
from webclean.model import Limits
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits
from webclean.workers import count_cpus

TOKEN: Final = "WEBCLEAN_TOKEN"
_PACKAGES: Final = ["starlette", "uvicorn", "cachetools", "limits", "python_multipart", "prometheus_client"]


@command(
    "serve",
    COMMANDS["serve"],
    option("--host", "address to listen at", default="127.0.0.1"),
    option("--port", "port to listen at; 0: any", type_=int, default=8080),
    RULES,
    option("--rules-dir", "folder of rules that the workbench writes into", "DIR", Path),
    group(
        "who may ask",
        option("--token-file", f"holds the token to ask for (or ${TOKEN})", "FILE", Path),
        flag("--no-token", "serve other machines without a token"),
        option("--allowed-host", "a name of this server; * for any", "NAME", action="append", default=[]),
        option("--rate", "pages of one client; none: no limit", "N/UNIT", default="1200/minute"),
    ),
    group(
        "limits",
        option("--workers", "processes that clean pages", "N", int, default=count_cpus()),
        option(
            # the second name is that of earlier versions
            "--slow-workers,--large-workers",
            "... more at low priority, for pages that take long",
            "N",
            int,
            default=2,
        ),
        option("--max-bytes", "of a page", "N", int, default=10_000_000),
        option("--max-memory", "for cleaning a page", "MB", int, default=1000),
        option("--timeout", "for cleaning a page", "S", float, default=10.0),
        option("--max-waiting", "pages that may wait", "N", int, default=64),
        ALLOW_PRIVATE,
    ),
)
def serve(args: argparse.Namespace) -> int:
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
    require("webclean serve", *_PACKAGES)
    import uvicorn  # noqa: PLC0415  start-up of other commands stays fast

    from webclean.server import LOOPBACK, ServerSettings  # noqa: PLC0415
    from webclean.server.app import BoundedProtocol, build_app  # noqa: PLC0415

    token = read_token(args.token_file)
    # an open server fetches whatever strangers ask for: nobody should start one by leaving out an option
    if not is_loopback(args.host) and not (token or args.no_token):
        raise InputError(f"{args.host} is open to other machines: set ${TOKEN} or --token-file, or say --no-token")
    if args.rules_dir:
        args.rules_dir.mkdir(parents=True, exist_ok=True)
    settings = ServerSettings(
        workers=max(1, args.workers),
        slow_workers=max(1, args.slow_workers),
        max_bytes=args.max_bytes,
        max_seconds=args.timeout,
        max_memory=args.max_memory << 20,
        max_waiting=args.max_waiting,
        rate="" if args.rate == "none" else args.rate,
        token=token,
        # other Host headers are refused: a page in a browser could else reach this server by a name of its own
        hosts=(*LOOPBACK, args.host.lower(), *(name.lower() for name in args.allowed_host)),
        allow_private=args.allow_private,
        rules=tuple(args.rules),
        rules_dir=args.rules_dir,
    )
    uvicorn.run(
        build_app(settings),
        host=args.host,
        port=args.port,
        # with port 0 the system chooses, and only the log at `info` says which
        log_level="warning" if args.port else "info",
        server_header=False,
        http=BoundedProtocol,
        # uvicorn's own bounds come before ours: connections cost memory before any page is read
        limit_concurrency=512,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=10,
    )
    return 0


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


@command(
    "mcp",
    COMMANDS["mcp"],
    option("--root", "a folder whose files may be read (default: none)", "DIR", Path),
    option("--timeout", "seconds a page may take", "S", float, default=30.0),
    ALLOW_PRIVATE,
    RULES,
    PROFILE,
)
def mcp(args: argparse.Namespace) -> int:
    """Serve pages over standard input and output by the Model Context Protocol: the tools read_page, page_blocks,
    page_links and explain_block.

    examples:
      webclean mcp                       pages of the web, and HTML markup
      webclean mcp --root pages/         ... and the files of a folder
      claude mcp add webclean -- webclean mcp
    """
    require("webclean mcp", "mcp")
    from webclean.server.mcp_server import PageReader, build_server  # noqa: PLC0415  its library is an extra

    if args.root is not None and not args.root.is_dir():
        raise InputError(f"{args.root}: not a folder")
    cleaner = Cleaner(rules=args.rules, profile=args.profile, limits=Limits(max_seconds=args.timeout))
    limits = FetchLimits(max_seconds=args.timeout, allow_private=args.allow_private)
    build_server(PageReader(cleaner, limits, args.root)).run()
    return 0
