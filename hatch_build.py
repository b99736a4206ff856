"""The build hook: compile the kernels into the wheel if that is possible here, else build it without them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from build_kernels import compile_kernels


class KernelBuildHook(BuildHookInterface[Any]):
    """Called by hatchling before each wheel, also an editable one, whose kernels stay in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            compile_kernels()
        except (Exception, SystemExit) as error:  # whatever a compiler or its absence may raise
            self.app.display_warning(f"kernels are not compiled, webclean will be slower: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
