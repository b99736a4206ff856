"""The parser of arguments: examples as they are written, and what was perhaps meant where a name is not known."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, Final, NoReturn

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
