"""Section `methods`: the parameters of the published extraction methods, at the values their sources give."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Count, Pattern, Positive, Section, Share


class PatentBlocks(Section, frozen=True, kw_only=True):
    """Semantic blocks of the patent (A4): which neighbours in the structure-block tree belong together."""

    visual: bool
    url: bool
    url_overlap: Share
    tags: bool
    gain: bool
    gain_below: Share
    fragment_chars: Count
    heading_chars: Count
    most_share: Share
    prominent_chars: Count
    max_css_chars: Count


class PatentMultiBlock(Section, frozen=True, kw_only=True):
    """Pages of several texts (A6)."""

    text_by_links: bool
    drop_others: bool


class PatentIndex(Section, frozen=True, kw_only=True):
    """Index pages (A7): which semantic blocks are important, and how they are ordered."""

    regular_from: Share
    min_urls: Count
    tokens_from: float
    both: bool
    markers: float
    regularity: float
    size: float


class PatentTitle(Section, frozen=True, kw_only=True):
    """The title by visual evidence (S305)."""

    max_chars: Count
    blocks_before: Count
    blocks_inside: Count


class PatentMethod(Section, frozen=True, kw_only=True):
    """The patent's method: the steps S301 to S306 of content pages, and what other types ask for."""

    copyright: Pattern
    gain_below: Share
    gained_ratio_above: Positive
    extend: bool
    link_block_ratio: Positive
    run_length: Annotated[int, Meta(ge=2)]
    edge_chars: Count
    keep_captions: bool
    caption_chars: Count
    title: PatentTitle
    blocks: PatentBlocks
    multi_block: PatentMultiBlock
    index: PatentIndex


class LineDensityMethod(Section, frozen=True, kw_only=True):
    """Html2Article: the text starts where many characters stand in few lines, and ends where they no longer do."""

    window: Annotated[int, Meta(ge=1, le=100)]
    head_chars: Count
    tail_chars: Count
    append: bool
    forced_break_lines: Count


class Methods(Section, frozen=True, kw_only=True):
    """Parameters of the published extraction methods."""

    default: str = "scorecard"
    patent: PatentMethod
    line_density: LineDensityMethod
