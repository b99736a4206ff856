"""Commands that serve pages: `webclean serve` and `webclean mcp`.

Reading mode, a workbench for rules and a JSON API over HTTP; pages and their blocks for language models, over standard
input and output.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

from webclean.cli import AllowPrivate, Profile, Rules, command, require
from webclean.errors import InputError
from webclean.model import Limits
from webclean.pipeline import Cleaner
from webclean.server import LOOPBACK, ServerSettings
from webclean.web.fetch import FetchLimits

TOKEN: Final = "WEBCLEAN_TOKEN"
_PACKAGES: Final = ["starlette", "uvicorn", "cachetools", "limits", "python_multipart", "prometheus_client"]


@dataclass(frozen=True, slots=True)
class Access:
    token_file: Annotated[Path | None, f"holds the token to ask for (or ${TOKEN})", "FILE"] = None
    no_token: Annotated[bool, "serve other machines without a token"] = False
    allowed_host: Annotated[tuple[str, ...], "a name of this server; * for any", "NAME"] = ()


@command()
def serve(
    *,
    host: Annotated[str, "address to listen at"] = "127.0.0.1",
    port: Annotated[int, "port to listen at; 0: any"] = 8080,
    access: Annotated[Access, "who may ask"],
    settings: Annotated[ServerSettings, "rules and limits"],
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
    from webclean.server.app import listen  # noqa: PLC0415  start-up of other commands stays fast

    server, opened = listen(grant_access(settings, host, access), host, port)
    shown = f"[{host}]" if ":" in host else host
    print(f"webclean: http://{shown}:{opened.getsockname()[1]}/ (Ctrl-C ends it)", file=sys.stderr, flush=True)
    server.run(sockets=[opened])
    return 0


def grant_access(settings: ServerSettings, host: str, access: Access) -> ServerSettings:
    """The settings with who may ask. Raises `InputError` for a server that is open to strangers without a token."""
    token = os.environ.get(TOKEN, "")
    if access.token_file is not None:
        token = access.token_file.read_text(encoding="utf-8").strip()
        if not token:
            raise InputError(f"{access.token_file}: no token in it")
    try:
        is_own = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_own = False
    # an open server fetches whatever strangers ask for: nobody should start one by leaving out an option
    if not is_own and not (token or access.no_token):
        raise InputError(f"{host} is open to other machines: set ${TOKEN} or --token-file, or say --no-token")
    if settings.rules_dir:
        settings.rules_dir.mkdir(parents=True, exist_ok=True)
    # other Host headers are refused: a page in a browser could else reach this server by a name of its own
    return replace(settings, token=token, hosts=(*LOOPBACK, host.lower(), *map(str.lower, access.allowed_host)))


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
    from webclean.server.mcp_server import PageTools, build_server  # noqa: PLC0415  its library is an extra

    if root is not None and not root.is_dir():
        raise InputError(f"{root}: not a folder")
    cleaner = Cleaner(rules=rules, profile=profile, limits=Limits(max_seconds=timeout))
    limits = FetchLimits(max_seconds=timeout, allow_private=allow_private)
    build_server(PageTools(cleaner, limits, root)).run()
    return 0
