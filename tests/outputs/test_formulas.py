"""Formulas: from every form in which pages hold them to TeX, element by element, and to MathML that a browser shows
without scripts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counting import count_calls
from tests.outputs.kept import keep_blocks
from tests.outputs.test_flow import write_markdown
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.flow.formulas import clean_tex, convert_tex, read_mathml
from webclean.outputs.flow.tex import convert_asciimath, join_tex, write_tex
from webclean.outputs.html import render_html
from webclean.outputs.text import render_markdown, render_text
from webclean.parse import parse_page


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
        ("<math><apply><plus/><ci>a</ci><cn>1</cn></apply></math>", "of $a1$ so"),
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


CELLS = "<mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr>"
TABLE = f"<mtable>{CELLS}</mtable>"
WRITTEN = r"a&b\\c&d"


def read_tex(mathml: str) -> str:
    document = parse_page(f"<math>{mathml}</math>")
    return write_tex(read_mathml(document, document.names.index("math")))


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<munder><mi>x</mi><mi>y</mi></munder>", r"\underset{y}{x}"),
        ("<munder><mi>x</mi><mo>_</mo></munder>", r"\underline{x}"),
        ("<munderover><mi>x</mi><mi>y</mi><mi>z</mi></munderover>", r"\overset{z}{\underset{y}{x}}"),
        ("<munderover><mi>x</mi><mo>⏟</mo><mo>^</mo></munderover>", r"\hat{\underbrace{x}}"),
        ("<munderover><mi>max</mi><mi>i</mi><mi>n</mi></munderover>", r"\max_i^n"),
        ("<mover><mi>x</mi></mover>", "x"),
        ("<mover><mo>∑</mo><mi>n</mi></mover>", r"\sum^n"),
        ("<mover><mrow><mi>a</mi><mi>b</mi></mrow><mo>¯</mo></mover>", r"\overline{ab}"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
        ("<msubsup><mi>f</mi><mi>i</mi><mo>″</mo></msubsup>", "f_i''"),
        ("<msub><mi>sin</mi><mi>i</mi></msub>", r"\sin_i"),
        ("<msup><mi>x</mi></msup>", "x"),
        ("<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>", "x_{ij}"),
        (
            "<mmultiscripts><mi>T</mi><mi>a</mi><mi>b</mi><mi>c</mi><none/></mmultiscripts>",
            "T_a^b_c",
        ),
        ("<mmultiscripts><mi>X</mi><mprescripts/><none/><mn>4</mn></mmultiscripts>", "{}^4X"),
        ("<mmultiscripts></mmultiscripts>", "{}"),
    ],
)
def test_scripts_and_limits(mathml: str, tex: str) -> None:
    assert read_tex(mathml) == tex


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        (TABLE, rf"\begin{{matrix}}{WRITTEN}\end{{matrix}}"),
        (f'<mtable columnalign="right left right">{CELLS}</mtable>', rf"\begin{{aligned}}{WRITTEN}\end{{aligned}}"),
        (f'<mtable columnalign="left right">{CELLS}</mtable>', rf"\begin{{matrix}}{WRITTEN}\end{{matrix}}"),
        (f'<mtable columnalign="right">{CELLS}</mtable>', rf"\begin{{matrix}}{WRITTEN}\end{{matrix}}"),
        (f"<mo>(</mo>{TABLE}<mo>)</mo><mi>x</mi>", rf"\begin{{pmatrix}}{WRITTEN}\end{{pmatrix}}x"),
        (f"<mo>(</mo>{TABLE}<mo>]</mo>", rf"(\begin{{matrix}}{WRITTEN}\end{{matrix}}]"),
        (f"<mo>{{</mo>{TABLE}", rf"\begin{{cases}}{WRITTEN}\end{{cases}}"),
        (f"<mo>{{</mo><mrow>{TABLE}</mrow><mi>x</mi><mo>=</mo>", rf"\begin{{cases}}{WRITTEN}\end{{cases}}x="),
        (
            f"<mi>A</mi><mo>=</mo><mo>[</mo><mstyle>{TABLE}</mstyle><mo>]</mo><mo>.</mo>",
            rf"A=\begin{{bmatrix}}{WRITTEN}\end{{bmatrix}}.",
        ),
        (f"<mfenced>{TABLE}</mfenced>", rf"\begin{{pmatrix}}{WRITTEN}\end{{pmatrix}}"),
        (f'<mfenced open="|" close="|">{TABLE}</mfenced>', rf"\begin{{vmatrix}}{WRITTEN}\end{{vmatrix}}"),
        (f'<mfenced open="" close="">{TABLE}</mfenced>', rf"\begin{{matrix}}{WRITTEN}\end{{matrix}}"),
        (f"<mfenced>{TABLE}<mi>x</mi></mfenced>", rf"(\begin{{matrix}}{WRITTEN}\end{{matrix}},x)"),
        ('<mfenced open="[" separators=" ;,"><mi>a</mi><mi>b</mi><mi>c</mi></mfenced>', "[a;b;c)"),
    ],
)
def test_tables_and_fences(mathml: str, tex: str) -> None:
    assert read_tex(mathml) == tex


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mspace width='1em'/><mi>a</mi>", r"\quad a"),
        ("<mi>b</mi><mspace width='0.9em'/><mi>a</mi>", r"b\,a"),
        ("<mspace width='.1em'/><mi>a</mi>", r"\,a"),
        ("<mspace width='2em'/><mi>a</mi>", r"\quad a"),
        ("<mspace width='0em'/><mi>a</mi>", "a"),
        ("<mspace width='3px'/><mi>a</mi>", "a"),
        ("<mspace width='.em'/><mi>a</mi>", "a"),
        ("<mspace width='1.2.3em'/><mi>a</mi>", "a"),
        ("<menclose notation=roundedbox><mi>a</mi></menclose>", r"\boxed{a}"),
        ("<menclose notation=updiagonalstrike><mi>a</mi></menclose>", r"\cancel{a}"),
        ("<menclose notation=top><mi>a</mi></menclose>", r"\overline{a}"),
        ("<menclose notation=longdiv><mi>a</mi></menclose>", "a"),
        ("<mfrac linethickness=1px><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
        ("<mphantom><mi>a</mi></mphantom><mi>b</mi>", "b"),
        ("<maction><mi>a</mi><mi>b</mi></maction>", "a"),
        ("<semantics><mi>a</mi><mi>b</mi></semantics>", "a"),
        ("<msqrt><mi>a</mi><mi>b</mi></msqrt>", r"\sqrt{ab}"),
        ("<mi>foo</mi>", r"\mathrm{foo}"),
        ("<mi>é</mi>", "é"),
        ("<mo>mod</mo><mi>x</mi>", r"\operatorname{mod}x"),
        ("<mo>max</mo><mi>x</mi>", r"\max x"),
        ("<mtext>a_b {c} $5</mtext>", r"\text{a\_b \{c\} \$5}"),
        ("<mtext> </mtext>", ""),
        ("<mi mathvariant=fraktur>g</mi>", r"\mathfrak{g}"),
        ("<mi>𝐀</mi>", "A"),
        ("<mi>𝑠𝑖𝑛</mi><mi>x</mi>", r"\sin x"),
        ("<mo>∈</mo><mi>S</mi>", r"\in S"),
        ("<merror><mi>x</mi></merror>", "x"),
    ],
)
def test_single_elements(mathml: str, tex: str) -> None:
    assert read_tex(mathml) == tex


@pytest.mark.parametrize(
    ("source", "tex"),
    [
        ("x^2/3", r"\frac{x^2}{3}"),
        ("sqrt(a+b)", r"\sqrt{a+b}"),
        ("sum_(i=1)^n i", r"\sum_{i=1}^ni"),
        ("((n+1))/2", r"\frac{(n+1)}{2}"),
        ("(a)(b)", "(a)(b)"),
        ("sqrt(a)(b)", r"\sqrt{a}(b)"),
        ("sqrt((a)(b))", r"\sqrt{(a)(b)}"),
        ("hat(a]", r"\hat{(a]}"),
        ("hat[a)", r"\hat{[a)}"),
        ("a/(b)", r"\frac{a}{b}"),
        ("1/(a)(b)", r"\frac{1}{a}(b)"),
        ("a/", r"\frac{a}{}"),
        ("root(3)(x)", r"\sqrt[3]{x}"),
        ("overset(a)(b)", r"\overset{a}{b}"),
        ("[a,b]", "[a,b]"),
        ("{a}", r"\{a\}"),
        ("(:a:)", r"\langle a\rangle"),
        ("{:a:}b", "ab"),
        ("x_1^2", "x_1^2"),
        ("x_12", "x_{12}"),
        ("x_i^(2)", "x_i^2"),
        ("x^(ab)", "x^{ab}"),
        ("x^ab", "x^ab"),
        ("(x", "(x"),
        ("a)", "a)"),
        ("2.5x", "2.5x"),
        ("alpha2", r"\alpha 2"),
        ("x in RR", r"x\in\mathbb{R}"),
        ("oo oo", r"\infty\infty"),
        ('text(a b)c "d e"', r"\text{a b}c\text{d e}"),
    ],
)  # fmt: skip
def test_asciimath(source: str, tex: str) -> None:
    assert convert_asciimath(source) == tex


@pytest.mark.parametrize(("n", "innermost"), [(50, r"\alpha"), (51, "alpha")])
def test_commands_of_asciimath_are_read_to_a_depth(n: int, innermost: str) -> None:
    assert convert_asciimath("hat " * n + "alpha") == r"\hat{" * n + innermost + "}" * n


@pytest.mark.parametrize(
    ("raw", "tex"),
    [
        (r"{\displaystyle x^{2}}", "x^{2}"),
        (r"{\displaystyle a}+{b}", r"{\displaystyle a}+{b}"),
        (r"\(x\)", "x"),
        ("$$ x $$", "x"),
        ("a\n\n b", "a\nb"),
        (r"\[ x \]", "x"),
        ("$x$", "x"),
        ("$x$ y", "$x$ y"),
        ("x %", "x"),
        ("a%\nb%", "a%\nb"),
        (r"{\textstyle a}", "a"),
        (r"{ \displaystyle a\}}", r"a\}"),
        (r"{\displaystyle {a}+{b}}", "{a}+{b}"),
        (r"{\displaystyle a}}", r"{\displaystyle a}}"),
        (r"{\displaystyle a}{b}", r"{\displaystyle a}{b}"),
        ("  ", ""),
        ("a\x00b", "ab"),
    ],
)
def test_tex_is_freed_of_what_is_around_it(raw: str, tex: str) -> None:
    assert clean_tex(raw) == tex


def test_a_space_is_between_a_command_and_a_letter_alone() -> None:
    assert join_tex([r"\in", "S"]) == r"\in S"
    assert join_tex([r"\in", "", "S"]) == r"\in S"
    assert join_tex([r"\in", "2"]) == r"\in2"
    assert join_tex(["a", "b", r"\{", "c"]) == r"ab\{c"


def test_long_tex_is_not_converted() -> None:
    assert convert_tex("x" * 4000, is_display=False) is not None
    assert convert_tex("x" * 4001, is_display=False) is None


@pytest.mark.parametrize(("depth", "is_read"), [(59, True), (60, False)])
def test_deep_formulas_are_cut(depth: int, *, is_read: bool) -> None:
    assert read_tex("<mrow>" * depth + "<mi>x</mi>" + "</mrow>" * depth) == ("x" if is_read else "")


def test_names_that_mathml_does_not_have_give_their_content() -> None:
    assert read_tex("<foo><mi>a</mi><bar><mi>b</mi></bar></foo><annotation>z</annotation><mi>c</mi>") == "abc"
