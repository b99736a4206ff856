"""`webclean completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import argparse
from typing import Any

from webclean.cli.extras import require

_DESCRIPTION = "Print a script by which a shell completes commands, options and files (extra `completion`)."
_EXAMPLES = """examples:
  webclean completion bash > ~/.local/share/bash-completion/completions/webclean
  webclean completion zsh > ~/.zfunc/_webclean     (with ~/.zfunc in fpath)
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "completion", help="complete commands in a shell", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), metavar="SHELL", help="bash, zsh or tcsh")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    require("completion", "shtab")
    import shtab  # noqa: PLC0415  an extra

    from webclean.cli import build_parser  # noqa: PLC0415  which imports this module

    print(shtab.complete(build_parser(), args.shell))
    return 0
