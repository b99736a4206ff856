"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# a busy machine is no failure: time is measured by the tests that are about time
settings.register_profile("webclean", deadline=None)
settings.load_profile("webclean")
