"""Commands that serve pages: `webclean serve` and `webclean mcp`.

Reading mode, a workbench for rules and a JSON API over HTTP; pages and their blocks for language models, over standard
input and output.
"""

from __future__ import annotations

import argparse
import ipaddress
import os
from pathlib import Path
from typing import Any, Final

from webclean.cli.extras import require
from webclean.errors import InputError
from webclean.model import Limits
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits
from webclean.workers import count_cpus

TOKEN: Final = "WEBCLEAN_TOKEN"
_SERVE_DESCRIPTION: Final = f"""\
Serve / (read a page), /inspect (a workbench for rules), /v1/... (a JSON API, described at
/openapi.json), /healthz and /metrics. Only this machine can reach it, unless --host says otherwise; then a token is
needed: by --token-file or ${TOKEN}. Pages are fetched from public addresses alone and cleaned in worker processes."""

_SERVE_EXAMPLES: Final = f"""examples:
  webclean serve                                       http://127.0.0.1:8080
  webclean serve --rules-dir my-rules/                 ... the workbench saves rules there
  {TOKEN}=... webclean serve --host 0.0.0.0 --allowed-host clean.example.org
  curl -s localhost:8080/r/https://example.org/        a page as Markdown
  curl -s --data-binary @page.html -H 'content-type: text/html' 'localhost:8080/v1/clean?url=https://example.org/a'
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "serve",
        help="reading mode, a workbench and a JSON API over HTTP",
        description=_SERVE_DESCRIPTION,
        epilog=_SERVE_EXAMPLES,
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, help="port to listen at; 0: any (default: 8080)")
    parser.add_argument("--rules", action="append", default=[], type=Path, metavar="PATH", help="a rule file or folder")
    parser.add_argument("--rules-dir", type=Path, metavar="DIR", help="folder of rules that the workbench writes into")
    group = parser.add_argument_group("who may ask")
    group.add_argument("--token-file", type=Path, metavar="FILE", help=f"holds the token to ask for (or ${TOKEN})")
    group.add_argument("--no-token", action="store_true", help="serve other machines without a token")
    group.add_argument(
        "--allowed-host", action="append", default=[], metavar="NAME", help="a name of this server; * for any"
    )
    group.add_argument(
        "--rate",
        default="1200/minute",
        metavar="N/UNIT",
        help="pages of one client; none: no limit (default: 1200/minute)",
    )
    group = parser.add_argument_group("limits")
    group.add_argument("--workers", type=int, default=count_cpus(), metavar="N", help="processes that clean pages")
    group.add_argument(
        "--slow-workers",
        "--large-workers",
        type=int,
        default=2,
        metavar="N",
        help="... more at low priority, for pages that take long (default: 2)",
    )
    group.add_argument("--max-bytes", type=int, default=10_000_000, metavar="N", help="of a page (default: 10000000)")
    group.add_argument("--max-memory", type=int, default=1000, metavar="MB", help="for cleaning a page (default: 1000)")
    group.add_argument("--timeout", type=float, default=10.0, metavar="S", help="for cleaning a page (default: 10)")
    group.add_argument("--max-waiting", type=int, default=64, metavar="N", help="pages that may wait (default: 64)")
    group.add_argument("--allow-private", action="store_true", help="fetch from loopback and private addresses too")
    parser.set_defaults(run=run_serve)


def run_serve(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    require(
        "webclean serve",
        "starlette",
        "uvicorn",
        "cachetools",
        "jinja2",
        "limits",
        "python_multipart",
        "prometheus_client",
    )
    import uvicorn  # noqa: PLC0415  start-up of other commands stays fast

    from webclean.server.app import build_app  # noqa: PLC0415
    from webclean.server.settings import LOOPBACK, ServerSettings  # noqa: PLC0415

    token = read_token(args.token_file)
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
        hosts=(*LOOPBACK, args.host.lower(), *(name.lower() for name in args.allowed_host)),
        allow_private=args.allow_private,
        rules=tuple(args.rules),
        rules_dir=args.rules_dir,
    )
    uvicorn.run(
        build_app(settings),
        host=args.host,
        port=args.port,
        log_level="warning" if args.port else "info",
        server_header=False,
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


_MCP_EXAMPLES = """examples:
  webclean mcp                       pages of the web, and HTML markup
  webclean mcp --root pages/         ... and the files of a folder
  claude mcp add webclean -- webclean mcp
"""


def add_mcp(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "mcp",
        help="serve pages to language models",
        description="Serve pages over standard input and output by the Model Context Protocol: the tools read_page, "
        "page_blocks, page_links and explain_block.",
        epilog=_MCP_EXAMPLES,
    )
    parser.add_argument("--root", type=Path, metavar="DIR", help="a folder whose files may be read (default: none)")
    parser.add_argument(
        "--timeout", type=float, default=30.0, metavar="S", help="seconds a page may take (default: 30)"
    )
    parser.add_argument("--allow-private", action="store_true", help="fetch from loopback and private addresses too")
    parser.add_argument("--rules", action="append", metavar="PATH", help="a rule file or folder over the shipped rules")
    parser.add_argument("--profile", default="balanced", metavar="NAME", help="a layer of rules by name")
    parser.set_defaults(run=run_mcp)


def run_mcp(args: argparse.Namespace) -> int:
    """Serve until standard input is closed."""
    require("webclean mcp", "mcp")
    from webclean.server.mcp_server import PageReader, build_server  # noqa: PLC0415  its library is an extra

    if args.root is not None and not args.root.is_dir():
        raise InputError(f"{args.root}: not a folder")
    cleaner = Cleaner(rules=args.rules, profile=args.profile, limits=Limits(max_seconds=args.timeout))
    limits = FetchLimits(max_seconds=args.timeout, allow_private=args.allow_private)
    build_server(PageReader(cleaner, limits, args.root)).run()
    return 0
