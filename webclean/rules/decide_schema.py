"""Sections of the stage `decide` beside its cards.

How the cards are mixed, the cut, and the page's confidence; `regions` and `corrections`: what is known of a page as a
whole, and how it moves the points of blocks.
"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Count, Positive, Section, Share


class Passes(Section, frozen=True, kw_only=True):
    """How the two passes make the score of a block. The mean of both errs less than either.

    second: share of the second pass in the score; the first has the rest. Higher: the blocks around a block count for
        more, its own text and place for less.
    """

    second: Share = 0.5


class PlainPages(Section, frozen=True, kw_only=True):
    """Which pages `plain_card` scores: those whose class and id names say little, as on pages laid out with tables.

    all_below: a page with at most so many known names is scored by the plain card alone. Higher: more pages are.
    none_from: a page with at least so many known names is scored without it; in between it counts in proportion.
        Higher: the plain card counts on more pages.
    """

    all_below: Positive = 20.0
    none_from: Positive = 40.0


class ArticlePages(Section, frozen=True, kw_only=True):
    """How far `article_card` decides the first pass on articles.

    share: its share on a page that is an article for certain; the rest is the other cards'. Higher: articles are judged
        more alike, whatever the site and its language.
    likely_from: probability of an article from which on the card counts; from there to 1 its share rises evenly.
        Higher: doubtful pages are left to the other cards.
    """

    share: Share = 0.3
    likely_from: Share = 0.4


class Cut(Section, frozen=True, kw_only=True):
    """How many of the ordered blocks are kept: the number with the best expected F score (patent S303).

    beta: weight of recall beside precision, 1 for equal weights. Higher: more is kept; lower: less.
    spread: points; how far the scores of all blocks of a page are expected to be off together. Higher: the cut trusts
        the scores less, and keeps more.
    shift: points added to every block before the cut. Higher: more is kept; lower: less.
    least_words: a text of fewer words that is also under `least_share` of the page is no main content, and nothing is
        kept. Higher: more pages are left without text; 0: none for that reason.
    least_share: share of the page's words, see `least_words`. Higher: more pages are left without text.
    """

    beta: Positive = 1.0
    spread: Positive = 1.0
    shift: float = 0.0
    least_words: float = 0.0
    least_share: Share = 0.5


class Calibrated(Section, frozen=True, kw_only=True):
    """A page whose cut expects the F score `expected` has reached `reached` on labelled pages, on average.

    expected: F score that the cut expects, 0 to 1. Higher: the line starts at surer pages.
    reached: F score that such pages had, 0 to 1. Higher: they get a higher confidence.
    """

    expected: Share
    reached: Share


class Confidence(Section, frozen=True, kw_only=True):
    """How the F score that the cut expects becomes the page's confidence: straight lines between the points. No text
    changes.

    points: expected and reached F scores, both rising, of all pages.
    types: subtype -> the same of pages of it. A page has the mean of the curves, weighed by the probabilities of its
        types; what is left of these counts for `points`. More: types differ more.
    """

    points: tuple[Calibrated, ...] = (Calibrated(expected=0.0, reached=0.0), Calibrated(expected=1.0, reached=1.0))
    types: dict[str, tuple[Calibrated, ...]] = {}


Against = Annotated[float, Meta(le=0)]


class TypeShares(Section, frozen=True, kw_only=True):
    """How far something counts on a page: the mean of the shares of its types, weighed by their probabilities.

    types: type or subtype -> share (0 to 1). Higher: it counts more on pages of the type.
    others: share of all types that are not named. Higher: it counts more on them.
    """

    types: dict[str, Share] = {}
    others: Share = 0.0

    def average(self, likely: Mapping[str, float]) -> float:
        """How far it counts on one page. likely: type or subtype -> probability, 0 to 1."""
        total, others = 0.0, self.others
        # what `others` counts goes for all of the page, so a type adds only what it differs by
        for name, share in self.types.items():
            total += (share - others) * likely.get(name, 0.0)
        return others + total


class EmptyTexts(Section, frozen=True, kw_only=True):
    """What becomes of a page whose text would be empty, or next to it.

    few_words: a text of fewer words is next to empty: the page says why, and its confidence falls towards 0. Higher:
        more pages warn.
    """

    few_words: Count = 0


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
    full_from: probability of it from which a page counts as a thread in full. Higher: comments count on more pages.
    names: words of the URL, or of a class or id of html and body, that name a thread. More: more pages are threads.
    replies: words by which a region is the posts. More: more regions are.
    words_from: words of text before a region below which it does not count on pages of the type. Higher: fewer count.
    words_full: words of text before it from which it counts in full. Higher: fewer count in full.
    """

    type: str
    sure_from: Share
    full_from: Share
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
    threads: Threads = Threads(
        type="forum", sure_from=0.3, full_from=1.0, names="", replies="", words_from=60, words_full=160
    )


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
    least_columns: cells of a row, in the median. Higher: fewer are data tables.
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
    figures: pictures and captions.
    """

    lists: Structure = Structure()
    figures: Structure = Structure()


class Corrections(Section, frozen=True, kw_only=True):
    """What corrects the points of both passes by the page as a whole, beside regions.

    hidden: text that the markup hides.
    posts: posts of a thread.
    tables: data tables in the text.
    facts: labels with their values, in a row.
    structures: what a decision must not tear.
    ends: what stands outside the text.
    offer: pages whose price, availability and rating are kept where they are shown, if the page is as likely as not of
        these types.
    """

    hidden: HiddenText = HiddenText()
    posts: Posts = Posts()
    tables: DataTables = DataTables()
    facts: FactLists = FactLists()
    structures: Structures = Structures()
    ends: PageEnds = PageEnds()
    offer: TypeShares = TypeShares()
