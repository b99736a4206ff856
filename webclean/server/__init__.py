"""`webclean serve`: reading mode, a workbench for rules and a JSON API over HTTP (extra `serve`).

`webclean mcp`: the same cleaning as tools of a language model (extra `mcp`). Here stands what an operator can set of
the server; every limit has a default under which strangers may be served.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Final

from webclean.errors import InputError
from webclean.workers import count_cpus

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
LEAST_TOKEN: Final = 16
"""Characters of a token: those of 64 bits at four bits each."""
MOST: Final = 1 << 40
"""No count of bytes, pages or processes is larger; sums of them stay far from what the system calls take."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Limits and rights of one server. Those with a text are options of `webclean serve`, which says it.

    Slow workers are for pages that take longer than quick_seconds of processor time; they stand back for the others. A
    worker that does not keep to max_seconds is killed; max_memory is of its address space.
    max_waiting_bytes: of the pages that are cleaned or wait; further ones are refused.
    fetch_seconds: for fetching one page, with its redirects. max_fetches: pages fetched at the same time. token: asked
    for as bearer token, or as password; '' for none. hosts: names in the `Host` header that are answered; ('*',) for
    any. trusted_proxies: who may say by `X-Forwarded-For` for whom they ask; all others are clients themselves.
    max_stored: bytes of pages that are kept for reading on. stored_seconds: how long each of them is kept.
    """

    workers: Annotated[int, "processes that clean pages", "N"] = count_cpus()
    slow_workers: Annotated[int, "... more at low priority, for pages that take long", "N"] = 2
    quick_seconds: float = 0.3
    max_bytes: Annotated[int, "of a page, or of a request", "N"] = 10_000_000
    max_seconds: Annotated[float, "for cleaning a page", "S", "--timeout"] = 10.0
    max_memory: Annotated[int, "for cleaning a page", "MB"] = 1000
    max_waiting: Annotated[int, "pages that may wait", "N"] = 64
    max_waiting_bytes: int = 50_000_000
    fetch_seconds: float = 15.0
    max_fetches: int = 16
    rate: Annotated[str, "pages of one client; none: no limit", "N/UNIT"] = "1200/minute"
    token: str = ""
    hosts: tuple[str, ...] = LOOPBACK
    trusted_proxies: Annotated[
        tuple[str, ...], "address or network of a proxy whose X-Forwarded-For is believed", "ADDRESS", "--trusted-proxy"
    ] = ()
    allow_private: Annotated[bool, "fetch from loopback and private addresses too"] = False
    rules: Annotated[tuple[Path, ...], "a rule file or folder over the shipped rules; may be repeated", "PATH"] = ()
    rules_dir: Annotated[Path | None, "folder of rules that the workbench writes into", "DIR"] = None
    max_stored: int = 100_000_000
    stored_seconds: float = 3_600.0

    def __post_init__(self) -> None:
        """Raises `InputError` for a value that no server can have."""
        for one in fields(self):
            value, least = getattr(self, one.name), 0 if one.name == "max_stored" else 1
            if isinstance(value, float):  # seconds
                if not (0 < value < math.inf):
                    raise InputError(f"{one.name} is {value}: it is more than 0")
            elif isinstance(value, int) and not isinstance(value, bool) and not least <= value <= MOST:
                raise InputError(f"{one.name} is {value}: it is from {least} to {MOST:,}")
        if self.token and len(self.token) < LEAST_TOKEN:
            raise InputError(f"the token has {len(self.token)} characters; it can be guessed below {LEAST_TOKEN}")

    @property
    def rule_paths(self) -> tuple[Path, ...]:
        """All rules of the operator, in order of precedence."""
        return (*self.rules, *([self.rules_dir] if self.rules_dir else []))
