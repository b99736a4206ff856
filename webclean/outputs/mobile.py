"""Clean elements of a page -> a self-contained HTML document for a small screen, without scripts or external styles.

A content page is shown as its kept content in order. An index page is shown as one card for each semantic block, the
most important first (patent A8: phones show a page by block). A card lists the entries of its block if it has any,
otherwise the kept content of the block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from webclean.model import Block, Record
from webclean.outputs.flow import Node
from webclean.outputs.flow.head import Head
from webclean.outputs.flow.headline import find_headings, fold, repeats_title
from webclean.outputs.flow.markup import render_blocks
from webclean.outputs.flow.nodes import INLINE, LEAVES
from webclean.outputs.flow.sanitise import IMAGE_SCHEMES, sanitise_url
from webclean.parse.url import split_url

_POLICY: Final = (
    "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
"""Content Security Policy (level 3) of the document: it may load images and nothing else."""

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1c1b1a;--soft:#5d5a56;--line:#d9d5cf;--paper:#fdfcfa;--card:#fff;--link:#0b57b0}
@media (prefers-color-scheme:dark){:root{--ink:#e6e3de;--soft:#a5a19b;--line:#3d3a37;--paper:#161514;--card:#201e1d;
--link:#8ab8f5}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;padding:16px;max-width:42rem;background:var(--paper);color:var(--ink);
font:17px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC",sans-serif;
overflow-wrap:anywhere}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:1.4em 0 .5em;text-wrap:balance}
h1{font-size:1.5rem;margin-top:.3em}h2{font-size:1.25rem}h3{font-size:1.1rem}h4,h5,h6{font-size:1rem}
p,ul,ol,dl,pre,figure,blockquote,.scroll,details{margin:0 0 1em}
a{color:var(--link);text-underline-offset:.15em}
img{display:block;max-width:100%;height:auto;border-radius:4px}
p img{display:inline-block;vertical-align:middle}
ul,ol{padding-inline-start:1.3em}li{margin:.25em 0}li>p{margin:0 0 .5em}li>ul,li>ol{margin:.2em 0}
dt{font-weight:600}dd{margin:0 0 .6em;margin-inline-start:1em}
blockquote{padding-inline-start:.9em;border-inline-start:3px solid var(--line);color:var(--soft)}
figure img{margin:auto}figcaption,.meta{color:var(--soft);font-size:.87rem}
pre,code{font:.87em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{overflow-x:auto;padding:.7em;border:1px solid var(--line);border-radius:6px;background:var(--card)}
pre code{overflow-wrap:normal;font-size:1em}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}
td,th{border:1px solid var(--line);padding:.35em .55em;text-align:start;vertical-align:top;overflow-wrap:normal}
pre,code,math{direction:ltr;unicode-bidi:isolate}math{max-width:100%}math[display=block]{overflow-x:auto;overflow-y:hidden;
margin:0 0 1em}hr{border:0;border-top:1px solid var(--line);margin:1.5em 0}li>input{margin-inline-start:-1.3em}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px;margin:0 0 14px}
.card>:first-child,li>:first-child,blockquote>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
.entries{list-style:none;padding:0;margin:0}.entries>li{padding:10px 0;margin:0;border-top:1px solid var(--line)}
.entries>li:first-child{border-top:0;padding-top:0}.entries img{margin:0 0 .5em}
.entries a{display:inline-block;padding:3px 0}
.entries p{margin:.2em 0 0}
"""


@dataclass(frozen=True, slots=True)
class MobileCard:
    """A semantic block and the clean elements of the part of it that is shown. Without a block: what all further blocks
    show."""

    block: Block | None
    flow: Node


MAX_CARDS: Final = 100
"""Blocks that are shown one by one; those less important are shown as one, for a tree is built for each."""


def render_mobile(heading: Head, flow: Node) -> str:
    """The document of a content page: its kept content in order."""
    direction = flow.attributes.get("dir", "")
    return _render_page(heading, _render_flow(flow), repeats_title(flow, heading.title), direction)


def render_mobile_index(heading: Head, cards: Sequence[MobileCard], *, images: bool = True) -> str:
    """The document of an index page: its blocks as cards, the most important first."""
    ranked = sorted(cards, key=lambda card: -card.block.importance if card.block else 1.0)
    lines = (line for card in ranked for line in _render_card(card, heading.url or None, images))
    direction = next((card.flow.attributes["dir"] for card in ranked if "dir" in card.flow.attributes), "")
    return _render_page(heading, lines, False, direction)


def _render_page(heading: Head, body: Iterable[str], is_titled: bool, direction: str) -> str:
    lang = f' lang="{escape(heading.language)}"' if heading.language else ""
    lang += f' dir="{direction}"' if direction else ""
    host = split_url(heading.url).hostname if sanitise_url(heading.url, None, IMAGE_SCHEMES) else None
    meta = [escape(value) for value in (heading.author, heading.date[:10]) if value]
    if host:
        meta.append(f'<a href="{escape(heading.url)}" rel="noopener noreferrer">{escape(host)}</a>')
    top = [] if is_titled or not heading.title else [f"<h1>{escape(heading.title, quote=False)}</h1>"]
    if meta:
        top.append(f'<p class="meta">{" · ".join(meta)}</p>')
    lines = "\n".join([*top, *body])
    return f"""<!doctype html>
<html{lang}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(heading.title, quote=False)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
{lines}
</main>
</body>
</html>
"""


def _render_flow(flow: Node) -> Iterator[str]:
    return render_blocks(_adapt(flow))


def _adapt(node: Node) -> Node:
    """A copy of the tree in which tables scroll sideways, images load lazily, and links send no referrer."""
    children = [child if isinstance(child, str) else _adapt(child) for child in node.children]
    attributes = dict(node.attributes)
    if node.name == "img":
        attributes["loading"] = "lazy"
    elif node.name == "a":
        attributes["rel"] = "noopener noreferrer"
    elif node.name == "table":
        return Node("div", {"class": "scroll"}, [Node("table", attributes, children)])
    return Node(node.name, attributes, children)


def _render_card(card: MobileCard, base: str | None, images: bool) -> Iterator[str]:
    block = card.block
    if block is None:
        yield '<section class="card" id="more">'
        yield from _render_flow(card.flow)
        yield "</section>"
        return
    yield f'<section class="card" id="{escape(block.id)}">'
    if block.heading and fold(block.heading) not in find_headings(card.flow):
        yield f"<h2>{escape(block.heading, quote=False)}</h2>"
    if block.records and _repeats_records(block, card.flow):
        if block.heading and fold(block.heading) in find_headings(card.flow):
            yield f"<h2>{escape(block.heading, quote=False)}</h2>"
        yield '<ul class="entries">'
        yield from (_render_record(record, base, images) for record in block.records)
        yield "</ul>"
    else:
        yield from _render_flow(card.flow)
    yield "</section>"


def _repeats_records(block: Block, flow: Node) -> bool:
    """Whether every kept word of the block is in its heading or its entries."""
    shown = Counter(fold(block.heading).split())
    for record in block.records:
        for value in (record.title, record.summary, record.date, record.price, record.author):
            shown.update(fold(value or "").split())
    return Counter(fold(_read_spaced(flow)).split()) <= shown


def _read_spaced(node: Node) -> str:
    parts = [child if isinstance(child, str) else _read_spaced(child) for child in node.children]
    return "".join(parts) if node.name in INLINE or node.name in LEAVES else " ".join(parts)


def _render_record(record: Record, base: str | None, images: bool) -> str:
    title = escape(record.title or record.author or "", quote=False)
    url = sanitise_url(record.url, base) if record.url else None
    image = sanitise_url(record.image, base, IMAGE_SCHEMES) if record.image and images else None
    parts = [f'<img src="{escape(image)}" alt="" loading="lazy">'] if image else []
    parts.append(f'<a href="{escape(url)}" rel="noopener noreferrer">{title}</a>' if url else title)
    meta = [escape(value, quote=False) for value in (record.price, record.author, record.date) if value]
    if meta:
        parts.append(f'<p class="meta">{" · ".join(meta)}</p>')
    if record.summary:
        parts.append(f"<p>{escape(record.summary, quote=False)}</p>")
    return f"<li>{''.join(parts)}</li>"
