"""Runs all stages in order. No other module does, so this file is the overview of the system.

The stages:

    input      bytes, markup, a path, a file object or an lxml tree
    read       decode the bytes
    parse      markup -> `Document`
    columns    `Document` -> text blocks, one row each, and the features computed on them
    classify   columns -> the platforms that the page was made with, page type and subtype
    handler    one for each page type: decides which text blocks are kept, and why; those of `patent`, or a published
               method, where one is asked for
    result     `CleanPage`, which computes text, fields and semantic blocks when they are asked for
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replace_columns
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from webclean.blocks.bare_pages import describe_script_page, find_noscript_page, find_script_page
from webclean.blocks.text_blocks import find_text_blocks
from webclean.classify import classify_page
from webclean.classify.platforms import find_platforms
from webclean.decide.completion import complete
from webclean.decide.handlers import PageParts, decide_page, describe_empty, find_empty_reason, keep_offer
from webclean.decide.rule_matches import decide_by_mask, describe_conflicts, describe_outdated, match_rules
from webclean.errors import InputError
from webclean.features import PageColumns
from webclean.features.page_columns import compile_prices_dates
from webclean.features.posts import find_post_rows, read_found_posts
from webclean.features.words import compile_word_points
from webclean.matching.conditions import PageFacts, RuleMatch, find_posts, place_posts, plan_rules
from webclean.methods import METHODS
from webclean.methods.patent import decide_by_patent
from webclean.model import BlockDecisions, Document, Limits, PageType, Post, Rows, Source
from webclean.page import Analysis, CleanPage, count_input
from webclean.parse import Input, OnLimit, find_engine, parse_source, read_source
from webclean.parse.encoding import describe_repair
from webclean.parse.limits import Budget, check_time, limit_to, start_budget
from webclean.parse.url import check_page_url, find_address, find_host, list_sites
from webclean.rules import LayerKey, RuleBook, RuleSet, RuleSource, load_rules, open_rules
from webclean.rules.files import RuleText
from webclean.segments import judge_parts, list_title_blocks

METHOD_NAMES = ("scorecard", "patent", *METHODS)


def check_text(text: RuleText) -> None:
    """Raises `RuleError` for the first text of a rule file that cannot be used.

    The checks are imported here, because they import nearly all of the package and only files of a caller need them.
    """
    from webclean.checks import check_text as check  # noqa: PLC0415

    check(text)


class Cleaner:
    """Cleans many pages with one rule set. It stores nothing about a page, so threads may share one `Cleaner`.

    What it takes is what `webclean.clean` takes of the same name.
    """

    def __init__(
        self,
        *,
        rules: RuleSource = None,
        profile: str = "balanced",
        parser: str = "fast",
        method: str | None = None,
        limits: Limits | None = None,
        on_limit: OnLimit = "raise",
        platforms: bool = True,
    ) -> None:
        self.book = open_rules(rules)
        self.profile = profile
        self.rules = self.book.for_page(LayerKey(profile=profile), check_text)
        find_engine(parser)
        self.parser = parser
        self.limits = limits or Limits()
        self.on_limit = on_limit
        self.platforms = platforms
        self.method = method or self.rules.methods.default
        if self.method not in METHOD_NAMES:
            raise InputError(f"unknown method {self.method!r}: one of {', '.join(METHOD_NAMES)}")

    def clean(
        self,
        html: Input,
        *,
        url: str | None = None,
        charset: str | None = None,
        page_type: str | None = None,
        page_subtype: str | None = None,
    ) -> CleanPage:
        """Clean one page.

        Args:
            html: as of `webclean.clean`.
            url: the address of the page.
            charset: the encoding that the HTTP header gave.
            page_type: used instead of the classifier's answer, if given.
            page_subtype: the same for the subtype.

        Raises:
            InputError: for an address that is no URL and an input that is not a page.
            LimitExceeded: if the page exceeds a limit.
        """
        check_page_url(url)
        budget = start_budget(self.limits, self.on_limit)
        with limit_to(budget):
            original = read_source(html, budget, charset, url)
            analysis = self._analyse(original, budget, url, page_type, page_subtype)
            again = partial(_analyse_again, self, original, url, page_type, page_subtype)
            return CleanPage(analysis, self.limits, self.on_limit, budget.truncated, again)

    def _analyse(
        self, source: Source, budget: Budget, url: str | None, page_type: str | None, page_subtype: str | None
    ) -> Analysis:
        budget.n_input = count_input(source)
        document = parse_source(source, budget, self.parser, url)
        budget.check_time()
        analysis = analyse_document(
            document,
            self.book,
            self.method,
            self.profile,
            page_type=page_type,
            page_subtype=page_subtype,
            use_platforms=self.platforms,
        )
        budget.check_time()
        return analysis

    def __getstate__(self) -> dict[str, Any]:
        """A copy in another process reads the rule files anew."""
        return {**vars(self), "rules": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.rules = self.book.for_page(LayerKey(profile=self.profile), check_text)


def _analyse_again(
    cleaner: Cleaner, source: Source, url: str | None, page_type: str | None, page_subtype: str | None
) -> Analysis:
    """What the stages compute of a page that was cleaned before, within the same limits."""
    budget = start_budget(cleaner.limits, cleaner.on_limit)
    with limit_to(budget):
        return cleaner._analyse(source, budget, url, page_type, page_subtype)


def build_columns(document: Document, rules: RuleSet | None = None) -> PageColumns:
    """The text blocks and features of a parsed page, which all later stages read.

    If the page shows next to nothing without scripts or frames, the content of its `noscript` or `noframes` is used, or
    the text in the data of its scripts.
    """
    rules = rules or load_rules()
    blocks = find_text_blocks(document)
    fallback = find_noscript_page(document, blocks, rules.noscript)
    fallback = fallback or find_script_page(document, blocks, rules.script_pages)
    if fallback is not None:
        document, blocks = fallback
    points = compile_word_points(rules.word_points, rules.concepts)
    return PageColumns(document, blocks, points, compile_prices_dates(rules.prices, rules.dates))


def analyse_document(
    document: Document,
    book: RuleBook | RuleSet,
    method: str = "scorecard",
    profile: str = "balanced",
    *,
    page_type: str | None = None,
    page_subtype: str | None = None,
    use_platforms: bool = True,
) -> Analysis:
    """Classify a parsed page and decide which of its text blocks are kept.

    Rules are selected twice: the classifier runs with the rules of the page's platforms and site; the handler runs with
    those of its type, subtype, label and language too, which are known only after classification.
    """
    book = open_rules(book)
    key = LayerKey(profile=profile, sites=list_sites(document.url or ""))
    rules = book.for_page(key, check_text)
    columns = build_columns(document, rules)
    check_time()
    platforms = find_platforms(columns, book.platforms) if use_platforms else ()
    key = replace(key, platforms=tuple(found.file for found in platforms))
    rules = book.for_page(key, check_text) if platforms else rules
    by_patent = method == "patent"
    found = classify_page(
        columns, rules, page_type=page_type, page_subtype=page_subtype, method="patent" if by_patent else None
    )
    kind = PageType(found.page_type.value)
    language = _find_language(columns) if book.depends_on_language else None
    subtype, label = found.page_subtype.value, found.label
    key = replace(key, page_type=kind.value, page_subtype=subtype, language=language, page_label=label)
    rules = book.for_page(key, check_text)
    check_time()
    facts = PageFacts(kind.value, subtype, language, document.url, label)
    matches = match_rules(columns, facts, rules.rules)
    if plan_rules(rules.rules).posting or facts.is_of_type(rules.segments.posts.page_types):
        columns = replace_columns(
            columns,
            list_posts=partial(_list_posts, facts=facts, rules=rules),
            place_posts=partial(_place_posts, facts=facts, rules=rules),
        )
    if method == "scorecard":
        decisions = decide_page(columns, rules, kind, found.probabilities, matches, find_parts)
        decisions = keep_offer(columns, rules, decisions, matches, find_offer)
        decisions = complete(columns, rules, decisions, matches)
    elif by_patent:
        decisions = decide_by_patent(columns, rules, kind, matches)
    else:
        decisions = decide_by_mask(METHODS[method](columns, rules), matches)
    check_time()
    empty = find_empty_reason(columns, decisions, kind, label, rules)
    warnings = (
        *describe_empty(empty, columns, decisions),
        *describe_repair(columns.document.source),
        *describe_script_page(columns.document, columns.blocks, rules.script_pages),
        *describe_conflicts(matches),
        *describe_outdated(columns.document, facts, rules.rules, matches, book.list_site_rules(key)),
    )
    told = tuple(dict.fromkeys(warnings))
    return Analysis(columns, rules, found, decisions, told, tuple(matches), facts, empty, platforms)


def find_parts(
    columns: PageColumns, rules: RuleSet, decided: BlockDecisions, matches: Sequence[RuleMatch]
) -> PageParts:
    """The semantic blocks of a page of several parts, for its handler."""
    page, kept = judge_parts(columns, decided, rules, matches)
    titles = partial(list_title_blocks, page, rules.segments.index_pages)
    return PageParts(page.columns.segment_of, np.array(kept, dtype=bool), titles, page.titles.find_line)


def find_offer(columns: PageColumns, rules: RuleSet, decided: BlockDecisions) -> dict[int, str]:
    """The text blocks that show price, availability and rating, for the handlers."""
    from webclean.fields.entities import find_offer_blocks  # noqa: PLC0415  see `check_text`

    return find_offer_blocks(columns, rules, decided.kept)


def _place_posts(columns: PageColumns, facts: PageFacts, rules: RuleSet) -> Rows:
    """Where the posts are: as rules name them, else as runs of alike elements tell."""
    placed = place_posts(columns.document, facts, rules.rules)
    is_thread = facts.is_of_type(rules.segments.posts.page_types)
    return placed if placed.shape[1] or not is_thread else find_post_rows(columns, rules.segments.posts)


def _list_posts(columns: PageColumns, facts: PageFacts, rules: RuleSet) -> tuple[Post, ...]:
    """The posts that rules name; of a thread of which they name none, those that are found."""
    from webclean.fields.date_text import date_posts  # noqa: PLC0415
    from webclean.fields.language import detect_language  # noqa: PLC0415  see `check_text`

    document = columns.document
    dates = columns.prices_dates.date_texts
    posts = find_posts(document, facts, rules.rules, rules.tools, dates)
    if not posts and columns.post_rows.shape[1]:
        posts = read_found_posts(columns, rules.segments, rules.tools, dates)
    language = detect_language(document, columns.blocks).value or ""
    return date_posts(posts, rules.fields.date, rules.dates, language, find_host(find_address(document)))


def _find_language(columns: PageColumns) -> str | None:
    """The primary language subtag (`en` of `en-GB`), which rules and rule files use; None if it is unknown."""
    from webclean.fields.language import detect_language  # noqa: PLC0415  see `check_text`

    value = detect_language(columns.document, columns.blocks).value
    return value.partition("-")[0].lower() if value else None


def clean(  # noqa: PLR0913  the front door: each option is named by its caller
    html: Input,
    *,
    url: str | None = None,
    charset: str | None = None,
    rules: RuleSource = None,
    profile: str = "balanced",
    parser: str = "fast",
    method: str | None = None,
    limits: Limits | None = None,
    on_limit: OnLimit = "raise",
    page_type: str | None = None,
    page_subtype: str | None = None,
    platforms: bool = True,
) -> CleanPage:
    """Clean one page: typed, explained blocks, the main text and its fields.

    Args:
        html: bytes, markup as a string, a path (`os.PathLike`), a file object or an lxml tree.
        url: the address of the page; links become absolute, and rules of its site apply. Nothing is fetched.
        charset: the encoding that the HTTP header gave.
        rules: a rule file or folder (or several), which overrides the shipped rules; a `RuleBook`; or one `RuleSet` for
            all pages.
        profile: name of a layer of rules, such as `precision` or `recall`.
        parser: `fast`, or another engine of `webclean.parse.ENGINES`.
        method: `scorecard` (the default in the shipped rules), `patent` or another published method of
            `webclean.methods`.
        limits: the largest page to process.
        on_limit: `raise` raises `LimitExceeded`; `truncate` cleans the part within the limits, and `page.truncated`
            names the limits that were exceeded.
        page_type: the type, if the caller knows it; otherwise the classifier decides.
        page_subtype: the subtype, alike.
        platforms: whether the rules of the platforms that a page was made with, such as WordPress, apply.

    Raises:
        InputError: for an unknown parser, method or page type and for an input that is not a page.
        LimitExceeded: if the page exceeds a limit.
        RuleError: for invalid rules.
    """
    cleaner = Cleaner(
        rules=rules,
        profile=profile,
        parser=parser,
        method=method,
        limits=limits,
        on_limit=on_limit,
        platforms=platforms,
    )
    return cleaner.clean(html, url=url, charset=charset, page_type=page_type, page_subtype=page_subtype)
