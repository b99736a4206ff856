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
from collections.abc import Container, Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from webclean.cli.arguments import CommandParser
from webclean.cli.streams import guard_streams
from webclean.errors import WebcleanError
from webclean.version import __version__

COMMANDS: Final = {
    "clean": "clean pages",
    "explain": "why a page has its type and each block its fate",
    "blocks": "the semantic blocks of a page",
    "links": "the links of a page, ranked by topic",
    "phone": "a page for a phone, in parts where it is long",
    "batch": "clean many pages: folders, web archives, tables",
    "rules": "see, test, compare and tune rule sets",
    "sites": "learn the templates of a site, check what was learnt",
    "serve": "reading mode, a workbench and a JSON API over HTTP",
    "mcp": "serve pages to language models",
    "learn": "learn rules from labelled pages and write them as YAML",
    "compare": "score all methods and peers on labelled pages",
    "completion": "complete commands in a shell",
}
"""Module of this package -> what `webclean --help` says of it, in that order."""

EXAMPLES: Final = """examples:
  webclean clean page.html                        the main text
  webclean clean page.html --format markdown      ... as Markdown; other formats: webclean clean --help
  webclean clean https://example.org/news/1       a page of the web
  curl -s https://example.org | webclean clean -  from a pipe
  webclean clean --input-dir pages/ -o text/      many pages
  webclean batch crawl.warc.gz -o out --blocks    very many: web archives, tables; rows of pages and blocks
  webclean explain page.html                      why each block is kept or dropped

webclean COMMAND --help (or: webclean help COMMAND) describes a command; README.md and docs/ of the project say more.

exit codes: 0 done, 1 a page failed, 2 wrong usage, rules or input, 130 interrupted, 141 the reader of a pipe left
"""


def describe_version() -> str:
    """What `--version` prints."""
    return f"webclean {__version__}"


class _ShowVersion(argparse.Action):
    """Print the version, which is described only then, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(describe_version())
        parser.exit()


def build_parser(names: Container[str] = COMMANDS) -> CommandParser:
    """The parser with all commands. Of those that are not in `names` it knows what `--help` lists of them, and their
    modules are not imported.
    """
    about = "Any web page in, typed and explained blocks out."
    parser = CommandParser(prog="webclean", description=about, epilog=EXAMPLES)
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version and exit")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, summary in COMMANDS.items():
        if name in names:
            import_module(f"webclean.cli.{name}").add_parser(commands)
        else:
            commands.add_parser(name, help=summary)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every error of ours is one line on stderr."""
    with guard_streams():
        return _run(argv)


def _read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command; without one, exit with code 2 and say which there are."""
    if argv[:1] == ["help"]:
        argv = [*argv[1:], "--help"]
    command = next((word for word in argv if word in COMMANDS), "")
    parser = build_parser({command})
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
