"""What each command says and takes, declared once; a command is a function of its arguments that gives an exit code.

    @command("links", COMMANDS["links"], PAGE, option("--topic", "words of the topic"), *PAGE_OPTIONS)
    def links(args: argparse.Namespace) -> int:
        \"""Rank the links of a page.

        examples:
          webclean links front.html --topic "ferry timetable"
        \"""

The docstring is what `webclean links --help` says: a description above the options, and from `examples:` on what stands
below them. The default of an option is told after its help, so it is written once.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

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

Run = Callable[[argparse.Namespace], int]


@dataclass(frozen=True, slots=True)
class Option:
    """An option or argument: its names, and the keywords of `add_argument`."""

    names: tuple[str, ...]
    keywords: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Group:
    """Options under a heading of their own."""

    title: str
    options: tuple[Option, ...]


_EXAMPLES: Final = re.compile(r"^(?=examples?:)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Command:
    """One command, or one below another; called as its function is. description, examples: None: as the docstring of
    the function says."""

    name: str
    summary: str
    parts: tuple[Option | Group, ...]
    run: Run
    description: str | None = None
    examples: str | None = None

    def add_to(self, commands: Any) -> None:
        """Add its parser. The arguments know it as `parser_of_command`, which ends with code 2 for wrong usage."""
        about, *below = _EXAMPLES.split(inspect.getdoc(self.run) or "", maxsplit=1)
        description, examples = self.description or about, self.examples or "".join(below)
        parser = commands.add_parser(self.name, help=self.summary, description=description, epilog=examples)
        # argparse adds options to a group through the group, others through the parser
        for part in self.parts:
            holder, options = (
                (parser.add_argument_group(part.title), part.options) if isinstance(part, Group) else (parser, (part,))
            )
            for each in options:
                holder.add_argument(*each.names, **each.keywords)
        parser.set_defaults(run=self.run, parser_of_command=parser)


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


def command(
    name: str, summary: str, *parts: Option | Group, description: str | None = None, examples: str | None = None
) -> Callable[[Run], Command]:
    """Decorator that makes a command of the function that runs it."""
    return lambda run: Command(name, summary, parts, run, description, examples)


def option(names: str, help_: str, metavar: str | None = None, type_: Any = None, **more: Any) -> Option:
    """An option, or an argument if its name has no dash. names: separated by commas. more: as of `add_argument`."""
    # 0 is told, for it means something; a flag, a list that grows and an empty text are as they are when not given
    default = " (default: %(default)s)" if more.get("default") not in (None, [], "") else ""
    named = {name: value for name, value in (("metavar", metavar), ("type", type_)) if value is not None}
    return Option(tuple(names.split(",")), {"help": help_ + default, **named, **more})


def flag(names: str, help_: str, **more: Any) -> Option:
    """An option that is given or not."""
    return Option(tuple(names.split(",")), {"help": help_, "action": "store_true", **more})


def group(title: str, *options: Option) -> Group:
    """Options under a heading."""
    return Group(title, options)


EMPTY: Final = 3
"""Exit code where a text is empty or next to it, and the caller asks for one."""
FAIL_EMPTY: Final = flag("--fail-empty", f"exit code {EMPTY} where a text is empty or next to it")
ALLOW_PRIVATE: Final = flag("--allow-private", "fetch from loopback and private addresses too")
RULES: Final = option(
    "--rules",
    "a rule file or folder over the shipped rules; may be repeated, later wins",
    "PATH",
    Path,
    action="append",
    default=[],
)
PROFILE: Final = option("--profile", "a layer of rules by name", "NAME", default="balanced")

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
