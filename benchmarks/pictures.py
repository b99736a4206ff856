"""The pictures of the README and of docs/methods.md: what `explain` says of a story, the sections of a portal, the
blocks of a thread, the story on a phone; the blocks of the patent on pages of three types.

usage: python benchmarks/pictures.py [DIR]     (default: docs/pictures)

They show pages of the fixtures as the commands below give them. Chromium is needed, and Playwright and Pillow (extra
`test`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Final

import checkout
from phone_pages import take_pictures

STORY: Final = "fixtures/content/news-en-harbour/input.html"
PORTAL: Final = "fixtures/index/portal-en-front/input.html"
THREAD: Final = "fixtures/content/forum-thread-en/input.html"
TERMINAL: Final = """<!doctype html><meta charset=utf-8>
<style>body{{margin:0;background:#101a1f;color:#d8e2e5;padding:16px}}
pre{{font:13px/1.45 'DejaVu Sans Mono',monospace;margin:0}}b{{color:#7fd6c2}}</style><pre><b>$ {}</b>
{}</pre>"""
COMMANDS: Final = {
    "explain": (f"webclean explain {STORY}", 850, 640),
    "sections": (f"webclean blocks {PORTAL}", 850, 640),
    "blocks": (f"webclean blocks {THREAD} --html OUT", 1000, 750),
    "phone": (f"webclean clean {STORY} --format mobile -o OUT", 390, 750),
    **{
        f"patent-{Path(page).name}": (
            f"webclean blocks fixtures/{page}/input.html --method patent --html OUT",
            600,
            1300,
        )
        for page in ("content/news-en-harbour", "multi_block/museum-visit", "index/portal-en-front")
    },
}
"""Name of the picture -> the command, with OUT where it writes a document; width and height in pixels."""


def make_document(command: str, folder: Path) -> str:
    """The document that a command writes, or one that shows its output as a terminal does."""
    out = folder / "out.html"
    words = [str(out) if word == "OUT" else word for word in command.split()[1:]]
    done = subprocess.run(
        [sys.executable, "-m", "webclean", *words],
        cwd=checkout.CLONE,
        env={**os.environ, "COLUMNS": "104"},
        capture_output=True,
        text=True,
        check=True,
    )
    return out.read_text(encoding="utf-8") if "OUT" in command else TERMINAL.format(command, escape(done.stdout))


def main() -> None:
    """Take the pictures."""
    from PIL import Image  # noqa: PLC0415  of the extra

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else checkout.CLONE / "docs" / "pictures"
    for name, (command, width, height) in COMMANDS.items():
        with tempfile.TemporaryDirectory() as work:
            document = make_document(command, Path(work))
        (picture,) = take_pictures([document], width, height, dark=False)
        Image.open(BytesIO(picture)).convert("RGB").quantize(64).save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
