"""Formulas: from every form in which pages hold them to TeX, and to MathML that a browser shows without scripts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.outputs.kept import keep_blocks
from webclean.outputs.flow import build_flow
from webclean.outputs.flow.formulas import clean_tex, convert_asciimath
from webclean.outputs.flow.mathml import convert_tex
from webclean.outputs.flow.tex import write_tex
from webclean.outputs.html import render_html
from webclean.outputs.markdown import render_markdown
from webclean.outputs.text import render_text


def write_markdown(markup: str, *drop: str) -> str:
    return render_markdown(build_flow(*keep_blocks(markup, drop)))


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


@pytest.mark.parametrize(
    ("source", "tex"),
    [
        ("x^2/3", r"\frac{x^2}{3}"),
        ("sqrt(a+b)", r"\sqrt{a+b}"),
        ("sum_(i=1)^n i", r"\sum_{i=1}^ni"),
        ("((n+1))/2", r"\frac{(n+1)}{2}"),
        ("alpha x", r"\alpha x"),
        ('text(if) "b"', r"\text{if}\text{b}"),
    ],
)
def test_asciimath_becomes_tex(source: str, tex: str) -> None:
    assert convert_asciimath(source) == tex


@given(st.text("x1+-^_/()[]{}\"' sqrtfacpi", max_size=40))
@settings(max_examples=200, deadline=None)
def test_asciimath_of_any_form_is_read(source: str) -> None:
    assert isinstance(convert_asciimath(source), str)


@pytest.mark.parametrize(
    ("raw", "tex"),
    [
        (r"{\displaystyle x^{2}}", "x^{2}"),
        (r"{\displaystyle a}+{b}", r"{\displaystyle a}+{b}"),
        (r"\(x\)", "x"),
        ("$$ x $$", "x"),
        ("a\n\n b", "a\nb"),
    ],
)
def test_clean_tex(raw: str, tex: str) -> None:
    assert clean_tex(raw) == tex


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
    spent = []
    for n in (100, 800):
        page = keep_blocks(f"<p>before</p>{'<math><mi>x</mi>' * n}")
        start = time.process_time()
        written = render_markdown(build_flow(*page))
        spent.append(time.process_time() - start)
        assert written.count("$") == 2
        assert "xxx" in written
    assert spent[1] < 30 * spent[0]


def test_attributes_of_mathml_have_one_order() -> None:
    markup = "<p>so <math><mtable columnalign=left displaystyle=true width=1em><mtr><mtd><mi>x</mi></table></math></p>"
    assert '<mtable displaystyle="true" columnalign="left" width="1em">' in render_html(
        build_flow(*keep_blocks(markup))
    )
