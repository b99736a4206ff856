"""A formula that stands by itself is kept with the sentence around it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.decide.test_regions import SENTENCE, list_points, read_columns
from webclean.decide.structures import correct_formulas, find_formula_blocks
from webclean.rules import load_rules
from webclean.rules.decide_schema import Formulas, TypeShares

TOOLS = load_rules().tools
RULES = Formulas(share=1.0, counts=TypeShares(others=1.0))
MATH = (
    "<div><span class=katex><span><math><mi>E</mi><mo>=</mo><mi>x</mi></math></span>"
    "<span aria-hidden=true><i>E</i> = <i>x</i></span></span></div>"
)


def gain(html: str, points: list[float], rules: Formulas = RULES) -> list[float]:
    return list_points(correct_formulas(read_columns(html), np.array(points), rules, {"article": 1.0}, TOOLS), points)


@pytest.mark.parametrize(
    ("markup", "is_formula"),
    [
        (MATH, True),
        ("<p>$$a = b$$</p>", True),
        (r"<p>\[a = b\].</p>", True),
        (r"<p>\begin{align}a = b\end{align}</p>", True),
        ("<p>It costs $5 or $$ 6</p>", False),
        ("<p>$$a$$ and $$b$$</p>", False),
        ("<p>so <i data-tex=E>E</i></p>", False),
        ("<p><i data-tex=E>E</i><i data-tex=F>F</i></p>", False),
        (
            "<div class=MathJax_Display><span>E = x</span></div><script type='math/tex; mode=display'>E = x</script>",
            True,
        ),
        ("<div><span class=MathJax>E = x</span><script type='math/tex; mode=display'>E = x</script></div>", True),
        ("<p><span data-tex='E = x'>E = x</span></p>", True),
    ],
)
def test_blocks_of_a_formula_alone(markup: str, is_formula: bool) -> None:
    html = f"<p>{SENTENCE}</p>{markup}<p>{SENTENCE}</p>"
    assert find_formula_blocks(read_columns(html), TOOLS).tolist() == [False, is_formula, False]


def test_every_formula_of_a_page_is_found() -> None:
    html = f"<p>{SENTENCE}</p>{MATH}<p>{SENTENCE}</p>" * 3
    assert find_formula_blocks(read_columns(html), TOOLS).tolist() == [False, True, False] * 3


@pytest.mark.parametrize(
    ("points", "gained"),
    [
        ([3.0, -4.0, 2.0], [0, 6.0, 0]),
        ([1.0, 0.0, 2.0], [0, 1.0, 0]),
        ([3.0, -4.0, -5.0], [0, 0, 0]),
        ([-5.0, -4.0, 3.0], [0, 0, 0]),
        ([3.0, 2.0, 2.5], [0, 0.5, 0]),
        ([3.0, 2.0, 1.5], [0, 0, 0]),
    ],
)
def test_a_formula_rises_to_the_lower_of_two_neighbours(points: list[float], gained: list[float]) -> None:
    assert gain(f"<p>{SENTENCE}</p>{MATH}<p>{SENTENCE}</p>", points) == gained


def test_several_formulas_rise_together_and_nothing_else_does() -> None:
    html = f"<p>{SENTENCE}</p>{MATH}<p>$$b$$</p><p>{SENTENCE}</p><p>Subscribe</p><p>{SENTENCE}</p>{MATH}"
    assert gain(html, [3.0, 0.0, -1.0, 2.0, 0.0, 2.0, 0.0]) == [0, 2.0, 3.0, 0, 0, 0, 0]


def test_on_which_pages_and_how_far() -> None:
    html, points = f"<p>{SENTENCE}</p>{MATH}<p>{SENTENCE}</p>", [3.0, 0.0, 2.0]
    assert gain(html, points, Formulas(share=0.5, counts=TypeShares(others=1.0))) == [0, 1.0, 0]
    assert gain(html, points, Formulas(share=1.0, counts=TypeShares(types={"article": 0.0}, others=1.0))) == [0, 0, 0]
    assert gain(html, points, Formulas()) == [0, 0, 0]
