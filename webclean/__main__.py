"""`python -m webclean`."""

from __future__ import annotations

import sys

from webclean.cli import main

if __name__ == "__main__":
    sys.exit(main())
