"""The tests, a folder a room; and short names for what pytest hands to many of them."""

import pytest

Capture = pytest.CaptureFixture[str]
"""Reads standard output and standard error."""
Patch = pytest.MonkeyPatch
"""Puts things in place of others while a test runs."""
