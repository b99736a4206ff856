"""Sections `regions` and `corrections`: what is known of a page as a whole, and how it moves the points of blocks."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.section import Count, Section, Share

Against = Annotated[float, Meta(le=0)]


class TypeShares(Section, frozen=True, kw_only=True):
    """How far something counts on a page: the mean of the shares of its types, weighed by their probabilities.

    types: type or subtype -> share (0 to 1). Higher: it counts more on pages of the type.
    others: share of all types that are not named. Higher: it counts more on them.
    """

    types: dict[str, Share] = {}
    others: Share = 0.0


class RegionKind(Section, frozen=True, kw_only=True):
    """One kind of region that stands under or beside an article without being part of it.

    points: what each of its blocks loses. Lower: less of such regions is kept.
    counts: on which types of page it counts.
    names: words of its class or id, separated by spaces; `most-read` stands for two words that follow each other. More:
        more regions are found.
    concepts: concepts of which any word or phrase announces it, as a whole text. More: more are found.
    headings: language -> other short texts that announce it, compared without digits, signs and case. More: more are
        found.
    openings: language -> the first words of such a text. More: more are found.
    after_text: the headline or some running text must stand before it. true: fewer are found.
    most_words: words of the longest one. Higher: longer ones are found.
    most_kept: share of what would be kept that it may hold. Higher: larger ones are found.
    link_share: share of its words in links, at least, where only a heading tells it. Higher: fewer are found.
    in_threads: the posts of a thread may be named so, too. true: on threads it counts less, or not at all (`threads`).
    """

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
    """Pages that are a thread: what looks like comments are the posts, which are the content.

    type: the subtype of threads.
    sure_from: probability of it from which a page is a thread if a word of `names` or `replies` says so. Higher: fewer
        pages are threads.
    names: words of the URL, or of a class or id of html and body, that name a thread. More: more pages are threads.
    replies: words by which a region is the posts. More: more regions are.
    words_from: words of text before a region below which it does not count on pages of the type. Higher: fewer count.
    words_full: words of text before it from which it counts in full. Higher: fewer count in full.
    """

    type: str
    sure_from: Share
    names: str
    replies: str
    words_from: Count
    words_full: Count


class Regions(Section, frozen=True, kw_only=True):
    """Regions of a page that are decided as a whole.

    kinds: name -> kind.
    states: words that make a class or id say what an element has or counts, not what it is (`has-comments`). More:
        fewer regions are found.
    heading_chars: characters of the longest text that can announce a region. Higher: more are found.
    words_before: words of kept running text that are enough before a region where the headline is not found. Higher:
        fewer are found.
    threads: pages that are a thread.
    """

    kinds: dict[str, RegionKind] = {}
    states: str = ""
    heading_chars: Count = 90
    words_before: Count = 30
    threads: Threads = Threads(type="forum", sure_from=0.3, names="", replies="", words_from=60, words_full=160)


class HiddenText(Section, frozen=True, kw_only=True):
    """Text that a `hidden` attribute or an inline style hides, such as a copy of the article for another device.

    points: what it loses. Lower: less of it is kept.
    least_visible: share of what would be kept that must be visible: a page that hides more shows it later. Higher: on
        fewer pages.
    counts: on which types of page: tabs and folded answers are content on others.
    """

    points: Against = 0.0
    least_visible: Share = 0.5
    counts: TypeShares = TypeShares()


class PageEnds(Section, frozen=True, kw_only=True):
    """What stands before the headline and after the last paragraph.

    The main run is kept running text with few dropped blocks between.

    points: what a block far from it loses; nearer ones lose less. Lower: less is kept around the text.
    no_headline: the same for blocks before the run where no headline is known. Lower: less is kept before it.
    gap: dropped blocks that may stand between two paragraphs of the run. Higher: the run reaches further.
    reach: dropped blocks from which a block is far from the run. Higher: fewer blocks lose all points.
    main_share: share of the kept running text that the run must hold. Higher: on fewer pages.
    counts: on which types of page.
    """

    points: Against = 0.0
    no_headline: Against = 0.0
    gap: Count = 0
    reach: Annotated[int, Meta(ge=1)] = 1
    main_share: Share = 0.5
    counts: TypeShares = TypeShares()


class Posts(Section, frozen=True, kw_only=True):
    """Posts of a thread are judged alike: blocks at the same path rise towards the mean of its points.

    share: how far they rise. Higher: more of the low ones are kept.
    levels: elements of the path. Higher: fewer blocks share one.
    least: blocks that must share it. Higher: fewer are posts.
    text_share: share of their words in running text, at least. Higher: fewer are posts.
    counts: on which types of page.
    """

    share: Share = 0.0
    levels: Annotated[int, Meta(ge=1)] = 1
    least: Count = 2
    text_share: Share = 0.5
    counts: TypeShares = TypeShares()


class DataTables(Section, frozen=True, kw_only=True):
    """Data tables that follow kept text are kept with it.

    share: how far their cells rise to the points of that text. Higher: more of them are kept.
    reach: blocks before a table, of which one must be kept text. Higher: more tables follow text.
    least_rows: rows with text. Higher: fewer are data tables.
    least_columns: text blocks of a row, in the median. Higher: fewer are data tables.
    most_words: words of a text block, in the mean. Higher: more are data tables.
    most_links: share of their words in links. Higher: more are data tables.
    counts: on which types of page.
    """

    share: Share = 0.0
    reach: Count = 3
    least_rows: Count = 3
    least_columns: Count = 2
    most_words: Count = 25
    most_links: Share = 0.3
    counts: TypeShares = TypeShares()


class FactLists(Section, frozen=True, kw_only=True):
    """Several facts in a row, each a label, a colon and a value.

    points: what each of them gains. Higher: more of them are kept.
    least: facts in a row. Higher: fewer are lists of facts.
    label_chars: characters of a label, at most. Higher: more are facts.
    most_chars: characters of a fact, at most. Higher: more are facts.
    most_links: share of their words in links. Higher: more are lists of facts.
    counts: on which types of page.
    """

    points: Annotated[float, Meta(ge=0)] = 0.0
    least: Annotated[int, Meta(ge=1)] = 3
    label_chars: Count = 32
    most_chars: Count = 140
    most_links: Share = 0.5
    counts: TypeShares = TypeShares()


class Structure(Section, frozen=True, kw_only=True):
    """A structure of which most is kept is kept as a whole.

    least_kept: share of its words that must be kept so far. Higher: fewer are completed.
    reach: points below the cut from which a block stays dropped. Higher: more of them are kept.
    counts: on which types of page, and how far blocks rise to the mean of the kept ones.
    """

    least_kept: Share = 0.5
    reach: Annotated[float, Meta(ge=0)] = 0.0
    counts: TypeShares = TypeShares()


class Structures(Section, frozen=True, kw_only=True):
    """What a decision must not tear.

    lists: the items of one list.
    terms: terms and their definitions.
    figures: pictures and captions.
    """

    lists: Structure = Structure()
    terms: Structure = Structure()
    figures: Structure = Structure()


class Formulas(Section, frozen=True, kw_only=True):
    """A formula with a block of its own is decided with the texts around it.

    share: how far it rises to the lower points of these texts. Higher: more of them are kept.
    counts: on which types of page.
    """

    share: Share = 0.0
    counts: TypeShares = TypeShares()


class Corrections(Section, frozen=True, kw_only=True):
    """What corrects the points of both passes by the page as a whole, beside regions.

    hidden: text that the markup hides.
    posts: posts of a thread.
    tables: data tables in the text.
    facts: labels with their values, in a row.
    structures: what a decision must not tear.
    formulas: formulas by themselves.
    ends: what stands outside the text.
    """

    hidden: HiddenText = HiddenText()
    posts: Posts = Posts()
    tables: DataTables = DataTables()
    facts: FactLists = FactLists()
    structures: Structures = Structures()
    formulas: Formulas = Formulas()
    ends: PageEnds = PageEnds()
