"""Chosen parts of a page -> its sections: nested by containment, with their blocks, roles and titles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from webclean.caching import cached_property
from webclean.model import Block, Reason, Role, Section, SectionValues, Segmentation
from webclean.parse.limits import check_time, spend_output
from webclean.parse.xpath import build_xpaths
from webclean.rules import RuleSet
from webclean.segments.section_choice import ChosenSections, choose_sections, find_parts
from webclean.segments.section_titles import SectionTitles, Span
from webclean.segments.semantic_page import SemanticPage


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The sections of a page in reading order, each before those inside it.

    parts: their numbers in `chosen`. spans: their elements. above: the section around each, -1 for none. blocks: for
    each, the numbers of the blocks that it holds and no section inside it does. within: the block that each is a part
    of, -1 for none.
    """

    chosen: ChosenSections
    parts: list[int]
    spans: list[Span]
    above: list[int]
    blocks: list[list[int]]
    within: list[int]


def build_outline(chosen: ChosenSections, segments: Segmentation) -> Outline:
    """Nest the taken parts, and place the blocks in them. A part that is just one block and holds no section is none:
    the block says as much."""
    end = chosen.nodes.page.document.end
    spans = {part: _make_span(chosen.list_rows(part), end) for part in chosen.taken}
    blocks = [_make_span(rows, end) for rows in segments.roots]
    bounds = {(block.first, block.end) for block in blocks}
    order = sorted(spans, key=lambda part: (spans[part].first, -spans[part].end))
    parts: list[int] = []
    for at, part in enumerate(order):
        span, after = spans[part], spans[order[at + 1]] if at + 1 < len(order) else None
        if (span.first, span.end) not in bounds or (after is not None and after.first < span.end):
            parts.append(part)
    listed = [spans[part] for part in parts]
    above = _nest(listed)
    return Outline(chosen, parts, listed, above, _place(listed, blocks), _find_within(listed, segments))


def _make_span(rows: Sequence[int], end: Any) -> Span:
    return Span(tuple(rows), rows[0], int(end[rows[-1]]))


def _nest(spans: Sequence[Span]) -> list[int]:
    """The span around each, -1 for none; in document order, those around others first."""
    above: list[int] = []
    around: list[int] = []
    for number, span in enumerate(spans):
        while around and spans[around[-1]].end <= span.first:
            around.pop()
        above.append(around[-1] if around else -1)
        around.append(number)
    return above


def _place(spans: Sequence[Span], blocks: Sequence[Span]) -> list[list[int]]:
    """For each span, the blocks that are whole in it and in no span inside it."""
    held: list[list[int]] = [[] for _ in spans]
    for number, block in enumerate(blocks):
        inmost = -1
        for at, span in enumerate(spans):
            if span.first > block.first:
                break
            if block.end <= span.end:
                inmost = at  # spans come outermost first
        if inmost >= 0:
            held[inmost].append(number)
    return held


def _find_within(spans: Sequence[Span], segments: Segmentation) -> list[int]:
    """The block that each span is a part of, -1 for those of whole blocks."""
    found = []
    for span in spans:
        owners = {int(owner) for owner in segments.owner[span.first : span.end]} - {-1}
        owner = owners.pop() if len(owners) == 1 else -1
        is_part = owner >= 0 and not any(row in segments.roots[owner] for row in span.rows)
        found.append(owner if is_part else -1)
    return found


@dataclass(frozen=True, eq=False)
class SectionDetails:
    """The details of all sections of a page, each computed for all at once when the first `Section` needs it.

    limit: starts the budget in which each kind of detail is computed.
    """

    page: SemanticPage
    outline: Outline
    roles: list[Role]
    blocks: tuple[Block, ...]
    limit: Callable[[], AbstractContextManager[None]]

    def __reduce__(self) -> tuple[Any, ...]:
        """Sections are pickled and copied with the values of all details."""
        values = SectionValues.compute(self)
        return SectionValues, tuple(getattr(values, column.name) for column in fields(values))

    @cached_property
    def titles(self) -> Sequence[str]:
        with self.limit():
            outline, search = self.outline, SectionTitles(self.page.titles, self.page.units)
            found = []
            for number, (span, above) in enumerate(zip(outline.spans, outline.above, strict=True)):
                check_time()
                alone = outline.within[number] < 0 and number not in outline.above and len(outline.blocks[number]) == 1
                around = outline.spans[above] if above >= 0 else None
                is_noise = str(self.roles[number]) in self.page.columns.rules.keep.noise
                found.append(search.find(span, is_noise, around, outline.blocks[number][0] if alone else None))
            return found

    @cached_property
    def texts(self) -> Sequence[str]:
        with self.limit():
            blocks = self.page.columns.page.blocks
            found = []
            for span in self.outline.spans:
                lines = np.flatnonzero((blocks.row >= span.first) & (blocks.row < span.end)).tolist()
                text = "\n".join([blocks.text[line] for line in lines])
                found.append(text if spend_output(len(text)) else "")
            return found

    @cached_property
    def xpaths(self) -> Sequence[tuple[str, ...]]:
        with self.limit():
            document = self.page.columns.page.document
            return [tuple(dict.fromkeys(build_xpaths(document, span.rows))) for span in self.outline.spans]

    @cached_property
    def importance(self) -> Sequence[float]:
        outline = self.outline
        best = [
            max((self.blocks[block].importance for block in [*held, *([within] if within >= 0 else [])]), default=0.0)
            for held, within in zip(outline.blocks, outline.within, strict=True)
        ]
        for number, above in reversed(list(enumerate(outline.above))):
            if above >= 0:
                best[above] = max(best[above], best[number])
        return best

    @cached_property
    def reasons(self) -> Sequence[tuple[Reason, ...]]:
        with self.limit():
            return [tuple(self.outline.chosen.explain(part)) for part in self.outline.parts]


def build_sections(
    page: SemanticPage,
    blocks: tuple[Block, ...],
    rules: RuleSet,
    limit: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> tuple[Section, ...]:
    """The outermost sections of a page, in reading order.

    Args:
        page: its semantic blocks.
        blocks: the same as `Block`, as rules and methods judged them.
        rules: the rules for it.
        limit: starts the budget in which a detail of the sections is computed when it is asked for.
    """
    segments = page.columns.segments
    nodes = find_parts(page.columns.page, rules.segments)
    if not len(nodes):
        return ()
    chosen = choose_sections(nodes, rules.sections, segments, rules.segments)
    outline = build_outline(chosen, segments)
    roles = _find_roles(page, outline, blocks)
    details = SectionDetails(page, outline, roles, blocks, limit)
    inside: list[list[Section]] = [[] for _ in outline.spans]
    outermost: list[Section] = []
    for number in range(len(outline.spans) - 1, -1, -1):
        within, above = outline.within[number], outline.above[number]
        held = tuple(blocks[block] for block in outline.blocks[number])
        below = tuple(reversed(inside[number]))
        made = Section(f"s{number}", roles[number], held, below, None if within < 0 else within, number, details)
        (inside[above] if above >= 0 else outermost).append(made)
    return tuple(reversed(outermost))


def _find_roles(page: SemanticPage, outline: Outline, blocks: Sequence[Block]) -> list[Role]:
    """The role of most of the text of each section."""
    sizes = page.columns.n_chars
    counts: list[dict[Role, float]] = [{} for _ in outline.spans]
    for number in range(len(outline.spans) - 1, -1, -1):
        own, within, above = counts[number], outline.within[number], outline.above[number]
        for block in outline.blocks[number]:
            own[blocks[block].role] = own.get(blocks[block].role, 0.0) + float(sizes[block])
        if within >= 0 and not own:
            own[blocks[within].role] = 1.0  # nothing is added to what is around: its block counts there
        elif above >= 0:
            for role, size in own.items():
                counts[above][role] = counts[above].get(role, 0.0) + size
    return [max(own, key=own.__getitem__, default=Role.OTHER) for own in counts]
