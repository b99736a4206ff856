"""Plain text and Markdown: what stands on its own line, what is escaped, and what is kept as it is."""

from __future__ import annotations

import pytest

from tests.outputs.kept import keep_blocks
from tests.outputs.test_flow import write_markdown
from webclean.outputs.flow import TreeOptions
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.text import render_text

OPTIONS = TreeOptions(image_attributes=("data-src", "src", "srcset"))


def write(markup: str) -> str:
    return write_markdown(markup, "drop", options=OPTIONS)


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<dl><dt>a<dd>b<dt><b>c</b><dd>d</dl>", "**a**\n\nb\n\n**c**\n\nd"),
        ("<dl><dt><p>a</p><p>b</p><dd>c</dl>", "a\n\nb\n\nc"),
        ("<dl><dt>a <b>b</b><dd>d</dl>", "a **b**\n\nd"),
        ("<details><summary>s</summary>t</details>", "**s**\n\nt"),
        ("<ul><li><input type=checkbox checked>a<li><input type=CheckBox>b</ul>", "- [x] a\n- [ ] b"),
        ("<ul><li><input type=checkbox><h3>a</h3><p>b</p></ul>", "- ### a\n\n  b"),
        ("<ul><li><input type=checkbox><p>a</p><p>b</p></ul>", "- [ ] a\n\n  b"),
        ("<ul><li>x <input type=checkbox> c<li><input type=radio>d</ul>", "- x c\n- d"),
        ("<p><input type=checkbox>a", "a"),
        ("<ol start=3 ><li>a</ol><ol><li>b</ol>", "3. a\n\n1) b"),
        ("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>", "- a\n\n* b\n\n- c"),
        ("<ul><li>a</ul><ol><li>b</ol><ol><li>c</ol><p>d</p><ol><li>e</ol>", "- a\n\n1. b\n\n1) c\n\nd\n\n1. e"),
        ("<ol start=0><li>a<li>b</ol>", "0. a\n1. b"),
        ("<ol start=x><li>a</ol>", "1. a"),
        ("<ol start=-3><li>a</ol>", "1. a"),
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"),
        ("<ul><li><pre>x\n\n y</pre></ul>", "- ```\n  x\n\n   y\n  ```"),
        ("<ul><li>a<blockquote>q</blockquote><li>b</ul>", "- a\n\n  > q\n\n- b"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ("<p>a<hr>b", "a\n\n---\n\nb"),
        ("<hr>b", "b"),
        ("<p>a<hr>", "a"),
        ("<p>a</p><hr><hr><p>b", "a\n\n---\n\n---\n\nb"),
        ("<p>a</p><hr><p>drop<p>b", "a\n\nb"),
        ("<figure><img src=i.png><figcaption>c</figcaption></figure>", "![](https://example.org/dir/i.png)\n\nc"),
        ("<div class=admonition><p>Note</p><p>x</p></div>", "> Note\n>\n> x"),
        ("<div class=admonitions><p>Note</p><p>x</p></div>", "Note\n\nx"),
        ("<div role=heading aria-level=3>a</div><div role=heading>b</div>", "### a\n\n## b"),
        ("<div role=heading aria-level=9>a</div><div role=heading aria-level=12>b</div>", "## a\n\n## b"),
        ("<div role=' Heading ' aria-level=' 6 '>a</div>", "###### a"),
        ("<div role=list><div role=listitem>a</div><div role=listitem>b</div></div>", "- a\n- b"),
        ("<ul role=figure><li>a</ul>", "- a"),
        ("<p>a<br><br>b<br>c", "a\n\nb\\\nc"),
        ("<p><br>a<br>", "a"),
        ("<h1>a<br>b</h1>", "# a b"),
        ("<h2>a##</h2>", "## a#\\#"),
        ("<h3>a</h3><h6>b</h6>", "### a\n\n###### b"),
        ("<p>a</p><pre class='language-py'>x\n</pre>", "a\n\n```py\nx\n```"),
        ("<pre>a\n````\n```</pre>", "`````\na\n````\n```\n`````"),
        ("<p>a $$b$$ c", "a\n\n$$\nb\n$$\n\nc"),
        ("<p>a<div>b</div>c", "a\n\nb\n\nc"),
    ],
)
def test_blocks(markup: str, written: str) -> None:
    assert write(markup) == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<pre class='language-py'>x</pre>", "```py\nx\n```"),
        ("<pre><code class=lang-c++>x</code></pre>", "```c++\nx\n```"),
        ("<pre><b><i><u class=lang-a>x</u></i></b></pre>", "```a\nx\n```"),
        ("<pre><b><i><u><s class=lang-a>x</s></u></i></b></pre>", "```\nx\n```"),
        ("<div class=lang-a><div><div><pre>x</pre></div></div></div>", "```a\nx\n```"),
        ("<div class=lang-a><div><div><div><pre>x</pre></div></div></div></div>", "```\nx\n```"),
        ("<pre data-lang=Go>x</pre>", "```go\nx\n```"),
        ("<pre class=lang-a data-language=b>x</pre>", "```b\nx\n```"),
        ("<div class=lang-b><pre class=lang-a>x</pre></div>", "```a\nx\n```"),
        ("<pre class='brush: sql'>x</pre>", "```sql\nx\n```"),
        ("<pre class='hljs css'>x</pre>", "```css\nx\n```"),
        ("<pre class='hljs language-css'>x</pre>", "```css\nx\n```"),
        ("<pre data-lang='a b'>x</pre>", "```\nx\n```"),
        ("<pre class=plain>x</pre>", "```\nx\n```"),
        ("<pre class=language-text>y</pre>", "```\ny\n```"),
        ("<pre class=highlight-source-rust>y</pre>", "```rust\ny\n```"),
        ("<pre>1\n2\n3</pre>", "```\n1\n2\n3\n```"),
        ("<pre class=gutter>1\n2\n3</pre><pre>a\nb\nc</pre>", "```\na\nb\nc\n```"),
        ("<pre class=gutter>7\n8</pre><pre>a\nb</pre>", "```\na\nb\n```"),
        ("<pre class=gutter>1\n2\n4</pre>", "```\n1\n2\n4\n```"),
        ("<div class=lineno><pre>1\n2</pre></div><pre>a\nb</pre>", "```\na\nb\n```"),
        ("<pre class=gutter>1 x</pre>", "```\n1 x\n```"),
        ("<pre>a<button>Copy</button>\nb</pre>", "```\na\nb\n```"),
        ("<pre><span class=lineno>1</span> a\n<span class=lineno>2</span> b</pre>", "```\n a\n b\n```"),
        ("<pre><span class=lineno>x</span> a</pre>", "```\nx a\n```"),
        ("<pre><span class=x>1</span> a</pre>", "```\n1 a\n```"),
        ("<pre class=line>a</pre><pre class=line>b</pre>", "```\na\nb\n```"),
        ("<pre class=line>a</pre><p>c</p><pre class=line>b</pre>", "```\na\n```\n\nc\n\n```\nb\n```"),
        ("<pre class=outline>a</pre><pre class=line>b</pre>", "```\na\nb\n```"),
        ("<pre>  a\n\n</pre>", "```\n  a\n```"),
        (
            "<pre><table><tr><td class=gutter><div>1</div><div>2</div><td><div>a</div><div>b</div></table></pre>",
            "```\na\nb\n```",
        ),
        ("<pre><p>a</p><p>drop</p><p>b</p></pre>", "```\na\nb\n```"),
        ("<pre>a<br><br>b\t \n c</pre>", "```\na\n\nb\n c\n```"),
        ("<pre><div>a\n</div><div>b</div></pre>", "```\na\nb\n```"),
        ("<pre><span>a</span><span>b</span></pre>", "```\nab\n```"),
    ],
)
def test_code_with_its_language_and_without_line_numbers(markup: str, written: str) -> None:
    assert write(markup) == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<p>9<i></i>. <x-a>a</x-a>", "9\\. a"),
        ("H<b><sub>2</sub></b>O", "H<strong><sub>2</sub></strong>O"),
        ("a <b><sub>2</sub></b> b <b>c<sub>2</sub></b>", "a **<sub>2</sub>** b **c<sub>2</sub>**"),
        ("a<b><i>b</i> c <i>d</i></b>", "a<strong><em>b</em> c *d*</strong>"),
        ("<b><i>b</i> c <i>d</i></b>", "**<em>b</em> c *d***"),
        ("<b><i>b</i> c</b>", "***b* c**"),
        ("<p>7<abbr>) b</abbr>", "7\\) b"),
        ("<p>-<x-a> a", "\\- a"),
        ("<p>a &amp;<x-a>amp; b!<x-a>[c", "a \\&amp; b!\\[c"),
        (
            "H<sub>2</sub>O <mark>m</mark> <kbd>k</kbd> <ins>i</ins> <del>d</del> <abbr title=T>ab</abbr>",
            "H<sub>2</sub>O <mark>m</mark> <kbd>k</kbd> <ins>i</ins> ~~d~~ ab",
        ),
        ("<ruby>漢<rt>kan</rt></ruby> <ruby>字<rp>[</rp><rt>ji</rt><rp>]</rp></ruby>", "漢(kan) 字\\[ji\\]"),
        ("a<b> b </b>c", "a **b** c"),
        ("(<b>a</b>)", "(**a**)"),
        ("x<b>(a)</b>y", "x<strong>(a)</strong>y"),
        ("x<b>a</b>y", "x**a**y"),
        ("x<b>(a)</b>", "x<strong>(a)</strong>"),
        ("<b>(a)</b>y", "<strong>(a)</strong>y"),
        ("x<b>(a</b>", "x<strong>(a</strong>"),
        ("<b>a)</b>y", "<strong>a)</strong>y"),
        ("(<b>(a)</b>)", "(**(a)**)"),
        ("<b><i>a</i></b> <b>a<i>b</i></b>", "***a*** **a*b***"),
        ("<b>a</b><i>b</i>", "<strong>a</strong><em>b</em>"),
        ("<b>a</b><img src=/i.png>", "**a**![](https://example.org/i.png)"),
        ("<i>a</i> <code>`</code> <code>a``b</code> <code> </code>", "*a* `` ` `` ```a``b```"),
        ("<code>`a</code>", "`` `a ``"),
        ("<code>a</code>b<code>c</code>", "`a`b`c`"),
        ("<b>a</b>!<a href=/x>b</a>", "**a**\\![b](https://example.org/x)"),
        ("a! <a href=/x>b</a>", "a! [b](https://example.org/x)"),
        ("x <img src=/i.png alt='a*b'>", "x ![a\\*b](https://example.org/i.png)"),
        ("# a", "\\# a"),
        ("#a", "#a"),
        ("####### a", "####### a"),
        ("+ a", "\\+ a"),
        ("+a", "+a"),
        ("---", "\\---"),
        ("-- a", "-- a"),
        ("==", "\\=="),
        ("=a", "=a"),
        ("1) a", "1\\) a"),
        ("1)a", "1)a"),
        ("1234567890. a", "1234567890. a"),
        ("123456789. a", "123456789\\. a"),
        ("a # b", "a # b"),
        ("<b># a</b>", "**\\# a**"),
        ("<b>a<br>- b</b>", "**a\\\n\\- b**"),
        ("x<br># a", "x\\\n\\# a"),
        ("&amp;amp; &amp;x &amp;#1; &amp;foo;", "\\&amp; &x \\&#1; \\&foo;"),
        ("a_b_ _c_ ~~d~~ a[0] &lt;b> \\", "a_b\\_ \\_c\\_ \\~\\~d\\~\\~ a\\[0\\] \\<b> \\\\"),
        ("$5 and $6$ a", "$5 and \\$6$ a"),
        ("$5", "$5"),
        ("$ 5$", "$ 5$"),
        ("x <a href='/a|b?c&amp;copy;=1`'>l</a>", "x [l](https://example.org/a%7Cb?c&amp;copy;=1%60)"),
        ("<a href=/x>a<br>b</a>", "[a b](https://example.org/x)"),
        ("<a href=/x><b>a</b></a>", "[**a**](https://example.org/x)"),
        (
            "x <a href='/x y'><img src='/i(1).png'></a>",
            "x [![](https://example.org/i%281%29.png)](https://example.org/x%20y)",
        ),
    ],
)
def test_text_and_inline_elements(markup: str, written: str) -> None:
    assert write(f"<p>{markup}") == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ("<table><tr><td>a<tr><td>c</table>", "a\n\nc"),
        ("<table><tr><td><font>a</font> <font>b</font></table>", "a b"),
        ("<table><tr><td>a<td>b<tr><td>drop<td>drop</table>", "|  |  |\n| --- | --- |\n| a | b |"),
        ("<table><tr><td>x<tr><td>a<td>b</table>", "|  |  |\n| --- | --- |\n| x |  |\n| a | b |"),
        ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"),
        ("<table role=' None '><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"),
        ("<table role=grid><tr><td>a<td>b<tr><td>c<td>d</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ("<table><tr><td>a<td>b<tr><td>c<td><h2>d</h2></table>", "a\n\nb\n\nc\n\n## d"),
        ("<table><tr><td>a<td>b<tr><td>c<td><h2>drop</h2></table>", "|  |  |\n| --- | --- |\n| a | b |\n| c |  |"),
        (
            "<h2>x</h2><table><tr><td>a<td>b<tr><td>c<td>d</table><h2>y</h2>",
            "## x\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n\n## y",
        ),
        (
            "<table><tr><td>o<td><table><tr><td>a<td>b<tr><td>c<td>d</table><tr><td>p<td>q</table>",
            "o\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n\np\n\nq",
        ),
        (
            "<table><tr><td>o<td><table><tr><td>drop</table><tr><td>p<td>q</table>",
            "|  |  |\n| --- | --- |\n| o |  |\n| p | q |",
        ),
        ("<table><tr><td><p>a</p><p>b</p><td>b<tr><td>c<td>d</table>", "a\n\nb\n\nb\n\nc\n\nd"),
        (
            "<table><tr><td><p>a</p><p>drop</p><td>b<tr><td>c<td>d</table>",
            "|  |  |\n| --- | --- |\n| a | b |\n| c | d |",
        ),
        (
            "<table><tr><td><p>a</p><p>b</p><td>b<tr><td>c<td>d<tr><td>e<td>f</table>",
            "|  |  |\n| --- | --- |\n| a<br>b | b |\n| c | d |\n| e | f |",
        ),
        (
            "<table><tr><td><p>a</p><p>b</p><td><p>a</p><p>b</p><tr><td>c<td>d<tr><td>e<td>f</table>",
            "|  |  |\n| --- | --- |\n| a<br>b | a<br>b |\n| c | d |\n| e | f |",
        ),
        (
            "<table><tr><td><p>a</p><p>b</p><td>c<tr><td><p>a</p><p>b</p><td>c<tr><td>c<td>d</table>",
            "a\n\nb\n\nc\n\na\n\nb\n\nc\n\nc\n\nd",
        ),
        (
            "<table><tr><td><ul><li>a<li>b</ul><td>b<tr><td>c<td>d</table>",
            "|  |  |\n| --- | --- |\n| a<br>b | b |\n| c | d |",
        ),
        ("<table><caption>cap<tr><th>a<th>b<tr><td>c<td>d</table>", "cap\n\n| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td>a<td>b</table>", "|  |  |\n| --- | --- |\n| a | b |"),
        ("<table><tr><td>One sentence. Another.<td>b</table>", "One sentence. Another.\n\nb"),
        ("<table><tr><td><a href=/x>a</a><td>b</table>", "[a](https://example.org/x)\n\nb"),
        ("<table><tr><td>a<td><pre>b</pre></table>", "a\n\n```\nb\n```"),
        ("<table><tr><th>a<td>b<tr><td>c<td>d</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ("<table><tr><th>a<th><tr><td>c<td>d</table>", "| a |  |\n| --- | --- |\n| c | d |"),
        (
            "<table><tr><td><pre>x\n\ny</pre><td>b|c<tr><td>c<br>d<td><code>f|g</code></table>",
            "|  |  |\n| --- | --- |\n| `x`<br>`y` | b\\|c |\n| c<br>d | `f\\|g` |",
        ),
        (
            "<table><tr><th>a<br>b<th>c<tr><td><a href=/x>l<br>m</a><td>|</table>",
            "| a<br>b | c |\n| --- | --- |\n| [l<br>m](https://example.org/x) | \\| |",
        ),
        ("<table><thead><tr><th>a<th>b<tbody><tr><td># c<td>- d</table>", "| a | b |\n| --- | --- |\n| # c | - d |"),
        (
            "<table><tr><td rowspan=3>a<td>b<tr><td>c<tr><td>d<tr><td>e<td>f</table>",
            "|  |  |\n| --- | --- |\n| a | b |\n|  | c |\n|  | d |\n| e | f |",
        ),
        (
            "<table><tr><td>a<td colspan=2>b<td>c<tr><td>d<td>e</table>",
            "|  |  |  |  |\n| --- | --- | --- | --- |\n| a | b |  | c |\n| d | e |  |  |",
        ),
    ],
)
def test_tables_of_data_and_of_layout(markup: str, written: str) -> None:
    assert write(markup) == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<iframe src=https://v.org/e/abc title=Bell></iframe><p>x", "[Bell](https://v.org/e/abc)\n\nx"),
        ("<p>x</p><iframe src=https://v.org/e/abc.mp4></iframe>", "x\n\n[abc.mp4](https://v.org/e/abc.mp4)"),
        ("<p>x</p><iframe src=https://v.org/e/abc></iframe>", "x\n\n[v.org](https://v.org/e/abc)"),
        ("<p>x</p><iframe src=about:blank data-src=/e/a.mp4></iframe>", "x\n\n[a.mp4](https://example.org/e/a.mp4)"),
        ("<p>x</p><iframe src=/e/a.mp4 aria-label=A data-title=B></iframe>", "x\n\n[A](https://example.org/e/a.mp4)"),
        (
            "<p>x</p><video poster=/p.png src=/v.mp4></video>",
            "x\n\n[![v.mp4](https://example.org/p.png)](https://example.org/v.mp4)",
        ),
        (
            "<p>x</p><video data-poster=/p.png title=T><source src=/v.mp4></video>",
            "x\n\n[![T](https://example.org/p.png)](https://example.org/v.mp4)",
        ),
        ("<p>x</p><audio><source src=data:x><source src=/v.mp3></audio>", "x\n\n[v.mp3](https://example.org/v.mp3)"),
        ("<p>x</p><object data=/v.swf><embed src=/w.swf></object>", "x\n\n[v.swf](https://example.org/v.swf)"),
        (
            "<p>x</p><object><embed src=/w.swf></object><embed src=/y.swf>",
            "x\n\n[w.swf](https://example.org/w.swf)\n\n[y.swf](https://example.org/y.swf)",
        ),
        ("<p>x</p><iframe></iframe>", "x"),
        ("<p>x</p><iframe src=javascript:1></iframe>", "x"),
        ("<p>x</p><video src=/%20a%20b.mp4>y</video>", "x\n\n[a b.mp4](https://example.org/%20a%20b.mp4)"),
        ("<p>x</p><iframe src=https://v.org/></iframe>", "x\n\n[v.org](https://v.org/)"),
        ("<p>drop</p><iframe src=https://v.org/></iframe>", ""),
    ],
)
def test_videos_and_embedded_pages_are_links(markup: str, written: str) -> None:
    assert write(markup) == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<p>x <noscript><img src=/i.png alt=I></noscript> y", "x ![I](https://example.org/i.png) y"),
        ("<p>x <noscript><b></b></noscript> y", "x y"),
        (
            "<p>x <img src=data:x data-src=/j.png alt=J><noscript><img src=/j.png></noscript> y",
            "x ![J](https://example.org/j.png) y",
        ),
        ("<p>x <img src=data:x><noscript><img src=/j.png></noscript> y", "x ![](https://example.org/j.png) y"),
        ("<p>x <noscript><img src=/i.png width=1></noscript> y", "x y"),
        ("<p>x <picture><source srcset='/s.png 2x'><img alt=K></picture>", "x ![K](https://example.org/s.png)"),
        (
            "<p>x <picture><source srcset='/s.png 2x'><img src=/t.png alt=K></picture>",
            "x ![K](https://example.org/t.png)",
        ),
        ("<p>x <img srcset=' /a.png 1x, /b.png 2x'>", "x ![](https://example.org/a.png)"),
        ("<p>x <img srcset=', /b.png 2x'>", "x"),
        ("<p>x</p><div><div><img src=/k.png></div></div><p>y</p>", "x\n\n![](https://example.org/k.png)\n\ny"),
        ("<div><p>x</p><div><img src=/k.png></div><p>drop</p></div>", "x"),
        ("<div><div><img src=/k.png></div><p>drop</p><p>x</p></div>", "x"),
        ("<div><p>xxxx</p><div><img src=/k.png></div><p>drop</p></div>", "xxxx\n\n![](https://example.org/k.png)"),
        ("<div><p>xxx</p><div><img src=/k.png></div><p>drop</p></div>", "xxx"),
        ("<div><p>dropdrop</p><p>drop</p><div><img src=/k.png></div><p>x</p></div>", "x"),
        ("<a href=/x><img src=/k.png></a><p>y</p>", "[![](https://example.org/k.png)](https://example.org/x)\n\ny"),
        ("<div style=display:none><img src=/k.png></div><p>y</p>", "y"),
        ("<p>y<span hidden><img src=/k.png></span></p>", "y"),
        ("<img src=/k.png>", ""),
        ("<p>y <img src=/k.png alt=' a\n b '>", "y ![a b](https://example.org/k.png)"),
    ],
)
def test_images_beside_kept_text(markup: str, written: str) -> None:
    assert write(markup) == written


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
