"""Structure blocks -> semantic blocks with roles (patent A4, step 104)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webclean.blocks.features import PageColumns
from webclean.blocks.match import RuleMatch
from webclean.decide import BlockDecisions
from webclean.model import Block, Floats, Link, PageType, Reason, Role
from webclean.parse.xpath import build_xpaths
from webclean.rules import RuleSet
from webclean.rules.semantics_schema import Keep, Urls
from webclean.semantics.columns import SemanticColumns
from webclean.semantics.cut import cut_page
from webclean.semantics.cut_tree import weigh_text
from webclean.semantics.importance import explain_importance, rank_blocks
from webclean.semantics.measures import measure_segments
from webclean.semantics.overrides import Override, find_overrides
from webclean.semantics.parts import (
    collect_headings,
    collect_links,
    collect_texts,
    find_block_units,
    is_index,
    read_entries,
)
from webclean.semantics.records import Entry
from webclean.semantics.roles import RoleScores, explain_roles, score_roles
from webclean.semantics.url import UrlEvidence, describe_urls

_NO_RULE = Override()


def segment_page(columns: PageColumns, rules: RuleSet) -> SemanticColumns:
    """Cut a page into semantic blocks."""
    own = weigh_text(columns.document, columns.blocks)
    segments = cut_page(columns.document, own, rules.semantics.cut, rules.semantics.urls)
    return SemanticColumns(columns, segments, rules.semantics)


def build_semantic_blocks(
    columns: PageColumns,
    decisions: BlockDecisions,
    rules: RuleSet,
    page_type: PageType = PageType.CONTENT,
    matches: Sequence[RuleMatch] = (),
) -> tuple[Block, ...]:
    """The semantic blocks of a page, in reading order. matches: the rules that apply to the page."""
    found = segment_page(columns, rules)
    scores = score_roles(found, rules.roles)
    card_roles = [scores.roles[best] for best in scores.best.tolist()]
    entries = read_entries(found, find_block_units(found), card_roles)
    roles, counted = _name_indexes(found, card_roles, entries)
    keep = score_keeping(found, scores, decisions, rules.semantics.keep, page_type)
    links, texts, headings = collect_links(found), collect_texts(found), collect_headings(found)
    urls = [_describe_links(part, rules.semantics.urls) for part in links]
    ranking = rank_blocks(found, roles, urls, rules.semantics.importance)
    explained = explain_roles(found, scores)
    segments, overrides = found.segments, find_overrides(found, matches)
    made = []
    for number, roots in enumerate(segments.roots):
        ruled = overrides.get(number, _NO_RULE)
        reasons = (
            *ruled.reasons,
            *counted[number],
            *explained[number],
            Reason("keep", "worth", f"kept from {rules.semantics.keep.cut}", round(float(keep[number]), 3)),
            *explain_importance(ranking, urls[number], number),
            Reason("cut", segments.why[number]),
        )
        made.append(
            Block(
                id=f"b{number}",
                role=ruled.role or roles[number],
                kept=bool(keep[number] >= rules.semantics.keep.cut) if ruled.kept is None else ruled.kept,
                text=texts[number],
                xpaths=tuple(dict.fromkeys(build_xpaths(columns.document, roots))),
                links=links[number],
                importance=round(float(ranking.value[number]), 3),
                reasons=reasons,
                heading=headings[number],
                parent=None if segments.parent[number] < 0 else segments.parent[number],
                records=tuple(entry.record for entry in entries[number]),
            )
        )
    return tuple(made)


def _name_indexes(
    columns: SemanticColumns, roles: list[Role], entries: list[list[Entry]]
) -> tuple[list[Role], list[tuple[Reason, ...]]]:
    """The roles of the card, but that blocks which list what stands on other pages are indexes."""
    rules = columns.rules.records
    linked = measure_segments(columns, "link_density").tolist()
    named: list[Role] = []
    reasons: list[tuple[Reason, ...]] = []
    for number, (role, found) in enumerate(zip(roles, entries, strict=True)):
        listed = str(role) in rules.index_from and is_index(found, columns.n_chars[number], linked[number], rules)
        named.append(Role.INDEX if listed else role)
        reasons.append((Reason("role", "entries", f"{len(found)} entries of a repeated list"),) if listed else ())
    return named, reasons


def _describe_links(links: tuple[Link, ...], rules: Urls) -> UrlEvidence:
    return describe_urls([link.url for link in links], rules.markers, centre_share=rules.centre_share)


def score_keeping(
    columns: SemanticColumns, scores: RoleScores, decisions: BlockDecisions, rules: Keep, page_type: PageType
) -> Floats:
    """float64 [n]: probability that a block is not noise, and what the decisions on its text blocks say."""
    words = columns.page.blocks.n_words
    share = columns.sum_text_blocks(words * decisions.kept) / np.maximum(1, columns.sum_text_blocks(words))
    weight = rules.text_weight.get(str(page_type), 0.0)
    return np.asarray(1 - scores.share_of(rules.noise) + weight * (share - 0.5), dtype=np.float64)
