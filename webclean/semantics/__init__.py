"""Structure blocks -> semantic blocks with roles (patent A4, step 104)."""

from __future__ import annotations

import numpy as np

from webclean.blocks.features import PageColumns
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
from webclean.semantics.parts import collect_headings, collect_links, collect_texts, find_block_units, read_records
from webclean.semantics.roles import RoleScores, explain_roles, score_roles
from webclean.semantics.units import Unit
from webclean.semantics.url import UrlEvidence, describe_urls


def segment_page(columns: PageColumns, rules: RuleSet) -> SemanticColumns:
    """Cut a page into semantic blocks."""
    segments = cut_page(columns.document, weigh_text(columns.document, columns.blocks), rules.semantics.cut)
    return SemanticColumns(columns, segments, rules.semantics)


def build_semantic_blocks(
    columns: PageColumns, decisions: BlockDecisions, rules: RuleSet, page_type: PageType = PageType.CONTENT
) -> tuple[Block, ...]:
    """The semantic blocks of a page, in reading order."""
    found = segment_page(columns, rules)
    scores = score_roles(found, rules.roles)
    units = find_block_units(found)
    roles, counted = _name_indexes(found, scores, units)
    keep = score_keeping(found, scores, decisions, rules.semantics.keep, page_type)
    links, texts, headings = collect_links(found), collect_texts(found), collect_headings(found)
    urls = [_describe_links(part, rules.semantics.urls) for part in links]
    ranking = rank_blocks(found, roles, urls, rules.semantics.importance)
    records = read_records(found, units, roles)
    explained = explain_roles(found, scores)
    segments = found.segments
    made = []
    for number, roots in enumerate(segments.roots):
        reasons = (
            *counted[number],
            *explained[number],
            Reason("keep", "worth", f"kept from {rules.semantics.keep.cut}", round(float(keep[number]), 3)),
            *explain_importance(ranking, urls[number], number),
            Reason("cut", segments.why[number]),
        )
        made.append(
            Block(
                id=f"b{number}",
                role=roles[number],
                kept=bool(keep[number] >= rules.semantics.keep.cut),
                text=texts[number],
                xpaths=tuple(dict.fromkeys(build_xpaths(columns.document, roots))),
                links=links[number],
                importance=round(float(ranking.value[number]), 3),
                reasons=reasons,
                heading=headings[number],
                parent=None if segments.parent[number] < 0 else segments.parent[number],
                records=records[number],
            )
        )
    return tuple(made)


def _name_indexes(
    columns: SemanticColumns, scores: RoleScores, units: list[list[Unit]]
) -> tuple[list[Role], list[tuple[Reason, ...]]]:
    """The roles of the card, but that blocks of many entries, mostly links, are indexes."""
    rules = columns.rules.records
    linked = measure_segments(columns, "link_density").tolist()
    roles: list[Role] = []
    reasons: list[tuple[Reason, ...]] = []
    for best, entries, density in zip(scores.best.tolist(), units, linked, strict=True):
        role = scores.roles[best]
        is_list = len(entries) >= rules.index_units and density >= rules.index_link_density
        is_index = is_list and str(role) in rules.index_from
        roles.append(Role.INDEX if is_index else role)
        reasons.append((Reason("role", "entries", f"{len(entries)} entries of a repeated list"),) if is_index else ())
    return roles, reasons


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
