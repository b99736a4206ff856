"""Labelled pages -> the tree that finds titles (source C): C4.5 over the texts of each page, with its scores by site.

Each text is an example, title or other; one is a title if its edit distance to the label is under a fifth of the longer
one. The tree is scored through the whole choice that a page's title takes.

A copy of each page is learnt from as well, plain as old pages are: `<title>` is the name of the site, and headings are
known by their letters alone, which are larger than the text by a third, a half or all of what an h1 adds, in turn.
Without copies the tree would lean on `<title>` and h1, which modern pages have, and would miss the headline in large
letters of a page that has neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from webclean.compare.dataset import LabelledPage, read_pages, spread_evenly
from webclean.fields.candidates import TITLE_TREE_FEATURES, Candidate
from webclean.fields.statements import PageStatements
from webclean.fields.title_tree import IS_TITLE, choose_title, collect_title_texts
from webclean.learn.fields import is_same, read_truth
from webclean.learn.harness import LabelledPages, Learnt, cross_validate, format_share, read_columns
from webclean.learn.tree import TreeSettings, change_settings, learn_tree
from webclean.learn.writing import write_tree
from webclean.parse.url import find_registered_domain_of_host
from webclean.rules import load_rules
from webclean.rules.card_schema import TreeNode
from webclean.rules.fields_schema import TitleRules

TITLE_TREE: Final = TreeSettings("gain_ratio", max_depth=8, min_leaf=20, confidence=0.1)
NAMES: Final = tuple(TITLE_TREE_FEATURES)
_HEAD: Final = """\
The tree that finds titles where `fields.title.method` is `tree` (source C): C4.5 over the texts of a page, learnt by
`webclean learn title-tree`. `counts` are texts."""

_NO_HEADING: Final = 7.0
"""The level of a text that is no heading, one below h6."""
_LARGER: Final = (0.3, 0.5, 1.0)
"""Of what an h1 adds to the size of the text: 16 pixels to 16."""


@dataclass(frozen=True, slots=True)
class TitleCase:
    """The texts of a page, the same of its plain copy, and its title."""

    texts: list[Candidate]
    plain: list[Candidate]
    truth: str


def learn_titles(data: Path, limit: int | None, **given: Any) -> Learnt:
    """The tree of titles; given: settings of the tree."""
    pages, settings = spread_evenly(list(read_pages(data)), limit), change_settings(TITLE_TREE, **given)
    return learn_from_pages(pages, load_rules().fields.title, settings)


def learn_from_pages(pages: Sequence[LabelledPage], rules: TitleRules, settings: TreeSettings) -> Learnt:
    """The tree of all pages, and how often a tree is right on a site that it has not seen."""
    cases = collect_title_cases(pages, rules)
    rows = list(cases)

    def learn(seen: Iterable[int]) -> TreeNode:
        return learn_title_tree([cases[rows[number]] for number in seen], settings)

    def answer(tree: TreeNode, number: int) -> tuple[str, bool, bool, bool]:
        """The page's type, whether it and its plain copy are right, and whether it can be."""
        case = cases[rows[number]]
        right, plain = (choose_title(texts, tree) for texts in (case.texts, case.plain))
        possible = any(is_title(text, case) for text in case.texts)
        return pages[rows[number]].page_type, is_title(right, case), is_title(plain, case), possible

    found = cross_validate(LabelledPages(tuple(pages), by_corpus=False).fold[rows], learn, answer)
    kinds, right, plain, possible = zip(*found, strict=True) if found else ((), (), (), ())
    lines = [
        f"title by the tree: {_share(right)} of {len(right)}, among the texts of the page {_share(possible)}",
        f"  with the site's name as <title>, and headings by their letters alone: {_share(plain)}",
    ]
    head = f"{_HEAD} Cross-validated by site:\n" + "\n".join(f"  {line}" for line in lines)
    for kind in sorted(set(kinds)):
        own = [agrees for of, agrees in zip(kinds, right, strict=True) if of == kind]
        lines.append(f"  {kind}: {format_share(own)}")
    return Learnt(
        "\n".join(lines), lambda: {"": write_tree(("fields", "title", "tree"), learn(range(len(rows))), head)}
    )


def is_title(text: Candidate | None, case: TitleCase) -> bool:
    """Whether a text is what people say of the page."""
    return is_same("title", text.value if text else None, case.truth)


def collect_title_cases(pages: Sequence[LabelledPage], rules: TitleRules) -> dict[int, TitleCase]:
    """Number of a page -> its texts and title, for the pages whose title is known."""
    return {
        number: _read_case(PageStatements(read_columns(page)), rules, truth, _LARGER[number % len(_LARGER)])
        for number, page in enumerate(pages)
        if (truth := read_truth(page, "title"))
    }


def _read_case(statements: PageStatements, rules: TitleRules, truth: str, larger: float) -> TitleCase:
    name = find_registered_domain_of_host(statements.host).partition(".")[0] if statements.host else ""
    plain = collect_title_texts(statements, rules, guide=name)
    for text in plain:
        # the letters stay larger: on plain pages they alone show a heading
        text.features["heading_level"] = _NO_HEADING
        text.features["size_ratio"] = 1 + larger * (text.features["size_ratio"] - 1)
    return TitleCase(collect_title_texts(statements, rules), plain, truth)


def learn_title_tree(cases: Sequence[TitleCase], settings: TreeSettings = TITLE_TREE) -> TreeNode:
    """Grow the tree from every text of every page and of its copy."""
    values = [[text.features[name] for name in NAMES] for case in cases for text in (*case.texts, *case.plain)]
    # twice: the texts of the copy are the same, so their answers are too
    right = [is_right for case in cases for is_right in 2 * [is_title(text, case) for text in case.texts]]
    answers = [IS_TITLE if is_right else "other" for is_right in right]
    return learn_tree(np.array(values, dtype=np.float64).reshape(-1, len(NAMES)), answers, NAMES, settings)


def _share(right: Sequence[bool]) -> str:
    return f"{np.mean(right):.3f}" if right else "none"
