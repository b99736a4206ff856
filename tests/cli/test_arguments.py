"""What the help of every command says of its options is so."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest

from webclean.cli import build_parser


def list_options(parser: argparse.ArgumentParser, path: str = "webclean") -> Iterator[tuple[str, argparse.Action]]:
    """(command and option, option) of all commands below one."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from list_options(below, f"{path} {name}")
        else:
            yield f"{path} {'/'.join(action.option_strings) or action.dest}", action


OPTIONS = dict(list_options(build_parser()))
NUMBERS = {
    name: float(found[1])
    for name, option in OPTIONS.items()
    if (found := re.search(r"\(default: ([\d.]+)\b", option.help or "")) and isinstance(option.default, int | float)
}


REQUIRED = [
    "webclean compare --data",
    *(
        f"webclean learn {target} --data"
        for target in ("author", "date", "fields", "page-type", "page-type-tree", "roles", "scorecard")
    ),
    "webclean learn title --data",
    "webclean learn title-tree --data",
    "webclean rules diff --data",
    *(f"webclean rules {name} -o/--output" for name in ("import-ftr", "pack")),
    *(f"webclean rules tune {name}" for name in ("--data", "--param")),
    "webclean rules unpack -o/--output",
]


@pytest.mark.parametrize("name", NUMBERS)
def test_the_default_number_is_the_one_that_is_told(name: str) -> None:
    assert OPTIONS[name].default == NUMBERS[name]


def test_what_must_be_given_is_asked_for() -> None:
    required = sorted(name for name, option in OPTIONS.items() if option.option_strings and option.required)
    assert required == REQUIRED
