"""Clean HTML of small pages, construct by construct."""

from __future__ import annotations

import pytest

from tests.outputs.kept import keep_blocks
from tests.outputs.test_flow import write_html
from webclean.outputs.flow import build_flow
from webclean.outputs.html import render_html


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<h1>a</h1><p>b<br>c</p>", "<h1>a</h1><p>b<br>c</p>"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "<blockquote><p>a</p><p>b</p></blockquote>"),
        ("<blockquote>a</blockquote>", "<blockquote><p>a</p></blockquote>"),
        ("<details><summary>s</summary>t</details>", '<details open=""><summary>s</summary><p>t</p></details>'),
        (
            "<ul><li><input type=checkbox checked>a<li><input type=checkbox>b</ul>",
            '<ul><li><input type="checkbox" disabled checked> a</li><li><input type="checkbox" disabled> b</li></ul>',
        ),
        ("<div dir=rtl><p>א</p></div><p>b b b", '<p dir="rtl">א</p><p>b b b</p>'),
        ("<div dir=rtl><pre>x</pre></div>", '<pre dir="ltr"><code>x</code></pre>'),
        ("<p>a<abbr title='T &amp; \"U\"'>b</abbr>", '<p>a<abbr title="T &amp; &quot;U&quot;">b</abbr></p>'),
        ("<ol start=3><li>a</ol><ol start=1><li>b</ol>", '<ol start="3"><li>a</li></ol><ol><li>b</li></ol>'),
        (
            "<table><tr><td colspan=2 rowspan=1001>a<tr><td>b<td>c</table>",
            '<table><tr><td colspan="2" rowspan="1000">a</td></tr><tr><td>b</td><td>c</td></tr></table>',
        ),
        (
            "<table><tr><td colspan=1000>a<td>z<tr><td colspan=-1>b<td colspan=x>c</table>",
            '<table><tr><td colspan="1000">a</td><td>z</td></tr><tr><td>b</td><td>c</td></tr></table>',
        ),
        (
            "<figure><p>a</p><p><img src=/i.png></p><figcaption>c</figcaption></figure>",
            '<figure><p>a</p><img src="https://example.org/i.png" alt=""><figcaption>c</figcaption></figure>',
        ),
        (
            "<figure><p>a <img src=/i.png></p></figure>",
            '<figure><p>a <img src="https://example.org/i.png" alt=""></p></figure>',
        ),
        (
            "<figure><div><img src=/i.png></div></figure><p>x",
            '<p><img src="https://example.org/i.png" alt=""></p><p>x</p>',
        ),
        ("<ul><li><p>a</p><ul><li>b</ul></ul>", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
        ("<ul><li><p>a</p><p>b</p></ul>", "<ul><li><p>a</p><p>b</p></li></ul>"),
        ("<ul><li><p>a</p>b</ul>", "<ul><li><p>a</p><p>b</p></li></ul>"),
        ("<ul><li><h2>a</h2></ul>", "<ul><li><h2>a</h2></li></ul>"),
        (
            "<table><tr><td><p>a</p></td><td><b>b</b></td><tr><td></td><td>c</table>",
            "<table><tr><td>a</td><td><strong>b</strong></td></tr><tr><td></td><td>c</td></tr></table>",
        ),
        (
            "<p><del>a</del><s>b</s> <tt>c</tt> <var>d</var>",
            "<p><del>a</del><del>b</del> <code>c</code> <em>d</em></p>",
        ),
        ("<p><b><strong>a</strong></b> <code><b>c</b></code>", "<p><strong>a</strong> <code>c</code></p>"),
        (
            "<b><a href=/x>a</a></b><a href=/y><b>b</b></a>",
            '<p><strong><a href="https://example.org/x">a</a></strong> <a href="https://example.org/y"><strong>b</strong></a></p>',
        ),
        ("<section><h2>T</h2>loose <i>text</i></section>", "<h2>T</h2><p>loose <em>text</em></p>"),
        ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
        ("<menu><li>a</menu><dir><li>b</dir>", "<ul><li>a</li></ul><ul><li>b</li></ul>"),
        ("<td>x", "<p>x</p>"),
        ("<ul>a<p>b</p></ul>", "<ul><li><p>a</p><p>b</p></li></ul>"),
        ("<dl>a</dl>", "<dl><dd>a</dd></dl>"),
        ("<figcaption>a</figcaption><summary>b</summary>", "<p>a</p><p>b</p>"),
        ("<ul><li>a</ul>b<ul><li>c</ul>", "<ul><li>a</li></ul><p>b</p><ul><li>c</li></ul>"),
        ("<p>a <i>b</i> <i>c</i>", "<p>a <em>b</em> <em>c</em></p>"),
        ("<p>a<i>b </i><b>c</b>", "<p>a<em>b</em> <strong>c</strong></p>"),
        ("<p><i>a<br>b</i>", "<p><em>a<br>b</em></p>"),
    ],
)
def test_elements(markup: str, written: str) -> None:
    assert write_html(markup) == written


def test_blocks_stand_on_lines_of_their_own() -> None:
    flow = build_flow(*keep_blocks("<p>a<br><b>b</b></p><ul><li>c<li><p>d</p><p>e</p></ul><blockquote>f</blockquote>"))
    assert render_html(flow, fragment=True).split("\n") == [
        "<p>a<br><strong>b</strong></p>",
        *("<ul>", "<li>c</li>", "<li>", "<p>d</p>", "<p>e</p>", "</li>", "</ul>"),
        "<blockquote><p>f</p></blockquote>",
    ]


def test_text_from_right_to_left_says_so() -> None:
    flow = build_flow(*keep_blocks("<p>שלום a</p>"))
    assert render_html(flow, fragment=True) == '<div dir="rtl">\n<p>שלום a</p>\n</div>'
    assert '<html dir="rtl">' in render_html(flow)
    assert "dir=" not in render_html(build_flow(*keep_blocks("<p>שלום abcd</p>")))
    assert "dir=" not in render_html(build_flow(*keep_blocks("<html dir=ltr><p>שלום</p>")))
    assert "dir=" in render_html(build_flow(*keep_blocks("<body dir=' RTL '><p>abc</p>")))


@pytest.mark.parametrize(("n", "n_written"), [(39, 39), (40, 40), (41, 40), (60, 40)])
def test_containers_are_nested_to_a_depth_and_a_footnote_is_one(n: int, n_written: int) -> None:
    nest = "<blockquote>" * n + "deep" + "</blockquote>" * n
    assert write_html(nest).count("<blockquote>") == n_written
    link = "<p>Said<sup><a href=#n1>1</a></sup></p>"
    written = write_html(f"{link}<div id=n1>{nest}</div>")
    assert written.count("<blockquote>") == min(n, 39)
    assert 'id="note-1"' in written
