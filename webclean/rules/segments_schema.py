"""Section `segments`: how structure blocks become semantic blocks, and what those are for (patent A4, A7)."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Pattern
from webclean.rules.section import Count, FeatureName, Section, Share


class SegmentCut(Section, frozen=True, kw_only=True):
    """Granularity. The candidate with the largest height + share of the text is split until there are enough blocks.

    blocks: wanted number of blocks. small_share: blocks below this share of the page's text do not count.
    list_height: a list is not split up to this height of the collapsed tree. flat_height: nor is any node up to this
    height, unless enough of its children start with a heading. headings: so many are enough; each child is then a block
    of its own. whole: elements that are not split. whole_height: up to this height.
    merge_share: neighbours that are both smaller than this share merge. url: neighbours merge when the semantic centres
    of their URLs overlap. url_overlap: by this much. tags: neighbours with the same tag sequence merge.
    visual: no merging where a heading, font, size, weight, colour, background or border changes. max_css_chars: style
    sheets are read up to this length. gain: a node none of whose children holds most of its text is not split.
    gain_above: this share is most of it. gain_share: only nodes below this share of the page's text.
    """

    blocks: Annotated[int, Meta(ge=1, le=1000)]
    small_share: Share
    list_height: Count
    flat_height: Count
    headings: Annotated[int, Meta(ge=1)]
    whole: tuple[str, ...] = ()
    whole_height: Count = 0
    merge_share: Share = 0.0
    url: bool = False
    url_overlap: Share = 1.0
    tags: bool = False
    visual: bool = False
    max_css_chars: Count = 0
    gain: bool = False
    gain_above: Share = 0.0
    gain_share: Share = 0.0


class RoleLine(Section, frozen=True, kw_only=True):
    """Points for each role where a feature is below `below` (the last line: for all the other values)."""

    points: dict[str, float]
    below: float | None = None
    because: str = ""


class Roles(Section, frozen=True, kw_only=True):
    """A score card with one column a role: points are summed, the role with the most wins.

    bias: points each role starts with; only roles named here are given. lines: feature -> its lines, as learnt.
    given: the same, from what standards and conventions say; learning leaves them alone.
    """

    bias: dict[str, float]
    lines: dict[FeatureName, tuple[RoleLine, ...]]
    given: dict[FeatureName, tuple[RoleLine, ...]] = {}


class Keep(Section, frozen=True, kw_only=True):
    """Which semantic blocks are kept.

    noise: roles that are noise; a block's worth is the probability, by its role points, that it is none of them.
    text_weight: page type -> weight of the share of the block's words in kept text blocks, less one half.
    cut: a block is kept when the sum of both reaches it.
    """

    noise: tuple[str, ...]
    text_weight: dict[str, float]
    cut: float


class Records(Section, frozen=True, kw_only=True):
    """Entries of repeated lists.

    min_units: fewest entries of a list. agreement: share of the occurrences of a tag that must agree for the repeated
    unit to grow. entries: share of the units that must look like entries. coverage: of the list's text in its entries;
    nested_coverage: of an entry's text in a list inside, for that list's entries to be taken instead. link_share: a
    unit is an entry when that share of its text is link text.
    index_units, index_link_density: entries, and share of link text, that make a block an index. teaser_units: with
    less link text, so many entries do. teaser_coverage: when they hold this share of its text. teaser_chars: and are no
    longer than this in the mean.
    cells_alike: share of a row's cells that must hold the same tags for the cells to be entries, and not the row.
    index_from: roles of the card that such a block may have had. roles: roles whose entries are read as records.
    summary_bytes: UTF-8 bytes of the shortest text that is a summary. author_chars: longest name. other_date: words by
    which a date is not the entry's own, such as the day that its writer joined.
    """

    min_units: Annotated[int, Meta(ge=2)]
    agreement: Share
    entries: Share
    coverage: Share
    nested_coverage: Share
    link_share: Share
    index_units: Annotated[int, Meta(ge=2)]
    index_link_density: Share
    teaser_chars: Count
    teaser_units: Count
    teaser_coverage: Share
    cells_alike: Share
    index_from: tuple[str, ...]
    roles: tuple[str, ...]
    summary_bytes: Count
    author_chars: Count
    other_date: Pattern


class Urls(Section, frozen=True, kw_only=True):
    """centre_share: of a block's URLs that carry a token of its semantic centre. markers: marker token -> weight.

    people: words of the URLs of somebody's page: such a link names who wrote an entry, and is not its title.
    """

    centre_share: Share
    people: tuple[str, ...]
    markers: dict[str, float]


class Importance(Section, frozen=True, kw_only=True):
    """Weights of what makes a block important; the sum is cut to 0..1.

    size: of the square root of its share of the page's text. position: of the share of the page after it. regularity:
    of the share of its URLs in one generated family. markers: of the mean weight of their marker tokens. full_urls:
    from that many URLs on these two count in full. roles: role -> points.
    """

    size: float
    position: float
    regularity: float
    markers: float
    full_urls: Annotated[int, Meta(ge=1)]
    roles: dict[str, float]


class IndexPages(Section, frozen=True, kw_only=True):
    """Which lists of an index page are kept in full (patent A7).

    plain_from: on pages of which so large a share of the score comes from the card for pages without telling names;
    above 1 on none. important: the lists whose importance is this share of the best one's, or more. text_share: of the
    page's words, that the important lists hold together: a page that lists do not carry is left to the cards.
    """

    plain_from: Annotated[float, Meta(ge=0.0, le=2.0)]
    important: Share
    text_share: Share


class MultiBlockPages(Section, frozen=True, kw_only=True):
    """Which semantic blocks of a page of several texts are texts (patent A6).

    text_share: of a block's words, that the text decisions keep; what they keep of blocks below is dropped as scraps.
    """

    text_share: Share


class Frontier(Section, frozen=True, kw_only=True):
    """Weights of what a link says of a topic, and what weakens it.

    anchor: of its own text. neighbours: of the links around it. window: links before and after it that count as around.
    record: of its record's text. heading: of its block's heading. block: of its block's text. url: of its URL.
    importance: of its block's importance. noise: roles whose links lose by it. noise_share: how much of the score those
    links lose. topic_terms: most words of a topic.
    """

    anchor: float
    neighbours: float
    window: Count
    record: float
    heading: float
    block: float
    url: float
    importance: float
    noise: tuple[str, ...]
    noise_share: Share
    topic_terms: Annotated[int, Meta(ge=1)]


class Segments(Section, frozen=True, kw_only=True):
    """Semantic blocks.

    tokens: group -> class and id tokens, separated by spaces: the measure `token.GROUP`.
    patterns: name -> expression searched in each text block: the measure `pattern.NAME`.
    """

    cut: SegmentCut
    keep: Keep
    records: Records
    urls: Urls
    importance: Importance
    index_pages: IndexPages
    multi_block_pages: MultiBlockPages
    frontier: Frontier
    tokens: dict[str, str]
    patterns: dict[str, Pattern]

    @property
    def people(self) -> frozenset[str]:
        """`urls.people` as a set."""
        return frozenset(self.urls.people)

    @property
    def group_bits(self) -> dict[str, int]:
        """Group -> the bit that stands for it."""
        return {group: 1 << i for i, group in enumerate(self.tokens)}
