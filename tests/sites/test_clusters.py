"""The weight H of a block, worked out by hand, and how pages find their cluster.

Learning the templates of a site.
"""

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
import pytest
from invented_sites import SyntheticPage, generate_site

from tests.counting import count_calls
from tests.outputs.kept import keep_blocks
from webclean.page import Analysis
from webclean.pipeline import Cleaner
from webclean.rules import load_rules
from webclean.sites.profiles import PageProfile
from webclean.sites.site_pages import Cluster, Clustering, score_vote, vote_for_block
from webclean.sites.site_rules import (
    choose_extraction_rule,
    judge_places,
    learn_site,
    write_site_rules,
)

PAGE = (
    '<body><div id=a class="x y"><p>0123456789</p><p>01234<a href=/>56789</a></p></div>'
    "<div><a href=/>0123456789</a></div>"
)
RULES = load_rules().sites


def find_rows(markup: str) -> np.ndarray:
    document, _, _ = keep_blocks(markup)
    return np.array([i for i, name in enumerate(document.names) if name == "div"], dtype=np.int32)


def test_weights_by_hand() -> None:
    document, blocks, kept = keep_blocks(PAGE)
    rows = find_rows(PAGE)
    # text without link text 15 and 0 of 15, with it 20, links 1 and 1 of 2, blocks 2 and 1 of 3
    first = 15 / 16 * (1 - 1 / 3) * 15 / 21 / (1 + 0.5 * 2 / 3)
    assert score_vote(document, blocks, kept, rows, 0.5).tolist() == pytest.approx([first, 0.0])
    core = np.array([True, False, False])
    alone = 10 / 11 * (1 - 1 / 3) * 10 / 11
    assert score_vote(document, blocks, core, rows, 0.0).tolist() == pytest.approx([alone, 0.0])
    assert score_vote(document, blocks, kept, rows[:0], 0.5).tolist() == []
    empty = "<body><div></div><div><img src=/a.png></div>"
    assert score_vote(*keep_blocks(empty), find_rows(empty), 0.5).tolist() == [0.0, 0.0]


def test_a_page_votes_for_the_names_of_its_best_block() -> None:
    document, blocks, kept = keep_blocks(PAGE)
    ballot = vote_for_block(document, blocks, kept, find_rows(PAGE), 0.0)
    assert ballot is not None
    assert ballot[0] == ("a", "x y", "/html/body[1]/div[1]")
    assert ballot[1] == pytest.approx(15 / 16 * 2 / 3 * 15 / 21)
    assert vote_for_block(document, blocks, np.zeros(3, dtype=bool), find_rows(PAGE), 0.0) is None
    assert vote_for_block(document, blocks, kept, find_rows(PAGE)[:0], 0.0) is None


def make_profile(name: str, *paths: int) -> PageProfile:
    return PageProfile(name, tuple(map(str, paths)))


def test_a_page_joins_the_most_similar_cluster_above_the_threshold() -> None:
    clustering = Clustering(RULES)  # similarity 0.82
    for profile in (make_profile("a", *range(10)), make_profile("b", *range(2, 12)), make_profile("c", 50, 51)):
        clustering.add(profile)
    assert [cluster.pages for cluster in clustering.clusters] == [["a"], ["b"], ["c"]]  # 8 of 10 are too few
    clustering.add(make_profile("d", *range(1, 11)))  # 9 of 10 of both: the first stays
    clustering.add(make_profile("e", *range(2, 11), 99))  # 8 of a, 9 of b
    clustering.add(make_profile("f"))
    assert [cluster.pages for cluster in clustering.clusters] == [["a", "d"], ["b", "e"], ["c"], ["f"]]
    assert clustering.site.n_pages == 6


def analyse(pages: Iterable[SyntheticPage]) -> Iterator[tuple[str, Analysis]]:
    cleaner = Cleaner()
    for page in pages:
        yield page.name, cleaner.clean(page.html).analysis


@cache
def learn(n_pages: int, n_templates: int = 3) -> Clustering:
    return learn_site(analyse(generate_site(n_pages, n_templates=n_templates)), RULES)


def large_clusters(clustering: Clustering) -> list[Cluster]:
    return [cluster for cluster in clustering.clusters if len(cluster.pages) >= RULES.min_pages]


def test_templates_are_told_apart() -> None:
    large = large_clusters(learn(60))
    assert sum(len(cluster.pages) for cluster in large) >= 55
    for cluster in large:
        assert len({int(name.split("-")[1]) % 3 for name in cluster.pages}) == 1


def test_extraction_rules_find_the_content_by_id_class_or_path() -> None:
    chosen = {
        rule.selector for cluster in large_clusters(learn(120)) if (rule := choose_extraction_rule(cluster, RULES))
    }
    assert {"#story", ".entry.text"} <= chosen
    assert any(selector.startswith("/html/body") for selector in chosen)


def test_places_are_judged_by_what_repeats_there() -> None:
    kinds = {verdict.path.split(" > ")[-2]: verdict.kind for verdict in judge_places(learn(60).site, RULES)}
    assert kinds["div.promo"] == kinds["div.legal"] == "repeated"
    assert kinds.get("div#story", "kept") == "kept"


def test_a_large_site_makes_no_more_rules_than_a_small_one() -> None:
    assert len(write_site_rules(learn(480), RULES)) <= 1.5 * len(write_site_rules(learn(120), RULES))


def test_cost_grows_with_pages_not_with_their_square() -> None:
    rng = np.random.default_rng(1)

    def profiles(n: int) -> list[PageProfile]:
        own = rng.integers(1000, 2**60, size=(n, 40)).tolist()
        return [make_profile(str(number), *range(40), *paths) for number, paths in enumerate(own)]

    def count(pages: list[PageProfile]) -> int:
        clustering = Clustering(RULES)
        n_calls = count_calls(lambda: [clustering.add(page) for page in pages])
        assert len(clustering.clusters) == len(pages)
        return n_calls

    # all different: the worst case, every page founds a cluster
    assert count(profiles(2000)) < 5 * count(profiles(500))


def test_a_small_page_joins_though_many_founders_have_its_paths() -> None:
    clustering = Clustering(RULES, max_posting=4)
    rng = np.random.default_rng(1)
    for number in range(20):
        clustering.add(make_profile(str(number), *range(30), *rng.integers(1000, 2**60, size=40).tolist()))
    clustering.add(make_profile("small", *range(10)))
    assert len(clustering.clusters) == 20
