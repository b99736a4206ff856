"""Sections of the stage `decide` beside its cards: how these are mixed, the cut, and the page's confidence."""

from webclean.rules.section import Positive, Section, Share


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

    points: expected and reached F scores, both rising.
    """

    points: tuple[Calibrated, ...] = (Calibrated(expected=0.0, reached=0.0), Calibrated(expected=1.0, reached=1.0))
