"""The command line: its commands, the parser of arguments and the streams that they write to; no logic of its own.

A command is a module of this package, or one of a few in a module (`_HOMES`), with a function that adds its parser and
names the one that runs it, `run(args) -> int`. Arguments: examples stand as they are written, and it is said what
was perhaps meant where a name is not known. Streams: UTF-8, closed or not, without what controls a terminal.

Exit codes: 0 done; 1 a page could not be cleaned (the others were); 2 wrong usage, rules or input; 130 interrupted;
141 the reader of a pipe left.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import re
import signal
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final, NoReturn

from webclean.errors import WebcleanError
from webclean.version import __version__

_NO_CHOICE: Final = re.compile(r"invalid choice: '([^']*)'")


class CommandParser(argparse.ArgumentParser):
    """The parser of a command and of those below it: lines of descriptions and examples stay as they are written."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, formatter_class=argparse.RawDescriptionHelpFormatter)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; an option that is not known ends with code 2 and names the nearest ones."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{_suggest(unknown, _list_options(self))}")
        return found

    def error(self, message: str) -> NoReturn:
        """Exit with code 2; for a choice that does not exist, with the nearest ones."""
        wrong = _NO_CHOICE.search(message)
        super().error(message + _suggest([wrong[1]], _list_choices(self)) if wrong else message)


def _list_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The options of a parser and of the commands below it."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _list_options(below)


def _list_choices(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from map(str, action.choices or ())


def _suggest(wrong: Sequence[str], known: Iterable[str]) -> str:
    """`; did you mean --format?` for the names that are near one that is known, '' if none is."""
    names = list(dict.fromkeys(known))
    near = [found for word in wrong for found in get_close_matches(word.partition("=")[0], names, n=2)]
    return f"; did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""


_PLAIN: Final = re.compile(r"[\t\n\r -~]*")
"""Text that no control character can be in."""


class CleanStream:
    """A text stream that leaves out control characters: file names, addresses and class names may hold some.

    Whatever else is asked of it is that of the stream below.
    """

    def __init__(self, stream: Any) -> None:
        self._stream: Final = stream

    def write(self, text: str) -> int:
        """Write the text without control characters, but with tabs and line ends."""
        if not _PLAIN.fullmatch(text):
            from webclean.parse.controls import drop_controls  # noqa: PLC0415  imports much that `--help` does not need

            text = drop_controls(text)
        return int(self._stream.write(text))

    def writelines(self, lines: Any) -> None:
        """Write each of the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class ClosedStream(io.TextIOBase):
    """In place of a standard output that the caller closed (`>&-`): whatever is written is an error."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")


@contextmanager
def guard_streams() -> Iterator[None]:
    """Replace standard output and standard error for a command."""
    out, err = sys.stdout, sys.stderr
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(encoding="utf-8", errors="replace")
    clean_out: Any = ClosedStream() if out is None else CleanStream(out)
    clean_err: Any = io.StringIO() if err is None else CleanStream(err)  # messages that nobody reads
    sys.stdout, sys.stderr = clean_out, clean_err
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


COMMANDS: Final = {
    "clean": "clean pages",
    "explain": "why a page has its type and each block its fate",
    "blocks": "the sections and semantic blocks of a page",
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
"""Command -> what `webclean --help` says of it, in that order."""
_HOMES: Final = {
    "explain": "views",
    "blocks": "views",
    "links": "views",
    "phone": "views",
    "mcp": "serve",
    "completion": "terminal",
}
"""Command -> the module that it shares with others, where it has `add_COMMAND`; else it is a module of its own name."""

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
            _add_parser(name, commands)
        else:
            commands.add_parser(name, help=summary)
    return parser


def _add_parser(name: str, commands: Any) -> None:
    """Import the module of a command, which adds its parser."""
    module = import_module(f"webclean.cli.{_HOMES.get(name, name)}")
    add = module.add_parser if name not in _HOMES else getattr(module, f"add_{name}")
    add(commands)


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
