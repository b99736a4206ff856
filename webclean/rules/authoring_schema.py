"""Section `generated_names`: which classes and ids a new rule does not stand on, for they do not last."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.section import Positive, Section


class GeneratedNames(Section, frozen=True, kw_only=True):
    """What marks a class or id as written by a program: a build or a page makes it anew, and rules on it stop working.

    A name is looked at part by part (parts are letters and digits between other characters); one such part is enough.
    `webclean rules new` passes such names over and says so.

    min_chars: a part of fewer characters is never mixed or without vowel. Higher: fewer names are passed over.
    switches: changes between letters and digits in a part, a digit at its start being one: three in `1ob73` and `a1b2`.
        Higher: fewer names are.
    max_digits: more digits in a row than this number a page or an entry. Higher: fewer names are.
    vowelless: a part of at least so many letters and digits has a vowel (a, e, i, o, u, y). Higher: fewer names are.
    pieces: a part of so many pieces, each from one capital to the next, may be capitals at random. Higher: fewer names
        are.
    piece_chars: and is, if a piece has no more characters than this on average. Higher: more names are.
    prefixes: what tools that write styles begin their names with; after one of these a digit or a capital inside a part
        is enough. More prefixes: more names are.
    """

    min_chars: Annotated[int, Meta(ge=2)]
    switches: Annotated[int, Meta(ge=1)]
    max_digits: Annotated[int, Meta(ge=1)]
    vowelless: Annotated[int, Meta(ge=2)]
    pieces: Annotated[int, Meta(ge=2)]
    piece_chars: Positive
    prefixes: tuple[str, ...]
