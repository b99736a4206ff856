"""Labelled pages -> the tree that finds titles (source C): C4.5 over the texts of each page, with its scores by site.

Each text is an example, title or other; one is a title if its edit distance to the label is under a fifth of the longer
one. The tree is scored through the whole choice that a page's title takes.

A copy of each page is learnt from as well, plain as old pages are: `<title>` is the name of the site, and headings are
known by their letters alone, which are larger than the text by a third, a half or all of what an h1 adds, in turn.
Without copies the tree would lean on `<title>` and h1, which modern pages have, and would miss the headline in large
letters of a page that has neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.compare.dataset import LabelledPage, group_pages, make_folds
from webclean.fields.candidate_features import TITLE_TREE_FEATURES
from webclean.fields.candidates import Candidate
from webclean.fields.statements import PageStatements
from webclean.fields.title_tree import IS_TITLE, choose_title, collect_title_texts
from webclean.learn.card_text import begin_file
from webclean.learn.field_report import read_columns
from webclean.learn.fields import is_same, read_truth
from webclean.learn.tree import TreeSettings, format_tree, learn_tree
from webclean.parse.url import find_registered_domain_of_host
from webclean.rules.card_schema import TreeNode
from webclean.rules.fields_schema import TitleRules

TITLE_TREE: Final = TreeSettings("gain_ratio", max_depth=8, min_leaf=20, confidence=0.1)
NAMES: Final = tuple(TITLE_TREE_FEATURES)
_HEAD: Final = """\
The tree that finds titles where `fields.title.method` is `tree` (source C): C4.5 over the texts of a page, learnt by
`webclean learn title-tree`. `counts` are texts."""

_NO_HEADING: Final = 7.0
_LARGER: Final = (0.3, 0.5, 1.0)
"""Of what an h1 adds to the size of the text: 16 pixels to 16."""


@dataclass(frozen=True, slots=True)
class TitleCase:
    """The texts of a page, the same of its plain copy, and its title."""

    texts: list[Candidate]
    plain: list[Candidate]
    truth: str


def collect_title_cases(pages: Sequence[LabelledPage], rules: TitleRules) -> list[TitleCase | None]:
    """The texts of each page and its title; None for a page without a label."""
    return [
        _read_case(PageStatements(columns), rules, truth, _LARGER[number % len(_LARGER)])
        if (truth := read_truth(page, "title"))
        else None
        for number, (page, columns) in enumerate(read_columns(pages))
    ]


def _read_case(statements: PageStatements, rules: TitleRules, truth: str, larger: float) -> TitleCase:
    name = find_registered_domain_of_host(statements.host).partition(".")[0] if statements.host else ""
    plain = collect_title_texts(statements, rules, guide=name)
    for text in plain:
        text.features["heading_level"] = _NO_HEADING
        text.features["size_ratio"] = 1 + larger * (text.features["size_ratio"] - 1)
    return TitleCase(collect_title_texts(statements, rules), plain, truth)


def learn_title_tree(cases: Sequence[TitleCase], settings: TreeSettings = TITLE_TREE) -> TreeNode:
    """Grow the tree from every text of every page and of its copy."""
    values = [[text.features[name] for name in NAMES] for case in cases for text in (*case.texts, *case.plain)]
    answers = [answer for case in cases for answer in 2 * [_name_answer(text, case.truth) for text in case.texts]]
    return learn_tree(np.array(values, dtype=np.float64).reshape(-1, len(NAMES)), answers, NAMES, settings)


def _name_answer(text: Candidate, truth: str) -> str:
    return IS_TITLE if is_same("title", text.value, truth) else "other"


def report_title_tree(
    pages: Sequence[LabelledPage], rules: TitleRules, settings: TreeSettings = TITLE_TREE
) -> tuple[str, TreeNode]:
    """(scores on pages of sites that the tree has not seen, the tree of all pages)."""
    found = collect_title_cases(pages, rules)
    folds = make_folds(group_pages(pages), [page.page_type for page in pages])
    right: dict[str, list[bool]] = {}
    possible: list[bool] = []
    plain: list[bool] = []
    for fold in np.unique(folds).tolist():
        tree = learn_title_tree(
            [case for case, own in zip(found, folds, strict=True) if case and own != fold], settings
        )
        for i in np.flatnonzero(folds == fold).tolist():
            case = found[i]
            if case:
                right.setdefault(pages[i].page_type, []).append(_agrees(case.texts, tree, case.truth))
                plain.append(_agrees(case.plain, tree, case.truth))
                possible.append(any(is_same("title", text.value, case.truth) for text in case.texts))
    every = [agrees for kind in right.values() for agrees in kind]
    lines = [f"title by the tree: {_share(every)} of {len(every)}, among the texts of the page {_share(possible)}"]
    lines.append(f"  with the site's name as <title>, and headings by their letters alone: {_share(plain)}")
    lines += [f"  {kind}: {_share(agrees)} of {len(agrees)}" for kind, agrees in sorted(right.items())]
    return "\n".join(lines), learn_title_tree([case for case in found if case], settings)


def _agrees(texts: list[Candidate], tree: TreeNode, truth: str) -> bool:
    best = choose_title(texts, tree)
    return is_same("title", best.value if best else None, truth)


def _share(right: Sequence[bool]) -> str:
    return f"{np.mean(right):.3f}" if right else "none"


def format_title_tree(tree: TreeNode, report: str) -> str:
    """The rule file of the tree."""
    scores = "\n".join(f"  {line}" for line in report.splitlines()[:2])
    head = begin_file(f"{_HEAD} Cross-validated by site:\n{scores}", ("fields.title.tree",), "")
    return "\n".join((*head, "fields:", "  title:", "    tree:", format_tree(tree, 6)))
