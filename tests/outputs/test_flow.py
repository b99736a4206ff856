"""Clean HTML and Markdown: what becomes of tables, images, links, code and partly kept elements.

Comments are quotations, one in the other.
"""

from __future__ import annotations

import pytest

import webclean
from tests.outputs.kept import keep_blocks
from webclean.outputs.flow import TreeOptions, add_headline
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.html import render_html
from webclean.outputs.text import render_markdown
from webclean.rules import load_rules

URL = "https://example.org/dir/page.html"
SHIPPED = TreeOptions(image_attributes=load_rules().fields.images.attributes)


def write_html(markup: str, *drop: str, options: TreeOptions | None = None) -> str:
    flow = build_flow(*keep_blocks(markup, drop, URL), options or SHIPPED)
    return render_html(flow, fragment=True).replace("\n", "")


def write_markdown(markup: str, *drop: str, options: TreeOptions | None = None) -> str:
    return render_markdown(build_flow(*keep_blocks(markup, drop, URL), options))


@pytest.mark.parametrize(
    ("markup", "html"),
    [
        ("<div><div>one</div>two</div>", "<p>one</p><p>two</p>"),
        ("<b>x<p>y</p></b>", "<p><strong>x</strong></p><p><strong>y</strong></p>"),
        (
            "<a href=/x><h3>T</h3><div>s</div></a>",
            '<h3><a href="https://example.org/x">T</a></h3><p>s</p>',
        ),
        ("<ul>stray<li>a<ul><li>b</ul></ul>", "<ul><li>stray</li><li>a<ul><li>b</li></ul></li></ul>"),
        ("<li>no list", "<p>no list</p>"),
        ("<table><tr><td><p>a</p><p>b</p><td><h2>c</h2></table>", "<p>a</p><p>b</p><h2>c</h2>"),
        (
            "<table><tr><th>a<th>b<tr><td>c<td></table>",
            "<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td></td></tr></table>",
        ),
        (
            "<table><tr><td>me<td>#1<tr><td>Posts 1<td><p>a</p><p>b</p></table>",
            "<p>me</p><p>#1</p><p>Posts 1</p><p>a</p><p>b</p>",
        ),
        # a title, and an entry of a bibliography
        ("<p>So <cite>War</cite> says</p>", "<p>So <em>War</em> says</p>"),
        ("<p><cite>Ann: <i>War</i>, 1869</cite></p>", "<p>Ann: <em>War</em>, 1869</p>"),
        # rows below the stories of a list, which begin with an empty cell
        (
            "<table><tr><td>1.<td>a<tr><td><td>by b<tr><td>2.<td>c<tr><td><td>by d</table>",
            "<p>1.</p><p>a</p><p>by b</p><p>2.</p><p>c</p><p>by d</p>",
        ),
        # a row without a label is one of data
        (
            "<table><tr><td>a<td>b<tr><td>c<td><tr><td>d<td></table>",
            "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td></td></tr><tr><td>d</td><td></td></tr></table>",
        ),
        (
            "<blockquote><div><cite>Ann wrote:</cite>It is late.</div></blockquote>",
            "<blockquote><p>Ann wrote:</p><p>It is late.</p></blockquote>",
        ),
        ("<blockquote>As <cite>Ann</cite> says</blockquote>", "<blockquote><p>As <em>Ann</em> says</p></blockquote>"),
        ("<blockquote><cite>Ann</cite></blockquote>", "<blockquote><p><em>Ann</em></p></blockquote>"),
        (
            "<figure><img src=a.png alt=A><figcaption>C</figcaption></figure>",
            '<figure><img src="https://example.org/dir/a.png" alt="A"><figcaption>C</figcaption></figure>',
        ),
        ("<pre class=language-python><i>x</i> = y</pre>", '<pre><code class="language-python">x = y</code></pre>'),
        # browsers keep room for an image whose size the page states
        (
            "<p>a<img src=a.png width=800 height=450>d<img src=e.png width=9></p>",
            '<p>a<img src="https://example.org/dir/a.png" alt="" width="800" height="450">'
            'd<img src="https://example.org/dir/e.png" alt=""></p>',
        ),
        ("<pre>x<img src=a.png alt=A> = y</pre><p>z</p>", "<pre><code>x = y</code></pre><p>z</p>"),
        (
            "<blockquote>a<pre>b</pre>c</blockquote><p>d",
            "<blockquote><p>a</p><pre><code>b</code></pre><p>c</p></blockquote><p>d</p>",
        ),
        ("<ul><li>a<pre>b</pre></ul>", "<ul><li><p>a</p><pre><code>b</code></pre></li></ul>"),
        ("<p>1 &lt; 2 &amp; 3</p>", "<p>1 &lt; 2 &amp; 3</p>"),
        ("<base href=/root/><p><a href=x>l</a></p>", '<p><a href="https://example.org/root/x">l</a></p>'),
    ],
)
def test_html(markup: str, html: str) -> None:
    assert write_html(markup) == html


@pytest.mark.parametrize(
    "href",
    [
        "javascript:x()",
        " java\nscript:x()",
        "JAVASCRIPT:x()",
        "&#1;javascript:x()",
        "data:text/html,x",
        "vbscript:x",
        "",
    ],
)
def test_unsafe_links_keep_their_text_alone(href: str) -> None:
    assert write_html(f'<p><a href="{href}">text</a></p>') == "<p>text</p>"


@pytest.mark.parametrize(
    ("href", "written"),
    [
        ("http://a.example", "http://a.example/"),
        ("http://a.example?q=1", "http://a.example/?q=1"),
        ("/wiki/Z%C3%BCrich/Zürich", "https://example.org/wiki/Z%C3%BCrich/Z%C3%BCrich"),
        ("http://zürich.example/a b", "http://zürich.example/a%20b"),
        ("mailto:ann@a.example", "mailto:ann@a.example"),
        ("/?q=a|b", "https://example.org/?q=a|b"),
    ],
)
def test_addresses_are_written_as_a_browser_writes_them(href: str, written: str) -> None:
    assert write_html(f'<p><a href="{href}">text</a></p>') == f'<p><a href="{written}">text</a></p>'


@pytest.mark.parametrize(
    ("markup", "html"),
    [
        ('<h2><a href="#a">A</a></h2><p>a</p>', "<h2>A</h2><p>a</p>"),
        ('<h2><a href="/a">A</a></h2><p>a</p>', '<h2><a href="https://example.org/a">A</a></h2><p>a</p>'),
        (
            '<p><a href="#">open</a> <a href="#b">b</a></p>',
            '<p>open <a href="https://example.org/dir/page.html#b">b</a></p>',
        ),
    ],
)
def test_links_that_lead_nowhere_are_none(markup: str, html: str) -> None:
    assert write_html(markup) == html


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<a href=/l.jpg><img src=/s.jpg alt=S></a>", '<img src="https://example.org/l.jpg" alt="S">'),
        (
            "<a href=/l.jpg><img src=/s.jpg alt=S> larger</a>",
            '<a href="https://example.org/l.jpg"><img src="https://example.org/s.jpg" alt="S"> larger</a>',
        ),
        (
            "<a href=/wiki/File:l.jpg><img src=/s.jpg alt=S></a>",
            '<a href="https://example.org/wiki/File:l.jpg"><img src="https://example.org/s.jpg" alt="S"></a>',
        ),
    ],
)
def test_a_link_to_the_larger_copy_of_a_picture_is_that_copy(markup: str, written: str) -> None:
    assert write_html(f"<p>before {markup} after</p>") == f"<p>before {written} after</p>"


def test_an_element_of_which_some_blocks_are_kept_is_cut() -> None:
    markup = "<ul><li>keep<p>drop me</p></li><li>drop</li></ul><table><tr><td>a<td>drop<tr><td>b<td>c</table>"
    table = "<table><tr><td>a</td><td></td></tr><tr><td>b</td><td>c</td></tr></table>"
    assert write_html(markup, "drop") == f"<ul><li>keep</li></ul>{table}"


@pytest.mark.parametrize(
    ("image", "source"),
    [
        ('src="/a.png"', "https://example.org/a.png"),
        ('src="data:image/gif;base64,R0" data-src="/b.png"', "https://example.org/b.png"),
        ('srcset="/c.png 1x, /d.png 2x"', "https://example.org/c.png"),
        ('src="javascript:x()"', None),
        ('src="/pixel.gif" width=1 height=1', None),
        ('src="data:image/svg+xml,<svg onload=x()>"', None),
        (f'src="data:image/svg+xml,{"x" * 600}"', None),
        ('src="data:image/gif;base64,R0"', None),
        (f'src=" data:image/gif;base64,{"R" * 600}"', f"data:image/gif;base64,{'R' * 600}"),
        (f'src="data:image/gif;base64,\x1bA\n{"R" * 600}"', f"data:image/gif;base64,%1BA{'R' * 600}"),
    ],
)
def test_image_sources(image: str, source: str | None) -> None:
    written = write_html(f"<p>before</p><img {image} onerror=x()><p>after</p>")
    assert (f'<img src="{source}" alt="">' in written) if source else ("<img" not in written)


def test_images_go_with_their_text() -> None:
    markup = "<div><img src=/ad.png><p>drop this</p></div><div><img src=/in.png><p>keep</p></div>"
    assert write_html(markup, "drop") == '<p><img src="https://example.org/in.png" alt=""></p><p>keep</p>'


def test_options() -> None:
    markup = "<p><a href=/x>l</a> <img src=/i.png alt=i></p><table><tr><td>a<td>b<tr><td>c<td>d</table>"
    assert write_markdown(markup, options=TreeOptions(links=False, images=False, tables=False)) == "l"


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<h2>A #</h2>", "## A \\#"),
        ("<p>1. x<br>- y<br>> z</p>", "1\\. x\\\n\\- y\\\n\\> z"),
        ("<p><b>a:</b>b</p>", "<strong>a:</strong>b"),
        ("<p><code>a</code><code>b*</code></p>", "`a`<code>b\\*</code>"),
        ("<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<table><tr><th>a|b<th>c<tr><td>d<br>e<td>f</table>", "| a\\|b | c |\n| --- | --- |\n| d<br>e | f |"),
        (
            "<table><tr><td colspan=9>a<td>b<tr><td>c<td>d</table>",
            "|  |  |  |\n| --- | --- | --- |\n| a |  | b |\n| c | d |  |",
        ),
        (
            "<table><tr><td rowspan=2>a<td>b<tr><td>c<td rowspan=2 colspan=2>d<tr><td>e<td>f<td>g</table>",
            "|  |  |  |  |\n| --- | --- | --- | --- |\n| a | b |  |  |\n|  | c | d |  |\n| e | f |  | g |",
        ),
        ("<p><a href='/a b(c)'>x</a></p>", "[x](https://example.org/a%20b%28c%29)"),
    ],
)
def test_markdown(markup: str, written: str) -> None:
    assert write_markdown(markup) == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<p>a</p>", "# The weir\n\na"),
        ("<h1>The  Weir</h1><p>a</p>", "# The Weir\n\na"),
        ("<h2>Before</h2><p>a</p>", "# The weir\n\n## Before\n\na"),
        ("<h2>Before</h2><h3>The weir</h3>", "## Before\n\n### The weir"),
        ("", ""),
    ],
)
def test_the_title_stands_above_the_text_once(markup: str, written: str) -> None:
    flow = build_flow(*keep_blocks(markup, (), URL))
    assert render_markdown(add_headline(flow, "The weir")) == written


def test_a_page_can_be_written_without_its_title() -> None:
    page = webclean.clean(f"<title>The weir</title><p>{'It was built of oak in 1904, and it has held. ' * 9}</p>")
    assert page.to_markdown().startswith("# The weir\n\nIt was")
    assert page.to_markdown(include_title=False).startswith("It was")
    assert "<h1>" in page.to_html()
    assert "<h1>" not in page.to_html(include_title=False)


def test_deep_pages_are_written() -> None:
    markup = "<blockquote>" * 1500 + "<ul><li>" * 200 + "deep" + "</ul>" * 200
    assert "deep" in write_html(markup)
    assert "deep" in write_markdown(markup)


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


TEXT = "<p>It was said.</p>"
ANN = "<b class=author>Ann</b><p>Well said.</p>"
BOB = "<b class=author>Bob</b><p>Is it?</p>"
ANN_QUOTED = "<p><strong>Ann</strong></p><p>Well said.</p>"
BOB_QUOTED = "<blockquote><p><strong>Bob</strong></p><p>Is it?</p></blockquote>"


def test_replies_are_quoted_within_comments() -> None:
    written = write_html(f"{TEXT}<div class=comment>{ANN}<div class='x comment'>{BOB}</div></div>")
    assert written == f"{TEXT}<blockquote>{ANN_QUOTED}{BOB_QUOTED}</blockquote>"


def test_a_list_of_comments_is_none() -> None:
    item = f"<li class=comment><div class=comment>{ANN}</div><ul class=children><li class=comment>{BOB}</ul>"
    assert write_html(f"{TEXT}<ol>{item}</ol>") == f"{TEXT}<blockquote>{ANN_QUOTED}{BOB_QUOTED}</blockquote>"
    mixed = write_html(f"{TEXT}<ol><li class=comment>{BOB}<li>More</ol>")
    assert "<blockquote>" not in mixed
    assert "<ol><li>" in mixed


@pytest.mark.parametrize(
    "comment",
    [
        f"<div class=comment>{BOB}</div>",
        f"<div role=comment>{BOB}</div>",
        f"<div itemscope itemtype='https://schema.org/Comment'>{BOB}</div>",
        f"<table><tr class=reply><td>{BOB}</table>",
    ],
)
def test_a_class_a_role_or_a_type_tells_a_comment(comment: str) -> None:
    assert write_html(TEXT + comment) == TEXT + BOB_QUOTED


@pytest.mark.parametrize(
    "markup",
    [
        f"<div class=comment>{ANN}</div>",  # the post that a thread begins with
        f"{TEXT}<div class=comment><p>Well said.</p></div>",  # without a head
        f"{TEXT}<div class=comments>{ANN}</div>",
        f"{TEXT}<table><tr class=comment><td class=author>Ann<td>1<tr class=comment><td class=author>Bob<td>2</table>",
    ],
)
def test_what_is_no_comment_on_a_text_is_not_quoted(markup: str) -> None:
    assert "<blockquote>" not in write_html(markup)
