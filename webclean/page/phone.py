"""What the phone page is made of: its layout, the kept content by block, the price of a product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from webclean.model import Block, PageType
from webclean.outputs.flow import RenderOptions, build_flow
from webclean.outputs.phone import Layout, PhoneSource
from webclean.page.analysis import Analysis
from webclean.segments import segment_page

_LAYOUTS: Final = {"forum": Layout.THREAD, "product": Layout.PRODUCT, "documentation": Layout.DOCUMENTATION}
"""Subtype -> layout of its phone page, where it is no article."""


def choose_layout(page_type: PageType, subtype: str | None) -> Layout:
    """How a page of a type is shown: as cards, as posts, ..., else as an article."""
    return Layout.INDEX if page_type is PageType.INDEX else _LAYOUTS.get(subtype or "", Layout.ARTICLE)


def find_amount(analysis: Analysis) -> str:
    """The first amount of money that a short kept text shows; '' if there is none."""
    columns, rules = analysis.columns, analysis.rules.phone
    for block in np.flatnonzero(analysis.decisions.kept)[: rules.title_nodes].tolist():
        text = columns.blocks.text[block]
        if len(text) <= rules.label_chars and (found := columns.prices_dates.price_texts.search(text)):
            return str(found.group(0)).strip()
    return ""


def list_phone_sources(
    analysis: Analysis, blocks: Sequence[Block], base: str | None, *, images: bool
) -> list[PhoneSource]:
    """The kept content with the semantic blocks it is of. base: the URL that links of the page start from."""
    columns = analysis.columns
    shown = RenderOptions(
        images=images, image_attributes=analysis.rules.fields.images.attributes, tools=analysis.rules.tools
    )
    flow = build_flow(columns.document, columns.blocks, analysis.decisions.kept, shown)
    semantic = segment_page(columns, analysis.rules, analysis.decisions)
    owner = semantic.columns.segments.owner[columns.document.block]
    return [PhoneSource(flow, blocks, owner, semantic.record_spans, base)]
