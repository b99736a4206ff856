"""Clean HTML and Markdown: what becomes of tables, images, links, code and partly kept elements."""

from __future__ import annotations

import pytest

import webclean
from tests.outputs.kept import keep_blocks
from webclean.outputs.flow import TreeOptions, build_flow
from webclean.outputs.flow.nodes import add_headline
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
