"""Broken pages: drawn from strategies of hypothesis, and real ones that are changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seed_hypothesis
from hypothesis import strategies as st
from page_folders import find_fixtures, read_fixture

from webclean.model import Limits
from webclean.storage import unpack

TAGS: Final = """
    html head body title base meta link script style noscript template iframe p div span a b i em strong u s font small
    code pre kbd h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr td th form input
    button select option optgroup textarea label fieldset legend img picture source figure figcaption video audio object
    embed br hr wbr blockquote q cite section article aside nav header footer main details summary dialog svg path title
    desc foreignObject math mi mo mn mrow annotation-xml ruby rb rt rtc rp frameset frame noframes center marquee
    plaintext xmp listing image isindex nobr applet x-card o:p time abbr sub sup mark del ins menu address
""".split()  # noqa: SIM905  a table of words reads better
ATTRIBUTES: Final = (
    *(" type=checkbox", " type=checkbox checked"),
    *("", "", "", " class=x", ' class="content main"', ' class="comment ad"', " id=a", " id=main", ' href="/a/1"'),
    *(' href="//["', ' href="javascript:alert(1)"', ' href="#a"', " href", ' onclick="alert(1)"', ' src="/i.png"'),
    *(" src=http://[::1 ", " hidden", ' style="display:none"', ' style="x:expression(1)"', " colspan=3", " rowspan=9"),
    *(" dir=rtl", " lang=de", ' role="navigation"', ' itemprop="headline"', ' type="application/ld+json"', " start=7"),
    *(' datetime="2024-05-06"', " rel=next", ' name="author" content="Ann Bo"', ' property="og:title" content="One"'),
    *(' charset="gbk"', " =", ' "', " '", " /", ' data-a="&quot;"', " width=1 height=1", ' poster="/p.png"', ' a"b=c'),
)  # fmt: skip
WORDS: Final = (
    *("one ", "two", " three. ", "The ferry leaves the harbour at nine, and everyone waits. ", "\n", "\t", " ", "\0"),
    *("*", "_x_", "1. ", "# h", "- ", "> q", "| a | b |", "`", "```", "~~", "[x](y)", "![", "\\", "$x$", "\\(x\\)"),
    *("&lt;script&gt;", "&amp;", "&#x202e;", "&#0;", "&#xD800;", "&nosuch;", "&#27;", "<", "</", "<!", "<!--", "-->"),
    *("]]>", "<![CDATA[", "<?xml", "漢字。", "ภาษาไทย", "שלום", "\u202e", "\ufeff", "\ud800", "é", "12 May 2024"),
    *('{"@type":"Article","headline":"x"}', "<!doctype html>", "1", "Home", "Comments", "Read more", "© 2024", "\r"),
    *("\u00a0", "$ 12.50", "By Ann Bo", "\x1b[31m"),
)  # fmt: skip

tags = st.builds(
    lambda close, name, attributes, end: f"</{name}{end}" if close else f"<{name}{''.join(attributes)}{end}",
    st.booleans(),
    st.sampled_from(TAGS),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=2),
    st.sampled_from((">",) * 12 + ("/>", "", " ")),
)
pieces = st.one_of(tags, tags, st.sampled_from(WORDS), st.text(max_size=6))
repeated = st.builds(lambda piece, n: piece * n, pieces, st.sampled_from((1,) * 12 + (2, 3, 9, 40)))
pages = st.lists(repeated, max_size=50).map("".join)
"""Broken markup."""


def draw_pages(seed: int) -> Iterator[bytes]:
    """Pages of the strategies, in batches."""
    batch: list[str] = []
    while True:
        seed += 1
        batch.clear()

        @seed_hypothesis(seed)
        @settings(
            max_examples=50,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(pages)
        def collect(page: str) -> None:
            batch.append(page)

        collect()
        for page in batch:
            yield page.encode("utf-8", "surrogatepass")


def change_pages(seed: int, corpus: Sequence[bytes]) -> Iterator[bytes]:
    """Real pages, each changed a few times; a window of long ones, so that most of the time goes into cleaning."""
    rng = random.Random(seed)
    while True:
        data = rng.choice(corpus)
        if len(data) > 20_000:
            start = rng.randrange(len(data) - 10_000)
            data = data[:2_000] + data[start : start + 10_000]
        for _ in range(rng.choice((1, 1, 2, 4, 8))):
            data = rng.choice(_CHANGES)(rng, data, corpus)
        yield data[:200_000]


def _write_piece(rng: random.Random) -> bytes:
    slash = rng.choice(("", "", "/"))
    tag = f"<{slash}{rng.choice(TAGS)}{rng.choice(ATTRIBUTES)}>"
    return rng.choice((tag, tag, rng.choice(WORDS))).encode("utf-8", "surrogatepass") * rng.choice((1, 1, 1, 3, 200))


def _cut(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    first, last = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:first] + data[last:]


def _repeat(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start : start + rng.randrange(1, 400)] * rng.choice((2, 3, 30)) + data[start:]


def _flip(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 5, 50)) if changed else 0):
        changed[rng.randrange(len(changed))] = rng.choice(
            (0, 0x1B, 0x22, 0x26, 0x3C, 0x3E, 0x80, 0xFF, rng.randrange(256))
        )
    return bytes(changed)


def _splice(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    other = rng.choice(corpus)
    start, at = rng.randrange(len(other) + 1), rng.randrange(len(data) + 1)
    return data[:at] + other[start : start + rng.randrange(1, 3_000)] + data[at:]


def _insert(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    places = [found.start() for found in re.finditer(rb"[<>]", data)] or [0]
    at = rng.choice(places)
    return data[:at] + _write_piece(rng) + data[at:]


def _drop_tag(rng: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"<[^<>]*>", data))
    if not found:
        return data
    tag = rng.choice(found)
    return data[: tag.start()] + data[tag.end() :]


_CHANGES: Final[tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...]] = (
    _cut, _repeat, _flip, _splice, _insert, _insert, _insert, _drop_tag, _drop_tag,
)  # fmt: skip


def read_corpus(folder: Path | None) -> list[bytes]:
    """The fixtures, and the HTML files of a folder, also packed ones."""
    found = [read_fixture(path).html for path in find_fixtures()]
    if folder:
        found += [unpack(path.read_bytes(), Limits().max_bytes) for path in sorted(folder.rglob("*.html*"))]
    return found
