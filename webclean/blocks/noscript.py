"""The page inside `noscript` or `noframes`, for pages that show next to nothing without their scripts or frames.

A parser with scripting on reads the content of both as plain text, as browsers do. That markup is parsed separately and
replaces the body; the head is kept, because fields such as the title are read from it. It is not parsed in place, since
an unclosed tag in it would swallow the rest of the page.
"""

from __future__ import annotations

from dataclasses import replace

from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Document, TextBlocks
from webclean.parse import parse_part
from webclean.parse.columns import ParsedNodes, build_document
from webclean.parse.limits import Budget
from webclean.parse.xpath import build_xpath
from webclean.rules.features_schema import NoscriptRules


def find_noscript_page(
    document: Document, blocks: TextBlocks, rules: NoscriptRules
) -> tuple[Document, TextBlocks] | None:
    """The page in the longest `noscript` or `noframes`; None where it is not used.

    It is used when the page itself shows at most `rules.max_visible_words` words and the fallback has enough of them. A
    frameset has no text of its own, so any text in its `noframes` is enough.
    """
    if not document.fallback:
        return None
    n_visible = int(blocks.n_words[blocks.visible].sum())
    if n_visible > rules.max_visible_words:
        return None
    row = max(document.fallback, key=lambda row: len(document.fallback[row]))
    least = 1.0 if find_body(document) is None else max(rules.min_words, rules.min_ratio * n_visible)
    if len(document.fallback[row]) < least:
        return None
    inner = graft_markup(document, row, document.fallback[row])
    if inner is None:
        return None
    found = find_text_blocks(inner)
    return (inner, found) if found.n_words[found.visible].sum() >= least else None


def find_body(document: Document) -> int | None:
    """The row of the body, or None: a frameset has none."""
    return document.names.index("body") if "body" in document.names else None


def graft_markup(document: Document, row: int, markup: str) -> Document | None:
    """The document with markup of one of its elements, such as `noscript`, as its body; None where it is a frameset.

    XPaths of the new document all point at that element (`anchor`), because the original page has no other elements for
    them.
    """
    inner = parse_part(markup, document)
    inner_body = find_body(inner)
    if inner_body is None:
        return None
    body = find_body(document)
    if body is None:
        body = document.names.index("frameset")
    cut, moved = body + 1, body - inner_body
    head_texts = [i for i, owner in enumerate(document.text_owner.tolist()) if owner < body]
    body_texts = [i for i, owner in enumerate(inner.text_owner.tolist()) if owner >= inner_body]
    first = inner_body + 1
    walk = ParsedNodes(
        names=[*document.names[:body], "body", *inner.names[first:]],
        parent=document.parent[:cut].tolist() + [above + moved for above in inner.parent[first:].tolist()],
        attrs=[*document.attrs[:cut], *inner.attrs[first:]],
        text=[document.text[i] for i in head_texts] + [inner.text[i] for i in body_texts],
        text_owner=[int(document.text_owner[i]) for i in head_texts]
        + [int(inner.text_owner[i]) + moved for i in body_texts],
        text_next=[min(cut, int(document.text_next[i])) for i in head_texts]
        + [int(inner.text_next[i]) + moved for i in body_texts],
        raw={at: kept for at, kept in document.raw.items() if at < body}
        | {at + moved: kept for at, kept in inner.raw.items() if at > inner_body},
    )
    source = replace(document.source, part=document.names[row])
    made = build_document(walk, source, document.engine, document.url, Budget(truncate=True))
    return replace(made, truncated=document.truncated, anchor=build_xpath(document, row))
