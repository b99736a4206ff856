"""The command line: its commands, the parser of arguments and the streams that they write to; no logic of its own.

A command is declared (`cli.commands`) in the module of its name, or with others that are like it (`_HOMES`). Arguments:
examples stand as they are written, and it is said what was perhaps meant where a name is not known. Streams: UTF-8,
closed or not, without what controls a terminal.

Exit codes: 0 done; 1 a page could not be cleaned (the others were); 2 wrong usage, rules or input; 3 a
text is empty, where that is asked for; 130 interrupted; 141 the reader of a pipe left.
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
from pathlib import Path
from typing import Any, Final, NoReturn

from webclean import __version__
from webclean.cli.commands import COMMANDS
from webclean.errors import WebcleanError

_NO_CHOICE: Final = re.compile(r"invalid choice: '([^']*)'")


class CommandParser(argparse.ArgumentParser):
    """The parser of a command and of those below it: lines of descriptions and examples stay as they are written."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, formatter_class=argparse.RawDescriptionHelpFormatter)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; an option that is not known ends with code 2 and names the nearest ones."""
        # parse_args of argparse would end at unknown options before they can be compared with the known ones
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{_suggest(unknown, _list_options(self))}")
        return found

    def error(self, message: str) -> NoReturn:
        """Exit with code 2; for a choice that does not exist, with the nearest ones."""
        wrong = _NO_CHOICE.search(message)
        choices = [str(choice) for action in self._actions for choice in action.choices or ()]
        more = _suggest([wrong[1]], choices) if wrong else ""
        # one line: a screen of usage before it would hide what is wrong
        self.exit(2, f"{self.prog}: {message}{more} ({self.prog} --help)\n")


def _list_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The options of a parser and of the commands below it."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _list_options(below)


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
        # a page may hold any character, and the encoding of a terminal or pipe may not: a replacement sign, not a crash
        out.reconfigure(encoding="utf-8", errors="replace")
    clean_out: Any = ClosedStream() if out is None else CleanStream(out)
    clean_err: Any = io.StringIO() if err is None else CleanStream(err)  # messages that nobody reads
    sys.stdout, sys.stderr = clean_out, clean_err
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


_HOMES: Final = {
    **dict.fromkeys(("explain", "blocks", "links", "phone"), "cli.views"),
    "crawl": "cli.batch",
    "mcp": "cli.serve",
    "completion": "cli.terminal",
    **dict.fromkeys(("learn", "compare"), "laboratory.commands"),
}
"""Command -> the module that it shares with others; else it is in a module of its own name. The laboratory stands above
the command line, so only its name is known here."""

EXAMPLES: Final = """examples:
  webclean clean page.html                        the main text; the same as: webclean page.html
  webclean clean page.html --format markdown      ... as Markdown; other formats: webclean clean --help
  webclean clean https://example.org/news/1       a page of the web
  curl -s https://example.org | webclean clean -  from a pipe
  webclean clean --input-dir pages/ -o text/      many pages
  webclean batch crawl.warc.gz -o out --blocks    very many: web archives, tables; rows of pages and blocks
  webclean explain page.html                      why each block is kept or dropped

webclean COMMAND --help (or: webclean help COMMAND) describes a command; README.md and docs/ of the project say more.

exit codes: 0 done, 1 a page failed, 2 wrong usage, rules or input, 130 interrupted, 141 the reader of a pipe left
"""


def build_parser(names: Container[str] = COMMANDS) -> CommandParser:
    """The parser with all commands. Of those that are not in `names` it knows what `--help` lists of them, and their
    modules are not imported.
    """
    about = "Any web page in, typed and explained blocks out."
    parser = CommandParser(prog="webclean", description=about, epilog=EXAMPLES)
    parser.add_argument(
        "-V", "--version", action="version", version=f"webclean {__version__}", help="show the version and exit"
    )
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, summary in COMMANDS.items():
        if name in names:
            getattr(import_module(f"webclean.{_HOMES.get(name, f'cli.{name}')}"), name).add_to(commands)
        else:
            commands.add_parser(name, help=summary)
    return parser


_PAGE: Final = re.compile(r"-|(?:https?|file)://.*|[\w-]+(?:\.[\w-]+)+(?:/.*)?", re.IGNORECASE)
"""Standard input, a URL, a host, or the name of a file with its ending."""


def names_page(word: str) -> bool:
    """Whether a word of the command line is a page, and no option or command."""
    return _PAGE.fullmatch(word) is not None or (word[:1] != "-" and Path(word).is_file())


def _read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command; without one, exit with code 2 and say which there are."""
    if argv[:1] == ["help"]:
        # `webclean help rules new` is what many try first; argparse knows the option alone
        argv = [*argv[1:], "--help"]
    if argv and argv[0] not in COMMANDS and any(map(names_page, argv)) and (argv[0][:1] == "-" or names_page(argv[0])):
        argv = ["clean", *argv]  # `webclean page.html`
    # only the module of the first known word is imported: all of them would make every command start slowly
    command = next((word for word in argv if word in COMMANDS), "")
    parser = build_parser({command})
    args: argparse.Namespace = parser.parse_args(argv)
    if args.run is None:
        parser.error(f"no command: one of {', '.join(COMMANDS)}; webclean --help has examples")
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every error of ours is one line on stderr."""
    with guard_streams():
        return _run(_read_arguments(list(sys.argv[1:] if argv is None else argv)))


def _run(args: argparse.Namespace) -> int:
    try:
        code = int(args.run(args))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # what is left in the buffer is written when Python ends, and would be an error there
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except (WebcleanError, OSError) as error:
        print(f"webclean: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
