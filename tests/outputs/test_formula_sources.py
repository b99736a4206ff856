"""Formulas in the forms in which pages hold them, with what shows the same around them, and between delimiters."""

from __future__ import annotations

import pytest

from tests.outputs.test_flow import write_markdown


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        (
            "<span class=katex><span><math><semantics><mi>x</mi><annotation encoding=application/x-tex>y</annotation>"
            "</semantics></math></span><span aria-hidden=true><i>x</i></span></span>",
            "of $y$ so",
        ),
        ("<span class=katex><span><math><mi>x</mi></math></span><span>x</span></span>", "of $x$x so"),
        ("<span class=MathJax>x</span><script type=math/tex>y</script>", "of $y$ so"),
        ("<span class=other>x</span><script type=math/tex>y</script>", "of x$y$ so"),
        (
            "<span class=MathJax_Preview>p</span><span class=MathJax>x<b>z</b></span>"
            "<script type='math/tex; mode=display'>y</script>",
            "of\n\n$$\ny\n$$\n\nso",
        ),
        (
            "<mjx-container><mjx-math aria-hidden=true>x</mjx-math><mjx-assistive-mml><math><mi>y</mi></math>"
            "</mjx-assistive-mml></mjx-container>",
            "of $y$ so",
        ),
        (
            "<mjx-container display=true><mjx-math aria-hidden=true>x</mjx-math><mjx-assistive-mml><math><mi>y</mi>"
            "</math></mjx-assistive-mml></mjx-container>",
            "of\n\n$$\ny\n$$\n\nso",
        ),
        ("<script type=math/mml>y</script>", "of so"),
        ('<span><math alttext="a"><mi>x</mi></math><img alt=a src=/i.png></span>', "of $a$ so"),
        (
            '<span><math alttext="a"><mi>x</mi></math><img alt=b src=/i.png></span>',
            "of $a$![b](https://example.org/i.png) so",
        ),
        ('<span><math alttext="a"><mi>x</mi></math><img alt=b aria-hidden=true src=/i.png></span>', "of $a$ so"),
        ('<span><math alttext="a"><mi>x</mi></math><math alttext="b"><mi>x</mi></math></span>', "of $a$$b$ so"),
        ('<span><math alttext="a"><mi>x</mi></math> </span>', "of $a$ so"),
        ('<span><b>k</b><math alttext="a"><mi>x</mi></math></span>', "of **k**$a$ so"),
        ('<span><math alttext="a"><mi>x</mi></math><b>k</b></span>', "of $a$**k** so"),
        ('<span><span aria-hidden=true>k</span><math alttext="a"><mi>x</mi></math></span>', "of $a$ so"),
        ('<span><span aria-hidden=true><b>k</b></span><math alttext="a"><mi>x</mi></math></span>', "of $a$ so"),
        ("<math display=block><mi>x</mi></math>", "of\n\n$$\nx\n$$\n\nso"),
        ('<span class=display><math alttext="a"><mi>x</mi></math></span>', "of\n\n$$\na\n$$\n\nso"),
        ('<span class="math-display"><span><math alttext="a"><mi>x</mi></math></span></span>', "of\n\n$$\na\n$$\n\nso"),
        ('<span class=displayed><math alttext="a"><mi>x</mi></math></span>', "of $a$ so"),
        ('<span data-tex="x^2">s</span>', "of $x^2$ so"),
        ('<span data-latex="x^2">s</span>', "of $x^2$ so"),
        ('<span data-formula="\\(x\\)">s</span>', "of $x$ so"),
        ("<span data-math-style=inline>y^2</span>", "of $y^2$ so"),
        ("<span data-math-style=display>y^2</span>", "of\n\n$$\ny^2\n$$\n\nso"),
        ('<span data-tex="">s</span>', "of s so"),
        ('<img class=tex alt="x^2" src=/i.png>', "of $x^2$ so"),
        ('<img class=texture alt="x^2" src=/i.png>', "of ![x^2](https://example.org/i.png) so"),
        ('<img alt="x^2" src="/latex.php?z">', "of $x^2$ so"),
        ('<img src="/latex.php?latex=y%5E2">', "of $y^2$ so"),
        ('<img src="/latex.php?z=y">', "of ![](https://example.org/latex.php?z=y) so"),
        ('<img src="//chart.x/latex?chl=y%5E2">', "of $y^2$ so"),
        ('<img class=tex src="/i.png?tex=y">', "of ![](https://example.org/i.png?tex=y) so"),
        ('<img class="mwe-math-fallback x" alt="{\\displaystyle z}" src=/render>', "of $z$ so"),
        ('<img alt="a" src="/equation?tex=b&amp;latex=c">', "of $a$ so"),
        ('<img src="/equation?tex=b&amp;latex=c">', "of $c$ so"),
        ('<img src="/equation?tex=b&amp;tex=c">', "of $b$ so"),
        ("<math><ci>f</ci></math>", "of $f$ so"),
        ("<math><mrow><ci>f</ci></mrow></math>", "of $f$ so"),
        ("<math></math>", "of so"),
    ],
)
def test_a_formula_is_written_once_with_its_copies_for_the_eye(formula: str, written: str) -> None:
    assert write_markdown(f"<p>of {formula} so") == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<p>\\(x\\) b", "$x$ b"),
        ("<p>\\(five words of text\\) b", "\\\\(five words of text\\\\) b"),
        ("<p>a \\[x=1\\] b", "a\n\n$$\nx=1\n$$\n\nb"),
        ("<p>a $$x=1$$ b", "a\n\n$$\nx=1\n$$\n\nb"),
        ("<p>$$five$$", "\\$\\$five$$"),
        ("<p>a $x$ b", "a \\$x$ b"),
        ("<script src=/mathjax.js></script><p>a $x$ b", "a $x$ b"),
        ("<script src=/mathjax.js></script><p>$ x$ b", "$ x$ b"),
        ("<script src=/mathjax.js></script><p>a $x=1$2", "a \\$x=1$2"),
        ("<script src=/mathjax.js></script><p>a \\$x=1$ b", "a \\\\\\$x=1$ b"),
        ("<script src=/mathjax.js></script><p>$x$$y$", "$x$\\$y$"),
        ("<script src=/mathjax.js></script><p>5$ and 6$", "5$ and 6$"),
        ("<script src=/mathjax.js></script><p>$a + b$ and $c$.", "$a + b$ and $c$."),
        ("<p>`x/2` b", "\\`x/2\\` b"),
        ('<script src="/MathJax.js?config=AM_CHTML"></script><p>`x/2` b', "$\\frac{x}{2}$ b"),
        ('<script src="/MathJax.js?config=AM_CHTML"></script><p>`x/2` $y$ b', "$\\frac{x}{2}$ \\$y$ b"),
        ('<script src="/MathJax.js?config=AM_CHTML"></script><p>$y$ b', "$y$ b"),
        ("<div class=math><p><i>$y$ b</i></div>", "*$y$ b*"),
        ("<div class=math><p><i><u>$y$</u> b</i></div>", "*\\$y$ b*"),
        ("<div class=mathematics><p>$y$ b</div>", "\\$y$ b"),
        ("<p class='x-tex'>$y$ b", "$y$ b"),
        ("<p>a <code>$$x=1$$</code>", "a `$$x=1$$`"),
        ("<h2>a $$x=1$$</h2>", "## a $$x=1$$"),
        ("<p>\\( \\) b", "\\\\( \\\\) b"),
        ("<p>cost $$5$$ b", "cost \\$\\$5$$ b"),
        ("<p>$x$ b<math-renderer>$y$</math-renderer>", "\\$x$ b$y$"),
    ],
)
def test_delimiters_mark_formulas_where_the_page_draws_them(markup: str, written: str) -> None:
    assert write_markdown(markup) == written


def test_a_formula_is_kept_with_the_text_beside_it() -> None:
    formula = "<math display=block><mi>x</mi></math>"
    shown = "$$\nx\n$$"
    assert write_markdown(f"<p>drop</p>{formula}<p>kept</p>", "drop") == f"{shown}\n\nkept"
    assert write_markdown(f"<p>kept</p>{formula}<p>drop</p>", "drop") == f"kept\n\n{shown}"
    assert write_markdown(f"<p>kept</p><p>drop</p>{formula}<p>drop</p><p>kept</p>", "drop") == "kept\n\nkept"
    assert write_markdown(f"<p>kept</p><p>drop {formula}</p><p>kept</p>", "drop") == "kept\n\nkept"
