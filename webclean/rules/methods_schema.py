"""Section `methods`: the parameters of the published extraction methods, at the values their sources give."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Count, Pattern, Positive, Section, Share


class PatentBlocks(Section, frozen=True, kw_only=True):
    """Semantic blocks of the patent (A4): which neighbours in the structure-block tree belong together.

    visual: true: a heading or a change of looks parts neighbours.
    url: true: neighbours belong together when their URLs share a semantic centre.
    url_overlap: share of the smaller centre that must be the same. Higher: more, smaller blocks.
    tags: true: neighbours belong together when their tags repeat the same unit.
    gain: true: neighbours belong together when none has most of the text around, and both are links, or neither.
    gain_below: share of the text around that is most of it. Higher: fewer, larger blocks.
    fragment_chars: a block with fewer characters joins its neighbour. Higher: fewer, larger blocks.
    heading_chars: characters of the longest heading. Higher: longer texts are the heading of what follows.
    most_share: a block with more of the page's text is cut. Higher: fewer, larger blocks.
    prominent_chars: a block with fewer characters takes in no neighbours by their looks, and can be an entry of a list.
        Higher: fewer are extended.
    max_css_chars: style sheets are read up to so many characters. Higher: more styles are seen, at some cost.
    """

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
    """Pages of several texts (A6).

    text_by_links: true: a semantic block is a text by its ratio of text to link text (`link_block_ratio`); false: each
        one is.
    drop_others: true drops semantic blocks that are no text, false keeps them as they are.
    """

    text_by_links: bool
    drop_others: bool


class PatentIndex(Section, frozen=True, kw_only=True):
    """Index pages (A7): which semantic blocks are important, and how they are ordered.

    regular_from: share of a block's URLs in one generated family from which they vary regularly. Higher: fewer blocks
        are important.
    min_urls: URLs of a block that can be regular; one with fewer can be an entry of a list. Higher: fewer blocks are
        important.
    tokens_from: mean weight of the marker tokens from which they speak for a block. Higher: fewer blocks are important.
    both: true: an important block is regular and carries tokens; false: one of the two is enough.
    markers: weight of the mean marker token of its URLs (`segments.urls.markers`) in its importance. Higher: blocks
        with links to content come first.
    regularity: weight of that share. Higher: blocks of like links come first.
    size: weight of the square root of its share of the page's text. Higher: long blocks come first.
    """

    regular_from: Share
    min_urls: Count
    tokens_from: float
    both: bool
    markers: float
    regularity: float
    size: float


class PatentTitle(Section, frozen=True, kw_only=True):
    """The title by visual evidence (S305).

    max_chars: characters of the longest title. Higher: longer texts can be one.
    blocks_before: text blocks before the content that may be the title. Higher: titles further up are found.
    blocks_inside: text blocks at the start of the content that may be the title. Higher: titles further down are found.
    """

    max_chars: Count
    blocks_before: Count
    blocks_inside: Count


class PatentMethod(Section, frozen=True, kw_only=True):
    """The patent's method: the steps S301 to S306 of content pages, and what other types ask for.

    copyright: a text block that matches is the copyright notice (S301).
    gain_below: expand to the parent while it gains less than this share of text (S302). Higher: larger content, with
        more around it.
    gained_ratio_above: and while the text gained is more than so many times the link text gained (S302). Higher:
        smaller content.
    extend: true: the content takes in what stands around it and looks like it, and its heading (A4).
    link_block_ratio: an element with fewer characters of text for each character of link text is a link block (S303).
        Higher: more children are removed as links.
    run_length: so many like tags in a row make a child coherent text (S303). Higher: fewer children are safe from
        removal.
    edge_chars: a child at head or tail with fewer characters and no run is noise (S303). Higher: more is cut off the
        ends.
    keep_captions: true keeps the text next to an image, false removes it (S304).
    caption_chars: characters of the longest text that can be a caption. Higher: longer texts next to an image are
        captions.
    """

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
    """Html2Article: the text starts where many characters stand in few lines, and ends where they no longer do.

    window: lines that are counted together. Higher: gaps in the text are bridged, and more around it is taken.
    head_chars: a window with more characters starts the text. Higher: the text starts later, or not at all.
    tail_chars: two windows in a row with at most so many characters end the text. Higher: it ends earlier.
    append: true looks for further stretches of text after the first, false stops there.
    forced_break_lines: in a page with fewer line breaks each text block is a line of its own. Higher: more pages are
        read so.
    """

    window: Annotated[int, Meta(ge=1, le=100)]
    head_chars: Count
    tail_chars: Count
    append: bool
    forced_break_lines: Count


class Methods(Section, frozen=True, kw_only=True):
    """Parameters of the published extraction methods.

    default: the method that decides when a caller names none: `scorecard` (the cards of this project), or one of those
        in docs/methods.md.
    """

    default: str = "scorecard"
    patent: PatentMethod
    line_density: LineDensityMethod
