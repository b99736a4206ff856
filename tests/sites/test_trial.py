"""Learnt rules are tried on the pages of the site before they are written."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from invented_host import generate_host

from webclean.pipeline import Cleaner
from webclean.rules import load_rules
from webclean.sites.learn import learn_site, profile_analysis, write_site_rules
from webclean.sites.trial import SiteTrial, group_rules, measure_f1

RULES = load_rules().sites


def make_trial(trial_pages: int = 30) -> tuple[SiteTrial, dict[str, object]]:
    """A trial with twenty articles of the invented host, and the rules learnt from them."""
    trial, cleaner = SiteTrial(msgspec.structs.replace(RULES, trial_pages=trial_pages)), Cleaner()
    pages = ((page.id, cleaner.clean(page.html).analysis) for page in generate_host(40, layouts=("article",)))
    return trial, write_site_rules(learn_site(pages, RULES, trial=trial), RULES)


def test_rules_that_help_pass_and_those_that_harm_are_left_out() -> None:
    trial, rules = make_trial()
    assert {"template-1", "template-1-varied-100"} <= set(rules)
    assert trial.leave_out_harmful(rules) == rules
    # what the first pages voted for is the promotion that stands on all
    harmful = {"when": {"page_contains": ".a2", "outside": ".a2"}, "action": {"points": -12.0}, "because": "a vote"}
    with_harm = rules | {"template-2": harmful, "template-2-texts-90": harmful}
    assert trial.leave_out_harmful(with_harm) == rules


def test_without_pages_nothing_is_left_out() -> None:
    trial, rules = make_trial(trial_pages=0)
    assert trial.leave_out_harmful(rules) == rules


def test_the_last_pages_are_kept() -> None:
    trial, _ = make_trial(trial_pages=3)
    assert [page.name for _, page, _ in trial.pages] == ["article-37", "article-38", "article-39"]


def test_rules_are_grouped_by_template() -> None:
    names = ["site-texts-90", "site-kept-20", "template-1", "template-1-varied-100", "template-12", "template-2"]
    groups = [list(group) for group in group_rules(dict.fromkeys(names))]
    assert groups == [names[:2], names[2:4], ["template-12"], ["template-2"]]


def test_the_score_is_the_f1_in_words_of_what_is_kept() -> None:
    page = profile_analysis("p", Cleaner().clean("<p>one two three</p><p>four five</p><p>six</p>").analysis)
    assert page.n_words.tolist() == [3, 2, 1]
    core = np.array([True, True, False])
    assert measure_f1(page.n_words, core, core) == 1.0
    assert measure_f1(page.n_words, core, np.array([True, False, True])) == pytest.approx(2 * 3 / (5 + 4))
    nothing = np.zeros(3, dtype=bool)
    assert measure_f1(page.n_words, nothing, nothing) == 1.0
