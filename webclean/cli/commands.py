"""What each command says and takes: a command is a function that gives an exit code, and its signature is its options.

    @command()
    def links(*, page: Page = None, topic: Annotated[str, "words of the topic"] = "", options: PageOptions) -> int:
        \"""Rank the links of a page.

        examples:
          webclean links front.html --topic "ferry timetable"
        \"""

The docstring is what `webclean links --help` says: a description above the options, and from `examples:` on what stands
below them. Of a parameter, the annotation gives the type, the help, and perhaps what stands for its value and its names
(`Annotated[Path, "the file", "FILE", "-o,--output"]`), or an `Option` that says more. The default is told after the
help, and a parameter without one must be given. `bool` is a flag, which is off, `Literal` is a choice, and a tuple is
an option that may be repeated. A parameter of a dataclass stands for the options that its fields are, under a heading
if it is annotated with one: so options that several commands have are written once.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from webclean.errors import InputError

COMMANDS: Final = {
    "clean": "clean pages",
    "explain": "why a page has its type and each block its fate",
    "blocks": "the sections and semantic blocks of a page",
    "links": "the links of a page, ranked by topic",
    "phone": "a page for a phone, in parts where it is long",
    "batch": "clean many pages: folders, web archives, tables",
    "crawl": "the pages of a site into tables, politely, those on a topic first",
    "rules": "see, test, compare and tune rule sets",
    "sites": "learn the templates of a site, check what was learnt",
    "serve": "reading mode, a workbench and a JSON API over HTTP",
    "mcp": "serve pages to language models",
    "learn": "learn rules from labelled pages and write them as YAML",
    "compare": "score all methods and peers on labelled pages",
    "completion": "complete commands in a shell",
}
"""Command -> what `webclean --help` says of it, in that order; here, for the list needs no module of a command."""


class UsageError(InputError):
    """Arguments contradict each other; the command ends with code 2 and names its help."""


@dataclass(frozen=True, slots=True)
class Option:
    """What is said of a parameter beside its type: the texts that it is annotated with are the first three.

    names: separated by commas, where they are not `--` and the parameter's name. nargs: of an argument, which has no
    dashes: `?`, `*`, `+`, or '' for just one. read: makes the value of a word, where the type does not.
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
        # 0 is told, for it means something; a list that grows and an empty text are as they are when not given
        told = " (default: %(default)s)" if default not in (None, (), "", _NONE) else ""
        keywords: dict[str, Any] = {
            "help": f"{self.help}{told}",
            "metavar": self.metavar,
            "choices": self.choices or (kinds if is_choice else None),
            "type": self.read or (None if is_choice or kinds[0] is str else kinds[0]),
            "default": [] if is_many else None if is_asked else default,
        }
        if self.nargs is not None:
            holder.add_argument(name, nargs=self.nargs or None, **keywords)
        else:
            holder.add_argument(
                *names, dest=name, required=is_asked, action="append" if is_many else "store", **keywords
            )


_NONE: Final = inspect.Parameter.empty


def _list_parameters(of: Callable[..., Any]) -> Iterator[tuple[str, Any, tuple[Any, ...], Any]]:
    """(name, type, what it is annotated with, default) of the parameters of a function, the fields of a dataclass."""
    hints = get_type_hints(of, include_extras=True)
    for name, parameter in inspect.signature(of).parameters.items():
        kind, *about = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        yield name, kind, tuple(about), parameter.default


def _is_group(kind: Any) -> bool:
    return is_dataclass(kind)


def _add_options(holder: Any, of: Callable[..., Any]) -> None:
    for name, kind, about, default in _list_parameters(of):
        if _is_group(kind):
            _add_options(holder.add_argument_group(*about) if about else holder, kind)
        else:
            (about[0] if isinstance(about[0], Option) else Option(*about)).add_to(holder, name, kind, default)


def _take_values(of: Callable[..., Any], values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a function or dataclass, among those of a command."""
    taken = {}
    for name, kind, *_ in _list_parameters(of):
        value = kind(**_take_values(kind, values)) if _is_group(kind) else values[name]
        taken[name] = tuple(value) if isinstance(value, list) else value
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
        parser.set_defaults(run=partial(self._run_parsed, parser))

    def _run_parsed(self, parser: argparse.ArgumentParser, args: argparse.Namespace) -> int:
        try:
            return self.run(**_take_values(self.run, vars(args)))
        except UsageError as error:
            parser.error(str(error))


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

    def make(run: Callable[..., int]) -> Command:
        name = run.__name__.replace("_", "-")
        return Command(name, summary or COMMANDS[name], run)

    return make


EMPTY: Final = 3
"""Exit code where a text is empty or next to it, and the caller asks for one."""
FailEmpty = Annotated[bool, f"exit code {EMPTY} where a text is empty or next to it"]
AllowPrivate = Annotated[bool, "fetch from loopback and private addresses too"]
Rules = Annotated[tuple[Path, ...], "a rule file or folder over the shipped rules; may be repeated, later wins", "PATH"]
Profile = Annotated[str, "a layer of rules by name", "NAME"]

_PUBLISHED: Final = {"sklearn": "scikit-learn", "PIL": "pillow"}
"""Module -> the package to install, where the names differ."""


def require(task: str, *modules: str) -> None:
    """Raise `InputError` that says what to install, if a module is missing. task: begins the message: `learning`."""
    missing = [_PUBLISHED.get(name, name) for name in modules if find_spec(name) is None]
    if missing:
        raise InputError(f"{task} needs {' and '.join(missing)}: pip install {name_extra(missing)}")


_NAME: Final = re.compile(r"[\w.-]+")
_EXTRA: Final = re.compile(r"""extra == ['"]([\w-]+)['"]""")


def name_extra(packages: Sequence[str]) -> str:
    """What installs packages: the smallest extra that holds them all, of the clone or of what is published; without one
    their names."""
    from importlib import metadata  # noqa: PLC0415  takes as long to import as all else that `--help` needs

    holds: dict[str, set[str]] = {}
    try:
        required = metadata.requires("webclean") or []
    except metadata.PackageNotFoundError:
        required = []
    for line in required:
        name, extra = _NAME.match(line), _EXTRA.search(line)
        if name and extra:
            holds.setdefault(extra[1], set()).add(name[0].lower())
    fitting = sorted((len(names), extra) for extra, names in holds.items() if names.issuperset(packages))
    if not fitting:
        return " ".join(packages)
    clone = Path(__file__).parents[2]
    where = "webclean" if not (clone / "pyproject.toml").exists() else "." if clone == Path.cwd() else str(clone)
    return f'"{where}[{fitting[0][1]}]"'
