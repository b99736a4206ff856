"""Ways to make a page run a script, as they are used against sanitisers; each calls `alert(1)`.

`script_vectors.txt` lists them by kind: elements and attributes that run by themselves (a line that begins with another
sign goes on from the one before), addresses that run, with elements that hold them, every handler of events, and markup
that changes its meaning when it is parsed a second time (mutation XSS).
"""

import re
from pathlib import Path


def list_vectors() -> list[str]:
    """All vectors, each once."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^== (.+)\n", text, flags=re.MULTILINE)
    kinds = {name: part.removesuffix("\n").split("\n") for name, part in zip(parts[::2], parts[1::2], strict=True)}
    lines: list[str] = []
    for line in kinds["running"]:
        if lines and not line.startswith(("<", "&")):
            lines[-1] += f"\n{line}"
        else:
            lines.append(line)
    for address in kinds["addresses"]:
        lines += [holder.format(address) for holder in kinds["holders"][: 1 if "&" in address else 3]]
    lines += [holder.format("javascript:alert(1)") for holder in kinds["by address"]]
    events = (event for line in kinds["events"] for event in line.split())
    lines += [f"<b on{event}=alert(1) tabindex=0>the ferry is late</b>" for event in events]
    return list(dict.fromkeys([*lines, *kinds["mutations"]]))
