"""Imported once by the process that worker processes are forked from: the shipped rules are read and used, so that a
new worker is ready at once. Importing it cleans a small page and has no other effect."""

from __future__ import annotations

import webclean.server.familiar_tasks
import webclean.server.inspect_tasks
import webclean.server.reading_tasks
import webclean.server.tasks  # noqa: F401  what workers run
from webclean.pipeline import Cleaner

_PAGE = "<title>A ferry</title><h1>A ferry</h1><p>The ferry leaves at nine, and it is full.</p>"

Cleaner().clean(_PAGE, url="https://example.org/a").to_dict(include_reasons=True, include_markdown=True)
