"""Section `platform` of the files in `platforms/`: the software that a page was made with, and the signs that tell it.

Half of the web is made with a few dozen programs, and each leaves its names in what it writes. A file says by which
signs its platform is known; all else in it holds for the pages on which they are found.
"""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import RuleTest, Section

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
