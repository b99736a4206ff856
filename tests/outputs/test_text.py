"""Plain text: what stands on its own line, and what is kept as it is."""

from __future__ import annotations

import pytest

from tests.outputs.kept import keep_blocks
from webclean.outputs.flow import TreeOptions, build_flow
from webclean.outputs.text import render_text


def render(markup: str, *drop: str) -> str:
    """The text, which is the same where the tree is for plain text alone."""
    page = keep_blocks(markup, drop)
    text = render_text(build_flow(*page))
    assert render_text(build_flow(*page, TreeOptions(marks=False, plain=True))) == text
    return text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<h1>A</h1><p>b</p><div>c</div>", "A\n\nb\n\nc"),
        ("<p>one<br>two<br><br>three</p>", "one\ntwo\n\nthree"),
        ("<p>one\n two<br>\n  three</p>", "one two\nthree"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ol><li>a<li>b</ol>", "a\nb"),
        ("<ul><li>a</li><p>b</p><li>c</li></ul>", "- a\n\nb\n\n- c"),
        ("<h2>A<ul><li>b</ul></h2><h3><b>C</b></h3><ul><li>d</ul>e", "A\n\nb\n\nC\n\n- d\n\ne"),
        ("<dl><dt>a<dd>b</dl>", "a\nb"),
        ("<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\nb\n\n- c"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("<table><tr><td>menu<td><p>a</p><p>b</p></table>", "menu\n\na\n\nb"),
        ("<pre><b>def</b> <i>f</i>():\n    return 1\n\n\nf()</pre>", "def f():\n    return 1\n\n\nf()"),
        ("<pre><div>a</div><div>  b</div></pre>", "a\n  b"),
        ("<p>run</p><pre>a\n b</pre><p>now</p>", "run\n\na\n b\n\nnow"),
        ("<pre>a<br> b</pre>", "a\n b"),
    ],
)
def test_lines(markup: str, text: str) -> None:
    assert render(markup) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>b<b>ol</b>d</p>", "bold"),
        ("<p>19<sup>th</sup></p>", "19th"),
        ("<p><span>po</span><span>tato</span></p>", "potato"),
        ("<p><span class=name>Kite</span><span class=price>9</span></p>", "Kite 9"),
        ("<p><a href=1>one</a><a href=2>two</a></p>", "one two"),
        ("<p><button>Yes</button><button>No</button></p>", "Yes No"),
        ("<p><code><span class=k>re</span><span class=n>turn</span></code></p>", "return"),
    ],
)
def test_inline_elements_that_touch(markup: str, text: str) -> None:
    assert render(markup) == text


def test_dropped_blocks_leave_nothing_behind() -> None:
    assert render("<p>a</p><p>b</p><p>c</p>", "b") == "a\n\nc"
    assert render("<pre>a<br><br>b<br><br>c</pre>", "b") == "a\n\nc"
    assert render("<pre><p>a</p><p>b</p><p>c</p></pre>", "a") == "b\nc"


def test_nothing_kept_is_empty() -> None:
    assert render("<p>a</p>", "a") == ""
