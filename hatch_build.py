"""The build hooks: compile the core into the wheel; link the package to the repository that it is built from."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from build_core import BuildError, compile_core, find_compiler, is_compiled

ZIGLANG = "ziglang>=0.13,<0.18"
"""A package that is a C compiler."""


class CoreBuildHook(BuildHookInterface[Any]):
    """Called by hatchling before each wheel, also an editable one, whose core stays in the checkout."""

    def dependencies(self) -> list[str]:
        """What pip and uv install beside `build-system.requires` before they build."""
        return [] if is_compiled() or find_compiler() else [ZIGLANG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not is_compiled():
            try:
                compile_core()
            except BuildError as error:
                sys.exit(str(error))  # one sentence, without the stack of calls above it
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


class LinkHook(MetadataHookInterface):
    """`project.urls`: the remote `origin` of the clone, so that a fork links to itself; none where there is none on the
    web. A wheel that is built from an sdist has the links of the sdist.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        source = find_repository(Path(self.root))
        if source:
            metadata["urls"] = {
                "Source": source,
                "Documentation": f"{source}/tree/HEAD/docs",
                "Changelog": f"{source}/blob/HEAD/CHANGELOG.md",
            }


def find_repository(root: Path) -> str:
    """The address of the remote `origin` as a browser opens it, '' if there is none: `git@host:a/b.git` (also with
    `ssh://`) is at `https://host/a/b`.
    """
    if not (root / ".git").exists():
        return ""
    command = ["git", "config", "--get", "remote.origin.url"]
    try:
        origin = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git
        return ""
    found = re.fullmatch(
        r"(?:https?://|ssh://)?(?:[^/@]+@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?[:/](.+?)(?:\.git)?/?", origin
    )
    return f"https://{found[1]}/{found[2]}" if found else ""
