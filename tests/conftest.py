"""Settings of all tests."""

import os

from hypothesis import settings

# a busy machine is no failure: time is measured by the tests that are about time. In CI the same code sees the same
# examples, so that a run can be repeated; elsewhere every run looks at new ones.
settings.register_profile("webclean", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("webclean")
