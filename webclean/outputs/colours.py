"""The colours in which pictures and notebooks show the roles of blocks."""

from __future__ import annotations

from typing import Final

COLOURS: Final = {
    "content": "#1a7f37",
    "index": "#0969da",
    "links": "#218bff",
    "related": "#8250df",
    "navigation": "#bc4c00",
    "header": "#9a6700",
    "footer": "#6e7781",
    "sidebar": "#bf3989",
    "advertisement": "#cf222e",
    "form": "#7d4e00",
    "comments": "#1b7c83",
    "media": "#4d2d00",
    "table": "#2da44e",
    "title": "#116329",
    "metadata": "#57606a",
    "dialog": "#953800",
    "hidden": "#afb8c1",
    "other": "#8c959f",
}
