"""Section `entities`: what a page states of the one thing that it is about, after the vocabulary of https://schema.org."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Count, Section, Share

Path = Annotated[str, Meta(pattern=r"^[A-Za-z]\w*(\.[A-Za-z]\w*)*$")]
"""Properties of schema.org that follow each other: `offers.price`."""


class EntityList(Section, frozen=True, kw_only=True):
    """A property with several values, as rows of named texts.

    path: leads to the values.
    of: types of the values, wherever the page states them, in place of a path.
    columns: column -> paths from a value to its text, of which the first that leads to one counts; `text` alone is the
        value itself.
    """

    path: Path | None = None
    of: tuple[str, ...] = ()
    columns: dict[str, tuple[Path, ...]] = {}


class EntityKind(Section, frozen=True, kw_only=True):
    """One kind of thing.

    types: of schema.org, by which a page states it.
    properties: property -> paths to it, of which the first that leads to a text counts.
    metas: property -> names of meta elements that say it, after other statements.
    fields: property -> field of the page that shows it, after all statements.
    lists: property -> its values.
    page_subtypes: subtypes of pages that are of one, though they do not state it: what `metas` and `fields` say counts.
    """

    types: tuple[str, ...]
    properties: dict[str, tuple[Path, ...]]
    metas: dict[str, tuple[str, ...]] = {}
    fields: dict[str, str] = {}
    lists: dict[str, EntityList] = {}
    page_subtypes: tuple[str, ...] = ()


class Entities(Section, frozen=True, kw_only=True):
    """Things that a page may be about, each a field of `page.fields`.

    other_roles: properties that lead to other things than the one that the page is about.
    confidence: how sure a value is that one source gives, 0 to 1; surer where several agree. Higher: fields report a
        higher confidence.
    max_rows: rows of a list, at most. Higher: longer lists are whole.
    fact_rows: rows of a table of two columns, or terms with definitions, that are specifications. Higher: fewer are.
    fact_chars: characters of the longest name of a specification. Higher: longer texts are names.
    """

    other_roles: tuple[str, ...] = ()
    confidence: Share = 0.8
    max_rows: Count = 200
    fact_rows: Count = 3
    fact_chars: Count = 60
    product: EntityKind
    recipe: EntityKind
    event: EntityKind
    job_posting: EntityKind
    discussion: EntityKind
