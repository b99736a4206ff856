"""The command line: one file for each command, no logic of its own.

A command is a module with `add_parser(commands)`, which adds its parser and names its `run`, and `run(args) -> int`.
Exit codes: 0 done; 1 a page could not be cleaned (the others were); 2 wrong usage, rules or input; 130 interrupted;
141 the reader of a pipe left.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from webclean.cli.arguments import CommandParser
from webclean.cli.streams import guard_streams
from webclean.errors import WebcleanError
from webclean.kernels import IS_COMPILED
from webclean.version import __version__

COMMANDS: Final = (
    "clean",
    "explain",
    "blocks",
    "links",
    "phone",
    "batch",
    "rules",
    "sites",
    "serve",
    "mcp",
    "learn",
    "compare",
    "completion",
)
"""Modules of this package, in the order `--help` lists them."""

EXAMPLES: Final = """examples:
  webclean clean page.html                        the main text
  webclean clean page.html --format markdown      ... as Markdown; also html, mobile, json, jsonl
  webclean clean https://example.org/news/1       a page of the web
  curl -s https://example.org | webclean clean -  from a pipe
  webclean clean --input-dir pages/ -o text/      many pages
  webclean batch crawl.warc.gz -o out --blocks    very many: web archives, tables; rows of pages and blocks
  webclean explain page.html                      why each block is kept or dropped

webclean COMMAND --help (or: webclean help COMMAND) describes a command; README.md and docs/ of the project say more.

exit codes: 0 done, 1 a page failed, 2 wrong usage, rules or input, 130 interrupted, 141 the reader of a pipe left
"""


def describe_version() -> str:
    """The version, and whether compiled kernels or their slower twins run."""
    return f"webclean {__version__} ({'with' if IS_COMPILED else 'without'} compiled kernels)"


def build_parser(names: Sequence[str] = COMMANDS) -> CommandParser:
    """The parser with all commands, or only with some: the modules of others are then not imported."""
    about = "Any web page in, typed and explained blocks out."
    parser = CommandParser(prog="webclean", description=about, epilog=EXAMPLES)
    parser.add_argument("--version", action="version", version=describe_version())
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    for name in names:
        import_module(f"webclean.cli.{name}").add_parser(commands)
    return parser


def _choose_commands(argv: Sequence[str]) -> Sequence[str]:
    """The commands that the arguments may ask for."""
    first = argv[0] if argv else ""
    return (first,) if first in COMMANDS else () if first == "--version" else COMMANDS


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every error of ours is one line on stderr."""
    with guard_streams():
        return _run(argv)


def _read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command; without one, exit with code 2 and say which there are."""
    if argv[:1] == ["help"]:
        argv = [*argv[1:], "--help"]
    parser = build_parser(_choose_commands(argv))
    args: argparse.Namespace = parser.parse_args(argv)
    if args.run is None:
        parser.error(f"no command: one of {', '.join(COMMANDS)}; webclean --help has examples")
    return args


def _run(argv: Sequence[str] | None) -> int:
    args = _read_arguments(list(sys.argv[1:] if argv is None else argv))
    try:
        code = int(args.run(args))
        sys.stdout.flush()
    except WebcleanError as error:
        print(f"webclean: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        print(f"webclean: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return code
