"""Sections of the stage `decide` beside its cards.

How the cards are mixed, the cut, and the page's confidence; `regions` and `corrections`: what is known of a page as a
whole, and how it moves the points of blocks. `methods`: the parameters of the published extraction methods, at the
values that their sources give.
"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Count, Pattern, Positive, Section, Share


class Passes(Section, frozen=True, kw_only=True):
    second: Share = 0.5


class PlainPages(Section, frozen=True, kw_only=True):
    all_below: Positive = 20.0
    none_from: Positive = 40.0


class ArticlePages(Section, frozen=True, kw_only=True):
    share: Share = 0.3
    likely_from: Share = 0.4


class Cut(Section, frozen=True, kw_only=True):
    beta: Positive = 1.0
    spread: Positive = 1.0
    shift: float = 0.0
    least_words: float = 0.0
    least_share: Share = 0.5


class Calibrated(Section, frozen=True, kw_only=True):
    """A page whose cut expects the F score `expected` has reached `reached` on labelled pages, on average."""

    expected: Share
    reached: Share


class Confidence(Section, frozen=True, kw_only=True):
    points: tuple[Calibrated, ...] = (Calibrated(expected=0.0, reached=0.0), Calibrated(expected=1.0, reached=1.0))
    types: dict[str, tuple[Calibrated, ...]] = {}


Against = Annotated[float, Meta(le=0)]


class TypeShares(Section, frozen=True, kw_only=True):
    """How far something counts on a page: the mean of the shares of its types, weighed by their probabilities."""

    types: dict[str, Share] = {}
    others: Share = 0.0

    def average(self, likely: Mapping[str, float]) -> float:
        """How far it counts on one page. likely: type or subtype -> probability, 0 to 1."""
        # what `others` counts goes for all of the page, so a type adds only what it differs by
        differs = 0.0
        for name, share in self.types.items():
            differs += (share - self.others) * likely.get(name, 0.0)
        return self.others + differs


class EmptyTexts(Section, frozen=True, kw_only=True):
    few_words: Count = 0


class RegionKind(Section, frozen=True, kw_only=True):
    """One kind of region that stands under or beside an article without being part of it."""

    points: Against
    counts: TypeShares = TypeShares(others=1.0)
    names: str = ""
    concepts: tuple[str, ...] = ()
    headings: dict[str, tuple[str, ...]] = {}
    openings: dict[str, tuple[str, ...]] = {}
    after_text: bool = False
    most_words: Count = 1_000_000
    most_kept: Share = 1.0
    link_share: Share = 0.0
    in_threads: bool = False


class Threads(Section, frozen=True, kw_only=True):
    """Pages that are a thread: what looks like comments are the posts, which are the content."""

    type: str
    sure_from: Share
    full_from: Share
    names: str
    replies: str
    words_from: Count
    words_full: Count


class Regions(Section, frozen=True, kw_only=True):
    kinds: dict[str, RegionKind] = {}
    states: str = ""
    heading_chars: Count = 90
    words_before: Count = 30
    reviewed: float = 0.0
    threads: Threads = Threads(
        type="forum", sure_from=0.3, full_from=1.0, names="", replies="", words_from=60, words_full=160
    )


class HiddenText(Section, frozen=True, kw_only=True):
    """Text that a `hidden` attribute or an inline style hides, such as a copy of the article for another device."""

    points: Against = 0.0
    least_visible: Share = 0.5
    panels: str = ""
    counts: TypeShares = TypeShares()


class PageEnds(Section, frozen=True, kw_only=True):
    """What stands before the headline and after the last paragraph.

    The main run is kept running text with few dropped blocks between.
    """

    points: Against = 0.0
    no_headline: Against = 0.0
    gap: Count = 0
    reach: Annotated[int, Meta(ge=1)] = 1
    main_share: Share = 0.5
    counts: TypeShares = TypeShares()


class Posts(Section, frozen=True, kw_only=True):
    """What the writers of posts say is kept, be it short or unusual; what the board says in each of them is not."""

    reach: float = 0.0
    over: float = 0.0
    levels: Annotated[int, Meta(ge=1)] = 1
    text_share: Share = 1.0
    least: Annotated[int, Meta(ge=2)] = 3
    alike: Share = 1.0
    furniture: float = 0.0
    apart: Pattern = "a^"


class DataTables(Section, frozen=True, kw_only=True):
    """Data tables that follow kept text are kept with it."""

    share: Share = 0.0
    reach: Count = 3
    least_rows: Count = 3
    least_columns: Count = 2
    most_words: Count = 25
    most_links: Share = 0.3
    counts: TypeShares = TypeShares()


class FactLists(Section, frozen=True, kw_only=True):
    """Several facts in a row, each a label, a colon and a value."""

    points: Annotated[float, Meta(ge=0)] = 0.0
    least: Annotated[int, Meta(ge=1)] = 3
    label_chars: Count = 32
    most_chars: Count = 140
    most_links: Share = 0.5
    counts: TypeShares = TypeShares()


class Structure(Section, frozen=True, kw_only=True):
    """A structure of which most is kept is kept as a whole."""

    least_kept: Share = 0.5
    least_words: Annotated[int, Meta(ge=0)] = 0
    reach: Annotated[float, Meta(ge=0)] = 0.0
    counts: TypeShares = TypeShares()


class Structures(Section, frozen=True, kw_only=True):
    """What a decision must not tear."""

    lists: Structure = Structure()
    figures: Structure = Structure()
    boxes: Structure = Structure()
    bare: Structure = Structure()
    headings: Structure = Structure()
    alike: Structure = Structure()
    introduced: Structure = Structure()
    preformatted: Structure = Structure()


class Stories(Section, frozen=True, kw_only=True):
    """Other stories beside the text."""

    points: Against = 0.0
    least: Annotated[int, Meta(ge=2)] = 2
    most: Annotated[float, Meta(ge=0)] = 1.0
    counts: TypeShares = TypeShares()


class TornLists(Section, frozen=True, kw_only=True):
    """Entries that were dropped between kept ones."""

    least: Count = 6
    times: Annotated[float, Meta(ge=1)] = 2.5
    reach: Annotated[float, Meta(ge=0)] = 3.0
    whole: TypeShares = TypeShares()
    counts: TypeShares = TypeShares()


class Corrections(Section, frozen=True, kw_only=True):
    stories: Stories = Stories()
    hidden: HiddenText = HiddenText()
    posts: Posts = Posts()
    tables: DataTables = DataTables()
    facts: FactLists = FactLists()
    structures: Structures = Structures()
    ends: PageEnds = PageEnds()
    torn: TornLists = TornLists()
    offer: TypeShares = TypeShares()


class PatentBlocks(Section, frozen=True, kw_only=True):
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


class PatentIndex(Section, frozen=True, kw_only=True):
    regular_from: Share
    min_urls: Count
    tokens_from: float
    markers: float
    regularity: float
    size: float


class PatentTitle(Section, frozen=True, kw_only=True):
    max_chars: Count
    blocks_before: Count
    blocks_inside: Count


class PatentMethod(Section, frozen=True, kw_only=True):
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
    index: PatentIndex


class LineDensityMethod(Section, frozen=True, kw_only=True):
    window: Annotated[int, Meta(ge=1, le=100)]
    head_chars: Count
    tail_chars: Count
    append: bool
    forced_break_lines: Count


class Methods(Section, frozen=True, kw_only=True):
    default: str = "scorecard"
    patent: PatentMethod
    line_density: LineDensityMethod
