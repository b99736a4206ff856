"""Hidden copies, posts of a thread, what stands outside the text: corrections by the whole page."""

from __future__ import annotations

import numpy as np
import pytest

from tests.decide.test_regions import SENTENCE, list_points, read_columns
from webclean.decide.corrections import correct_ends, correct_hidden, correct_points, correct_posts, find_main_run
from webclean.features import PageColumns
from webclean.model import Mask
from webclean.rules import load_rules
from webclean.rules.decide_schema import Corrections

ARTICLE = {"article": 1.0}
LABEL = "<p>Home</p>"
PARAGRAPH = f"<p>{SENTENCE}</p>"


@pytest.fixture
def rules() -> Corrections:
    return load_rules().corrections


def keep_prose(columns: PageColumns) -> Mask:
    return columns.is_prose


def test_hidden_text_loses_points_beside_visible_text(rules: Corrections) -> None:
    columns = read_columns(f"<div>{PARAGRAPH * 2}</div><div style='display: none'>{PARAGRAPH * 2}</div>")
    found = correct_hidden(columns, keep_prose(columns), rules.hidden, ARTICLE)
    assert found is not None
    assert found.points.tolist() == [0, 0, rules.hidden.points, rules.hidden.points]


def test_a_page_that_hides_most_of_its_text_shows_it_later(rules: Corrections) -> None:
    columns = read_columns(f"{PARAGRAPH}<div hidden>{PARAGRAPH * 2}</div>")
    assert correct_hidden(columns, keep_prose(columns), rules.hidden, ARTICLE) is None


def test_folded_text_of_other_types_is_left_alone(rules: Corrections) -> None:
    columns = read_columns(f"{PARAGRAPH * 3}<div hidden>{PARAGRAPH}</div>")
    assert correct_hidden(columns, keep_prose(columns), rules.hidden, {"product": 1.0}) is None


def test_short_posts_rise_towards_the_mean_of_the_posts(rules: Corrections) -> None:
    post = "<div class=post><div class=body>{}</div></div>"
    texts = [SENTENCE, SENTENCE, SENTENCE, "Thanks."]
    columns = read_columns(f"<p>Forum</p>{''.join(map(post.format, texts))}")
    points = np.array([-3.0, 2.0, 2.0, 2.0, -4.0])
    found = correct_posts(columns, points, rules.posts, {"forum": 1.0})
    assert found is not None
    assert found.points[0] == 0
    assert (found.points[1:4] == 0).all()
    assert 2.0 < found.points[4] < 6.0
    assert correct_posts(columns, points, rules.posts, ARTICLE) is None


def test_points_fall_with_the_distance_from_the_text(rules: Corrections) -> None:
    columns = read_columns(f"<title>Rivers</title><h1>Rivers</h1>{PARAGRAPH * 3}{LABEL * 7}{PARAGRAPH}")
    kept = keep_prose(columns)
    kept[0] = True
    points = np.array(list_points(correct_ends(columns, kept, rules.ends, ARTICLE), kept))
    assert (points[:4] == 0).all()
    assert points[4:].tolist() == pytest.approx([-0.5, -1.0, -1.5, -2.0, -2.5, -2.5, -2.5, -2.5])


def test_kept_blocks_right_behind_the_text_belong_to_it(rules: Corrections) -> None:
    columns = read_columns(f"{PARAGRAPH * 3}{LABEL * 3}")
    assert correct_ends(columns, np.ones(6, dtype=bool), rules.ends, ARTICLE) is None


def test_what_stands_before_the_text_loses_less_where_no_headline_is_known(rules: Corrections) -> None:
    without = read_columns(f"{LABEL * 8}{PARAGRAPH * 3}")
    headed = read_columns(f"<title>Rivers</title>{LABEL * 8}<h1>Rivers</h1>{PARAGRAPH * 3}")
    for columns, least in ((without, rules.ends.no_headline), (headed, rules.ends.points)):
        found = correct_ends(columns, keep_prose(columns), rules.ends, ARTICLE)
        assert found is not None
        assert (found.points[0], found.tell(0)) == (least, "before the text")


def test_texts_of_equal_size_have_no_main_run(rules: Corrections) -> None:
    columns = read_columns(f"{PARAGRAPH * 2}{LABEL * 9}{PARAGRAPH * 2}")
    assert find_main_run(columns, keep_prose(columns), rules.ends) is None
    assert find_main_run(columns, np.zeros(13, dtype=bool), rules.ends) is None
    near = read_columns(f"{PARAGRAPH * 2}{LABEL * 3}{PARAGRAPH * 2}")
    assert find_main_run(near, keep_prose(near), rules.ends) == (0, 6)


def test_a_page_without_text_has_no_corrections() -> None:
    nothing = np.zeros(0, dtype=bool)
    assert correct_points(read_columns(""), np.zeros(0), nothing, 0.0, load_rules(), ARTICLE)[1] == []
