"""Section `word_points`: what single words say about the text they stand on, as points (log-odds)."""

from webclean.rules.section import Section


class WordGroup(Section, frozen=True, kw_only=True):
    """Lower-case words that give the same points.

    points: added for each of the words. Higher: text with them is kept more often.
    words: the words, separated by spaces.
    """

    points: float
    words: str


class WordChanges(Section, frozen=True, kw_only=True):
    """Points of single words, over those of the groups: 0 silences a word. They move a score, they never delete.

    names: word of class, id, role and itemprop values, or tag name -> points. Higher: text inside is kept more often.
    words: word of short texts -> points. Higher: such texts are kept more often.
    headings: word of the heading above -> points. Higher: the text below is kept more often.
    """

    names: dict[str, float] = {}
    words: dict[str, float] = {}
    headings: dict[str, float] = {}


class WordPoints(Section, frozen=True, kw_only=True):
    """Points by word; a word that is not listed says nothing. They move a score, they never delete.

    names: whole words of class, id, role and itemprop values of the elements around the text, and their tag names.
    words: words of short texts.
    headings: words of the heading above.
    changes: for layers that change a few words and leave the rest.
    """

    names: tuple[WordGroup, ...] = ()
    words: tuple[WordGroup, ...] = ()
    headings: tuple[WordGroup, ...] = ()
    changes: WordChanges = WordChanges()
