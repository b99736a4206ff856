"""Structure blocks -> semantic blocks with roles (patent A4, step 104)."""

from __future__ import annotations

import numpy as np

from webclean.blocks.features import PageColumns
from webclean.decide import BlockDecisions
from webclean.model import Block, Floats, Link, Reason, Role
from webclean.parse import read_attribute
from webclean.parse.tags import HEADING
from webclean.parse.xpath import build_xpaths
from webclean.rules import RuleSet
from webclean.rules.semantics_schema import Keep
from webclean.semantics.columns import SemanticColumns
from webclean.semantics.cut import cut_page
from webclean.semantics.cut_tree import weigh_text
from webclean.semantics.roles import explain_role, score_roles


def segment_page(columns: PageColumns, rules: RuleSet) -> SemanticColumns:
    """Cut a page into semantic blocks."""
    segments = cut_page(columns.document, weigh_text(columns.document, columns.blocks), rules.semantics.cut)
    return SemanticColumns(columns, segments, rules.semantics)


def build_semantic_blocks(columns: PageColumns, decisions: BlockDecisions, rules: RuleSet) -> tuple[Block, ...]:
    """The semantic blocks of a page, in reading order."""
    found = segment_page(columns, rules)
    card = rules.semantics.roles
    scores = score_roles(found, card)
    roles = [scores.roles[best] for best in scores.best.tolist()]
    keep = score_keeping(found, roles, decisions, rules.semantics.keep)
    texts, links, headings = collect_texts(found), collect_links(found), collect_headings(found)
    segments = found.segments
    made = []
    for number, roots in enumerate(segments.roots):
        kept = bool(keep[number] >= rules.semantics.keep.cut)
        reasons = (
            *explain_role(found, card, scores, number),
            Reason("keep", "words kept + role", f"role {roles[number]}", float(keep[number])),
            Reason("cut", segments.why[number]),
        )
        made.append(
            Block(
                id=f"b{number}",
                role=roles[number],
                kept=kept,
                text=texts[number],
                xpaths=tuple(dict.fromkeys(build_xpaths(columns.document, roots))),
                links=links[number],
                importance=0.0,
                reasons=reasons,
                heading=headings[number],
                parent=None if segments.parent[number] < 0 else segments.parent[number],
            )
        )
    return tuple(made)


def score_keeping(columns: SemanticColumns, roles: list[Role], decisions: BlockDecisions, rules: Keep) -> Floats:
    """float64 [n]: share of a block's words in kept text blocks + the points of its role."""
    words = columns.page.blocks.n_words
    share = columns.sum_text_blocks(words * decisions.kept) / np.maximum(1, columns.sum_text_blocks(words))
    points = np.array([rules.roles.get(str(role), 0.0) for role in roles], dtype=np.float64)
    return np.asarray(share + points, dtype=np.float64)


def collect_texts(columns: SemanticColumns) -> list[str]:
    """The text of each semantic block, one line a text block."""
    parts: list[list[str]] = [[] for _ in columns.segments.roots]
    for text, number in zip(columns.page.blocks.text, columns.segment_of.tolist(), strict=True):
        parts[number].append(text)
    return ["\n".join(part) for part in parts]


def collect_headings(columns: SemanticColumns) -> list[str]:
    """The first heading inside each semantic block, '' where there is none."""
    found = [""] * len(columns.segments)
    blocks = columns.page.blocks
    for index in np.flatnonzero(HEADING[columns.page.document.tag[blocks.row]])[::-1].tolist():
        found[int(columns.segment_of[index])] = blocks.text[index]
    return found


def collect_links(columns: SemanticColumns) -> list[tuple[Link, ...]]:
    """The links of each semantic block in reading order."""
    document = columns.page.document
    parts: dict[int, list[str]] = {row: [] for row in columns.link_rows.tolist()}
    for text, row in zip(document.text, document.link[document.text_owner].tolist(), strict=True):
        if row >= 0 and row in parts:
            parts[row].append(text)
    made: list[list[Link]] = [[] for _ in columns.segments.roots]
    for row, part in parts.items():
        url = (read_attribute(document, row, "href") or "").strip()
        made[int(columns.segments.owner[row])].append(Link(url, " ".join("".join(part).split())))
    return [tuple(links) for links in made]
