"""Preformatted text: what is code without a `pre`, and what is no code within it."""

from __future__ import annotations

import pytest

from tests.outputs.test_flow import write_markdown as write


def fence(code: str) -> str:
    return f"```\n{code}\n```"


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<div><code>a\nb</code></div>", fence("a\nb")),
        ("<p><code>a<br>b</code></p>", fence("a\nb")),
        ("<div><code class=block>a</code></div>", fence("a")),
        ("<div><code style='white-space: pre'>a</code></div>", fence("a")),
        ("<div><code class=block>a</code> <code class=block>b</code></div>", f"{fence('a')}\n\n{fence('b')}"),
        ("<div><code-block>a\n  b</code-block></div>", fence("a\n  b")),
        ("<div class=cm-content><div>a</div><div><br></div><div>b</div></div>", fence("a\n\nb")),
        (
            "<table><tr><td class=lineno>1<td>a\n<tr>\n<td class=lineno>2<td>\n<tr><td class=lineno>3<td>  b</table>",
            fence("a\n\n  b"),
        ),
        # a paragraph shows no newlines, and code in a sentence or in one line of its own is inline
        ("<p><code>a\nb</code></p>", "`a b`"),
        ("<div>See <code class=block>a</code></div>", "See `a`"),
        ("<div><code>a</code></div>", "`a`"),
        ("<div>See <code>a\nb</code></div>", "See `a b`"),
        ("<table><tr><td class=lineno>1<td>a<tr><td>2<td>b</table>", "|  |  |\n| --- | --- |\n| 1 | a |\n| 2 | b |"),
    ],
)
def test_code_without_a_preformatted_element(markup: str, written: str) -> None:
    assert write(markup) == written


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ("<div class=code-header>sh</div><div>a</div>", "a"),
        ("<span style='user-select: none'>$ </span>a", "a"),
        ("<div class=select-none>sh</div>a", "a"),
        ("<span role=tooltip>number</span>a", "a"),
        ("<div>a</div><div class=code-header>sh</div><div>b</div>", "a\nb"),
        ("<span style='user-select: none'>all of it</span>", "all of it"),
    ],
)
def test_what_is_no_code_within_code(inner: str, code: str) -> None:
    assert write(f"<pre>{inner}</pre>") == fence(code)


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ("<div>a</div><div></div><div>b</div>", "a\n\nb"),
        ("<div>a<br></div><div><br></div><div>b</div>", "a\n\nb"),
        ("<div>a\n</div><div>\n</div><div>b</div>", "a\n\nb"),
        ("<div>a<br></div><div>b</div>", "a\nb"),
        ("a<br><br>b", "a\n\nb"),
        ("<div>a</div><div><button>Copy</button></div><div>b</div>", "a\nb"),
        ("<p><i class=gutter>1</i><a>a</a></p><p><i class=gutter>2</i><a>b</a></p>", "a\nb"),
        ("<li><i class=gutter><div>1</div></i><p>a</p></li><li><i class=gutter><div>2</div></i><p>b</p></li>", "a\nb"),
        ("<p><i class=lineno>1</i>a</p><p><i class=lineno>2</i></p><p><i class=lineno>3</i>b</p>", "a\n\nb"),
    ],
)
def test_lines_are_kept_whatever_each_is_set_into(inner: str, code: str) -> None:
    assert write(f"<pre>{inner}</pre>") == fence(code)
