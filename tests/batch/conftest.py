"""Pages of the fixtures, with an address each."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="jobs on many pages need the extra batch")
pytest.importorskip("fastwarc", reason="jobs on many pages need the extra batch")

from archives import Sample, list_samples


@pytest.fixture(scope="session")
def samples() -> list[Sample]:
    return list_samples()
