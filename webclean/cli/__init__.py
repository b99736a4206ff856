"""The command line: one file for each command, no logic of its own.

A command is a module with `add_parser(commands)`, which adds its parser and names its `run`, and `run(args) -> int`.
Exit codes: 0 done; 1 a page could not be cleaned (the others were); 2 wrong usage, rules or input; 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

COMMANDS: Final = ("blocks", "clean", "compare", "learn", "links", "rules")
"""Modules of this package, in the order `--help` lists them."""

EXAMPLES: Final = """examples:
  webclean clean page.html                        the main text
  webclean clean page.html --format markdown      ... as Markdown
  curl -s https://example.org | webclean clean -  from a pipe

exit codes: 0 done, 1 a page failed, 2 wrong usage or rules
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser with all commands."""
    from webclean import __version__  # noqa: PLC0415  the package imports the stages, and --help should not wait

    parser = argparse.ArgumentParser(
        prog="webclean",
        description="Any web page in, typed and explained blocks out.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"webclean {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        import_module(f"webclean.cli.{name}").add_parser(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every error of ours is one line on stderr."""
    from webclean.errors import WebcleanError  # noqa: PLC0415

    args = build_parser().parse_args(argv)
    try:
        code = int(args.run(args))
        sys.stdout.flush()
    except WebcleanError as error:
        print(f"webclean: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 130
    return code
