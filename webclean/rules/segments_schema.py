"""Section `segments`: how structure blocks become semantic blocks, and what those are for (patent A4, A7)."""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.caching import cached_per_rule_set
from webclean.rules.rule_schema import Count, Pattern, Section, Share


class SegmentCut(Section, frozen=True, kw_only=True):
    """Size of the blocks.

    method: card: a part is split where its points by the card `splits` are above zero; queue: the part with the largest
        height + share of the text is split until there are enough blocks, by the settings up to `whole_height`, gain.
    blocks: wanted number of blocks on a page. Higher: more, smaller blocks; lower: fewer, larger ones.
    small_share: a block below this share of the page's text does not count towards `blocks`. Higher: more blocks.
    list_height: a list is not split up to this height (levels of blocks below it). Higher: longer lists stay one block.
    flat_height: no other part is split up to this height, unless enough of its parts start with a heading. Higher:
        fewer, larger blocks.
    headings: so many parts with headings are enough to split a flat part; each is then a block of its own. Higher:
        fewer, larger blocks.
    whole: elements that stay one block.
    whole_height: up to this height. Higher: larger ones stay whole too.
    merge_share: neighbours that are both smaller than this share of the page's text merge. Higher: fewer, larger
        blocks.
    url: true: neighbours merge when their URLs share a semantic centre.
    url_overlap: share of the centres' tokens that must be the same. Higher: fewer neighbours merge.
    tags: true: neighbours with the same tag sequence merge.
    visual: true: no merging where a heading, font, size, weight, colour, background or border changes.
    max_css_chars: style sheets are read up to so many characters. Higher: more styles are seen, at some cost.
    gain: true: a part none of whose parts holds most of its text is not split.
    gain_above: share of its text that is most of it. Higher: fewer, larger blocks.
    gain_share: only parts below this share of the page's text are kept whole by `gain`. Higher: fewer, larger blocks.
    """

    method: Literal["card", "queue"] = "card"
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


class Keep(Section, frozen=True, kw_only=True):
    """Which semantic blocks are kept.

    noise: roles that are noise; a block's worth is the probability, by its role points, that it has none of them.
    hidden: true: blocks that the markup hides, on a page most of which is seen, are kept as their role and text are.
    index_noise: share of that probability of noise that is left where the entries of a block make it an index and it is
        important. Higher: fewer indexes are kept.
    index_importance: share of the highest importance on the page from which it is. Higher: fewer indexes are kept.
    text_weight: page type -> weight of the text decisions: of the share of the block's words in kept text blocks, less
        one half. Higher: blocks are kept as their text is, whatever their role.
    cut: a block is kept when worth and weighted share reach this together. Higher: fewer blocks are kept.
    """

    noise: tuple[str, ...]
    hidden: bool = False
    index_noise: Share = 1.0
    index_importance: Share = 0.0
    text_weight: dict[str, float]
    cut: float


class Records(Section, frozen=True, kw_only=True):
    """Entries of repeated lists: the items of a list of links, the posts of a thread, the rows of a table.

    min_units: entries of a list, at least. Higher: fewer lists are found.
    agreement: share of the occurrences of a tag that must agree for the repeated unit to grow. Higher: smaller, more
        alike units.
    entries: share of the units that must look like entries. Higher: fewer lists are found.
    coverage: share of a list's text that must be in its entries. Higher: fewer lists are found.
    nested_coverage: share of an entry's text that must be in a list inside it for that list's entries to be taken
        instead. Higher: larger entries.
    headline_share: share of a line of several links that must be link text for each to be an entry. Higher: fewer are.
    headline_chars: characters of the shortest of these links. Higher: fewer lines are divided.
    link_share: a unit is an entry when at least this share of its text is link text. Higher: fewer units are entries.
    index_units: entries that make a block an index, at least. Higher: fewer blocks are an index.
    index_link_density: share of link text from which a block with entries is an index. Higher: fewer blocks are.
    teaser_chars: entries of at most so many characters in the mean are teasers. Higher: longer texts make an index too.
    teaser_units: with less link text, so many teasers make an index. Higher: fewer blocks are an index.
    teaser_coverage: when they hold this share of the block's text. Higher: fewer blocks are an index.
    cells_alike: share of a row's cells that must hold the same tags for the cells to be entries, and not the row.
        Higher: rows are entries more often.
    index_from: roles that such a block may have had by the role card.
    roles: roles of the blocks whose entries are read as records.
    story_roles: roles of the blocks whose linked headlines outside of lists are read as records, too; a comment with
        answers inside it is one post.
    summary_bytes: UTF-8 bytes of the shortest text that is a summary. Higher: fewer entries have one.
    name_bytes: UTF-8 bytes of the mean title of a list of names alone, at most, which is a menu where another list says
        more of its entries and is longer. Higher: fewer lists have records.
    author_chars: characters of the longest name. Higher: longer texts can be an author.
    title_chars: a longer text is a title only where no other one is linked. Higher: more descriptions are titles.
    image_attributes: attributes of `img` that hold the URL of an entry's image, the first that is set.
    age: texts that say how long ago an entry was written, where it has no other date.
    time_of_day: texts that are the date of an entry where it has no other one and the element is named for dates.
    date_names: such names.
    other_date: words by which a date is not the entry's own, such as the day that its writer joined.
    other_title: names of elements for the title of something else, such as of who wrote an entry or what it quotes.
    title_label: what stands before a title, of an entry or of the page, and does not belong to it.
    byline_end: what follows a name in a line that begins with a by-line.
    icon_units: an image that so many entries of a list have is an icon, and the image of none. Higher: more entries
        have an image.
    label_share: texts in elements of one name are labels, such as categories, where at most this share of them are
        different. Higher: fewer of them are titles.
    buttons: texts that are the names of buttons, or ratings, and neither titles nor summaries; ISO 639 language code ->
        what is all of such a text.
    leads: what a link says that leads to the page of its entry and names nothing; likewise.
    no_price: what follows an amount of money that is no price.
    advertised: expressions by which an entry is an advertisement: `text` for one of its texts, `names` for the class or
        id of its element.
    counts: what is counted -> words that say so, beside a number or in the names of its element.
    """

    min_units: Annotated[int, Meta(ge=2)]
    agreement: Share
    entries: Share
    coverage: Share
    nested_coverage: Share
    headline_share: Share
    headline_chars: Count
    link_share: Share
    index_units: Annotated[int, Meta(ge=2)]
    index_link_density: Share
    teaser_chars: Count
    teaser_units: Count
    teaser_coverage: Share
    cells_alike: Share
    index_from: tuple[str, ...]
    roles: tuple[str, ...]
    story_roles: tuple[str, ...]
    summary_bytes: Count
    name_bytes: Count
    author_chars: Count
    title_chars: Count
    image_attributes: tuple[str, ...]
    age: Pattern
    time_of_day: Pattern
    date_names: Pattern
    other_date: Pattern
    other_title: Pattern
    title_label: Pattern
    byline_end: Pattern
    icon_units: Annotated[int, Meta(ge=2)]
    label_share: Share
    buttons: dict[str, Pattern]
    leads: dict[str, Pattern]
    no_price: Pattern
    advertised: dict[Literal["text", "names"], Pattern]
    counts: dict[str, Pattern]


class DatedPosts(Section, frozen=True, kw_only=True):
    """The posts of threads whose board no rule knows, by the line of each that says when.

    page_types: types, subtypes and labels of pages that are threads.
    posts: of a thread, at least. Higher: fewer threads are found.
    share: of such lines that must belong to a post. Higher: fewer threads are found.
    date_chars: characters of the longest line that says when. Higher: more threads are found.
    head_chars: characters before that line, at most. Higher: more threads are found.
    name_chars: characters of the longest name of a writer. Higher: longer lines can be one.
    text_chars: characters of the text of a post outside of links, at least. Higher: fewer short posts are found.
    """

    page_types: tuple[str, ...]
    posts: Annotated[int, Meta(ge=2)]
    share: Share
    date_chars: Count
    head_chars: Count
    name_chars: Count
    text_chars: Count


class Titles(Section, frozen=True, kw_only=True):
    """What is the title of a block: a heading, or a short line before its first entry or alone before the block.

    words: of the longest such line. Higher: more blocks have a title.
    chars: of the longest such line, without white space. Higher: more blocks have a title.
    lines: before the first entry, at most; where more stand there, none is taken. Higher: more blocks have a title.
    entries: from so many on, headings inside of them are theirs and not the block's. Higher: more blocks have a title.
    levels: above the parent of a block, in which a line alone before it stands. Higher: more blocks have a title.
    refused: lines that are no title, since they announce advertising, or sort and choose what follows.
    leading: short lines that are no title, since they lead on.
    """

    words: Count
    chars: Count
    lines: Count
    entries: Annotated[int, Meta(ge=1)]
    levels: Count
    refused: Pattern
    leading: Pattern


class SectionChoice(Section, frozen=True, kw_only=True):
    """Which parts of a page are sections: those that people would name, by the card `sections`; few of them.

    chars: of the smallest section. Higher: fewer small sections.
    share: of the page's characters, of the smallest section. Higher: fewer small sections.
    close: two parts of which the smaller holds this share of the larger one are the same to a reader. Higher: more
        sections within sections.
    least_gain: what a section must gain: the chances of the parts that it newly covers, as a share of those of all
        parts of the page. Higher: fewer sections.
    enough: a gain that is enough on pages of however many parts. Higher: fewer sections on vast pages.
    most: parts that are weighed, the largest first. Higher: more sections on vast pages, at some cost.
    headings: true: a heading opens what follows it among its siblings, up to the next of its rank.
    tags: true: neighbouring siblings with the same sequence of tags are a group.
    urls: true: neighbouring siblings whose URLs share a semantic centre are a group.
    url_overlap: share of the centres' tokens that must be the same. Higher: fewer groups.
    group_share: of the page's characters, of the smallest group. Higher: fewer groups.
    alike: siblings of a group that no heading opens, at least. Higher: fewer groups.
    looks: true: such a group ends where font, size, weight, colour, background or border change.
    gain: true: it ends where the information gain jumps.
    gain_ratio: of the shares of two neighbours, from which it does. Higher: larger groups.
    landmarks: true: elements that name a region of the page (`nav`, `aside`, `role=`) are likely sections.
    chances: signal -> how likely people name a group that it joins, or a landmark. Higher: more of them are sections.
    """

    chars: Count
    share: Share
    close: Annotated[float, Meta(gt=0.5, le=1)]
    least_gain: Share
    enough: Share
    most: Annotated[int, Meta(ge=1)]
    headings: bool
    tags: bool
    urls: bool
    url_overlap: Share
    group_share: Share
    alike: Annotated[int, Meta(ge=2)]
    looks: bool
    gain: bool
    gain_ratio: Annotated[float, Meta(ge=1)]
    landmarks: bool
    chances: dict[str, Share]


class Urls(Section, frozen=True, kw_only=True):
    """What the URLs of a block say of it.

    centre_share: a token is of a block's semantic centre when at least this share of its URLs carry it. Higher: fewer
        tokens.
    people: words of the URLs of somebody's page: such a link names who wrote an entry, and is not its title.
    markers: token of a URL -> weight, 1 for a page of the site's own content to -1 for a service of the site. Higher: a
        block with such links is more important.
    """

    centre_share: Share
    people: tuple[str, ...]
    markers: dict[str, float]


class Importance(Section, frozen=True, kw_only=True):
    """Weights of what makes a block important; the sum is cut to 0..1.

    size: weight of the square root of its share of the page's text. Higher: long blocks rank higher.
    position: weight of the share of the page after it. Higher: blocks at the top rank higher.
    regularity: weight of the share of its URLs in one generated family. Higher: lists of like links rank higher.
    markers: weight of the mean marker of its URLs (`urls.markers`). Higher: links to content count for more.
    full_urls: from so many URLs on, regularity and markers count in full. Higher: short lists of links rank lower.
    lead: points of the lead story, whose linked heading is of a higher rank than those of the others. Higher: it ranks
        higher.
    roles: role -> points added. Higher: blocks of that role rank higher.
    """

    size: float
    position: float
    regularity: float
    markers: float
    full_urls: Annotated[int, Meta(ge=1)]
    lead: float = 0.0
    roles: dict[str, float]


class IndexPages(Section, frozen=True, kw_only=True):
    """Which lists of an index page are kept in full (patent A7).

    plain_from: on pages of which at least this share of the score comes from `plain_card`, for pages without telling
        names; above 1 on none. Higher: on fewer pages.
    important: lists whose importance is at least this share of the best one's. Higher: fewer lists are kept.
    text_share: share of the page's words that these lists must hold together; a page that lists do not carry is left to
        the cards. Higher: fewer pages are treated so.
    article_share: share of the kept words that one run of paragraphs must hold for the page to be an article, whose
        lists are left to the cards. Higher: fewer pages are taken for articles.
    paragraph_words: words of the shortest paragraph of such a run. Higher: fewer pages are taken for articles.
    paragraph_gap: other blocks that may stand between two of its paragraphs. Higher: more pages are taken for articles.
    by_importance: true: all outputs show the blocks of an index page by importance, false: in reading order.
    """

    plain_from: Annotated[float, Meta(ge=0.0, le=2.0)]
    important: Share
    text_share: Share
    article_share: Share
    paragraph_words: Count
    paragraph_gap: Count
    by_importance: bool = False


class Frontier(Section, frozen=True, kw_only=True):
    """Weights of what a link says of a topic (`webclean links`), and what weakens it. Higher counts for more.

    anchor: weight of the link's own text. Higher: links that name the topic rank higher.
    neighbours: weight of the links around it. Higher: links among links on the topic rank higher.
    window: links before and after it that count as around. Higher: links further away count.
    record: weight of the text of its record. Higher: entries that tell of the topic rank higher.
    heading: weight of its block's heading. Higher: links below a heading on the topic rank higher.
    block: weight of its block's text. Higher: links in a block on the topic rank higher.
    url: weight of the link's URL. Higher: links whose URL names the topic rank higher.
    importance: weight of its block's importance. Higher: links in main blocks rank higher, whatever the topic.
    noise: roles of blocks whose links lose.
    noise_share: share of the score that those links lose. Higher: they rank lower.
    topic_terms: words of a topic that are used, at most. Higher: long topics are read further, at some cost.
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
    """Structure blocks -> semantic blocks, their roles and what is kept of them (patent A4, A7).

    tokens: group -> class and id tokens, separated by spaces, compared whole: the feature `token.GROUP`, which
        gives the points that the card of roles says.
    patterns: name -> expression searched in each text block: the features `pattern.NAME` and `share.NAME`.
    markup: expressions searched in attributes: `search` in the names of a text field and its form, by which it is for a
        search; `home` in the targets of links, by which they lead to the front page.
    """

    cut: SegmentCut
    keep: Keep
    records: Records
    dated_posts: DatedPosts
    titles: Titles
    sections: SectionChoice
    urls: Urls
    importance: Importance
    index_pages: IndexPages
    frontier: Frontier
    tokens: dict[str, str]
    patterns: dict[str, Pattern]
    markup: dict[Literal["search", "home"], Pattern]

    @property
    def people(self) -> frozenset[str]:
        """`urls.people` as a set."""
        return frozenset(self.urls.people)

    @property
    def group_bits(self) -> dict[str, int]:
        """Group -> the bit that stands for it."""
        return _number_groups(self.tokens)


@cached_per_rule_set
def _number_groups(tokens: dict[str, str]) -> dict[str, int]:
    return {group: 1 << i for i, group in enumerate(tokens)}
