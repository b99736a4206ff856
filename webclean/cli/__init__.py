"""The command line: its commands, the parser of arguments and the streams that they write to; no logic of its own.

A command is in the module of its name, or in one with similar commands (`_HOMES`). The help of a command shows its
examples as they are written, and the message for an unknown name suggests similar ones. Both streams are UTF-8, even if
the caller closed them, and never hold characters that control a terminal.

Exit codes: 0 done; 1 a page could not be cleaned (the others were); 2 wrong usage, rules or input; 3 a text is empty,
with `--fail-empty`; 130 interrupted; 141 the reader of a pipe left.

A command is a function that returns an exit code. Its signature declares its options:

    @command()
    def links(*, page: Page = None, topic: Annotated[str, "words of the topic"] = "", options: PageOptions) -> int:
        \"""Rank the links of a page.

        examples:
          webclean links front.html --topic "ferry timetable"
        \"""

`webclean links --help` shows the docstring: the description above the options, and from `examples:` on the rest below
them. The annotation of a parameter gives its type, its help, and perhaps its metavar and its names
(`Annotated[Path, "the file", "FILE", "-o,--output"]`), or an `Option` for more. The help ends with the default; a
parameter without a default is required. `bool` is a flag, off by default; `Literal` is a choice; a tuple is an option
that may be repeated. A parameter whose type is a dataclass stands for the options that the annotated fields of that
class declare, under a heading if it is annotated with one. So options that several commands share are written once.
"""

from __future__ import annotations

import argparse
import errno
import inspect
import io
import os
import re
import signal
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, NoReturn, get_args, get_origin, get_type_hints

from webclean import __version__
from webclean.errors import InputError, WebcleanError

COMMANDS: Final = {
    "clean": "clean pages",
    "explain": "why a page has its type and each block its fate",
    "blocks": "the sections and semantic blocks of a page",
    "links": "the links of a page, ranked by topic",
    "phone": "a page for a small screen, in one file",
    "batch": "clean many pages: folders, web archives, tables",
    "crawl": "the pages of a site into tables, politely, those on a topic first",
    "rules": "see, check, test and start rule sets",
    "sites": "learn the templates of a site",
    "serve": "reading mode, a workbench and a JSON API over HTTP",
    "mcp": "serve pages to language models",
    "learn": "learn rules from labelled pages and write them as YAML",
    "compare": "score all methods and peers on labelled pages",
}
"""Command -> its line in `webclean --help`, in this order. They stand here so that `--help` imports no command."""


class UsageError(InputError):
    """Arguments contradict each other; the command ends with code 2 and names its help."""


@dataclass(frozen=True, slots=True)
class Option:
    """What is said of a parameter beside its type. Texts that a parameter is annotated with are the first three fields.

    names: separated by commas, if they are not `--` and the parameter's name. nargs: of an argument without dashes:
    `?`, `*`, `+`, or '' for exactly one. read: turns a word into the value, if the type does not.
    """

    help: str
    metavar: str | None = None
    names: str = ""
    nargs: str | None = None
    choices: Sequence[str] | None = None
    read: Callable[[str], object] | None = None

    def add_to(self, holder: Any, name: str, kind: Any, default: Any) -> None:
        """Add it to a parser or a group. kind: the annotated type."""
        names, is_asked = (self.names or f"--{name.replace('_', '-')}").split(","), default is _NONE
        if kind is bool:
            holder.add_argument(*names, help=self.help, action="store_true", dest=name)
            return
        is_many, kinds = get_origin(kind) is tuple, [kind]
        while get_args(kinds[0]):
            kinds = [one for one in get_args(kinds[0]) if one is not NoneType]
        is_choice = isinstance(kinds[0], str)
        # a default that means nothing (None, an empty list, an empty text) is not shown; 0 means something
        told = " (default: %(default)s)" if default not in (None, (), "", _NONE) else ""
        more: dict[str, Any] = {"dest": name, "required": is_asked, "action": "append" if is_many else "store"}
        if self.nargs is not None:
            names, more = [name], {"nargs": self.nargs or None}
        holder.add_argument(
            *names,
            help=f"{self.help}{told}",
            metavar=self.metavar,
            choices=self.choices or (kinds if is_choice else None),
            type=self.read or (None if is_choice or kinds[0] is str else _read_numbers(kinds[0])),
            default=[] if is_many else None if is_asked else default,
            **more,
        )


def _read_numbers(kind: Any) -> Any:
    """What reads a value of a type. For numbers it refuses those below zero, infinity and NaN."""
    if kind not in (int, float):
        return kind

    def read(word: str) -> Any:
        number = kind(word)
        if not 0 <= number <= sys.maxsize:
            raise argparse.ArgumentTypeError(f"not a number from 0 to {sys.maxsize}: {word!r}")
        return number

    read.__name__ = kind.__name__
    return read


_NONE: Final = inspect.Parameter.empty


def _list_parameters(of: Callable[..., Any]) -> Iterator[tuple[str, Any, tuple[Any, ...], Any]]:
    """(name, type, what it is annotated with, default) of the parameters of a function, the fields of a dataclass."""
    hints = get_type_hints(of, include_extras=True)
    for name, parameter in inspect.signature(of).parameters.items():
        kind, *about = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        yield name, kind, tuple(about), parameter.default


def _add_options(holder: Any, of: Callable[..., Any]) -> None:
    for name, kind, about, default in _list_parameters(of):
        if isinstance(kind, type) and is_dataclass(kind):
            _add_options(holder.add_argument_group(*about) if about else holder, kind)
        elif about:
            (about[0] if isinstance(about[0], Option) else Option(*about)).add_to(holder, name, kind, default)


def _take_values(of: Callable[..., Any], values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a function or dataclass, among those of a command."""
    taken: dict[str, Any] = {}
    for name, kind, about, _ in _list_parameters(of):
        if isinstance(kind, type) and is_dataclass(kind):
            taken[name] = kind(**_take_values(kind, values))
        elif about:
            taken[name] = tuple(values[name]) if isinstance(values[name], list) else values[name]
    return taken


_EXAMPLES: Final = re.compile(r"^(?=examples?:)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Command:
    """One command, or one below another."""

    name: str
    summary: str
    run: Callable[..., int]

    def add_to(self, commands: Any) -> None:
        """Add its parser."""
        about, *below = _EXAMPLES.split(inspect.getdoc(self.run) or "", maxsplit=1)
        parser = commands.add_parser(self.name, help=self.summary, description=about, epilog="".join(below))
        _add_options(parser, self.run)
        parser.set_defaults(run=self.run, refuse=parser.error)


@dataclass(frozen=True, slots=True)
class Family:
    """A command with commands below it, of which one must be named. metavar: what these are called."""

    name: str
    metavar: str
    commands: tuple[Command, ...]
    examples: str | None = None

    def add_to(self, commands: Any) -> None:
        """Add its parser and those below."""
        parser = commands.add_parser(self.name, help=COMMANDS[self.name], epilog=self.examples)
        below = parser.add_subparsers(metavar=self.metavar, required=True)
        for each in self.commands:
            each.add_to(below)


def command(summary: str = "") -> Callable[[Callable[..., int]], Command]:
    """Decorator that makes a command of a function. summary: what the list of commands says, if that is no
    `COMMANDS`."""
    return lambda run: Command(name := run.__name__.replace("_", "-"), summary or COMMANDS[name], run)


EMPTY: Final = 3
"""Exit code where a text is empty or next to it, and the caller asks for one."""
FailEmpty = Annotated[bool, f"exit code {EMPTY} where a text is empty or next to it"]
AllowPrivate = Annotated[bool, "fetch from loopback and private addresses too"]
Rules = Annotated[tuple[Path, ...], "a rule file or folder over the shipped rules; may be repeated, later wins", "PATH"]
Profile = Annotated[str, "a layer of rules by name", "NAME"]


def require(task: str, extra: str, *modules: str) -> None:
    """Raise `InputError` that names the extra to install, of the clone or of what is published, if a module is missing.
    task: begins the message: `learning`."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        clone = Path(__file__).parents[2]
        where = "webclean" if not (clone / "pyproject.toml").exists() else "." if clone == Path.cwd() else clone
        raise InputError(f'{task} needs {" and ".join(missing)}: pip install "{where}[{extra}]"')


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
        wrong = re.search(r"invalid choice: '([^']*)'", message)
        choices = [str(choice) for action in self._actions for choice in action.choices or ()]
        more = _suggest([wrong[1]], choices) if wrong else ""
        # one line: a screen of usage before it would hide what is wrong
        self.exit(2, f"{self.prog}: {message}{more} ({self.prog} --help)\n")


def _list_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The options of a parser and of the commands below it."""
    for action in parser._actions:
        yield from action.option_strings
        for below in action.choices.values() if isinstance(action, argparse._SubParsersAction) else ():
            yield from _list_options(below)


def _suggest(wrong: Sequence[str], known: Iterable[str]) -> str:
    """`; did you mean --format?` for the names that are near one that is known, '' if none is."""
    names = list(dict.fromkeys(known))
    near = [found for word in wrong for found in get_close_matches(word.partition("=")[0], names, n=2)]
    return f"; did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""


_PLAIN: Final = re.compile(r"[\t\n\r -~]*")
"""Text that no control character can be in."""


class CleanStream:
    """A text stream that leaves out control characters, which file names, addresses and class names may hold. All else
    is left to the stream below."""

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
    """The parser of all commands. Only the modules of those in `names` are imported; of the others it knows the line
    in `--help`."""
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
        args = _read_arguments(list(sys.argv[1:] if argv is None else argv))
        try:
            code = int(args.run(**_take_values(args.run, vars(args))))
            sys.stdout.flush()
            return code
        except UsageError as error:
            return int(args.refuse(str(error)))
        except BrokenPipeError:
            # the rest of the buffer would be written when Python ends, and raise an error there
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 128 + signal.SIGPIPE
        except (WebcleanError, OSError) as error:
            print(f"webclean: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            return 130
