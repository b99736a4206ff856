"""`CleanPage`: the parts of the result, each computed when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from html import escape
from itertools import islice
from operator import itemgetter
from typing import Any, Final

import msgspec
import numpy as np

from webclean.caching import Limit, cached_property
from webclean.decide import estimate_confidence
from webclean.decide.handlers import count_kept_words, is_shell
from webclean.errors import InputError, RuleError, WebcleanError
from webclean.fields import PageFields, extract_fields
from webclean.model import Block, FoundPlatform, Limits, PageType, Reason, Record, Role, Rows, Section, Source
from webclean.outputs import block_views, dictionary
from webclean.outputs.flow import Head, Node, TreeOptions, add_headline
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.phone import Layout, PhoneSource
from webclean.outputs.text import render_inline
from webclean.page import formats
from webclean.page.formats import Analysis, HtmlOptions, MarkdownOptions, MobileOptions, PageObject, TextOptions
from webclean.parse import OnLimit
from webclean.parse.limits import Budget, bound_rows, limit_to
from webclean.parse.url import find_base
from webclean.segments import build_semantic_blocks
from webclean.segments.sections import build_sections
from webclean.segments.semantic_page import segment_page

_DECIDED: Final = (
    "text", "fields", "blocks", "page_type", "page_subtype", "page_label", "platforms", "confidence",
    "type_confidence", "type_reasons", "url", "source", "warnings", "empty_because", "rules_hash", "is_ranked",
)  # fmt: skip
"""What a pickled page holds."""


class CleanPage:
    """A cleaned page: text, fields, typed blocks, and the reasons for each decision."""

    def __init__(
        self,
        analysis: Analysis,
        limits: Limits | None = None,
        on_limit: OnLimit = "raise",
        cut: Iterable[str] = (),
        again: Callable[[], Analysis] | None = None,
    ) -> None:
        self.analysis = analysis
        self._again, self.limits, self.on_limit = again, limits or Limits(), on_limit
        self._cut = list(dict.fromkeys((*analysis.columns.document.truncated, *cut)))
        self._limit_parts(formats.count_input(self.source))

    def _limit_parts(self, n_input: int) -> None:
        """Set what starts the budget of a part of the result. n_input: characters by which its own are measured."""
        limits, truncate, cut = self.limits, self.on_limit == "truncate", self._cut
        # a closure, not a method: parts of the result keep it, and with a reference to the page they would be a cycle
        self._limit: Limit = lambda: limit_to(Budget(limits, truncate, cut, n_input=n_input))

    def __getstate__(self) -> dict[str, Any]:
        """A page is pickled and copied as what was decided, with its markup. The copy computes its columns again when
        a rendering needs them. Raises `InputError` for a page that cannot do so."""
        # columns are objects of the core, which cannot be pickled
        if self._again is None:
            raise InputError("a page that was not made by a Cleaner cannot be pickled")
        decided = {name: getattr(self, name) for name in _DECIDED}
        kept = {name: getattr(self, name) for name in ("limits", "on_limit", "_again")}
        return {**decided, **kept, "_cut": list(self.truncated)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._limit_parts(formats.count_input(self.source))

    @cached_property
    def analysis(self) -> Analysis:
        """What the stages computed; a copy runs them again. Raises `RuleError` if the rules have changed since."""
        assert self._again is not None
        found = self._again()
        # decisions of one rule set beside renderings of another would contradict each other
        if found.rules.hash != self.rules_hash:
            raise RuleError("the rules have changed since this page was cleaned")
        return found

    @cached_property
    def text(self) -> str:
        """The kept text in reading order: paragraphs, headings, list items, rows and code lines on their own lines."""
        return self.to_text()

    @cached_property
    def fields(self) -> PageFields:
        """Title, date, author and the other fields, each with source, confidence and alternatives."""
        analysis = self.analysis
        fields = extract_fields(
            analysis.columns, analysis.facts, analysis.rules, kept=analysis.decisions.kept, limit=self._limit
        )
        found = analysis.decisions.title
        # a selector in the user's rules wins over the title that a method finds by itself
        return fields.replace(title=found) if found and "title" not in fields.chosen else fields

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The semantic blocks in reading order."""
        analysis = self.analysis
        with self._limit():
            return build_semantic_blocks(
                analysis.columns, analysis.decisions, analysis.rules, analysis.matches, self._limit
            )

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The parts of the page that a reader would name, in reading order; larger than blocks or inside one."""
        analysis = self.analysis
        with self._limit():
            page = segment_page(analysis.columns, analysis.rules, analysis.decisions)
            return build_sections(analysis.columns, page, self.blocks, analysis.rules, self._limit)

    def outline(self) -> str:
        """The titles of sections and kept blocks, nested, as lists of Markdown; the part with the lead comes first."""
        titles = block_views.list_outline(self.list_tree())
        return "\n".join(f"{'  ' * depth}- {render_inline([title])}" for title, depth in titles)

    def list_tree(self) -> Iterator[block_views.Line]:
        """The lines of the tree of sections and blocks that people see."""
        sections = () if self.is_ranked else self.sections  # blocks in the order of their rank are in no section
        return block_views.list_tree(sections, self.ranked_blocks)

    @cached_property
    def posts(self) -> tuple[Record, ...]:
        """The posts of a thread, in reading order: who wrote each, when, its address, and as `summary` what it says;
        none on other pages."""
        analysis = self.analysis
        spans = {(post.first, post.end) for post in analysis.columns.posts}
        with self._limit():
            found = segment_page(analysis.columns, analysis.rules, analysis.decisions).entries
        read = [entry for entries in found for entry in entries if (entry[0].first, entry[0].end) in spans]
        return tuple(record for _, record in sorted(read, key=itemgetter(0)))

    @cached_property
    def section_titles(self) -> dict[int, tuple[str, ...]]:
        """Index in `blocks` -> the titles of the sections around the block, outermost first."""
        return dictionary.list_section_titles(self.sections)

    @cached_property
    def is_ranked(self) -> bool:
        """Whether outputs show the blocks in the order of their importance: on index pages, if the method is `patent`
        (patent A7) or the rules say so."""
        analysis = self.analysis
        # readers of the other methods want the order of the page
        by_method = analysis.decisions.blocks is not None and analysis.decisions.blocks.ranked
        return by_method or (self.page_type is PageType.INDEX and analysis.rules.segments.index_pages.by_importance)

    @cached_property
    def ranked_blocks(self) -> tuple[Block, ...]:
        """The semantic blocks in the order in which outputs show them: the most important first where they are ranked,
        else in reading order."""
        # stable: blocks that are equally important keep the order of the page
        return tuple(sorted(self.blocks, key=lambda block: -block.importance)) if self.is_ranked else self.blocks

    @cached_property
    def page_type(self) -> PageType:
        return PageType(self.analysis.classification.page_type.value)

    @cached_property
    def page_subtype(self) -> str | None:
        """One of the subtypes in `page_type.types` of the rules; None if the classifier determined only the type."""
        value = self.analysis.classification.page_subtype.value
        return None if value is None else str(value)

    @cached_property
    def page_label(self) -> str | None:
        """The most specific kind of the page: `blog`, `portal`, `navigation`, `error`, `login`, else the subtype."""
        return self.analysis.classification.label

    @cached_property
    def platforms(self) -> tuple[FoundPlatform, ...]:
        """The platforms whose signs the page has (rules, `platforms/`), each after those that it runs on."""
        return self.analysis.platforms

    @property
    def platform(self) -> FoundPlatform | None:
        """The platform that the page was made with: of several the one that runs on the others."""
        return self.platforms[-1] if self.platforms else None

    @cached_property
    def confidence(self) -> float:
        """Estimated F1 of the words of `text` against a perfect extraction, 0 to 1; calibrated on labelled pages."""
        analysis = self.analysis
        n_words = count_kept_words(analysis.columns, analysis.decisions)
        return estimate_confidence(analysis.decisions, analysis.classification.probabilities, n_words, analysis.rules)

    @cached_property
    def type_confidence(self) -> float:
        """Probability of the page type, 0 to 1."""
        return self.analysis.classification.page_type.confidence

    @cached_property
    def type_reasons(self) -> tuple[Reason, ...]:
        """Why the page has its type: first the result with the second-best type and the margin, then the path through
        the decision tree, or the points."""
        return self.analysis.classification.reasons

    @property
    def title(self) -> str | None:
        return self.fields.title.value

    @property
    def date(self) -> str | None:
        """Published date, ISO 8601."""
        return self.fields.date.value

    @property
    def author(self) -> str | None:
        return self.fields.author.value

    @property
    def language(self) -> str | None:
        """BCP 47 tag."""
        return self.fields.language.value

    @cached_property
    def url(self) -> str | None:
        return self.analysis.columns.document.url

    @cached_property
    def source(self) -> Source:
        """The markup, its encoding and how that was determined, and the kind of input."""
        return self.analysis.columns.document.source

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Messages: why the text is empty; that it was repaired; rules that contradict each other, match nothing, or
        point at no date."""
        with self._limit():
            return (*self.analysis.warnings, *self.fields.list_warnings())

    @cached_property
    def empty_because(self) -> str | None:
        """Why the text is empty or next to it; None for a page whose text is not.

        `not_a_page`, `script` (a browser may show more), `no_text`, `error`, `login`, `hidden`, `short` (the page says
        no more), `list` (without running text) or `no_main_content`. The first of `warnings` says the same in words.
        """
        return self.analysis.empty

    def with_warning(self, message: str) -> CleanPage:
        """The same page with one more warning."""
        made = object.__new__(type(self))
        # what was computed so far is shared, since a warning changes none of it
        vars(made).update(vars(self), warnings=(message, *self.warnings))
        return made

    @property
    def is_bare(self) -> bool:
        """Whether the page shows next to nothing until its scripts have run, and their data have no text either."""
        return is_shell(self.analysis.columns, self.analysis.rules)

    @cached_property
    def rules_hash(self) -> str:
        """Hash of the rules that were used: equal hashes mean equal rules."""
        return self.analysis.rules.hash

    @property
    def truncated(self) -> tuple[str, ...]:
        """Names of the limits at which the page, or a part of the result that was computed so far, was cut (with
        `on_limit="truncate"`); empty if nothing was cut."""
        return tuple(dict.fromkeys(self._cut))

    def render(self, kind: str, options: Any = None, /, **named: Any) -> str:
        """The kept content in one of `FORMATS`. `to_text`, `to_markdown` and so on call this with their own options.

        options: the struct of options that the format has; or each option by name. Raises `InputError` for an unknown
        format.
        """
        form = formats.find_format(kind)
        shown = form.options(**named) if options is None else options
        if getattr(shown, "include_title", False):
            _ = self.title  # found now, because fields have budgets of their own, and that of the rendering starts next
        with self._limit():
            return form.write(self, shown)

    @formats.takes_options(TextOptions)
    def to_text(self, options: TextOptions) -> str:
        """The same as `text`, optionally without the text of data tables or of comments, with the title, or with YAML
        front matter."""
        return self.render("text", options)

    @formats.takes_options(MarkdownOptions)
    def to_markdown(self, options: MarkdownOptions) -> str:
        """The kept content as Markdown: CommonMark with tables, formulas and footnotes; the title is the first heading,
        below YAML front matter with `include_metadata`."""
        return self.render("markdown", options)

    @formats.takes_options(HtmlOptions)
    def to_html(self, options: HtmlOptions) -> str:
        """The kept content as clean HTML without scripts or styles, with the title as first heading.

        include_metadata: with `meta` elements for author, date, ... fragment: return only the content of `body`.
        """
        return self.render("html", options)

    @formats.takes_options(MobileOptions)
    def to_mobile_html(self, options: MobileOptions) -> str:
        """A self-contained HTML document for a small screen.

        It shows the kept content in order, in a layout that fits the page type: an article, a manual, a product, the
        posts of a thread; for an index page, one card for each block with its entries, the most important first.
        options: where links and images lead, and what else may be chosen.
        """
        return self.render("mobile", options)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._summary}>"

    def _repr_html_(self) -> str:
        """What Jupyter shows and saves: the summary and the tree of blocks, of a long page only its beginning."""
        lines = (block_views.describe_line(line, 120) for line in islice(self.list_tree(), 60))
        return f"<pre>{escape(chr(10).join((self._summary, block_views.HEAD, *lines, block_views.LEGEND)))}</pre>"

    @property
    def _summary(self) -> str:
        """Type, title, words, blocks and confidence; what went wrong where a part cannot be computed."""
        label = self.page_label
        kind = f"{self.page_type}, {label}" if label else str(self.page_type)
        try:
            words, blocks = len(self.text.split()), len(self.blocks)
            return f"{kind}: {self.title!r}, {words} words, {blocks} blocks, confidence {self.confidence:.2f}"
        except WebcleanError as error:
            return f"{kind}: {error}"

    def block_rows(self, only: Collection[str] = ()) -> list[dict[str, Any]]:
        """A flat row for each semantic block, for a table: `pandas.DataFrame(page.block_rows())`, `polars` alike.

        only: names of the wanted columns (the URL is always there); others are not computed. Empty: all columns.
        """
        base = {"url": self.url, **({"title": self.title} if not only or "title" in only else {})}
        with self._limit():
            return [
                {**base, **row}
                for row in dictionary.list_block_rows(self.ranked_blocks, lambda: self.section_titles, only)
            ]

    def search_rows(self) -> list[dict[str, Any]]:
        """A flat row for each semantic block with text, for a search index: an id that is the same each time the page
        is cleaned, a link to the block, title and date of the page, role, headings and text."""
        with self._limit():
            return dictionary.list_search_rows(self.ranked_blocks, self.url, self.title, self.date, self.section_titles)

    def passages(self, *, kept_only: bool = True, max_words: int = 400) -> list[dict[str, Any]]:
        """Passages for retrieval: the rows of `search_rows`, for the kept blocks or for all, each with its `xpath`. A
        block of more than `max_words` words is divided between lines. Raises `InputError` for fewer than one word."""
        if max_words < 1:
            raise InputError("a passage has at least one word")
        blocks = [block for block in self.ranked_blocks if block.text]
        rows = zip(self.search_rows(), blocks, strict=False)  # fewer rows where they were cut
        shown = ((row, block.xpaths[:1]) for row, block in rows if block.kept or not kept_only)
        return list(dictionary.list_passages(({**row, "xpath": "".join(first)} for row, first in shown), max_words))

    def record_rows(self) -> list[dict[str, Any]]:
        """A flat row for each record (teaser, product, post) of the blocks, for a table."""
        with self._limit():
            rows = ((block.id, record) for block in self.ranked_blocks for record in block.records)
            return list(bound_rows({"block": name, **dictionary.to_plain_values(record)} for name, record in rows))

    def to_dict(self, *, include_reasons: bool = False, include_markdown: bool = False) -> dict[str, Any]:
        """The whole result as dictionaries, lists, strings and numbers, ready for JSON; its JSON Schema is printed by
        `webclean clean --schema`.

        include_reasons: add the reasons for the page type, and for the role of each block and whether it is kept.
        include_markdown: add the text as Markdown.
        """
        with self._limit():
            base = find_base(self.analysis.columns.document)
            blocks = dictionary.describe_blocks(self.ranked_blocks, base, include_reasons=include_reasons)
            sections = dictionary.describe_sections(
                self.sections, self.ranked_blocks, include_reasons=include_reasons, n_described=len(blocks)
            )
        given = {
            "schema_version": formats.SCHEMA_VERSION,
            "fields": dictionary.to_plain_values(dict(self.fields)),
            "blocks": blocks,
            "sections": sections,
            "encoding": self.source.encoding,
            "rules": self.rules_hash,
        }
        # in this order, because `truncated` is complete only when all other parts are computed
        described = {
            name: given[name] if name in given else dictionary.to_plain_values(getattr(self, name))
            for name in PageObject.__annotations__
            if name not in formats.OPTIONAL_KEYS
        }
        if include_reasons:
            described["type_reasons"] = dictionary.describe_reasons(self.type_reasons)
        if include_markdown:
            described["markdown"] = self.to_markdown()
        return described

    def bound(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The first of some plain rows about the page, as many as `Limits.max_output_ratio` allows."""
        with self._limit():
            return list(bound_rows(rows))

    def describe_head(self, *, everything: bool = True, signed: bool = True) -> Head:
        """What is known of the page beside its text. everything: more than title and language. signed: with author and
        date."""
        # to find the fields takes as long as the text: only those that are shown are looked for
        names = ["title", "language"]
        if everything:
            names += ["author", "date"] if signed else []
            names += ["price", "rating", "availability"] if self.layout is Layout.PRODUCT else []
        known = {name: getattr(self.fields, name).value or "" for name in names}
        about = {"url": self.url or "", "type": self.page_label or str(self.page_type)} if everything else {}
        return Head(**known, **about)

    @property
    def layout(self) -> Layout:
        """How the phone page shows the page: as cards, as posts, ..., else as an article."""
        is_index = self.page_type is PageType.INDEX
        return Layout.INDEX if is_index else formats.LAYOUTS.get(self.page_subtype or "", Layout.ARTICLE)

    def build_tree(self, shown: TextOptions, tree: TreeOptions) -> Node:
        """The kept content as clean elements, with the title if it is shown. tree: what the format needs of it."""
        rules = self.analysis.rules
        tree = msgspec.structs.replace(tree, image_attributes=rules.fields.images.attributes, tools=rules.tools)
        flow = self._build_flow(tree, include_comments=shown.include_comments)
        # the title is found only if it is shown, for that takes a search of the whole page
        return add_headline(flow, self.title or "") if shown.include_title else flow

    def _build_flow(self, options: TreeOptions, *, include_comments: bool = True) -> Node:
        """The kept content in reading order, with the lead of an index page first; or block by block in the order of
        their rank."""
        columns, kept = self.analysis.columns, self.analysis.decisions.kept
        if not include_comments:
            # comments are a role of semantic blocks, not of paragraphs
            comments = np.array([block.role is Role.COMMENTS for block in self.blocks], dtype=bool)
            kept = np.asarray(kept & ~comments[self.segment_of], dtype=bool)
        # text has no sign for who speaks: there a quotation would be one more voice
        kept = formats.keep_quotations(self, kept) if options.marks else kept
        if not self.is_ranked:
            lead = formats.find_lead_texts(self.analysis, kept)
            if np.count_nonzero(lead):
                return formats.build_parts(self.analysis, (lead, kept & ~lead), options)
            # the heads of posts that were found by their dates alone are lines of the text already
            posts = tuple(post for post in columns.posts if post.heads) if options.marks else ()
            refused = self.analysis.decisions.dropped_by or ()
            return build_flow(columns.document, columns.blocks, kept, options, refused, posts)
        return formats.build_ranked_flow(self.analysis, kept, self.ranked_blocks, self.segment_of, options)

    def _list_phone_sources(self, images: bool) -> list[PhoneSource]:
        return [formats.find_phone_source(self, images=images)]

    @property
    def segment_of(self) -> Rows:
        """int32 [n_blocks]: for each text block, the index in `blocks` of the semantic block that contains it."""
        analysis = self.analysis
        return segment_page(analysis.columns, analysis.rules, analysis.decisions).columns.segment_of

    @property
    def text_block_roles(self) -> list[Role]:
        """For each text block, the role of the semantic block that contains it."""
        return [self.blocks[number].role for number in self.segment_of.tolist()]
