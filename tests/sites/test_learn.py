"""Learning the templates of a site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import msgspec
import numpy as np
import pytest
from invented_sites import SyntheticPage, generate_site

from tests.counting import count_calls
from webclean.checks import find_unusable
from webclean.errors import InputError
from webclean.page import Analysis
from webclean.pipeline import Cleaner
from webclean.rules import load_rules
from webclean.rules.rule_schema import Rule
from webclean.sites.clusters import Cluster, Clustering, dump_clustering, load_clustering
from webclean.sites.site_pages import PageProfile
from webclean.sites.site_rules import (
    choose_extraction_rule,
    find_repeated_texts,
    judge_places,
    learn_site,
    write_site_rules,
)

RULES = load_rules().sites


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


def test_what_repeats_is_boilerplate_and_what_varies_is_not() -> None:
    repeated = dict(find_repeated_texts(learn(30, 1).site, RULES.texts))
    pages = list(generate_site(30, n_templates=1))
    assert repeated
    for text, n in repeated.items():
        assert sum(text in page.html for page in pages) == n
        assert not any(text in page.article.split("\n") for page in pages)


def test_places_are_judged_by_what_repeats_there() -> None:
    kinds = {verdict.path.split(" > ")[-2]: verdict.kind for verdict in judge_places(learn(60).site, RULES)}
    assert kinds["div.promo"] == kinds["div.legal"] == "repeated"
    assert kinds.get("div#story", "kept") == "kept"


def test_written_rules_are_valid_and_say_on_how_many_pages() -> None:
    written = write_site_rules(learn(60), RULES)
    rules = msgspec.convert(written, dict[str, Rule])
    assert list(find_unusable({"rules": written})) == []
    assert all(" pages of this site" in rule.because for rule in rules.values())


def test_a_large_site_makes_no_more_rules_than_a_small_one() -> None:
    assert len(write_site_rules(learn(480), RULES)) <= 1.5 * len(write_site_rules(learn(120), RULES))


def test_a_state_learnt_with_other_settings_is_refused() -> None:
    saved = dump_clustering(learn(30, 1))
    with pytest.raises(InputError, match="other settings"):
        load_clustering(saved, msgspec.structs.replace(RULES, similarity=0.5))
    with pytest.raises(InputError, match="format"):
        load_clustering({"format": 0}, RULES)


def test_cost_grows_with_pages_not_with_their_square() -> None:
    rng = np.random.default_rng(1)
    common = np.arange(40, dtype=np.uint64)

    def profiles(n: int) -> list[PageProfile]:
        own = rng.integers(1000, 2**60, size=(n, 40), dtype=np.uint64)
        return [PageProfile(str(k), np.unique(np.concatenate((common, own[k])))) for k in range(n)]

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
        own = rng.integers(1000, 2**60, size=40, dtype=np.uint64)
        clustering.add(PageProfile(str(number), np.unique(np.concatenate((np.arange(30, dtype=np.uint64), own)))))
    clustering.add(PageProfile("small", np.arange(10, dtype=np.uint64)))
    assert len(clustering.clusters) == 20
