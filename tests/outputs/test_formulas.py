"""Formulas: from every form in which pages hold them to TeX, and to MathML that a browser shows without scripts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counting import count_calls
from tests.outputs.kept import keep_blocks
from tests.outputs.test_flow import write_markdown
from webclean.outputs.flow import build_flow
from webclean.outputs.flow.formulas import convert_asciimath
from webclean.outputs.flow.mathml import convert_tex
from webclean.outputs.flow.tex import write_tex
from webclean.outputs.html import render_html
from webclean.outputs.text import render_markdown, render_text


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mi>x</mi>", "x"),
        ("<mi>sin</mi><mi>θ</mi>", r"\sin\theta"),
        ("<mi>α</mi><mi>x</mi>", r"\alpha x"),
        ("<mn>2</mn><mo>&#x2062;</mo><mi>x</mi>", "2x"),
        ("<msup><mi>x</mi><mn>10</mn></msup>", "x^{10}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^2"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<mover><mi>v</mi><mtext>def</mtext></mover>", r"\overset{\text{def}}{v}"),
        ("<munder><mi>lim</mi><mi>n</mi></munder>", r"\lim_n"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", r"\sum_i^n"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)"),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", r"\binom{n}{k}"),
        ("<mi mathvariant=bold>A</mi>", r"\mathbf{A}"),
        ("<mi>ℝ</mi>", r"\mathbb{R}"),
        ("<mi>𝑥</mi>", "x"),
        ("<mmultiscripts><mi>C</mi><mi>a</mi><none/><mprescripts/><mn>6</mn><mn>12</mn></mmultiscripts>",
         "{}_6^{12}C_a"),
        ("<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable><mo>]</mo>",
         r"\begin{bmatrix}1&2\end{bmatrix}"),
        ("<apply><power/><apply><plus/><ci>a</ci><ci>b</ci></apply><cn>2</cn></apply>", "(a+b)^2"),
        ("<apply><divide/><cn>1</cn><ci>x</ci></apply>", r"\frac{1}{x}"),
        ("<apply><int/><bvar><ci>x</ci></bvar><lowlimit><cn>0</cn></lowlimit><uplimit><cn>1</cn></uplimit>"
         "<ci>x</ci></apply>", r"\int_{0}^{1} x\,dx"),
    ],
)  # fmt: skip
def test_mathml_becomes_tex(mathml: str, tex: str) -> None:
    assert write_markdown(f"<p>is <math>{mathml}</math> here</p>") == f"is ${tex}$ here"


@given(st.text("x1+-^_/()[]{}\"' sqrtfacpi", max_size=40))
@settings(max_examples=200, deadline=None)
def test_asciimath_of_any_form_is_read(source: str) -> None:
    assert isinstance(convert_asciimath(source), str)


@pytest.mark.parametrize(
    "tex",
    [r"c=\sqrt{gh}", r"\frac{1}{2}mv^2", r"\sum_{i=1}^nx_i", r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", r"\alpha x"],
)
def test_tex_comes_back_from_mathml(tex: str) -> None:
    node = convert_tex(tex, is_display=False)
    assert node is not None
    assert write_tex(node) == tex


def test_a_formula_goes_with_its_sentence() -> None:
    markup = "<p>drop <math><mi>x</mi></math></p><p>keep <math><mi>y</mi></math></p>"
    assert write_markdown(markup, "drop") == "keep $y$"


def test_html_shows_formulas_without_scripts() -> None:
    markup = '<p>of <span data-tex="x^2">shown</span> and <math><mi>y</mi><annotation>z</annotation></math></p>'
    html = render_html(build_flow(*keep_blocks(markup)), fragment=True)
    assert '<math alttext="x^2"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>' in html
    assert '<math alttext="y"><mi>y</mi></math>' in html
    assert "shown" not in html


def test_mathml_that_could_run_is_not_written() -> None:
    markup = "<p>a <math><mi href='javascript:x()' onclick=x()>y</mi><mtext><img src=x onerror=x()></mtext></math></p>"
    html = render_html(build_flow(*keep_blocks(markup)), fragment=True)
    assert html == '<p>a <math alttext="y"><mi>y</mi><mtext></mtext></math></p>'


def test_tex_that_cannot_be_read_is_shown_as_it_is() -> None:
    html = render_html(build_flow(*keep_blocks(r'<p>a <span data-tex="\foo{">x</span></p>')), fragment=True)
    assert html == r'<p>a <code class="language-tex">\foo{</code></p>'


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("It costs $5 and $6.", "It costs $5 and $6."),
        ("From $5$ on", "From \\$5$ on"),
        (r"Let \(x\) be \(5\).", r"Let $x$ be \\(5\\)."),
        (r"<code>\(x\)</code> is code", r"`\(x\)` is code"),
        ("<span class=math>$a$</span> is one", "$a$ is one"),
        ("$$a = b$$", "$$\na = b\n$$"),
    ],
)
def test_delimiters(text: str, written: str) -> None:
    assert write_markdown(f"<p>{text}</p>") == written


def test_text_has_formulas() -> None:
    flow = build_flow(*keep_blocks("<p>of <math><mi>x</mi></math>:</p><math display=block><mi>y</mi></math>"))
    assert render_text(flow) == "of $x$:\n\n$$y$$"


def test_formulas_in_formulas_take_linear_time() -> None:
    n_calls = []
    for n in (100, 800):
        page = keep_blocks(f"<p>before</p>{'<math><mi>x</mi>' * n}")
        n_calls.append(count_calls(lambda page=page: build_flow(*page)))
        written = render_markdown(build_flow(*page))
        assert written.count("$") == 2
        assert "xxx" in written
    assert n_calls[1] < 10 * n_calls[0]


def test_attributes_of_mathml_have_one_order() -> None:
    markup = "<p>so <math><mtable columnalign=left displaystyle=true width=1em><mtr><mtd><mi>x</mi></table></math></p>"
    assert '<mtable displaystyle="true" columnalign="left" width="1em">' in render_html(
        build_flow(*keep_blocks(markup))
    )


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
