"""Pages of the fixtures, with an address each. Without the extra `batch` nothing of this folder is collected."""

from typing import Any

import pytest

try:
    import archives
    import fastwarc  # noqa: F401
except ImportError:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def samples() -> list[Any]:
    return list(archives.list_samples())
