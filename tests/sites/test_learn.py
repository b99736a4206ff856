"""Learning the templates of a site."""

from __future__ import annotations

import time

import msgspec
import numpy as np
import pytest

from tests.sites.synthetic import generate_site
from webclean.blocks.match import check_rules
from webclean.parse import parse_page
from webclean.rules import load_rules
from webclean.rules.rule_schema import Rule
from webclean.sites.clusters import Clustering, cluster_pages, compare_paths
from webclean.sites.learn import choose_extraction_rule, find_repeated_texts, learn_site, write_site_rules
from webclean.sites.profile import PageProfile, hash_paths, profile_page

RULES = msgspec.structs.replace(load_rules().sites, alpha=10.0)  # noisy pages: prefer tight blocks


def learn(n_pages: int, n_templates: int = 3) -> Clustering:
    return learn_site(
        ((page.name, parse_page(page.html)) for page in generate_site(n_pages, n_templates=n_templates)), RULES
    )


def test_paths_name_positions_among_like_siblings() -> None:
    one = parse_page("<div><p>a</p><div>b</div></div>")
    other = parse_page("<div><span>a</span><div>b</div></div>")
    assert hash_paths(one)[5] == hash_paths(other)[5]
    assert hash_paths(one)[4] != hash_paths(other)[4]


def test_similarity_is_the_share_of_the_smaller_page() -> None:
    small, large = np.array([1, 2, 3], dtype=np.uint64), np.array([2, 3, 4, 5, 6], dtype=np.uint64)
    assert compare_paths(small, large) == pytest.approx(2 / 3)
    assert compare_paths(small, np.zeros(0, dtype=np.uint64)) == 0


def test_templates_are_told_apart() -> None:
    clusters = cluster_pages(
        (profile_page(parse_page(page.html), page.name, RULES.alpha) for page in generate_site(60)), RULES.similarity
    )
    large = [cluster for cluster in clusters if len(cluster.pages) >= RULES.min_pages]
    assert sum(len(cluster.pages) for cluster in large) >= 55
    for cluster in large:
        assert len({int(name.split("-")[1]) % 3 for name in cluster.pages}) == 1


def test_extraction_rules_find_the_content_by_id_class_or_path() -> None:
    clustering = learn(90)
    chosen = {
        rule.selector
        for cluster in clustering.clusters
        if len(cluster.pages) >= RULES.min_pages and (rule := choose_extraction_rule(cluster, RULES))
    }
    assert {"#story", ".entry.text"} <= chosen
    assert any(selector.startswith("/html/body") for selector in chosen)


def test_what_repeats_is_boilerplate_and_what_varies_is_not() -> None:
    clustering = learn(30, n_templates=1)
    repeated = dict(find_repeated_texts(clustering.clusters[0], RULES))
    pages = list(generate_site(30, n_templates=1))
    assert repeated
    for text, n in repeated.items():
        assert sum(text in page.html for page in pages) >= n
        assert not any(text in page.article.split("\n") for page in pages)


def test_written_rules_are_valid_and_say_on_how_many_pages() -> None:
    written = write_site_rules(learn(60), RULES)
    rules = msgspec.convert(written, dict[str, Rule])
    assert list(check_rules(rules)) == []
    assert all(" pages of this site" in rule.because for rule in rules.values())


def test_learning_goes_on_from_what_is_known() -> None:
    pages = [(page.name, parse_page(page.html)) for page in generate_site(40)]
    at_once = write_site_rules(learn_site(pages, RULES), RULES)
    in_two = write_site_rules(learn_site(pages[25:], RULES, learn_site(pages[:25], RULES)), RULES)
    assert at_once == in_two


def test_cost_grows_with_pages_not_with_their_square() -> None:
    rng = np.random.default_rng(1)
    common = np.arange(40, dtype=np.uint64)

    def profiles(n: int) -> list[PageProfile]:
        own = rng.integers(1000, 2**60, size=(n, 40), dtype=np.uint64)
        return [
            PageProfile(str(k), np.unique(np.concatenate((common, own[k]))), None, 0.0, frozenset()) for k in range(n)
        ]

    def seconds(pages: list[PageProfile]) -> float:
        start = time.perf_counter()
        assert len(cluster_pages(pages, RULES.similarity)) == len(pages)
        return time.perf_counter() - start

    few, many = profiles(500), profiles(5000)  # all different: the worst case, every page founds a cluster
    assert min(seconds(many) for _ in range(2)) < 30 * max(min(seconds(few) for _ in range(2)), 0.01)
