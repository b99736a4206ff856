"""`webclean serve`: reading mode, a workbench for rules and a JSON API over HTTP (extra `serve`).

`webclean mcp`: the same cleaning as tools of a language model (extra `mcp`). Here stands what an operator can set of
the server; every limit has a default under which strangers may be served.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Limits and rights of one server.

    workers: processes that clean pages. slow_workers: how many more may be at work on pages that take longer than
    quick_seconds of processor time; they stand back for the others. max_bytes: of a request or a fetched page.
    max_seconds: for cleaning one page; a worker that does not keep to it is killed. max_memory: bytes of address space
    that a worker may take for a page, and slow ones together. max_waiting, max_waiting_bytes: pages, and their bytes,
    that are being cleaned or wait for it; further ones are refused. max_batch: pages of one batch. fetch_seconds: for
    fetching one page, with its redirects. max_fetches: pages fetched at the same time. rate: pages per client and time,
    such as `1200/minute`; '' for no limit. token: asked for as bearer token, or at `/login`; '' for none. hosts: names
    in the `Host` header that are answered; ('*',) for any. allow_private: fetch from addresses that are not public too.
    rules: rule files and folders over the shipped rules. rules_dir: folder of rules that the workbench writes into;
    None: it writes nothing. max_stored: bytes of pages that are kept for reading on. stored_seconds: how long each of
    them is kept.
    """

    workers: int = 2
    slow_workers: int = 2
    quick_seconds: float = 0.3
    max_bytes: int = 10_000_000
    max_seconds: float = 10.0
    max_memory: int = 1_000_000_000
    max_waiting: int = 64
    max_waiting_bytes: int = 50_000_000
    max_batch: int = 100
    fetch_seconds: float = 15.0
    max_fetches: int = 16
    rate: str = "1200/minute"
    token: str = ""
    hosts: tuple[str, ...] = LOOPBACK
    allow_private: bool = False
    rules: tuple[Path, ...] = ()
    rules_dir: Path | None = None
    max_stored: int = 100_000_000
    stored_seconds: float = 3_600.0

    @property
    def rule_paths(self) -> tuple[Path, ...]:
        """All rules of the operator, in order of precedence."""
        return (*self.rules, *([self.rules_dir] if self.rules_dir else []))
