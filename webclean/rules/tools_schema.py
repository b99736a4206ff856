"""Section `tools`: what tools that write pages call the parts of what they write."""

from webclean.rules.section import Section

Names = tuple[str, ...]


class Tools(Section, frozen=True, kw_only=True):
    """What highlighters, drawers of formulas and makers of documentation call the parts of what they write.

    Names of classes are lower-case and are looked for in any case, between white space, `-` and `_`; one that ends in
    `*` is the beginning of a class. Parts of URLs are looked for in any case, anywhere in them.

    line_numbers: classes of the numbers of lines beside code, which are left out.
    code_lines: classes of a `pre` that holds one line of code; the next one continues it.
    language_classes: what comes before the language of code in a class; one that ends in white space is a class of its
        own.
    language_attributes: attributes that hold the language of code.
    no_languages: what stands for no language.
    callouts: whole classes of notes that are set off from the text; they become quotations.
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
    """

    line_numbers: Names
    code_lines: Names
    language_classes: Names
    language_attributes: Names
    no_languages: Names
    callouts: Names
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
