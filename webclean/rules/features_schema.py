"""Sections for what is read of a page before anything is decided about it.

`noscript`, `script_pages`: when a page is taken from its `noscript` or the data of its scripts. `statistics`: of blocks
of the page. `concepts`, `word_points`: what words say. `prices`, `dates`: how amounts of money and dates are written,
for every stage that looks for them. `tools`: what tools that write pages call the parts of what they write. `platform`,
in the files in `platforms/`: the software that a page was made with, and the signs that tell it.

Half of the web is made with a few dozen programs, and each leaves its names in what it writes. A file in `platforms/`
says by which signs its platform is known; all else in it holds for the pages on which they are found.
"""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.rule_schema import Count, Expression, Positive, RuleTest, Section, Share


class NoscriptRules(Section, frozen=True, kw_only=True):
    """When the content of a `noscript`, `noframes` or template is the page: the page itself shows next to nothing.

    A frameset has no words: nothing is asked of its noframes.

    running_words: words of a text that is running text and not a label, at least. Higher: more pages are replaced.
    min_ratio: words of the noscript for each word of running text, at least; it also has as many as are visible at all.
        Higher: fewer pages are replaced.
    min_words: a noscript with fewer words only asks for JavaScript. Higher: fewer pages are replaced.
    placeholders: signs by which a template is one that a script fills in. More: fewer pages are replaced.
    """

    running_words: Count
    min_ratio: Positive
    min_words: Count
    placeholders: tuple[str, ...]


class ScriptPages(Section, frozen=True, kw_only=True):
    """What becomes of a page that shows next to nothing until its scripts have run: its text is taken from the data of
    the scripts, or a browser renders it.

    max_visible_words: a page that shows more words is taken as it is. Higher: more pages are read from their data.
    min_words: words of a text in the data, at least. Higher: fewer pages are read from their data.
    min_ratio: words of that text for each visible word, at least. Higher: fewer pages are read from their data.
    text_keys: keys whose strings are text, in JSON-LD and other JSON. More keys: more is taken for text.
    part_words: words of a string that is one part of many, at least. Higher: fewer short parts are taken.
    blank_words: words of a text in the data of a page that shows no word at all, at least. Higher: fewer such pages are
        read from their data.
    short_share: characters of a text of fewer than `min_words` for each of its data, at least: a few words among much
        else are no page. Higher: fewer pages are read from their data.
    bracket_tags: tags in square brackets (BBCode) -> the elements that they stand for; others are text.
    address_tags: those of them whose value, or content where they have none, is an address -> the address, with `%s`
        for that value.
    render: the pages that a browser renders, where the caller allows it: `when_empty`, those that show next to nothing
        and have no text in their data; `always`, for sites that are known to need it; `never`.
    """

    max_visible_words: Count
    min_words: Count
    min_ratio: Positive
    text_keys: tuple[str, ...]
    part_words: Count
    blank_words: Count
    short_share: Share
    bracket_tags: dict[str, str]
    address_tags: dict[str, str]
    render: Literal["when_empty", "always", "never"]


class Statistics(Section, frozen=True, kw_only=True):
    """Which blocks compete for largest and second-largest text block of a page (patent A3).

    block_tags: elements that are structure blocks. More tags: smaller blocks.
    min_chars: characters of a block that counts, more than this. Higher: small blocks stop counting.
    text_ratio: a text block has at least so many characters for each character of link text. Higher: blocks with links
        are no longer text blocks.
    """

    block_tags: tuple[str, ...]
    min_chars: Count
    text_ratio: Positive


Concepts = dict[str, dict[str, str]]
"""Concept -> ISO 639 language code -> lower-case words and phrases, separated by commas."""


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


class Prices(Section, frozen=True, kw_only=True):
    """What makes a number an amount of money. Read by features of blocks, page types and records.

    signs: signs of currencies, which stand before or after the number.
    words_before: what stands before the number, in upper or lower case.
    words_after: what stands after the number, in upper or lower case.
    """

    signs: Annotated[str, Meta(min_length=1)]
    words_before: tuple[str, ...]
    words_after: tuple[str, ...]


class Dates(Section, frozen=True, kw_only=True):
    """How dates are written. Read by features of blocks, page types, records, and the fields of dates.

    Expressions hold placeholders: {year} {year2} {month} {day}, {name} of a month in any of the languages and {name_en}
    in one, {first} {second} (day and month in the order of the page), {day_or_month} {month_or_day} (the day first,
    unless the page says otherwise), {era} {era_year}, {hour} {minute} {sec} {offset} {zone}.

    templates: expressions that read a day.
    yearless: expressions that read a day without its year, for pages that state the year elsewhere.
    times: expressions that read a time of day behind a day.
    months: language -> names of the months in order, spellings separated by spaces.
    afternoon: words that add twelve hours.
    eras: name of a Japanese or Chinese era -> its first year.
    zones: name of a time zone -> its offset.
    relative: expression with a number, as in `3 hours ago` -> seconds of its unit; read only when the time of reading
        is given.
    in_urls: expression that reads a day in a URL.
    glimpses: what looks like a date, a year or a time of day; features count these, so it should hardly need a
        language. More expressions: blocks with dates are told apart in more languages, once the cards are learnt anew.
    shown: dates as entries of lists show them, whole or in part; the text found is the date of a record.
    """

    templates: tuple[str, ...]
    yearless: tuple[str, ...]
    times: tuple[str, ...]
    months: dict[str, tuple[str, ...]]
    afternoon: tuple[str, ...]
    eras: dict[str, int]
    zones: dict[str, str]
    relative: dict[Expression, float]
    in_urls: str
    glimpses: tuple[str, ...]
    shown: tuple[str, ...]


Names = tuple[str, ...]


class Tools(Section, frozen=True, kw_only=True):
    """What highlighters, drawers of formulas, boards and makers of documentation call the parts of what they write.

    Names of classes are lower-case and are looked for in any case, between white space, `-` and `_`; one that ends in
    `*` is the beginning of a class. Parts of URLs are looked for in any case, anywhere in them.

    line_numbers: classes of the numbers of lines beside code, which are left out.
    code_extras: classes of what stands within code and is none: headers, buttons, text for a pointer that rests on it.
    code_blocks: whole classes of elements, other than `pre`, that hold code.
    code_elements: names of elements that HTML does not define and that hold code.
    code_displays: whole classes of a `code` element that is set as a block.
    code_labels: texts around code that copy, run, unfold or name it, in lower case.
    code_lines: classes of a `pre` that holds one line of code; the next one continues it.
    language_classes: what comes before the language of code in a class; one that ends in white space is a class of its
        own.
    language_attributes: attributes that hold the language of code.
    no_languages: what stands for no language.
    callouts: whole classes of notes that are set off from the text; they become quotations.
    callout_kinds: kinds of them, which are parts of their classes.
    callout_attributes: attributes that hold their kind.
    callout_titles: classes of their titles.
    comments: whole classes of comments, which become quotations.
    comment_heads: classes of what says who wrote a comment, or when.
    text_extras: parts of classes of what stands within the text and is for those who write it.
    notes: parts of classes and ids of footnotes, of references to them and of lists of them.
    note_references: attributes of what is no link and leads to a note: its id.
    note_texts: attributes of references to footnotes that hold the note.
    note_headings: headings before nothing but footnotes, in any case.
    formula_attributes: attributes that hold the TeX of their element.
    formula_texts: attributes that say that the text of their element is TeX; the value `display` gives it a line of
        its own.
    formula_elements: names or classes of elements in which `$ $` are delimiters of formulas.
    formula_scripts: parts of the URL of a script that draws formulas, where `$ $` are delimiters on the whole page.
    asciimath_scripts: parts of the URL of a script that draws AsciiMath, where backticks are.
    formula_images: classes of pictures whose alternative text is TeX.
    formula_sources: parts of the URL of such pictures.
    formula_parameters: names in the query of such a URL that hold the TeX.
    drawn_formulas: classes of what is drawn before a script element that holds the TeX.
    display_formulas: classes of formulas that have a line of their own.
    post_times: attributes that state when a post was written; the first with a digit counts.
    post_time_tips: attributes that may say anything, and count where they hold a date.
    post_authors: attributes that state who wrote a post.
    post_addresses: attributes that state where a post is.
    post_depths: attributes that state how deep a reply is.
    """

    line_numbers: Names
    code_extras: Names
    code_blocks: Names
    code_elements: Names
    code_displays: Names
    code_labels: Names
    code_lines: Names
    language_classes: Names
    language_attributes: Names
    no_languages: Names
    callouts: Names
    callout_kinds: Names
    callout_attributes: Names
    callout_titles: Names
    comments: Names
    comment_heads: Names
    text_extras: Names
    notes: Names
    note_references: Names
    note_texts: Names
    note_headings: Names
    formula_attributes: Names
    formula_texts: Names
    formula_elements: Names
    formula_scripts: Names
    asciimath_scripts: Names
    formula_images: Names
    formula_sources: Names
    formula_parameters: Names
    drawn_formulas: Names
    display_formulas: Names
    post_times: Names
    post_time_tips: Names
    post_authors: Names
    post_addresses: Names
    post_depths: Names


Sign = Annotated[str, Meta(min_length=3, max_length=200)]
"""Part of a text; a shorter one would occur by chance."""
Name = Annotated[str, Meta(min_length=1, max_length=200)]


class Signs(Section, frozen=True, kw_only=True):
    """Texts that a page has, by where they stand; each is a sign of its own.

    generator: `<meta name="generator">` begins with it, in any case. What follows, from the first digit, is the
        version.
    meta: the name of a `meta` element, in any case.
    name: a class or id of an element with text, compared whole, or the name of an element.
    path: in the address of a script, style sheet, image or frame, in any case; without `&`. In those of images alone it
        is no more than likely, for pages show images of other sites.
    """

    generator: tuple[Sign, ...] = ()
    meta: tuple[Sign, ...] = ()
    name: tuple[Name, ...] = ()
    path: tuple[Sign, ...] = ()


class Platform(Section, frozen=True, kw_only=True):
    """The platform that a file in `platforms/` is about.

    name: as its makers write it.
    surely: signs of which one is enough, for only this platform writes them.
    likely: signs of which two are needed, for others may have one of them too.
    runs_on: names of the files of platforms that this one is a part of or runs on. Where both are found, its rules come
        after theirs and it is the platform of the page.
    tests: pages that are made with it, by which it must be told, and what must be kept and dropped of them.
    """

    name: Annotated[str, Meta(min_length=1)]
    surely: Signs = Signs()
    likely: Signs = Signs()
    runs_on: tuple[str, ...] = ()
    tests: tuple[RuleTest, ...] = ()
