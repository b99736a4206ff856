"""What cleaning makes of every fixture, kept beside it, so that a change of the rules shows what it changes.

usage: python benchmarks/snapshots.py [--write]

expected.md is the page as Markdown; expected.json its type, its fields and its blocks (role, kept, how the text
begins). Without `--write` the differences are printed, and the exit code is 1 where there are any.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from harness import make_parser
from page_folders import FIXTURES, find_fixtures, read_meta

import webclean

BEGINNING = 60
"""Characters of a block's text by which it is known."""


def render_snapshots(fixture: Path, cleaner: webclean.Cleaner) -> dict[str, str]:
    """File name -> what it should hold."""
    page = cleaner.clean((fixture / "input.html").read_bytes(), url=read_meta(fixture).get("url") or None)
    summary = {
        "page_type": str(page.page_type),
        "page_subtype": page.page_subtype,
        "page_label": page.page_label,
        "title": page.title,
        "date": page.date,
        "author": page.author,
        "language": page.language,
        "blocks": [f"{block.role} {'+' if block.kept else '-'} {_begin(block.text)}".rstrip() for block in page.blocks],
    }
    return {
        "expected.md": f"{page.to_markdown()}\n",
        "expected.json": f"{json.dumps(summary, ensure_ascii=False, indent=1)}\n",
    }


def _begin(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= BEGINNING else f"{line[: BEGINNING - 1]}…"


def find_differences(fixture: Path, cleaner: webclean.Cleaner) -> Iterator[str]:
    """Lines of a unified diff from what is kept beside the fixture to what is made now."""
    for name, now in render_snapshots(fixture, cleaner).items():
        path = fixture / name
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        place = f"{fixture.parent.name}/{fixture.name}/{name}"
        yield from unified_diff(before.splitlines(), now.splitlines(), place, place, lineterm="")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--write", action="store_true", help="keep what is made now")
    options = parser.parse_args(arguments)
    cleaner = webclean.Cleaner()
    n_changed = 0
    for fixture in find_fixtures(FIXTURES):
        lines = list(find_differences(fixture, cleaner))
        n_changed += bool(lines)
        if not options.write:
            print(*lines, sep="\n" if lines else "", end="\n" if lines else "")
        elif lines:
            for name, now in render_snapshots(fixture, cleaner).items():
                (fixture / name).write_text(now, encoding="utf-8")
    print(f"{n_changed} fixtures {'written' if options.write else 'differ'}")
    return int(bool(n_changed) and not options.write)


if __name__ == "__main__":
    raise SystemExit(main())
