"""What asks for no page starts without what cleaning needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from webclean.cli import COMMANDS, build_parser

CLEANING = ("numpy", "lxml", "yaml", "webclean.parse", "webclean.model")
SLOW = (*CLEANING, "asyncio")
PROGRAM = "import sys; from webclean.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"


@pytest.mark.parametrize(
    ("argv", "slow"),
    [
        (["--help"], ()),
        (["help"], ()),
        (["claen"], ()),
        ([], ()),
        (["--version"], ()),
        (["completion", "--help"], ()),
        (["clean", "--help"], CLEANING),
        (["explain", "--help"], CLEANING),
    ],
)
def test_little_is_imported_where_no_page_is_cleaned(argv: list[str], slow: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *argv], capture_output=True, text=True, check=False)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert {name for name in SLOW if name in loaded} - set(slow) == set()
    assert "webclean.cli" in loaded


def test_what_is_listed_of_a_command_is_what_its_module_says() -> None:
    assert build_parser(()).format_help() == build_parser().format_help()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_known_before_its_module_is_imported(name: str) -> None:
    assert build_parser(()).parse_args([name]).run is None
