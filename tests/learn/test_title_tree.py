"""The tree of titles is learnt from the texts of pages and of their plain copies."""

from __future__ import annotations

import msgspec
import pytest
import yaml

pytest.importorskip("sklearn")

from webclean.compare.dataset import LabelledPage
from webclean.learn.title_tree import collect_title_cases, learn_from_pages, learn_title_tree
from webclean.learn.tree import TreeSettings
from webclean.rules import load_rules
from webclean.rules.card_schema import TreeNode

RULES = load_rules().fields.title


def make_pages(n: int) -> list[LabelledPage]:
    return [
        LabelledPage(
            id=str(i),
            url=f"https://site{i}.com/a",
            html=f"<title>Bridge {i} | Site</title><h1>Bridge {i}</h1><p>Of a bridge</p><p>More of it</p>".encode(),
            text="",
            page_type="article",
            title=f"Bridge {i}",
            date=None,
            author=None,
            stripped=True,
        )
        for i in range(n)
    ]


def test_a_copy_has_the_sites_name_for_a_title_and_headings_by_their_letters() -> None:
    for number, ratio in enumerate((1.3, 1.5, 2.0)):
        case = collect_title_cases(make_pages(3), RULES)[number]
        own, plain = case.texts[0].features, case.plain[0].features
        assert (own["heading_level"], plain["heading_level"]) == (1.0, 7.0)
        assert (own["size_ratio"], plain["size_ratio"]) == (2.0, pytest.approx(ratio))
        # "Bridge 0" of "Bridge 0 | Site": 7 of 15 letters are missing; of "site0", every letter but one
        assert own["title_similarity"] == pytest.approx(8 / 15)
        assert plain["title_similarity"] < 0.4
        assert plain["is_largest"] == own["is_largest"] == 1.0


def test_the_tree_marks_the_headline_and_is_scored_on_other_sites() -> None:
    pages = make_pages(12)
    learnt = learn_from_pages(pages, RULES, TreeSettings("gain_ratio", min_leaf=2))
    assert learnt.report.splitlines() == [
        "title by the tree: 1.000 of 12, among the texts of the page 1.000",
        "  with the site's name as <title>, and headings by their letters alone: 1.000",
        "  article: 1.000 of 12",
    ]
    cases = list(collect_title_cases(pages, RULES).values())
    tree = learn_title_tree(cases, TreeSettings("gain_ratio", min_leaf=2))
    written = yaml.safe_load(learnt.write()[""])["fields"]["title"]["tree"]
    assert msgspec.convert(written, TreeNode) == tree
    assert sum(leaf.counts.get("title", 0) for leaf in (tree.then, tree.otherwise) if leaf) == 24  # pages and copies
