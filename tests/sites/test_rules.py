"""What is learnt of a site becomes rules; those that help its own pages are kept."""

from math import log
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import yaml
from invented_sites import SHOPS, generate_host, generate_shop

from webclean.pipeline import Cleaner
from webclean.rules import load_rules
from webclean.sites.profiles import PageProfile, profile_page
from webclean.sites.site_pages import (
    Cluster,
    Clustering,
    Features,
    PlaceCount,
    SiteRepeats,
    TextCount,
    Vote,
    mask_counts,
)
from webclean.sites.site_rules import (
    ExtractionRule,
    PlaceVerdict,
    SiteTrial,
    choose_extraction_rule,
    find_templates,
    judge_places,
    learn_site,
    write_site_rules,
)

RULES = msgspec.structs.replace(
    load_rules().sites,
    min_pages=3,
    min_agreement=0.5,
    outside_points=-9.0,
    core_share=0.5,
    core_misses=0,
    early_pages=0,
    often_share=0.4,
    max_text_chars=12,
    places=msgspec.structs.replace(
        load_rules().sites.places,
        min_pages=3,
        repeated_share=0.8,
        repeated_points=-3.0,
        varied_from=0.5,
        fact_words=8,
        varied_points=5.0,
        listed_share=0.8,
        max_chars=20,
    ),
)


OWN = PlaceCount(10, 0, 400, 200, 360, 0, 0, 10, 0.0)
"""A place with enough text of its own that the pages are no index."""


def make_repeats(n_pages: int, places: dict[str, PlaceCount] | None = None) -> SiteRepeats:
    return SiteRepeats(12, 100, n_pages, places=places or {})


def make_cluster(n_pages: int, votes: dict[Features, Vote], repeats: SiteRepeats | None = None) -> Cluster:
    pages = [f"page-{i}" for i in range(n_pages)]
    return Cluster(frozenset(), repeats or make_repeats(n_pages), pages, votes)


@pytest.mark.parametrize(
    ("votes", "chosen"),
    [
        # the largest total, not the sum of an id: its id, else its class, else its path
        (
            {("story", "a", "/x"): Vote(2.0, 5), ("main", "b", "/y"): Vote(1.0, 5)},
            ExtractionRule("#story", 5, 10),
        ),
        (
            {("", "a b", "/x"): Vote(2.0, 5), ("main", "b", "/y"): Vote(1.0, 5)},
            ExtractionRule(".a.b", 5, 10),
        ),
        ({("", "", "/x"): Vote(2.0, 5), ("main", "b", "/y"): Vote(1.0, 5)}, ExtractionRule("/x", 5, 10)),
        # an id on too few pages: the class, which others share, then the path
        (
            {("p7", "a", "/x"): Vote(9.0, 4), ("p8", "a", "/y"): Vote(1.0, 2)},
            ExtractionRule(".a", 6, 10),
        ),
        ({("p7", "a", "/x"): Vote(9.0, 4), ("p8", "b", "/x"): Vote(1.0, 2)}, ExtractionRule("/x", 6, 10)),
        # pages that vote for a part of a block support it
        ({("", "", "/x"): Vote(3.0, 3), ("part", "", "/x/y"): Vote(2.0, 2)}, ExtractionRule("/x", 5, 10)),
        ({("", "", "/x"): Vote(3.0, 3), ("part", "", "/xy"): Vote(2.0, 2)}, None),
        ({("part", "", "/x/y"): Vote(4.0, 4), ("", "", "/x"): Vote(3.0, 3)}, ExtractionRule("/x", 7, 10)),
        ({("", "", "/html"): Vote(1.0, 4)}, None),
        ({}, None),
        ({("1st", "", "/x"): Vote(1.0, 5)}, ExtractionRule('[id="1st"]', 5, 10)),
        ({('a"b\\c', "", "/x"): Vote(1.0, 5)}, ExtractionRule('[id="a\\"b\\\\c"]', 5, 10)),
        ({("", "-x 2y", "/x"): Vote(1.0, 5)}, ExtractionRule('.-x[class~="2y"]', 5, 10)),
    ],
)
def test_the_features_with_the_most_weight_that_half_the_pages_support(
    votes: dict[Features, Vote], chosen: ExtractionRule | None
) -> None:
    assert choose_extraction_rule(make_cluster(10, votes), RULES) == chosen


def test_early_votes_count_until_there_are_as_many_others() -> None:
    early, late = ("early", "", "/x"), ("late", "", "/y")
    rules = msgspec.structs.replace(RULES, early_pages=5)
    for n_pages, chosen in ((9, "#early"), (10, "#late")):
        cluster = make_cluster(n_pages, {late: Vote(1.0, n_pages - 5)})
        cluster.early = {early: Vote(9.0, 5)}
        found = choose_extraction_rule(cluster, rules)
        assert found is not None
        assert found.selector == chosen
    assert found.of_pages == 5


@pytest.mark.parametrize(
    ("count", "verdict"),
    [
        (PlaceCount(5, 0, 100, 50, 80, 64, 0, 5, 5 * log(5)), ("repeated", 5)),
        # words repeat, but values of at most eight words vary: facts of pages, unless the site has other places
        (PlaceCount(10, 0, 80, 40, 72, 64, 0, 10, 5 * log(10)), ("varied", 10)),
        (PlaceCount(10, 0, 81, 40, 72, 64, 0, 10, 5 * log(10)), ("repeated", 10)),
        (PlaceCount(10, 0, 80, 40, 72, 64, 0, 10, 5.1 * log(10)), ("repeated", 10)),
        (PlaceCount(4, 0, 80, 40, 72, 0, 0, 4, 0.0), None),
        (PlaceCount(10, 0, 80, 0, 72, 0, 63, 10, 0.0), ("varied", 10)),
        (PlaceCount(10, 0, 80, 80, 72, 0, 64, 10, 0.0), None),
        (PlaceCount(5, 0, 100, 50, 80, 63), None),
        (PlaceCount(5, 0, 100, 89, 80, 0), None),
        (PlaceCount(5, 0, 100, 11, 80, 0), None),
        (PlaceCount(2, 0, 100, 100, 80, 0), None),
        (PlaceCount(5, 0, 0, 0, 0, 0), None),
    ],
)
def test_a_place_is_judged_by_its_words(count: PlaceCount, verdict: tuple[str, int] | None) -> None:
    rules = msgspec.structs.replace(RULES, core_share=1.0)

    def judge(path: str) -> list[PlaceVerdict]:
        found = judge_places(make_repeats(10, {path: count, "own": OWN}), rules)
        return [one for one in found if one.path != "own"]

    assert judge("div > p") == ([PlaceVerdict("div > p", *verdict)] if verdict else [])
    assert judge("d" * 21) == []
    assert len(judge("d" * 20)) == len(judge("div > p"))


def make_varied(n_pages: int, n_words: int, n_listed: int = 0, kept: float = 0.5) -> PlaceCount:
    """A place whose values are others on each page."""
    n_kept = round(kept * n_words)
    return PlaceCount(n_pages, 0, n_words, n_kept, n_words, 0, n_listed, n_pages, 0.0)


def test_variation_tells_about_pages_of_one_template() -> None:
    group = make_repeats(10, {"a": make_varied(10, 80), "b": make_varied(10, 80, 80)})
    assert [(verdict.path, verdict.kind) for verdict in judge_places(group, RULES)] == [("a", "varied")]
    assert judge_places(group, RULES, is_template=False) == []


@pytest.mark.parametrize(
    ("beside", "kept", "is_index"),
    [(79, 0.6, True), (80, 0.6, False), (20, 0.5, False)],  # kept lists; more beside them; lists that are dropped
)
def test_pages_are_an_index_where_kept_lists_are_most_of_what_varies(beside: int, kept: float, is_index: bool) -> None:
    group = make_repeats(10, {"a": make_varied(10, beside), "b": make_varied(10, 80, 80, kept)})
    assert group.is_index(RULES) == is_index
    # what stands beside lists varies, whatever the pages are
    assert [(verdict.path, verdict.kind) for verdict in judge_places(group, RULES)] == [("a", "varied")]
    assert not make_repeats(10).is_index(RULES)


def test_a_path_that_other_templates_have_names_no_content() -> None:
    cluster = make_cluster(10, {("", "", "/html/body[1]/div[2]"): Vote(2.0, 10)})
    other = make_cluster(10, {})
    assert choose_extraction_rule(cluster, RULES, [other]) is not None
    other.founder = frozenset(["/html/body[1]/div[1]", "/html/body[1]/div[2]"])
    assert choose_extraction_rule(cluster, RULES, [other]) is None


def test_variation_is_the_entropy_of_values_over_pages() -> None:
    repeats = SiteRepeats(max_chars=12, window=100)
    for value in "aabc":
        repeats.add(make_page((value, "price", 1, True), ("menu", "nav", 1, False), ("menu", "nav", 1, False)))
    # a is on two pages of four, b and c on one: 1 - 2 ln 2 / (4 ln 4)
    assert repeats.places["price"].variation == pytest.approx(0.75)
    assert repeats.places["price"].n_values == repeats.places["nav"].n_values == 4
    assert repeats.places["nav"].variation == pytest.approx(0.0)
    alone = SiteRepeats(max_chars=12, window=100)
    alone.add(make_page(("a", "price", 1, True)))
    assert alone.places["price"].variation == 1.0


SAME = {"n_values": 1, "log_sum": 9.0}  # what stands there does not vary
KEPT, DROPPED = PlaceCount(10, 0, 100, 100, 90, 0, **SAME), PlaceCount(9, 0, 90, 0, 80, 0, **SAME)
REPEATED = PlaceCount(8, 0, 90, 0, 80, 80)


def make_site() -> Clustering:
    clustering = Clustering(RULES)
    places = {"div.a": DROPPED, "div.b": PlaceCount(9, 0, 90, 0, 80, 0, **SAME), "div.r": REPEATED, "div.k": KEPT}
    clustering.site = make_repeats(10, places)
    own = make_repeats(6, {"div.a": DROPPED, "div.t": PlaceCount(5, 0, 90, 0, 80, 80)})
    clustering.clusters = [
        make_cluster(2, {("small", "", "/x"): Vote(1.0, 2)}),
        make_cluster(3, {}),
        make_cluster(6, {("story", "", "/x"): Vote(1.0, 5)}, own),
    ]
    return clustering


def test_rules_are_written_by_tenths_of_the_pages() -> None:
    rules = write_site_rules(make_site(), RULES)
    learnt = {"pages": 5, "of": 6, "site_pages": 10}
    template = {"page_contains": "#story"}
    expected: dict[str, Any] = {
        "site-repeated": (
            {"path": ["div.r"]},
            -3.0,
            "the words at this place repeat, on 8 of 10 pages of this site",
            (8, 8),
        ),
        "template-1-repeated": (
            {**template, "path": ["div.t"]},
            -3.0,
            "the words at this place repeat, on 5 of 6 pages of this site",
            (5, 5),
        ),
    }
    assert rules.pop("template-1") == {
        "when": {"page_contains": "#story", "outside": "#story"},
        "action": {"points": -9.0},
        "because": "outside the content block of 5 of 6 pages of this site",
        "template": True,
        "learnt": learnt,
    }
    assert rules == {
        name: {
            "when": when,
            "action": {"points": points},
            "because": because,
            "learnt": {"pages": pages, "of": of, "site_pages": 10},
        }
        for name, (when, points, because, (pages, of)) in expected.items()
    }


def make_page(*blocks: tuple[str, str, int, bool]) -> PageProfile:
    """Blocks by text, place, words and whether they are kept; a star before the text: in a list."""
    texts, places, words, kept = zip(*blocks, strict=True)
    listed = np.array([text.startswith("*") for text in texts])
    remarks = np.zeros(len(texts), dtype=bool)
    return PageProfile(
        "p", (), texts, places, np.array(words, dtype=np.int32), np.array(kept), listed, remarks, remarks
    )


def test_words_of_places_and_texts_are_counted_page_by_page() -> None:
    repeats = SiteRepeats(max_chars=12, window=100)
    repeats.add(make_page(("menu", "nav", 1, False), ("one", "main", 4, True), ("menu", "nav", 1, True)))
    repeats.add(make_page(("menu", "nav", 1, False), ("two", "main", 6, True), ("more", "main", 7, False)))
    assert repeats.n_pages == 2
    assert repeats.values == {
        "nav\0menu": TextCount(2, n_words=3),
        "main\0one": TextCount(1, n_words=4),
        "main\0two": TextCount(1, n_words=6),
        "main\0more": TextCount(1, n_words=7),
    }
    assert repeats.places == {
        "nav": PlaceCount(2, 0, n_words=3, n_kept=1, n_later=1, n_repeated=1, n_values=2, log_sum=2 * log(2)),
        "main": PlaceCount(2, 0, n_words=17, n_kept=10, n_later=13, n_repeated=0, n_values=3),
    }


def test_what_is_forgotten_is_known_to_have_been_missed() -> None:
    repeats = SiteRepeats(max_chars=12, window=2)
    for text in ("a", "a", "b", "c"):
        repeats.add(make_page((text, "div", 1, True)))
        repeats.forget()
    # after four pages: `a` was on 2 and could stay; `b` and `c` came after one window and are on one page each
    assert repeats.values == {}
    repeats.add(make_page(("d", "p", 1, True)))
    assert repeats.values == {"p\0d": TextCount(1, 2, n_words=1)}
    assert repeats.places["div"].n_pages == 4
    assert repeats.places["p"].missed == 2


def test_the_core_is_text_that_varies_at_places_of_every_page_outside_lists() -> None:
    repeats = SiteRepeats(max_chars=12, window=100)
    pages = [
        make_page(
            (f"story {i}", "main", 5, True),
            (f"dropped {i}", "main", 5, False),
            (f"*other {i}", "main", 5, True),
            ("slogan here", "top", 5, True),
            ("in all", "main", 5, True),
            *([(f"comment {i}", "comments", 5, True)] if i == 0 else []),
        )
        for i in range(4)
    ]
    for page in pages:
        repeats.add(page)
    # `top` repeats, `comments` is on one page of four, `in all` is on every page; what the cards keep is not asked
    assert repeats.find_core(pages[0], RULES).tolist() == [True, True, False, False, False, False]
    lenient = msgspec.structs.replace(RULES, core_misses=1)
    assert repeats.find_core(pages[0], lenient).tolist() == [True, True, False, False, False, True]
    other = make_page(("in all", "main", 5, True), ("slogan here", "top", 5, False))
    assert repeats.find_core(other, RULES).tolist() == [True, False]  # nothing varies: all that is kept


SHIPPED = load_rules().sites


def make_trial(trial_pages: int = 30) -> tuple[SiteTrial, dict[str, object]]:
    """A trial with twenty articles of the invented host, and the rules learnt from them."""
    trial, cleaner = SiteTrial(msgspec.structs.replace(SHIPPED, trial_pages=trial_pages)), Cleaner()
    pages = ((page.id, cleaner.clean(page.html).analysis) for page in generate_host(40, layouts=("article",)))
    return trial, write_site_rules(learn_site(pages, SHIPPED, trial=trial), SHIPPED)


def test_rules_that_help_pass_and_those_that_harm_are_left_out() -> None:
    trial, rules = make_trial()
    assert {"template-1", "template-1-varied"} <= set(rules)
    assert trial.leave_out_harmful(rules) == rules
    # what the first pages voted for is the promotion that stands on all
    harmful = {"when": {"page_contains": ".a2", "outside": ".a2"}, "action": {"points": -12.0}, "because": "a vote"}
    with_harm = rules | {"template-2": harmful, "template-2-repeated": harmful}
    assert trial.leave_out_harmful(with_harm) == rules


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Add to basket (12 left)", "Add to basket (0 left)"),
        ("Order within 3 h 25 min for today", "Order within 0 h 0 min for today"),
        ("Noch 5 auf Lager, bald da", "Noch 0 auf Lager, bald da"),
        ("Pages: 312", "Pages: 312"),
        ("12 left", "12 left"),
        ("カートに入れる (12)", "カートに入れる (0)"),
        ("ページ数 312", "ページ数 312"),
        ("our price now only 12.90", "our price now only 12.90"),
        ("Posted by the harbour on 3/4/2011", "Posted by the harbour on 3/4/2011"),
        ("Written for us in spring 2011", "Written for us in spring 2011"),
    ],
)
def test_counts_inside_a_text_are_no_values(text: str, masked: str) -> None:
    assert mask_counts(text) == masked


REVIEWS = (
    "<article><h1>Kettle {0}</h1><p>The {1} kettle number {0} boils water in the time that it takes to say so, and {1}"
    " whistles.</p><section>{2}</section></article>"
)
WORDS = ["amber", "brisk", "calm", "dusky", "early", "faint", "grand", "hardy", "ivory", "jolly"]


@pytest.mark.parametrize(
    ("unit", "is_remark"),
    [
        ("<div><i>Ann {0} Lee</i><p>Holds water for {0} and for {1}, and the lid fits as it should.</p></div>", True),
        (
            "<ul><li><b>安娜{0}</b><blockquote>水壶很好用盖子合适烧水也快{1}推荐给大家购买。</blockquote></ul>",
            True,
        ),
        ("<div><h4>On {0}</h4><p>Holds water for {0} and for {1}, and the lid fits as it should.</p></div>", False),
        ("<div><b>Colour {0}:</b><p>Holds water for {0} and for {1}, and the lid fits as it should.</p></div>", False),
        ("<div><a>12</a><p>Holds water for {0} and for {1}, and the lid fits as it should.</p></div>", False),
        ("<p>Holds water for {0} and for {1}, and the lid fits as it should.</p>", False),
    ],
    ids=["reviews", "in Chinese", "headings", "labels", "footnotes", "paragraphs"],
)
def test_what_people_say_in_turn_on_some_pages_is_told_by_its_form(unit: str, is_remark: bool) -> None:
    cleaner, pages = Cleaner(), []
    for number, word in enumerate(WORDS):
        said = "".join(unit.format(word, other) for other in WORDS[:3]) if number % 2 else ""
        pages.append((word, cleaner.clean(REVIEWS.format(number, word, said)).analysis))
    rules = write_site_rules(learn_site(pages, SHIPPED), SHIPPED)
    assert ("template-1-remarks" in rules) == is_remark


def test_a_text_of_all_pages_at_a_place_that_varies_is_dropped() -> None:
    unit = "<div><h1>{1} lamp</h1><p>{0}2.95</p><p>Put it in the bag ({0})</p><p>Weight</p><p>{1} {0}7 kg</p></div>"
    cleaner = Cleaner()
    pages = [(word, cleaner.clean(unit.format(number + 1, word)).analysis) for number, word in enumerate(WORDS)]
    rules = write_site_rules(learn_site(pages, SHIPPED), SHIPPED)
    # the label stands before a value
    assert rules["template-1-texts"]["when"]["text"] == r"^(?:Put\ it\ in\ the\ bag\ \(\d{1,3}\))$"


def test_many_texts_of_all_pages_are_rules_that_can_be_read(tmp_path: Path) -> None:
    ways = [f"<p>Send the lamp by {word} {'and tell them who it is from ' * 5}</p>" for word in WORDS]
    unit = f"<div><h1>{{1}} lamp</h1><p>{{0}}2.95</p>{''.join(ways)}<p>{{1}} {{0}}7 kg</p></div>"
    cleaner = Cleaner()
    pages = [(word, cleaner.clean(unit.format(number + 1, word)).analysis) for number, word in enumerate(WORDS)]
    rules = write_site_rules(learn_site(pages, SHIPPED), SHIPPED)
    texts = [rule["when"]["text"] for name, rule in rules.items() if "-texts" in name]
    assert len(texts) > 1
    # the last one stands before a value, as labels do
    assert sum(text.count("Send") for text in texts) == len(ways) - 1
    path = tmp_path / "lamps.yaml"
    path.write_text(yaml.safe_dump({"rules": rules}), encoding="utf-8")
    page = Cleaner(rules=[path]).clean(unit.format(3, "red"))
    assert "by amber" not in page.text


@pytest.mark.parametrize("shop", sorted(SHOPS))
def test_furniture_of_a_shop_that_repeats_in_part_is_no_content(shop: str) -> None:
    cleaner, pages = Cleaner(), list(generate_shop(40, shop))
    clustering = learn_site(((page.id, cleaner.clean(page.html).analysis) for page in pages[:30]), cleaner.rules.sites)
    (_, cluster, _), *_ = find_templates(clustering, cleaner.rules.sites)
    safe = {one.path for one in judge_places(cluster.repeats, cleaner.rules.sites) if one.kind == "varied"}
    for page in pages[30:]:
        profile = profile_page(page.id, cleaner.clean(page.html).analysis)
        found = {text for text, place in zip(profile.texts, profile.places, strict=True) if place in safe}
        lasting = cluster.repeats.find_lasting(cleaner.rules.sites)
        found -= {
            text
            for text, place in zip(profile.texts, profile.places, strict=True)
            if mask_counts(text) in lasting[place]
        }
        facts, furniture = page.kept_snippets[:3], page.dropped_snippets
        assert all(fact in found for fact in facts)
        assert not any(part in text for part in furniture for text in found)
