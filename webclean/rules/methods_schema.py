"""Section `methods`: the parameters of the published extraction methods, at the values their sources give."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Pattern
from webclean.rules.section import Count, Positive, Section, Share


class PatentMethod(Section, frozen=True, kw_only=True):
    """Steps S301 to S304 of the patent.

    copyright: a text block that matches is the copyright notice (S301).
    gain_below: expand to the parent while it gains less than this share of text (S302). Higher: larger content, with
        more around it.
    gained_ratio_above: and while the text gained is more than so many times the link text gained (S302). Higher:
        smaller content.
    link_block_ratio: a child with fewer characters of text for each character of link text is a link block (S303).
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
    link_block_ratio: Positive
    run_length: Annotated[int, Meta(ge=2)]
    edge_chars: Count
    keep_captions: bool
    caption_chars: Count


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
