"""Formulas: from every form in which pages hold them to TeX, element by element, and to MathML that a browser shows
without scripts."""

import pytest

from tests.counting import count_calls
from tests.outputs.kept import keep_blocks, read_cases
from tests.outputs.test_flow import write_markdown
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.flow.formulas import clean_tex
from webclean.outputs.flow.mathml import convert_tex, read_mathml
from webclean.outputs.flow.tex import join_tex, write_tex
from webclean.outputs.html import render_html
from webclean.outputs.text import render_markdown, render_text
from webclean.parse import parse_page


@pytest.mark.parametrize(("mathml", "tex"), read_cases("mathml"))
def test_mathml_becomes_tex(mathml: str, tex: str) -> None:
    assert write_markdown(f"<p>is <math>{mathml}</math> here</p>") == f"is ${tex}$ here"


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


@pytest.mark.parametrize(("formula", "written"), read_cases("formulas_with_copies"))
def test_a_formula_is_written_once_with_its_copies_for_the_eye(formula: str, written: str) -> None:
    assert write_markdown(f"<p>of {formula} so") == written


@pytest.mark.parametrize(("markup", "written"), read_cases("delimiters_of_formulas"))
def test_delimiters_mark_formulas_where_the_page_draws_them(markup: str, written: str) -> None:
    assert write_markdown(markup) == written


def test_a_formula_is_kept_with_the_text_beside_it() -> None:
    formula = "<math display=block><mi>x</mi></math>"
    shown = "$$\nx\n$$"
    assert write_markdown(f"<p>drop</p>{formula}<p>kept</p>", "drop") == f"{shown}\n\nkept"
    assert write_markdown(f"<p>kept</p>{formula}<p>drop</p>", "drop") == f"kept\n\n{shown}"
    assert write_markdown(f"<p>kept</p><p>drop</p>{formula}<p>drop</p><p>kept</p>", "drop") == "kept\n\nkept"
    assert write_markdown(f"<p>kept</p><p>drop {formula}</p><p>kept</p>", "drop") == "kept\n\nkept"


def read_tex(mathml: str) -> str:
    document = parse_page(f"<math>{mathml}</math>")
    return write_tex(read_mathml(document, document.names.index("math")))


@pytest.mark.parametrize(("mathml", "tex"), read_cases("mathml_parts"))
def test_parts_of_formulas(mathml: str, tex: str) -> None:
    assert read_tex(mathml) == tex


@pytest.mark.parametrize(("raw", "tex"), [*read_cases("raw_tex"), ("a\x00b", "ab")])
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
