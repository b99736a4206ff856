"""Section `methods`: the parameters of the published extraction methods, at the values their sources give."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Pattern
from webclean.rules.section import Count, Positive, Section, Share


class PatentMethod(Section, frozen=True, kw_only=True):
    """Steps S301 to S304 of the patent.

    copyright: a text block that matches is the copyright notice (S301). gain_below, gained_ratio_above: expand to the
    parent while the gain is below and text gained / link text gained is above (S302). link_block_ratio: a child with
    less text for each character of link text is a link block (S303). run_length: that many like tags in a row make a
    child coherent text (S303). edge_chars: a child at head or tail with fewer characters and no run is noise (S303).
    keep_captions: false removes the text next to an image (S304); caption_chars: the longest caption.
    """

    copyright: Pattern
    gain_below: Share
    gained_ratio_above: Positive
    link_block_ratio: Positive
    run_length: Annotated[int, Meta(ge=2)]
    edge_chars: Count
    keep_captions: bool
    caption_chars: Count


class LineDensityMethod(Section, frozen=True, kw_only=True):
    """Html2Article.

    window: lines of a window. head_chars: a window with more characters starts the text. tail_chars: two windows with
    at most so many end it. append: look for further stretches. forced_break_lines: a page with fewer lines is treated
    as one line.
    """

    window: Annotated[int, Meta(ge=1, le=100)]
    head_chars: Count
    tail_chars: Count
    append: bool
    forced_break_lines: Count


class Methods(Section, frozen=True, kw_only=True):
    """`default`: the method that decides when a caller names none."""

    default: str = "scorecard"
    patent: PatentMethod
    line_density: LineDensityMethod
