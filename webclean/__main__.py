"""`python -m webclean`."""

from __future__ import annotations

import os
import sys

# Python puts the working folder on the path, in which an unpacked crawl may hold a `token.py`
if sys.path[0] == os.getcwd() != os.path.dirname(os.path.dirname(__file__)):  # noqa: PTH109, PTH120  imports nothing
    del sys.path[0]

from webclean.cli import main

if __name__ == "__main__":
    sys.exit(main())
