"""Formulas in MathML and AsciiMath -> TeX, element by element."""

from __future__ import annotations

import pytest

from webclean.outputs.flow.formulas import clean_tex, convert_asciimath
from webclean.outputs.flow.mathml import convert_tex, read_mathml
from webclean.outputs.flow.tex import join_tex, write_tex
from webclean.parse import parse_page

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


def apply(operator: str, *parts: str) -> str:
    """Content MathML: names and numbers are given as they are."""
    inner = (
        part if part.startswith("<") else f"<cn>{part}</cn>" if part.isdigit() else f"<ci>{part}</ci>" for part in parts
    )
    return f"<apply><{operator}/>{''.join(inner)}</apply>"


SUM, PRODUCT, DIFFERENCE = apply("plus", "a", "b"), apply("times", "a", "b"), apply("minus", "b", "c")
VARIABLE, LOW, HIGH = "<bvar><ci>i</ci></bvar>", "<lowlimit><cn>1</cn></lowlimit>", "<uplimit><ci>n</ci></uplimit>"


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        (apply("plus", "a", "b", "c"), "a+b+c"),
        (apply("plus", PRODUCT, "c"), "ab+c"),
        (apply("times", SUM, "c"), "(a+b)c"),
        (apply("minus", "a"), "-a"),
        (apply("minus", SUM), "-(a+b)"),
        (apply("minus", PRODUCT), "-ab"),
        (apply("minus", SUM, "c"), "a+b-c"),
        (apply("minus", "a", DIFFERENCE), "a-(b-c)"),
        (apply("plus", "a", DIFFERENCE), "a+b-c"),
        (apply("times", "a", apply("minus", "b")), "a(-b)"),
        (apply("power", "x", "10"), "x^{10}"),
        (apply("power", apply("power", "x", "2"), "3"), "(x^2)^3"),
        (apply("times", apply("power", "x", "2"), "y"), "x^2y"),
        (apply("root", "x"), r"\sqrt{x}"),
        (apply("root", "<degree><cn>3</cn></degree>", "x"), r"\sqrt[3]{x}"),
        (apply("sin", "x"), r"\sin x"),
        (apply("sin", SUM), r"\sin(a+b)"),
        (apply("sin", "<pi/>"), r"\sin\pi"),
        (apply("times", apply("sin", "x"), SUM), r"\sin x(a+b)"),
        (apply("power", apply("sin", "x"), "2"), r"(\sin x)^2"),
        (apply("not", "p"), r"\lnot p"),
        (apply("or", apply("not", "p"), "q"), r"\lnot p\lor q"),
        (apply("eq", apply("not", "p"), "q"), r"(\lnot p)=q"),
        (apply("and", apply("or", "p", "q"), "r"), r"(p\lor q)\land r"),
        (apply("or", apply("and", "p", "q"), "r"), r"p\land q\lor r"),
        (apply("implies", apply("eq", "p", "q"), "r"), r"p=q\Rightarrow r"),
        (apply("sum", VARIABLE, LOW, HIGH, "i"), r"\sum_{i=1}^{n} i"),
        (apply("sum", VARIABLE, f"<condition>{apply('in', 'i', 'S')}</condition>", "i"), r"\sum_{i\in S} i"),
        (apply("product", "i"), r"\prod i"),
        (apply("times", apply("product", "i"), "x"), r"(\prod i)x"),
        (apply("plus", apply("sum", "i"), "x"), r"\sum i+x"),
        (apply("int", VARIABLE, "f"), r"\int f\,di"),
        (apply("int", LOW, "f"), r"\int_{1} f"),
        (apply("int", VARIABLE, LOW, HIGH, "f"), r"\int_{1}^{n} f\,di"),
        (apply("abs", "x"), "|x|"),
        (apply("factorial", DIFFERENCE), "(b-c)!"),
        (apply("power", apply("factorial", "n"), "2"), "(n!)^2"),
        (apply("times", apply("factorial", "n"), "x"), "n!x"),
        (apply("times", apply("divide", "a", "b"), "c"), r"\frac{a}{b}c"),
        ("<apply><ci>f</ci><ci>x</ci><ci>y</ci></apply>", "f(x,y)"),
        ("<apply></apply>", ""),
        ("<set><ci>a</ci><ci>b</ci></set>", r"\{a,b\}"),
        ("<interval><cn>0</cn><cn>1</cn></interval>", "[0,1]"),
        ("<vector><cn>0</cn><cn>1</cn></vector>", "(0,1)"),
        ("<cn type=rational>1<sep/>2</cn>", r"\frac{1}{2}"),
        ("<ci>mass</ci>", r"\mathrm{mass}"),
        ("<infinity/>", r"\infty"),
    ],
)  # fmt: skip
def test_content_markup_is_written_with_the_parentheses_it_needs(mathml: str, tex: str) -> None:
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
