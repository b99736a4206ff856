"""Clean HTML, Markdown and plain text: what becomes of tables, images, links, code and partly kept elements; what has a
line of its own, what is escaped, and what is kept as it is.

Comments are quotations, one in the other.
"""

import pytest

import webclean
from tests.outputs.kept import keep_blocks, read_cases
from webclean.outputs.flow import TreeOptions, add_headline
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.html import render_html
from webclean.outputs.text import render_markdown, render_text
from webclean.rules import load_rules

URL = "https://example.org/dir/page.html"
LATE_IMAGES = TreeOptions(image_attributes=("data-src", "src", "srcset"))
SHIPPED = TreeOptions(image_attributes=load_rules().fields.images.attributes)


def write_html(markup: str, *drop: str, options: TreeOptions | None = None) -> str:
    flow = build_flow(*keep_blocks(markup, drop, URL), options or SHIPPED)
    return render_html(flow, fragment=True).replace("\n", "")


def write_markdown(markup: str, *drop: str, options: TreeOptions | None = None) -> str:
    return render_markdown(build_flow(*keep_blocks(markup, drop, URL), options))


@pytest.mark.parametrize(("markup", "html"), read_cases("html"))
def test_html(markup: str, html: str) -> None:
    assert write_html(markup) == html


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
    ("markup", "written"), read_cases("markdown_of_pages", "code_without_pre", "white_space", "notes")
)
def test_markdown(markup: str, written: str) -> None:
    assert write_markdown(markup) == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<p>a</p>", "# The weir\n\na"),
        ("<h1>The  Weir</h1><p>a</p>", "# The Weir\n\na"),
        ("<p><b>The Weir</b></p><p>a</p>", "# The weir\n\na"),
        ("<p>1904</p><p>The Weir</p><p>a</p>", "1904\n\n# The weir\n\na"),
        ("<p>a</p><p>b</p><p>c</p><p>The Weir</p>", "# The weir\n\na\n\nb\n\nc\n\nThe Weir"),
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


def test_a_list_of_comments_is_none() -> None:
    item = f"<li class=comment><div class=comment>{ANN}</div><ul class=children><li class=comment>{BOB}</ul>"
    assert write_html(f"{TEXT}<ol>{item}</ol>") == f"{TEXT}<blockquote>{ANN_QUOTED}{BOB_QUOTED}</blockquote>"
    mixed = write_html(f"{TEXT}<ol><li class=comment>{BOB}<li>More</ol>")
    assert "<blockquote>" not in mixed
    assert "<ol><li>" in mixed


@pytest.mark.parametrize(
    "markup",
    [
        f"<div class=comment>{ANN}</div>",  # the post that a thread begins with
        f"{TEXT}<div class=comment><p>Well said.</p></div>",  # without a head
        f"{TEXT}<div class=comments>{ANN}</div>",
    ],
)
def test_what_is_no_comment_on_a_text_is_not_quoted(markup: str) -> None:
    assert "<blockquote>" not in write_html(markup)


@pytest.mark.parametrize(
    ("markup", "written"),
    read_cases("markdown_blocks", "markdown_code", "markdown_tables", "markdown_media", "markdown_images"),
)
def test_markdown_of_blocks(markup: str, written: str) -> None:
    assert write_markdown(markup, "drop", options=LATE_IMAGES) == written


@pytest.mark.parametrize(("markup", "written"), read_cases("markdown_inline"))
def test_markdown_of_text_and_inline_elements(markup: str, written: str) -> None:
    assert write_markdown(f"<p>{markup}", options=LATE_IMAGES) == written


def render(markup: str, *drop: str) -> str:
    """The text, which is the same where the tree is for plain text alone."""
    page = keep_blocks(markup, drop)
    text = render_text(build_flow(*page))
    assert render_text(build_flow(*page, TreeOptions(marks=False, plain=True))) == text
    return text


@pytest.mark.parametrize(("markup", "text"), read_cases("text_lines"))
def test_lines(markup: str, text: str) -> None:
    assert render(markup) == text


def test_dropped_blocks_leave_nothing_behind() -> None:
    assert render("<p>a</p><p>b</p><p>c</p>", "b") == "a\n\nc"
    assert render("<pre>a<br><br>b<br><br>c</pre>", "b") == "a\n\nc"
    assert render("<pre><p>a</p><p>b</p><p>c</p></pre>", "a") == "b\nc"


def test_nothing_kept_is_empty() -> None:
    assert render("<p>a</p>", "a") == ""
